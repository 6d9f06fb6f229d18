// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes a source's device code for the machine, and keeps it apart from the source's host code.
//
// Both halves define functions, tables and variables of the same names, of which a linker would keep one. So what the
// device's half defines is its own, as HIP has it without -fgpu-rdc; what another source may refer to it can under a
// name of the device's code, "name.device".

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <dlfcn.h>
#include <gnu/lib-names.h>

#include <set>
#include <string>

#include "abi/device_compiler.h"
#include "abi/device_image.h"
#include "instrument/kernels.hpp"
#include "instrument/lane_loops.hpp"
#include "instrument/machine_code.hpp"
#include "instrument/passes.hpp"
#include "instrument/types.hpp"

namespace warpz::instrument {
namespace {

constexpr llvm::StringLiteral device_suffix = WARPZ_DEVICE_SUFFIX;

/// Builds constants with the layout of abi/device_image.h.
class image_builder {
 public:
  explicit image_builder(llvm::Module& module) : module_(module), context_(module.getContext()) {}

  llvm::Constant* number(std::uint64_t value, unsigned bits = 32) {
    return llvm::ConstantInt::get(llvm::IntegerType::get(context_, bits), value);
  }

  llvm::Constant* text(llvm::StringRef letters) {
    return variable(llvm::ConstantDataArray::getString(context_, letters));
  }

  llvm::Constant* record(llvm::ArrayRef<llvm::Constant*> fields) {
    return llvm::ConstantStruct::getAnon(context_, fields);
  }

  /// The address of an array of records, or null if there are none.
  llvm::Constant* array(llvm::ArrayRef<llvm::Constant*> records) {
    if (records.empty()) return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context_));
    return variable(
        llvm::ConstantArray::get(llvm::ArrayType::get(records.front()->getType(), records.size()), records));
  }

 private:
  llvm::GlobalVariable* variable(llvm::Constant* value) {
    return new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value);
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
};

/// "scale<float>" of "void mine::scale<float>(float*)".
std::string short_name(llvm::StringRef symbol) {
  std::string text = llvm::demangle(symbol);
  llvm::StringRef name(text);
  name.consume_front("void ");
  // The last name at the top level, and what follows it up to its parameters.
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char letter = name[i];
    if (depth == 0 && letter == '(' && !name.substr(i).starts_with("(anonymous namespace)"))
      return name.slice(begin, i).str();
    if (letter == '<' || letter == '(') ++depth;
    if (letter == '>' || letter == ')') --depth;
    if (depth == 0 && letter == ':') begin = i + 1;
  }
  return name.substr(begin).str();
}

llvm::Constant* arguments_of(image_builder& image, const kernel& each) {
  std::vector<llvm::Constant*> arguments;
  for (const kernel_parameter& parameter : each.parameters) {
    llvm::DIType* const element = unqualified(pointee_of(parameter.type));
    const bool is_float = element != nullptr && element->getName() == "float";
    arguments.push_back(
        image.record({image.number(parameter.bytes), image.number(bytes_of_type(element)),
                      image.number(is_float ? 1 : 0), image.number(alignment_of_type(parameter.type))}));
  }
  return image.array(arguments);
}

std::vector<llvm::Constant*> variables_of(llvm::Module& module, image_builder& image) {
  std::vector<llvm::Constant*> variables;
  for (llvm::GlobalVariable& each : module.globals()) {
    if (each.isDeclaration() || each.isThreadLocal()) continue;
    if (each.getName().starts_with(WARPZ_EXPRESSION_PREFIX)) {
      const llvm::StringRef symbol = each.getInitializer()->stripPointerCasts()->getName();
      variables.push_back(image.record({image.text(each.getName()), image.text(symbol), image.number(0, 64)}));
      continue;
    }
    if (!each.isExternallyInitialized()) continue;
    const std::uint64_t bytes = module.getDataLayout().getTypeAllocSize(each.getValueType());
    variables.push_back(image.record({image.text(each.getName()), &each, image.number(bytes, 64)}));
  }
  return variables;
}

/// What Clang puts behind the names by which both halves of a source find each other.
std::string identity_of(const llvm::Module& module) {
  constexpr llvm::StringLiteral prefix = "__hip_cuid";
  for (const llvm::GlobalVariable& each : module.globals()) {
    if (each.getName().starts_with(prefix)) return each.getName().drop_front(prefix.size()).str();
  }
  return {};
}

/// For a reader of the object file.
void add_text(llvm::Module& module, llvm::StringRef section, llvm::StringRef content) {
  llvm::Constant* const text = llvm::ConstantDataArray::getString(module.getContext(), content, false);
  auto* const variable =
      new llvm::GlobalVariable(module, text->getType(), true, llvm::GlobalValue::PrivateLinkage, text);
  variable->setSection(section);
  llvm::appendToUsed(module, {variable});
}

const llvm::cl::opt<bool> is_cuda("warpz-cuda", llvm::cl::desc("The source is CUDA"));

std::string path_of(const llvm::DIFile& file) {
  llvm::SmallString<256> path = file.getFilename();
  if (llvm::sys::path::is_relative(path)) {
    path = file.getDirectory();
    llvm::sys::path::append(path, file.getFilename());
  }
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, true);
  return path.str().str();
}

/// Lists the files of the user's that device code is in, for whoever quotes a line of it, and whether they are CUDA.
void list_sources(llvm::Module& module) {
  std::set<std::string> files;
  // One without device code is a program's of CUDA, too.
  if (is_cuda) {
    for (const llvm::DICompileUnit* const each : module.debug_compile_units()) files.insert(path_of(*each->getFile()));
  }
  for (const llvm::Function& each : module) {
    const llvm::DISubprogram* const place = each.getSubprogram();
    if (each.isDeclaration() || place == nullptr || is_of_machine(each)) continue;
    const std::string path = path_of(*place->getFile());
    if (!llvm::StringRef(path).starts_with("/usr/")) files.insert(path);
  }
  std::string list;
  for (const std::string& each : files) list += each + (is_cuda ? "\tcuda\n" : "\thip\n");
  if (!list.empty()) add_text(module, WARPZ_SOURCES_SECTION, list);
}

/// For who looks for a kernel: each kernel's symbol and parameters, as text.
void list_kernels(llvm::Module& module, const std::vector<kernel>& kernels) {
  std::string list;
  for (const kernel& each : kernels) {
    list += each.function->getName().str() + '\t' + each.signature() + '\t' + std::to_string(each.max_threads) + '\n';
  }
  add_text(module, WARPZ_KERNEL_LIST_SECTION, list);
}

/// What other sources may refer to: functions and variables that are defined once in a program.
bool is_exported(const llvm::GlobalValue& each) {
  const auto* const function = llvm::dyn_cast<llvm::Function>(&each);
  return each.hasExternalLinkage() && (function == nullptr || !function->hasFnAttribute(kernel_attribute));
}

/// Whether the C library, with which this compiler runs as programs will, has a function of this name.
bool is_in_c_library(llvm::StringRef name) {
  static void* const libraries[] = {dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD), dlopen(LIBM_SO, RTLD_LAZY)};
  return llvm::any_of(libraries, [text = name.str()](void* library) {
    return library != nullptr && dlsym(library, text.c_str()) != nullptr;
  });
}

/// Whether this belongs to the C library, the C++ library or the machine, whose names are the same on both sides.
bool is_of_library(const llvm::GlobalValue& each) {
  llvm::StringRef name = each.getName();
  if (is_of_machine(each) || each.isThreadLocal()) return true;
  if (!name.consume_front("_Z")) {
    if (!llvm::isa<llvm::Function>(each)) return false;
    // What has a dot in it is this compiler's.
    return name.contains('.') || name.starts_with("__") || name.starts_with("simt_") || name.starts_with("warpz_") ||
           is_in_c_library(name);
  }
  const bool is_nested = name.consume_front("N");
  if (is_nested) name.consume_front("K");
  // Namespaces std and __cxxabiv1, operators new and delete, tables of types.
  for (const char* const each_prefix :
       {"St", "Sa", "Ss", "10__cxxabiv1", "10hip_on_cpu", "TVN10__cxxabiv1", "TISt", "TVSt"}) {
    if (name.starts_with(each_prefix)) return true;
  }
  return !is_nested &&
         (name.starts_with("nw") || name.starts_with("na") || name.starts_with("dl") || name.starts_with("da"));
}

/// Defines the image (abi/device_image.h) that the host's half registers, and lists the kernels in a section for
/// whoever reads the object.
void add_image(llvm::Module& module, const std::vector<kernel>& kernels) {
  image_builder image(module);
  std::vector<llvm::Constant*> codes;
  for (const kernel& each : kernels) {
    codes.push_back(
        image.record({image.text(each.function->getName()), image.text(short_name(each.function->getName())),
                      each.function, arguments_of(image, each), image.number(each.parameters.size()),
                      image.number(each.max_threads), each.loops != nullptr ? each.loops : image.array({})}));
  }
  const std::vector<llvm::Constant*> variables = variables_of(module, image);
  llvm::Constant* const value =
      image.record({image.number(WARPZ_DEVICE_IMAGE_VERSION), image.number(codes.size()),
                    image.number(variables.size()), image.array(codes), image.array(variables)});
  const std::string identity = identity_of(module);
  auto* const defined = new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::ExternalLinkage,
                                                 value, "__hip_fatbin" + identity);
  defined->setVisibility(llvm::GlobalValue::HiddenVisibility);
  // Clang 19's host code has its handle elsewhere, newer ones in itself.
  auto* const pointer = llvm::PointerType::getUnqual(module.getContext());
  auto* const handle =
      new llvm::GlobalVariable(module, pointer, false, llvm::GlobalValue::WeakAnyLinkage,
                               llvm::ConstantPointerNull::get(pointer), "__hip_gpubin_handle" + identity);
  handle->setVisibility(llvm::GlobalValue::HiddenVisibility);
  // A module without a host's half finds its images by the section's ends.
  auto* const place =
      new llvm::GlobalVariable(module, defined->getType(), false, llvm::GlobalValue::PrivateLinkage, defined);
  place->setSection(WARPZ_IMAGE_SECTION);
  llvm::appendToUsed(module, {place});
  list_kernels(module, kernels);
  list_sources(module);
}

}  // namespace

void add_checked_kernels(llvm::Module& module) { add_image(module, change_kernels(module)); }

void add_kernels(llvm::Module& module) {
  std::vector<kernel> kernels = change_kernels(module);
  for (kernel& each : kernels) {
    loop_over_blocks(*each.function);
    each.loops = declare_lane_loops(*each.function);
  }
  add_image(module, kernels);
}

void separate_from_host(llvm::Module& module) {
  std::vector<llvm::GlobalValue*> all;
  for (llvm::GlobalValue& each : module.global_values()) all.push_back(&each);
  for (llvm::GlobalValue* const each : all) {
    const llvm::StringRef name = each->getName();
    if (name.empty() || name.starts_with("llvm.") || name.starts_with("__hip_fatbin") ||
        name.starts_with("__hip_gpubin_handle") || name.ends_with(device_suffix))
      continue;
    if (name.starts_with("__hip_cuid_")) {
      llvm::removeFromUsedLists(module, [each](llvm::Constant* used) { return used->stripPointerCasts() == each; });
      each->eraseFromParent();
      continue;
    }
    if (each->isDeclaration()) {
      if (!is_of_library(*each)) each->setName(name + device_suffix);
      continue;
    }
    if (each->hasLocalLinkage()) continue;
    const bool exported = is_exported(*each) && !is_of_library(*each);
    if (auto* const object = llvm::dyn_cast<llvm::GlobalObject>(each)) object->setComdat(nullptr);
    each->setVisibility(llvm::GlobalValue::DefaultVisibility);
    each->setLinkage(llvm::GlobalValue::InternalLinkage);
    if (!exported) continue;
    llvm::GlobalAlias* const alias =
        llvm::GlobalAlias::create(each->getValueType(), each->getAddressSpace(), llvm::GlobalValue::WeakAnyLinkage,
                                  name + device_suffix, each, &module);
    alias->setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
}

}  // namespace warpz::instrument
