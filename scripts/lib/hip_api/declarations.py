# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What headers declare, asked of Clang: names at namespace scope with their kind, and which of them are unavailable."""

import dataclasses
import pathlib
import re
import subprocess
import tempfile

# A line of Clang's dump: how deep, the kind of node, and what it says of it.
NODE = re.compile(r"^(?P<depth>[|` ]*-)?(?P<kind>\w+)(?: 0x[0-9a-f]+)? ?(?P<rest>.*)$")
FILE = re.compile(r"(?:^|[<\s])(/[^\s:<>]+):\d+:\d+")
FUNCTIONS = {"FunctionDecl", "FunctionTemplateDecl"}
TYPES = {"CXXRecordDecl", "RecordDecl", "EnumDecl", "TypedefDecl", "TypeAliasDecl", "ClassTemplateDecl",
         "TypeAliasTemplateDecl"}
CONSTANTS = {"EnumConstantDecl", "VarDecl", "VarTemplateDecl"}
SCOPES = {"NamespaceDecl", "LinkageSpecDecl", "TranslationUnitDecl"}
# Words before a declaration's name.
FLAGS = {"implicit", "used", "referenced", "constexpr", "invalid", "parent", "prev", "inline", "nested"}


@dataclasses.dataclass
class Declaration:
    kind: str
    # The header, and the message of its attribute `unavailable`.
    file: str = ""
    refused: str = ""


def name_of(kind, rest):
    """The name in what Clang says of a declaration: behind its places, before its type."""
    words = re.sub(r"^(?:parent 0x\w+ |prev 0x\w+ )*", "", rest)
    words = re.sub(r"^<(?:[^<>]|<[^<>]*>)*> ?", "", words)
    words = re.sub(r"^(?:<[^<>]*>|(?:/[^\s:]+|line|col)(?::\d+)+)(?: <[^<>]*>)? ?", "", words)
    words = re.sub(r"'[^']*'.*$", "", words).split()
    for word in words:
        if kind in TYPES and word in ("struct", "class", "union"):
            continue
        if word not in FLAGS and re.fullmatch(r"~?[A-Za-z_]\w*", word):
            return word
    return ""


def declared(command, text):
    """Name -> Declaration of all that the text's headers declare, with the namespace before the name."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "names.hip"
        source.write_text(text)
        done = subprocess.run([*command, "-fsyntax-only", "-w", "-ferror-limit=0", "-fno-color-diagnostics", "-Xclang",
                               "-ast-dump", source], capture_output=True, text=True, check=False)
        if ": error: " in done.stderr or ": fatal error: " in done.stderr:
            raise SystemExit(done.stderr)
        macros = subprocess.run([*command, "-w", "-E", "-dD", source], capture_output=True, text=True, check=True)
    names = {}
    read_tree(done.stdout, names)
    read_macros(macros.stdout, names)
    return names


def read_tree(dump, names):
    file, scopes, last, inside = "", [], None, 0
    for line in dump.splitlines():
        match = NODE.match(line)
        if match is None:
            continue
        depth = len(match["depth"] or "") // 2
        for found in FILE.findall(line.split("'")[0]):
            file = found
        kind, rest = match["kind"], match["rest"]
        while scopes and scopes[-1][0] >= depth:
            scopes.pop()
        if kind == "UnavailableAttr" and last is not None and depth == inside + 1:
            message = re.search(r'"(.*?)"', rest)
            last.refused = message[1] if message else "not there"
        if scopes and depth != scopes[-1][0] + 1 or not scopes and depth > 1:
            continue
        if kind in SCOPES:
            space = name_of(kind, rest) if kind == "NamespaceDecl" else ""
            # An inline namespace's names are those of the one around it.
            hidden = kind == "NamespaceDecl" and (rest.endswith(" inline") or " inline" in rest.split(">")[-1])
            scopes.append((depth, "" if hidden else space))
        elif kind in FUNCTIONS | TYPES | CONSTANTS:
            role = "function" if kind in FUNCTIONS else "type" if kind in TYPES else "constant"
            name = name_of(kind, rest)
            if kind == "EnumDecl":
                scopes.append((depth, "" if " class" not in rest else name))
            last, inside = None, depth
            if name and "operator" not in rest.split("'")[0].split()[-1:]:
                full = "::".join([*(space for _, space in scopes if space and space != name), name])
                last = names.setdefault(full, Declaration(role, file))
                if role == "function":
                    last.kind = role


def read_macros(text, names):
    file = ""
    for line in text.splitlines():
        if line.startswith("# "):
            file = line.split('"')[1]
        elif match := re.match(r"#define (\w+)", line):
            names.setdefault(match[1], Declaration("macro", file))
        elif match := re.match(r"#undef (\w+)", line):
            if names.get(match[1], Declaration("")).kind == "macro":
                del names[match[1]]
