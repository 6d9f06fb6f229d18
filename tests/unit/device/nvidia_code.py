# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For tests of what compilers make of the device library for NVIDIA: the operations of tests/amd as PTX and as machine
code, kernel by kernel."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "scripts/lib"))

from amd_code import elf, llvm_tools  # noqa: E402

SOURCES = [SOURCE / "tests/amd" / name for name in ("collectives.hip", "shuffles.hip", "rounding.hip")]
CUDA = pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
HIPCC = shutil.which("hipcc")
NVCC_IS_HERE = bool(HIPCC) and (CUDA / "bin/nvcc").exists()
READER_IS_HERE = bool(llvm_tools.programs("llvm-readobj"))
DISASSEMBLER = next(filter(None, map(shutil.which, (str(CUDA / "bin/nvdisasm"), "nvdisasm"))), None)


def call(*command):
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "HIP_PLATFORM": "nvidia", "CUDA_PATH": str(CUDA)}, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ends with {done.returncode}:\n{done.stdout}")
    return done.stdout


def _compiled(kind, target, options, read, sources=SOURCES):
    """What read(file) makes of the sources' compilation, as one file: they are read for much less time than CUDA."""
    with tempfile.TemporaryDirectory() as folder:
        source, output = (pathlib.Path(folder) / f"all.{ending}" for ending in ("hip", kind))
        source.write_text("".join(f'#include "{each}"\n' for each in sources))
        call(HIPCC, "-x", "cu", "-std=c++17", "-O3", f"-I{SOURCE / 'src/device'}", "-include",
             SOURCE / "src/gpu/hip_on_cuda.hpp", target, f"-{kind}", *options, source, "-o", output)
        return read(output)


def _ptx_kernels(file):
    kernels = {}
    for name, body in re.findall(r"\.entry (\w+)\(.*?\)\s*\{(.*?)\n\}", file.read_text(), re.DOTALL):
        # Assembly within the source has its own braces and lines.
        pieces = re.split(r"[;\n{}]", re.sub(r"//.*", "", body))
        kernels[name] = [" ".join(piece.split()) for piece in pieces if not re.match(r"\s*(\.|$)", piece)]
    return kernels


def ptx(architecture, *options):
    """Kernel name to its instructions, for compute_<architecture>."""
    return _compiled("ptx", f"-gencode=arch=compute_{architecture},code=compute_{architecture}", options, _ptx_kernels)


# Since sm_70 an instruction has 16 bytes; the lowest 12 bits say which it is, the next 4 under which predicate.
_INSTRUCTION, _EXIT_ALWAYS = 16, 0x794D


def _codes(file):
    """Each kernel's name and instructions, as the bytes that they are."""
    cubin = elf.read([file], file, elf.SECTIONS)[0]
    for section in cubin.sections:
        if section.name.startswith(".text."):
            yield section.name.removeprefix(".text."), cubin.content(section)


def _machine_kernels(file, architecture):
    kernels = {}
    code_file = file.with_suffix(".code")
    for name, code in _codes(file):
        # The bytes alone: a disassembler older than the compiler knows the instructions, but not the file's format.
        code_file.write_bytes(code)
        lines = call(DISASSEMBLER, "--binary", f"SM{architecture}", code_file).splitlines()
        found = (re.match(r"\s+/\*[0-9a-f]+\*/\s+(.*?) *;", line) for line in lines)
        instructions = [match[1] for match in found if match]
        kernels[name] = instructions[:instructions.index("EXIT") + 1]
    return kernels


def machine_code(architecture):
    """Kernel name to its instructions up to the end, for sm_<architecture>."""
    return _compiled("cubin", f"-gencode=arch=compute_{architecture},code=sm_{architecture}", (),
                     lambda file: _machine_kernels(file, architecture))


def _machine_counts(file):
    """How many instructions each kernel has up to its end, which no disassembler is needed for."""
    counts = {}
    for name, code in _codes(file):
        words = [int.from_bytes(code[i : i + 2], "little") for i in range(0, len(code), _INSTRUCTION)]
        counts[name] = words.index(_EXIT_ALWAYS)
    return counts


def machine_counts(architecture, sources=SOURCES, *options):
    """Kernel name to how many instructions it has before it ends, for sm_<architecture>."""
    return _compiled("cubin", f"-gencode=arch=compute_{architecture},code=sm_{architecture}", options, _machine_counts,
                     sources)
