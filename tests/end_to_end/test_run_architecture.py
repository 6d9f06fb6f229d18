# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--arch and --rocm: on which GPU, and with which HIP, a program sees itself. And HIP's names that are not there."""

from kernel_support import RUNTIME, RunTest
from sampling import sample
from skips import main

# What the device's code and the host's see: macros, properties and lanes.
SEEN = RUNTIME + """\
__global__ void see(int* seen) {
#if defined(__gfx90a__)
  seen[0] = 910;
#elif defined(__gfx942__)
  seen[0] = 942;
#elif defined(__gfx1100__)
  seen[0] = 1100;
#elif defined(__gfx1201__)
  seen[0] = 1201;
#elif defined(__gfx1250__)
  seen[0] = 1250;
#endif
#if defined(__GFX9__)
  seen[1] = 9;
#elif defined(__GFX11__)
  seen[1] = 11;
#elif defined(__GFX12__)
  seen[1] = 12;
#endif
  seen[2] = warpSize;
}
int main() {
  int* seen;
  hipMallocManaged(&seen, 3 * sizeof(int));
  see<<<1, 1>>>(seen);
  hipDeviceSynchronize();
  hipDeviceProp_t p;
  hipGetDeviceProperties(&p, 0);
#if defined(__gfx90a__) || defined(__gfx1100__)
  printf("on the host ");
#endif
  for (char* each = p.gcnArchName; *each != 0; ++each) {
    if (*each == ':') *each = 0;
  }
  printf("%d GFX%d, %d lanes, %s %d.%d, %d\\n", seen[0], seen[1], seen[2], p.gcnArchName, p.major, p.minor, p.gcnArch);
  hipFree(seen);
}
"""

CUDA = """\
#include <cstdio>
__global__ void see(int* seen) {
#ifdef __CUDA_ARCH__
  *seen = __CUDA_ARCH__;
#endif
}
int main() {
  int* seen;
  cudaMallocManaged(&seen, sizeof *seen);
  see<<<1, 1>>>(seen);
  cudaDeviceSynchronize();
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  std::printf("%d %d.%d\\n", *seen, p.major, p.minor);
  cudaFree(seen);
}
"""

# Up to ROCm 6 warpSize is a constant.
CONSTANT = RUNTIME + """\
__global__ void sums(int* out) {
  __shared__ int parts[256 / warpSize];
  if (threadIdx.x % warpSize == 0) parts[threadIdx.x / warpSize] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) *out = parts[256 / warpSize - 1];
}
int main() {
  int* out;
  hipMallocManaged(&out, sizeof *out);
  sums<<<1, 256>>>(out);
  hipDeviceSynchronize();
  int version;
  hipRuntimeGetVersion(&version);
  printf("%d %d %d\\n", *out, HIP_VERSION / 10000000, version == HIP_VERSION);
  hipFree(out);
}
"""

WAVEFRONT = RUNTIME + """\
int main() {
#ifdef __AMDGCN_WAVEFRONT_SIZE
  printf("%d lanes, HIP %d.%d\\n", __AMDGCN_WAVEFRONT_SIZE, HIP_VERSION_MAJOR, HIP_VERSION_MINOR);
#else
  printf("HIP %d.%d\\n", HIP_VERSION_MAJOR, HIP_VERSION_MINOR);
#endif
}
"""

REFUSED = RUNTIME + """\
int main() {
  return hipGraphKernelNodePortProgrammatic;
}
"""


class ArchitectureTest(RunTest):
    def output(self, *words):
        output, error, code = self.run_program(*words)
        self.assertEqual((error, code), ("", 0), words)
        return output

    def test_an_amd_gpu(self):
        self.write(SEEN)
        for name, seen in sample((
                ((), "1100 GFX11, 32 lanes, gfx1100 11.0, 1100\n"),
                (("--warp-size", "64"), "910 GFX9, 64 lanes, gfx90a 9.0, 910\n"),
                (("--arch", "gfx942"), "942 GFX9, 64 lanes, gfx942 9.4, 942\n"),
                (("--arch", "gfx1201"), "1201 GFX12, 32 lanes, gfx1201 12.0, 1201\n"),
                (("--arch", "gfx1250"), "1250 GFX12, 32 lanes, gfx1250 12.5, 1250\n")), 2):
            self.assertEqual(self.output("my.hip", *name), seen)

    def test_an_nvidia_gpu(self):
        self.write(CUDA, "my.cu")
        self.assertEqual(self.output("my.cu"), "900 9.0\n")
        self.assertEqual(self.output("my.cu", "--arch", "sm_80"), "800 8.0\n")
        self.assertEqual(self.output("my.cu", "--arch", "sm_80", "--warp-size", "64"), "800 8.0\n")

    def test_what_does_not_fit(self):
        self.write(SEEN)
        self.write(CUDA, "my.cu")
        for words, problem in (
                (("my.hip", "--arch", "sm_80"), "--arch sm_80: my.hip is HIP"),
                (("my.cu", "--arch", "gfx90a"), "--arch gfx90a: my.cu is CUDA"),
                (("my.hip", "--arch", "gfx90a", "--warp-size", "32"),
                 "--arch gfx90a has 64 lanes per warp, but --warp-size asks for 32"),
                (("my.hip", "--arch", "gfx1100", "--warp-size", "both"),
                 "--arch gfx1100 has 32 lanes per warp, but --warp-size asks for both"),
                (("my.hip", "--arch", "gfx9"), "gfx9")):
            output, error, code = self.run_program(*words)
            self.assertEqual((output, code), ("", 2), error)
            self.assertIn(problem, error)

    def test_warp_size_is_a_constant_until_rocm_7(self):
        self.write(CONSTANT)
        self.assertEqual(self.output("my.hip", "--rocm", "5"), "224 5 1\n")
        self.assertEqual(self.output("my.hip", "--rocm", "6", "--warp-size", "64"), "192 6 1\n")
        output, error, code = self.run_program("my.hip", "--rocm", "7")
        self.assertEqual((output, code), ("", 5))
        self.assertIn("my.hip:4:", error)

    def test_the_macro_of_the_warp_size_is_gone_in_rocm_7(self):
        self.write(WAVEFRONT)
        for rocm, seen in (((), "32 lanes, HIP 6.2\n"), (("--rocm", "5"), "32 lanes, HIP 5.7\n"),
                           (("--rocm", "7"), "HIP 7.0\n")):
            self.assertIn(seen, self.run_program("my.hip", *rocm)[0])

    def test_rocm_6_has_no_gcn_arch(self):
        self.write(SEEN)
        output, error, code = self.run_program("my.hip", "--rocm", "6", "--warp-size", "64")
        self.assertEqual((output, code), ("", 5))
        self.assertIn("'gcnArch' is unavailable: ROCm 6 has removed it: use gcnArchName", error)

    def test_a_name_that_is_not_there_says_what_to_use(self):
        self.write(REFUSED)
        output, error, code = self.run_program("my.hip")
        self.assertEqual((output, code), ("", 5))
        self.assertIn("my.hip:4:10: error: 'hipGraphKernelNodePortProgrammatic' is unavailable: a form that the CPU machine does not have", error)


if __name__ == "__main__":
    main()
