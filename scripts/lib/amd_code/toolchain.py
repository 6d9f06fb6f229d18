# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the compilers and compiles kernel files to code objects, one for each architecture. hipcc compiles what it
knows; for architectures newer than it, a newer clang takes its place, with hipcc's headers and device library. That is
for looking at the code only: an architecture's own device library may differ in its mathematical functions."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from . import bundle
from .code_object import code_objects, generation
from .problem import DOES_NOT_COMPILE, TOOL_MISSING, Problem

SOURCE = pathlib.Path(__file__).resolve().parents[3]
OPTIONS = ("-O3", "-std=c++17", f"-I{SOURCE / 'src'}", f"-I{SOURCE / 'src/device'}")
# Together what src/gpu/CMakeLists.txt builds for where hipcc can; the first are what Debian 12's can.
SHIPPED = ("gfx906", "gfx908", "gfx90a", "gfx1030")
NEWER = ("gfx942", "gfx1100", "gfx1201")
CLANGS = ("clang++-19", "clang++-20", "clang++-21", "clang++-22")
DEVICE_LIBRARIES = ("/usr/lib/*/amdgcn/bitcode", "/usr/lib/clang/*/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode",
                    "/opt/rocm/lib/llvm/lib/clang/*/lib/amdgcn/bitcode")


def call(command, **environment):
    """The finished process: output as text, standard error in it."""
    return subprocess.run([str(part) for part in command], env={**os.environ, **environment}, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)


def version_of(program):
    """A compiler's version, in its own words: "HIP 5.2.21153-0, clang 15.0.6"."""
    output = call([program, "--version"], HIP_PLATFORM="amd").stdout
    hip = re.search(r"HIP version: (\S+)", output)
    clang = re.search(r"clang version ([\d.]+)", output)
    return ", ".join(([f"HIP {hip[1]}"] if hip else []) + ([f"clang {clang[1]}"] if clang else []))


class Toolchain:
    """Compiles into `folder`, which belongs to it, with more `options` than its own."""

    def __init__(self, folder, clang=None, options=()):
        self.folder = pathlib.Path(folder)
        self.options = (*OPTIONS, *options)
        self.hipcc = shutil.which(os.environ.get("HIPCC", "hipcc"))
        if not self.hipcc:
            raise Problem("hipcc is not installed, and nothing here can be compiled for AMD without it. On Debian and "
                          "Ubuntu: sudo apt-get install hipcc libamdhip64-dev", TOOL_MISSING)
        self.clang = next(filter(None, map(shutil.which, [clang] if clang else CLANGS)), None)
        if clang and not self.clang:
            raise Problem(f"there is no program {clang}", TOOL_MISSING)
        self._known = {}

    def version(self, architecture):
        return version_of(self._compiler(architecture))

    def _compiler(self, architecture):
        """hipcc where it knows the architecture, else clang."""
        if architecture not in self._known:
            generation(architecture)  # refuses what is no architecture's name
            # What it would do: it knows the architecture and has its device library, or it says "error:".
            empty = self.folder / "empty.hip"
            empty.touch()
            done = self._call_hipcc(empty, [architecture], self.folder / f"empty-{architecture}.hsaco", "-###")
            knows = done.returncode == 0 and " error: " not in done.stdout
            if not knows and not self.clang:
                raise Problem(f"{architecture}: {pathlib.Path(self.hipcc).name} ({version_of(self.hipcc)}) does not "
                              "know it, and there is no newer clang. On Debian and Ubuntu: sudo apt-get install "
                              "clang-19", TOOL_MISSING)
            if not knows and call([self.clang, "--target=amdgcn-amd-amdhsa", f"-mcpu={architecture}", "-nogpulib", "-x",
                                   "c", "-S", os.devnull, "-o", "-"]).returncode != 0:
                raise Problem(f"{architecture}: neither {pathlib.Path(self.hipcc).name} ({version_of(self.hipcc)}) nor "
                              f"{pathlib.Path(self.clang).name} ({version_of(self.clang)}) knows it", TOOL_MISSING)
            self._known[architecture] = self.hipcc if knows else self.clang
        return self._known[architecture]

    def _call_hipcc(self, source, architectures, output, *more):
        targets = [f"--offload-arch={each}" for each in architectures]
        code = ("--genco", source) if source else ()
        return call([self.hipcc, *more, *targets, *self.options, *code, "-o", output], HIP_PLATFORM="amd",
                    TMPDIR=str(self.folder))  # clang leaves empty folders there

    def compile(self, source, architectures):
        """The code objects of a kernel file, by architecture."""
        source = pathlib.Path(source)
        if not source.is_file():
            raise Problem(f"{source}: there is no such file")
        folder, paths = pathlib.Path(tempfile.mkdtemp(dir=self.folder)), []
        by_hipcc = [each for each in architectures if self._compiler(each) == self.hipcc]
        if by_hipcc:
            output = folder / "code.hsaco"
            self._check(self._call_hipcc(source, by_hipcc, output), source)
            paths = bundle.files(output, folder, source)
        paths += [self._compile_with_clang(source, each, folder) for each in architectures if each not in by_hipcc]
        found = {each.architecture: each for each in code_objects(paths, source)}
        left_out = [each for each in architectures if each not in found]
        if left_out:
            raise Problem(f"{source}: the compiler left out {', '.join(left_out)}", TOOL_MISSING)
        return found

    def compile_all(self, sources, architectures):
        """The same for several files: a list in their order."""
        for each in architectures:
            self._compiler(each)
        if any(self._compiler(each) == self.clang for each in architectures):
            self._device_library(architectures)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(lambda source: self.compile(source, architectures), sources))

    def program(self, sources):
        """The host's side of kernel files: a shared library without HIP's runtime and under the name of RCCL, for both of
        which one of the sources stands in."""
        path = self.folder / "librccl.so.1"
        done = self._call_hipcc(None, SHIPPED[-1:], path, "--cuda-host-only", "-shared", "-fPIC", "-Wl,--as-needed",
                                f"-Wl,-soname,{path.name}", *sources)
        self._check(done, sources[0])
        return path

    @staticmethod
    def _check(done, source):
        if done.returncode != 0:
            raise Problem(f"{source} does not compile:\n{done.stdout.rstrip()}", DOES_NOT_COMPILE)

    def _compile_with_clang(self, source, architecture, folder):
        """In three steps, because clang's own linking step wants an lld of its version, and any lld links this."""
        paths = {part: folder / f"{architecture}.{part}" for part in ("s", "o", "so")}
        library = self._device_library([architecture])
        self._check(call([self.clang, "-x", "hip", "--cuda-device-only", "-S", f"--offload-arch={architecture}",
                          "--rocm-path=/usr", f"--rocm-device-lib-path={library}", *self.options, source, "-o",
                          paths["s"]]), source)
        self._check(call([self.clang, "--target=amdgcn-amd-amdhsa", f"-mcpu={architecture}", "-c", paths["s"], "-o",
                          paths["o"]]), source)
        self._check(call([self._linker(), "-shared", paths["o"], "-o", paths["so"]]), source)
        return paths["so"]

    def _device_library(self, architectures):
        """A copy of the installed device library in which the files that newer architectures ask for are their
        nearest older siblings."""
        folder = self.folder / "device-library"
        if not folder.exists():
            patterns = [os.environ["HIP_DEVICE_LIB_PATH"]] if "HIP_DEVICE_LIB_PATH" in os.environ else DEVICE_LIBRARIES
            installed = next((found for pattern in patterns for found in sorted(pathlib.Path("/").glob(pattern[1:]))
                              if (found / "ockl.bc").exists()), None)
            if not installed:
                raise Problem("ROCm's device library is not where it is looked for; HIP_DEVICE_LIB_PATH may name its "
                              "folder. On Debian and Ubuntu: sudo apt-get install rocm-device-libs", TOOL_MISSING)
            shutil.copytree(installed, folder)
        for kind, wanted in [("abi_version", "600"), *(("isa_version", each[3:]) for each in architectures)]:
            self._supply(folder, f"oclc_{kind}_", wanted)
        return folder

    @staticmethod
    def _supply(folder, prefix, wanted):
        path = folder / f"{prefix}{wanted}.bc"
        if not path.exists():
            number = int(wanted, 16)
            older = [int(file.stem[len(prefix):], 16) for file in folder.glob(f"{prefix}*.bc")]
            nearest = max((each for each in older if each < number), default=None)
            if nearest is None:
                raise Problem(f"the device library has nothing for {prefix}{wanted}", TOOL_MISSING)
            shutil.copy(folder / f"{prefix}{nearest:x}.bc", path)

    def _linker(self):
        version = re.search(r"clang version (\d+)", call([self.clang, "--version"]).stdout)
        names = [f"ld.lld-{version[1]}"] if version else []
        names += ["ld.lld-15", "ld.lld"]
        found = next(filter(None, map(shutil.which, names)), None)
        if not found:
            raise Problem("no lld is installed. On Debian and Ubuntu: sudo apt-get install lld-19", TOOL_MISSING)
        return found
