# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines that are mutated: of the last commit's C++, all or those that changed since an older one."""

import dataclasses
import re
import subprocess

from .operators import mutations

SUFFIXES = (".cpp", ".hpp", ".h", ".hip")


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    number: int  # the line's, from 1
    change: str  # in words
    line: str  # as it is afterwards

    def __str__(self):
        return f"{self.file}:{self.number}: {self.change}"


def git(tree, *arguments):
    return subprocess.run(["git", "-C", str(tree), *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def changed_lines(tree, revision):
    """File to the numbers of its lines that the commits since `revision` have written."""
    changed, lines = {}, None
    for line in git(tree, "diff", "--unified=0", "--no-color", revision, "HEAD").splitlines():
        if line.startswith("+++ "):
            lines = changed.setdefault(line.removeprefix("+++ b/"), [])
        elif hunk := re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", line):
            lines.extend(range(int(hunk[1]), int(hunk[1]) + int(hunk[2] or 1)))
    return changed


def mutants(tree, folders, revision=None):
    """All mutants of the files whose paths begin with one of `folders`."""
    changed = None if revision is None else changed_lines(tree, revision)
    for file in git(tree, "ls-tree", "-r", "--name-only", "HEAD").splitlines():
        if not file.endswith(SUFFIXES) or not file.startswith(tuple(folders)):
            continue
        if changed is not None and file not in changed:
            continue
        for number, line in enumerate(git(tree, "show", f"HEAD:{file}").splitlines(), 1):
            if changed is None or number in changed[file]:
                for change, after in mutations(line):
                    yield Mutant(file, number, change, after)
