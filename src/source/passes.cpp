// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/passes.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "source/ir_module.hpp"

namespace warpz {
namespace {

using name_set = std::unordered_set<std::string_view>;
using name_changes = std::unordered_map<std::string_view, std::string>;

constexpr std::string_view device_suffix = ".device";

/// What both codes of one source say, and what is decided about it.
struct source_codes {
  explicit source_codes(const source_passes& passes) : host(passes.host), device(passes.device) {
    for (const std::string_view each : device.annotated(kernel_mark)) kernels.insert(each);
    for (const std::string_view each : device.annotated(device_mark)) {
      const ir_entity* const found = device.find(each);
      if (found != nullptr && found->kind == ir_kind::variable) device_variables.insert(each);
    }
  }

  bool is_of_device(const ir_entity& each) const {
    return kernels.count(each.name) != 0 || device_variables.count(each.name) != 0;
  }

  /// A variable of the host that device code refers to. HIP has no such thing, but a GPU may not be where it runs.
  bool is_shared(const ir_entity& each) const {
    if (each.kind != ir_kind::variable || each.is_constant || each.is_thread_local || is_of_device(each)) return false;
    const ir_entity* const in_host = host.find(each.name);
    return each.is_defined && in_host != nullptr && in_host->is_defined;
  }

  ir_module host, device;
  name_set kernels, device_variables;
  name_set reached;   ///< in the device's code
  name_set exported;  ///< of these, what the device's code of another source refers to
};

class separation {
 public:
  explicit separation(std::span<source_passes> passes) : passes_(passes) {
    sources_.reserve(passes.size());
    for (const source_passes& each : passes) sources_.emplace_back(each);
  }

  void run() {
    follow_references();
    count_names();
    std::vector<source_passes> results;
    for (std::size_t i = 0; i < sources_.size(); ++i) results.push_back({host_code(i), device_code(i)});
    // The sources refer to these texts.
    for (std::size_t i = 0; i < sources_.size(); ++i) passes_[i] = std::move(results[i]);
  }

 private:
  struct reached_entity {
    source_codes* owner;
    const ir_entity* entity;
  };

  void reach(source_codes& owner, std::string_view name) {
    const ir_entity* const entity = owner.device.find(name);
    if (entity == nullptr || !owner.reached.insert(name).second) return;
    to_follow_.push_back({&owner, entity});
  }

  /// Finds all that kernels reach, in all sources.
  void follow_references() {
    for (source_codes& each : sources_) {
      for (const std::string_view name : each.kernels) reach(each, name);
      for (const std::string_view name : each.device_variables) reach(each, name);
      // Descriptions of types may name functions.
      for (const ir_entity& line : each.device.entities()) {
        if (!line.text.starts_with('!')) continue;
        for (const std::string_view name : references(line.text)) reach(each, name);
      }
      reach_annotations(each);
    }
    while (!to_follow_.empty()) {
      const reached_entity next = to_follow_.back();
      to_follow_.pop_back();
      if (next.entity->is_defined && !next.owner->is_shared(*next.entity)) {
        for (const std::string_view name : references(next.entity->text)) reach(*next.owner, name);
      } else {
        reach_in_others(*next.owner, next.entity->name);
      }
    }
  }

  /// The texts and numbers of annotations, which are read later (src/instrument/launch_limits.cpp).
  void reach_annotations(source_codes& owner) {
    for (const ir_entity& line : owner.device.entities()) {
      if (!is_list_of_annotations(line)) continue;
      for (const std::string_view name : references(line.text)) {
        const ir_entity* const found = owner.device.find(name);
        if (found != nullptr && found->kind == ir_kind::variable) reach(owner, name);
      }
    }
  }

  /// Another source may define it.
  void reach_in_others(const source_codes& from, std::string_view name) {
    for (source_codes& each : sources_) {
      if (&each == &from) continue;
      const ir_entity* const found = each.device.find(name);
      if (found == nullptr || !found->is_defined || found->is_internal || found->is_copy) continue;
      const bool is_variable = found->kind == ir_kind::variable && !found->is_constant;
      if (!is_variable && !each.is_of_device(*found)) {
        each.exported.insert(name);
        exported_.insert(name);
      }
      reach(each, name);
    }
  }

  void count_names() {
    for (const source_codes& each : sources_) {
      name_set own;
      for (const ir_module* const code : {&each.host, &each.device}) {
        for (const ir_entity& one : code->entities()) {
          if (one.is_defined && own.insert(one.name).second) ++definitions_[one.name];
        }
      }
    }
  }

  /// The names that both codes of the source, and no other source, use for what one of them has for itself.
  std::string common_name(std::size_t number, std::string_view name) const {
    const auto found = definitions_.find(name);
    const bool is_unique = found == definitions_.end() || found->second < 2;
    return is_unique ? std::string(name) : extended_name(name, fmt::format(".{}", number));
  }

  /// Adds the new name of what is internal to the source and which both of its codes refer to.
  void add_common_name(name_changes& changed, std::size_t number, const ir_entity& each) const {
    if (each.is_internal) changed[each.name] = common_name(number, each.name);
  }

  std::string host_code(std::size_t number) const {
    const source_codes& current = sources_[number];
    std::string code;
    name_changes changed;
    for (const ir_entity& each : current.host.entities()) {
      const ir_entity* const in_device = each.name.empty() ? nullptr : current.device.find(each.name);
      const bool is_reached = in_device != nullptr && current.reached.count(each.name) != 0;
      if (each.text.starts_with("@llvm.global.annotations ")) continue;
      if (is_list_of_used(each)) {
        code += with_elements(each.text, [&](std::string_view name) { return current.reached.count(name) == 0; });
        continue;
      }
      if (!each.is_defined || !is_reached) {
        code += each.text;
      } else if (current.is_of_device(*in_device) && in_device->is_defined) {
        add_common_name(changed, number, each);
        code += declaration(each, true);
      } else if (current.is_shared(*in_device) && each.is_internal) {
        add_common_name(changed, number, each);
        code += relinked(each, "hidden");
      } else {
        code += each.text;
      }
    }
    return changed.empty() ? code : renamed(code, changed);
  }

  std::string device_code(std::size_t number) const {
    const source_codes& current = sources_[number];
    std::string code;
    name_changes changed;
    for (const ir_entity& each : current.device.entities()) {
      if (is_list_of_used(each) || is_list_of_annotations(each)) {
        code += with_elements(each.text, [&](std::string_view name) { return current.reached.count(name) != 0; });
        continue;
      }
      if (each.name.empty()) {
        // What begins and ends with the program is the host's, and so is assembly outside of functions.
        const bool is_of_host = each.text.starts_with("@llvm.") || each.text.starts_with("module asm ");
        if (!is_of_host) code += each.text;
        continue;
      }
      const bool is_reached = current.reached.count(each.name) != 0;
      if (exported_.count(each.name) != 0 && (!each.is_defined || current.exported.count(each.name) != 0)) {
        changed[each.name] = extended_name(each.name, device_suffix);
      }
      if (!each.is_defined || (each.is_copy && is_reached)) {
        code += each.text;
      } else if (is_reached) {
        code += reached_definition(current, each);
        if (current.is_of_device(each) || current.is_shared(each)) add_common_name(changed, number, each);
      }
    }
    return changed.empty() ? code : renamed(code, changed);
  }

  static std::string reached_definition(const source_codes& current, const ir_entity& each) {
    if (current.is_of_device(each)) return relinked(each, each.is_mergeable ? "weak_odr hidden" : "hidden", true);
    if (current.is_shared(each)) return declaration(each, each.is_internal);
    if (current.exported.count(each.name) != 0) return relinked(each, each.is_mergeable ? "weak hidden" : "hidden");
    if (each.is_internal) return std::string(each.text);
    // A variable that only device code has, such as one of a template.
    if (each.kind == ir_kind::variable && !each.is_constant && !each.is_thread_local) return std::string(each.text);
    return relinked(each, "internal");
  }

  std::span<source_passes> passes_;
  std::vector<source_codes> sources_;
  std::vector<reached_entity> to_follow_;
  name_set exported_;
  std::unordered_map<std::string_view, unsigned> definitions_;
};

}  // namespace

void separate(std::span<source_passes> sources) { separation(sources).run(); }

}  // namespace warpz
