// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/undefined_values.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "system/shared_memory.hpp"

namespace warpz {
namespace {

/// In the run that others are compared with, undefined values are `ordinary`: about 3 as a float of 16, 32 or 64 bits
/// and as an integer, so that no arithmetic with other numbers hides them. The poisons, in this order, are a NaN or -1,
/// a large number, a large negative one, zero, and the integer 1: in a minimum or a comparison one of them makes a
/// difference. The first large one differs from event to event, as the difference of two equal ones would be zero. The
/// last ones are small integers from 2 on, which differ, too, or the lane's own value: what code compares for equality.
/// Then come the constants that the code compares a variable with.
constexpr std::uint64_t ordinary = 0x4053427640534276;
struct poison {
  std::uint64_t bits;
  std::uint64_t spread = 0;
  std::uint32_t takes_own = 0;
  std::uint32_t compared = 0;  ///< as warpz_perturbation has it
};
constexpr poison none{ordinary};
constexpr poison poisons[] = {{~std::uint64_t{0}},  {0x7e9676997e967699, 0x0001000100010001},
                              {0xfe96f699fe96f699}, {0},
                              {0x0000000100000001}, {0x0000000200000002, 0x0000000100000001, 1}};

/// The numbers that first_of() may ask for next, the next one first.
std::vector<std::uint64_t> next_numbers(std::uint64_t first, std::uint64_t last) {
  constexpr std::size_t most = 15;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges{{first, last}};
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < ranges.size() && numbers.size() < most; ++i) {
    const auto [begin, end] = ranges[i];
    if (begin >= end) continue;
    const std::uint64_t middle = begin + (end - begin) / 2;
    numbers.push_back(middle);
    ranges.insert(ranges.end(), {{begin, middle}, {middle + 1, end}});
  }
  return numbers;
}

/// The first number from `first` to `last` for which `holds` is true. It has to be true for all numbers after that one.
/// `expect` is told which numbers may be next.
template <class Expect, class Holds>
std::uint64_t first_of(std::uint64_t first, std::uint64_t last, const Expect& expect, const Holds& holds) {
  while (first < last) {
    expect(next_numbers(first, last));
    const std::uint64_t middle = first + (last - first) / 2;
    if (holds(middle)) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return last;
}

class search {
 public:
  search(replay& code, const warpz_digest& first, double timeout_seconds)
      : code_(code), full_timeout_(timeout_seconds), timeout_(timeout_seconds), blocks_(first.blocks) {
    // An endless loop shows by its steps, long before the time runs out.
    perturbation_.max_steps = 4 * first.steps + 100'000;
    // Where there is no memory, findings do not say what a lane does differently.
    if (record_) perturbation_.record = &*record_;
  }

  std::vector<symbolized_finding> all() {
    std::vector<symbolized_finding> found;
    std::vector<poison> copied_otherwise;
    set_baseline();
    for (const poison& each : poisons_) {
      find_all(each, found);
      if (copies_differ_) copied_otherwise.push_back(each);
    }
    // A difference in the result says more than one in the accesses.
    compares_copies_ = true;
    for (const poison& each : copied_otherwise) find_all(each, found);
    return found;
  }

 private:
  void find_all(const poison& value, std::vector<symbolized_finding>& found) {
    poison_ = value;
    while (perturbation_.left_out_count < WARPZ_MAX_PLACES_LEFT_OUT) {
      const std::optional<symbolized_finding> next = differs({blocks_, 0}) ? first_use() : std::nullopt;
      if (!next) return;
      found.push_back(*next);
    }
  }

  /// All events before this one of this block.
  struct place {
    std::uint64_t block;
    std::uint32_t event;
  };

  variation with(warpz_comparison comparison, const poison& value, place end,
                 std::optional<double> timeout = {}) const {
    variation varied{perturbation_, {}, timeout.value_or(timeout_), {}};
    varied.perturbation.comparison = comparison;
    varied.perturbation.undefined = ~ordinary;
    varied.perturbation.poison = ~value.bits;
    varied.perturbation.spread = value.spread;
    varied.perturbation.takes_own = value.takes_own;
    varied.perturbation.compared = value.compared;
    varied.perturbation.block = end.block;
    varied.perturbation.event = end.event;
    varied.name = value.bits == ordinary && value.compared == 0 ? "with one value in its place" : "with another";
    return varied;
  }

  const run_record& run(warpz_comparison comparison, const poison& value, place end,
                        std::optional<double> timeout = {}) {
    last_ = with(comparison, value, end, timeout);
    const run_record& ran = code_.run(last_);
    const bool got_stuck = !ran.findings.empty() && ran.findings.back().kind == WARPZ_NO_PROGRESS;
    if (got_stuck && --patience_ == 0) gave_up_ = true;
    return ran;
  }

  const run_record& run_ordinary() { return run(WARPZ_COMPARE_DIGEST, none, {0, 0}); }

  void set_baseline() {
    const auto begin = std::chrono::steady_clock::now();
    const run_record same = run_ordinary();
    hash_ = same.digest.hash;
    digest_counts_ = !same.stopped;
    copied_ = same.digest.copied;
    copied_counts_ = !same.stopped;
    max_events_ = same.digest.max_events;
    // An undefined value that makes a loop endless should not cost the kernel's whole time in each of many runs.
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (full_timeout_ > 0) timeout_ = std::min(full_timeout_, std::max(2.0, 8 * took.count()));
    std::vector<variation> next;
    for (std::uint32_t number = 1; number <= same.digest.max_compared; ++number)
      poisons_.push_back({ordinary, 0, 0, number});
    for (const poison& each : poisons_) next.push_back(with(WARPZ_COMPARE_DIGEST, each, {blocks_, 0}));
    code_.expect(std::move(next));
    code_.set_baseline();
  }

  bool is_other(const run_record& ran) const {
    return !code_.is_same() || (digest_counts_ && ran.digest.hash != hash_) || (compares_copies_ && copies_other(ran));
  }

  /// A program may check itself and print only whether it is right. So what it copies to the host counts, too.
  bool copies_other(const run_record& ran) const {
    return copied_counts_ && !ran.stopped && ran.digest.copied != copied_;
  }

  /// Whether the code does something else when all events before this one have the poison as their value.
  bool differs(place end) {
    if (gave_up_) return false;
    const run_record& ran = run(WARPZ_COMPARE_DIGEST, poison_, end);
    copies_differ_ = copies_other(ran);
    if (!is_other(ran)) return false;
    if (std::exchange(is_verified_, true)) return true;
    // Before a difference counts for the first time: does the code differ by itself?
    const run_record same = run_ordinary();
    if (!code_.is_same()) {
      gave_up_ = true;
    } else {
      digest_counts_ = digest_counts_ && same.digest.hash == hash_;
      copied_counts_ = copied_counts_ && same.digest.copied == copied_;
    }
    return !gave_up_ && is_other(run(WARPZ_COMPARE_DIGEST, poison_, end));
  }

  /// The first number whose place differs(), as first_of() has it.
  template <class PlaceOf>
  std::uint64_t first_difference(std::uint64_t first, std::uint64_t last, const PlaceOf& place_of) {
    const auto expect = [&](const std::vector<std::uint64_t>& numbers) {
      std::vector<variation> next;
      for (const std::uint64_t each : numbers) next.push_back(with(WARPZ_COMPARE_DIGEST, poison_, place_of(each)));
      if (!gave_up_) code_.expect(std::move(next));
    };
    return first_of(first, last, expect, [&](std::uint64_t number) { return differs(place_of(number)); });
  }

  /// Finds the first event whose value makes a difference, given that all earlier ones have the poison.
  std::optional<symbolized_finding> first_use() {
    const std::uint64_t block = first_difference(0, blocks_ - 1, [](std::uint64_t b) { return place{b + 1, 0}; });
    // With other values a block may have more events.
    constexpr std::uint32_t more = ~std::uint32_t{0};
    const std::uint32_t last = differs({block, max_events_}) ? max_events_ : more;
    const auto event = static_cast<std::uint32_t>(first_difference(1, last, [block](std::uint64_t e) {
      return place{block, static_cast<std::uint32_t>(e)};
    }));
    // Twice, and with the full time limit: code may differ by itself now and then.
    run_record ran;
    for (int round = 0; round < 2; ++round) {
      if (is_other(run(WARPZ_COMPARE_RECORD, poison_, {block, event - 1}, full_timeout_))) return {};
      ran = run(WARPZ_COMPARE_STEPS, poison_, {block, event}, full_timeout_);
      if (!is_other(ran)) return {};
    }
    // Digests of repeated runs are the same. Text may change by itself.
    const bool shows_by_steps = (digest_counts_ && ran.digest.hash != hash_) || (compares_copies_ && copies_other(ran));
    if (!ran.stopped && !shows_by_steps && !code_.differs_again(last_)) return {};
    warpz_finding found = ran.digest.last;
    if (found.kind == 0) return {};
    perturbation_.left_out[perturbation_.left_out_count++] = ran.digest.mark;
    // First the lane that uses the value, then what makes it undefined.
    if (found.groups[0].state == WARPZ_LANE_NEVER_SET && found.group_count > 1)
      std::swap(found.groups[0], found.groups[1]);
    symbolized_finding located{found, ran.module_base};
    if (!ran.stopped) code_.describe_difference(located);
    if (located.notes.empty() && copies_other(ran))
      located.notes.emplace_back("what it prints is the same; what it copies to the host differs");
    return located;
  }

  const os::shared_memory<std::array<std::byte, WARPZ_RECORD_BYTES>> record_;
  replay& code_;
  const double full_timeout_;
  double timeout_;
  const std::uint64_t blocks_;
  warpz_perturbation perturbation_{};
  variation last_;  ///< the last run's
  std::vector<poison> poisons_{std::begin(poisons), std::end(poisons)};
  poison poison_ = none;  ///< the one that is being tried
  std::uint64_t hash_ = 0;
  std::uint32_t max_events_ = 0;
  bool digest_counts_ = false;
  std::uint64_t copied_ = 0;
  bool copied_counts_ = false;
  bool copies_differ_ = false;  ///< in the last run
  bool compares_copies_ = false;
  bool is_verified_ = false;
  bool gave_up_ = false;  ///< the code differs by itself, or did not end too often
  int patience_ = 8;      ///< how many more runs may fail to end
};

}  // namespace

std::vector<std::uint64_t> telling_values() { return {ordinary, poisons[1].bits, poisons[2].bits}; }

bool may_be_searched(const run_record& first) {
  if (!first.stopped || first.findings.empty()) return true;
  return first.findings.back().kind != WARPZ_NO_PROGRESS && first.findings.back().kind != WARPZ_OVER_LIMIT;
}

std::vector<symbolized_finding> find_undefined_values(replay& code, const run_record& first, double timeout_seconds) {
  if (first.digest.events == 0 || !may_be_searched(first) || !code.possible()) return {};
  return search(code, first.digest, timeout_seconds).all();
}

}  // namespace warpz
