#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/test and .ci/run, on a small tree of its own, whose tests are one that runs its program, one that tells how it
was built, and one for --full; and the other scripts for maintainers."""

import pathlib
import re
import shutil

from sampling import long
from small_tree import CMAKE_LISTS, SOURCE, SmallTree, write
from skips import main


class TestTest(SmallTree):
    def summary(self, *arguments, script="test", code=0):
        result = self.run_script(script, *arguments)
        self.assertEqual((result.stderr.replace("Errors while running CTest\n", ""), result.returncode), ("", code),
                         result.stdout)
        return result.stdout

    def test_every_configuration_is_built_and_counted_in_one_summary(self):
        output = self.summary()
        self.assertIn("100% tests passed, 0 tests failed out of 4\n", output)
        self.assertEqual(sorted(re.findall(r"Test +#\d+: (\S+) .*Passed", output)),
                         ["asan.compiler", "asan.part", "compiler", "part"])
        self.assertEqual(re.findall(r"<(.*)>$", self.summary("-V", "-R", "compiler", "-j1"), re.MULTILINE),
                         ["GNU ", "Clang address,undefined"])

    @long
    def test_full_has_slow_tests_and_a_third_configuration(self):
        output = self.summary("--full")
        self.assertEqual(sorted(re.findall(r"Test +#\d+: (\S+) .*Passed", output)),
                         [prefix + name for prefix in ("asan.", "clang.", "") for name in ("compiler", "part", "slow")])
        self.assertEqual(re.findall(r"<(.*)>$", self.summary("--full", "-V", "-R", "compiler", "-j1"), re.MULTILINE),
                         ["GNU ", "Clang address,undefined", "Clang "])

    @long
    def test_options_reach_ctest(self):
        self.assertIn("out of 1\n", self.summary("-R", "^asan.part$"))
        self.assertIn("Total Tests: 4\n", self.summary("-N"))
        self.assertIn("out of 3\n", self.summary("--full", "-R", "slow"))
        result = self.run_script("test", "-R", "nothing has this name")
        self.assertIn("No tests were found", result.stdout + result.stderr)
        self.assertNotEqual(result.returncode, 0)

    @long
    def test_a_failed_test_shows_its_output_and_fails(self):
        write(self.tree / "CMakeLists.txt", CMAKE_LISTS.replace("part COMMAND warpz", "part COMMAND warpz bad"))
        output = self.summary(code=8)
        self.assertIn("parts 0 <bad>", output)
        self.assertIn("50% tests passed, 2 tests failed out of 4\n", output)

    def test_says_why_tests_were_skipped_and_ends_with_the_summary(self):
        write(self.tree / "CMakeLists.txt", CMAKE_LISTS.replace("  add_test(NAME ${WARPZ_TEST_PREFIX}slow", """
  add_test(NAME ${WARPZ_TEST_PREFIX}device COMMAND sh -c "echo 'skipped: there is no GPU here'; exit 77")
  add_test(NAME ${WARPZ_TEST_PREFIX}unit COMMAND sh -c "echo 'unit.cpp:5: Skipped'; echo 'no such processor'; exit 77")
  set_tests_properties(${WARPZ_TEST_PREFIX}device ${WARPZ_TEST_PREFIX}unit PROPERTIES SKIP_RETURN_CODE 77)
  add_test(NAME ${WARPZ_TEST_PREFIX}slow"""))
        before, summary = self.summary().split("% tests passed")
        self.assertRegex(before, "\nSkipped, because:\n  no such processor\n  there is no GPU here\n\n100$")
        self.assertRegex(summary, r"^, 0 tests failed out of 8\n(.*\n)*The following tests did not run:\n(\t.*\n){4}$")
        self.assertNotIn("Skipped, because", self.summary("-N"))

    @long
    def test_lists_the_slowest_before_the_summary(self):
        text = (SOURCE / "scripts/test").read_text()
        write(self.tree / "scripts/test", text.replace("head -n 20", "head -n 3"), executable=True)
        before, _ = self.summary().split("% tests passed")
        self.assertRegex(before, r"\nThe slowest:\n( +\d+\.\d s  (asan\.)?(part|compiler)\n){3}\n100$")
        self.assertNotIn("The slowest", self.summary("-N"))

    @long
    def test_a_change_is_built_before_it_is_tested(self):
        self.summary("-R", "^part$")
        write(self.tree / "src/parts.cpp", "int parts = 1;\n")
        self.assertEqual(self.summary("-V", "-R", "part").count("parts 1\n"), 2)

    @long
    def test_a_build_that_fails_names_the_log(self):
        write(self.tree / "src/parts.cpp", "#ifdef __clang__\nnonsense\n#endif\nint parts = 0;\n")
        result = self.run_script("test")
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        self.assertIn("scripts/test: the build failed.", result.stderr)
        self.assertIn("nonsense", result.stderr)
        self.assertIn(str(self.tree / "build/tests/setup.log"), result.stderr)

    @long
    def test_installs_what_tests_need(self):
        self.debian(user=0, lacking=["libgtest-dev", "cmake", "hyperfine"])
        self.summary("-N")
        calls = self.noted("apt-get")
        self.assertEqual([call.split(" install ")[1] for call in calls], ["cmake libgtest-dev"])

    @long
    def test_says_which_tests_are_skipped_without_their_package(self):
        self.debian(user=1000, lacking=["fish", "shellcheck"])
        result = self.run_script("test", "-N")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, "scripts/test: not installed, so some tests are skipped: fish shellcheck\n")

    @long
    def test_ci_runs_the_same(self):
        shutil.copytree(SOURCE / ".ci", self.tree / ".ci")
        result = self.run_script("", command=str(self.tree / ".ci/run"))
        self.assertIn("100% tests passed, 0 tests failed out of 4\n", result.stdout)
        self.assertEqual(result.returncode, 0)

    def test_help_builds_nothing(self):
        self.assertIn("Usage: scripts/test", self.summary("--help"))
        self.assertFalse((self.tree / "build").exists())


class MaintainersTest(SmallTree):
    """scripts/lint, scripts/offline-bundle and those that try a fresh Debian, as far as they go without minutes of work or a Debian to install."""

    def test_help_builds_nothing(self):
        for script in ("lint", "try-arm64", "try-fresh", "try-offline", "offline-bundle"):
            result = self.run_script(script, "--help")
            self.assertEqual((result.stderr, result.returncode), ("", 0))
            self.assertIn(f"Usage: scripts/{script} ", result.stdout)
        self.assertFalse((self.tree / "build").exists())

    def test_only_root_tries_a_fresh_debian(self):
        self.stand_in("id", "echo 1000")
        result = self.run_script("try-fresh")
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        self.assertIn("only root", result.stderr)


class BenchTest(SmallTree):
    def test_help_and_a_wrong_option_build_nothing(self):
        for script in ("bench-cpu", "bench-checks"):
            result = self.run_script(script, "--help")
            self.assertIn(f"Usage: scripts/{script}", result.stdout)
            result = self.run_script(script, "--fast")
            self.assertEqual((result.stdout, result.returncode), ("", 2))
            self.assertIn("--fast is not an option", result.stderr)
        result = self.run_script("bench-checks", "--runs")
        self.assertEqual((result.stdout, result.returncode), ("", 2))
        self.assertIn("--runs needs a value", result.stderr)
        self.assertFalse((self.tree / "build").exists())

    def test_says_what_it_lacks(self):
        self.debian(user=1000, lacking=["hyperfine"])
        (pathlib.Path(self.commands.name) / "hyperfine").unlink(missing_ok=True)
        result = self.run_script("bench-cpu")
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        self.assertIn("it needs hyperfine.", result.stderr)
        self.assertIn("sudo apt-get install hyperfine\n", result.stderr)

    def test_options_of_peers_are_for_peers(self):
        result = self.run_script("bench-cpu", "--runs", "1")
        self.assertEqual((result.stdout, result.returncode), ("", 2))
        self.assertIn("--runs is for --peers, --programs, --cores or --ranks", result.stderr)
        result = self.run_script("bench-cpu", "--peers", "--hip-cpu")
        self.assertEqual((result.stdout, result.returncode), ("", 2))
        self.assertIn("--hip-cpu needs a value", result.stderr)

    @long
    def test_the_machine_is_measured_beside_what_is_there(self):
        self.debian(user=1000, lacking=[])
        shutil.copytree(SOURCE / "src/bench", self.tree / "src/bench")
        write(self.tree / "src/main.cpp", '#include <cstdio>\nint main() { std::puts("warpz 0\\nright 1.250 ms"); }\n')
        result = self.run_script("bench-cpu", "--peers", "--runs", "1", "--kernels", "stencil")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\| kernel \| warpz, 32 lanes \| warpz, 64 lanes \|")
        self.assertRegex(result.stdout, r"\n\| stencil 2048 \| 1\.25 \(\d+\) \| 1\.25 \(\d+\) \|")
        self.assertRegex(result.stdout, r"\n\| stencil 512 \| 1\.25 \(\d+\) \| 1\.25 \(\d+\) \|")
        self.assertRegex(result.stdout, r"\nNot there, and so not measured: HIP-CPU")
        self.assertNotIn("| matmul", result.stdout)


if __name__ == "__main__":
    main()
