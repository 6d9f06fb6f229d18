#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--check all: every load, store and copy in Clang's code has a call that tells the machine of it, whatever its width.

The compiler is a script that keeps the LLVM IR from which the object is made. This test reads that code by itself: what
it finds is compared with nothing that warpz says."""

import re

from kernel_support import CLANG, RUNTIME, RunTest
from puzzle_runs import SOURCE
from skips import main

CORPUS = SOURCE / "tests/corpus/checks"
# The machine's own, which no lane writes.
INDEXES = {"@threadIdx", "@blockIdx", "@blockDim", "@gridDim"}
# Whole programs with many kinds of accesses, and kernels of puzzles.
PROGRAMS = ("twist-three-bytes-good", "bounds-three-bytes-a-pixel-good", "race-three-shorts-good",
            "misaligned-two-pairs-at-once-good")

WIDTHS = RUNTIME + """
struct __attribute__((packed)) fields { unsigned low : 20, high : 4; };
struct big { double values[5]; };
struct seven { unsigned char bytes[7]; };
typedef float eight_floats __attribute__((ext_vector_type(8)));
typedef __attribute__((address_space(3))) int shared_int;

__attribute__((noinline)) __device__ double last(big all) { return all.values[4]; }

template <class T>
__global__ void copy(T* to, const T* from) { to[threadIdx.x] = from[threadIdx.x + 1]; }

__global__ void mix(uchar3* pixels, short3* triples, fields* bits, eight_floats* vectors, long double* wide,
                    double* sums, const big* all, int* shared, seven* sevens) {
  const int i = threadIdx.x;
  const uchar3 pixel = pixels[i + 1];
  pixels[i] = make_uchar3(pixel.y, pixel.x, pixel.z);
  triples[i] = make_short3(triples[i].z, i, 2);
  bits[i].low += bits[i].high;
  vectors[i] = vectors[i + 1] * 2.0f;
  wide[i] = wide[i + 1];
  sums[i] = last(all[i]);
  *((shared_int*)(shared + i)) += 1;
  sevens[i] = sevens[i + 1];
}

int main() {
  mix<<<1, 0>>>(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  copy<<<1, 0>>>((char3*)nullptr, (char3*)nullptr);
  copy<<<1, 0>>>((ushort3*)nullptr, (ushort3*)nullptr);
  copy<<<1, 0>>>((float3*)nullptr, (float3*)nullptr);
  copy<<<1, 0>>>((double4*)nullptr, (double4*)nullptr);
  copy<<<1, 0>>>((__int128*)nullptr, (__int128*)nullptr);
}
"""


def operands(text):
    """Text cut at the commas that are in no brackets."""
    parts, depth, begin = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth == 0:
            parts.append(text[begin:place].strip())
            begin = place + 1
    return parts + [text[begin:].strip()]


class Function:
    """The instructions of a function, and who its pointers point to."""

    def __init__(self, lines):
        self.lines = lines
        self.made = {}
        for line in lines:
            if match := re.match(r"  (%\S+) = (.*)", line):
                self.made[match[1]] = match[2]

    def origin(self, pointer, depth=0):
        """The name behind casts and offsets."""
        made = self.made.get(pointer, "")
        if address := re.search(r"@llvm\.threadlocal\.address\S*\(ptr (@\w+)\)", made):
            return address[1]
        match = re.match(r"(?:bitcast|addrspacecast|getelementptr)\b[^%@]*?.*?([%@][\w.$\"]+)(?: to |,|$)", made)
        if made.startswith("getelementptr"):
            match = re.match(r".*?(?:\*|ptr(?: addrspace\(\d+\))?) ([%@][\w.$\"]+)", made)
        return self.origin(match[1], depth + 1) if match and depth < 20 else pointer

    def is_local(self, pointer):
        return self.made.get(self.origin(pointer), "").startswith("alloca")

    def is_argument(self, pointer):
        """A kernel has its arguments by an array of pointers to them. The machine has written both, and the plugin's
        loads from the array alone are invariant."""
        origin = self.origin(pointer)
        made = self.made.get(origin, "")
        if "!invariant.load" not in made:
            return False
        return self.origin(last_name(operands(made)[1])) == "%0"


def last_name(operand):
    found = re.findall(r"[%@][\w.$]+|[%@]\"[^\"]*\"", operand)
    return found[-1] if found else operand


class AllAccessesTest(RunTest):
    def code_of(self, text):
        """The device code of this program, as it is when all is done."""
        kept = self.folder / "code.ll"
        compiler = self.script('case " $* " in *" -warpz-checked "*" -c "*)\n'
                               f'"{CLANG}" "$@" -S -emit-llvm -o "{kept}" ;; esac\n'
                               f'exec "{CLANG}" "$@"')
        self.write(text, "it.hip")
        self.run_program("it.hip", "--compiler", compiler, "--no-cache")
        return kept.read_text()

    def uncalled(self, code):
        """The accesses without a call before them, and how many accesses there are."""
        instrumented = set(re.findall(r"^attributes (#\d+) = \{[^}]* sanitize_thread ", code, re.MULTILINE))
        constants = set(re.findall(r"^(@\S+) = .*\bconstant\b", code, re.MULTILINE))
        found, count = [], 0
        for match in re.finditer(r"^define [^\n]*? (#\d+)[^\n]*\{\n(.*?)^\}", code, re.MULTILINE | re.DOTALL):
            if match[1] not in instrumented:
                continue
            function = Function(match[2].split("\n"))
            told = [(place, last_name(operands(called[1])[0])) for place, line in enumerate(function.lines)
                    if (called := re.search(r"call void @__tsan_\w*(?:read|write)\w*\((.*)\)", line))]
            told = [(place, function.origin(name), name) for place, name in told]
            for place, line in enumerate(function.lines):
                count += "@__tsan_mem" in line  # a copy that is a call
                for pointer in self.accessed(line):
                    origin = function.origin(pointer)
                    if function.is_local(pointer) or function.is_argument(pointer) or origin in constants:
                        continue
                    if (origin == "%0" and "!invariant.load" in line) or (origin in INDEXES and " = load " in line):
                        continue
                    count += 1
                    # The call for `x += y` stands before the store, behind the load.
                    near = [at for at, to, _ in told if to == origin and place - 12 <= at <= place + 60]
                    if not near:
                        found.append(line.strip())
        return found, count

    @staticmethod
    def accessed(line):
        """The pointers that an instruction reads or writes through."""
        if match := re.match(r"  store (?!atomic)(?:volatile )?(.*)", line):
            return [last_name(operands(match[1])[1])]
        if match := re.match(r"  %\S+ = load (?!atomic)(?:volatile )?(.*)", line):
            return [last_name(operands(match[1])[1])]
        if re.search(r"call void @llvm\.mem(cpy|move|set)\.", line):
            return ["(a copy that is not a call)"]
        return [last_name(each) for each in re.findall(r"byval\([^)]*\)[^,)]*", line) if "call" in line]

    def test_no_access_is_left_out(self):
        code = self.code_of(WIDTHS)
        for odd in ("i24", "i48", "x86_fp80", "<8 x float>", "addrspace(3)", "byval(%struct.big)"):
            self.assertIn(odd, code)
        found, count = self.uncalled(code)
        self.assertEqual(found, [])
        self.assertGreater(count, 20)

    def test_none_of_the_corpus(self):
        for name in PROGRAMS:
            with self.subTest(name):
                code = self.code_of((CORPUS / f"{name}.hip").read_text())
                found, count = self.uncalled(code)
                self.assertEqual(found, [])
                self.assertGreater(count, 0)

    def test_this_test_sees_an_access_that_is_left_out(self):
        code = self.code_of(WIDTHS)
        without = re.sub(r"^  call void @__tsan_(read|write)_range.*\n", "", code, flags=re.MULTILINE)
        found, _ = self.uncalled(without)
        self.assertGreater(len(found), 5)


if __name__ == "__main__":
    main()
