// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/toolchain.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "compile/instrumentation.hpp"
#include "compile/linker.hpp"
#include "error.hpp"
#include "system/installed.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string part(std::string_view name) { return toolchain_part(name, "--kernel"); }

void add_headers(std::vector<std::string>& words, const compilation& job) {
  if (!job.quoted_folder.empty()) words.insert(words.end(), {"-iquote", job.quoted_folder});
  words.insert(words.end(), {"-isystem", part("device")});
}

/// The arguments of both compilations for the CPU. Asserts hold, as on a GPU.
std::vector<std::string> cpu_words(const cpu_compiler& compiler, const compilation& job) {
  std::vector<std::string> words = {compiler.file, "-std=c++17", "-fPIC", "-UNDEBUG", "-fdiagnostics-color=always"};
  add_headers(words, job);
  if (!job.header.empty()) words.insert(words.end(), {"-include-pch", job.header});
  // Templates that the header itself uses are instantiated once, with it.
  if (!job.header.empty() || job.makes_header) words.emplace_back("-fpch-instantiate-templates");
  // The same source gives the same module, wherever the temporary files lie.
  const std::string work = job.source.substr(0, job.source.rfind('/') + 1);
  if (!work.empty()) words.push_back(fmt::format("-ffile-prefix-map={}=", work));
  words.insert(words.end(), {"-isystem", part("simt/include"), "-MD", "-MF", job.dependencies});
  return words;
}

/// The file to compile. A header has no dates of its inputs: the cache knows their contents.
void add_source(std::vector<std::string>& words, const compilation& job) {
  if (job.makes_header) {
    words.insert(words.end(), {"-Xclang", "-fno-pch-timestamp", "-x", "c++-header", part("device/" + job.beginning)});
  } else {
    words.insert(words.end(), {"-c", "-x", "c++", job.source});
  }
}

constexpr std::string_view options_of_discovery[] = {
    // Kernels compare threadIdx with an int, and have pragmas for other compilers.
    "-Wall", "-Wno-sign-compare", "-Wno-unknown-pragmas", "-DWARPZ_MARK_KERNELS"};

command instrumented_command(const cpu_compiler& compiler, const compilation& job, const std::string& result) {
  std::vector<std::string> words = cpu_words(compiler, job);
  words.insert(words.end(), std::begin(options_of_discovery), std::end(options_of_discovery));
  words.insert(words.end(), {job.debuggable ? "-g" : "-g1", "-fvisibility=hidden", "-fvisibility-inlines-hidden",
                             "-fstack-clash-protection"});
  add_source(words, job);
  add_instrumentation(words);
  words.insert(words.end(), {"-o", result});
  return {words, {}};
}

/// Compiles and links in two steps, as the kernels' names are known only in between.
std::vector<command> instrumented_module_commands(const cpu_compiler& compiler, const compilation& job) {
  if (job.makes_header) return {instrumented_command(compiler, job, job.result)};
  const std::string object = object_of(job);
  std::vector<std::string> objects = {part("red-zone.o"), object, part("module-cpu.o")};
  if (!job.registration.empty()) objects.push_back(job.registration);
  return {instrumented_command(compiler, job, object),
          job.linker.empty() ? link_command(compiler, job.result, objects, job.other_names)
                             : link_command(job.linker, job.result, objects, job.other_names)};
}

command cpu_module_command(const cpu_compiler& compiler, const compilation& job) {
  std::vector<std::string> words = cpu_words(compiler, job);
  words.insert(words.end(), {job.debuggable ? "-Og" : "-O2", job.debuggable ? "-g" : "-g1", "-w", "-fvisibility=hidden",
                             "-fvisibility-inlines-hidden",
                             // A large local array must not jump over the page that guards a lane's stack.
                             "-fstack-clash-protection", "-o", job.result});
  add_sanitizers(words);
  if (job.makes_header) {
    add_source(words, job);
  } else {
    words.insert(words.end(), {"-shared", "-x", "c++", job.source, "-x", "none", part("module-cpu.o")});
    add_linker(words);
  }
  return {words, {}};
}

std::string find_hipcc() {
  const std::string rocm = variable("ROCM_PATH");
  std::string file = find_program("hipcc", {rocm.empty() ? "/opt/rocm/bin" : rocm + "/bin", "/opt/rocm/bin"});
  if (!file.empty()) return file;
  throw error(exit_code::no_device, "--kernel needs hipcc to compile for a GPU, and it is not on PATH",
              "Debian and Ubuntu have it in the package hipcc; --backend cpu needs none.");
}

/// Makes hipcc and its compilers put their temporary files beside the result, to be removed with it.
std::string temporary_beside(const std::string& result) {
  return "TMPDIR=" + std::filesystem::path(result).parent_path().string();
}

std::vector<command> amd_commands(const compilation& job) {
  std::vector<std::string> words = {
      find_hipcc(), "--offload-arch=" + job.architecture, "-std=c++17", "-O3", "-fPIC", "-fvisibility=hidden",
      "-w",         "-fdiagnostics-color=always"};
  add_headers(words, job);
  words.insert(words.end(), {"-include", part("hip_on_cuda.hpp"), "-MD", "-MF", job.dependencies, "-c", job.source,
                             "-o", job.result + ".o"});
  const std::vector<std::string> link = {words[0],   words[1],          "-shared",           "-o",
                                         job.result, job.result + ".o", part("module-amd.o")};
  const std::vector<std::string> environment = {"HIP_PLATFORM=amd", temporary_beside(job.result)};
  return {{words, environment}, {link, environment}};
}

std::vector<command> nvidia_commands(const compilation& job) {
  const std::string cuda = variable("CUDA_PATH");
  const std::string nvcc = find_program("nvcc", {cuda.empty() ? "/usr/local/cuda/bin" : cuda + "/bin"});
  if (nvcc.empty()) {
    throw error(exit_code::no_device, "--kernel needs CUDA's nvcc to compile for an NVIDIA GPU, and it is not on PATH",
                "Where the toolkit lies elsewhere, set CUDA_PATH; --backend cpu needs none.");
  }
  // The headers are beside the real file, not beside a link to it.
  const std::string toolkit = std::filesystem::canonical(nvcc).parent_path().parent_path();
  const std::vector<std::string> environment = {"HIP_PLATFORM=nvidia", "CUDA_PATH=" + toolkit,
                                                temporary_beside(job.result)};
  const std::string number = job.architecture.substr(job.architecture.find('_') + 1);
  const std::string target = fmt::format("-gencode=arch=compute_{0},code=sm_{0}", number);
  std::vector<std::string> words = {
      find_hipcc(), "-x", "cu", target, "-std=c++17", "-O3", "-lineinfo", "-w", "-Xcompiler=-fPIC,-fvisibility=hidden"};
  words.insert(words.end(), {"-I" + job.quoted_folder, "-I" + part("device"), "-include", part("hip_on_cuda.hpp"),
                             "-MD", "-MF", job.dependencies, "-c", job.source, "-o", job.result + ".o"});
  const std::vector<std::string> link = {
      words[0], target,     "-shared",         fmt::format("-Xlinker=-rpath,{}/lib64", toolkit),
      "-o",     job.result, job.result + ".o", part("module-nvidia.o")};
  return {{words, environment}, {link, environment}};
}

}  // namespace

const int clang_major = WARPZ_CLANG_MAJOR;

std::string toolchain_part(std::string_view name, std::string_view option) {
  const std::string folder = first_existing(places_of("toolchain"));
  std::string path = fmt::format("{}/{}", folder, name);
  if (!folder.empty() && std::filesystem::exists(path)) return path;
  const std::vector<std::string> places = places_of("toolchain");
  throw error(exit_code::no_device,
              fmt::format("{} needs {}, and it is missing", option,
                          folder.empty() ? (places.empty() ? "toolchain" : places.back()) : path),
              "It is part of warpz: build or install warpz again.");
}

void add_linker(std::vector<std::string>& words) {
  if (!find_program("ld.gold").empty()) words.emplace_back("-fuse-ld=gold");
}

void add_sanitizers(std::vector<std::string>& words) {
  constexpr std::string_view sanitizers = WARPZ_SANITIZERS;
  if (!sanitizers.empty()) words.push_back(fmt::format("-fsanitize={}", sanitizers));
}

std::string identity_of(const std::string& file) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(file, failed);
  struct stat found {};
  if (failed || stat(real.c_str(), &found) != 0) return file;
  return fmt::format("{} {} {} {}.{:09}", file, real.string(), found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

cpu_compiler find_cpu_compiler(const std::optional<std::string>& requested, std::string_view option) {
  const std::string chosen = requested.value_or(variable("WARPZ_CXX"));
  if (!chosen.empty()) {
    if (const std::string file = find_program(chosen); !file.empty()) return {file, identity_of(file)};
    throw error(
        exit_code::bad_input,
        fmt::format("{}: cannot find the program '{}'", requested ? "--compiler" : "WARPZ_CXX", printable(chosen)),
        fmt::format("It takes one word, a compiler's name or path: clang++-{0} or /usr/bin/clang++-{0}.", clang_major));
  }
  const std::string versioned = fmt::format("clang++-{}", clang_major);
  for (const std::string& name : {std::string(WARPZ_CLANG), versioned}) {
    if (const std::string file = find_program(name); !file.empty()) return {file, identity_of(file)};
  }
  throw error(
      exit_code::no_device,
      fmt::format("{} needs Clang {}, and there is no {} on PATH", option, clang_major, versioned),
      fmt::format("Debian and Ubuntu have it in the package clang-{}; --compiler names another one.", clang_major));
}

command macros_command(const cpu_compiler& compiler) {
  return {{compiler.file, "-dM", "-E", "-x", "c++", "/dev/null"}, {}};
}

command discovery_command(const cpu_compiler& compiler, const compilation& job) {
  std::vector<std::string> words = cpu_words(compiler, job);
  words.insert(words.end(), std::begin(options_of_discovery), std::end(options_of_discovery));
  words.insert(words.end(), {"-O0", "-o", job.result});
  add_source(words, job);
  return {words, {}};
}

bool finds_kernels_at_once(const compilation& job) { return job.vendor == "cpu" && job.instrumented; }

std::string object_of(const compilation& job) { return job.result + ".o"; }

command registration_command(const cpu_compiler& compiler, const compilation& job) {
  return instrumented_command(compiler, job, job.result);
}

std::vector<command> module_commands(const cpu_compiler& compiler, const compilation& job) {
  if (job.vendor == "amd") return amd_commands(job);
  if (job.vendor == "nvidia") return nvidia_commands(job);
  if (job.instrumented) return instrumented_module_commands(compiler, job);
  return {cpu_module_command(compiler, job)};
}

command header_command(cpu_step step, const cpu_compiler& compiler, compilation job) {
  job.makes_header = true;
  return step == cpu_step::discovery ? discovery_command(compiler, job) : module_commands(compiler, job).front();
}

}  // namespace warpz
