#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel: of a program that is installed, and for GPUs."""

import pathlib
import shutil
import subprocess

from kernel_support import CLANG, KERNEL, SECONDS, TAKES, KernelTest
from puzzle_runs import MODULES, PROGRAM
from skips import main


class InstalledTest(KernelTest):
    """A program that lies elsewhere than where it was built."""

    def setUp(self):
        super().setUp()
        self.write(KERNEL)
        self.program = self.folder / "installed/bin/warpz"

    def run_installed(self, *options, **variables):
        done = subprocess.run([self.program, "--neighbor", "--quiet", "--kernel", "my.hip", *options], text=True,
                              cwd=self.folder, env={**self.environment, **variables}, capture_output=True,
                              timeout=SECONDS, check=False)
        return done.stdout, done.stderr, done.returncode

    def test_an_installation_has_all_it_needs(self):
        done = subprocess.run(["cmake", "--install", pathlib.Path(PROGRAM).parent, "--prefix",
                               self.folder / "installed"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.run_installed(), ("OK Basic neighbor difference test passed!\n", "", 0))
        part, = self.folder.glob("installed/lib*/**/toolchain")
        self.assertEqual([path for path in part.rglob("*") if path.is_symlink()], [])
        (part / "module-cpu.o").unlink()
        out, err, code = self.run_installed()
        self.assertEqual((out, code), ("", 4))
        self.assertRegex(err, r"\Awarpz: --kernel needs \S+/toolchain/module-cpu\.o, and it is missing\n"
                              r"It is part of warpz: build or install warpz again\.\n\Z")
        shutil.rmtree(part)
        self.assertRegex(self.run_installed()[1], r"\Awarpz: --kernel needs \S+/warpz/toolchain, and it is missing\n")


class GpuTest(KernelTest):
    """A stand-in for each vendor's module, and for hipcc: how it is called, and what becomes of its result."""

    def setUp(self):
        super().setUp()
        self.write(KERNEL)
        shutil.copy(PROGRAM, self.folder / "warpz")
        toolchain = self.folder / "toolchain"
        shutil.copytree(pathlib.Path(PROGRAM).parent / "toolchain", toolchain)
        for vendor in ("amd", "nvidia"):
            shutil.copy(MODULES / f"stand-in-{vendor}.so", self.folder / f"libwarpz-{vendor}.so")
            (toolchain / f"module-{vendor}.o").touch()
        self.tools = self.folder / "tools/bin"
        self.tools.mkdir(parents=True)
        self.environment["PATH"] = f"{self.tools}:{self.environment['PATH']}"

    def hipcc(self, vendor):
        """Copies a stand-in as the module, and notes how it was called."""
        script = (f'echo "$HIP_PLATFORM" "$CUDA_PATH" "$*" >>"{self.folder}/calls"\n'
                  f'for word; do case "$before" in -o) result=$word;; -c) cp "$word" "{self.folder}/compiled";; esac\n'
                  f'before=$word; done\ncp "{MODULES}/stand-in-{vendor}.so" "$result"')
        self.script(script, "tools/bin/hipcc")

    def run_on(self, vendor, *options, **variables):
        words = [self.folder / "warpz", "--neighbor", "--backend", vendor, "--kernel", "my.hip", *options]
        done = subprocess.run(words, cwd=self.folder, env={**self.environment, **variables}, capture_output=True,
                              text=True, timeout=SECONDS, check=False)
        return done.stdout, done.stderr, done.returncode

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def test_amd(self):
        self.hipcc("amd")
        out, err, code = self.run_on("amd")
        self.assertEqual((out.splitlines()[0], code), ("WARP_SIZE:  64", 1), err)  # it computes nothing
        self.assertIn("warpz: my.hip is not confined: on a GPU no kernel is\n", err)
        self.assertIn(" --neighbor --kernel my.hip --backend cpu --warp-size 64\n", err)
        compiling, linking = self.calls()
        self.assertRegex(compiling, r"^amd  --offload-arch=gfx90a -std=c\+\+17 .* -iquote \. .*/toolchain/device "
                                    r"-include ")
        self.assertRegex(linking, r"^amd  --offload-arch=gfx90a -shared -o \S+ \S+ \S+/toolchain/module-amd\.o$")
        self.assertRegex((self.folder / "compiled").read_text(), r"# 1 \"my\.hip\"\n[^#]*\n# 1 \"warpz\" 3\n(.*\n)*"
                                                                 r"WARPZ_KERNEL_AS\(\"warpz_kernel_0\", kernel\);\n}\n")

    def test_nvidia(self):
        self.hipcc("nvidia")
        self.script("exit 0", "tools/bin/nvcc")
        _, err, code = self.run_on("nvidia", "--device", "1")
        self.assertEqual(code, 1, err)
        compiling, linking = self.calls()
        tools = (self.folder / "tools").resolve()
        self.assertTrue(compiling.startswith(f"nvidia {tools} -x cu -gencode=arch=compute_90,code=sm_90 "))
        self.assertTrue(linking.endswith("/toolchain/module-nvidia.o"), linking)
        self.assertIn(f"-Xlinker=-rpath,{tools}/lib64", linking)

    def test_kept_for_each_device_by_itself(self):
        self.hipcc("amd")
        for expected in (2, 2):
            self.assertEqual(self.run_on("amd")[2], 1)
            self.assertEqual(len(self.calls()), expected)
        self.write(KERNEL + "\n")
        self.run_on("amd")
        self.assertEqual(len(self.calls()), 4)
        self.hipcc("amd")
        self.run_on("amd")
        self.assertEqual(len(self.calls()), 6, "another hipcc")

    def test_tools_that_are_missing(self):
        compiler = CLANG
        out, err, code = self.run_on("amd", "--compiler", compiler, PATH=str(self.tools), ROCM_PATH=str(self.folder))
        if shutil.which("hipcc", path="/opt/rocm/bin") is None:
            self.assertEqual((out, err, code), ("", (
                "warpz: --kernel needs hipcc to compile for a GPU, and it is not on PATH\n"
                "Debian and Ubuntu have it in the package hipcc; --backend cpu needs none.\n"), 4))
        self.hipcc("nvidia")
        variables = {"PATH": str(self.tools), "CUDA_PATH": str(self.folder)}
        self.assertEqual(self.run_on("nvidia", "--compiler", compiler, **variables), (
            "", "warpz: --kernel needs CUDA's nvcc to compile for an NVIDIA GPU, and it is not on PATH\n"
            "Where the toolkit lies elsewhere, set CUDA_PATH; --backend cpu needs none.\n", 4))
        (self.folder / "toolchain/module-amd.o").unlink()
        self.assertRegex(self.run_on("amd")[1],
                         r"\Awarpz: --kernel needs \S+/toolchain/module-amd\.o, and it is missing")

    def test_what_only_a_gpus_compiler_takes_needs_the_kernels_name(self):
        self.hipcc("amd")
        self.write(f"__global__ void mine({TAKES}) {{ only_there(output); }}\n")
        _, err, code = self.run_on("amd")
        self.assertEqual(code, 5)
        self.assertIn("my.hip:1:", err)
        _, err, code = self.run_on("amd", "--entry", "mine")
        self.assertEqual(code, 1, err)
        self.assertIn("(&kernel)(float* output, const float* input, int size) = ::mine;\nWARPZ_KERNEL_AS(\"warpz_kernel_0\", kernel);\n", (self.folder / "compiled").read_text())

    def test_its_compiler_refuses(self):
        self.script('echo "my.hip:1:5: error: not on this GPU" >&2\nexit 1', "tools/bin/hipcc")
        self.assertEqual(self.run_on("amd"),
                         ("", "my.hip:1:5: error: not on this GPU\nwarpz: my.hip does not compile\n", 5))

if __name__ == "__main__":
    main()
