// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces/worker.hpp"

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "error.hpp"
#include "pieces/bytes.hpp"
#include "pieces/frames.hpp"
#include "system/elf_file.hpp"
#include "system/file_view.hpp"

namespace warpz {
namespace {

/// Takes the linker's hash, where there is one: the whole file may be large, and each worker would read it.
std::size_t hash_of_program() {
  const os::file_view file("/proc/self/exe");
  const std::string_view known = os::elf_file(file.bytes()).content_of_section(".note.gnu.build-id");
  return std::hash<std::string_view>()(known.empty() ? file.bytes() : known);
}

}  // namespace

piece_answer asking_runner::ask(const piece_request& request) {
  std::optional<std::string> bytes;
  if (write_frame(socket_, bytes_of(request))) bytes = read_frame(socket_);
  if (!bytes) throw error(exit_code::no_device, "the process that shares out the work has ended");
  piece_answer answer;
  read_bytes(*bytes, answer);
  return answer;
}

void asking_runner::run(const piece_job& job, const piece_work& work, const piece_result& take) {
  if (job.count != 0) do_pieces(job, work, take);
  if (is_helper() && job.is_last) throw help_is_over();
}

void asking_runner::do_pieces(const piece_job& job, const piece_work& work, const piece_result& take) {
  if (program_ == 0) program_ = hash_of_program() | 1;
  piece_request request{program_, job_++, job.identity, job.count, 0, !is_helper() || !job.is_last};
  for (bool is_over = false; !is_over || (request.wants_results && request.taken < job.count);) {
    const piece_answer answer = ask(request);
    request.done.reset();
    if (answer.is_refused) throw help_is_over();
    is_over = answer.is_over;
    if (!is_helper() && on_progress)
      on_progress({answer.done, job.count, answer.workers, !answer.results.empty(), answer.notes});
    for (const std::string& each : answer.results) take(request.taken++, result_of_piece(each));
    if (answer.piece) request.done = {*answer.piece, done_piece(work, *answer.piece)};
  }
}

}  // namespace warpz
