# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the AMD code objects in a file: the file itself, a bundle (`hipcc --genco`), or the bundles that hipcc puts
into a program or library, one for each source file. clang-offload-bundler reads them, one at a time."""

import concurrent.futures
import os
import pathlib
import tempfile

from . import elf, llvm_tools
from .problem import Problem

ELF_MAGIC = b"\x7fELF"
MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
COMPRESSED_MAGIC = b"CCOB"
SECTION = ".hip_fatbin"
ALIGNMENT = 4096  # of the bundles in it


def _bundles(data):
    """The bundles that lie one after the other, with padding between them."""
    starts = [at for at in range(0, len(data), ALIGNMENT) if data.startswith((MAGIC, COMPRESSED_MAGIC), at)]
    return [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)])]


def _unbundled(bundle, folder, where):
    """The AMD code objects of one bundle, as files."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
    path, compressed = folder / "bundle", bundle.startswith(COMPRESSED_MAGIC)
    # A compressed one says its size, and can't be read with padding behind it.
    path.write_bytes(bundle[: int.from_bytes(bundle[8:12], "little")] if compressed else bundle)

    def ask(program):
        call = ("--type=o", f"--input={path}")
        targets = llvm_tools.run(program, "--list", *call).stdout.splitlines()
        # Of a bundle that is cut off it lists what comes before that, of a kind that it does not know nothing.
        if not targets or not compressed and len(targets) != int.from_bytes(bundle[24:32], "little"):
            raise ValueError("it does not list all that is in it")
        targets.sort(key=lambda target: bundle.find(target.encode()))  # it lists them in no order
        outputs = {target: folder / f"{number}.o" for number, target in enumerate(targets) if "amdgcn" in target}
        if outputs:
            llvm_tools.run(program, "--unbundle", *call, f"--targets={','.join(outputs)}",
                           *(f"--output={output}" for output in outputs.values()))
        return [output for output in outputs.values() if output.stat().st_size > 0]

    hint = (" (it is compressed: install a newer one, on Debian 12 clang-tools-19 and llvm-19, or compile with "
            "--no-offload-compress)") if compressed else " (it may be cut off)"
    return llvm_tools.first_answer("clang-offload-bundler", ask, where, hint=hint)


def files(path, folder, where):
    """The AMD code objects in a file, as files; `folder` takes those that are parts of it, `where` names it in
    errors."""
    path = pathlib.Path(path).absolute()
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Problem(f"{where}: {error.strerror}") from None
    if data.startswith(ELF_MAGIC):
        file = elf.read([path], where, elf.SECTIONS)[0]
        if file.is_amd:
            return [path]
        data = b"".join(file.content(section) for section in file.sections if section.name == SECTION)
    elif not data.startswith((MAGIC, COMPRESSED_MAGIC)):
        raise Problem(f"{where}: neither an ELF file nor a bundle of code objects")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [each for some in pool.map(lambda bundle: _unbundled(bundle, folder, where), _bundles(data))
                 for each in some]
    if not found:
        raise Problem(f"{where}: there is no AMD code in it")
    return found
