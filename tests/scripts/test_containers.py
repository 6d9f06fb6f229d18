#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The container's files, as far as they can be tried without Docker: the stages and files that they name exist, and the
packages come from the one list."""

import json
import pathlib
import re
import subprocess
import unittest

from skips import main

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DOCKERFILE = (SOURCE / ".devcontainer/Dockerfile").read_text()


class ContainerTest(unittest.TestCase):
    def test_the_stages_that_are_named_exist(self):
        stages = re.findall(r"^FROM \S+ AS (\S+)", DOCKERFILE, re.MULTILINE)
        self.assertEqual(stages, ["development", "package"])
        opened = json.loads((SOURCE / ".devcontainer/devcontainer.json").read_text())
        self.assertIn(opened["build"]["target"], stages)
        self.assertTrue((SOURCE / ".devcontainer" / opened["build"]["dockerfile"]).is_file())
        self.assertIn(f"useradd --create-home --shell /bin/bash {opened['remoteUser']}", DOCKERFILE)
        self.assertTrue((SOURCE / opened["postCreateCommand"].split()[0]).is_file())
        for stage in re.findall(r"--from=(\S+)|^FROM (development)", DOCKERFILE, re.MULTILINE):
            self.assertIn("".join(stage), stages)

    def test_the_packages_are_those_of_the_one_list(self):
        command, = re.findall(r"&& (awk .*?)\| sort", DOCKERFILE)
        self.assertIn("COPY scripts/packages.txt /tmp/packages.txt", DOCKERFILE)
        said = subprocess.run(["bash", "-c", command.replace("/tmp/packages.txt", "scripts/packages.txt")], cwd=SOURCE,
                              capture_output=True, text=True, check=True).stdout.split()
        rows = [line.split() for line in (SOURCE / "scripts/packages.txt").read_text().splitlines() if line and line[0] != "#"]
        self.assertEqual(set(said), {row[1] for row in rows if row[0] in ("program", "tests", "pages") and row[1] != "-"})

    def test_the_preset_that_is_built_writes_the_package_that_is_installed(self):
        presets = json.loads((SOURCE / "CMakePresets.json").read_text())
        preset, = re.findall(r"cmake --workflow --preset (\S+)", DOCKERFILE)
        self.assertIn(preset, [each["name"] for each in presets["workflowPresets"]])
        self.assertIn(f"/source/build/{preset}/warpz_*.deb", DOCKERFILE)


if __name__ == "__main__":
    main()
