// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/undefined_search.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace warpz {
namespace {

/// What undefined values are in the kernel_replay, whether they are taken for floats of 16, 32 or 64 bits or for
/// integers: about 3, which no arithmetic with other numbers swallows, is replaced by a NaN or -1, a large number, a
/// large negative one, nothing, and the integer 1. In a minimum or a comparison one of them makes a difference.
constexpr std::uint64_t ordinary = 0x4053427640534276;
constexpr std::uint64_t poisons[] = {~std::uint64_t{0}, 0x7e9676997e967699, 0xfe96f699fe96f699, 0, 0x0000000100000001};

/// The first of first … last for which `holds`; it does for the last, and from the one on that is looked for.
template <class Holds>
std::uint64_t first_of(std::uint64_t first, std::uint64_t last, const Holds& holds) {
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (holds(middle)) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return last;
}

/// Memory that this process and those that it starts from now on share. Pages that nobody writes to cost nothing.
class shared_record {
 public:
  shared_record()
      : memory_(mmap(nullptr, WARPZ_RECORD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0)) {}
  ~shared_record() {
    if (address() != nullptr) munmap(memory_, WARPZ_RECORD_BYTES);
  }
  shared_record(const shared_record&) = delete;
  shared_record& operator=(const shared_record&) = delete;

  /// Null where there is none: then it is not told what is done differently.
  void* address() const { return memory_ != MAP_FAILED ? memory_ : nullptr; }

 private:
  void* const memory_;
};

class search {
 public:
  search(perturbed_run& again, const warpz_trace& first, double timeout_seconds)
      : again_(again), full_timeout_(timeout_seconds), timeout_(timeout_seconds), blocks_(first.blocks) {
    // What makes a loop endless shows by its steps, long before the time runs out.
    perturbation_.max_steps = 4 * first.steps + 100'000;
    perturbation_.record = record_.address();
  }

  std::vector<located_finding> all() {
    std::vector<located_finding> found;
    begin();
    for (auto poison = std::begin(poisons); poison != std::end(poisons);) {
      poison_ = *poison;
      const std::optional<located_finding> next = differs(blocks_, 0) ? first_use() : std::nullopt;
      if (!next) {
        ++poison;
        continue;
      }
      found.push_back(*next);
      if (perturbation_.left_out_count == WARPZ_MAX_PLACES_LEFT_OUT) break;
    }
    return found;
  }

 private:
  perturbed_run::end run(warpz_tracing tracing, std::uint64_t poison, std::uint64_t block, std::uint32_t event,
                         std::optional<double> timeout = {}) {
    warpz_perturbation perturbation = perturbation_;
    perturbation.tracing = tracing;
    perturbation.undefined = ~ordinary;
    perturbation.poison = ~poison;
    perturbation.block = block;
    perturbation.event = event;
    const perturbed_run::end ran = again_.run(perturbation, timeout.value_or(timeout_));
    if (ran.got_stuck && --patience_ == 0) never_ = true;
    return ran;
  }

  perturbed_run::end run_ordinary() { return run(WARPZ_TRACE_DIGEST, ordinary, 0, 0); }

  /// What all other runs are compared with.
  void begin() {
    const auto begin = std::chrono::steady_clock::now();
    const perturbed_run::end same = run_ordinary();
    again_.compare_with_last();
    digest_ = same.trace.digest;
    digest_counts_ = !same.stopped;
    max_events_ = same.trace.max_events;
    // An undefined value that makes a loop endless should not take the kernel's whole time in each of many runs.
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (full_timeout_ > 0) timeout_ = std::min(full_timeout_, std::max(2.0, 4 * took.count()));
  }

  bool is_other(const perturbed_run::end& ran) const {
    return !again_.is_same() || (digest_counts_ && ran.trace.digest != digest_);
  }

  /// Whether the kernel does something else when the events before this one have the other value.
  bool differs(std::uint64_t block, std::uint32_t event) {
    if (never_) return false;
    const perturbed_run::end ran = run(WARPZ_TRACE_DIGEST, poison_, block, event);
    if (!is_other(ran)) return false;
    if (std::exchange(is_verified_, true)) return true;
    // Before the first difference counts: is it one, or does the kernel differ by itself?
    const perturbed_run::end same = run_ordinary();
    if (!again_.is_same()) {
      never_ = true;
    } else if (same.trace.digest != digest_) {
      digest_counts_ = false;
    }
    return !never_ && is_other(run(WARPZ_TRACE_DIGEST, poison_, block, event));
  }

  /// The first event whose value makes a difference, those before it having the other value already.
  std::optional<located_finding> first_use() {
    const std::uint64_t block = first_of(0, blocks_ - 1, [&](std::uint64_t b) { return differs(b + 1, 0); });
    // With other values a block may come to more of them.
    constexpr std::uint32_t more = ~std::uint32_t{0};
    const std::uint32_t last = differs(block, max_events_) ? max_events_ : more;
    const auto event = static_cast<std::uint32_t>(
        first_of(1, last, [&](std::uint64_t e) { return differs(block, static_cast<std::uint32_t>(e)); }));
    // With all its time, and twice: a kernel may differ by itself now and then.
    perturbed_run::end ran{};
    for (int round = 0; round < 2; ++round) {
      if (is_other(run(WARPZ_TRACE_RECORD, poison_, block, event - 1, full_timeout_))) return {};
      ran = run(WARPZ_TRACE_COMPARE, poison_, block, event, full_timeout_);
      if (!is_other(ran)) return {};
    }
    warpz_finding found = ran.trace.last;
    if (found.kind != WARPZ_UNDEFINED_LANE_VALUE) return {};
    perturbation_.left_out[perturbation_.left_out_count++] = ran.trace.mark;
    // Who uses it comes first, and then what makes it undefined.
    if (found.groups[0].state == WARPZ_LANE_NEVER_SET && found.group_count > 1)
      std::swap(found.groups[0], found.groups[1]);
    located_finding told{found, ran.module_base};
    if (!ran.stopped) again_.tell_difference(told);
    return told;
  }

  const shared_record record_;
  perturbed_run& again_;
  const double full_timeout_;
  double timeout_;
  const std::uint64_t blocks_;
  warpz_perturbation perturbation_{};
  std::uint64_t poison_ = 0;
  std::uint64_t digest_ = 0;
  std::uint32_t max_events_ = 0;
  bool digest_counts_ = false;
  bool is_verified_ = false;
  bool never_ = false;  ///< nothing can be said any more
  int patience_ = 8;    ///< with runs that do not end
};

}  // namespace

bool may_be_searched(bool stopped, std::span<const warpz_finding> findings) {
  if (!stopped || findings.empty()) return true;
  return findings.back().kind != WARPZ_NO_PROGRESS && findings.back().kind != WARPZ_OVER_LIMIT;
}

std::vector<located_finding> search_undefined_values(perturbed_run& again, const warpz_trace& first,
                                                     double timeout_seconds) {
  if (first.events == 0) return {};
  return search(again, first, timeout_seconds).all();
}

}  // namespace warpz
