#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of files that hold newlines, escape sequences and quotes: in no output do they break a line or steer a terminal,
and a right kernel is right whatever its file is called."""

import json
import pathlib
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))

from kernel_support import KERNEL, RIGHT, RUNTIME, RunTest, TAKES  # noqa: E402 (the path is set above)
from sampling import long  # noqa: E402 (the path is set above)
from skips import main  # noqa: E402

NAME = "a\nOK \x1b[31m\"b'\\.hip"
SHOWN = "a\\nOK \\x1b[31m\"b'"

# A finding with a place, in a kernel that goes on, and one that ends it.
RACES = f"""\
__global__ void mine({TAKES}) {{
  __shared__ int unset[64];
  if (size < 0) unset[threadIdx.x] = size;
  if (unset[threadIdx.x] > 12345) return;
{RIGHT}}}
"""


# Elements with their attributes and children, as in Jenkins's schema junit-10.xsd; GitLab reads a part of these.
JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id",
                   "package", "file", "log", "url"}, {"testsuite", "properties", "testcase", "system-out", "system-err"}),
    "testcase": ({"name", "time", "classname", "group"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    "skipped": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "failure": ({"type", "message"}, set()),
}
JUNIT_NEEDED = {"testsuite": {"name", "tests", "failures", "errors"}, "testcase": {"name"}}


def assert_junit(test, element):
    attributes, children = JUNIT[element.tag]
    test.assertLessEqual(set(element.attrib), attributes, element.tag)
    test.assertLessEqual(JUNIT_NEEDED.get(element.tag, set()), set(element.attrib), element.tag)
    if "time" in element.attrib:
        test.assertRegex(element.attrib["time"], r"\A[0-9]*(\.[0-9]*)?\Z")
    for each in element:
        test.assertIn(each.tag, children)
        assert_junit(test, each)


class NamesTest(RunTest):
    def assert_harmless(self, text):
        """One line per line, without control characters, and the name is there."""
        self.assertEqual([each for each in text if ord(each) < 32 and each != "\n"], [])
        self.assertNotIn("a\nOK", text)
        self.assertIn(SHOWN, text)

    def run_both_ways(self, *words):
        """As text and as JSON, with both reports; (standard output and standard error of each, exit code)"""
        texts = []
        for options in ([], ["--format", "json"]):
            process = self.start(*words, "--junit", "report.xml", "--sarif", "report.sarif", *options)
            out, err = process.communicate(timeout=120)
            texts.append((out.decode(), err.decode()))
        json.loads(texts[1][0])
        assert_junit(self, xml.etree.ElementTree.parse(self.folder / "report.xml").getroot())
        json.loads((self.folder / "report.sarif").read_text())
        for file in ("report.xml", "report.sarif"):
            text = (self.folder / file).read_text()
            self.assertEqual([each for each in text if ord(each) < 32 and each != "\n"], [])
            self.assertNotIn("\x1b", text)
        self.assertNotIn("\x1b", texts[1][0])
        return texts, process.returncode

    def test_a_right_kernel_is_right(self):
        self.write(KERNEL, NAME)
        for level in ("off", "all"):
            out, err, code = self.run_kernel("--documented-only", "--check", level, file=NAME)
            self.assertEqual(code, 0, err)
            self.assertIn("OK Basic", out)

    def test_a_kernel_with_a_finding(self):
        self.write(RACES, NAME)
        ((out, err), _), code = self.run_both_ways("--neighbor", "--kernel", NAME)
        self.assertEqual(code, 3, err)
        self.assertRegex(err, r"lane 0 +reads 4 bytes at .*:4\n")
        self.assert_harmless(err)

    def test_a_wrong_kernel(self):
        self.write(KERNEL.replace("next - mine", "next + mine"), NAME)
        ((out, err), _), code = self.run_both_ways("--neighbor", "--kernel", NAME)
        self.assertEqual(code, 1, err)
        self.assertEqual([each for each in out + err if ord(each) < 32 and each != "\n"], [])

    def test_what_does_not_compile(self):
        self.write(KERNEL.replace("next - mine", "nothing"), NAME)
        ((out, err), _), code = self.run_both_ways("--neighbor", "--kernel", NAME)
        self.assertEqual(code, 5, err)
        self.assertIn("use of undeclared identifier" if "undeclared" in err else "was not declared", err)
        self.assert_harmless(err)

    @long
    def test_a_program(self):
        self.write(RUNTIME + RACES + """int main() {
  float* output = nullptr;
  float* input = nullptr;
  if (hipMalloc(&output, 128) != hipSuccess || hipMalloc(&input, 128) != hipSuccess) return 1;
  if (hipMemset(input, 0, 128) != hipSuccess) return 1;
  mine<<<1, 32>>>(output, input, 32);
  hipFree(output);
  hipFree(input);
}
""", NAME)
        ((out, err), _), code = self.run_both_ways("--run", NAME)
        self.assertEqual(code, 3, err)
        self.assertRegex(err, r"lane 0 +reads 4 bytes at .*:6\n")
        self.assert_harmless(err)

    @long
    def test_numbers_and_suppressions(self):
        self.write("1 2 3 4", NAME)
        ((out, err), _), code = self.run_both_ways("--neighbor", "--input", NAME)
        self.assertEqual(code, 0, err)
        for words in (["--suppress", NAME], ["--kernel", "b" + NAME], ["--input", "b" + NAME], ["--junit", NAME + "/x"],
                      ["--module", NAME], ["--entry", NAME, "--kernel", NAME]):
            process = self.start("--neighbor", *words)
            out, err = process.communicate(timeout=120)
            self.assertNotEqual(process.returncode, 0)
            self.assert_harmless(err.decode())


if __name__ == "__main__":
    main()
