// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forces between bodies, whose places go through shared memory.
#include "program.hpp"

__global__ void accelerate(const float4* bodies, float4* forces, int count) {
  __shared__ float4 part[128];
  const float4 mine = bodies[blockIdx.x * 128 + threadIdx.x];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < count; first += 128) {
    part[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      const float dx = part[k].x - mine.x, dy = part[k].y - mine.y, dz = part[k].z - mine.z;
      const float square = dx * dx + dy * dy + dz * dz + 1;
      const float weight = part[k].w / (square * sqrtf(square));
      x += dx * weight;
      y += dy * weight;
      z += dz * weight;
    }
    __syncthreads();
  }
  forces[blockIdx.x * 128 + threadIdx.x] = make_float4(x, y, z, 0);
}

int main() {
  const int count = 2048;
  const std::vector<float> places = numbers<float>(4 * count, 100);
  std::vector<float4> bodies(count);
  for (int i = 0; i < count; ++i) {
    bodies[i] = make_float4(places[4 * i], places[4 * i + 1], places[4 * i + 2], places[4 * i + 3]);
  }
  const device_array<float4> on_bodies(bodies), forces(count);
  for (int repeat = 0; repeat < 4; ++repeat) accelerate<<<count / 128, 128>>>(on_bodies, forces, count);
  const std::vector<float4> found = forces.values();
  bool is_right = true;
  for (int i = 0; i < count; ++i) {
    double x = 0, size = 0;
    for (const float4& other : bodies) {
      const double dx = other.x - bodies[i].x, dy = other.y - bodies[i].y, dz = other.z - bodies[i].z;
      const double square = dx * dx + dy * dy + dz * dz + 1;
      x += dx * other.w / (square * std::sqrt(square));
      size += std::fabs(dx) * other.w / (square * std::sqrt(square));
    }
    if (!(std::fabs(found[i].x - x) <= 1e-4 * size)) is_right = false;
  }
  return finish(is_right);
}
