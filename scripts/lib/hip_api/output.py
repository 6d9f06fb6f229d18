# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page about HIP's names, and the header that refuses those that are not there."""

import collections
import textwrap

from hip_api.words import reason

HEAD = """\
# HIP's names on the CPU machine

For anyone who wants to know whether a program's HIP is there. `scripts/hip-api` makes this page: it reads HIP's names from the headers
of HIP 5.2.3 and 6.2.2, and asks Clang which of them the CPU machine's own headers declare. A test compares the two. Of ROCm 7, only
the functions that it adds to the runtime's table are listed.

A name that is not there is an error at its line, which says what to use instead:

```
program.hip:4:3: error: 'hipMemMapArrayAsync' is unavailable: arrays have memory of their own here: use hipMallocArray
```

What is there is described in [run.md](run.md). Members of types are not listed, nor what only HIP's headers use themselves. A list
that begins with a version has names that came with that version, or that were in that version only.
"""
CHAPTERS = [("Headers", lambda name: name.kind == "header"),
            ("Functions of the runtime", lambda name: name.kind == "function" and name.name.startswith(("hip", "hiprtc"))),
            ("Functions in device code", lambda name: name.kind == "function" and not name.name.startswith("hip")),
            ("Types", lambda name: name.kind == "type"),
            ("Constants", lambda name: name.kind == "constant"),
            ("Macros", lambda name: name.kind == "macro")]
WIDTH = 140


def listing(names, before=""):
    return textwrap.fill(before + ", ".join(f"`{name}`" for name in names), WIDTH, break_long_words=False,
                         break_on_hyphens=False)


def page(names, there):
    parts = [HEAD]
    for title, belongs in CHAPTERS:
        chapter = [name for name in names if belongs(name)]
        here = [name for name in chapter if name.name in there]
        parts.append(f"## {title}\n\n{len(here)} of {len(chapter)} are there.\n")
        by_version = collections.defaultdict(list)
        for name in here:
            by_version[name.since].append(name.name)
        for since, group in sorted(by_version.items()):
            parts.append(listing(group, "" if since == "5.2" else f"{since}: ") + "\n")
        refused = collections.defaultdict(list)
        for name in chapter:
            if name.name not in there:
                refused[reason(name.name)].append(name.name)
        if refused:
            parts.append("Not there:\n")
        for words, group in sorted(refused.items()):
            parts.append(listing(group, f"*{words}* – ") + "\n")
    return "\n".join(parts)


HEADER = """\
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's names that the CPU machine does not have. Using one is an error at its line that says what there is instead.
//
// Written by scripts/hip-api. A function takes any arguments, so that a program's own of the same name fits better.
#pragma once

#if defined(__clang__) && !defined(__WARPZ_CUDA__) && !defined(SIMT_NO_REFUSED_NAMES)

#include "simt/detail/sides.hpp"

SIMT_BOTH_SIDES_BEGIN

#define SIMT_FUNCTION(name) void name(...) SIMT_REFUSAL;
#define SIMT_TYPE(name) struct SIMT_REFUSAL name;
#define SIMT_CONSTANT(name) enum { name SIMT_REFUSAL };
"""
END = """\
#undef SIMT_CONSTANT
#undef SIMT_TYPE
#undef SIMT_FUNCTION

SIMT_BOTH_SIDES_END

#endif
"""


def header(missing):
    by_reason = collections.defaultdict(list)
    for name in missing:
        if name.kind == "header":
            continue
        if "::" in name.name:
            raise SystemExit(f"{name.name} is in a namespace: declare it, or say that it is no interface")
        by_reason[reason(name.name)].append(name)
    parts = [HEADER]
    for words, group in sorted(by_reason.items()):
        # Names in a row, as they are listed on the page.
        rows = textwrap.fill(" ".join(f"SIMT_{'CONSTANT' if name.kind == 'macro' else name.kind.upper()}({name.name})"
                                      for name in group), 120, break_long_words=False, break_on_hyphens=False)
        parts.append(f'#define SIMT_REFUSAL __attribute__((unavailable("{words}")))\n{rows}\n#undef SIMT_REFUSAL\n')
    return "\n".join([parts[0], "// clang-format off", *parts[1:], END])
