// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/launched_functions.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_set>

#include "source/ir_module.hpp"

namespace warpz {
namespace {

// Of src/simt/include/hip/detail/launch.h. The first is what launch_kernel() runs in each lane: it calls what
// without_hip_syntax() or hipLaunchKernelGGL() have made of the launch, which calls the kernel.
constexpr std::string_view called_in_lanes = "_ZZN4simt13launch_kernelI";
constexpr std::array<std::string_view, 2> takes_address{"_ZN10hip_on_cpu15hipLaunchKernelI",
                                                        "_ZN10hip_on_cpu26hipLaunchCooperativeKernelI"};

std::string_view without_quotes(std::string_view name) {
  if (name.size() > 1 && name.starts_with('"')) name = name.substr(1, name.size() - 2);
  return name;
}

template <class Use>
void for_each_line(std::string_view code, const Use& use) {
  while (!code.empty()) {
    const std::string_view line = code.substr(0, std::min(code.find('\n'), code.size() - 1) + 1);
    use(line);
    code.remove_prefix(line.size());
  }
}

/// "!12" of the line's ", !dbg !12"; empty where it has none.
std::string_view place_of_line(std::string_view line) {
  constexpr std::string_view mark = ", !dbg ";
  const std::size_t at = line.rfind(mark);
  if (at == line.npos) return {};
  const std::string_view number = line.substr(at + mark.size());
  return number.substr(0, number.find_first_not_of("!0123456789"));
}

bool is_call(std::string_view line) {
  return line.starts_with("  ") && (line.find("call ") != line.npos || line.find("invoke ") != line.npos);
}

/// The function that the line calls by its name; empty where it calls one by a pointer.
std::string_view called_by(std::string_view line) {
  for (const std::string_view each : references(line)) {
    if (each.data() + each.size() < line.data() + line.size() && *(each.data() + each.size()) == '(') return each;
  }
  return {};
}

bool is_destructor(std::string_view name) {
  name = without_quotes(name);
  return name.ends_with("D0Ev") || name.ends_with("D1Ev") || name.ends_with("D2Ev");
}

/// The function's last call: what comes before it copies arguments, and what follows destroys them. An `invoke` has a
/// second line.
std::string_view last_call(const ir_entity& function) {
  std::string_view last;
  for_each_line(function.text, [&](std::string_view line) {
    if (!is_call(line)) return;
    const std::string_view called = called_by(line);
    const bool is_compilers = called.starts_with("llvm.") || called.starts_with("__");
    if (is_compilers || is_destructor(called)) return;
    const std::string_view rest = function.text.substr(static_cast<std::size_t>(line.data() - function.text.data()));
    const bool has_second = line.find("invoke ") != line.npos;
    last = rest.substr(0, rest.find('\n', has_second ? line.size() : 0));
  });
  return last;
}

/// What stands behind "line: " or "scope: ", up to a comma or a parenthesis.
std::string_view field(std::string_view described, std::string_view name) {
  const std::size_t at = described.find(name);
  if (at == described.npos) return {};
  described.remove_prefix(at + name.size());
  return described.substr(0, described.find_first_of(",)"));
}

/// A program's source with what is asked about it.
struct program_source {
  explicit program_source(const source_passes& passes) : text(passes.host), host(passes.host) {
    for (const std::string_view each : host.annotated(kernel_mark)) kernels.insert(each);
  }

  /// The line that describes "!12".
  std::string_view described(std::string_view number) const {
    const std::string begin = fmt::format("\n{} = ", number);
    const std::size_t at = number.empty() ? text.npos : text.find(begin);
    return at == text.npos ? std::string_view() : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  }

  launched_function at_place_of(std::string_view call) const {
    const std::string_view location = described(place_of_line(call));
    const std::string_view file = described(field(described(field(location, "scope: ")), "file: "));
    const std::string_view line = field(location, "line: ");
    launched_function found{std::string(without_quotes(field(file, "filename: "))), 0, {}};
    std::from_chars(line.data(), line.data() + line.size(), found.line);
    return found;
  }

  std::string_view text;
  ir_module host;
  std::unordered_set<std::string_view> kernels;
};

class launch_search {
 public:
  explicit launch_search(std::span<const source_passes> sources) {
    for (const source_passes& each : sources) sources_.emplace_back(each);
  }

  std::vector<launched_function> all() {
    for (const program_source& source : sources_) {
      for (const ir_entity& each : source.host.entities()) {
        if (each.kind != ir_kind::function || !each.is_defined) continue;
        if (without_quotes(each.name).starts_with(called_in_lanes)) look_at_launch(source, each);
        look_at_addresses(source, each);
      }
    }
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  void look_at_launch(const program_source& source, const ir_entity& called) {
    const ir_entity* const launch = source.host.find(called_by(last_call(called)));
    if (launch == nullptr || !launch->is_defined) return;
    const std::string_view call = last_call(*launch);
    judge(source, called_by(call), call);
  }

  void look_at_addresses(const program_source& source, const ir_entity& function) {
    for_each_line(function.text, [&](std::string_view line) {
      const auto has = [line](std::string_view each) { return line.find(each) != line.npos; };
      if (!is_call(line) || std::none_of(takes_address.begin(), takes_address.end(), has)) return;
      const std::vector<std::string_view> names = references(line);
      if (names.size() > 1) judge(source, names[1], line);
    });
  }

  void judge(const program_source& source, std::string_view name, std::string_view call) {
    if (name.empty() || source.kernels.contains(name)) return;
    const ir_entity* const own = source.host.find(name);
    if (own == nullptr || own->kind != ir_kind::function) return;
    if (!own->is_defined) {
      const auto defines = [name](const program_source& other) {
        const ir_entity* const there = other.host.find(name);
        return there != nullptr && there->is_defined && !there->is_internal;
      };
      const auto other = std::find_if(sources_.begin(), sources_.end(), defines);
      if (other == sources_.end() || other->kernels.contains(name)) return;
    }
    found_.push_back(source.at_place_of(call));
    found_.back().name = shown(name);
  }

  static std::string shown(std::string_view name) {
    const std::string mangled(without_quotes(name));
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
    return text != nullptr ? text.get() : mangled;
  }

  std::deque<program_source> sources_;
  std::vector<launched_function> found_;
};

}  // namespace

std::vector<launched_function> launched_functions(std::span<const source_passes> sources) {
  return launch_search(sources).all();
}

}  // namespace warpz
