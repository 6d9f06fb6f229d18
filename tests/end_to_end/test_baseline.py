#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--baseline: the findings of today are accepted, new ones fail."""

from kernel_support import KERNEL, RUNTIME, TAKES, RunTest
from skips import main

# Each block writes the same element, and one element is past the end.
RACY = RUNTIME + """\
__global__ void racy(int* out) {
  out[0] = threadIdx.x;
  out[threadIdx.x + 1] = 1;
}
int main() {
  int* out;
  hipMalloc(&out, 128);
  racy<<<1, 32>>>(out);
  hipFree(out);
}
"""
WORSE = RACY.replace("out[0] = threadIdx.x;", "out[0] = threadIdx.x; out[1] = threadIdx.x;")
NEW = RACY.replace("= 1;\n", "= 1;\n  out[2] = threadIdx.x;\n")


class BaselineTest(RunTest):
    def setUp(self):
        super().setUp()
        self.baseline = self.folder / "known [1].txt"

    def check(self, code, *options, file="racy.hip"):
        _, err, ended = self.run_program(file, "--baseline", self.baseline.name, *options)
        self.assertEqual(ended, code, err)
        return err

    def test_of_a_program(self):
        self.write(RACY, "racy.hip")
        self.assertEqual(self.run_program("racy.hip")[2], 3)
        err = self.check(0)
        self.assertIn("warpz: --baseline known [1].txt: 2 findings are written and accepted", err)
        self.assertIn("suppressed: ", err)
        comment, *lines = self.baseline.read_text().splitlines()
        self.assertTrue(comment.startswith("# "))
        self.assertEqual(sorted(lines), [r"data_race: racy.hip:4 | out\[0\] = threadIdx.x;",
                                         r"out_of_bounds: racy.hip:5 | out\[threadIdx.x + 1\] = 1;"])
        written = self.baseline.read_bytes()
        again = self.check(0)
        self.assertNotIn("written and accepted", again)
        self.assertNotIn("gone", again)
        self.write(NEW, "racy.hip")
        err = self.check(3)
        self.assertIn("racy.hip:6", err)
        # Lines may move; another text on an accepted line is new.
        self.write("// One more.\n\n" + RACY, "racy.hip")
        self.check(0)
        self.write(RACY.replace("out[0] =", "out[3] ="), "racy.hip")
        err = self.check(3)
        self.assertIn("racy.hip:4", err)
        self.assertIn("warpz: --baseline known [1].txt: 1 finding of it is gone\n", err)
        self.assertNotIn("gone", self.check(3, "--quiet"))
        self.assertEqual(self.baseline.read_bytes(), written)

    def test_of_a_kernel(self):
        self.write(KERNEL.replace("output[i] =", "output[i + 1] ="))
        self.assertEqual(self.run_kernel()[2], 3)
        self.assertEqual(self.run_kernel("--baseline", "b", "--quiet")[2], 1, "it is wrong all the same")
        self.assertRegex((self.folder / "b").read_text(), r"\A# .*\nout_of_bounds: my\.hip:[0-9]+ \| if .*;\n\Z")

    def test_what_ends_a_kernel_is_not_accepted(self):
        self.write(f"__global__ void mine({TAKES}) {{ *(volatile int*)8 = 1; }}\n")
        self.assertEqual(self.run_kernel("--baseline", "b")[2], 3)
        self.assertEqual((self.folder / "b").read_text().count("\n"), 1)

    def test_a_clean_program_has_an_empty_one(self):
        self.write("int main() {}\n", "clean.hip")
        self.check(0, file="clean.hip")
        self.write(RACY, "racy.hip")
        self.check(3)

    def test_a_file_that_cannot_be_written_or_read(self):
        self.write("int main() {}\n", "clean.hip")
        _, err, code = self.run_program("clean.hip", "--baseline", "none/b")
        self.assertEqual(code, 2)
        self.assertIn("--baseline none/b cannot be written", err)
        self.write("race\n", "b")
        _, err, code = self.run_program("clean.hip", "--baseline", "b")
        self.assertEqual(code, 2)
        self.assertIn("--baseline b:1: 'race' does not have the form KIND: PLACE", err)


if __name__ == "__main__":
    main()
