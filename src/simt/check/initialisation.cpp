// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/initialisation.hpp"

namespace simt::check {
namespace {

/// So many reads of a block are remembered. Others count as used.
constexpr std::size_t max_reads = 4096;

constexpr std::uintptr_t bytes_of_word = 4;

/// Calls the function with the address of each word that the bytes are part of.
template <class Function>
void for_each_word(std::uintptr_t address, std::size_t size, Function function) {
  for (std::uintptr_t word = address / bytes_of_word * bytes_of_word; word < address + size; word += bytes_of_word)
    function(word);
}

}  // namespace

void initialisation::put(std::uintptr_t address, std::size_t size, std::uint64_t token) {
  if (token != 0) for_each_word(address, size, [&](std::uintptr_t word) { moved_to_[word] = token; });
}

/// An access to shared memory while values of no origin are somewhere in it.
void initialisation::access_moved(checked_block& block, checked_access event) {
  std::uint64_t token = 0;
  for_each_word(event.address, event.size, [&](std::uintptr_t word) {
    const auto moved = moved_to_.find(word);
    if (moved != moved_to_.end()) token = moved->second;
  });
  if (reads(event.kind)) {
    if (token != 0 && event.moved != nullptr) {
      *event.moved = token;
    } else if (token != 0) {
      use(block, token);
    } else if (!event.holds_value) {
      read_unwritten(block, event);
    }
  }
  if (writes(event.kind) && token != 0)
    for_each_word(event.address, event.size, [&](std::uintptr_t word) { moved_to_.erase(word); });
}

void initialisation::read_unwritten(checked_block& block, checked_access event) {
  const page_view* const page = event.memory->of_page;
  if (page != nullptr && has_earlier_write(*page->memory, event.address, event.size)) return;
  const access_finding found = finding_of(WARPZ_UNINITIALISED_READ, event);
  if (event.moved == nullptr || reads_.size() == max_reads) return unwritten_reads::add(*block.current, found);
  reads_.push_back(found);
  *event.moved = reads_.size();
}

}  // namespace simt::check
