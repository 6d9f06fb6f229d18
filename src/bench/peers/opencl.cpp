// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel of kernels.cl on the first device of an OpenCL platform: `opencl PLATFORM kernels.cl KERNEL N
// LAUNCHES`. PLATFORM is a part of the platform's name.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "problems.hpp"

namespace {

void need(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s failed with %d\n", call, status);
  std::exit(1);
}

cl_platform_id platform_of(const std::string& name) {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  need(clGetPlatformIDs(8, platforms, &count), "clGetPlatformIDs");
  for (cl_uint i = 0; i < count && i < 8; ++i) {
    char found[128] = {};
    need(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof found - 1, found, nullptr), "clGetPlatformInfo");
    if (std::string(found).find(name) != std::string::npos) return platforms[i];
  }
  std::fprintf(stderr, "there is no OpenCL platform %s\n", name.c_str());
  std::exit(1);
}

}  // namespace

int main(int count, char** words) {
  if (count != 6) return 2;
  std::ifstream file(words[2]);
  const std::string source((std::istreambuf_iterator<char>(file)), {});
  std::string name = words[3];
  const problem given = problem_of(name, std::strtoul(words[4], nullptr, 10));
  std::replace(name.begin(), name.end(), '-', '_');

  cl_device_id device = nullptr;
  need(clGetDeviceIDs(platform_of(words[1]), CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_int status = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  need(status, "clCreateContext");
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  need(status, "clCreateCommandQueue");
  const char* text = source.c_str();
  const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
  need(status, "clCreateProgramWithSource");
  need(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  const cl_kernel kernel = clCreateKernel(program, name.c_str(), &status);
  need(status, "clCreateKernel");

  std::vector<std::uint32_t> output(given.expected.size());
  cl_uint next_argument = 0;
  const auto add_buffer = [&](const auto& values) {
    const std::size_t bytes = values.size() * sizeof values[0];
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
    need(status, "clCreateBuffer");
    need(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr), "writing");
    need(clSetKernelArg(kernel, next_argument++, sizeof buffer, &buffer), "clSetKernelArg");
    return buffer;
  };
  const cl_mem out = add_buffer(output);
  add_buffer(given.first);
  if (!given.second.empty()) add_buffer(given.second);
  need(clSetKernelArg(kernel, next_argument, sizeof given.size, &given.size), "clSetKernelArg");
  std::size_t global[2], local[2];
  for (int i = 0; i < 2; ++i) {
    local[i] = given.threads[i];
    global[i] = local[i] * given.blocks[i];
  }
  const auto clear = [&] {
    const std::size_t bytes = output.size() * sizeof output[0];
    need(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, bytes, output.data(), 0, nullptr, nullptr), "clearing");
  };
  const double milliseconds = milliseconds_of(std::strtoul(words[5], nullptr, 10), clear, [&] {
    need(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr), "launching");
    need(clFinish(queue), "the kernel");
  });
  need(
      clEnqueueReadBuffer(queue, out, CL_TRUE, 0, output.size() * sizeof output[0], output.data(), 0, nullptr, nullptr),
      "reading");
  return judge(given, output, milliseconds);
}
