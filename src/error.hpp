// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one exception type, and the exit codes. Only main turns an exception into the end of the process.
#pragma once

#include <stdexcept>
#include <string>

namespace warpz {

/// The exit code of the process. A test compares docs/exit-codes.md and --help with it.
enum class exit_code : int {
  passed = 0,           ///< every puzzle asked for passed
  wrong_result = 1,     ///< a result is wrong
  bad_input = 2,        ///< the command line or an input is wrong
  broken_rule = 3,      ///< the kernel broke a rule (a finding), crashed, or did not end
  no_device = 4,        ///< the backend or device is not there, or failed
  does_not_compile = 5  ///< the kernel file does not compile
};

/// Something that stops the work: says what happened and, where there is one, what to try.
class error : public std::runtime_error {
 public:
  error(exit_code code, const std::string& what_happened, std::string what_to_try = {})
      : std::runtime_error(what_happened), code_(code), advice_(std::move(what_to_try)) {}
  exit_code code() const { return code_; }
  const std::string& advice() const { return advice_; }

 private:
  exit_code code_;
  std::string advice_;
};

/// A file that is compiled would be written over: no report of this error is written to it.
class compiled_file_kept : public error {
 public:
  using error::error;
};

/// The reader of standard output, such as `head`, has gone away: main ends without a message.
class reader_left : public error {
 public:
  using error::error;
};

}  // namespace warpz
