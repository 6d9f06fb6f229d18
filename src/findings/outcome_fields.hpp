// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of findings and outcomes, for an archive (pieces/bytes.hpp).
#pragma once

#include "findings/outcome.hpp"

namespace warpz {

template <class Archive>
void fields(Archive& archive, source_line& one) {
  archive(one.function, one.file, one.line, one.column, one.code);
}

template <class Archive>
void fields(Archive& archive, named_memory& one) {
  archive(one.name, one.index, one.elements, one.element_bytes, one.floats);
}

template <class Archive>
void fields(Archive& archive, suppressed_by& one) {
  archive(one.file, one.line, one.reason);
}

template <class Archive>
void fields(Archive& archive, warp_size_contrast& one) {
  archive(one.right, one.wrong, one.mismatch_count, one.elements, one.first, one.right_output, one.hard_coded);
}

template <class Archive>
void fields(Archive& archive, related_line& one) {
  archive(one.event, one.file, one.line);
}

template <class Archive>
void fields(Archive& archive, line_edit& one) {
  archive(one.line, one.replaces, one.text);
}

template <class Archive>
void fields(Archive& archive, source_repair& one) {
  archive(one.file, one.edits, one.advice);
}

template <class Archive>
void fields(Archive& archive, symbolized_finding& one) {
  archive(one.record, one.module_base, one.schedule, one.block_threads, one.notes, one.stack, one.places, one.memory,
          one.shown_on_purpose, one.related, one.likewise, one.whole_file, one.suppressed, one.contrast, one.pairs,
          one.repair, one.in_next_round);
}

template <class Archive>
void fields(Archive& archive, line_cost& one) {
  archive(one.file, one.line, one.code, one.kind, one.is_shared, one.operation, one.bytes, one.instructions, one.lanes,
          one.needed, one.fewest, one.cache_lines, one.serial, one.worst);
}

template <class Archive>
void fields(Archive& archive, kernel_costs& one) {
  archive(one.kernel, one.launches, one.blocks, one.lines);
}

template <class Archive>
void fields(Archive& archive, run_costs& one) {
  archive(one.warp_size, one.kernels, one.left_out);
}

template <class Archive>
void fields(Archive& archive, input_source& one) {
  archive(one.from, one.detail);
}

template <class Archive>
void fields(Archive& archive, plan& one) {
  archive(one.output, one.inputs, one.state, one.counts, one.grid, one.block, one.elements_per_thread, one.row);
}

/// Without what refers to something: the puzzle, its path, and the numbers.
template <class Archive>
void fields(Archive& archive, puzzle_outcome& one) {
  archive(one.warp_size, one.result, one.findings, one.findings_left_out, one.costs, one.backend, one.on_cpu_machine,
          one.device, one.size, one.input, one.pivot, one.shape, one.kernel, one.source, one.launched, one.documented,
          one.judged, one.right_with, one.passed_hidden, one.has_undefined_values, one.rests_on_rounding,
          one.mismatch_count, one.first_mismatches, one.milliseconds);
}

}  // namespace warpz
