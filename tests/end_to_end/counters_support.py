# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose costs are counted, and what --counters tells of them."""

import json
import subprocess

from kernel_support import RUNTIME, SECONDS, KernelTest


def on_buffers(kernels, launches):
    """A program whose kernels take two buffers of 2^16 ints, zeros."""
    return f"""{RUNTIME}{kernels}
int main() {{
  int *a, *b;
  if (hipMalloc(&a, 1 << 18) != hipSuccess || hipMalloc(&b, 1 << 18) != hipSuccess) return 1;
  if (hipMemset(a, 0, 1 << 18) != hipSuccess || hipMemset(b, 0, 1 << 18) != hipSuccess) return 1;
  {launches}
  return hipFree(a) != hipSuccess || hipFree(b) != hipSuccess;
}}
"""


class CountersTest(KernelTest):
    def warpz(self, *options):
        process = self.start(*options)
        out, err = process.communicate(timeout=SECONDS)
        return subprocess.CompletedProcess(options, process.returncode, out.decode(), err.decode())

    def run_of(self, program, *options):
        """The runs' costs in JSON."""
        self.write(program, "mine.hip")
        done = self.warpz("--run", "mine.hip", "--counters", "--format", "json", *options)
        return [run["costs"] for run in json.loads(done.stdout)["runs"]]

    def rows(self, kernel, line, **wanted):
        return [row for row in kernel["lines"] if row["line"] == line
                and all(row[key] == value for key, value in wanted.items())]

    def counts(self, costs, code):
        """(kind, memory, needed, fewest) of the line with this code."""
        rows = [row for kernel in costs["kernels"] for row in kernel["lines"] if code in (row["code"] or "")]
        return {(row["kind"], row["memory"]): (row["needed"], row["fewest"]) for row in rows}

    def advice_on(self, costs, code):
        return sorted({row["advice"] for kernel in costs["kernels"] for row in kernel["lines"]
                       if row["advice"] and code in row["code"]})
