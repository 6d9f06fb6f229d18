// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/images.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "simt/hip/stream_order.hpp"

namespace simt {
namespace {

template <class Record>
struct registered {
  const warpz_device_image* image;
  const Record* record;
};

template <class Record>
using registered_by_address = std::map<const void*, registered<Record>>;

struct known_images {
  std::mutex one_thread;
  registered_by_address<warpz_kernel_code> kernels;
  registered_by_address<warpz_device_variable> variables;
};

/// Never destroyed: a program's static objects may launch kernels late.
known_images& images() {
  static auto* const known = new known_images;
  return *known;
}

template <class Record>
const Record* find(const Record* records, std::uint32_t count, const char* symbol) {
  const Record* const end = records + count;
  const auto has_symbol = [symbol](const Record& each) { return std::strcmp(each.symbol, symbol) == 0; };
  const Record* const found = std::find_if(records, end, has_symbol);
  return found != end ? found : nullptr;
}

const warpz_device_variable* find_variable(const warpz_device_image& image, const char* symbol) {
  return find(image.variables, image.variable_count, symbol);
}

template <class Record>
void forget(registered_by_address<Record>& known, const warpz_device_image& image) {
  for (auto each = known.begin(); each != known.end();) {
    each = each->second.image == &image ? known.erase(each) : std::next(each);
  }
}

template <class Record>
const Record* at(const registered_by_address<Record>& known, const void* address) {
  const auto found = known.find(address);
  return found != known.end() ? found->second.record : nullptr;
}

}  // namespace

void register_image(const warpz_device_image& image) {
  if (image.version != WARPZ_DEVICE_IMAGE_VERSION) {
    std::fprintf(stderr, "warpz: device code of version %u, and this is version %u: compile it again\n", image.version,
                 static_cast<unsigned>(WARPZ_DEVICE_IMAGE_VERSION));
    std::exit(1);
  }
  known_images& all = images();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  for (std::uint32_t i = 0; i < image.kernel_count; ++i) {
    all.kernels[&image.kernels[i]] = {&image, &image.kernels[i]};
  }
}

void forget_image(const warpz_device_image& image) {
  known_images& all = images();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  forget(all.kernels, image);
  forget(all.variables, image);
}

void register_kernel(const warpz_device_image& image, const void* host, const char* symbol) {
  const warpz_kernel_code* const code = find(image.kernels, image.kernel_count, symbol);
  if (code == nullptr) return;
  known_images& all = images();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  all.kernels[host] = {&image, code};
}

void register_variable(const warpz_device_image& image, const void* host, const char* symbol) {
  const warpz_device_variable* const variable = find_variable(image, symbol);
  if (variable == nullptr) return;
  known_images& all = images();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  all.variables[host] = {&image, variable};
}

void register_managed(const warpz_device_image& image, void** host, const char* symbol) {
  // Clang's device code has the variable itself by a name of its own, and reads its address from a pointer.
  char name_of_memory[4096];
  std::snprintf(name_of_memory, sizeof name_of_memory, "%s.managed", symbol);
  const warpz_device_variable* const memory = find_variable(image, name_of_memory);
  const warpz_device_variable* const pointer = find_variable(image, symbol);
  if (memory == nullptr || pointer == nullptr) return;
  note_memory_of_both(memory->address, memory->bytes);
  *host = memory->address;
  *static_cast<void**>(pointer->address) = memory->address;
  known_images& all = images();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  all.variables[memory->address] = {&image, memory};
}

const warpz_kernel_code* kernel_at(const void* address) {
  known_images& all = images();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  return at(all.kernels, address);
}

bool is_variable(const void* host) {
  known_images& all = images();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  return at(all.variables, host) != nullptr;
}

void* device_address(const void* host) {
  known_images& all = images();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  const warpz_device_variable* const variable = at(all.variables, host);
  return variable != nullptr ? variable->address : const_cast<void*>(host);
}

}  // namespace simt
