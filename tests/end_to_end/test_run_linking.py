# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs that compile device code in parts by hiprtc, and link the parts."""

from kernel_support import RunTest
from skips import main

BEGIN = """\
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <cstdio>
#include <string>
#include <vector>
#define TRY(call) if (const int failed = (int)(call)) { printf("%s: %d\\n", #call, failed); return 1; }
void tell(hiprtcResult code) { printf("%s\\n", hiprtcGetErrorString(code)); }
std::vector<char> part(const char* source, const char* option = "-fgpu-rdc") {
  hiprtcProgram program;
  size_t bytes = 0;
  hiprtcCreateProgram(&program, source, "part.hip", 0, nullptr, nullptr);
  hiprtcCompileProgram(program, 1, &option);
  hiprtcGetBitcodeSize(program, &bytes);
  std::vector<char> code(bytes);
  hiprtcGetBitcode(program, code.data());
  hiprtcDestroyProgram(&program);
  return code;
}
const char* const functions = R"(
__device__ int table[2] = {5, 7};
__device__ int scaled(int x) { return table[1] * x; }
)";
const char* const kernels = R"(
extern __device__ int table[2];
__device__ int scaled(int x);
extern "C" __global__ void fill(int* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = scaled(i) + table[0];
}
)";
int run(void* code, int length) {
  hipModule_t module;
  hipFunction_t fill;
  int *out, host[64] = {}, n = 64;
  TRY(hipModuleLoadData(&module, code));
  TRY(hipModuleGetFunction(&fill, module, "fill"));
  TRY(hipMalloc(&out, length * sizeof *out));
  TRY(hipMemset(out, 0, length * sizeof *out));
  void* arguments[] = {&out, &n};
  TRY(hipModuleLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  TRY(hipMemcpy(host, out, length * sizeof *out, hipMemcpyDeviceToHost));
  printf("%d %d\\n", host[0], host[63]);
  TRY(hipFree(out));
  TRY(hipModuleUnload(module));
  return 0;
}
"""

# One part is data, the other one a file.
LINKED = BEGIN + """\
int main() {
  auto first = part(functions), second = part(kernels);
  FILE* const file = fopen("part.o", "wb");
  fwrite(second.data(), 1, second.size(), file);
  fclose(file);
  hiprtcLinkState state;
  void* code = nullptr;
  size_t bytes = 0;
  TRY(hiprtcLinkCreate(0, nullptr, nullptr, &state));
  TRY(hiprtcLinkAddData(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, first.data(), first.size(), "functions", 0, nullptr, nullptr));
  TRY(hiprtcLinkAddFile(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, "part.o", 0, nullptr, nullptr));
  TRY(hiprtcLinkComplete(state, &code, &bytes));
  printf("%d\\n", bytes != 0);
  if (run(code, LENGTH)) return 1;
  TRY(hiprtcLinkDestroy(state));
  remove("part.o");
}
"""

REFUSED = BEGIN + """\
int main() {
  auto first = part(functions), second = part(kernels);
  // Not compiled to be linked.
  printf("%zu\\n", part(functions, "-O2").size());
  hiprtcLinkState state, gone;
  void* code = nullptr;
  size_t bytes = 0;
  static char log[4096];
  hiprtcJIT_option options[] = {HIPRTC_JIT_ERROR_LOG_BUFFER, HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  const auto bitcode = HIPRTC_JIT_INPUT_LLVM_BITCODE;
  tell(hiprtcLinkCreate(0, nullptr, nullptr, nullptr));
  tell(hiprtcLinkCreate(1, nullptr, nullptr, &state));
  TRY(hiprtcLinkCreate(2, options, values, &state));
  tell(hiprtcLinkComplete(state, &code, &bytes));
  tell(hiprtcLinkAddData(state, bitcode, nullptr, 8, "none", 0, nullptr, nullptr));
  tell(hiprtcLinkAddData(state, bitcode, second.data(), 0, "none", 0, nullptr, nullptr));
  tell(hiprtcLinkAddData(state, HIPRTC_JIT_INPUT_PTX, second.data(), second.size(), "none", 0, nullptr, nullptr));
  tell(hiprtcLinkAddFile(state, bitcode, "nowhere.o", 0, nullptr, nullptr));
  // AMD's bitcode, and AMD's code.
  char raw[] = "BC\\xc0\\xde, and more of it, so that it is as long as the header of an object";
  std::vector<char> amd = second;
  amd[18] = (char)224;
  tell(hiprtcLinkAddData(state, bitcode, raw, sizeof raw, "raw.bc", 0, nullptr, nullptr));
  tell(hiprtcLinkAddData(state, bitcode, amd.data(), amd.size(), "amd.o", 0, nullptr, nullptr));
  // What nobody defines, and what two parts define.
  TRY(hiprtcLinkAddData(state, bitcode, second.data(), second.size(), "kernels", 0, nullptr, nullptr));
  tell(hiprtcLinkComplete(state, &code, &bytes));
  for (int i = 0; i < 2; ++i)
    TRY(hiprtcLinkAddData(state, bitcode, first.data(), first.size(), "functions", 0, nullptr, nullptr));
  tell(hiprtcLinkComplete(state, &code, &bytes));
  printf("%d\\n", std::string(log).find("multiple definition") != std::string::npos);
  tell(hiprtcLinkComplete(state, nullptr, &bytes));
  gone = state;
  TRY(hiprtcLinkDestroy(state));
  tell(hiprtcLinkDestroy(gone));
  tell(hiprtcLinkAddData(gone, bitcode, second.data(), second.size(), "none", 0, nullptr, nullptr));
  tell(hiprtcLinkComplete(gone, &code, &bytes));
}
"""
INPUT, CREATION = "HIPRTC_ERROR_INVALID_INPUT", "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE"
OF_REFUSED = ["0", INPUT, INPUT, "HIPRTC_ERROR_LINKING", INPUT, INPUT, INPUT, CREATION, CREATION, CREATION,
              "HIPRTC_ERROR_LINKING", "HIPRTC_ERROR_LINKING", "1", INPUT, INPUT, INPUT, INPUT]


class Linking(RunTest):
    def test_parts_call_each_other(self):
        self.write(LINKED, "l.hip")
        for options in (["--warp-size", "32"], ["--warp-size", "64"], ["--check", "off"]):
            # 7 * 63 + 5
            self.assertEqual(self.run_program("l.hip", *options, "--cxxflags", "-DLENGTH=64"), ("1\n5 446\n", "", 0))

    def test_parts_are_checked(self):
        self.write(LINKED, "l.hip")
        _, err, code = self.run_program("l.hip", "--cxxflags", "-DLENGTH=63")
        self.assertEqual(code, 3)
        self.assertIn("a lane accesses memory past the end of a buffer", err)
        self.assertIn("part.hip:6", err)

    def test_what_cannot_be_linked_is_refused(self):
        self.write(REFUSED, "l.hip")
        out, err, code = self.run_program("l.hip")
        self.assertEqual((out, code), ("".join(f"{each}\n" for each in OF_REFUSED), 0), err)
        self.assertRegex(err, "a module cannot be loaded: .*undefined symbol: (table|.*scaled)")
        for name in ("raw.bc", "amd.o"):
            self.assertIn(f"warpz: {name} is code for a GPU, or none, and cannot be linked on the CPU machine", err)


if __name__ == "__main__":
    main()
