# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles device code with the plugin, as the build does."""

import os
import pathlib
import subprocess
import tempfile

PLUGIN = pathlib.Path(os.environ["WARPZ_PROGRAM"]).parent / "toolchain/instrument.so"
SOURCE = pathlib.Path(os.environ["WARPZ_SOURCE_DIR"])
OPTIONS = (*os.environ["WARPZ_DEVICE_CODE_OPTIONS"].split(), "-w", "-g", "-O1", "-fPIC", "-ftrivial-auto-var-init=pattern",
           f"-I{SOURCE}/src/simt/include", f"-I{SOURCE}/src/device", "-Xclang", "-load", "-Xclang", PLUGIN,
           f"-fpass-plugin={PLUGIN}")
# As src/instrument/CMakeLists.txt has them for checked code.
ARITHMETIC_CHECKS = "-fsanitize=signed-integer-overflow,shift-exponent,integer-divide-by-zero,float-cast-overflow,array-bounds"


def compiled(code, *options):
    """What Clang writes for the text of a file it.cpp."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder, "result")
        source = pathlib.Path(folder, "it.cpp")
        source.write_text(code)
        subprocess.run([os.environ["WARPZ_CLANG"], *OPTIONS, *options, source, "-o", result], check=True, timeout=120)
        return result.read_bytes()
