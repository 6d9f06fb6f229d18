// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By these functions code for the CPU machine reports to the checks of --check all what the loads and stores that the
// compiler instruments do not show. In a run without these checks they do next to nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {

/// For a collective_op: what these lanes did before happens before what all of them do after. Collectives that do not
/// order memory do not call it.
SIMT_API void order_memory(lane_mask lanes);

/// The running lane releases through `word` what it has done so far: a lane that reads the word with an acquiring
/// atomic, or reads it and then passes a fence, sees it.
SIMT_API void release_word(const void* word);

/// The running lane acquires what was released through `word`.
SIMT_API void acquire_word(const void* word);

/// These bytes may be read before anybody writes them.
SIMT_API void allow_unwritten(const void* memory, std::size_t bytes);

/// An atomic that is made of a load and a compare-and-swap changes these bytes by their value, or leaves them as they
/// are, at the line that calls this.
SIMT_API void use_value(const void* memory, std::size_t bytes);

/// Whether code of these headers checks what it is called with: only where accesses are checked, too.
#ifdef SIMT_INSTRUMENTED
inline constexpr bool checks_operands = true;
#else
inline constexpr bool checks_operands = false;
#endif

/// The running lane calls an operation with an operand that its documentation excludes. `rule` says so, with %d for the
/// operand.
SIMT_API void report_operand(const char* rule, int operand, const site& at);

/// What a call asks for that its segment of the warp does not have.
enum class excess : unsigned char { none, lane, distance };

/// The argument of an operation that reads another lane, as one word. Below the first byte, all is 0 unless the call
/// asks for too much.
struct lane_request {
  unsigned char lane;  ///< that it reads
  excess beyond;
  unsigned char width;  ///< lanes of the segment
  std::int32_t asked;

  std::uint64_t word() const {
    return lane | std::uint64_t{static_cast<unsigned char>(beyond)} << 8 | std::uint64_t{width} << 16 |
           std::uint64_t{static_cast<std::uint32_t>(asked)} << 32;
  }
  static lane_request of(std::uint64_t word) {
    return {static_cast<unsigned char>(word), static_cast<excess>(word >> 8 & 0xff),
            static_cast<unsigned char>(word >> 16), static_cast<std::int32_t>(word >> 32)};
  }
};

/// For a collective_op: what `lane` of `group` gets, which asks for too much and would get `word`.
SIMT_API std::uint64_t result_beyond(const collective_slots& operands, lane_mask group, unsigned lane,
                                     std::uint64_t word);

/// The running lane copies these bytes, at the line that calls this.
SIMT_API void note_copy(void* target, const void* source, std::size_t bytes);

/// The running lane accesses the vector of so many bytes there next, element by element, and a GPU by one instruction.
SIMT_API void note_vector(const void* at, std::size_t bytes, bool is_written);

/// The running lane reads or writes these bytes of an array, for the code at this address.
SIMT_API void note_element(const void* at, std::size_t bytes, bool is_written, const void* code);

/// A memcpy of the machine's, which is not checked.
SIMT_API void copy_unchecked(void* target, const void* source, std::size_t bytes);

/// While one exists, accesses of the running lane are not checked: bookkeeping that is not part of the kernel.
class unchecked_scope {
 public:
  unchecked_scope() { enter(); }
  ~unchecked_scope() { leave(); }
  unchecked_scope(const unchecked_scope&) = delete;
  unchecked_scope& operator=(const unchecked_scope&) = delete;

 private:
  static SIMT_OWN_CODE void enter() { ++this_lane->unchecked_scopes; }
  static SIMT_OWN_CODE void leave() { --this_lane->unchecked_scopes; }
};

/// This process contains instrumented code.
void note_instrumented_code();
SIMT_API bool has_instrumented_code();

}  // namespace simt

SIMT_BOTH_SIDES_END
