// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/compiler_runner.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "compile/cache_key.hpp"
#include "compile/linker.hpp"
#include "error.hpp"
#include "source/compiler_output.hpp"
#include "system/file_content.hpp"
#include "system/installed.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

// More than anybody writes; a device would never end.
constexpr std::size_t max_source = std::size_t{16} << 20;
constexpr double notice_seconds = 60;
constexpr std::string_view utf8_byte_order_mark = "\xef\xbb\xbf";

/// The environment variables that compilers read.
constexpr const char* compiler_variables[] = {"CPATH",
                                              "C_INCLUDE_PATH",
                                              "CPLUS_INCLUDE_PATH",
                                              "GCC_EXEC_PREFIX",
                                              "COMPILER_PATH",
                                              "LANG",
                                              "LC_ALL",
                                              "LC_MESSAGES",
                                              "LIBRARY_PATH",
                                              "CCC_OVERRIDE_OPTIONS",
                                              "HIP_PATH",
                                              "HIPCC_COMPILE_FLAGS_APPEND",
                                              "ROCM_PATH",
                                              "NVCC_APPEND_FLAGS",
                                              "NVCC_PREPEND_FLAGS"};

void add_input(compiled_code& code, std::string file, const temp_dir& work) {
  // A path that goes on from the temporary folder leads nowhere once that is gone.
  if (file.starts_with(work.file("")) && !work.holds(file)) {
    std::error_code failed;
    const fs::path real = fs::canonical(file, failed);
    if (!failed) file = real;
  }
  const auto is_it = [&file](const input_file& each) { return each.path == file; };
  if (work.holds(file) || std::any_of(code.inputs.begin(), code.inputs.end(), is_it)) return;
  code.inputs.push_back({file, fingerprint_of_file(file)});
}

std::chrono::system_clock::time_point since_1970(const timespec& moment) {
  using time_point = std::chrono::system_clock::time_point;
  return time_point(std::chrono::seconds(moment.tv_sec) + std::chrono::nanoseconds(moment.tv_nsec));
}

bool is_system_file(std::string_view path) { return path.starts_with("/usr/"); }

/// Whether a folder or a link on the path has been put there since then: what is behind it may be older. A folder's
/// own time changes with what is in it, too; the time of the folder above tells whether it was moved.
bool is_exchanged(const fs::path& path, std::chrono::system_clock::time_point begin, std::set<fs::path>& looked_at) {
  for (fs::path each = path; each.has_relative_path() && looked_at.insert(each).second; each = each.parent_path()) {
    struct stat found {};
    struct stat above {};
    if (lstat(each.c_str(), &found) != 0 || lstat(each.parent_path().c_str(), &above) != 0) return true;
    if (since_1970(found.st_ctim) < begin) continue;
    if (!S_ISDIR(found.st_mode) || since_1970(above.st_mtim) >= begin) return true;
  }
  return false;
}

constexpr std::string_view endless_advice = "Does the file include something that never ends, such as a device?";
constexpr std::string_view header_libraries[] = {"'hipcub/", "'rocprim/", "'thrust/", "'cub/"};
constexpr std::string_view libraries[] = {
    "hiprand",   "rocrand",  "hipblas", "rocblas", "hipfft", "rocfft", "rccl",     "hipsparse", "rocsparse", "miopen",
    "hipsolver", "rocwmma/", "hip_fp8", "curand",  "cublas", "cufft",  "cusparse", "cusolver",  "cudnn",     "nccl"};
constexpr std::string_view words_of_cuda[] = {"cuda"};
constexpr std::string_view openmp[] = {"'omp.h'"};

/// What helps where a file does not compile, by the errors in its compiler's messages; mostly nothing does.
std::string advice_for(const std::string& file, std::string_view messages) {
  if (error_names(messages, header_libraries))
    return "A library of headers is compiled with the program. Name the folder of its headers: --cxxflags -I FOLDER";
  if (error_names(messages, libraries)) {
    return "The CPU machine has the runtimes of HIP and CUDA and warpz's own library, and no other library of ROCm's "
           "or\n"
           "CUDA's.";
  }
  if (error_names(messages, openmp)) {
    return "OpenMP is a package of its own beside Clang's (Debian: libomp-VERSION-dev, of Clang's version). Then add\n"
           "--cxxflags -fopenmp";
  }
  if (file.ends_with(".cu") || !error_names(messages, words_of_cuda)) return {};
  return fmt::format("warpz compiles a file as CUDA if its name ends with .cu, and as HIP otherwise: {}.cu",
                     file.substr(0, file.rfind('.')));
}

/// Whether one of the words is in an input of the user's or in one of the texts.
bool has_word(const compiled_code& code, std::span<const std::string> texts,
              std::initializer_list<std::string_view> words) {
  const std::string own = fs::path(toolchain_part("device", "--kernel")).parent_path().string() + "/";
  const auto does = [words](std::string_view text) {
    return std::any_of(words.begin(), words.end(),
                       [text](std::string_view each) { return text.find(each) != text.npos; });
  };
  return std::any_of(texts.begin(), texts.end(), does) ||
         std::any_of(code.inputs.begin(), code.inputs.end(), [&](const input_file& each) {
           // A system's headers ask for each other all the time.
           const bool is_own = each.path.starts_with(own);
           return !is_own && !is_system_file(each.path) && does(os::content_of(each.path).value_or(""));
         });
}

}  // namespace

std::string read_source(const std::string& name) {
  const auto refuse = [&](std::string_view why) {
    throw error(exit_code::bad_input, fmt::format("cannot read '{}': {}", printable(name), why));
  };
  std::error_code failed;
  if (fs::is_directory(name, failed)) refuse(std::strerror(EISDIR));
  errno = 0;
  std::ifstream file(name, std::ios::binary);
  if (!file) refuse(std::strerror(errno != 0 ? errno : EIO));
  std::string text;
  for (std::array<char, 65536> piece; file && text.size() <= max_source;) {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) refuse(std::strerror(EIO));
  if (text.size() > max_source) refuse("it is larger than 16 MiB");
  if (text.find('\0') != text.npos) refuse("it is no text: it has bytes that are 0");
  // Compilers skip it only at the beginning of a file, where warpz puts lines of its own.
  if (text.starts_with(utf8_byte_order_mark)) text.erase(0, utf8_byte_order_mark.size());
  return text;
}

std::optional<std::string> read_result(const std::string& file) {
  std::optional<std::string> bytes = os::content_of(file);
  return bytes && !bytes->empty() ? bytes : std::nullopt;
}

void compiler_runner::check_compiler(const cpu_compiler& compiler, const kernel_cache& cache) const {
  cache_key key("macros");
  key.add(compiler.identity);
  key.add(compiler_environment());
  if (const std::optional<compiled_code> found = cache.find(key.text())) return check_macros(compiler, found->messages);
  const command_end macros = run_to_end(macros_command(compiler));
  if (!macros.succeeded() || macros.output.find("__GNUC__") == std::string::npos) {
    if (macros.end == command_end::cause::exited) {
      const std::string file = printable(compiler.file);
      const std::string said = printable(macros.output.substr(0, macros.output.find('\n')));
      // It may be one that has no memory, or lacks a library.
      throw error(exit_code::bad_input, macros.succeeded() || said.empty()
                                            ? fmt::format("{} is not a C++ compiler that works like clang++", file)
                                            : fmt::format("{} does not work as a C++ compiler: {}", file, said));
    }
    check(macros, compiler.file);
  }
  check_macros(compiler, macros.output);
  compiled_code code;
  code.messages = macros.output;
  cache.keep(key.text(), code);
}

std::vector<std::string> compiler_runner::linker_of(const command& link, const cpu_compiler& compiler,
                                                    const kernel_cache& cache) const {
  const command question = linker_question(link);
  cache_key key("linker");
  key.add(compiler.identity);
  key.add(compiler_environment());
  key.add(question);
  if (const std::optional<compiled_code> found = cache.find(key.text())) return linker_words(found->messages);
  compiled_code answer;
  answer.messages = run_to_end(question).output;
  const command linking{linker_words(answer.messages), {}};
  if (linking.words.empty()) return {};
  add_objects(answer, {&linking, 1}, work_);
  cache.keep(key.text(), answer);
  return linking.words;
}

command_end compiler_runner::run_to_end(const command& job) const {
  return run_command(work_.command_in(job), [this](double seconds) {
    if (settings_.on_wait) settings_.on_wait(file_, seconds);
  });
}

std::string compiler_runner::run(const command& job, std::string_view earlier_messages) const {
  return output_of(run_to_end(job), job.words.front(), earlier_messages);
}

std::string compiler_runner::output_of(const command_end& ended, const std::string& program,
                                       std::string_view earlier_messages) const {
  if (!ended.succeeded()) tell(settings_, earlier_messages);
  check(ended, program);
  return ended.output;
}

void compiler_runner::check(const command_end& ended, const std::string& program) const {
  if (ended.succeeded()) return;
  const std::string file = printable(file_);
  switch (ended.end) {
    case command_end::cause::exited:
      break;
    case command_end::cause::killed:
      throw error(exit_code::no_device, fmt::format("{} was ended by signal {} ({}) while it compiled {}",
                                                    printable(program), ended.number, strsignal(ended.number), file));
    case command_end::cause::out_of_memory:
      throw error(
          exit_code::does_not_compile,
          fmt::format("{}: {} took more than {} MiB of memory and was stopped", file, printable(program), ended.number),
          std::string(endless_advice));
    case command_end::cause::too_large_file:
      throw error(exit_code::does_not_compile,
                  fmt::format("{}: {} wrote a file of more than {} MiB and was stopped", file, printable(program),
                              ended.number),
                  "Does the file have an array of that size with values in it?");
    case command_end::cause::too_much_read:
      throw error(exit_code::does_not_compile,
                  fmt::format("{}: {} read more than {} MiB and was stopped", file, printable(program), ended.number),
                  std::string(endless_advice));
    case command_end::cause::not_started:
      throw error(exit_code::no_device,
                  fmt::format("{} can't be started: {}", printable(program), std::strerror(ended.number)));
  }
  work_.check_room();
  tell(settings_, ended.output);
  throw error(exit_code::does_not_compile,
              ended.output.empty() ? fmt::format("{} does not compile: {} ended with exit code {} and said nothing",
                                                 file, printable(program), ended.number)
                                   : fmt::format("{} does not compile", file),
              advice_for(file, ended.output));
}

std::string compiler_cache_folder(const std::string& kernel_folder) {
  return kernel_folder.empty() ? "" : (fs::path(kernel_folder).parent_path() / "headers").string();
}

kernel_cache compiler_cache(const std::string& kernel_folder) {
  // A precompiled header takes up to 12 MB, and a program has two for each --check.
  constexpr std::uint64_t limit = std::uint64_t{256} << 20;
  return kernel_cache(compiler_cache_folder(kernel_folder), limit);
}

std::function<void(std::string_view, double)> compilation_notice(std::function<void(std::string_view)> write) {
  struct state {
    std::mutex one_thread;
    double next_seconds = notice_seconds;
  };
  // Where several files are compiled side by side, one message is enough.
  return [write = std::move(write), shared = std::make_shared<state>()](std::string_view file, double seconds) {
    const std::lock_guard<std::mutex> lock(shared->one_thread);
    if (seconds < shared->next_seconds) return;
    write(fmt::format("warpz: {} is still being compiled, after {:.0f} seconds; ^C ends it\n", printable(file),
                      shared->next_seconds));
    shared->next_seconds += notice_seconds;
  };
}

void tell(const compiler_settings& settings, std::string_view messages) {
  if (!messages.empty()) settings.tell(harmless(settings.color ? messages : without_colors(messages)));
}

void add_depfile(compiled_code& code, const std::string& depfile, const temp_dir& work) {
  for (const std::string& file : files_in_depfile(read_result(depfile).value_or(""))) add_input(code, file, work);
}

void add_objects(compiled_code& code, std::span<const command> commands, const temp_dir& work) {
  for (const command& each : commands) {
    for (const std::string& word : std::span(each.words).subspan(1)) {
      if (word.ends_with(".o")) add_input(code, word, work);
    }
  }
}

std::chrono::system_clock::time_point begin_of_compilation() {
  constexpr auto max_tick = std::chrono::milliseconds(50);
  const auto time_of_changes = [] {
    timespec now{};
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return since_1970(now);
  };
  const auto earlier = std::chrono::system_clock::now();
  const auto deadline = std::chrono::steady_clock::now() + max_tick;
  while (time_of_changes() <= earlier && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return time_of_changes();
}

bool inputs_unchanged(const compiled_code& code, std::chrono::system_clock::time_point begin) {
  std::set<fs::path> looked_at;
  return std::all_of(code.inputs.begin(), code.inputs.end(), [&](const input_file& each) {
    struct stat found {};
    if (each.fingerprint.empty() || stat(each.path.c_str(), &found) != 0) return false;
    // The second one also changes where an older file is moved here.
    if (since_1970(found.st_mtim) >= begin || since_1970(found.st_ctim) >= begin) return false;
    if (is_system_file(each.path)) return true;
    std::error_code failed;
    return !is_exchanged(fs::absolute(each.path, failed), begin, looked_at) &&
           !is_exchanged(fs::canonical(each.path, failed), begin, looked_at);
  });
}

bool looks_at_other_files(const compiled_code& code, std::span<const std::string> texts) {
  return has_word(code, texts, {"__has_include", "__has_embed", ".incbin", ".include"});
}

void refuse_other_files(const compiled_code& code, const std::string& source) {
  std::error_code failed;
  const auto real = [&](const fs::path& path) { return fs::weakly_canonical(path, failed); };
  const auto is_in = [](const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
  };
  std::vector<fs::path> allowed{real(fs::absolute(source, failed).parent_path()), "/usr"};
  for (const std::string& each : places_of("toolchain")) {
    for (const std::string_view part : {"", "device", "simt/include"}) allowed.push_back(real(fs::path(each) / part));
  }
  if (!is_in(real(source), allowed.front())) {
    throw error(exit_code::does_not_compile, fmt::format("{} is a link to {}, which is not in its folder",
                                                         printable(source), printable(real(source).string())));
  }
  for (const input_file& each : code.inputs) {
    const fs::path path = real(each.path);
    if (std::any_of(allowed.begin(), allowed.end(), [&](const fs::path& folder) { return is_in(path, folder); }))
      continue;
    throw error(exit_code::does_not_compile,
                fmt::format("{} includes {}, which is not in its folder", printable(source), printable(each.path)));
  }
  const std::vector<std::string> own{os::content_of(source).value_or("")};
  if (looks_at_other_files(code, own)) {
    throw error(exit_code::does_not_compile,
                fmt::format("{} looks for files by __has_include, __has_embed or .incbin", printable(source)));
  }
}

void refuse_written_inputs(const compiled_code& code, const compiler_settings& settings) {
  for (const std::string& written : settings.written_files) {
    for (const input_file& each : code.inputs) {
      std::error_code failed;
      if (!fs::equivalent(written, each.path, failed)) continue;
      throw compiled_file_kept(exit_code::bad_input,
                               fmt::format("{} would be written over, and is compiled", printable(written)),
                               "Name another file.");
    }
  }
}

bool asks_for_warp_size(const compiled_code& code, std::span<const std::string> texts) {
  return has_word(code, texts, {"__GFX", "__gfx", "__amdgcn_", "__AMDGCN_WAVEFRONT_SIZE"});
}

std::string compiler_environment() {
  std::string text;
  for (const char* const name : compiler_variables) {
    const char* const value = std::getenv(name);
    text += fmt::format("{}{}{}\n", name, value != nullptr ? "=" : "", value != nullptr ? value : "");
  }
  return text;
}

}  // namespace warpz
