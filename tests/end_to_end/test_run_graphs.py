# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs with graphs, and HIP's headers beside hip_runtime.h."""

from kernel_support import RunTest
from skips import main
from test_run_pools import in_cuda

GRAPH = """\
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void add(int* data, int n, int summand) { if (threadIdx.x < n) data[threadIdx.x] += summand; }
int main() {
  int *data, result[8];
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t executable;
  if (hipMalloc(&data, sizeof result) != hipSuccess || hipStreamCreate(&stream) != hipSuccess) return 1;
  if (hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal) != hipSuccess) return 2;
  if (hipMemsetAsync(data, 0, sizeof result, stream) != hipSuccess) return 3;
  for (int i = 1; i <= 3; ++i) add<<<1, 32, 0, stream>>>(data, COUNT, i);
  if (hipMemcpyAsync(result, data, sizeof result, hipMemcpyDeviceToHost, stream) != hipSuccess) return 4;
  if (hipStreamEndCapture(stream, &graph) != hipSuccess) return 5;
  if (hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0) != hipSuccess) return 6;
  for (int i = 0; i < 2; ++i) if (hipGraphLaunch(executable, stream) != hipSuccess) return 7;
  if (hipStreamSynchronize(stream) != hipSuccess) return 8;
  std::printf("%d\\n", result[7]);
  if (hipGraphExecDestroy(executable) != hipSuccess || hipGraphDestroy(graph) != hipSuccess) return 9;
  return hipFree(data) == hipSuccess && hipStreamDestroy(stream) == hipSuccess ? 0 : 10;
}
"""

# Each line tells what the text beside it says.
WHOLE_GRAPHS = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#define CHECK(call) if (const hipError_t code = (call)) { printf("%s: %s\\n", #call, hipGetErrorName(code)); return 1; }
int destroyed = 0;
void destroy(void* number) { destroyed += *static_cast<int*>(number); }
__global__ void add(int* data, int summand) { data[threadIdx.x] += summand; }
int main() {
  hipStream_t stream;
  hipEvent_t event;
  hipGraph_t graph, same;
  hipGraphExec_t executable;
  hipUserObject_t object;
  int *data, seven = 7, result[32];
  CHECK(hipStreamCreate(&stream));
  CHECK(hipEventCreate(&event));
  CHECK(hipMalloc(&data, sizeof result));
  CHECK(hipGraphCreate(&graph, 0));
  hipMemsetParams zeros{};
  zeros.dst = data, zeros.elementSize = 4, zeros.width = 32, zeros.height = 1;
  hipGraphNode_t cleared;
  CHECK(hipGraphAddMemsetNode(&cleared, graph, nullptr, 0, &zeros));

  // Captured behind the memset, into the same graph.
  CHECK(hipStreamBeginCaptureToGraph(stream, graph, &cleared, nullptr, 1, hipStreamCaptureModeGlobal));
  add<<<1, 32, 0, stream>>>(data, 5);
  CHECK(hipEventRecordWithFlags(event, stream, hipEventRecordExternal));
  add<<<1, 32, 0, stream>>>(data, 6);
  CHECK(hipStreamEndCapture(stream, &same));
  size_t nodes = 0, edges = 0;
  CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
  printf("%d %d %d\\n", same == graph, (int)nodes, (int)edges);
  CHECK(hipGraphDebugDotPrint(graph, "graph.dot", hipGraphDebugDotFlagsVerbose));

  // The program has one of two references, and each graph its own.
  printf("%s\\n", hipGetErrorName(hipUserObjectCreate(&object, &seven, destroy, 0, hipUserObjectNoDestructorSync)));
  CHECK(hipUserObjectCreate(&object, &seven, destroy, 2, hipUserObjectNoDestructorSync));
  CHECK(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
  hipGraphInstantiateParams wanted{};
  wanted.flags = hipGraphInstantiateFlagUpload;
  CHECK(hipGraphInstantiateWithParams(&executable, graph, &wanted));
  unsigned long long flags = 0;
  CHECK(hipGraphExecGetFlags(executable, &flags));
  printf("%d %d\\n", wanted.result_out == hipGraphInstantiateSuccess, flags == hipGraphInstantiateFlagUpload);
  CHECK(hipUserObjectRelease(object));
  printf("%s\\n", hipGetErrorName(hipGraphReleaseUserObject(graph, object, 2)));
  CHECK(hipGraphDestroy(graph));
  for (int i = 0; i < 2; ++i) CHECK(hipGraphLaunch(executable, stream));
  CHECK(hipEventSynchronize(event));
  CHECK(hipMemcpyAsync(result, data, sizeof result, hipMemcpyDeviceToHost, stream));
  CHECK(hipStreamSynchronize(stream));
  printf("%d %d ", result[31], destroyed);
  CHECK(hipGraphExecDestroy(executable));
  printf("%d\\n", destroyed);
  CHECK(hipFree(data));
  CHECK(hipEventDestroy(event));
  CHECK(hipStreamDestroy(stream));
}
"""
OF_WHOLE_GRAPHS = "1 4 3\nhipErrorInvalidValue\n1 1\nhipErrorInvalidValue\n11 0 7\n"

HEADERS = [
    "hip_ext.h", "hip_hcc.h", "device_functions.h", "math_functions.h", "hip_profile.h", "hip_deprecated.h",
    "library_types.h", "host_defines.h", "channel_descriptor.h", "hip_texture_types.h", "amd_detail/amd_hip_runtime.h",
    "amd_detail/amd_hip_unsafe_atomics.h", "amd_detail/amd_hip_fp16.h", "amd_detail/host_defines.h",
    "amd_detail/amd_hip_vector_types.h", "amd_detail/amd_hip_cooperative_groups.h"]


class ProgramTest(RunTest):
    def run_text(self, text):
        """Of a program of one file."""
        (self.folder / "program.hip").write_text(text, encoding="utf-8")
        return self.run_program("program.hip")


class Graphs(ProgramTest):
    def test_run_as_often_as_they_are_launched(self):
        # 1 + 2 + 3, as each launch begins with the memset.
        self.assertEqual(self.run_text(GRAPH.replace("COUNT", "8")), ("6\n", "", 0))

    def test_are_checked_with_the_line_of_their_kernel(self):
        _, stderr, code = self.run_text(GRAPH.replace("COUNT", "9"))
        self.assertEqual(code, 3)
        self.assertIn("program.hip:3", stderr)
        self.assertIn("in kernel add", stderr)


    def test_are_captured_into_drawn_and_hold_objects(self):
        self.assertEqual(self.run_text(WHOLE_GRAPHS), (OF_WHOLE_GRAPHS, "", 0))
        drawn = (self.folder / "graph.dot").read_text(encoding="utf-8")
        self.assertEqual(drawn.count("->"), 3)
        self.assertEqual(drawn.count('label="add"'), 2)
        self.assertEqual(drawn.count('label="MEMSET"'), 1)
        self.write(in_cuda(WHOLE_GRAPHS), "program.cu")
        self.assertEqual(self.run_program("program.cu"), (OF_WHOLE_GRAPHS.replace("hip", "cuda"), "", 0))


class Headers(ProgramTest):
    def test_of_hip_are_all_here(self):
        lines = "".join(f"#include <hip/{name}>\n" for name in HEADERS)
        main_function = '#include <cstdio>\nint main() { std::printf("%d\\n", HIP_R_32F + 7); }\n'
        self.assertEqual(self.run_text(lines + main_function), ("7\n", "", 0))

    def test_that_cannot_be_here_say_so(self):
        _, stderr, code = self.run_text("#include <hip/hip_gl_interop.h>\nint main() {}\n")
        self.assertEqual(code, 5)
        self.assertIn("shares no memory with OpenGL", stderr)

    def test_bring_what_rocms_header_brings(self):
        program = """\
#include <hip/hip_runtime.h>
#include <cstdio>
int main() {
  std::ostringstream text;
  std::array<int, 3> numbers = {3, 1, 2};
  std::sort(numbers.begin(), numbers.end());
  const std::complex<float> square = std::complex<float>(0, 2) * std::complex<float>(0, 2);
  text << numbers[0] << numbers[2] << square.real() << CHAR_BIT;
  std::puts(std::string(text.str()).c_str());
}
"""
        self.assertEqual(self.run_text(program), ("13-48\n", "", 0))


if __name__ == "__main__":
    main()
