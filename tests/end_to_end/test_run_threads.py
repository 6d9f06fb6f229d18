# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs with several threads of the host, each with streams of its own; in HIP's and in CUDA's form."""

import re

from kernel_support import RunTest
from skips import main

THREADS = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <thread>
#include <vector>
#define CHECK(call) if (const hipError_t code = (call)) { printf("%s: %s\\n", #call, hipGetErrorName(code)); return; }
__global__ void add(int* data, int n, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += what;
}
__device__ int counter;
__global__ void count() { atomicAdd(&counter, 1); }
long sums[8];
int errors[8], devices[8];
void work(int t) {
  CHECK(hipSetDevice(0));
  const int n = 4096;
  // Streams of their own that wait for no other, that wait for the default stream, and that each thread has.
  hipStream_t stream = hipStreamPerThread;
  if (t % 3 == 1) CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  if (t % 3 == 2) CHECK(hipStreamCreate(&stream));
  int *data, *pinned;
  CHECK(hipMalloc(&data, n * sizeof(int)));
  CHECK(hipHostMalloc(&pinned, n * sizeof(int)));
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < n; ++i) pinned[i] = i + t;
    CHECK(hipMemcpyAsync(data, pinned, n * sizeof(int), hipMemcpyHostToDevice, stream));
    for (int k = 0; k < 3; ++k) add<<<16, 256, 0, stream>>>(data, n, t + 1);
    count<<<1, 32, 0, stream>>>();
    CHECK(hipMemcpyAsync(pinned, data, n * sizeof(int), hipMemcpyDeviceToHost, stream));
    CHECK(hipStreamSynchronize(stream));
    for (int i = 0; i < n; ++i) sums[t] += pinned[i];
  }
  // Errors and devices are a thread's own.
  if (t == 3 && hipMemcpy(nullptr, data, 4, hipMemcpyDeviceToHost) == hipSuccess) return;
  if (t == 5 && hipSetDevice(7) == hipSuccess) return;
  errors[t] = hipPeekAtLastError();
  if (hipGetLastError() != errors[t] || hipGetLastError() != hipSuccess) return;
  CHECK(hipGetDevice(&devices[t]));
  CHECK(hipFree(data));
  CHECK(hipHostFree(pinned));
  if (t % 3 != 0) CHECK(hipStreamDestroy(stream));
}
int main() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back(work, t);
  for (auto& each : threads) each.join();
  int total = 0;
  if (hipMemcpyFromSymbol(&total, counter, sizeof total) != hipSuccess) return 1;
  for (int t = 0; t < 8; ++t) printf("%ld %d %d\\n", sums[t], errors[t], devices[t]);
  printf("%d %d\\n", total, hipGetLastError());
}
"""


def sum_of(t):
    return 10 * sum(i + t + 3 * (t + 1) for i in range(4096))


CODES = {3: 1, 5: 101}
EXPECTED = "".join(f"{sum_of(t)} {CODES.get(t, 0)} 0\n" for t in range(8)) + f"{8 * 10 * 32} 0\n"

# Two threads hand a buffer over, each of them waits for its own work.
HANDED_OVER = """\
#include <hip/hip_runtime.h>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
__global__ void twice(int* data) { data[threadIdx.x] *= 2; }
std::mutex mutex;
std::condition_variable changed;
int turn = 0;
void work(int me, int* data) {
  for (int round = 0; round < 5; ++round) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return turn % 2 == me; });
    for (int i = 0; i < 64; ++i) data[i] += me;
    twice<<<1, 64, 0, hipStreamPerThread>>>(data);
    WAIT
    ++turn;
    changed.notify_all();
  }
}
int main() {
  int* data;
  if (hipHostMalloc(&data, 64 * sizeof(int)) != hipSuccess) return 1;
  for (int i = 0; i < 64; ++i) data[i] = i;
  std::thread a(work, 0, data), b(work, 1, data);
  a.join();
  b.join();
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  long sum = 0;
  for (int i = 0; i < 64; ++i) sum += data[i];
  printf("%ld\\n", sum);
  if (hipHostFree(data) != hipSuccess) return 1;
}
"""


def handed_over():
    data = list(range(64))
    for turn in range(10):
        data = [2 * (each + turn % 2) for each in data]
    return f"{sum(data)}\n"


# A function that the stream calls starts a thread, which looks at what was copied before.
STARTED = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <thread>
__global__ void fill(int* data) { data[threadIdx.x] = 3 * threadIdx.x; }
std::thread reader;
long sum = 0;
void read(const int* data) { for (int i = 0; i < 64; ++i) sum += data[i]; }
void start(hipStream_t, hipError_t, void* data) { reader = std::thread(read, static_cast<int*>(data)); }
int main() {
  int *data, *host;
  hipStream_t stream;
  if (hipStreamCreate(&stream) != hipSuccess || hipMalloc(&data, 256) != hipSuccess) return 1;
  if (hipHostMalloc(&host, 256) != hipSuccess) return 1;
  fill<<<1, 64, 0, stream>>>(data);
  if (hipMemcpyAsync(host, data, 256, hipMemcpyDeviceToHost, stream) != hipSuccess) return 1;
  if (hipStreamAddCallback(stream, start, host, 0) != hipSuccess || hipStreamSynchronize(stream) != hipSuccess) return 1;
  reader.join();
  printf("%ld\\n", sum);
  if (hipFree(data) != hipSuccess || hipHostFree(host) != hipSuccess || hipStreamDestroy(stream) != hipSuccess) return 1;
}
"""


def in_cuda(text):
    """The same program by CUDA's names."""
    text = text.replace("hipHostMalloc", "cudaMallocHost").replace("hipHostFree", "cudaFreeHost")
    return re.sub(r"#include <hip/hip_runtime.h>\n|\bhip(?=[A-Z])", lambda found: "cuda" if found[0] == "hip" else "", text)


class Threads(RunTest):
    def assert_prints(self, program, expected):
        """In both languages, with both warp sizes."""
        self.write(program, "t.hip")
        self.write(in_cuda(program), "t.cu")
        for file in ("t.hip", "t.cu"):
            for lanes in ("32", "64"):
                self.assertEqual(self.run_program(file, "--warp-size", lanes), (expected, "", 0))

    def test_have_streams_errors_and_devices_of_their_own(self):
        self.assert_prints(THREADS, EXPECTED)

    def test_hand_memory_over(self):
        self.assert_prints(HANDED_OVER.replace("WAIT", "if (hipStreamSynchronize(hipStreamPerThread) != hipSuccess) return;"),
                           handed_over())

    def test_memory_that_is_handed_over_before_its_kernel_has_ended_is_found(self):
        self.write(HANDED_OVER.replace("WAIT", ""), "early.hip")
        _, err, code = self.run_program("early.hip")
        self.assertEqual(code, 3)
        self.assertIn("memory that the kernel twice may still write, as nothing has waited for it", " ".join(err.split()))

    def test_that_a_stream_starts_see_what_came_before(self):
        self.assert_prints(STARTED, f"{3 * 63 * 64 // 2}\n")


if __name__ == "__main__":
    main()
