// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The beginning of an executable that warpz-hipcc has linked: a shared object with an entry, which no loader has
// touched when it begins. So there are no relocations, no library and no thread-local memory. It starts warpz, which
// loads the executable and calls its main.
#include <asm/unistd.h>
#include <elf.h>

#include <cstddef>
#include <cstdint>

#include "abi/launcher.h"

// C++ allows nobody to call main.
extern "C" int main_of_program(int, char**) __asm__("main");

// Main itself may be hidden from other modules.
extern "C" {
extern int (*const address_of_main)(int, char**) __asm__(WARPZ_LAUNCHER_MAIN) __attribute__((visibility("default")));
__attribute__((used)) int (*const address_of_main)(int, char**) = main_of_program;
}

namespace {

constexpr char command[] = WARPZ_LAUNCHER_COMMAND;

/// Written over by warpz-hipcc.
volatile const char starter[WARPZ_LAUNCHER_PATH_BYTES] = WARPZ_LAUNCHER_MARK;

long system_call(long number, long a, long b, long c) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
#else
#error no system calls are known for this architecture
#endif
}

}  // namespace

/// `stack` is what the kernel hands over: the number of arguments, they, the environment and the auxiliary vector.
/// There is room below it.
extern "C" __attribute__((used, visibility("hidden"), noreturn)) void warpz_launch_on(char** stack) {
  const auto count = reinterpret_cast<std::intptr_t>(stack[0]);
  char** const arguments = stack + 1;
  char** const environment = arguments + count + 1;
  char** end = environment;
  while (*end != nullptr) ++end;
  const char* executable = nullptr;
  for (auto* each = reinterpret_cast<const Elf64_auxv_t*>(end + 1); each->a_type != AT_NULL; ++each) {
    if (each->a_type == AT_EXECFN) executable = reinterpret_cast<const char*>(each->a_un.a_val);
  }
  const char** const words = const_cast<const char**>(arguments) - 3;
  words[0] = const_cast<const char*>(starter);
  words[1] = command;
  words[2] = executable;
  system_call(__NR_execve, reinterpret_cast<long>(starter), reinterpret_cast<long>(words),
              reinterpret_cast<long>(environment));
  const char message[] = "warpz: the program that built this one, and has to start it, is gone: ";
  system_call(__NR_write, 2, reinterpret_cast<long>(message), sizeof message - 1);
  std::size_t bytes = 0;
  while (starter[bytes] != '\0') ++bytes;
  system_call(__NR_write, 2, reinterpret_cast<long>(starter), static_cast<long>(bytes));
  system_call(__NR_write, 2, reinterpret_cast<long>("\n"), 1);
  while (true) system_call(__NR_exit_group, 4, 0, 0);
}

__asm__(
    ".text\n"
    ".globl " WARPZ_LAUNCHER_ENTRY
    "\n"
    ".hidden " WARPZ_LAUNCHER_ENTRY "\n" WARPZ_LAUNCHER_ENTRY
    ":\n"
#if defined(__x86_64__)
    "  mov %rsp, %rdi\n"
    "  sub $64, %rsp\n"
    "  and $-16, %rsp\n"
    "  call warpz_launch_on\n"
#elif defined(__aarch64__)
    "  mov x0, sp\n"
    "  sub sp, sp, #64\n"
    "  bl warpz_launch_on\n"
#endif
);
