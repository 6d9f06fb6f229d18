// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices of options: much arithmetic for each element.
#include "program.hpp"

__global__ void price(const float* prices, const float* strikes, float* calls, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const float years = 2, rate = 0.02f, volatility = 0.3f, width = volatility * sqrtf(years);
  const float a = (logf(prices[i] / strikes[i]) + (rate + volatility * volatility / 2) * years) / width;
  calls[i] = prices[i] * normcdff(a) - strikes[i] * expf(-rate * years) * normcdff(a - width);
}

int main() {
  const int size = 1 << 19;
  std::vector<float> prices = numbers<float>(size, 100), strikes = numbers<float>(size, 100, 2);
  for (int i = 0; i < size; ++i) prices[i] += 10, strikes[i] += 10;
  const device_array<float> on_prices(prices), on_strikes(strikes), calls(size);
  price<<<size / 256, 256>>>(on_prices, on_strikes, calls, size);
  const std::vector<float> found = calls.values();
  bool is_right = true;
  for (int i = 0; i < size; ++i) {
    const double width = 0.3 * std::sqrt(2.0), a = (std::log(prices[i] / strikes[i]) + (0.02 + 0.045) * 2) / width;
    const double expected = prices[i] * std::erfc(-a / std::sqrt(2.0)) / 2 -
                            strikes[i] * std::exp(-0.04) * std::erfc(-(a - width) / std::sqrt(2.0)) / 2;
    if (!(std::fabs(found[i] - expected) <= 1e-3)) is_right = false;
  }
  return finish(is_right);
}
