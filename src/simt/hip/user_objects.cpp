// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/user_objects.hpp"

#include <algorithm>
#include <climits>

#include "simt/hip/errors.hpp"
#include "simt/hip/graph.hpp"
#include "simt/hip/handles.hpp"

struct hipUserObject {
  void* data;
  hipHostFn_t destroy;
  unsigned references;
};

namespace simt {
namespace {

handles<hipUserObject>& objects() {
  // Never destroyed: static objects of the program may hold references.
  static auto* const all = new handles<hipUserObject>;
  return *all;
}

bool is_count(unsigned references) { return references != 0 && references <= INT_MAX; }

hipError_t retain(hipUserObject_t object, unsigned references) {
  const bool is_known = is_count(references) && objects().update(object, [references](hipUserObject& each) {
    each.references += references;
    return true;
  });
  return is_known ? hipSuccess : hipErrorInvalidValue;
}

hipError_t release(hipUserObject_t object, unsigned references) {
  hipUserObject left{};
  const bool is_known = is_count(references) && objects().update(object, [&](hipUserObject& each) {
    each.references -= std::min(each.references, references);
    left = each;
    return true;
  });
  if (!is_known) return hipErrorInvalidValue;
  if (left.references != 0) return hipSuccess;
  objects().remove(object);
  left.destroy(left.data);
  return hipSuccess;
}

}  // namespace

held_objects& held_objects::operator=(const held_objects& other) {
  for (const auto& [object, references] : other.counts_) {
    if (retain(object, references) == hipSuccess) add(object, references);
  }
  return *this;
}

held_objects::~held_objects() {
  for (const auto& [object, references] : counts_) static_cast<void>(simt::release(object, references));
}

bool held_objects::release(hipUserObject_t object, unsigned references) {
  const auto found = counts_.find(object);
  if (found == counts_.end() || found->second < references) return false;
  found->second -= references;
  if (found->second == 0) counts_.erase(found);
  return simt::release(object, references) == hipSuccess;
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipUserObjectCreate(hipUserObject_t* object, void* data, hipHostFn_t destroy, unsigned references,
                               unsigned flags) {
  if (object == nullptr || destroy == nullptr || !simt::is_count(references) ||
      flags != hipUserObjectNoDestructorSync) {
    return finish(hipErrorInvalidValue);
  }
  *object = simt::objects().add({data, destroy, references});
  return hipSuccess;
}

hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned references) {
  return finish(simt::retain(object, references));
}

hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned references) {
  return finish(simt::release(object, references));
}

hipError_t hipGraphRetainUserObject(hipGraph_t handle, hipUserObject_t object, unsigned references, unsigned flags) {
  const std::lock_guard<std::mutex> lock(simt::lock_of_graphs());
  simt::graph* const nodes = simt::find_graph(handle);
  if (nodes == nullptr || (flags & ~unsigned{hipGraphUserObjectMove}) != 0) return finish(hipErrorInvalidValue);
  if (!simt::is_count(references) || !simt::objects().find(object)) return finish(hipErrorInvalidValue);
  if (flags == 0) simt::retain(object, references);
  nodes->objects().add(object, references);
  return hipSuccess;
}

hipError_t hipGraphReleaseUserObject(hipGraph_t handle, hipUserObject_t object, unsigned references) {
  const std::lock_guard<std::mutex> lock(simt::lock_of_graphs());
  simt::graph* const nodes = simt::find_graph(handle);
  const bool is_held = nodes != nullptr && nodes->objects().release(object, references);
  return finish(is_held ? hipSuccess : hipErrorInvalidValue);
}

}  // namespace hip_on_cpu
