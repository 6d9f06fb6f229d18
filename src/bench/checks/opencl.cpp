// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the kernels of same.cl on the first OpenCL device, with the data and the output of same.hip.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr std::size_t tile = 16, group = 256;

void need(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s failed with %d\n", call, status);
  std::exit(1);
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 29 % 43 % 11) - 5;
  return values;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const std::string which = words[2];
  const std::size_t n = std::strtoul(words[3], nullptr, 10);
  std::ifstream file(words[1]);
  const std::string source((std::istreambuf_iterator<char>(file)), {});

  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  need(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_int status = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  need(status, "clCreateContext");
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  need(status, "clCreateCommandQueue");
  const char* text = source.c_str();
  const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
  need(status, "clCreateProgramWithSource");
  need(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  const cl_kernel kernel = clCreateKernel(program, which.c_str(), &status);
  need(status, "clCreateKernel");

  const bool matmul = which == "matmul";
  const std::size_t inputs = matmul ? n * n : n, outputs = matmul ? n * n : n / group;
  std::vector<float> x = numbers(inputs), result(outputs);
  const auto buffer = [&](std::size_t elements) {
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, elements * sizeof(float), nullptr, &status);
    need(status, "clCreateBuffer");
    return buffer;
  };
  const auto put = [&](cl_mem target) {
    need(clEnqueueWriteBuffer(queue, target, CL_TRUE, 0, inputs * sizeof(float), x.data(), 0, nullptr, nullptr),
         "writing");
  };
  cl_mem out = buffer(outputs), a = buffer(inputs), b = matmul ? buffer(inputs) : nullptr;
  put(a);
  need(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
  need(clSetKernelArg(kernel, 1, sizeof a, &a), "clSetKernelArg");
  std::size_t global[2] = {n, n}, local[2] = {tile, tile};
  if (matmul) {
    put(b);
    const cl_int side = static_cast<cl_int>(n);
    need(clSetKernelArg(kernel, 2, sizeof b, &b), "clSetKernelArg");
    need(clSetKernelArg(kernel, 3, sizeof side, &side), "clSetKernelArg");
  } else {
    local[0] = group;
  }
  const auto begin = std::chrono::steady_clock::now();
  need(clEnqueueNDRangeKernel(queue, kernel, matmul ? 2 : 1, nullptr, global, local, 0, nullptr, nullptr), "launching");
  need(clFinish(queue), "the kernel");
  const auto end = std::chrono::steady_clock::now();
  need(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, outputs * sizeof(float), result.data(), 0, nullptr, nullptr),
       "reading");

  bool right = true;
  for (std::size_t at = 0; at < outputs; at += outputs / 3 + 1) {
    float wanted = 0;
    for (std::size_t i = 0; i < (matmul ? n : group); ++i)
      wanted += matmul ? x[at / n * n + i] * x[i * n + at % n] : x[at * group + i];
    right = right && result[at] == wanted;
  }
  std::printf("%s %.3f ms\n", right ? "right" : "wrong",
              std::chrono::duration<double, std::milli>(end - begin).count());
  return right ? 0 : 1;
}
