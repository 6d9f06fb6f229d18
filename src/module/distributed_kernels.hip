// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The puzzles' operations over whole arrays, on several GPUs.
#include "module/distributed_kernel.hpp"
#include "warpz/distributed.hpp"

namespace {

namespace distributed = warpz::distributed;
using output_array = distributed::array<float>;
using input_array = distributed::array<const float>;
using counts = warpz::distributed_kernel::counts;

struct below {
  float pivot;
  __host__ __device__ bool operator()(float element) const { return element < pivot; }
};

struct above {
  float pivot;
  __host__ __device__ bool operator()(float element) const { return element > pivot; }
};

counts sum(distributed::gpu_group& group, const output_array& output, const input_array& input, float /*pivot*/) {
  distributed::sum(group, output.part, input);
  return {};
}

counts scan(distributed::gpu_group& group, const output_array& output, const input_array& input, float /*pivot*/) {
  distributed::prefix_sum(group, output, input);
  return {};
}

counts partition(distributed::gpu_group& group, const output_array& output, const input_array& input, float pivot) {
  return distributed::partition(group, output, input, below{pivot});
}

counts compaction(distributed::gpu_group& group, const output_array& output, const input_array& input, float pivot) {
  return distributed::compact(group, output, input, above{pivot});
}

counts sort(distributed::gpu_group& group, const output_array& output, const input_array& input, float /*pivot*/) {
  distributed::sort(group, output, input);
  return {};
}

using warpz::distributed_results;
const warpz::distributed_registration registered[] = {
    warpz::distributed_registration(
        {"device_reduce", distributed_results::one, distributed::reduce_layout<float>, sum}),
    warpz::distributed_registration(
        {"device_scan", distributed_results::as_dealt, distributed::scan_layout<float>, scan}),
    warpz::distributed_registration(
        {"device_partition", distributed_results::chosen_and_rest, distributed::part_layout<float>, partition}),
    warpz::distributed_registration(
        {"device_compaction", distributed_results::chosen, distributed::part_layout<float>, compaction}),
    warpz::distributed_registration(
        {"device_sort", distributed_results::as_dealt, distributed::part_layout<float>, sort}),
};

}  // namespace
