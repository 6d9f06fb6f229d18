// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/symbols.hpp"

#if WARPZ_HAS_LIBDW

#include <cxxabi.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "system/elf_file.hpp"

namespace warpz {
namespace {

/// elfutils' libdw, loaded with the first finding: linked, it and the libraries that it needs would make every start
/// half a millisecond longer.
class libdw {
  void* const library_ = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);

  /// A function of libdw, or of libelf, which it brings along.
  template <class Function>
  Function find(const char* name) const {
    return library_ != nullptr ? reinterpret_cast<Function>(dlsym(library_, name)) : nullptr;
  }

 public:
  bool is_loaded() const { return library_ != nullptr; }

#define WARPZ_LIBDW(function) decltype(&::function) const function = find<decltype(&::function)>(#function)
  WARPZ_LIBDW(dwarf_attr_integrate);
  WARPZ_LIBDW(dwarf_begin);
  WARPZ_LIBDW(dwarf_child);
  WARPZ_LIBDW(dwarf_filesrc);
  WARPZ_LIBDW(dwarf_formstring);
  WARPZ_LIBDW(dwarf_formudata);
  WARPZ_LIBDW(dwarf_getelf);
  WARPZ_LIBDW(dwarf_getsrc_die);
  WARPZ_LIBDW(dwarf_getsrcfiles);
  WARPZ_LIBDW(dwarf_haspc);
  WARPZ_LIBDW(dwarf_linecol);
  WARPZ_LIBDW(dwarf_lineno);
  WARPZ_LIBDW(dwarf_linesrc);
  WARPZ_LIBDW(dwarf_nextcu);
  WARPZ_LIBDW(dwarf_offdie);
  WARPZ_LIBDW(dwarf_siblingof);
  WARPZ_LIBDW(dwarf_tag);
  WARPZ_LIBDW(elf_rawfile);
#undef WARPZ_LIBDW
};

const libdw& dw() {
  static const libdw loaded;
  return loaded;
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         std::free);
  return status == 0 ? text.get() : name;
}

/// Empty where the function, or the one that it is an inlined copy of, has no name.
std::string name_of(Dwarf_Die& function) {
  for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_name}) {
    Dwarf_Attribute found;
    if (dw().dwarf_attr_integrate(&function, attribute, &found) == nullptr) continue;
    if (const char* const name = dw().dwarf_formstring(&found)) return demangled(name);
  }
  return {};
}

std::optional<Dwarf_Word> number_of(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dw().dwarf_attr_integrate(&die, attribute, &found) == nullptr) return {};
  return dw().dwarf_formudata(&found, &value) == 0 ? std::optional(value) : std::nullopt;
}

/// Adds the functions whose code is at the address, outermost first: one, and those inlined there.
void add_functions(Dwarf_Die& parent, std::uint64_t address, std::vector<Dwarf_Die>& functions) {
  Dwarf_Die die;
  if (dw().dwarf_child(&parent, &die) != 0) return;
  do {
    const int tag = dw().dwarf_tag(&die);
    const bool is_function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
    if (tag == DW_TAG_namespace) {
      add_functions(die, address, functions);
    } else if ((is_function || tag == DW_TAG_lexical_block) && dw().dwarf_haspc(&die, address) > 0) {
      if (is_function) functions.push_back(die);
      add_functions(die, address, functions);
      return;
    }
  } while (dw().dwarf_siblingof(&die, &die) == 0);
}

/// The debug information and the symbols of a file, read as far as they are asked for, and kept.
class debug_information {
 public:
  explicit debug_information(const std::string& file)
      : file_(open(file.c_str(), O_RDONLY | O_CLOEXEC)), dwarf_(dw().dwarf_begin(file_, DWARF_C_READ)) {}

  /// The innermost function first: those inlined, and the one that they are inlined into.
  std::vector<source_line> lines_at(std::uint64_t address) const {
    std::optional<Dwarf_Die> unit = unit_at(address);
    if (!unit) return {};
    Dwarf_Line* const line = dw().dwarf_getsrc_die(&*unit, address);
    const char* const file = line != nullptr ? dw().dwarf_linesrc(line, nullptr, nullptr) : nullptr;
    if (file == nullptr) return {};
    int number = 0, column = 0;
    dw().dwarf_lineno(line, &number);
    dw().dwarf_linecol(line, &column);
    std::vector<Dwarf_Die> functions;
    add_functions(*unit, address, functions);
    // Clang's line tables have a function only if another one is inlined into it.
    const bool has_outermost = !functions.empty() && dw().dwarf_tag(&functions.front()) == DW_TAG_subprogram;
    source_line next{{}, file, static_cast<unsigned>(number), static_cast<unsigned>(column)};
    std::vector<source_line> lines;
    for (std::size_t i = functions.size(); i-- > 0;) {
      next.function = name_of(functions[i]);
      lines.push_back(next);
      next = call_of(functions[i], *unit);
    }
    if (!has_outermost) lines.push_back(next);
    if (lines.back().function.empty()) lines.back().function = symbol_at(address);
    return lines;
  }

 private:
  std::optional<Dwarf_Die> unit_at(std::uint64_t address) const {
    Dwarf_Die unit;
    std::size_t header_size = 0;
    for (Dwarf_Off offset = 0, next = 0;
         dw().dwarf_nextcu(dwarf_, offset, &next, &header_size, nullptr, nullptr, nullptr) == 0; offset = next) {
      if (dw().dwarf_offdie(dwarf_, offset + header_size, &unit) == nullptr) continue;
      if (dw().dwarf_haspc(&unit, address) > 0) return unit;
    }
    return {};
  }

  /// Where the inlined function is called, without the name of its caller.
  static source_line call_of(Dwarf_Die& inlined, Dwarf_Die& unit) {
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    const std::optional<Dwarf_Word> number = number_of(inlined, DW_AT_call_file);
    const bool is_known = number && dw().dwarf_getsrcfiles(&unit, &files, &count) == 0 && *number < count;
    const char* const file = is_known ? dw().dwarf_filesrc(files, *number, nullptr, nullptr) : nullptr;
    return {{},
            file != nullptr ? file : "",
            static_cast<unsigned>(number_of(inlined, DW_AT_call_line).value_or(0)),
            static_cast<unsigned>(number_of(inlined, DW_AT_call_column).value_or(0))};
  }

  /// The function at the address by the symbol table; empty where there is none.
  std::string symbol_at(std::uint64_t address) const {
    std::size_t size = 0;
    const char* const bytes = dw().elf_rawfile(dw().dwarf_getelf(dwarf_), &size);
    if (bytes == nullptr) return {};
    for (const os::elf_symbol& each : os::elf_file({bytes, size}).symbols()) {
      if (each.type == STT_FUNC && each.begin <= address && address - each.begin < each.bytes) {
        // A part of a kernel that runs as loops over lanes has the kernel's own name and ".region1".
        return demangled(std::string(each.name.substr(0, each.name.find(".region"))).c_str());
      }
    }
    return {};
  }

  int file_;
  Dwarf* dwarf_;  ///< null where the file has no debug information, which libdw takes for an end
};

const debug_information& debug_information_of(const std::string& file) {
  const std::string path = file.empty() ? "/proc/self/exe" : file;
  // A module in memory has the name of its descriptor, which the next one may get, too. Its inode is its own for as
  // long as it is open, as it is here.
  struct stat found {};
  stat(path.c_str(), &found);
  // Never destroyed: then it still holds what libdw has allocated when sanitizers look for leaks.
  static auto& known = *new std::map<std::pair<dev_t, ino_t>, debug_information>;
  return known.try_emplace({found.st_dev, found.st_ino}, path).first->second;
}

/// Where this program lies in memory.
std::uint64_t program_base() {
  std::uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        *static_cast<std::uint64_t*>(data) = info->dlpi_addr;
        return 1;  // the program is the first
      },
      &base);
  return base;
}

/// Whether the frame is in the machine, or in code that launches a kernel: of no interest to the kernel's author. Some
/// names of such functions are too long to be demangled.
bool is_of_machine(const source_line& line) {
  constexpr const char* machine_folders[] = {"/simt/include/", "/warpz/detail/", "module/launch_interface"};
  constexpr const char* machine_names[] = {"simt::", "4simt", "warpz::detail::", "5warpz6detail"};
  const auto is_in = [](const std::string& text) {
    return [&text](const char* part) { return text.find(part) != std::string::npos; };
  };
  return std::any_of(std::begin(machine_folders), std::end(machine_folders), is_in(line.file)) ||
         std::any_of(std::begin(machine_names), std::end(machine_names), is_in(line.function));
}

/// Whether it is in a header of the compiler or of the C++ library, such as that of std::max.
bool is_of_standard_library(const source_line& line) {
  return line.file.find("/include/c++/") != std::string::npos || line.file.find("/lib/clang/") != std::string::npos;
}

/// Of functions that are inlined there, the user's call of those that are not the user's.
void skip_standard_library(std::vector<source_line>& innermost_first) {
  const auto own = std::find_if_not(innermost_first.begin(), innermost_first.end(), is_of_standard_library);
  if (own != innermost_first.end()) innermost_first.erase(innermost_first.begin(), own);
}

}  // namespace

std::vector<source_line> resolve_stack(std::span<const std::uint64_t> frames, const code_location& code) {
  if (!dw().is_loaded()) return {};
  std::vector<source_line> lines;
  for (const std::uint64_t frame : frames) {
    const auto module = std::find_if(code.modules.begin(), code.modules.end(),
                                     [frame](const os::mapped_file& each) { return each.holds(frame); });
    const bool is_loaded = module != code.modules.end();
    const std::uint64_t base = is_loaded ? module->begin : code.file.empty() ? program_base() : code.base;
    const debug_information& information = debug_information_of(is_loaded ? module->path : code.file);
    std::vector<source_line> found = information.lines_at(frame - base);
    // Compilers give some instructions no line, such as a loop's jump: then the line of the one before counts.
    for (std::uint64_t back = 1; back < 64 && !found.empty() && found.front().line == 0; ++back)
      found = information.lines_at(frame - base - back);
    skip_standard_library(found);
    lines.insert(lines.end(), found.begin(), found.end());
  }
  std::erase_if(lines, is_of_machine);
  return lines;
}

std::string_view why_no_lines() {
  return dw().is_loaded() ? "" : "No lines of source are known: libdw.so.1 is missing (Debian, Ubuntu: libdw1).";
}

}  // namespace warpz

#else

namespace warpz {

std::string_view why_no_lines() {
  return "No lines of source are known: this warpz was built without libdw (Debian, Ubuntu: libdw-dev).";
}

std::vector<source_line> resolve_stack(std::span<const std::uint64_t>, const code_location&) { return {}; }

}  // namespace warpz

#endif
