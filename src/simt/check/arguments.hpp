// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers that a host program passes to its kernels as arguments, for --check all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/machine/machine.hpp"

namespace simt {

/// Until forget_arguments(), kernels get this buffer as their argument `number`, and with --check all its accesses are
/// checked. `guard` bytes before and behind it belong to nothing else. False where there is no address space for the
/// shadow memory.
SIMT_API bool check_argument(std::uint32_t number, void* data, std::size_t bytes, std::size_t guard, bool initialised,
                             bool writable);
/// The next launch finds shared memory as a new process has it.
SIMT_API void forget_arguments();

namespace check {

/// After a launch: reports to the host program which lane wrote the element that it has asked about
/// (warpz_perturbation).
void report_writer(const launch_request& request, unsigned warp_size);

}  // namespace check
}  // namespace simt
