// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of what is known of a run, for an archive (pieces/bytes.hpp).
#pragma once

#include "process/run_record.hpp"
#include "process/user_program.hpp"

namespace os {

template <class Archive>
void fields(Archive& archive, mapped_file& one) {
  auto& [path, begin, end] = one;
  archive(path, begin, end);
}

}  // namespace os

namespace warpz {

template <class Archive>
void fields(Archive& archive, run_record& one) {
  auto& [findings, stopped, findings_left_out, has_diverged, digest, module_base, modules] = one;
  archive(findings, stopped, findings_left_out, has_diverged, digest, module_base, modules);
}

template <class Archive>
void fields(Archive& archive, user_program_end& one) {
  fields(archive, static_cast<run_record&>(one));
  archive(one.status, one.is_checked, one.started);
}

}  // namespace warpz
