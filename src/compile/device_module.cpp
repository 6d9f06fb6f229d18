// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/device_module.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "compile/cache_key.hpp"
#include "compile/compiler_runner.hpp"
#include "compile/linker.hpp"
#include "compile/temp_dir.hpp"
#include "compile/user_flags.hpp"
#include "compile/user_program_commands.hpp"
#include "error.hpp"
#include "source/compiler_output.hpp"

namespace warpz {
namespace {

namespace fs = std::filesystem;

/// The source, behind it a variable for each expression, which the plugin makes name the expression's symbol, and which
/// instantiates a template.
std::string text_with_expressions(const warpz_device_source& source) {
  std::string text = fmt::format("#line 1 {:?}\n{}\n", source.source.name, source.source.text);
  for (std::uint32_t i = 0; i < source.expression_count; ++i) {
    text += fmt::format("#line 1 \"name expression\"\nextern \"C\" __device__ const void* {}{} = (const void*)({});\n",
                        WARPZ_EXPRESSION_PREFIX, i, source.expressions[i]);
  }
  return text;
}

class device_module_compilation {
 public:
  device_module_compilation(const std::optional<std::string>& requested, const code_settings& code,
                            const std::string& cache_folder, const warpz_device_source& source)
      : source_(source),
        code_(code),
        compiler_(find_cpu_compiler(requested, code.option)),
        cache_(cache_folder),
        compilers_(compiler_cache(cache_folder)),
        runner_(settings_, source.source.name, work_) {
    for (std::uint32_t i = 0; i < source.option_count; ++i) flags_.emplace_back(source.options[i]);
    flags_ = checked_flags(flags_);
    append(flags_, std::array<std::string, 5>{"-include", "hip/hip_runtime.h", "-D__HIPCC_RTC__=1", "-I",
                                              work_.file("headers")});
    if (source.folder != nullptr) append(flags_, std::array<std::string, 2>{"-iquote", source.folder});
  }

  compiled_code make() {
    const std::string text = text_with_expressions(source_);
    const std::string key = key_text(text);
    if (std::optional<compiled_code> kept = cache_.find(key)) return *std::move(kept);
    runner_.check_compiler(compiler_, compilers_);
    write_headers();
    work_.write("module.hip", text);
    const auto begin = begin_of_compilation();
    compiled_code code;
    const std::string object = work_.file("module.o"), depfile = work_.file("depfile");
    const user_program_compilation common{compiler_, flags_, code_, source_.warp_size};
    const command compilation = user_program_object_command(common, source_language::hip, code_side::device,
                                                            {work_.file("module.hip"), object, depfile});
    code.messages = runner_.run(compilation, {});
    if (source_.is_relocatable == 0) link(code, {object});
    code.module = read_result(source_.is_relocatable == 0 ? linked() : object).value_or("");
    add_depfile(code, depfile, work_);
    if (inputs_unchanged(code, begin) && !looks_at_other_files(code, {&text, 1})) cache_.keep(key, code);
    return code;
  }

  /// Of the objects.
  compiled_code make_of_objects() {
    runner_.check_compiler(compiler_, compilers_);
    std::vector<std::string> objects;
    for (std::uint32_t i = 0; i < source_.object_count; ++i) {
      const std::string name = fmt::format("{}.o", i);
      work_.write(name, std::string(source_.objects[i].bytes, source_.objects[i].count));
      objects.push_back(work_.file(name));
    }
    compiled_code code;
    link(code, std::move(objects));
    code.module = read_result(linked()).value_or("");
    return code;
  }

  /// What the compiler has said of a source that does not compile.
  const std::string& messages() const { return messages_; }

 private:
  std::string linked() const { return work_.file("module.so"); }

  void link(compiled_code& code, std::vector<std::string> objects) {
    objects.push_back(toolchain_part("device-module.o", code_.option));
    const std::vector<std::string> linker =
        runner_.linker_of(link_command(compiler_, code_, linker_result, linker_objects), compiler_, compilers_);
    code.messages += runner_.run(
        linker.empty() ? link_command(compiler_, code_, linked(), objects) : link_command(linker, linked(), objects),
        code.messages);
  }

  void write_headers() const {
    fs::create_directory(work_.file("headers"));
    for (std::uint32_t i = 0; i < source_.header_count; ++i) {
      const fs::path name = fs::path(source_.headers[i].name).lexically_normal();
      if (name.is_absolute() || name.begin()->native() == "..") {
        throw error(exit_code::does_not_compile, fmt::format("no name of a header: {}", name.native()));
      }
      fs::create_directories(fs::path(work_.file("headers")) / name.parent_path());
      work_.write("headers/" + name.native(), source_.headers[i].text);
    }
  }

  std::string key_text(const std::string& text) const {
    cache_key key("device module");
    key.add_working_folder();
    key.add(compiler_.identity);
    for (const char* const part : {"instrument.so", "device-module.o"})
      key.add(identity_of(toolchain_part(part, code_.option)));
    key.add(text);
    key.add(source_.is_relocatable != 0 ? "object" : "shared object");
    for (std::uint32_t i = 0; i < source_.header_count; ++i) {
      key.add(source_.headers[i].name);
      key.add(source_.headers[i].text);
    }
    // The folder of its headers has another name each time.
    std::vector<std::string> flags = flags_;
    for (std::string& each : flags)
      if (work_.holds(each)) each = "headers";
    const user_program_compilation common{compiler_, flags, code_, source_.warp_size};
    key.add(
        user_program_object_command(common, source_language::hip, code_side::device, {"source", "object", "depfile"}));
    key.add(compiler_environment());
    return key.text();
  }

  const warpz_device_source& source_;
  const code_settings code_;
  const cpu_compiler compiler_;
  const kernel_cache cache_;
  const kernel_cache compilers_;
  const temp_dir work_;
  std::string messages_;
  const compiler_settings settings_{false, [this](std::string_view text) { messages_ += text; }};
  const compiler_runner runner_;
  std::vector<std::string> flags_;
};

}  // namespace

int device_module_compiler::compile(const void* compiler, const warpz_device_source* source,
                                    const warpz_device_code_receiver* receiver) {
  const auto& self = *static_cast<const device_module_compiler*>(compiler);
  const auto log = [receiver](std::string_view text) {
    receiver->take_log(receiver->target, text.data(), text.size());
  };
  if (self.is_confined_) {
    log("--confine: a sandboxed program cannot compile device code while it runs, as it may start no compiler\n");
    return 0;
  }
  std::optional<device_module_compilation> job;
  try {
    job.emplace(self.requested_, self.code_, self.cache_folder_, *source);
    const compiled_code code = source->object_count != 0 ? job->make_of_objects() : job->make();
    log(without_colors(code.messages));
    receiver->take_code(receiver->target, code.module.data(), code.module.size());
    return 1;
  } catch (const std::exception& failure) {
    if (job) log(job->messages());
    log(fmt::format("{}\n", failure.what()));
    return 0;
  }
}

}  // namespace warpz
