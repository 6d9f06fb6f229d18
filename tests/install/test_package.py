# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What cmake --install puts in place is complete, and remembers no place: the prefix is moved after installing."""

import pathlib
import re
import subprocess

from installed_support import PROGRAM, SOURCE, InstalledTest, call
from skips import main

VERSION = re.search(r"project\(warpz VERSION (\d+)\.(\d+)\.(\d+)", (SOURCE / "CMakeLists.txt").read_text()).groups()


class Package(InstalledTest):
    def test_all_headers_are_there_and_nothing_else(self):
        headers = {str(file.relative_to(SOURCE / "src/device")) for file in (SOURCE / "src/device").rglob("*.hpp")}
        include = self.prefix / "include"
        self.assertEqual({str(file.relative_to(include)) for file in include.rglob("*") if file.is_file()},
                         headers | {"warpz/hip_on_cuda.hpp"})
        self.assertTrue((self.prefix / "share/doc/warpz/LICENSE").exists())

    def test_no_file_knows_where_it_came_from(self):
        files = [*self.prefix.rglob("*.cmake"), *self.prefix.rglob("*.hpp")]
        self.assertGreater(len(files), 10)
        for file in files:
            for place in (SOURCE, self.build, self.folder):
                self.assertNotIn(f"{place}/", file.read_text(), file)

    def test_only_versions_that_fit_are_found(self):
        major, minor, patch = map(int, VERSION)
        older = f"{major}.{minor - 1}" if minor else f"{major - 1}.99"
        for wanted, fits in ((f"{major}.{minor}.{patch}", True), (f"{major}.{minor}", True),
                             (f"{major}.{minor}.{patch + 1}", False), (f"{major}.{minor + 1}", False),
                             (f"{major + 1}.0", False), (older, False)):
            with self.subTest(wanted):
                done = self.configure(f"version-{wanted}", f"-DWANTED_VERSION={wanted}")
                self.assertEqual(done.returncode == 0, fits, done.stdout)

    def test_the_program_runs_from_its_new_place(self):
        program = self.prefix / "bin/warpz"
        for lanes in (32, 64):
            done = call(program, "--all", "--backend", "cpu", "--warp-size", lanes, "--quiet")
            self.assertEqual(done.returncode, 0, done.stdout)
        done = subprocess.run([program, "--neighbor", "--backend", "cpu"], capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, (SOURCE / "expected/warp32/neighbor.txt").read_text())

    def test_what_it_says_to_read_is_there(self):
        said = call(self.prefix / "bin/warpz", "help", "neighbor").stdout
        named = re.search(r"Read warpz::warp::shuffle_down\s+in\s+(\S+)\.\n", said)[1]
        self.assertTrue(pathlib.Path(named).is_absolute() and pathlib.Path(named).is_file(), said)

    def test_the_program_has_its_kernels_for_gpus_beside_it(self):
        built = sorted(file.name for file in PROGRAM.parent.glob("libwarpz-*.so"))
        self.assertEqual(sorted(file.name for file in self.prefix.rglob("libwarpz-*.so")), built)
        for module in built:
            vendor = re.fullmatch(r"libwarpz-(\w+)\.so", module)[1]
            if vendor == "mpi":  # for many machines, and no device
                continue
            said = call(self.prefix / "bin/warpz", "--neighbor", "--backend", vendor, "--quiet").stdout
            self.assertNotIn(module, said)


if __name__ == "__main__":
    main()
