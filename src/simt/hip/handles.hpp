// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects given to the program as pointers that it must not follow, and that may come back destroyed or made up.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace simt {

template <class T>
class handles {
 public:
  T* add(const T& object) {
    auto added = std::make_unique<T>(object);
    T* const handle = added.get();
    const std::lock_guard<std::mutex> lock(mutex_);
    objects_.emplace(handle, std::move(added));
    return handle;
  }

  /// A copy of the object; nothing for a handle that is not one.
  std::optional<T> find(const T* handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return std::nullopt;
    return *found->second;
  }

  /// What `change` returns for the object; false for a handle that is not one.
  template <class Change>
  bool update(const T* handle, Change change) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = objects_.find(handle);
    return found != objects_.end() && change(*found->second);
  }

  bool remove(const T* handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return objects_.erase(handle) != 0;
  }

  template <class Condition>
  void remove_if(Condition holds) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto each = objects_.begin(); each != objects_.end();) {
      each = holds(*each->second) ? objects_.erase(each) : std::next(each);
    }
  }

 private:
  std::mutex mutex_;
  std::map<const T*, std::unique_ptr<T>> objects_;
};

}  // namespace simt
