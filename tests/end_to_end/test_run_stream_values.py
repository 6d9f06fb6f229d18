# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs whose streams write values and wait for them; in HIP's form and in that of CUDA's driver."""

from kernel_support import RunTest
from skips import main
from test_run_pools import CHECK

BEGIN = """\
#include <hip/hip_runtime.h>
#include <cstdio>
#include <thread>
""" + CHECK + """\
void tell(hipError_t code) { printf("%s\\n", hipGetErrorName(code)); }
__global__ void fill(int* out, int factor) { out[threadIdx.x] = factor * (int)threadIdx.x; }
__global__ void add(int* out, const int* in) { out[threadIdx.x] += in[threadIdx.x]; }
__global__ void give(unsigned* flag, unsigned value) { atomicExch(flag, value); }
struct order {
  hipStream_t first, second;
  unsigned* flag;
  int* data;
  int host[64];
  hipError_t begin() {
    hipStreamCreateWithFlags(&first, hipStreamNonBlocking);
    hipStreamCreateWithFlags(&second, hipStreamNonBlocking);
    hipExtMallocWithFlags((void**)&flag, 8, hipMallocSignalMemory);
    hipMemset(flag, 0, 8);
    hipError_t code = hipMalloc(&data, sizeof host);
    hipDeviceSynchronize();
    return code;
  }
  hipError_t end() {
    hipStreamDestroy(first);
    hipStreamDestroy(second);
    hipFree(flag);
    return hipFree(data);
  }
};
"""

# The wait comes before the value, or behind it; the value is the other stream's, a kernel's or the host's.
ORDERS = BEGIN + """\
int main() {
  order o;
  CHECK(o.begin());
  int there = 0;
  CHECK(hipDeviceGetAttribute(&there, hipDeviceAttributeCanUseStreamWaitValue, 0));
  long sum = there;
  for (unsigned way = 1; way <= 6; ++way) {
    const bool wait_first = way % 2 == 1;
    if (wait_first) CHECK(hipStreamWaitValue32(o.second, o.flag, way, hipStreamWaitValueEq));
    if (wait_first) add<<<1, 64, 0, o.second>>>(o.data, o.data);
    if (wait_first) tell(hipStreamQuery(o.second));
    fill<<<1, 64, 0, o.first>>>(o.data, way);
    if (way <= 2) CHECK(hipStreamWriteValue32(o.first, o.flag, way, 0));
    if (way == 3 || way == 4) give<<<1, 1, 0, o.first>>>(o.flag, way);
    if (way >= 5) CHECK(hipStreamSynchronize(o.first));
    if (way >= 5) CHECK(hipMemcpy(o.flag, &way, sizeof way, hipMemcpyHostToDevice));
    if (!wait_first) CHECK(hipStreamWaitValue32(o.second, o.flag, way, hipStreamWaitValueEq));
    if (!wait_first) add<<<1, 64, 0, o.second>>>(o.data, o.data);
    CHECK(hipMemcpyAsync(o.host, o.data, sizeof o.host, hipMemcpyDeviceToHost, o.second));
    CHECK(hipStreamSynchronize(o.second));
    sum += o.host[63];
  }
  printf("%ld\\n", sum);
  CHECK(o.end());
}
"""
# 2 * 63 * (1 + 2 + ... + 6) + 1
OF_ORDERS = ["hipErrorNotReady"] * 3 + ["2647"]

# Of two streams that wait, the host waits for one; a thread writes what the other waits for.
APART = BEGIN + """\
int main() {
  order o;
  CHECK(o.begin());
  unsigned long long* pinned;
  CHECK(hipHostMalloc(&pinned, sizeof *pinned));
  *pinned = 0;
  CHECK(hipStreamWaitValue64(o.second, pinned, 1ull << 40, hipStreamWaitValueGte));
  fill<<<1, 64, 0, o.second>>>(o.data, 5);
  int* other;
  CHECK(hipMalloc(&other, 256));
  fill<<<1, 64, 0, o.first>>>(other, 2);
  CHECK(hipMemcpyAsync(o.host, other, 256, hipMemcpyDeviceToHost, o.first));
  CHECK(hipStreamSynchronize(o.first));
  printf("%d %s\\n", o.host[63], hipGetErrorName(hipStreamQuery(o.second)));
  std::thread writer([=] { *(volatile unsigned long long*)pinned = 1ull << 41; });
  CHECK(hipStreamSynchronize(o.second));
  writer.join();
  CHECK(hipMemcpy(o.host, o.data, 256, hipMemcpyDeviceToHost));
  printf("%d\\n", o.host[63]);
  CHECK(hipFree(other));
  CHECK(hipHostFree(pinned));
  CHECK(o.end());
}
"""

# All conditions, each with a value that meets it and one that does not; and what is refused.
CONDITIONS = BEGIN + """\
int main() {
  order o;
  CHECK(o.begin());
  const struct { unsigned condition, value, mask, no, yes; } all[] = {
      {hipStreamWaitValueGte, 7, 0xff, 0x1006, 0x1007}, {hipStreamWaitValueEq, 7, 0xff, 8, 0x1007},
      {hipStreamWaitValueAnd, 6, 0xfc, 3, 4}, {hipStreamWaitValueNor, 0xf0, 0xff, 0xf0f, 0xf0e}};
  for (const auto& each : all) {
    CHECK(hipStreamWriteValue32(o.first, o.flag, each.no, 0));
    CHECK(hipStreamWaitValue32(o.second, o.flag, each.value, each.condition, each.mask));
    const hipError_t before = hipStreamQuery(o.second);
    CHECK(hipStreamWriteValue32(o.first, o.flag, each.yes, 0));
    CHECK(hipStreamSynchronize(o.second));
    printf("%s %s\\n", hipGetErrorName(before), hipGetErrorName(hipStreamQuery(o.second)));
  }
  CHECK(hipStreamWriteValue64(o.first, o.flag, ~0ull, 0));
  CHECK(hipStreamWriteValue32(o.first, o.flag, 5, 0));
  unsigned long long seen = 0;
  CHECK(hipMemcpyAsync(&seen, o.flag, sizeof seen, hipMemcpyDeviceToHost, o.first));
  CHECK(hipStreamSynchronize(o.first));
  printf("%llx\\n", seen);
  unsigned local = 0;
  const hipStream_t gone = o.second;
  tell(hipStreamWriteValue32(o.first, nullptr, 1, 0));
  tell(hipStreamWriteValue32(o.first, &local, 1, 0));
  tell(hipStreamWriteValue64(o.first, o.flag + 1, 1, 0));
  tell(hipStreamWaitValue32(o.first, nullptr, 1, 0));
  tell(hipStreamWaitValue32(o.first, o.flag, 1, 4));
  CHECK(o.end());
  tell(hipStreamWriteValue32(gone, o.flag, 1, 0));
}
"""
VALUE = "hipErrorInvalidValue"
OF_CONDITIONS = ["hipErrorNotReady hipSuccess"] * 4 + ["ffffffff00000005"] + [VALUE] * 6

WRONG = BEGIN + """\
int main() {
  order o;
  CHECK(o.begin());
  fill<<<1, 64, 0, o.first>>>(o.data, 1);
  CHECK(hipStreamWriteValue32(o.first, o.flag, 1, 0));
  WAIT
  add<<<1, 64, 0, o.second>>>(o.data, o.data);
  CHECK(hipStreamSynchronize(o.second));
  CHECK(hipStreamSynchronize(o.first));
  CHECK(o.end());
}
"""

CUDA = """\
#include <cuda.h>
#include <cstdio>
#define CHECK(call) if (const CUresult code = (call)) { printf("%s: %d\\n", #call, code); return 1; }
__global__ void fill(int* out) { out[threadIdx.x] = 3 * threadIdx.x; }
int main() {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CUstream first, second;
  CUdeviceptr flag, data;
  CHECK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  CHECK(cuMemAlloc(&flag, 8));
  CHECK(cuMemAlloc(&data, 256));
  CHECK(cuMemsetD32(flag, 0, 2));
  CHECK(cuCtxSynchronize());
  CHECK(cuStreamWaitValue32(second, flag, 1, CU_STREAM_WAIT_VALUE_GEQ));
  CHECK(cuStreamWaitValue64(second, flag, 1, CU_STREAM_WAIT_VALUE_AND));
  int host[64];
  fill<<<1, 64, 0, first>>>((int*)data);
  CHECK(cuStreamWriteValue32(first, flag, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  CHECK(cuStreamWriteValue64(first, flag, 3, CU_STREAM_WRITE_VALUE_DEFAULT));
  CHECK(cuMemcpyDtoHAsync(host, data, sizeof host, second));
  CHECK(cuStreamSynchronize(second));
  printf("%d\\n", host[63]);
  CHECK(cuMemFree(flag));
  CHECK(cuMemFree(data));
  CHECK(cuStreamDestroy(first));
  CHECK(cuStreamDestroy(second));
  CHECK(cuDevicePrimaryCtxRelease(device));
}
"""


# One stream waits for two values that the other one's batch writes behind its kernel, each of its own width.
BATCH = BEGIN + """\
hipStreamBatchMemOpParams made(hipStreamBatchMemOpType type, void* address, unsigned long long value, unsigned flags) {
  hipStreamBatchMemOpParams one = {};
  one.operation = type;
  if (type == hipStreamMemOpBarrier || type == hipStreamMemOpFlushRemoteWrites) return one;
  one.waitValue.address = (hipDeviceptr_t)address;
  if (type == hipStreamMemOpWaitValue32 || type == hipStreamMemOpWriteValue32) one.waitValue.value = value;
  else one.waitValue.value64 = value;
  one.waitValue.flags = flags;
  return one;
}
int main() {
  order o;
  unsigned long long* wide;
  CHECK(o.begin());
  CHECK(hipExtMallocWithFlags((void**)&wide, 8, hipMallocSignalMemory));
  CHECK(hipMemset(wide, 0, 8));
  CHECK(hipDeviceSynchronize());
  hipStreamBatchMemOpParams waits[] = {made(hipStreamMemOpWaitValue32, o.flag, 7, hipStreamWaitValueEq),
                                       made(hipStreamMemOpWaitValue64, wide, 1ull << 40, hipStreamWaitValueGte)};
  hipStreamBatchMemOpParams writes[] = {made(hipStreamMemOpBarrier, nullptr, 0, 0),
                                        made(hipStreamMemOpWriteValue32, o.flag, 7, 0),
                                        made(hipStreamMemOpWriteValue64, wide, (1ull << 40) + 5, 0),
                                        made(hipStreamMemOpFlushRemoteWrites, nullptr, 0, 0)};
  CHECK(hipStreamBatchMemOp(o.second, 2, waits, 0));
  add<<<1, 64, 0, o.second>>>(o.data, o.data);
  tell(hipStreamQuery(o.second));
  fill<<<1, 64, 0, o.first>>>(o.data, 3);
  // A wrong one keeps all from being done.
  writes[3].operation = (hipStreamBatchMemOpType)99;
  tell(hipStreamBatchMemOp(o.first, 4, writes, 0));
  writes[3] = made(hipStreamMemOpWriteValue32, &o, 1, 0);
  tell(hipStreamBatchMemOp(o.first, 4, writes, 0));
  CHECK(hipStreamSynchronize(o.first));
  tell(hipStreamQuery(o.second));
  CHECK(hipStreamBatchMemOp(o.first, 3, writes, 0));
  CHECK(hipMemcpyAsync(o.host, o.data, sizeof o.host, hipMemcpyDeviceToHost, o.second));
  CHECK(hipStreamSynchronize(o.second));
  unsigned long long value = 0;
  unsigned flag = 0;
  CHECK(hipMemcpy(&value, wide, 8, hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(&flag, o.flag, 4, hipMemcpyDeviceToHost));
  printf("%d %u %llu\\n", o.host[63], flag, value);
  tell(hipStreamBatchMemOp(o.first, 0, writes, 0));
  tell(hipStreamBatchMemOp(o.first, 1, nullptr, 0));
  tell(hipStreamBatchMemOp(o.first, 1, writes, 1));
  CHECK(hipFree(wide));
  CHECK(o.end());
}
"""
OF_BATCH = ["hipErrorNotReady", *["hipErrorInvalidValue"] * 2, "hipErrorNotReady", f"{2 * 3 * 63} 7 {(1 << 40) + 5}",
            *["hipErrorInvalidValue"] * 3]

# The same by CUDA's driver: the value is there before the wait.
CUDA_BATCH = """\
#include <cuda.h>
#include <cstdio>
int main() {
  CUdevice device;
  CUcontext context;
  CUdeviceptr flag;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  cuMemAlloc(&flag, 8);
  cuMemsetD32(flag, 0, 2);
  CUstreamBatchMemOpParams both[2] = {};
  both[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  both[0].writeValue.address = flag;
  both[0].writeValue.value64 = 1ull << 33;
  both[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
  both[1].waitValue.address = flag;
  both[1].waitValue.value64 = 1ull << 33;
  both[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  const CUresult code = cuStreamBatchMemOp(nullptr, 2, both, 0);
  unsigned long long value = 0;
  cuMemcpyDtoH(&value, flag, 8);
  std::printf("%d %llu\\n", (int)code, value);
  cuMemFree(flag);
  return cuDevicePrimaryCtxRelease(device);
}
"""


class StreamValues(RunTest):
    def assert_prints(self, program, lines, file="v.hip"):
        self.write(program, file)
        for options in (["--warp-size", "32"], ["--warp-size", "64"], ["--check", "off"]):
            self.assertEqual(self.run_program(file, *options), ("".join(f"{each}\n" for each in lines), "", 0))

    def found(self, wait, *words):
        self.write(WRONG.replace("WAIT", wait), "wrong.hip")
        _, err, code = self.run_program("wrong.hip", *words)
        return err, code

    def test_order_streams(self):
        self.assert_prints(ORDERS, OF_ORDERS)

    def test_hold_up_one_stream_alone(self):
        self.assert_prints(APART, ["126 hipErrorNotReady", "315"])

    def test_meet_conditions(self):
        self.assert_prints(CONDITIONS, OF_CONDITIONS)

    def test_have_cuda_s_names(self):
        self.assert_prints(CUDA, ["189"], "v.cu")

    def test_are_given_in_a_batch(self):
        self.assert_prints(BATCH, OF_BATCH)
        self.assert_prints(CUDA_BATCH, [f"0 {1 << 33}"], "v.cu")

    def test_order_only_what_waits(self):
        self.assertEqual(self.found("CHECK(hipStreamWaitValue32(o.second, o.flag, 1, hipStreamWaitValueGte));"), ("", 0))
        err, code = self.found("")
        self.assertEqual(code, 3)
        self.assertIn("nothing orders", err)

    def test_that_nobody_writes_end_the_program(self):
        for words in ([], ["--check", "off"]):
            err, code = self.found("CHECK(hipStreamWaitValue32(o.second, o.flag, 2, hipStreamWaitValueEq));", "--timeout", "1",
                                   *words)
            self.assertEqual(code, 3)
            self.assertIn("a stream waits for a value that nobody has written for 1 second", err)
            self.assertIn("Let a stream, a kernel or the host write the value, before the host waits for the stream.", err)
            self.assertIn(f"wrong.hip:{1 + WRONG[:WRONG.index('WAIT')].count(chr(10))}", err)


if __name__ == "__main__":
    main()
