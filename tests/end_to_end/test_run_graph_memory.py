# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs whose graphs allocate and free memory, by nodes and by captured calls; in HIP's and in CUDA's form."""

from kernel_support import RunTest
from skips import main
from test_run_pools import CHECK, in_cuda

BEGIN = """\
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
""" + CHECK + """\
void tell(hipError_t code) { printf("%s\\n", hipGetErrorName(code)); }
__global__ void fill(int* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 3 * threadIdx.x; }
hipMemAllocNodeParams bytes(size_t number) {
  hipMemAllocNodeParams asked{};
  asked.poolProps.allocType = hipMemAllocationTypePinned;
  asked.poolProps.location.type = hipMemLocationTypeDevice;
  asked.poolProps.location.id = 0;
  asked.bytesize = number;
  return asked;
}
hipGraphNode_t add_fill(hipGraph_t graph, hipGraphNode_t before, int* memory, int n) {
  hipGraphNode_t node;
  void* arguments[] = {&memory, &n};
  hipKernelNodeParams launch{};
  launch.func = (void*)fill;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(64);
  launch.kernelParams = arguments;
  return hipGraphAddKernelNode(&node, graph, &before, 1, &launch) == hipSuccess ? node : nullptr;
}
"""

NODES = BEGIN + """\
unsigned long long counted(hipGraphMemAttributeType attribute) {
  std::uint64_t value = 77;
  return hipDeviceGetGraphMemAttribute(0, attribute, &value) == hipSuccess ? value : 99;
}
int main() {
  hipStream_t stream;
  hipGraph_t graph, other;
  hipGraphExec_t executable, second;
  hipGraphNode_t taken, used, copied, freed, none;
  int host[64] = {};
  CHECK(hipStreamCreate(&stream));
  CHECK(hipGraphCreate(&graph, 0));
  CHECK(hipGraphCreate(&other, 0));
  hipMemAllocNodeParams asked = bytes(sizeof host), seen{};
  CHECK(hipGraphAddMemAllocNode(&taken, graph, nullptr, 0, &asked));
  used = add_fill(graph, taken, (int*)asked.dptr, 64);
  CHECK(hipGraphAddMemcpyNode1D(&copied, graph, &used, 1, host, asked.dptr, sizeof host, hipMemcpyDeviceToHost));
  CHECK(hipGraphAddMemFreeNode(&freed, graph, &copied, 1, asked.dptr));
  void* named = nullptr;
  hipGraphNodeType types[2];
  CHECK(hipGraphMemAllocNodeGetParams(taken, &seen));
  CHECK(hipGraphMemFreeNodeGetParams(freed, &named));
  CHECK(hipGraphNodeGetType(taken, &types[0]));
  CHECK(hipGraphNodeGetType(freed, &types[1]));
  printf("%d %d %d %d\\n", seen.dptr == asked.dptr && named == asked.dptr, (int)seen.bytesize,
         types[0] == hipGraphNodeTypeMemAlloc, types[1] == hipGraphNodeTypeMemFree);
  tell(hipGraphAddMemFreeNode(&none, graph, &freed, 1, asked.dptr));
  tell(hipGraphAddMemFreeNode(&none, other, nullptr, 0, host));
  hipMemAllocNodeParams nothing = bytes(0);
  tell(hipGraphAddMemAllocNode(&none, other, nullptr, 0, &nothing));
  tell(hipGraphClone(&other, graph));
  tell(hipGraphAddChildGraphNode(&none, other, nullptr, 0, graph));
  tell(hipGraphRemoveDependencies(graph, &taken, &used, 1));
  tell(hipGraphDestroyNode(freed));
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
  tell(hipGraphInstantiateWithFlags(&second, graph, 0));
  printf("%llu %llu\\n", counted(hipGraphMemAttrUsedMemHigh), counted(hipGraphMemAttrReservedMemCurrent));
  for (int i = 0; i < 2; ++i) {
    host[63] = 0;
    CHECK(hipGraphLaunch(executable, stream));
    CHECK(hipStreamSynchronize(stream));
    printf("%d ", host[63]);
  }
  CHECK(hipDeviceGraphMemTrim(0));
  printf("%llu %llu %llu %llu\\n", counted(hipGraphMemAttrUsedMemCurrent), counted(hipGraphMemAttrUsedMemHigh),
         counted(hipGraphMemAttrReservedMemCurrent), counted(hipGraphMemAttrReservedMemHigh));
  std::uint64_t none_of_it = 0;
  CHECK(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &none_of_it));
  tell(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &none_of_it));
  printf("%llu\\n", counted(hipGraphMemAttrUsedMemHigh));
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipGraphDestroy(other));
  CHECK(hipStreamDestroy(stream));
}
"""
VALUE, SUPPORT = "hipErrorInvalidValue", "hipErrorNotSupported"
# 64 ints.
OF_NODES = ["1 256 1 1", *[VALUE] * 3, *[SUPPORT] * 5, "0 0", "189 189 0 256 0 256", VALUE, "0"]

LEFT = BEGIN + """\
int main() {
  hipStream_t stream;
  hipGraph_t graph, free_graph;
  hipGraphExec_t executable, frees;
  hipGraphNode_t taken, freed;
  int host[64] = {};
  CHECK(hipStreamCreate(&stream));
  CHECK(hipGraphCreate(&graph, 0));
  CHECK(hipGraphCreate(&free_graph, 0));
  hipMemAllocNodeParams asked = bytes(sizeof host);
  CHECK(hipGraphAddMemAllocNode(&taken, graph, nullptr, 0, &asked));
  add_fill(graph, taken, (int*)asked.dptr, 64);
  CHECK(hipGraphAddMemFreeNode(&freed, free_graph, nullptr, 0, asked.dptr));
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(hipGraphInstantiateWithFlags(&frees, free_graph, 0));
  // It is there until it is freed: by the stream, by the host, by another graph.
  for (int way = 0; way < 3; ++way) {
    CHECK(hipGraphLaunch(executable, stream));
    tell(hipGraphLaunch(executable, stream));
    CHECK(hipMemcpyAsync(host, asked.dptr, sizeof host, hipMemcpyDeviceToHost, stream));
    if (way == 0) CHECK(hipFreeAsync(asked.dptr, stream));
    CHECK(hipStreamSynchronize(stream));
    if (way == 1) CHECK(hipFree(asked.dptr));
    if (way == 2) CHECK(hipGraphLaunch(frees, stream));
    CHECK(hipStreamSynchronize(stream));
    printf("%d ", host[63]);
    tell(hipMemcpy(host, asked.dptr, sizeof host, hipMemcpyDeviceToHost));
  }
  CHECK(hipGraphExecDestroy(executable));
  // What is left is freed by the next launch.
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, hipGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 3; ++i) CHECK(hipGraphLaunch(executable, stream));
  // The memory outlasts its graph.
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphExecDestroy(frees));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipGraphDestroy(free_graph));
  CHECK(hipMemcpyAsync(host, asked.dptr, sizeof host, hipMemcpyDeviceToHost, stream));
  CHECK(hipStreamSynchronize(stream));
  CHECK(hipFree(asked.dptr));
  printf("%d\\n", host[1]);
  CHECK(hipStreamDestroy(stream));
}
"""
OF_LEFT = [VALUE, f"189 {VALUE}"] * 3 + ["3"]

CAPTURED = BEGIN + """\
__global__ void add(int* out, const int* in) { out[threadIdx.x] += in[threadIdx.x]; }
int main() {
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t executable;
  int *sum, *part, *kept, host[64] = {};
  CHECK(hipStreamCreate(&stream));
  CHECK(hipMalloc(&sum, sizeof host));
  CHECK(hipMemset(sum, 0, sizeof host));
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  CHECK(hipMallocAsync(&part, sizeof host, stream));
  CHECK(hipMallocAsync(&kept, 4, stream));
  fill<<<1, 64, 0, stream>>>(part, 64);
  add<<<1, 64, 0, stream>>>(sum, part);
  CHECK(hipFreeAsync(part, stream));
  tell(hipFreeAsync(part, stream));
  tell(hipFreeAsync(sum, stream));
  CHECK(hipFreeAsync(kept, stream));
  CHECK(hipStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
  for (int i = 0; i < 5; ++i) CHECK(hipGraphLaunch(executable, stream));
  CHECK(hipMemcpyAsync(host, sum, sizeof host, hipMemcpyDeviceToHost, stream));
  CHECK(hipStreamSynchronize(stream));
  printf("%d %d\\n", (int)nodes, host[2]);
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipFree(sum));
  CHECK(hipStreamDestroy(stream));
}
"""
OF_CAPTURED = [VALUE, VALUE, "6 30"]

WRONG = BEGIN + """\
__device__ int launches;
__global__ void first_alone(int* out) { if (launches == 0) out[threadIdx.x] = 1; }
__global__ void read(const int* in, int* sum) {
  atomicAdd(sum, in[threadIdx.x]);
  if (threadIdx.x == 0) ++launches;
}
int main() {
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t executable;
  [[maybe_unused]] hipGraphNode_t taken, freed;
  [[maybe_unused]] int* part;
  int* sum;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipMalloc(&sum, 4));
  CHECK(hipMemset(sum, 0, 4));
#ifdef AFTER
  CHECK(hipGraphCreate(&graph, 0));
  hipMemAllocNodeParams asked = bytes(256);
  CHECK(hipGraphAddMemAllocNode(&taken, graph, nullptr, 0, &asked));
#if AFTER == 0
  add_fill(graph, taken, (int*)asked.dptr, 64);
#endif
  CHECK(hipGraphAddMemFreeNode(&freed, graph, &taken, 1, asked.dptr));
#if AFTER == 1
  add_fill(graph, freed, (int*)asked.dptr, 64);
#endif
#else
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  CHECK(hipMallocAsync(&part, 128, stream));
  first_alone<<<1, 32, 0, stream>>>(part);
  read<<<1, 32, 0, stream>>>(part, sum);
  FREE
  CHECK(hipStreamEndCapture(stream, &graph));
#endif
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
#ifdef EARLY
  read<<<1, 32, 0, stream>>>(part, sum);
#endif
  for (int i = 0; i < TIMES; ++i) CHECK(hipGraphLaunch(executable, stream));
  CHECK(hipStreamSynchronize(stream));
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipFree(sum));
  CHECK(hipStreamDestroy(stream));
}
"""
FREES = "CHECK(hipFreeAsync(part, stream));"


def line_of(text):
    return 1 + WRONG[:WRONG.index(text)].count("\n")


class GraphMemory(RunTest):
    def assert_prints(self, program, lines):
        """In both languages, with both warp sizes."""
        expected = "".join(f"{each}\n" for each in lines)
        self.write(program, "g.hip")
        self.write(in_cuda(program), "g.cu")
        for file, text in (("g.hip", expected), ("g.cu", expected.replace("hip", "cuda"))):
            for lanes in ("32", "64"):
                self.assertEqual(self.run_program(file, "--warp-size", lanes), (text, "", 0))

    def found(self, *words, frees=FREES, times=2):
        """What is found in a wrong program, and the exit code."""
        self.write(WRONG.replace("FREE\n", frees + "\n"), "wrong.hip")
        _, err, code = self.run_program("wrong.hip", *words, "--cxxflags", f"-DTIMES={times}", *self.macros)
        return err, code

    def setUp(self):
        super().setUp()
        self.macros = []

    def test_is_a_node_s(self):
        self.assert_prints(NODES, OF_NODES)

    def test_is_there_until_it_is_freed(self):
        self.assert_prints(LEFT, OF_LEFT)

    def test_is_captured(self):
        self.assert_prints(CAPTURED, OF_CAPTURED)

    def test_is_unset_at_each_launch(self):
        self.assertEqual(self.found(times=1), ("", 0))
        err, code = self.found()
        self.assertEqual(code, 3)
        self.assertIn("reads memory that nobody has written", err)
        self.assertIn(f"wrong.hip:{line_of('atomicAdd')}", err)
        self.assertIn(f"allocated at wrong.hip:{line_of('CHECK(hipMallocAsync')}", err)

    def test_is_gone_behind_its_free(self):
        self.macros = ["-DAFTER=1"]
        err, code = self.found(times=1)
        self.assertEqual(code, 3)
        self.assertIn("a lane accesses memory that was freed\n", err)
        self.assertIn(f"allocated at wrong.hip:{line_of('CHECK(hipGraphAddMemAllocNode')}", err)
        self.assertIn(f"freed at wrong.hip:{line_of('for (int i = 0; i < TIMES')}", err)

    def test_is_used_in_the_graph_s_order(self):
        # The use comes behind the allocation, as does the free: nothing orders these two.
        self.macros = ["-DAFTER=0"]
        err, code = self.found(times=1)
        self.assertEqual(code, 3)
        self.assertIn("memory is freed that the kernel fill may still write, as nothing orders the two", err)
        self.assertIn("Let the node of the graph that comes later depend on the other one", err)

    def test_is_not_there_before_a_launch(self):
        self.macros = ["-DEARLY"]
        err, code = self.found(times=0)
        self.assertEqual(code, 3)
        self.assertIn("a lane accesses memory of a graph that has not allocated it yet\n", err)
        self.assertIn("Launch the graph before", err)
        self.assertNotIn("freed at", err)

    def test_is_a_leak_where_nobody_frees_it(self):
        err, code = self.found("--leaks", "error", frees="", times=1)
        self.assertEqual(code, 3)
        self.assertIn(f"wrong.hip:{line_of('CHECK(hipMallocAsync')}", err)
        self.assertEqual(self.found("--leaks", "error", times=1), ("", 0))

    def test_of_an_earlier_launch_keeps_the_next_one_away(self):
        # Who looks at the result of a wait has looked at the error.
        text = WRONG.replace("  FREE\n", "")
        for call in ("hipGraphLaunch(executable, stream)", "hipStreamSynchronize(stream)"):
            text = text.replace(f"CHECK({call})", call)
        self.write(text, "wrong.hip")
        _, err, code = self.run_program("wrong.hip", "--cxxflags", "-DTIMES=2")
        self.assertEqual(code, 3)
        self.assertIn("whose memory, 128 bytes from an earlier launch, is not freed, is refused", err)


if __name__ == "__main__":
    main()
