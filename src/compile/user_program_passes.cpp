// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/user_program_passes.hpp"

#include <fmt/format.h>

#include <utility>

#include "compile/side_by_side.hpp"
#include "error.hpp"
#include "source/launch_messages.hpp"
#include "source/launched_functions.hpp"
#include "source/launches.hpp"
#include "source/passes.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// One compilation of one source.
struct source_pass {
  std::size_t number;  ///< of the source
  code_side side;
  std::string name;  ///< of its files in the folder, without their ending
};

class compilation_of_passes {
 public:
  explicit compilation_of_passes(const program_compilation& job) : job_(job) {
    for (std::size_t i = 0; i < job.files.size(); ++i) {
      passes_.push_back({i, code_side::host, fmt::format("{}.host", i)});
      passes_.push_back({i, code_side::device, fmt::format("{}.device", i)});
    }
  }

  std::string run() const {
    std::string messages = run_each([this](const source_pass& pass, const compiler_settings& settings) {
      std::string preprocessed = preprocess(pass, settings);
      return std::move(preprocessed) + run(pass, commands(pass)[0], settings);
    });
    separate_sides();
    messages += run_each([this](const source_pass& pass, const compiler_settings& settings) {
      return run(pass, commands(pass)[1], settings);
    });
    return messages;
  }

  std::vector<std::string> objects() const {
    std::vector<std::string> names;
    for (const source_pass& each : passes_) names.push_back(object(each));
    return names;
  }

  void add_inputs(compiled_code& code) const {
    for (const source_pass& each : passes_) add_depfile(code, depfile(each), job_.work);
  }

 private:
  std::string object(const source_pass& pass) const { return job_.work.file(pass.name + ".o"); }
  std::string depfile(const source_pass& pass) const { return job_.work.file(pass.name + ".depfile"); }
  std::string rewritten(const source_pass& pass) const { return pass.name + ".program.ii"; }
  std::string intermediate(const source_pass& pass) const { return intermediate_of(object(pass)); }

  template <class Step>
  std::string run_each(const Step& step) const {
    std::vector<compilation_step> steps;
    for (const source_pass& each : passes_) {
      steps.emplace_back([&step, &each](const compiler_settings& settings) {
        const auto read = [](std::string_view file) { return os::content_of(std::string(file)).value_or(""); };
        compiler_settings of_step = settings;
        of_step.tell = [&settings, &read](std::string_view text) { settings.tell(with_users_lines(text, read)); };
        return with_users_lines(step(each, of_step), read);
      });
    }
    return run_side_by_side(job_.settings, steps);
  }

  std::string preprocess(const source_pass& pass, const compiler_settings& settings) const {
    const std::string& file = job_.files[pass.number];
    const std::string result = job_.work.file(pass.name + ".ii");
    std::string messages =
        compiler_runner(settings, file, job_.work)
            .run(preprocess_command(job_.compiler, job_.common, pass.side, file, result, depfile(pass)), {});
    job_.work.write(rewritten(pass), without_hip_syntax(read_result(result).value_or("")));
    // The device's compilation would say the same again.
    return pass.side == code_side::device ? "" : messages;
  }

  std::vector<command> commands(const source_pass& pass) const {
    return user_program_object_commands(job_.compiler, job_.common, pass.side, job_.work.file(rewritten(pass)),
                                        object(pass));
  }

  std::string run(const source_pass& pass, const command& one, const compiler_settings& settings) const {
    return compiler_runner(settings, job_.files[pass.number], job_.work).run(one, {});
  }

  void separate_sides() const {
    const auto read = [this](const source_pass& pass) { return os::content_of(intermediate(pass)).value_or(""); };
    const auto name = [](const source_pass& pass) { return pass.name + ".ll"; };
    std::vector<source_passes> sources;
    for (std::size_t i = 0; i < passes_.size(); i += 2) {
      sources.push_back({read(passes_[i]), read(passes_[i + 1])});
    }
    refuse_launched_functions(sources);
    separate(sources);
    for (std::size_t i = 0; i < passes_.size(); i += 2) {
      job_.work.write(name(passes_[i]), sources[i / 2].host);
      job_.work.write(name(passes_[i + 1]), sources[i / 2].device);
    }
  }

  void refuse_launched_functions(std::span<const source_passes> sources) const {
    const std::vector<launched_function> launched = launched_functions(sources);
    if (launched.empty()) return;
    std::string messages;
    for (const launched_function& each : launched) {
      const std::string place = each.file.empty() ? job_.files.front() : fmt::format("{}:{}", each.file, each.line);
      messages += fmt::format("{}: error: {} is launched, and is not __global__\n", place, each.name);
    }
    tell(job_.settings, messages);
    throw error(exit_code::does_not_compile, fmt::format("{} does not compile", printable(job_.files.front())));
  }

  const program_compilation& job_;
  std::vector<source_pass> passes_;
};

}  // namespace

std::vector<std::string> compile_program(const program_compilation& job, compiled_code& code) {
  const compilation_of_passes passes(job);
  code.messages += passes.run();
  passes.add_inputs(code);
  return passes.objects();
}

}  // namespace warpz
