// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/driver.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "abi/launcher.h"
#include "compile/complete_program.hpp"
#include "compile/cuda_headers.hpp"
#include "compile/program_headers.hpp"
#include "compile/side_by_side.hpp"
#include "compile/user_program_commands.hpp"
#include "error.hpp"
#include "system/elf_file.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view driver_name = "warpz-hipcc";

/// What is no matter of the device's code: how far it is optimized is for the checks to say.
bool is_for_host_alone(std::string_view flag) {
  constexpr std::string_view beginnings[] = {"-O", "-flto", "-fsanitize", "--coverage", "-fprofile-", "-ftime-trace"};
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [flag](std::string_view each) { return flag.starts_with(each); });
}

/// Whether the device's side of a source defines anything but what the plugin puts into each.
bool has_device_code(const std::string& object) {
  const std::string bytes = os::content_of(object).value_or("");
  const std::vector<os::elf_symbol> symbols = os::elf_file(bytes).symbols();
  return std::any_of(symbols.begin(), symbols.end(), [](const os::elf_symbol& each) {
    const bool is_defined = each.section != SHN_UNDEF && (each.type == STT_FUNC || each.type == STT_OBJECT);
    constexpr std::string_view own[] = {"simt.", "__hip_", "__warpz_", ".L"};
    return is_defined && std::none_of(std::begin(own), std::end(own),
                                      [&each](std::string_view begin) { return each.name.starts_with(begin); });
  });
}

class driver {
 public:
  driver(const driver_job& job, const driver_settings& settings)
      : job_(job),
        settings_(settings),
        compiler_(find_cpu_compiler(std::nullopt, driver_name)),
        runner_(settings.compiling, job.sources.empty() ? job.output.value_or("the program") : job.sources.front().file,
                work_) {
    host_flags_ = job.host_flags;
    append(host_flags_, job.flags);
    // The two sides of a source are joined to one object.
    host_flags_.emplace_back("-fno-lto");
    if (job.has_verbose) host_flags_.emplace_back("-v");
    std::copy_if(job.flags.begin(), job.flags.end(), std::back_inserter(device_flags_),
                 [](const std::string& each) { return !is_for_host_alone(each); });
    for (std::size_t i = 0; i < job_.sources.size(); ++i) {
      languages_.push_back(job_.sources[i].language);
      if (!job_.sources[i].may_be_hip) continue;
      const auto reading = [&](const std::string&) { return flags_for(i, code_side::host, {}); };
      if (has_hip_in_cu({&job_.sources[i].file, 1}, work_, reading)) languages_[i] = source_language::hip;
    }
  }

  void run() {
    if (job_.result == driver_result::clangs_own) become_clang();
    runner_.check_compiler(compiler_, compiler_cache(settings_.cache_folder));
    switch (job_.result) {
      case driver_result::device_link:
        return run_and_tell({{compiler_.file, "-x", "c", "-fPIC", "-c", "/dev/null", "-o", output("a_dlink.o")}, {}});
      case driver_result::objects:
        compile();
        for (std::size_t i = 0; i < job_.sources.size(); ++i) make_object(i, result_of(i));
        return;
      case driver_result::archive:
        return archive();
      default:
        return link();
    }
  }

 private:
  std::string output(std::string_view otherwise) const { return job_.output.value_or(std::string(otherwise)); }

  /// The object of a source with -c.
  std::string result_of(std::size_t source) const {
    return output(fs::path(job_.sources[source].file).stem().native() + ".o");
  }

  std::string half(std::size_t source, code_side side) const {
    return work_.file(fmt::format("{}.{}.o", source, side == code_side::host ? "host" : "device"));
  }

  std::vector<std::string> halves(std::size_t source) const {
    std::vector<std::string> names = {half(source, code_side::host)};
    // Without it, an ordinary source needs no machine.
    const std::string device = half(source, code_side::device);
    if (has_device_code(device)) names.push_back(device);
    return names;
  }

  /// What a compilation is to write for make.
  std::vector<std::string> dependency_flags(std::size_t source, const std::string& file) const {
    if (!job_.writes_dependencies) return {};
    std::vector<std::string> flags = job_.dependencies_flags;
    const bool has_target =
        std::any_of(flags.begin(), flags.end(), [](const std::string& each) { return each == "-MT" || each == "-MQ"; });
    if (!has_target) append(flags, std::array<std::string, 2>{"-MT", result_of(source)});
    append(flags, std::array<std::string, 2>{"-MF", file});
    return flags;
  }

  std::string dependencies_file(std::size_t source) const {
    return job_.dependencies_file.value_or(fs::path(result_of(source)).replace_extension(".d").native());
  }

  user_program_compilation flags_for(std::size_t source, code_side side, const std::string& object) const {
    const bool is_host = side == code_side::host;
    std::vector<std::string> flags = is_host ? host_flags_ : device_flags_;
    if (!object.empty()) {
      append(flags, dependency_flags(source, is_host ? dependencies_file(source) : object + ".depfile"));
    }
    return {compiler_, flags, {driver_name, true}, settings_.warp_size, true};
  }

  object_files files_for(std::size_t source, const std::string& object) const {
    const std::string& file = job_.sources[source].file;
    std::error_code failed;
    const std::string identity = fmt::format("{}\n{}\n{}", fs::current_path(failed).native(), file, result_of(source));
    return {file, object, {}, identity};
  }

  void compile() {
    program_headers headers(settings_.cache_folder, work_);
    std::vector<compilation_step> steps;
    for (std::size_t i = 0; i < job_.sources.size(); ++i) {
      read_source(job_.sources[i].file);
      for (const code_side side : {code_side::host, code_side::device}) {
        if (side == code_side::device && is_of_host_alone(languages_[i])) continue;
        steps.emplace_back([this, &headers, i, side](const compiler_settings& settings) {
          const compiler_runner runner(settings, job_.sources[i].file, work_);
          const std::string object = half(i, side);
          const mended_compilation ended = compile_object(runner, work_, headers, flags_for(i, side, object),
                                                          languages_[i], side, files_for(i, object));
          return runner.output_of(ended.end, compiler_.file, {});
        });
      }
    }
    tell(settings_.compiling, run_side_by_side(settings_.compiling, steps));
    if (!job_.writes_dependencies) return;
    for (std::size_t i = 0; i < job_.sources.size(); ++i) {
      const std::string of_device = os::content_of(half(i, code_side::device) + ".depfile").value_or("");
      std::ofstream(dependencies_file(i), std::ios::app) << of_device;
    }
  }

  void make_object(std::size_t source, const std::string& result) const {
    std::vector<std::string> words = {tool("ld"), "-r", "-o", result};
    append(words, halves(source));
    run_and_tell({words, {}});
  }

  /// A part of binutils.
  static std::string tool(const char* name) {
    const std::string file = find_program(name);
    if (!file.empty()) return file;
    throw error(exit_code::no_device, fmt::format("{} needs {}, and it is not on PATH", driver_name, name),
                "On Debian and Ubuntu: sudo apt-get install binutils");
  }

  void archive() {
    compile();
    std::vector<std::string> words = {tool("ar"), "rcs", output("a.a")};
    for (const link_word& each : job_.linked) {
      if (!each.source) {
        words.push_back(each.word);
        continue;
      }
      words.push_back(work_.file(fmt::format("{}.o", fs::path(job_.sources[*each.source].file).stem().native())));
      make_object(*each.source, words.back());
    }
    run_and_tell({words, {}});
  }

  void link() {
    compile();
    if (job_.is_shared) return run_and_tell(machine_link({"-shared"}));
    std::vector<std::string> words = {compiler_.file, "-o", output("a.out")};
    append(words, linked_words());
    const command plain{words, {}};
    if (const command_end end = runner_.run_to_end(plain); end.succeeded()) {
      return tell(settings_.compiling, end.output);
    }
    link_for_machine();
  }

  /// The words that name what is linked, with the sources' objects.
  std::vector<std::string> linked_words() const {
    std::vector<std::string> words;
    for (const link_word& each : job_.linked) {
      if (each.source) {
        append(words, halves(*each.source));
      } else {
        words.push_back(each.word);
      }
    }
    append(words, job_.both_flags);
    append(words, std::array<std::string, 2>{"-fno-lto", "-Wno-unused-command-line-argument"});
    if (job_.has_verbose) words.emplace_back("-v");
    return words;
  }

  command machine_link(std::vector<std::string> beginning) const {
    std::vector<std::string> words = {compiler_.file, "-o", output("a.out")};
    append(words, beginning);
    words.push_back(toolchain_part("red-zone.o", driver_name));
    append(words, linked_words());
    // A library of one object, which only code for the device needs.
    words.push_back(toolchain_part("launch-interface.a", driver_name));
    return {words, {}};
  }

  void link_for_machine() {
    for (const link_word& each : job_.linked) {
      if (each.word != "-static" && each.word != "-static-pie") continue;
      throw error(exit_code::bad_input,
                  fmt::format("{}: a program that launches kernels is loaded by warpz", each.word), "Link it without.");
    }
    command job = machine_link(
        {"-shared", "-Wl,-e," WARPZ_LAUNCHER_ENTRY, "-Wl,-Bsymbolic", toolchain_part("launcher.o", driver_name)});
    std::erase_if(job.words,
                  [](const std::string& word) { return word == "-pie" || word == "-no-pie" || word == "-rdynamic"; });
    run_and_tell(job);
    const std::string result = output("a.out");
    name_starter(result);
    if (const std::string missing = missing_function(result); !missing.empty()) {
      fs::remove(result);
      throw error(exit_code::does_not_compile,
                  fmt::format("{}: undefined symbol: {}", printable(result), printable(missing)),
                  "What the program calls has to be in its objects, or in a library that it is linked with: -lname.");
    }
  }

  /// Writes into the executable which program starts it: this one.
  static void name_starter(const std::string& executable) {
    std::error_code failed;
    const std::string program = fs::read_symlink("/proc/self/exe", failed).native();
    const std::size_t at = os::content_of(executable).value_or("").find(WARPZ_LAUNCHER_MARK);
    std::fstream file(executable, std::ios::in | std::ios::out | std::ios::binary);
    if (at == std::string::npos || failed || program.size() >= WARPZ_LAUNCHER_PATH_BYTES ||
        !file.seekp(static_cast<std::streamoff>(at))
             .write(program.c_str(), static_cast<std::streamsize>(program.size() + 1))) {
      throw error(exit_code::no_device, fmt::format("cannot write into {}", printable(executable)));
    }
  }

  void run_and_tell(const command& job) const { tell(settings_.compiling, runner_.run(job, {})); }

  /// Replaces this process by a Clang that does the job on the host's side of the sources.
  [[noreturn]] void become_clang() {
    std::vector<std::string> words;
    if (job_.sources.empty()) {
      words = {compiler_.file};
      append(words, host_flags_);
    } else {
      words = user_program_object_command(flags_for(0, code_side::host, {}), languages_[0], code_side::host,
                                          files_for(0, {}))
                  .words;
      for (std::size_t i = 1; i < job_.sources.size(); ++i) words.push_back(source_word(job_.sources[i].file));
      if (job_.output) append(words, std::array<std::string, 2>{"-o", *job_.output});
      append(words, job_.dependencies_flags);
      if (job_.dependencies_file) append(words, std::array<std::string, 2>{"-MF", *job_.dependencies_file});
    }
    std::vector<char*> pointers;
    for (std::string& each : words) pointers.push_back(each.data());
    pointers.push_back(nullptr);
    work_.remove();
    execv(pointers[0], pointers.data());
    throw error(exit_code::no_device,
                fmt::format("{} can't be started: {}", printable(compiler_.file), std::strerror(errno)));
  }

  const driver_job& job_;
  const driver_settings& settings_;
  const cpu_compiler compiler_;
  temp_dir work_;
  const compiler_runner runner_;
  std::vector<std::string> host_flags_, device_flags_;
  std::vector<source_language> languages_;  ///< of each source
};

}  // namespace

void run_driver(const driver_job& job, const driver_settings& settings) { driver(job, settings).run(); }

}  // namespace warpz
