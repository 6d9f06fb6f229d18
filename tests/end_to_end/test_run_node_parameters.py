# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs that make nodes of all kinds by one call, change them, and use the driver's copies and fills; in HIP's and
in CUDA's form."""

from kernel_support import RunTest
from skips import main
from test_run_pools import CHECK, in_cuda

BEGIN = """\
#include <hip/hip_runtime.h>
#include <cstdio>
""" + CHECK + """\
void tell(hipError_t code) { printf("%s\\n", hipGetErrorName(code)); }
__global__ void add(int* out, int summand) { out[threadIdx.x] += summand; }
void note(void* number) { ++*(int*)number; }
"""

# Memory is allocated, set, changed by a kernel and a child's kernel, copied, counted and freed.
NODES = BEGIN + """\
int main() {
  hipStream_t stream;
  hipEvent_t event;
  hipGraph_t graph, child;
  hipGraphExec_t executable;
  hipGraphNode_t none, taken, set, added, added_more, copied, counted, recorded, waited, freed;
  int host[64] = {}, calls = 0, summand = 3;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipEventCreate(&event));
  CHECK(hipGraphCreate(&graph, 0));
  CHECK(hipGraphCreate(&child, 0));
  hipGraphNodeParams asked = {};
  asked.type = hipGraphNodeTypeEmpty;
  CHECK(hipGraphAddNode(&none, graph, nullptr, 0, &asked));
  asked.type = hipGraphNodeTypeMemAlloc;
  asked.alloc.poolProps.allocType = hipMemAllocationTypePinned;
  asked.alloc.poolProps.location = {hipMemLocationTypeDevice, 0};
  asked.alloc.bytesize = sizeof host;
  CHECK(hipGraphAddNode(&taken, graph, &none, 1, &asked));
  void* const data = asked.alloc.dptr;
  hipGraphNodeParams fill = {};
  fill.type = hipGraphNodeTypeMemset;
  fill.memset.dst = data;
  fill.memset.elementSize = 4;
  fill.memset.width = 64;
  fill.memset.height = 1;
  fill.memset.value = 10;
  CHECK(hipGraphAddNode(&set, graph, &taken, 1, &fill));
  hipGraphNodeParams launch = {};
  void* arguments[] = {(void*)&data, &summand};
  launch.type = hipGraphNodeTypeKernel;
  launch.kernel.func = (void*)add;
  launch.kernel.gridDim = dim3(1);
  launch.kernel.blockDim = dim3(64);
  launch.kernel.kernelParams = arguments;
  CHECK(hipGraphAddNode(&added, graph, &set, 1, &launch));
  hipGraphNode_t in_child;
  summand = 100;
  CHECK(hipGraphAddNode(&in_child, child, nullptr, 0, &launch));
  asked = {};
  asked.type = hipGraphNodeTypeGraph;
  asked.graph.graph = child;
  CHECK(hipGraphAddNode(&added_more, graph, &added, 1, &asked));
  hipGraphNodeParams copy = {};
  copy.type = hipGraphNodeTypeMemcpy;
  copy.memcpy.copyParams.srcPtr = make_hipPitchedPtr(data, sizeof host, sizeof host, 1);
  copy.memcpy.copyParams.dstPtr = make_hipPitchedPtr(host, sizeof host, sizeof host, 1);
  copy.memcpy.copyParams.extent = make_hipExtent(sizeof host, 1, 1);
  copy.memcpy.copyParams.kind = hipMemcpyDeviceToHost;
  CHECK(hipGraphAddNode(&copied, graph, &added_more, 1, &copy));
  hipGraphNodeParams call = {};
  call.type = hipGraphNodeTypeHost;
  call.host.fn = note;
  call.host.userData = &calls;
  CHECK(hipGraphAddNode(&counted, graph, &copied, 1, &call));
  asked = {};
  asked.type = hipGraphNodeTypeEventRecord;
  asked.eventRecord.event = event;
  CHECK(hipGraphAddNode(&recorded, graph, &counted, 1, &asked));
  asked.type = hipGraphNodeTypeWaitEvent;
  asked.eventWait.event = event;
  CHECK(hipGraphAddNode(&waited, graph, &recorded, 1, &asked));
  CHECK(hipGraphNodeSetParams(waited, &asked));
  asked = {};
  asked.type = hipGraphNodeTypeMemFree;
  asked.free.dptr = data;
  CHECK(hipGraphAddNode(&freed, graph, &waited, 1, &asked));
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(hipGraphLaunch(executable, stream));
  CHECK(hipStreamSynchronize(stream));
  printf("%d %d\\n", host[63], calls);
  // The instance changes, and not the graph.
  fill.memset.value = 20;
  CHECK(hipGraphExecNodeSetParams(executable, set, &fill));
  summand = 4;
  CHECK(hipGraphExecNodeSetParams(executable, added, &launch));
  copy.memcpy.copyParams.extent = make_hipExtent(sizeof host / 2, 1, 1);
  CHECK(hipGraphExecNodeSetParams(executable, copied, &copy));
  CHECK(hipGraphExecNodeSetParams(executable, counted, &call));
  CHECK(hipGraphLaunch(executable, stream));
  CHECK(hipStreamSynchronize(stream));
  printf("%d %d %d\\n", host[31], host[63], calls);
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphNodeSetParams(set, &fill));
  CHECK(hipGraphNodeSetParams(counted, &call));
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(hipGraphLaunch(executable, stream));
  CHECK(hipStreamSynchronize(stream));
  printf("%d %d\\n", host[63], calls);
  // Wrong uses.
  copy.memcpy.flags = 1;
  tell(hipGraphAddNode(&none, graph, nullptr, 0, &copy));
  tell(hipGraphNodeSetParams(copied, &copy));
  tell(hipGraphNodeSetParams(set, &launch));
  tell(hipGraphExecNodeSetParams(executable, set, &launch));
  tell(hipGraphNodeSetParams(set, nullptr));
  tell(hipGraphExecNodeSetParams(executable, set, nullptr));
  tell(hipGraphAddNode(&none, graph, nullptr, 0, nullptr));
  tell(hipGraphAddNode(&none, nullptr, nullptr, 0, &launch));
  tell(hipGraphAddNode(nullptr, graph, nullptr, 0, &launch));
  asked.type = (hipGraphNodeType)99;
  tell(hipGraphAddNode(&none, graph, nullptr, 0, &asked));
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipGraphDestroy(child));
  CHECK(hipEventDestroy(event));
  CHECK(hipStreamDestroy(stream));
}
"""
# 10 + 3 + 100; 20 + 4 + 100 in the first half; 20 + 3 + 100.
OF_NODES = ["113 1", "124 113 2", "123 3", *["hipErrorInvalidValue"] * 10]

# A plane of 4 rows of 8 ints, rows 64 bytes apart; only columns 2 to 5 of rows 1 and 2 are copied.
# Two kernels that say whether all blocks can wait for each other, in a graph and in its instance.
ATTRIBUTES = BEGIN + """\
#include <hip/hip_cooperative_groups.h>
__global__ void ask(int* out) {
  const auto grid = cooperative_groups::this_grid();
  if (grid.is_valid()) grid.sync();
  if (threadIdx.x == 0) atomicAdd(out, grid.is_valid() ? 100 : 1);
}
int main() {
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t executable;
  hipGraphNode_t first, second;
  int* count;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipMallocManaged(&count, 4));
  CHECK(hipGraphCreate(&graph, 0));
  void* arguments[] = {&count};
  hipKernelNodeParams launch = {};
  launch.func = (void*)ask;
  launch.gridDim = dim3(3);
  launch.blockDim = dim3(64);
  launch.kernelParams = arguments;
  CHECK(hipGraphAddKernelNode(&first, graph, nullptr, 0, &launch));
  CHECK(hipGraphAddKernelNode(&second, graph, &first, 1, &launch));
  const auto run = [&] {
    *count = 0;
    CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
    CHECK(hipGraphLaunch(executable, stream));
    CHECK(hipStreamSynchronize(stream));
    CHECK(hipGraphExecDestroy(executable));
    printf("%d\\n", *count);
    return 0;
  };
  if (run() != 0) return 1;
  hipKernelNodeAttrValue value = {}, seen = {};
  value.cooperative = 1;
  CHECK(hipGraphKernelNodeSetAttribute(first, hipKernelNodeAttributeCooperative, &value));
  if (run() != 0) return 1;
  // Parameters leave attributes as they are.
  launch.gridDim = dim3(2);
  CHECK(hipGraphKernelNodeSetParams(first, &launch));
  if (run() != 0) return 1;
  value = {};
  value.accessPolicyWindow = {count, hipAccessPropertyPersisting, 0.5f, hipAccessPropertyStreaming, 4};
  CHECK(hipGraphKernelNodeSetAttribute(first, hipKernelNodeAttributeAccessPolicyWindow, &value));
  value.accessPolicyWindow.missProp = hipAccessPropertyPersisting;
  tell(hipGraphKernelNodeSetAttribute(first, hipKernelNodeAttributeAccessPolicyWindow, &value));
  value.accessPolicyWindow.missProp = hipAccessPropertyNormal;
  value.accessPolicyWindow.hitRatio = 1.5f;
  tell(hipGraphKernelNodeSetAttribute(first, hipKernelNodeAttributeAccessPolicyWindow, &value));
  value = {};
  value.priority = -2;
  CHECK(hipGraphKernelNodeSetAttribute(first, hipKernelNodeAttributePriority, &value));
  CHECK(hipGraphKernelNodeCopyAttributes(first, second));
  if (run() != 0) return 1;
  CHECK(hipGraphKernelNodeGetAttribute(second, hipKernelNodeAttributeCooperative, &seen));
  printf("%d", seen.cooperative);
  CHECK(hipGraphKernelNodeGetAttribute(second, hipKernelNodeAttributePriority, &seen));
  printf(" %d", seen.priority);
  CHECK(hipGraphKernelNodeGetAttribute(second, hipKernelNodeAttributeAccessPolicyWindow, &seen));
  const hipAccessPolicyWindow& window = seen.accessPolicyWindow;
  printf(" %d %d %g %d %d\\n", window.base_ptr == count, (int)window.hitProp, window.hitRatio, (int)window.missProp,
         (int)window.num_bytes);
  tell(hipGraphKernelNodeSetAttribute(first, (hipKernelNodeAttrID)77, &value));
  tell(hipGraphKernelNodeGetAttribute(first, (hipKernelNodeAttrID)77, &value));
  tell(hipGraphKernelNodeGetAttribute(first, hipKernelNodeAttributePriority, nullptr));
  hipGraphNode_t none;
  CHECK(hipGraphAddEmptyNode(&none, graph, nullptr, 0));
  tell(hipGraphKernelNodeSetAttribute(none, hipKernelNodeAttributePriority, &value));
  tell(hipGraphKernelNodeCopyAttributes(first, none));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipFree(count));
  CHECK(hipStreamDestroy(stream));
}
"""
OF_ATTRIBUTES = ["6", "303", "203", *["hipErrorInvalidValue"] * 2, "500", "1 -2 1 2 0.5 1 4", *["hipErrorInvalidValue"] * 5]

DRIVER = BEGIN + """\
int main() {
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t executable;
  hipGraphNode_t set, copied;
  int *plane, host[32] = {};
  hipCtx_t context;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipCtxGetCurrent(&context));
  CHECK(hipMalloc(&plane, 4 * 64));
  CHECK(hipMemset(plane, 0, 4 * 64));
  CHECK(hipGraphCreate(&graph, 0));
  HIP_MEMSET_NODE_PARAMS fill = {};
  fill.dst = plane;
  fill.pitch = 64;
  fill.value = 7;
  fill.elementSize = 4;
  fill.width = 8;
  fill.height = 4;
  CHECK(hipDrvGraphAddMemsetNode(&set, graph, nullptr, 0, &fill, context));
  HIP_MEMCPY3D copy = {}, seen = {};
  copy.srcMemoryType = hipMemoryTypeDevice;
  copy.srcDevice = plane;
  copy.srcPitch = 64;
  copy.srcHeight = 4;
  copy.dstMemoryType = hipMemoryTypeHost;
  copy.dstHost = host;
  copy.dstPitch = 32;
  copy.dstHeight = 4;
  copy.srcXInBytes = copy.dstXInBytes = 8;
  copy.srcY = copy.dstY = 1;
  copy.WidthInBytes = 16;
  copy.Height = 2;
  copy.Depth = 1;
  CHECK(hipDrvGraphAddMemcpyNode(&copied, graph, &set, 1, &copy, context));
  CHECK(hipDrvGraphMemcpyNodeGetParams(copied, &seen));
  printf("%d %d %d\\n", seen.srcDevice == plane && seen.dstHost == host, (int)seen.dstPitch, (int)seen.WidthInBytes);
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
  const auto sum = [&](hipGraphExec_t run) {
    for (int& each : host) each = 0;
    if (hipGraphLaunch(run, stream) != hipSuccess || hipStreamSynchronize(stream) != hipSuccess) return -1;
    int all = 0;
    for (int i = 0; i < 32; ++i) all += host[i] * (i + 1);
    return all;
  };
  printf("%d\\n", sum(executable));
  fill.value = 2;
  copy.Height = 1;
  CHECK(hipDrvGraphExecMemsetNodeSetParams(executable, set, &fill, context));
  CHECK(hipDrvGraphExecMemcpyNodeSetParams(executable, copied, &copy, context));
  printf("%d\\n", sum(executable));
  CHECK(hipDrvGraphMemcpyNodeSetParams(copied, &copy));
  CHECK(hipDrvGraphMemcpyNodeGetParams(copied, &seen));
  printf("%d\\n", (int)seen.Height);
  tell(hipDrvGraphAddMemcpyNode(&copied, graph, nullptr, 0, nullptr, context));
  tell(hipDrvGraphAddMemsetNode(&set, graph, nullptr, 0, nullptr, context));
  tell(hipDrvGraphMemcpyNodeGetParams(set, &seen));
  tell(hipDrvGraphMemcpyNodeGetParams(copied, nullptr));
  tell(hipDrvGraphExecMemsetNodeSetParams(executable, set, nullptr, context));
  CHECK(hipGraphExecDestroy(executable));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipFree(plane));
  CHECK(hipStreamDestroy(stream));
}
"""
# Numbers 11 to 14 and 19 to 22, by 7; and 11 to 14 by 2.
OF_DRIVER = ["1 32 16", "924", "100", "1", *["hipErrorInvalidValue"] * 5]


class NodeParameters(RunTest):
    def assert_prints(self, program, lines, file):
        self.write(program, file)
        for lanes in ("32", "64"):
            self.assertEqual(self.run_program(file, "--warp-size", lanes), ("".join(f"{each}\n" for each in lines), "", 0))

    def test_make_and_change_nodes_of_all_kinds(self):
        self.assert_prints(NODES, OF_NODES, "n.hip")
        self.assert_prints(in_cuda(NODES), [each.replace("hip", "cuda") for each in OF_NODES], "n.cu")

    def test_have_a_kernel_s_attributes(self):
        self.assert_prints(ATTRIBUTES, OF_ATTRIBUTES, "n.hip")
        program = in_cuda(ATTRIBUTES).replace("hip/hip_cooperative_groups.h", "cooperative_groups.h")
        self.assert_prints(program, [each.replace("hip", "cuda") for each in OF_ATTRIBUTES], "n.cu")

    def test_are_the_driver_s(self):
        self.assert_prints(DRIVER, OF_DRIVER, "n.hip")


if __name__ == "__main__":
    main()
