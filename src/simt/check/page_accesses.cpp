// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/page_accesses.hpp"

#include <thread>

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

void shared_page::keep(const std::byte* page, std::size_t first, std::size_t last) {
  const guard alone(*this);
  if (kept_ != nullptr) return;
  kept_begin_ = first;
  kept_.reset(new std::byte[last - first]);
  std::memcpy(kept_.get(), page + first, last - first);
}

bool shared_page::add(const page_bytes_set& read, const page_bytes_set& written) {
  const guard alone(*this);
  std::uint64_t met = 0;
  for (unsigned i = 0; i < page_bytes_set::words; ++i) {
    met |= (written[i] & (written_[i] | read_[i])) | (read[i] & written_[i]);
    read_[i] |= read[i];
    written_[i] |= written[i];
  }
  return met == 0;
}

void shared_page::restore(std::byte* page) const {
  if (kept_ == nullptr) return;
  written_.for_each_row([&](std::size_t offset, std::size_t size) {
    std::memcpy(page + offset, kept_.get() + (offset - kept_begin_), size);
  });
}

void shared_page::clear() {
  kept_.reset();
  read_.clear();
  written_.clear();
}

}  // namespace simt::check
