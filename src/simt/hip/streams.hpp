// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events as the other HIP calls see them. All work is done when its call returns, so they hold
// nothing but what can be asked of them.
#pragma once

#include <hip/hip_runtime_api.h>

namespace simt {

/// Whether work can be given to it: null, one of HIP's two names for it, or created and not destroyed.
bool is_stream(hipStream_t stream);

/// The default stream that all threads share.
inline bool is_null_stream(hipStream_t stream) { return stream == nullptr || stream == hipStreamLegacy; }

/// The device of a stream that is_stream() accepts.
int device_of(hipStream_t stream);

/// The flags that it was created with.
unsigned flags_of(hipStream_t stream);

/// Created and not destroyed.
bool is_event(hipEvent_t event);

/// The flags that it was created with.
unsigned flags_of(hipEvent_t event);

hipError_t record_event(hipEvent_t event, hipStream_t stream);

/// Whether it is a hint that can be given.
bool is_right(const hipAccessPolicyWindow& window);

/// Destroys the streams and events of a device.
void destroy_streams_and_events(int device);

}  // namespace simt
