#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel: which files it takes, which of their kernels it runs, and what it says to the others."""

import json
import re
import shutil
import subprocess
import time

from kernel_support import CLANG, KERNEL, NOTHING, RIGHT, SECONDS, TAKES, KernelTest
from puzzle_runs import CHOSEN, PROGRAM, PUZZLES, SOURCE, some
from sampling import long
from skips import main


class NamesTest(KernelTest):
    def test_any_name_and_no_include(self):
        self.write(KERNEL)
        self.assert_passes()

    def test_with_every_include_and_with_its_own_registration(self):
        self.write(f'#include <hip/hip_runtime.h>\n#include "warpz/kernel.hpp"\n{KERNEL}WARPZ_KERNEL(mine);\n')
        self.assert_passes()

    @long
    def test_the_whole_device_library_is_there(self):
        self.write('#include "warpz/block.hpp"\n#include "warpz/sync.hpp"\n' + KERNEL)
        self.assert_passes()

    @long
    def test_wherever_a_kernel_can_stand(self):
        for text in some((f"static {KERNEL}", f"inline {KERNEL}", f'extern "C" {KERNEL}', f"namespace {{ {KERNEL} }}",
                     f"namespace a::b {{ {KERNEL} }}", f"namespace a {{ namespace {{ {KERNEL} }} }}",
                     KERNEL.replace("__global__ void", "__global__ static void __launch_bounds__(64)"),
                     f"__global__ void mine({TAKES});\n{KERNEL}", f"{KERNEL}\n__global__ void mine(float*) {{}}\n",
                     f"template <class T> {KERNEL}template __global__ void mine<int>({TAKES});\n",
                     f"typedef float real;\n{KERNEL.replace('float', 'real')}", f"{KERNEL}//", f"\ufeff{KERNEL}",
                     KERNEL.replace("\n", "\r\n"), KERNEL + "int main() { return 0; }\n")):
            self.write(text)
            with self.subTest(text=text[:60]):
                self.assert_passes("--check", "off")
                self.assert_passes("--check", "all")

    def test_an_explicit_instantiation_with_a_long_name(self):
        long = KERNEL.replace("mine", "m" * 70)
        self.write(f"template <class T> {long}template __global__ void {'m' * 70}<int>({TAKES});\n")
        self.assert_passes("--check", "off")

    def test_of_several_the_one_that_fits(self):
        self.write(KERNEL + "__global__ void other(float* output) { output[0] = 1; }\n"
                   f"__device__ void helper{NOTHING}")
        self.assert_passes()

    def test_of_several_that_fit_the_one_of_the_puzzles_name(self):
        self.write(KERNEL.replace("mine", "neighbor_difference") + f"__global__ void other{NOTHING}")
        self.assert_passes()

    @long
    def test_of_several_that_fit_the_one_that_is_named(self):
        self.write(f"namespace a {{ {KERNEL} }}\n__global__ void other{NOTHING}"
                   f"template <class T> __global__ void made{NOTHING}template __global__ void made<int>({TAKES});\n")
        for name in ("mine", "a::mine", "::a::mine"):
            self.assert_passes("--entry", name)
        for name in ("other", "made", "made<int>"):
            self.assertEqual(self.run_kernel("--entry", name)[2], 1)

    @long
    def test_a_kernel_for_each_of_several_puzzles(self):
        self.write(KERNEL.replace("mine", "neighbor_difference") + f"__global__ void moving_average_3{NOTHING}"
                   f"__global__ void warp_partition({TAKES}, float pivot) {{ if (size < 0) output[0] = pivot; }}\n")
        out, _, code = self.run_kernel("--average", "--partition", "--neighbor", "--quiet")
        self.assertEqual(code, 1)
        self.assertEqual([line.split()[0] for line in out.splitlines()], ["OK", "FAIL", "FAIL", "OK"])

    @long
    def test_kernels_of_one_name_are_not_taken_for_each_other(self):
        # The second one writes nothing.
        bodies = f"({TAKES}) {{\n{RIGHT}}}\n", f"({TAKES}, float pivot) {{ if (size < 0) output[0] = pivot; }}\n"
        marked = tuple(f"__global__ void {{}}{body}" for body in bodies)
        long_name = "n" * 70
        for text in ("".join(f"namespace in_{i} {{ {one.replace('{}', 'scale', 1)} }}\n"
                             for i, one in enumerate(marked)),
                     "".join(one.replace("{}", "scale", 1) for one in marked),
                     "".join(one.replace("{}", f"{long_name}{i}", 1) for i, one in enumerate(marked))):
            for options in ([], ["--check", "collectives"]):
                self.write(text)
                out, err, code = self.run_kernel("--partition", "--quiet", *options)
                self.assertEqual((out, code), ("OK Basic neighbor difference test passed!\n"
                                               "FAIL Warp partition test failed!\n", 1), text + err)

    def test_the_pivot_comes_along(self):
        body = "const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < size) output[i] = pivot + 0 * input[i];"
        self.write(f"__global__ void mine({TAKES}, float pivot) {{\n  {body}\n}}\n")
        out, _, _ = self.run_kernel("--pivot", "7.5", "--format", "json", puzzle="partition")
        self.assertEqual(set(json.loads(out)["runs"][0]["output"]), {7.5})

    def test_the_list_and_the_readme_of_each_puzzle_have_the_signature(self):
        listed = subprocess.run([PROGRAM, "--list"], capture_output=True, text=True, timeout=600, check=True).stdout
        entries = [line.removeprefix("--").split("\t") for line in listed.splitlines()]
        self.assertEqual(len(entries), len(PUZZLES))
        for flag, _, kernel in entries:
            with self.subTest(flag=flag):
                text = (SOURCE / f"puzzles/{flag}/README.md").read_text()
                self.assertIn(f"`{kernel}`", re.sub(r"\s+", " ", text))


class FilesTest(KernelTest):
    def test_headers_beside_the_file_and_strange_names(self):
        self.write("#define STEP 1\n", "a folder/step.hpp")
        self.write('#include "step.hpp"\n' + KERNEL.replace("mine, 1", "mine, STEP"), 'a folder/my "own" $1\\.hip')
        self.assert_passes(file='a folder/my "own" $1\\.hip')
        self.assert_passes(file=self.folder / 'a folder/my "own" $1\\.hip')
        shutil.copy(self.folder / 'a folder/my "own" $1\\.hip', self.folder / "a folder/-O9")
        self.assert_passes(file=self.folder / "a folder/-O9")

    def test_a_pipe(self):
        (self.folder / "source").write_text(KERNEL)
        done = subprocess.run(["bash", "-c", f'"{PROGRAM}" --neighbor --quiet --kernel <(cat source)'], cwd=self.folder,
                              env=self.environment, capture_output=True, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_files_that_are_none(self):
        self.assertEqual(self.run_kernel(), ("", "warpz: cannot read 'my.hip': No such file or directory\n", 2))
        self.assertEqual(self.run_kernel(file="/dev/zero"),
                         ("", "warpz: cannot read '/dev/zero': it is larger than 16 MiB\n", 2))


class SolutionsTest(KernelTest):
    """An answer may include what it likes, but not the puzzle's solution."""

    def assert_refused(self, included, *options):
        out, err, code = self.run_kernel(*options)
        # Lines end where a terminal's do.
        self.assertEqual((out, " ".join(err.split()), code),
                         ("", f"warpz: my.hip includes {included}, which is the puzzle's own solution "
                          "Write the kernel yourself: warpz hint helps.", 5))

    def test_it_is_refused_whatever_it_is_called(self):
        solution = SOURCE / "puzzles/neighbor/solution.hip"
        shutil.copy(solution, self.folder / "mine.hpp")
        (self.folder / "linked.hpp").symlink_to(solution)
        self.write("// Not the same text.\n\n" + solution.read_text().replace("\n", " \n"), "spaced.hpp")
        self.write('#include "mine.hpp"\n', "between.hpp")
        for name in ("mine.hpp", "linked.hpp", "spaced.hpp"):
            self.write(f'#include "{name}"\n')
            self.assert_refused(name)
            self.assert_refused(name)  # from the cache
        self.write(f'#include "{solution}"\n')
        self.assert_refused(solution)
        self.write('#include "between.hpp"\n')
        self.assert_refused("mine.hpp")
        self.write(f'#include "{solution}"\n{KERNEL}')
        self.assert_refused(solution, "--entry", "mine")

    def test_it_is_refused_however_it_is_included(self):
        folder = SOURCE / "puzzles/neighbor"
        solution, dotted = folder / "solution.hip", f"{folder}/./../neighbor/tuned.hip"
        (self.folder / "same.hpp").hardlink_to(shutil.copy(solution, self.folder / "copy.hpp"))
        for text, included in ((f'#define TEXT(x) #x\n#define FILE TEXT({solution})\n#include FILE\n', solution),
                               (f'#if __has_include("{dotted}")\n#include "{dotted}"\n#endif\n', dotted),
                               ('#include "same.hpp"\n', "same.hpp"),
                               (f'const char text[] = {{\n#embed "{solution}"\n}};\n{KERNEL}', solution)):
            with self.subTest(text):
                self.write(text)
                self.assert_refused(included)

    def test_other_variants_are_solutions_too(self):
        shared = SOURCE / "puzzles/neighbor/shared.hip"
        self.write(f'#include "{shared}"\n')
        self.assert_refused(shared)

    def test_what_is_no_include_of_this_puzzles_solution(self):
        text = (SOURCE / "puzzles/neighbor/solution.hip").read_text()
        self.write(text)
        self.assert_passes()
        self.write(text.replace("neighbor_difference", "a_kernel"), "changed.hpp")
        self.write('#include "changed.hpp"\n')
        self.assert_passes()
        self.write(f'#include "{SOURCE}/puzzles/pair-swap/solution.hip"\n{KERNEL}')
        self.assert_passes("--entry", "mine")


class WrongKernelsTest(KernelTest):
    def test_no_kernel(self):
        self.write("int nothing;\n")
        self.assertEqual(self.run_kernel(), ("", (
            "warpz: my.hip has no kernel: a kernel is a function that begins with __global__ void\n"
            f"--neighbor needs a kernel such as __global__ void neighbor_difference({TAKES})\n"), 2))

    def test_other_arguments(self):
        self.write("__global__ void mine(float* output, int size) { output[0] = size; }\n")
        self.assertEqual(self.run_kernel(), ("", (
            "warpz: my.hip has no kernel that takes --neighbor's arguments. Its kernels are:\n"
            "  mine(float*, int)\n"
            f"--neighbor needs a kernel such as __global__ void neighbor_difference({TAKES})\n"), 2))
        self.write(KERNEL)
        self.assertEqual(self.run_kernel("--entry", "mine", puzzle="partition"), ("", (
            "warpz: my.hip has no kernel mine that takes --partition's arguments. Its kernels are:\n"
            "  mine(float*, float const*, int)\n"
            f"--partition needs a kernel such as __global__ void warp_partition({TAKES}, float pivot)\n"), 2))

    def test_other_arguments_with_c_linkage(self):
        self.write('extern "C" __global__ void mine(float* output) { output[0] = 0; }\n')
        _, err, code = self.run_kernel()
        self.assertEqual(code, 2)
        self.assertTrue(err.startswith("warpz: my.hip has no kernel that takes --neighbor's arguments. Its kernels are:\n"
                                       "  mine(float*)\n"), err)

    def test_several_that_fit(self):
        self.write(KERNEL + f"namespace a {{ __global__ void other{NOTHING} }}")
        self.assertEqual(self.run_kernel(), ("", (
            "warpz: my.hip has 2 kernels that --neighbor can run:\n"
            "  mine(float*, float const*, int)\n  a::other(float*, float const*, int)\n"
            "Choose one, for example --entry mine\n"), 2))

    def test_an_unknown_name(self):
        self.write(KERNEL)
        self.assertEqual(self.run_kernel("--entry", "min"), ("", (
            "warpz: my.hip has no kernel named min. Its kernels are:\n  mine(float*, float const*, int)\n"
            "Did you mean --entry mine?\n"), 2))

    def test_the_compilers_words_name_the_users_file_and_line(self):
        self.write(KERNEL.replace("has_next ?", "has_nxt ?"))
        out, err, code = self.run_kernel()
        self.assertEqual((out, code), ("", 5))
        lines = err.splitlines()
        found = [line for line in lines if re.match(r"my\.hip:6:29: error: ", line)]
        self.assertEqual(len(found), 1, err)
        self.assertIn("  if (i < size) output[i] = has_nxt ? next - mine : 0.0f;", err)
        self.assertEqual(lines[-1], "warpz: my.hip does not compile")
        self.assertNotRegex(err, r"\x1b|In file included|/warpz-kernel-")
        self.assertEqual(self.entries(), [])

    @long
    def test_a_mistake_in_a_header_names_the_header(self):
        self.write("int f() { return g(); }\n", "mistaken.hpp")
        self.write(f'\n#include "mistaken.hpp"\n{KERNEL}')
        _, err, code = self.run_kernel()
        self.assertEqual(code, 5)
        self.assertRegex(err, r"In file included from my\.hip:2:\n(.*: In function .*\n)?(\./)?mistaken\.hpp:1:18: error: ")

    def test_colors(self):
        self.write("mistake\n")
        _, colored, _ = self.run_kernel("--color", "always")
        _, plain, _ = self.run_kernel("--color", "never")
        self.assertIn("\x1b[", colored)
        self.assertEqual(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", colored), plain)

    def test_a_missing_function(self):
        self.write(f"__device__ float nowhere(float);\n{KERNEL.replace('= input[i]', '= nowhere(input[i])')}"
                   .replace("input[i] :", "nowhere(input[i]) :"))
        out, err, code = self.run_kernel()
        self.assertEqual((out, code), ("", 5))
        self.assertRegex(err, r"\Awarpz: my\.hip: undefined symbol: nowhere\(float\)\n"
                              r"What a kernel calls has to be in its file, or in headers that the file includes\.\n\Z")

    def test_a_global_object_of_the_host(self):
        """The host's half of a kernel's file is not run, nor compiled."""
        self.write(KERNEL + "struct bad { bad() { __builtin_trap(); } } now;\n")
        self.assertEqual(self.run_kernel()[2], 0)

    def test_a_global_object_of_the_device(self):
        """No GPU constructs it."""
        self.write(KERNEL + "struct bad { int n; __device__ bad() : n(clock()) {} };\n__device__ bad now;\n")
        _, err, code = self.run_kernel()
        self.assertEqual(code, 5)
        self.assertIn("dynamic initialization is not supported for __device__", err)

    def test_findings_name_the_file_as_it_was_given(self):
        text = (SOURCE / "tests/corpus/wrong_solutions/finding-early-return.hip").read_text()
        line = next(i for i, words in enumerate(text.splitlines(), 1) if "shuffle_down(" in words)
        self.write(text, "sub/my.hip")
        _, err, code = self.run_kernel("--size", 20, file="sub/my.hip")
        self.assertEqual(code, 3)
        self.assertRegex(err, rf" at sub/my\.hip:{line}\n")
        self.write(f"\n\nnamespace a {{\n__global__ void mine({TAKES}) {{\n  output[1 << 30] = input[size];\n}} }}\n")
        _, err, code = self.run_kernel()
        self.assertEqual(code, 3)
        self.assertIn("my.hip:5", err)
        self.assertNotIn("warpz_kernel_0", err)

    def test_what_it_prints_comes_before_what_is_said_of_it(self):
        # More than a pipe holds, to somebody who reads slowly.
        self.write(f"__global__ void mine({TAKES}) {{ for (int i = 0; i < 100; ++i) "
                   "printf(\"lane %2u, line %2d of those that come first\\n\", threadIdx.x, i); }")
        process = self.start("--neighbor", "--kernel", "my.hip", "--check", "off")
        time.sleep(1.5)
        _, err = process.communicate(timeout=600)
        lines = CHOSEN.sub(b"", err).decode().splitlines()
        self.assertEqual([i for i, line in enumerate(lines) if line.startswith("lane ")], list(range(3200)))
        self.assertEqual(lines[3200], "wrong result: neighbor: 32 of 32 elements differ; the first 5:")

    def test_the_next_command_keeps_the_kernel(self):
        self.write(f"__global__ void other{NOTHING}__global__ void mine{NOTHING}")
        _, err, code = self.run_kernel("--entry", "mine", "--no-cache", "--compiler", CLANG)
        self.assertEqual(code, 1)
        command = re.search(r"^next: (.*)$", err, re.MULTILINE)[1]
        self.assertIn(f" --neighbor --kernel my.hip --entry mine --compiler {CLANG} --no-cache", command)
        done = subprocess.run(command, shell=True, cwd=self.folder, env=self.environment, capture_output=True,
                              timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)

if __name__ == "__main__":
    main()
