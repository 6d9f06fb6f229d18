#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every public name of the device library is used in some puzzle. The names are read from the headers."""

import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ.get("WARPZ_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
LIBRARY = SOURCE / "src/device/warpz"
PUBLIC = ("warp.hpp", "block.hpp", "sync.hpp")


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def headers(name, seen=None):
    """A header and all those of the library that it includes, but for the inner ones in detail/."""
    seen = {} if seen is None else seen
    if name not in seen:
        text = (LIBRARY / name).read_text()
        seen[name] = without_comments(text)
        for included in re.findall(r'#include "warpz/([^"]+)"', text):
            if not included.startswith("detail/"):
                headers(included, seen)
    return seen


def scopes(text):
    """The text within each named scope: (its path, as ("namespace warpz", "class semaphore"), the text). What a
    function's body holds, and each unnamed pair of braces, is in none."""
    found, path, pieces, begin = [], [], [[]], 0
    for brace in re.finditer(r"[{}]", text):
        before = text[begin:brace.start()]
        pieces[-1].append(before)
        begin = brace.end()
        if brace[0] == "{":
            statement = re.split(r"[;}]|public:|private:", "".join(pieces[-1]))[-1]
            opened = re.search(r"\b(namespace|class|struct|enum(?: class)?)\s+(\w+)[^()=]*$", statement)
            path.append(f"{opened[1].replace(' class', '')} {opened[2]}" if opened else None)
            pieces.append([])
        else:
            inside = "".join(pieces.pop())
            name = path.pop()
            pieces[-1].append("{}" if name is None else "{named}")
            if name is not None and None not in path:
                found.append(((*path, name), inside))
    return found


def public_names():
    """(where, name) of each function, class, member function and constant, and of each tag that chooses a function."""
    names = set()
    for header in PUBLIC:
        for text in headers(header).values():
            for path, inside in scopes(text):
                kinds = [each.split()[0] for each in path]
                where = "::".join(each.split()[1] for each in path)
                if "::detail" in where:
                    continue
                if kinds[-1] == "enum" and path[-1].endswith("_tag"):
                    names |= {(where, name) for name in re.findall(r"(\w+)\s*(?:,|$)", inside.strip())}
                elif kinds[-1] == "class":
                    names.add((where, path[-1].split()[1]))
                    shown = inside.partition("public:")[2].partition("private:")[0]
                    names |= {(where, name) for name in re.findall(r"__forceinline__[\w\s:<>*&]*?\b(\w+)\(", shown)}
                elif kinds[-1] == "namespace":
                    names |= {(where, name) for name in re.findall(r"__(?:forceinline__|device__ constexpr)"
                                                                   r"[\w\s:<>*&]*?\b(\w+)\(", inside)}
                    names |= {(where, name) for name in re.findall(r"inline constexpr \w+ (\w+) =", inside)}
    return names


def pattern(where, name, names):
    """How a kernel spells it."""
    *outer, scope = where.split("::")
    if name == scope or scope.endswith("_tag"):  # a class, or a tag: found in the scope around
        scope = outer[-1]
    elif (where, scope) in names:  # a member of that class
        return rf"(\.|->){name}\b"
    return rf"\b{scope}::{name}\b"


class PrimitivesTest(unittest.TestCase):
    def setUp(self):
        kernels = [*SOURCE.glob("puzzles/*/solution.hip"), *SOURCE.glob("puzzles/*/shared.hip"),
                   *SOURCE.glob("puzzles/*/tuned.hip")]
        self.kernels = "\n".join(without_comments(kernel.read_text()) for kernel in kernels)

    def test_the_names_are_found(self):
        """Some of each kind, so that a change of the headers' style is noticed here."""
        self.assertLessEqual({
            ("warpz::warp", "size"), ("warpz::warp", "shuffle_xor"), ("warpz::warp", "lane_group_sum"),
            ("warpz::warp", "partition"), ("warpz::warp::xor_lanes_tag", "xor_lanes"), ("warpz::block", "broadcast"),
            ("warpz", "barrier"), ("warpz", "full_mask"), ("warpz", "vendor"), ("warpz::semaphore", "semaphore"),
            ("warpz::semaphore", "fetch"),
            ("warpz::named_barrier_semaphore", "arrive_set"), ("warpz::mbarrier", "try_wait_parity"),
            ("warpz", "async_bulk_wait"), ("warpz", "any_count")}, public_names())

    def test_nothing_inner_is_taken_for_public(self):
        for where, name in public_names():
            self.assertNotIn("detail", where)
            self.assertFalse(name.endswith("_"), name)

    def test_each_is_used_in_a_puzzle(self):
        """A fast_ one, which promises less than the other, may stand behind it."""
        names = {(where, name.removeprefix("fast_")) for where, name in public_names()}
        unused = [f"{where}::{name}" for where, name in sorted(names)
                  if not re.search(pattern(where, name, names), self.kernels)]
        self.assertFalse(unused, f"no puzzle's kernel uses {', '.join(unused)}")


if __name__ == "__main__":
    unittest.main()
