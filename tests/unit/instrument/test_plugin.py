#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plugin makes of device code: the calls of the machine in each of these functions, in the order of its LLVM IR."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from plugin_support import ARITHMETIC_CHECKS, compiled
from skips import main

CHECKED = ("-mllvm", "-warpz-checked")

BEGIN = """
#include <hip/hip_runtime.h>
#pragma clang force_cuda_host_device begin
typedef float four __attribute__((ext_vector_type(4)));
typedef float eight __attribute__((ext_vector_type(8)));
typedef int pair __attribute__((ext_vector_type(2)));
typedef bool mask __attribute__((ext_vector_type(2)));
#if __clang_major__ < 22
typedef pair* masked_pointer;
#else
typedef int* masked_pointer;
#endif
typedef __attribute__((address_space(3))) int shared_int;
struct __attribute__((packed)) fields { unsigned low : 20, high : 4; };
struct __attribute__((packed)) unaligned { char first; int second; };
struct alignas(16) whole { float part; };
struct big { double values[5]; };
extern "C" int next(volatile int*);
extern "C" double last(big);
extern "C" void use(void*);
extern "C" void endutent(void*);  // a name of the C library's
static const __device__ int table[4] = {1, 2, 3, 4};
struct alignas(16) wide { double first, second; };
__device__ int global[7];
__device__ unaligned packed;
__shared__ int tile[64];
__shared__ int other[64];
static int look(volatile int* flag) { return *flag; }
static int look_once(volatile int* flag) { return *flag; }
"""

POLL, READ, WRITE = "simt_volatile_poll", "simt_volatile_read", "simt_volatile_write"
ENTER, REPEAT, LEAVE = LOOP = ("simt_enter_loop", "simt_repeat_loop", "simt_leave_loop")
PASS = "simt_pass_loop"
OUTSIDE = "simt_outside_call"
MOVED_READ, MOVED_WRITE, MOVED_USE = "simt_read_moved", "simt_write_moved", "simt_use_moved"
LOAD, STORE, READ4, WRITE4 = "__tsan_atomic32_load", "__tsan_atomic32_store", "__tsan_read4", "__tsan_write4"
CONSTANT, BLOCK_CONSTANT = "simt_write_constant", "simt_write_block_constant"

# Parameters and body of a function, and the calls in it.
CASES = {
    # A volatile load polls where it decides a loop that does not change its address.
    "(volatile int* flag)": ("while (*flag == 0) {}", [POLL, LOAD]),
    "(volatile float* flag)": ("while (*flag == 0) {}", [POLL, LOAD]),
    "(volatile int* flag, int i)": ("int seen; do { seen = flag[i]; } while (seen == 0);", [POLL, LOAD]),
    "(volatile int* flag, long)": ("int done = 0; while (!done) { if (*flag != 0) done = 1; }", [POLL, LOAD]),
    "(volatile int* flag, char)": ("while (look(flag) == 0) {}", [POLL, LOAD]),
    "(volatile int* flag, short)": ("while (look_once(flag) == 0) {}", [READ, READ4]),
    "(volatile int* flag, float*)": ("use((void*)(long)look_once(flag));", [READ, READ4]),
    "(volatile int* flag, int* out)": ("*out = *flag;", [READ, READ4, WRITE4]),
    "(volatile int* flag, int* out, int n)": ("int i = 0; while (flag[i] != n) ++i; *out = i;", [READ, READ4, WRITE4]),
    "(volatile int* flag, int* out, long n)": ("int sum = 0; for (long i = 0; i != n; ++i) sum += *flag; *out = sum;",
                                               [WRITE4, READ, READ4]),
    "(volatile unaligned* flag)": ("while (flag->second == 0) {}", [READ, "__tsan_unaligned_read4"]),
    "(volatile __int128* flag)": ("while (*flag == 0) {}", [READ, "__tsan_read16"]),
    # A store publishes where its value does not come from the object.
    "(volatile int* flag, int n, int)": ("*flag = n;", [STORE]),
    "(volatile int* flag, int n, long)": ("*flag = *flag + n;", [READ, READ4, WRITE, WRITE4]),
    "(volatile int* flag, int n, char)": ("*flag = next(flag);", [WRITE, WRITE4]),
    # A lane's own variables are not checked, unless it is not known where in them an access is.
    "(int n)": ("volatile int own = n; own = own + 1;", []),
    "(int n, void*)": ("int own[2]; own[0] = own[1] = n; use(own);", ["simt_unset_value"]),
    "(int n, int m, void*)": ("int own[2] = {n, n}; own[m] = n; use(own);", ["simt_unset_value", WRITE4]),
    "(int n, short*)": ("int own[2] = {n, n}; use(own); own[2] = n; use(own);", ["simt_unset_value", WRITE4]),
    # What the machine tells a lane.
    "(int* p, machine*)": ("*p = threadIdx.x + blockIdx.y + gridDim.z + warpSize;", [WRITE4]),
    # Accesses of any width.
    "(int* p)": ("*p += 3;", ["__tsan_read_write4"]),
    "(int* p, int n)": ("tile[n] = global[n] + 1;", [READ4, WRITE4]),
    "(int* p, long n)": ("tile[5] += 1;", ["__tsan_read_write4"]),
    "(int n, int*)": ("tile[n] = tile[n] + other[n];", ["__tsan_read_write4", MOVED_READ, MOVED_USE]),
    # The load of another line stands for itself.
    "(int* p, int n, long)": ("int before = *p;\n*p = before + n;", [READ4, WRITE4]),
    # What is moved within shared memory.
    "(int n, char)": ("tile[n] = other[n];", [MOVED_READ, MOVED_WRITE]),
    "(int n, float)": ("int sum = 0; for (int i = 0; i < n; ++i) sum += other[i]; tile[n] = sum;", [MOVED_WRITE, MOVED_READ]),
    "(int n, double)": ("tile[n] = n > 3 ? other[n] : 0;", [MOVED_READ, MOVED_WRITE]),
    "(int* p, int n, char)": ("int got = other[n]; tile[n] = got; *p = got;", [MOVED_READ, MOVED_WRITE, MOVED_USE, WRITE4]),
    "(int* p, int n, short)": ("*p = other[n];", [READ4, WRITE4]),
    "(int n, short)": ("if (other[n] > 3) tile[n] = other[n];", [READ4, WRITE4]),
    "(int n, long)": ("tile[other[n]] = 1;", [READ4, CONSTANT]),
    "(fields* p)": ("p->low = 7;", ["__tsan_read_range", "__tsan_write_range"]),
    "(eight* p)": ("*p = p[1];", ["__tsan_read_range", "__tsan_write_range"]),
    "(long double* p)": ("*p = p[1];", ["simt_aligned", "__tsan_read_range", "simt_aligned", "__tsan_write_range"]),
    "(shared_int* p)": ("*p = p[1];", ["__tsan_read_range", "__tsan_write_range"]),
    "(unaligned* p)": ("p->second = 7;", [CONSTANT]),
    # What is the same on any data: constants and the launch's shape.
    "(int* p, bool b)": ("if (b) *p = 2 * blockDim.x + 1;", [CONSTANT]),
    "(int* p, bool b, int)": ("*p = b ? 1 : 2;", [WRITE4]),
    # What is the same for a block: its number, and what lies at one address.
    "(int* p, bool b, long)": ("*p = 2 * blockIdx.x + tile[3];", [READ4, BLOCK_CONSTANT]),
    "(int* p, bool b, char)": ("*p = tile[threadIdx.x];", [READ4, WRITE4]),
    "(volatile int* flag, int* p, char)": ("*p = *flag;", [READ, READ4, WRITE4]),
    "(unaligned* p, int n)": ("p->second = n;", ["__tsan_unaligned_write4"]),
    "(const big* p, double* out)": ("*out = last(*p);", ["simt_aligned", "__tsan_read_range", "__tsan_write8"]),
    "(char* p, const char* q, long n)": ("memcpy(p, q, n); memmove(p, q + 1, n); memset(p, 0, n);",
                                         ["__tsan_memcpy", "__tsan_memmove", "simt_set_constant"]),
    "(char* p, int value, long n)": ("memset(p, value, n);", ["__tsan_memset"]),
    "(int* out, unsigned n)": ("*out = table[n];", [READ4, WRITE4]),
    # Atomics.
    "(unsigned* p)": ("__atomic_fetch_add(p, 1, 0);", ["__tsan_atomic32_fetch_add"]),
    # A word that is only set may have had no value.
    "(unsigned* p, unsigned n)": ("__atomic_exchange_n(p, n, 0);", ["__tsan_atomic32_replace"]),
    "(unsigned* p, unsigned n, unsigned* out)": ("*out = __atomic_exchange_n(p, n, 0);", ["__tsan_atomic32_exchange", WRITE4]),
    "(float* p, float* q)": ("__atomic_store(p, q, 5);", [READ4, STORE]),
    "(void** p, void** q)": ("__atomic_load(p, q, 5);", ["__tsan_atomic64_load", "__tsan_write8"]),
    "(long* p, long n)": ("__atomic_compare_exchange_n(p, &n, 4, false, 5, 5);", ["__tsan_atomic64_compare_exchange_val"]),
    "(float* p, float n)": ("__atomic_fetch_add(p, n, 0);", ["__tsan_atomic32_compare_exchange_val"]),
    "(int* p, int n, int)": ("p[n] = __atomic_fetch_max(p, n, 0);", ["__tsan_atomic32_compare_exchange_val", WRITE4]),
    "()": ("__atomic_thread_fence(5); __atomic_signal_fence(5);", ["__tsan_atomic_thread_fence", "__tsan_atomic_signal_fence"]),
    # Each element that a mask names.
    "(int* p, mask two)": ("__builtin_masked_store(two, pair{1, 2}, (masked_pointer)p);", ["__tsan_write_range"] * 2),
    "(int* p, mask two, pair* out)": ("*out = __builtin_masked_load(two, (masked_pointer)p);", ["__tsan_read_range"] * 2 + ["__tsan_write8"]),
    # A type's alignment, even where less is read.
    "(const whole* p, float* out)": ("*out = p->part;", ["simt_aligned", READ4, WRITE4]),
    "(four* p, int i)": ("p[i] = p[i + 1];", ["__tsan_read16", "__tsan_write16"]),
    # So is an access of part of a variable by another type, whose alignment Clang leaves away.
    "(double* out, int n, int)": ("*out = *(double*)&tile[n];", ["simt_aligned", "__tsan_unaligned_read8", "__tsan_write8"]),
    "(int n, int, double)": ("*(double*)&global[n] = n;", ["simt_aligned", "__tsan_unaligned_write8"]),
    "(int n, int, wide*)": ("wide w = *(wide*)&tile[n]; use(&w);",
                              ["simt_unset_value", "simt_aligned", "simt_aligned", "__tsan_memcpy"]),
    "(int* out, int n, long, int)": ("*out = *(int*)&tile[n];", [READ4, WRITE4]),
    "(int* out, unaligned*, int)": ("*out = packed.second;", ["__tsan_unaligned_read4", BLOCK_CONSTANT]),
    # Variables without a value.
    "(int* out)": ("int x; *out = x;", ["simt_unset_value", WRITE4]),
    "(int* out, char n)": ("int x; x = n; *out = x;", [WRITE4]),
    "(int** out)": ("*out = (int*)malloc(4); *out = new int; *out = new int[7];",
                    ["simt_malloc", "__tsan_write8", "simt_new", "__tsan_write8", "simt_new_array", "__tsan_write8"]),
    # The machine's own code.
    "(int* p, machine)": ("*p = 3;", []),
}

LAUNCHES = """
static __global__ void __launch_bounds__(64 * 4, 2) kernel(int* out) { *out = tile[0]; }
"""


def calls_in(code, name):
    """The machine's functions that the function calls, but for those that tell of loops and of other functions."""
    return [call for call in all_calls_in(code, name) if call not in (*LOOP, PASS, OUTSIDE)]


def all_calls_in(code, name):
    body = re.search(rf"^define [^\n]*@{name}(?:\.device)?\(.*?^\}}", code, re.MULTILINE | re.DOTALL)[0]
    return re.findall(r"call [^@\n]*@((?:__tsan_|simt_)\w+)\(", body)


class PluginTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.source = BEGIN + LAUNCHES + "struct machine {};\n"
        for number, (parameters, (body, _)) in enumerate(CASES.items()):
            own = "disable_sanitizer_instrumentation, " if "machine)" in parameters else ""
            cls.source += f'extern "C" __attribute__(({own}used)) void case_{number}{parameters} {{ {body} }}\n'
        cls.code = compiled(cls.source, *CHECKED, "-S", "-emit-llvm").decode()

    def test_calls(self):
        for number, (parameters, (body, expected)) in enumerate(CASES.items()):
            with self.subTest(parameters + " " + body):
                self.assertEqual(calls_in(self.code, f"case_{number}"), expected)

    def test_loops_that_may_wait(self):
        """At the end of one round a lane begins the next, or leaves the loop."""
        for number, (parameters, (body, expected)) in enumerate(CASES.items()):
            loops = [call for call in all_calls_in(self.code, f"case_{number}") if call in LOOP]
            waits = ("while" in body or "for" in body) and "volatile" in parameters
            with self.subTest(parameters + " " + body):
                self.assertEqual(set(loops), set(LOOP) if waits else set())

    def test_ways_past_loops_that_may_wait(self):
        """Where a lane cannot come to the loop any more, in the same round of the loop around it."""
        cases = {
            "if (*flag) { while (*flag == 1) {} }": 1,
            "if (n) { while (*flag == 1) {} } else { *flag = n; } *flag = 5;": 1,
            "*flag = n; while (*flag == 1) {}": 0,
            "if (n > 7) *flag = n; while (*flag == 1) {}": 0,
            "while (*flag == 1) { if (n == *flag) return; }": 0,
            "for (int i = 0; i < n; ++i) { if (i == *flag) continue; while (*flag == 1) {} }": 2,
            "for (int i = 0; i < n; ++i) { if (i == *flag) break; while (*flag == 1) {} *flag = i; }": 2,
            "switch (n) { case 1: while (*flag == 1) {} break; case 2: *flag = 3; break; default: *flag = 4; }": 2,
            "if (n) { while (*flag == 1) {} } else { while (*flag == 2) {} }": 2,
        }
        source = BEGIN + "".join(f'extern "C" __attribute__((used)) void case_{number}(volatile int* flag, int n) {{ {body} }}\n'
                                 for number, body in enumerate(cases))
        # Two ways to one place have one call.
        code = compiled(source, *CHECKED, "-S", "-emit-llvm").decode()
        for number, (body, expected) in enumerate(cases.items()):
            with self.subTest(body):
                self.assertEqual(all_calls_in(code, f"case_{number}").count(PASS), expected)

    def test_arithmetic(self):
        """What is asked of each operation; an index is told from other numbers."""
        cases = {
            "(int* p, int a, int b)": ("p[a * b] = 1;", ["258"]),
            "(int* p, int a, short b)": ("*p = a + b;", ["0"]),
            "(int* p, int a, char b)": ("p[(a - b) % 7] = 1;", ["1"]),
            "(int* p, int a, long)": ("*p = -a;", ["3"]),
            "(unsigned* p, unsigned a)": ("p[a * 3] = a + 7;", []),
            "(int* p, int a, float)": ("*p = 1 << a;", ["4"]),
            "(int* p, int a, double)": ("*p = 7 / a;", ["5"]),
            "(int* p, float a)": ("*p = (int)a;", ["6"]),
            "(float* p, float a)": ("*p = 1 / a;", []),
            "(int* p, int a, bool)": ("const int w[3] = {1, 2, a}; *p = w[a];", ["7"]),
            "(int* p, int a, bool, int)": ("*p = (*(int(*)[3])p)[a];", []),
            "(int* p)": ("*p += 3;", ["0"]),
        }
        source = BEGIN + "".join(f'extern "C" __attribute__((used)) void case_{number}{parameters} {{ {body} }}\n'
                                 for number, (parameters, (body, _)) in enumerate(cases.items()))
        code = compiled(source, *CHECKED, ARITHMETIC_CHECKS, "-S", "-emit-llvm").decode()
        for number, (parameters, (body, expected)) in enumerate(cases.items()):
            with self.subTest(parameters + " " + body):
                text = re.search(rf"^define [^\n]*@case_{number}\(.*?^\}}", code, re.MULTILINE | re.DOTALL)[0]
                found = re.findall(r"@simt_undefined_arithmetic\(.*i32 (\d+)\)", text)
                self.assertEqual(found, expected)
        self.assertNotIn("__ubsan", code)
        self.assertEqual(calls_in(code, f"case_{len(cases) - 1}"), ["__tsan_read_write4", "simt_undefined_arithmetic"])

    def test_only_where_it_is_asked_for(self):
        code = compiled(self.source, "-S", "-emit-llvm").decode()
        self.assertIn("define", code)
        self.assertNotRegex(code, r"__tsan_|simt_|\.zoned")

    def test_outside_calls(self):
        """Each call of a function that may do what the machine does not see."""
        cases = {
            "(int* p)": ('printf("%d", *p);', 1),
            "(void* p)": ("endutent(p); endutent(p);", 2),
            "(void* p, char)": ("use(p);", 0),  # it may be device code of another source
            "(void* p, int)": ("free(p);", 1),
            "(float* p)": ("*p = erff(*p) + fmodf(*p, 2);", 0),
            "(float* p, float a)": ("float s, c; sincosf(a, &s, &c); *p = s - c;", 0),
            "(float* p, double a)": ("*p = modf(a, &static_cast<double*>(static_cast<void*>(p))[1]);", 1),
            "(char* p, char* q)": ("memcpy(p, q, 100);", 0),
            "(int* p, void (*f)(int*))": ("f(p);", 0),
        }
        source = "#include <hip/hip_runtime.h>\n" + BEGIN + "".join(
            f'extern "C" __attribute__((used)) void case_{number}{parameters} {{ {body} }}\n'
            for number, (parameters, (body, _)) in enumerate(cases.items()))
        code = compiled(source, *CHECKED, "-S", "-emit-llvm").decode()
        for number, (parameters, (body, expected)) in enumerate(cases.items()):
            with self.subTest(parameters + " " + body):
                self.assertEqual(all_calls_in(code, f"case_{number}").count(OUTSIDE), expected)
        # Now that pointer may be one to a function outside.
        code = compiled(source + "__device__ void (*far)(void*) = endutent;", *CHECKED, "-S", "-emit-llvm").decode()
        self.assertEqual(all_calls_in(code, f"case_{len(cases) - 1}"), [OUTSIDE])

    def test_launch_limits(self):
        self.assertIn("call void @simt_launch_limits(i64 256, i64 256)", self.code)
        self.assertEqual(calls_in(self.code, "_ZL6kernelPi"), ["simt_launch_limits", READ4, BLOCK_CONSTANT])
        self.assertIn(r'c"_ZL6kernelPi\09int*\09256\0A", section "warpz_kernel_list"', self.code)

    def test_red_zones(self):
        """The symbols keep their sizes; what lies behind them is nobody's."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "it.o")
            path.write_bytes(compiled(self.source, *CHECKED, "-c"))
            lines = subprocess.run(["nm", "-S", path], capture_output=True, text=True, check=True).stdout.splitlines()
        sizes = {words[3]: int(words[1], 16) for words in map(str.split, lines) if len(words) == 4}
        self.assertEqual((sizes["global"], sizes["tile"], sizes["_ZL5table"]), (28, 256, 16))
        self.assertFalse([name for name in sizes if "zoned" in name])
        zones = dict(re.findall(r"^@(\w+)\.zoned = .*?, \[(\d+) x i8\] \}", self.code, re.MULTILINE))
        zones = {name: size for name, size in zones.items() if not name.startswith("__hip")}
        self.assertEqual(zones, {"global": "256", "packed": "256", "tile": "512", "other": "512", "_ZL5table": "256"})


if __name__ == "__main__":
    main()
