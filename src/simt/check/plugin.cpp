// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugs the checks in behind the machine. Linked with whatever reports to them (simt/instrumented.hpp).
#include <cstdio>
#include <cstring>

#include "simt/check/access_checker.hpp"
#include "simt/check/arguments.hpp"
#include "simt/check/launch_digest.hpp"
#include "simt/check/reports.hpp"
#include "simt/check/unwritten_reads.hpp"
#include "simt/instrumented.hpp"
#include "simt/machine/observer.hpp"

namespace simt {
namespace check {
namespace {

class launch_checker final : public launch_observer {
 public:
  std::unique_ptr<block_observer> observe_worker(bool in_trial) override {
    return std::make_unique<access_checker>(in_trial);
  }
  void begin_launch(const launch_request& request, unsigned warp_size) override {
    access_checker::begin_launch(request, warp_size);
  }
  bool begin_trial(const launch_request& request, std::size_t workers) override {
    return access_checker::begin_trial(request, workers);
  }
  trial_end end_trial(bool have_all_run) override { return access_checker::end_trial(have_all_run); }
  void end_launch(const launch_request& request, unsigned warp_size) override {
    past_work::instance().end_launch();
    drop_guesses();
    if (current_settings().perturbation.raced != WARPZ_RACED_NOTHING) launch_digest::note_memory();
    report_writer(request, warp_size);
  }
  void abandon_launch() override {
    past_work::instance().forget_launches();
    region_table::forget_accesses();
  }
  void change_sink() override { unwritten_reads::forget(); }
};

const bool is_registered = [] {
  registered_launch_observer = new launch_checker;
  return true;
}();

}  // namespace
}  // namespace check

using check::current_checker;

namespace {

bool instrumented_code = false;

}  // namespace

void note_instrumented_code() { instrumented_code = true; }

bool has_instrumented_code() { return instrumented_code; }

std::uint64_t undefined_result(unsigned lane, unsigned source, std::uint64_t own) {
  return current_checker != nullptr ? current_checker->undefined_result(lane, source, own) : ~std::uint64_t{0};
}

std::uint64_t result_beyond(const collective_slots& operands, lane_mask group, unsigned lane, std::uint64_t word) {
  return current_checker != nullptr ? current_checker->result_beyond(operands, group, lane, word) : word;
}

void report_operand(const char* rule, int operand, const site& at) {
  if (current_checker == nullptr) return;
  char text[256];
  std::snprintf(text, sizeof text, rule, operand);
  check::publish_call(WARPZ_MISUSED_OPERATION, text, at);
}

void order_memory(lane_mask lanes) {
  if (current_checker != nullptr && !current_checker->is_probing()) current_checker->order_memory(lanes);
}

void release_word(const void* word) {
  if (current_checker != nullptr) current_checker->release(word, true);
}

void acquire_word(const void* word) {
  if (current_checker != nullptr) current_checker->acquire(word);
}

void allow_unwritten(const void* memory, std::size_t bytes) {
  if (current_checker != nullptr) current_checker->allow_unwritten(reinterpret_cast<std::uintptr_t>(memory), bytes);
}

void use_value(const void* memory, std::size_t bytes) {
  if (current_checker == nullptr) return;
  current_checker->use_value(reinterpret_cast<std::uintptr_t>(memory), bytes, __builtin_return_address(0));
}

void note_copy(void* target, const void* from, std::size_t bytes) {
  if (current_checker == nullptr) return;
  current_checker->copy(reinterpret_cast<std::uintptr_t>(target), reinterpret_cast<std::uintptr_t>(from), bytes,
                        __builtin_return_address(0));
}

void note_vector(const void* at, std::size_t bytes, bool is_written) {
  if (current_checker != nullptr)
    current_checker->begin_vector(reinterpret_cast<std::uintptr_t>(at), bytes, is_written);
}

void copy_unchecked(void* target, const void* from, std::size_t bytes) { std::memcpy(target, from, bytes); }

}  // namespace simt
