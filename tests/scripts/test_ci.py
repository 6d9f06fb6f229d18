#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""action.yml: its step checks a program as it says. The workflows to copy use its inputs and options that exist.

The environment names the program: WARPZ_PROGRAM."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml
from skips import main

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((SOURCE / "action.yml").read_text())

# Right with 32 lanes alone.
SUM = """#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void sum(int* out) {
  int v = 1;
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor(v, offset);
  if (threadIdx.x == 0) *out = v;
}
int main() {
  hipDeviceProp_t properties;
  hipGetDeviceProperties(&properties, 0);
  int* out;
  hipMallocManaged(&out, sizeof *out);
  sum<<<1, properties.warpSize>>>(out);
  hipDeviceSynchronize();
  std::printf("%d\\n", *out == properties.warpSize);
  hipFree(out);
}
"""


class Action(unittest.TestCase):
    def run_step(self, **inputs):
        """As GitHub's runner does: the step's script, with its environment's expressions replaced."""
        step, = ACTION["runs"]["steps"]
        values = {name: given.get("default", "") for name, given in ACTION["inputs"].items()}
        values.update({name.replace("_", "-"): value for name, value in inputs.items()})
        environment = {name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: values[match[1]], value)
                       for name, value in step["env"].items()}
        self.assertNotIn("${{", "".join(environment.values()) + step["run"])
        (self.folder / "scripts").mkdir(exist_ok=True)
        (self.folder / "scripts/warpz").unlink(missing_ok=True)
        (self.folder / "scripts/warpz").symlink_to(PROGRAM)
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=self.folder,
                              env={**os.environ, **environment, "GITHUB_ACTION_PATH": str(self.folder), "XDG_CACHE_HOME": str(self.folder)},
                              capture_output=True, text=True, timeout=120, check=False)

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "program.hip").write_text(SUM)

    def rules(self):
        run, = json.loads((self.folder / "warpz.sarif").read_text())["runs"]
        return {result["ruleId"] for result in run["results"]}

    def test_fails_and_writes_what_it_found(self):
        done = self.run_step(arguments="--run program.hip")
        self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("warp_size_dependence", self.rules())

    def test_passes_with_the_one_size(self):
        done = self.run_step(arguments="--run program.hip", warp_size="32")
        self.assertEqual((done.returncode, done.stdout), (0, "1\n"), done.stderr)
        self.assertEqual(self.rules(), set())


class Workflows(unittest.TestCase):
    def test_githubs_gives_the_actions_inputs(self):
        workflow = yaml.safe_load((SOURCE / "docs/ci/github.yml").read_text())
        steps = workflow["jobs"]["check"]["steps"]
        given = next(step["with"] for step in steps if step["uses"].startswith("OWNER/warpz"))
        self.assertLessEqual(set(given), set(ACTION["inputs"]))
        self.assertLessEqual({name for name, each in ACTION["inputs"].items() if each.get("required")}, set(given))
        self.assertEqual(next(step["with"]["sarif_file"] for step in steps if "upload-sarif" in step["uses"]),
                         ACTION["inputs"]["sarif"]["default"])

    def test_gitlabs_collects_the_file_that_it_writes(self):
        job = yaml.safe_load((SOURCE / "docs/ci/gitlab.yml").read_text())["warpz"]
        words = job["script"][0].split()
        self.assertEqual(words[words.index("--junit") + 1], job["artifacts"]["reports"]["junit"])
        listed = subprocess.run([PROGRAM, "help", "options"], capture_output=True, text=True, check=True).stdout
        for option in (word for word in words if word.startswith("--")):
            self.assertRegex(listed, rf"\n  {option}\b")


if __name__ == "__main__":
    main()
