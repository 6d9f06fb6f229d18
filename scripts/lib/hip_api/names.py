# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of HIP's interface: read from its headers, kept in names.txt."""

import collections
import pathlib
import textwrap
from typing import NamedTuple

from hip_api.declarations import Declaration, declared
from hip_api.words import is_interface

KEPT = pathlib.Path(__file__).with_name("names.txt")
# What a program of any version may include, where the version has it.
HEADERS = ("hip_runtime.h", "hip_runtime_api.h", "hip_ext.h", "hip_fp16.h", "hip_bf16.h", "hip_bfloat16.h", "hip_fp8.h",
           "hip_complex.h", "hip_cooperative_groups.h", "hip_math_constants.h", "hip_gl_interop.h", "hiprtc.h",
           "library_types.h", "hip_texture_types.h")


class Name(NamedTuple):
    name: str
    kind: str
    # "5.2": since then, or longer; "5.2 only": gone in the next version that was read.
    since: str


def read_headers(clang, versions, additions):
    found, order = {}, [each.partition("=")[0] for each in versions]
    for each in versions:
        version, _, folders = each.partition("=")
        folders = [pathlib.Path(folder).resolve() for folder in folders.split(":")]
        for name, declaration in names_of(clang, folders).items():
            found.setdefault(name, (declaration.kind, []))[1].append(version)
    names = []
    for name, (kind, seen) in found.items():
        names.append(Name(name, kind, seen[0] if seen[-1] == order[-1] else f"{seen[-1]} only"))
    for each in additions:
        version, _, file = each.partition("=")
        names += [Name(name, "function", version) for name in pathlib.Path(file).read_text().split() if name not in found]
    return sorted(names, key=lambda each: (each.kind, each.since, each.name.lower()))


def names_of(clang, folders):
    # The warp's functions with masks are behind a switch in HIP 6.
    command = [clang, "-x", "hip", "--offload-host-only", "-nogpulib", "-std=c++17", "-D__HIP_PLATFORM_AMD__",
               "-DHIP_ENABLE_WARP_SYNC_BUILTINS", *(f"-I{folder}" for folder in folders)]
    headers = [name for name in HEADERS if any((folder / "hip" / name).is_file() for folder in folders)]
    all_names = declared(command, "".join(f"#include <hip/{name}>\n" for name in headers))

    def is_of_hip(name, declaration: Declaration):
        # Mathematical functions come with Clang.
        inside = any(declaration.file.startswith(f"{folder}/hip/") for folder in folders)
        return (inside or "/__clang_hip_" in declaration.file) and is_interface(name, declaration.kind)

    names = {name: each for name, each in all_names.items() if is_of_hip(name, each)}
    for folder in folders:
        # A folder may be a link to another one.
        for file in (folder / "hip").glob("**/*.h*"):
            names[str(file.relative_to(folder))] = Declaration("header")
        for file in (folder / "hip").glob("*_detail/*.h*"):
            names[str(file.relative_to(folder))] = Declaration("header")
    return names


def write(names):
    groups = collections.defaultdict(list)
    for each in names:
        groups[each.kind, each.since].append(each.name)
    parts = ["# The names of HIP's interface, read from its headers by scripts/hip-api: kind, since which version, names."]
    for (kind, since), group in groups.items():
        parts.append(f"{kind} {since}\n" + textwrap.fill(" ".join(group), 120, initial_indent="  ", subsequent_indent="  ",
                                                         break_long_words=False, break_on_hyphens=False))
    KEPT.write_text("\n".join(parts) + "\n")


def read():
    names, kind, since = [], "", ""
    for line in KEPT.read_text().splitlines():
        if line.startswith("  "):
            names += [Name(name, kind, since) for name in line.split()]
        elif not line.startswith("#"):
            kind, _, since = line.partition(" ")
    return names
