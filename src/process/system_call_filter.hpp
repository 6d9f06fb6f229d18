// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which system calls this process, and those that it starts, may make until their end: rules for seccomp.
#pragma once

#include <dlfcn.h>
#include <seccomp.h>

#include <cerrno>
#include <cstdint>
#include <initializer_list>

namespace warpz {

/// libseccomp, loaded by the process that needs it: linked to warpz, it would slow down every start.
class libseccomp {
  void* const library_ = dlopen("libseccomp.so.2", RTLD_LAZY | RTLD_LOCAL);

 public:
  bool is_loaded() const { return library_ != nullptr; }

#define WARPZ_LIBSECCOMP(function)       \
  decltype(&::function) const function = \
      is_loaded() ? reinterpret_cast<decltype(&::function)>(dlsym(library_, #function)) : nullptr
  WARPZ_LIBSECCOMP(seccomp_attr_set);
  WARPZ_LIBSECCOMP(seccomp_init);
  WARPZ_LIBSECCOMP(seccomp_load);
  WARPZ_LIBSECCOMP(seccomp_rule_add_array);
#undef WARPZ_LIBSECCOMP
};

/// A list of rules. They hold until the process ends.
class system_call_filter {
 public:
  /// `action` is for calls without a rule; calls by the 32-bit interface end the process.
  system_call_filter(const libseccomp& library, std::uint32_t action)
      : library_(library), rules_(library.seccomp_init(action)) {
    if (rules_ == nullptr) return;
    library_.seccomp_attr_set(rules_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    library_.seccomp_attr_set(rules_, SCMP_FLTATR_API_SYSRAWRC, 1);  // the system's own errno
  }

  /// A call that the architecture does not have needs no rule.
  void add(std::uint32_t action, int call, std::initializer_list<scmp_arg_cmp> conditions = {}) const {
    const auto count = static_cast<unsigned>(conditions.size());
    library_.seccomp_rule_add_array(rules_, action, call, count, conditions.begin());
  }
  void allow(int call, std::initializer_list<scmp_arg_cmp> conditions = {}) const {
    add(SCMP_ACT_ALLOW, call, conditions);
  }
  void fail(int call, std::uint16_t reason) const { add(SCMP_ACT_ERRNO(reason), call); }
  /// The process ends by SIGSYS.
  void end(int call, std::initializer_list<scmp_arg_cmp> conditions = {}) const {
    add(SCMP_ACT_KILL_PROCESS, call, conditions);
  }

  /// Returns the errno; 0 if the filter is in force.
  int load() const { return rules_ != nullptr ? -library_.seccomp_load(rules_) : ENOMEM; }

 private:
  const libseccomp& library_;
  const scmp_filter_ctx rules_;
};

inline scmp_arg_cmp equals(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_EQ, value, 0}; }

inline scmp_arg_cmp differs(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_NE, value, 0}; }

inline scmp_arg_cmp has_bits(unsigned argument, std::uint64_t mask, std::uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

}  // namespace warpz
