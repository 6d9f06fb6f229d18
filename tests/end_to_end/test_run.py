# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--run: whole programs are compiled, run and checked, and their exit codes pass through."""

import json
import math
import os
import signal
import subprocess
import time

from kernel_support import PROGRAM, RUNTIME, SECONDS, RunTest
from sampling import long
from skips import main
from test_output_formats import SCHEMA, violations

# What learners write: dynamic shared memory, templates, a device lambda, several launches.
REDUCTION = RUNTIME + """\
#include <iostream>
#include <vector>
extern __shared__ int whole_file[];
template <class T, int Scale>
__global__ void reduce(const T* in, T* out, int n) {
  extern __shared__ T tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : T(0);
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) tile[threadIdx.x] += tile[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0] * Scale;
}
template <class F>
__global__ void each(float* data, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = f(data[i]);
}
__global__ void mirror(int* out) {
  whole_file[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = whole_file[blockDim.x - 1 - threadIdx.x];
}
int main(int count, char** words) {
  const int n = 1000;
  std::vector<float> ones(n, 1.0f);
  float *in, *out;
  int* mirrored;
  hipMalloc(&in, n * sizeof(float));
  hipMalloc(&out, 4 * sizeof(float));
  hipMallocManaged(&mirrored, 64 * sizeof(int));
  hipMemcpy(in, ones.data(), n * sizeof(float), hipMemcpyHostToDevice);
  const float k = 2;
  each<<<(n + 255) / 256, 256>>>(in, n, [=] __device__(float x) { return x * k; });
  reduce<float, 3><<<4, 256, 256 * sizeof(float)>>>(in, out, n);
  mirror<<<1, 64, 64 * sizeof(int)>>>(mirrored);
  float sums[4];
  hipMemcpy(sums, out, sizeof sums, hipMemcpyDeviceToHost);
  std::string word;
  std::cin >> word;
  std::cout << sums[0] + sums[1] + sums[2] + sums[3] << ' ' << mirrored[0] << ' ' << word;
  for (int i = 1; i < count; ++i) std::cout << ' ' << words[i];
  std::cout << std::endl;
  hipFree(mirrored);
  hipFree(out);
  hipFree(in);
  return count == 1 ? 0 : 7;
}
"""

FINDINGS = RUNTIME + """\
__global__ void race(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[(threadIdx.x + 32) % 64];
}
__global__ void wild(int* out) { *out = 1; }
int main() {
  int* out;
  hipMalloc(&out, 64 * sizeof(int));
  for (int i = 0; i < 2; ++i) race<<<1, 64>>>(out);
  std::puts("between");
  wild<<<1, 1>>>(nullptr);
  std::puts("never");
}
"""

# Line 4 reads and writes one element too many, and a buffer that was freed.
HEAP = RUNTIME + """\
__global__ void add(const float* in, float* out, int n) {
  if (threadIdx.x <= n) out[threadIdx.x] = in[threadIdx.x] + 1;
}
int main(int count, char**) {
  const int n = 100;
  float *in, *out, *spare;
  hipMalloc(&in, n * sizeof(float));
  hipMalloc((void**)&out, n * sizeof(float));
  for (int i = 0; i < 3; ++i) hipMalloc(&spare, 64);
  hipMemset(in, 0, n / 2 * sizeof(float));
  hipMemset(in + n / 2, 0, n / 2 * sizeof(float));
  if (count == 1) add<<<1, 128>>>(in, out, n);
  if (count == 2) add<<<1, 128>>>(out, in, n - 1);
  hipFree(in);
  if (count == 3) add<<<1, 128>>>(in, out, n - 1);
  if (count == 4) hipFree(in);
  hipFree(out);
}
"""

FOR_32_LANES = RUNTIME + """\
#include <ctime>
__global__ void sum(const int* in, int* out) {
  int v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down(v, d);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, v);
}
int main(int count, char** words) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  std::printf("at %ld.%09ld\\n", now.tv_sec, now.tv_nsec);
  int *in, *out;
  hipMallocManaged(&in, 64 * sizeof(int));
  hipMallocManaged(&out, sizeof(int));
  for (int i = 0; i < 64; ++i) in[i] = 1;
  *out = 0;
  if (count == 1) sum<<<1, 64>>>(in, out);
  std::printf("sum %d\\n", *out);
  hipFree(in);
  hipFree(out);
}
"""


class Programs(RunTest):
    def test_a_program_runs_unchanged_and_is_kept(self):
        self.write(REDUCTION, "reduction.hip")
        self.assertEqual(self.run_program("reduction.hip", stdin="in"), ("6000 63 in\n", "", 0))
        entries = self.entries()
        self.assertEqual(len(entries), 1)
        # Its own exit code and arguments, with either warp size, without compiling again.
        script = self.script("exit 9")
        again = self.run_program("reduction.hip", "--warp-size", 64, "--", "a", "--run", "--", stdin="in")
        self.assertEqual(again, ("6000 63 in a --run --\n", "", 7))
        self.assertEqual(self.entries(), entries)
        self.assertEqual(self.run_program("reduction.hip", "--compiler", script)[2], 2)

    @long
    def test_several_files_and_flags(self):
        self.write("__global__ void fill(int* out, int value);\n", "include/fill.hpp")
        self.write(RUNTIME + '#include "fill.hpp"\n__global__ void fill(int* out, int value) { out[threadIdx.x] = '
                   "value + EXTRA; }\n", "fill.hip")
        self.write(RUNTIME + '#include "fill.hpp"\n#if __cplusplus < 202002L\n#error\n#endif\nint main() {\n  int* out;\n'
                   "  hipMallocManaged(&out, 128);\n  fill<<<1, 32>>>(out, 4);\n  return out[31] + hipFree(out);\n}\n",
                   "main.hip")
        flags = ("--check", "off", "--cxxflags", "-std=c++20", "-fvisibility=hidden", "-I", "include")
        self.assertEqual(self.run_program("main.hip", "fill.hip", *flags, "-DEXTRA=2"), ("", "", 6))
        # What is compiled from other flags, or another header, is another program.
        self.assertEqual(self.run_program("main.hip", "fill.hip", *flags, "-DEXTRA=3")[2], 7)
        self.write("#undef EXTRA\n#define EXTRA 5\n__global__ void fill(int* out, int value);\n", "include/fill.hpp")
        self.assertEqual(self.run_program("main.hip", "fill.hip", *flags, "-DEXTRA=3")[2], 9)
        several = ("--cxxflags", '-std=c++20 -Iinclude -DEXTRA=3 -DTEXT="a -b"', "")
        self.assertEqual(self.run_program("main.hip", "fill.hip", "--check", "off", *several)[2], 9)
        out, err, code = self.run_program("main.hip", *flags)
        self.assertEqual((out, code), ("", 5))
        self.assertRegex(err, r"\Awarpz: main\.hip: undefined symbol: fill\(int\*, int\)\n")
        self.assertEqual(self.run_program("main.hip", "--output", "main", *flags), (out, err, 5))
        self.assertFalse((self.folder / "main").exists())

    @long
    def test_kernels_that_are_launched_by_their_address(self):
        self.write(RUNTIME + "#include <hip/hip_cooperative_groups.h>\n__global__ void add(int* to, int number) {\n"
                   "  cooperative_groups::this_grid().sync();\n  atomicAdd(to, number);\n}\nint main() {\n  int* sum;\n"
                   "  int number = 2;\n  void* arguments[] = {&sum, &number};\n  hipMallocManaged(&sum, 4);\n  *sum = 0;\n"
                   "  hipLaunchCooperativeKernel((void*)add, 2, 5, arguments, 0, nullptr);\n"
                   "  hipLaunchCooperativeKernel(reinterpret_cast<const void*>(&add), 1, 1, arguments, 0, nullptr);\n"
                   "  hipDeviceSynchronize();\n  return *sum + hipFree(sum);\n}\n", "address.hip")
        self.assertEqual(self.run_program("address.hip"), ("", "", 22))

    def test_findings_over_all_launches(self):
        self.write(FINDINGS, "findings.hip")
        out, err, code = self.run_program("findings.hip")
        self.assertEqual((out, code), ("between\n", 3))
        self.assertIn("lane 0  has read at findings.hip:6\n", err.replace("lane 0   ", "lane 0  "))
        self.assertIn("  tile[32]; tile has 64 elements\n", err)
        self.assertIn("a lane accesses memory at a null pointer\n  in kernel wild\n", err)
        self.assertRegex(err, r"\nfound: 1 data race \(\d+ times\), 1 out-of-bounds access\n")
        out, _, code = self.run_program("findings.hip", "--format", "json")
        said = json.loads(out)
        self.assertEqual(violations(said, SCHEMA), [])
        self.assertEqual((code, said["exit_code"], said["verdict"]), (3, 3, "broken_rule"))
        run, = said["runs"]
        self.assertEqual((run["program"], run["exit_code"]), (["findings.hip"], None))
        self.assertEqual(run["findings"][-1]["groups"][0]["line"], 8)

    def test_what_a_program_allocates(self):
        self.write(HEAP, "heap.hip")
        leak = "192 bytes in 3 buffers are never freed\n  allocated at heap.hip:11\n"
        for words, said in (([], ["a lane accesses memory past the end of a buffer\n  in kernel add\n",
                                  "  in[100]; in has 100 elements\n  allocated at heap.hip:9\n",
                                  "  out[100]; out has 100 elements\n  allocated at heap.hip:10\n",
                                  "\nfound: 2 out-of-bounds accesses (2 times), 1 leak (warning)\n"]),
                            (["a"], ["a lane reads memory that nobody has written\n", " at heap.hip:4\n", "\n  out[0]; ",
                                     "\nfound: 1 uninitialised read (100 times), 1 leak (warning)\n"]),
                            (["a", "b"], ["a lane accesses memory that was freed\n  in kernel add\n", "  in[0]; in",
                                          "  allocated at heap.hip:9\n  freed at heap.hip:16\n",
                                          "\nfound: 1 use after free (100 times), 1 leak (warning)\n"]),
                            (["a", "b", "c"], ["memory is freed a second time\n  allocated at heap.hip:9\n"
                                               "  freed at heap.hip:16\n", " at heap.hip:18\n",
                                               "\nfound: 1 double free, 1 leak (warning)\n"])):
            out, err, code = self.run_program("heap.hip", "--", *words)
            self.assertEqual((out, code), ("", 3))
            for text in (leak, *said):
                self.assertIn(text, err)

    @long
    def test_both_warp_sizes_are_told_apart(self):
        self.write(FOR_32_LANES, "sum.hip")
        out, err, code = self.run_program("sum.hip", "--warp-size", "both", "--check", "collectives")
        self.assertRegex(out, r"\Aat .*\nsum 64\nat .*\nsum 32\n\Z")
        self.assertEqual(code, 3)
        self.assertIn("warpz: with 32 lanes\nwarpz: with 64 lanes\nbroken rule: sum.hip: the result depends on the warp "
                      "size\n  what it prints differs first in line 2:\n  with 32 lanes: sum 64\n"
                      "  with 64 lanes: sum 32\n  written for 32 lanes at sum.hip:6\n", err)
        # What --output writes knows its sources.
        (self.folder / "built").mkdir()
        self.assertEqual(self.run_program("sum.hip", "--check", "collectives", "--output", "built/sum"), ("", "", 0))
        err = self.run_program("built/sum", "--check", "collectives", "--warp-size", "both")[1]
        self.assertIn("  with 64 lanes: sum 32\n  written for 32 lanes at sum.hip:6\n", err)
        # The time is another one on each run, and depends on no warp size.
        out, err, code = self.run_program("sum.hip", "--warp-size", "both", "--check", "collectives", "--", "no kernel")
        self.assertEqual(code, 0, err)
        # Only the lines that are written for 32 lanes are listed.
        self.assertTrue(err.startswith("warpz: with 32 lanes\nwarpz: with 64 lanes\nwarning: sum.hip: a loop goes over 32 "
                                       "lanes\n  written for 32 lanes at sum.hip:6\n"), err)


class Ends(RunTest):
    def test_what_cannot_be_run(self):
        self.write("int main() {\n  k<<<1, 2>>>(3);\n}\n", "wrong.hip")
        out, err, code = self.run_program("wrong.hip")
        self.assertEqual((out, code), ("", 5))
        self.assertRegex(err, r"(?s)\Awrong\.hip:2:.*warpz: wrong\.hip does not compile\n\Z")
        for words, said in ((["none.hip"], "warpz: cannot read 'none.hip': No such file or directory\n"),
                            (["--check", "all"], "warpz: --run needs a value: FILE...; the next word, --check, is an option\n"),
                            (["wrong.hip", "--size", "5"], "warpz: --size does nothing with --run\n"),
                            (["wrong.hip", "--neighbor"], "warpz: --neighbor and --run cannot be combined\n"),
                            (["wrong.hip", "--cxxflags"], "warpz: --cxxflags needs a value: FLAG...\n"),
                            (["wrong.hip", "--cxxflags", "-o", "x"], "warpz: --cxxflags: -o is not possible with --run\n"),
                            (["wrong.hip", "--cxxflags", "-O2 -o x"], "warpz: --cxxflags: -o is not possible with --run\n")):
            out, err, code = self.run_program(*words)
            self.assertEqual((out, code), ("", 2), words)
            self.assertTrue(err.startswith(said) or "--run and --neighbor" in err, err)

    def test_what_is_easily_confused_is_told(self):
        self.write("int main() {}\n", "a.hip")
        self.write("int other() { return 0; }\nint main() { return other(); }\n", "b.hip")
        self.assertEqual(self.run_program("a.hip", "300"), ("", "warpz: cannot read '300': No such file or directory\n"
                                                            "If it is an argument of the program, put -- before it: -- 300\n", 2))
        self.assertEqual(self.run_program("a.hip", "b.hip"),
                         ("", "warpz: two of the files have a main, and a program has one\n"
                              "Run them one by one, or leave out what does not belong to the program.\n", 5))
        (self.folder / "binary.hip").write_bytes(b"int main() {}\n\0")
        for words in (["--run", "binary.hip"], ["--neighbor", "--kernel", "binary.hip"]):
            done = subprocess.run([PROGRAM, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                                  timeout=SECONDS, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertTrue(done.stderr.endswith("warpz: cannot read 'binary.hip': it is no text: it has bytes that are 0\n"))

    def test_a_program_that_launches_nothing_is_told_so(self):
        self.write("#include <hip/hip_runtime.h>\n__global__ void k() {}\nint main(int count, char**) { if (count > 1) k<<<1, 1>>>(); }\n", "a.hip")
        for words, said in ((["a.hip"], ", and no kernel was launched"), (["a.hip", "--", "1"], "")):
            done = subprocess.run([PROGRAM, "--run", *words], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                                  timeout=SECONDS, check=False)
            self.assertEqual((done.stderr, done.returncode), (f"warpz: nothing found{said}\n", 0))

    def test_signals_end_it_with_all_it_has_started(self):
        self.write("#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\nint main(int count, char**) {\n"
                   '  if (count == 1) abort();\n  std::system("sleep 1000 & echo $!");\n  std::puts("ready");\n'
                   "  std::fflush(stdout);\n  if (count == 2) pause();\n}\n", "ends.hip")
        self.assertEqual(self.run_program("ends.hip", "--check", "off"),
                         ("", "warpz: ends.hip was ended by SIGABRT (Aborted), outside of any kernel\n", 134))
        for words in (["interrupted"], ["ends", "itself"]):
            with subprocess.Popen([PROGRAM, "--run", "ends.hip", "--check", "off", "--", *words], cwd=self.folder,
                                  stdout=subprocess.PIPE, env=self.environment, text=True) as process:
                started = int(process.stdout.readline())
                self.assertEqual(process.stdout.readline(), "ready\n")
                if len(words) == 1:
                    process.send_signal(signal.SIGINT)
                process.wait(timeout=SECONDS)
            self.assertEqual(process.returncode, -signal.SIGINT if len(words) == 1 else 0)
            for _ in range(100):
                if not os.path.exists(f"/proc/{started}"):
                    break
                time.sleep(0.1)
            self.assertFalse(os.path.exists(f"/proc/{started}"), "a process is left behind")


# As published samples are written: before ROCm's header and with what comes by way of it.
NAMES = """\
#if !defined(__HIPCC__) || !defined(__HIP__) || !defined(__HIP_PLATFORM_AMD__)
#error hipcc defines these
#endif
__host__ __device__ inline double root(double x) { return sqrt(std::abs(x)); }
#include <hip/hip_runtime.h>
struct __align__(16) quad { float a, b, c; };
__global__ void copy(float* out) {
  extern __shared__ float s[] __attribute__((aligned(16)));
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = root(s[63 - threadIdx.x]);
}
int main() {
  std::array<int, 2> two{};
  std::thread other([&] { two[1] = UCHAR_MAX; });
  other.join();
  float* out;
  if (hipMallocManaged(&out, 256) != HIP_SUCCESS) return 1;
  hipDeviceProp_t properties;
  hipGetDeviceProperties(&properties, 0);
  copy<<<1, 64, 256>>>(out);
  hipDeviceSynchronize();
  printf("%d %d %.3s %g\\n", two[1], int(alignof(quad)), properties.gcnArchName, out[0]);
  hipFree(out);
}
"""


class NamesTest(RunTest):
    def test_what_samples_use_without_including_it(self):
        self.write(NAMES, "names.hip")
        self.assertEqual(self.run_program("names.hip"), ("255 16 gfx 7.93725\n", "", 0))

    def test_powers_of_two_types(self):
        self.write(RUNTIME + "#include <cmath>\n"
                   "__global__ void powers(double* out, float x, int n) {\n"
                   "  out[0] = std::pow(x, n);\n  out[1] = pow(n, 2);\n}\n"
                   "int main() {\n  double* out;\n  hipMallocManaged(&out, 2 * sizeof *out);\n"
                   "  powers<<<1, 1>>>(out, 2.5f, 3);\n  hipDeviceSynchronize();\n"
                   "  printf(\"%g %g\\n\", out[0], out[1]);\n  hipFree(out);\n}\n", "powers.hip")
        self.assertEqual(self.run_program("powers.hip"), (f"{2.5 ** 3:g} {3 ** 2}\n", "", 0))

    def test_headers_that_only_lead_to_others(self):
        names = ("device_functions.h", "math_functions.h", "hip_ext.h", "hip_math_constants.h", "hip_profile.h")
        self.write("".join(f"#include <hip/{name}>\n" for name in names) +
                   "__global__ void twice(double* x) { *x = 2 * HIP_PI + sqrt(*x); }\n"
                   "int main() {\n  double* x;\n  hipMallocManaged(&x, sizeof *x);\n  *x = 9;\n"
                   "  twice<<<1, 1>>>(x);\n  hipDeviceSynchronize();\n  printf(\"%.6f\\n\", *x);\n  hipFree(x);\n}\n",
                   "headers.hip")
        self.assertEqual(self.run_program("headers.hip"), (f"{2 * math.pi + 3:.6f}\n", "", 0))

    def test_a_library_that_is_missing_is_told_of(self):
        for header, advice in (("hiprand/hiprand.hpp", "The CPU machine has the runtimes of HIP and CUDA and "),
                               ("no_such/hipcub/hipcub.hpp", None),
                               ("hipcub/no_such.hpp", "A library of headers is compiled with the program. ")):
            with self.subTest(header):
                self.write(f"#include <{header}>\nint main() {{}}\n", "x.hip")
                told = self.run_program("x.hip")[1]
                if advice is None:
                    self.assertNotIn("librar", told)
                else:
                    self.assertIn("\n" + advice, told)

    def test_openmp(self):
        told = "warpz: x.hip: undefined symbol: omp_get_max_threads\nThe program is compiled without OpenMP: add "
        self.write('extern "C" int omp_get_max_threads();\nint main() { return omp_get_max_threads() != 3; }\n', "x.hip")
        self.assertEqual(self.run_program("x.hip"), ("", told + "--cxxflags -fopenmp.\n", 5))
        self.write(RUNTIME + "#include <omp.h>\n__global__ void add(int* x) { atomicAdd(x, 1); }\nint main() {\n"
                   "  int* x;\n  hipMallocManaged(&x, sizeof *x);\n  *x = 0;\n"
                   "#pragma omp parallel num_threads(3)\n  add<<<1, 4>>>(x);\n"
                   "  hipDeviceSynchronize();\n  printf(\"%d\\n\", *x);\n  hipFree(x);\n}\n", "x.hip")
        out, err, code = self.run_program("x.hip", "--cxxflags", "-fopenmp")
        if "'omp.h' file not found" in err:
            self.assertIn("\nOpenMP is a package of its own beside Clang's", err)
        else:
            self.assertEqual((out, err, code), ("12\n", "", 0))

    def test_a_program_given_to_kernel_is_told_what_to_do(self):
        self.write(RUNTIME + "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
        self.assertEqual(self.run_kernel(), ("", "warpz: my.hip is a whole program: it has a main, and launches kernels "
                                                 "itself\nwarpz --run my.hip runs it.\n", 5))

    @long
    def test_warnings_are_told_when_the_program_is_compiled(self):
        self.write(RUNTIME + "__global__ void k(int* p) { *p = 1; }\nint main() {\n  int idle;\n  int* p;\n"
                   "  hipMallocManaged(&p, 4);\n  k<<<1, 1>>>(p);\n  hipDeviceSynchronize();\n  return *p - 1;\n}\n")
        _, err, code = self.run_program("my.hip", "--leaks", "off")
        self.assertEqual((err.count("warning: "), code), (1, 0), err)
        self.assertRegex(err, r"\Amy\.hip:5:7: warning: unused variable .idle.")
        self.assertEqual(self.run_program("my.hip", "--leaks", "off"), ("", "", 0))


if __name__ == "__main__":
    main()
