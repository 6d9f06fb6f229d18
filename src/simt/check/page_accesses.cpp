// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/page_accesses.hpp"

#include <cstring>
#include <thread>
#include <utility>

namespace simt::check {

/// Held for less time than a switch of threads takes.
class shared_page::guard {
 public:
  explicit guard(shared_page& page) : is_locked_(page.is_locked_) {
    while (is_locked_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  ~guard() { is_locked_.store(false, std::memory_order_release); }
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;

 private:
  std::atomic<bool>& is_locked_;
};

void page_bytes_set::add_many(std::size_t offset, std::size_t size) {
  for (; size > 64; offset += 64, size -= 64) add(offset, 64);
  add(offset, size);
}

void shared_page::keep(std::byte* kept, const std::byte* bytes, std::size_t size) {
  const guard alone(*this);
  if (std::exchange(is_kept_, true)) return;
  std::memcpy(kept, bytes, size);
}

bool page_bytes_set::has_any_of_many(std::size_t offset, std::size_t size) const {
  for (; size > 64; offset += 64, size -= 64) {
    if (has_any(offset, 64)) return true;
  }
  return has_any(offset, size);
}

bool shared_page::add_changed(std::size_t offset, std::size_t size) {
  const guard alone(*this);
  const bool has_met = read_.has_any(offset, size) || written_.has_any(offset, size);
  written_.add(offset, size);
  return !has_met;
}

bool shared_page::add(const page_bytes_set& read, const page_bytes_set& written, const page_bytes_set& changed) {
  const guard alone(*this);
  std::uint64_t met = 0;
  for (std::uint64_t rest = read.used() | written.used(); rest != 0; rest &= rest - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctzll(rest));
    const std::uint64_t own_read = read[i] & ~changed[i], own_written = written[i] & ~changed[i];
    met |= (own_written & (written_[i] | read_[i])) | (own_read & written_[i]);
    if (own_read != 0) read_.add_to(i, own_read);
    if (own_written != 0) written_.add_to(i, own_written);
  }
  return met == 0;
}

void shared_page::clear() {
  is_known_.store(false, std::memory_order_relaxed);
  is_kept_ = false;
  read_.clear();
  written_.clear();
}

}  // namespace simt::check
