#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run: programs that compile or load device code while they run."""

from kernel_support import RUNTIME, RunTest
from skips import main

# What each program begins with: failed calls end it.
HEAD = RUNTIME + """
#include <hip/hiprtc.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#define TRY(call) do { if (const int failed = static_cast<int>(call)) { \\
  std::printf("%s: %d\\n", #call, failed); std::exit(1); } } while (0)
static std::vector<char> compiled(const char* source, std::vector<const char*> options = {},
                                  std::vector<const char*> expressions = {}, std::vector<std::string>* names = nullptr) {
  const char* texts[] = {"#define FACTOR 3\\n"};
  const char* header_names[] = {"parts/factor.h"};
  hiprtcProgram program;
  TRY(hiprtcCreateProgram(&program, source, "text.hip", 1, texts, header_names));
  for (const char* each : expressions) TRY(hiprtcAddNameExpression(program, each));
  const hiprtcResult result = hiprtcCompileProgram(program, options.size(), options.data());
  size_t bytes = 0;
  TRY(hiprtcGetProgramLogSize(program, &bytes));
  std::string log(bytes, ' ');
  TRY(hiprtcGetProgramLog(program, log.data()));
  std::printf("%s", log.c_str());
  TRY(result);
  TRY(hiprtcGetCodeSize(program, &bytes));
  std::vector<char> code(bytes);
  TRY(hiprtcGetCode(program, code.data()));
  for (const char* each : expressions) {
    const char* name = nullptr;
    TRY(hiprtcGetLoweredName(program, each, &name));
    names->push_back(name);
  }
  TRY(hiprtcDestroyProgram(&program));
  return code;
}
"""

FILL = """
extern "C" __global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = warpSize * 1000 + i;
}
"""


class ModulesTest(RunTest):
    def run_text(self, text, *options, code=0):
        self.write(HEAD + text, "it.hip")
        out, err, status = self.run_program("it.hip", *options)
        self.assertEqual(status, code, out + err)
        return out, err

    def test_templates_headers_variables_and_packed_arguments(self):
        """The expected values are computed by hand: 2 * 3 * 2 + 7 + 0.5 + 1."""
        for size in "32", "64":
            out, _ = self.run_text(r"""
                struct pair { float a; double b; };
                int main() {
                  const char* const source = R"(
                    #include "parts/factor.h"
                    namespace mine { __constant__ float offset; }
                    struct pair { float a; double b; };
                    template <class T, int n> __global__ void scale(T* x, pair p, char c) {
                      const int i = blockIdx.x * blockDim.x + threadIdx.x;
                      if (i < n) x[i] = x[i] * FACTOR * p.a + mine::offset + p.b + c + ADDED;
                    })";
                  std::vector<std::string> names;
                  const std::vector<char> code = compiled(source, {"--gpu-architecture=gfx90a", "-DADDED=0", "-O3"},
                                                          {"scale<float, 100>", "&mine::offset"}, &names);
                  hipModule_t module;
                  TRY(hipModuleLoadData(&module, code.data()));
                  hipFunction_t scale;
                  TRY(hipModuleGetFunction(&scale, module, names[0].c_str()));
                  hipDeviceptr_t offset;
                  size_t bytes = 0;
                  TRY(hipModuleGetGlobal(&offset, &bytes, module, names[1].c_str()));
                  const float seven = 7;
                  TRY(hipMemcpyHtoD(offset, const_cast<float*>(&seven), bytes));
                  std::vector<float> x(100, 2.0f);
                  float* memory;
                  TRY(hipMalloc(reinterpret_cast<void**>(&memory), 400));
                  TRY(hipMemcpy(memory, x.data(), 400, hipMemcpyHostToDevice));
                  struct { float* x; pair p; char c; } packed = {memory, {2, 0.5}, 1};
                  size_t size = sizeof packed;
                  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                                   HIP_LAUNCH_PARAM_END};
                  TRY(hipModuleLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
                  TRY(hipMemcpy(x.data(), memory, 400, hipMemcpyDeviceToHost));
                  size = 4;
                  std::printf("%d %d\n", hipModuleLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra),
                              hipModuleGetFunction(&scale, module, "scale"));
                  TRY(hipModuleUnload(module));
                  std::printf("%d\n", hipModuleLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
                  TRY(hipFree(memory));
                  float sum = 0;
                  for (const float each : x) sum += each;
                  std::printf("%g %g %g\n", x[0], x[99], sum);
                }""", "--warp-size", size)
            # 1: invalid value; 500: not found; 400: invalid handle
            self.assertEqual(out, "1 500\n400\n20.5 20.5 2050\n")

    def test_a_source_that_does_not_compile(self):
        out, err = self.run_text(r"""
            int main() { compiled("__global__ void f(int* x) { y = 1; }\n"); }""", code=1)
        self.assertIn("text.hip:1:29: error: use of undeclared identifier 'y'", out)
        self.assertNotIn("\x1b", out)

    LOAD = r"""
        int main(int, char** words) {
          hipModule_t module;
          if (const hipError_t error = hipModuleLoad(&module, words[1])) {
            std::printf("%s\n", hipGetErrorName(error));
            return 0;
          }
          hipFunction_t fill;
          TRY(hipModuleGetFunction(&fill, module, "fill"));
          int* memory;
          TRY(hipMalloc(reinterpret_cast<void**>(&memory), 40 * sizeof(int)));
          int n = 40;
          void* arguments[] = {&memory, &n};
          TRY(hipModuleLaunchKernel(fill, 2, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
          int x[40];
          TRY(hipMemcpy(x, memory, sizeof x, hipMemcpyDeviceToHost));
          TRY(hipFree(memory));
          std::printf("%d %d\n", x[0], x[39]);
        }"""

    def test_files_of_sources(self):
        """A file of a build is missing: the source beside it is taken."""
        self.write(FILL, "parts/kernels.hip")
        for name in "parts/kernels.hip", "parts/kernels.co":
            for size in 32, 64:
                out, _ = self.run_text(self.LOAD, "--warp-size", str(size), "--", name)
                self.assertEqual(out, f"{size * 1000} {size * 1000 + 39}\n")

    def test_files_that_are_no_modules(self):
        self.write("__CLANG_OFFLOAD_BUNDLE__\0\0", "amd.co")
        self.write("not a program", "text.hip")
        self.write("int main() {}", "other.cpp")
        for name, error, words in (("amd.co", "hipErrorNoBinaryForGpu", "amd.co is code for an AMD GPU"),
                                   ("missing.co", "hipErrorFileNotFound", ""),
                                   ("text.hip", "hipErrorInvalidImage", "text.hip:1:1: error:")):
            out, err = self.run_text(self.LOAD, "--", name)
            self.assertEqual(out, error + "\n")
            self.assertIn(words, err)

    def test_findings_have_lines(self):
        """Of a module that is a file, with its text, and of one that was compiled from text."""
        self.write("""extern "C" __global__ void fill(int* out, int n) {
  out[threadIdx.x / 2] = threadIdx.x;
  if (threadIdx.x == 0) out[n] = 1;
}
""", "kernels.hip")
        self.write(HEAD + self.LOAD, "it.hip")
        out, err, status = self.run_program("it.hip", "--", "kernels.hip")
        self.assertEqual(status, 3, err)
        self.assertIn("at kernels.hip:2", err)
        self.assertIn("kernels.hip:3", err)
        self.assertIn("out[threadIdx.x / 2] = threadIdx.x;", err)

    def test_errors_of_calls(self):
        out, _ = self.run_text(r"""
            int main() {
              hiprtcProgram program;
              TRY(hiprtcCreateProgram(&program, "__global__ void f() {}", nullptr, 0, nullptr, nullptr));
              const char* name = nullptr;
              size_t bytes = 0;
              std::printf("%d %d ", hiprtcGetLoweredName(program, "f", &name), hiprtcGetCodeSize(program, &bytes));
              TRY(hiprtcAddNameExpression(program, "f"));
              TRY(hiprtcCompileProgram(program, 0, nullptr));
              TRY(hiprtcGetLoweredName(program, "f", &name));
              std::printf("%d %d %d ", hiprtcGetLoweredName(program, "g", &name), hiprtcAddNameExpression(program, "f"),
                          hiprtcCompileProgram(nullptr, 0, nullptr));
              TRY(hiprtcDestroyProgram(&program));
              std::printf("%d %s\n", hiprtcDestroyProgram(&program), hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION));
            }""")
        self.assertEqual(out, "9 4 10 8 4 4 HIPRTC_ERROR_COMPILATION\n")

    def test_a_confined_program_cannot_compile(self):
        out, _ = self.run_text('int main() { compiled("__global__ void f() {}"); }', "--confine", code=1)
        self.assertIn("--confine: a sandboxed program cannot compile device code while it runs", out)


if __name__ == "__main__":
    main()
