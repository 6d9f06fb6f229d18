// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/kernel_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "error.hpp"
#include "puzzle/puzzle.hpp"
#include "text/nearest.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// Kernels that have nothing but a puzzle's parameters, so that the compiler spells these as it spells the user's.
constexpr std::string_view probes = "warpz_puzzle_parameters";

// The kernel_process has room for so much.
constexpr std::size_t max_name = 63;

std::string literal(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// Says which file and line comes next; messages and findings name it so.
std::string line_marker(std::string_view file) { return fmt::format("# 1 {}\n", literal(file)); }

/// Of what the program adds; nobody is warned about it.
constexpr std::string_view own_marker = "# 1 \"warpz\" 3\n";

std::string without(std::string text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
  return text;
}

/// "scale" of "mine::scale<float>".
std::string last_name(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const std::size_t colons = name.rfind("::");
  return std::string(colons == std::string_view::npos ? name : name.substr(colons + 2));
}

/// The name as a program may write it, from outside of any namespace.
std::string written(const kernel_symbol& kernel) { return without(kernel.name, "(anonymous namespace)::"); }

bool is_called(const kernel_symbol& kernel, std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  const std::string whole = written(kernel);
  return whole == name || whole.substr(0, whole.find('<')) == name || last_name(whole) == name;
}

bool is_probe(const kernel_symbol& kernel) { return kernel.name.starts_with(probes); }

/// The puzzle's parameters in the compiler's spelling.
std::string parameters_of(std::size_t place, std::span<const kernel_symbol> found) {
  const std::string name = fmt::format("{}::of_{}", probes, place);
  const auto probe = std::find_if(found.begin(), found.end(), [&](const auto& each) { return each.name == name; });
  return probe != found.end() ? probe->parameters : "";
}

std::string shown(const kernel_symbol& kernel) {
  return kernel.c_linkage ? written(kernel) : fmt::format("{}({})", written(kernel), kernel.parameters);
}

std::string list_of(std::span<const kernel_symbol> kernels) {
  std::string text;
  for (const kernel_symbol& each : kernels) text += fmt::format("\n  {}", printable(shown(each)));
  return text;
}

chosen_kernel chosen(const kernel_symbol& kernel, std::string parameters) {
  return {kernel, last_name(written(kernel)).substr(0, max_name), std::move(parameters)};
}

class choice {
 public:
  choice(const kernel_source& of, std::span<const kernel_symbol> found) : of_(of), found_(found) {
    std::remove_copy_if(found.begin(), found.end(), std::back_inserter(kernels_), is_probe);
  }

  chosen_kernel of(std::size_t place) const {
    const puzzle& what = *of_.puzzles[place];
    if (kernels_.empty()) {
      refuse("has no kernel, which is a function that begins with __global__ void", wanted(what));
    }
    const std::string parameters = parameters_of(place, found_);
    std::vector<kernel_symbol> able = called(kernels_, of_.entry);
    if (able.empty()) refuse_entry();
    able = taking(able, parameters);
    if (able.empty()) {
      refuse(fmt::format("has no kernel{} that takes the arguments of --{}. Its kernels are{}",
                         of_.entry ? " " + printable(*of_.entry) : "", what.flag, list_of(kernels_)),
             wanted(what));
    }
    if (able.size() > 1) able = own_or_all(able, what);
    if (able.size() == 1) return chosen(able.front(), parameters);
    refuse(fmt::format("has {} kernels that --{} can run:{}", able.size(), what.flag, list_of(able)),
           fmt::format("Name one of them, like --entry {}", shell_word(written(able.front()))));
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, std::string advice) const {
    throw error(exit_code::bad_input, fmt::format("{} {}", printable(of_.name), problem), std::move(advice));
  }

  static std::string wanted(const puzzle& what) {
    return fmt::format("--{} runs a kernel like __global__ void {}({}).", what.flag, what.kernel, signature_of(what));
  }

  [[noreturn]] void refuse_entry() const {
    std::vector<std::string> names;
    for (const kernel_symbol& each : kernels_) names.push_back(written(each));
    const std::vector<std::string_view> known(names.begin(), names.end());
    const auto near = nearest(*of_.entry, known);
    refuse(fmt::format("has no kernel named {}. Its kernels are{}", printable(*of_.entry), list_of(kernels_)),
           near.empty() ? "" : fmt::format("Did you mean {}?", alternatives(near, "--entry ")));
  }

  static std::vector<kernel_symbol> called(std::vector<kernel_symbol> kernels, const std::optional<std::string>& name) {
    if (name) std::erase_if(kernels, [&](const kernel_symbol& each) { return !is_called(each, *name); });
    return kernels;
  }

  /// With C linkage only the compiler can tell what a kernel takes, so it comes second.
  static std::vector<kernel_symbol> taking(const std::vector<kernel_symbol>& kernels, std::string_view parameters) {
    std::vector<kernel_symbol> sure, unknown;
    for (const kernel_symbol& each : kernels) {
      if (each.c_linkage) unknown.push_back(each);
      if (!each.c_linkage && each.parameters == parameters) sure.push_back(each);
    }
    return sure.empty() ? unknown : sure;
  }

  static std::vector<kernel_symbol> own_or_all(const std::vector<kernel_symbol>& able, const puzzle& what) {
    std::vector<kernel_symbol> own = able;
    std::erase_if(own, [&](const kernel_symbol& each) { return last_name(written(each)) != what.kernel; });
    return own.size() == 1 ? own : able;
  }

  const kernel_source& of_;
  std::span<const kernel_symbol> found_;
  std::vector<kernel_symbol> kernels_;
};

}  // namespace

std::string discovery_text(const kernel_source& of) {
  std::string text = fmt::format("#include \"warpz/kernel.hpp\"\n{}namespace {} {{\n", own_marker, probes);
  for (std::size_t i = 0; i < of.puzzles.size(); ++i) {
    text += fmt::format("__global__ void of_{}({}) {{}}\n", i, signature_of(*of.puzzles[i]));
  }
  return fmt::format("{}}}\n{}{}\n", text, line_marker(of.name), of.text);
}

std::vector<chosen_kernel> choose_kernels(const kernel_source& of, std::span<const kernel_symbol> found) {
  const choice from(of, found);
  std::vector<chosen_kernel> kernels;
  for (std::size_t i = 0; i < of.puzzles.size(); ++i) kernels.push_back(from.of(i));
  return kernels;
}

std::vector<chosen_kernel> named_kernels(const kernel_source& of) {
  std::vector<chosen_kernel> kernels;
  for (const puzzle* const each : of.puzzles) {
    kernels.push_back(chosen({of.entry.value_or(""), signature_of(*each), true}, signature_of(*each)));
  }
  return kernels;
}

std::string module_text(const kernel_source& of, std::span<const chosen_kernel> kernels) {
  std::string text = fmt::format("#include \"warpz/kernel.hpp\"\n{}{}\n{}", line_marker(of.name), of.text, own_marker);
  std::vector<std::string> made;
  for (const chosen_kernel& each : kernels) {
    const std::string name = written(each.symbol);
    std::string one;
    if (each.symbol.c_linkage) {
      one += fmt::format("static_assert(std::is_same_v<decltype(::{}), void({})>, {});\n", name, each.parameters,
                         literal(fmt::format("the kernel {} has to take ({})", name, each.parameters)));
    }
    // A name of its own for the kernel, which may be static, a template's, or within a namespace. Of several with one
    // name the type chooses; with C linkage there is one.
    const std::string type = each.symbol.c_linkage ? fmt::format("decltype(::{})& {}", name, each.runs_as)
                                                   : fmt::format("void (&{})({})", each.runs_as, each.parameters);
    one += fmt::format("static constexpr {} = ::{};\nWARPZ_KERNEL({});\n", type, name, each.runs_as);
    if (std::find(made.begin(), made.end(), one) != made.end()) continue;
    text += fmt::format("namespace warpz_kernel_{} {{\n{}}}\n", made.size(), one);
    made.push_back(std::move(one));
  }
  return text;
}

}  // namespace warpz
