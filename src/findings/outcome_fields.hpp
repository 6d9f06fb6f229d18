// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of findings and outcomes, for an archive (pieces/bytes.hpp). Each struct is taken apart, so that this
// does not compile where one has a member more.
#pragma once

#include "findings/outcome.hpp"

namespace warpz {

template <class Archive>
void fields(Archive& archive, source_line& one) {
  auto& [function, file, line, column, code] = one;
  archive(function, file, line, column, code);
}

template <class Archive>
void fields(Archive& archive, named_memory& one) {
  auto& [name, index, elements, element_bytes, floats, is_array, inner_extents] = one;
  archive(name, index, elements, element_bytes, floats, is_array, inner_extents);
}

template <class Archive>
void fields(Archive& archive, suppressed_by& one) {
  auto& [file, line, reason] = one;
  archive(file, line, reason);
}

template <class Archive>
void fields(Archive& archive, warp_size_contrast& one) {
  auto& [right, wrong, mismatch_count, elements, first, right_output, hard_coded] = one;
  archive(right, wrong, mismatch_count, elements, first, right_output, hard_coded);
}

template <class Archive>
void fields(Archive& archive, related_line& one) {
  auto& [event, file, line] = one;
  archive(event, file, line);
}

template <class Archive>
void fields(Archive& archive, line_edit& one) {
  auto& [line, replaces, text] = one;
  archive(line, replaces, text);
}

template <class Archive>
void fields(Archive& archive, source_repair& one) {
  auto& [file, edits, advice] = one;
  archive(file, edits, advice);
}

template <class Archive>
void fields(Archive& archive, schedule_party& one) {
  auto& [group, place] = one;
  archive(group, place);
}

template <class Archive>
void fields(Archive& archive, schedule_decision& one) {
  auto& [decided, first, held] = one;
  archive(decided, first, held);
}

template <class Archive>
void fields(Archive& archive, shrunk_schedule& one) {
  auto& [ended, decisions, count, of_order, replays] = one;
  archive(ended, decisions, count, of_order, replays);
}

template <class Archive>
void fields(Archive& archive, symbolized_finding& one) {
  auto& [record, module_base, schedule, block_threads, notes, stack, places, memory, shown_on_purpose, related,
         likewise, whole_file, suppressed, contrast, pairs, repair, in_next_round, shrunk, is_of_cuda] = one;
  archive(record, module_base, schedule, block_threads, notes, stack, places, memory, shown_on_purpose, related,
          likewise, whole_file, suppressed, contrast, pairs, repair, in_next_round, shrunk, is_of_cuda);
}

template <class Archive>
void fields(Archive& archive, line_cost& one) {
  auto& [file, line, code, kind, is_shared, operation, bytes, instructions, lanes, needed, fewest, cache_lines, span,
         serial, worst] = one;
  archive(file, line, code, kind, is_shared, operation, bytes, instructions, lanes, needed, fewest, cache_lines, span,
          serial, worst);
}

template <class Archive>
void fields(Archive& archive, kernel_costs& one) {
  auto& [kernel, launches, blocks, lines] = one;
  archive(kernel, launches, blocks, lines);
}

template <class Archive>
void fields(Archive& archive, run_costs& one) {
  auto& [warp_size, kernels, left_out] = one;
  archive(warp_size, kernels, left_out);
}

template <class Archive>
void fields(Archive& archive, input_source& one) {
  auto& [from, detail] = one;
  archive(from, detail);
}

template <class Archive>
void fields(Archive& archive, plan& one) {
  auto& [output, inputs, state, counts, grid, block, elements_per_thread, row] = one;
  archive(output, inputs, state, counts, grid, block, elements_per_thread, row);
}

/// Without what refers to something: the puzzle, its path, and the numbers. Not taken apart, as it has a base class.
template <class Archive>
void fields(Archive& archive, puzzle_outcome& one) {
  archive(one.warp_size, one.result, one.findings, one.findings_left_out, one.costs, one.backend, one.on_cpu_machine,
          one.device, one.size, one.input, one.pivot, one.shape, one.kernel, one.source, one.launched, one.launches,
          one.documented, one.judged, one.right_with, one.passed_hidden, one.has_undefined_values,
          one.rests_on_rounding, one.mismatch_count, one.first_mismatches, one.milliseconds);
}

template <class Archive>
void fields(Archive& archive, user_program_outcome& one) {
  archive(one.warp_size, one.result, one.findings, one.findings_left_out, one.costs, one.files, one.backend,
          one.exit_code, one.signal, one.was_stopped, one.is_checked, one.seconds, one.launched_none, one.is_started,
          one.started_broke_rule);
}

}  // namespace warpz
