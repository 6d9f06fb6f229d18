#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/warpz --backend: what it installs, builds and refuses for a GPU vendor, on a small tree of its own."""

import pathlib
import shutil
import time

from small_tree import CMAKE_LISTS, SmallTree, write
from sampling import long
from skips import main

# Each module is a copy of one source file.
MODULES = """
foreach(vendor amd nvidia)
  string(TOUPPER ${vendor} name)
  if(WARPZ_${name})
    set(module ${CMAKE_BINARY_DIR}/libwarpz-${vendor}.so)
    add_custom_command(OUTPUT ${module} COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/src/module.txt ${module}
                       DEPENDS src/module.txt)
    add_custom_target(warpz_${vendor} DEPENDS ${module})
  endif()
endforeach()
"""


class GpuSetupTest(SmallTree):
    def setUp(self):
        super().setUp()
        write(self.tree / "CMakeLists.txt", CMAKE_LISTS + MODULES)
        write(self.tree / "src/module.txt", "first")
        self.nodes = self.folder / "system/dev"
        for node in ("kfd", "nvidiactl"):
            write(self.nodes / node, "")

    def run_warpz(self, *words, **settings):
        return super().run_warpz(*words, WARPZ_SYSTEM_ROOT=str(self.nodes.parent), **settings)

    def test_without_a_gpu_nothing_is_installed_or_built_for_one(self):
        self.debian(user=0, lacking=("hipcc", "libamdhip64-dev"))
        self.run_warpz("--backend", "amd")
        shutil.rmtree(self.nodes)
        # What is built already is tried: warpz has its own words.
        self.check(self.run_warpz("--backend", "amd"), "parts 0 <--backend> <amd>\n", 3)
        self.module("amd").unlink()
        self.calls.write_text("")
        for vendor, name in (("amd", "AMD"), ("nvidia", "NVIDIA")):
            result = self.run_warpz("--backend", vendor)
            self.assertEqual((result.stdout, result.returncode), ("", 4))
            self.assertIn(f"there is no {name} GPU", result.stderr)
            self.assertIn("--backend cpu", result.stderr)
        self.assertEqual(self.calls.read_text(), "")
        self.check(self.run_warpz("--backend", "cpu"), "parts 0 <--backend> <cpu>\n", 3)

    def module(self, vendor):
        return self.tree / f"build/libwarpz-{vendor}.so"

    def test_no_module_is_built_unless_it_is_asked_for(self):
        self.check(self.run_warpz(), "parts 0\n")
        self.assertFalse(self.module("amd").exists() or self.module("nvidia").exists())

    def test_one_that_is_asked_for_is_built_whatever_the_order_of_words(self):
        for words in (("--backend", "amd", "--all"), ("--all", "--backend=amd"), ("--backend", "cpu", "--backend", "amd")):
            with self.subTest(words):
                shutil.rmtree(self.tree / "build", ignore_errors=True)
                self.check(self.run_warpz(*words), "parts 0" + "".join(f" <{word}>" for word in words) + "\n", 3)
                self.assertTrue(self.module("amd").exists())
                self.assertFalse(self.module("nvidia").exists())

    @long
    def test_one_that_is_only_the_value_of_another_option_is_not(self):
        self.check(self.run_warpz("--input", "amd"), "parts 0 <--input> <amd>\n", 3)
        self.check(self.run_warpz("--", "--backend", "amd"), "parts 0 <--> <--backend> <amd>\n", 3)
        self.assertFalse(self.module("amd").exists())

    @long
    def test_one_that_was_built_once_is_kept_up_to_date(self):
        self.run_warpz("--backend", "amd")
        time.sleep(0.02)
        write(self.tree / "src/module.txt", "second")
        self.check(self.run_warpz(), "parts 0\n")
        self.assertEqual(self.module("amd").read_text(), "second")
        self.calls.write_text("")
        self.check(self.run_warpz("--backend", "amd"), "parts 0 <--backend> <amd>\n", 3)
        self.assertEqual(self.noted("cmake"), [])

    def test_hipcc_is_installed_for_amd_only_when_asked(self):
        self.debian(user=0, lacking=("hipcc", "libamdhip64-dev"))
        self.check(self.run_warpz(), "parts 0\n")
        self.assertEqual(self.noted("apt-get"), [])
        self.check(self.run_warpz("--backend", "amd"), "parts 0 <--backend> <amd>\n", 3)
        self.assertRegex(self.noted("apt-get")[0], r" install hipcc libamdhip64-dev$")

    def test_without_cuda_nothing_is_installed_or_built_for_nvidia(self):
        self.debian(user=0, lacking=("hipcc", "libamdhip64-dev"))
        self.path = f"{self.bin}:{self.without('nvcc')}"
        result = self.run_warpz("--backend", "nvidia", CUDA_PATH=str(self.folder))
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        self.assertIn(f"there is no nvcc in PATH or {self.folder}/bin", result.stderr)
        self.assertEqual(self.calls.read_text(), "")

    @long
    def test_a_module_that_can_no_longer_be_built_gives_way(self):
        write(self.folder / "cuda/bin/nvcc", "#!/bin/sh\n", executable=True)
        self.path = f"{self.bin}:{self.without('nvcc')}"
        self.run_warpz("--backend", "nvidia", CUDA_PATH=str(self.folder / "cuda"))
        self.assertTrue(self.module("nvidia").exists())
        time.sleep(0.02)
        write(self.tree / "src/module.txt", "second")
        result = self.run_warpz("--backend", "cpu", CUDA_PATH=str(self.folder))
        self.assertEqual((result.stdout, result.returncode), ("parts 0 <--backend> <cpu>\n", 3))
        self.assertIn("CUDA's toolkit is gone", result.stderr)
        self.assertFalse(self.module("nvidia").exists())
        self.check(self.run_warpz(CUDA_PATH=str(self.folder)), "parts 0\n")

    @long
    def test_with_cuda_the_module_for_nvidia_is_built(self):
        write(self.folder / "cuda/bin/nvcc", "#!/bin/sh\n", executable=True)
        self.debian(user=0, lacking=("hipcc", "libamdhip64-dev"))
        self.check(self.run_warpz("--backend", "nvidia", CUDA_PATH=str(self.folder / "cuda")),
                   "parts 0 <--backend> <nvidia>\n", 3)
        self.assertTrue(self.module("nvidia").exists())
        self.assertNotIn("cuda", " ".join(self.noted("apt-get")))

    def without(self, program):
        """The commands of the PATH but one."""
        folder = self.folder / "fewer"
        folder.mkdir()
        for entry in (path for path in pathlib.Path(self.commands.name).iterdir() if path.name != program):
            (folder / entry.name).symlink_to(entry.readlink())
        return folder


if __name__ == "__main__":
    main()
