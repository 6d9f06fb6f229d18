# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference page in Markdown."""

import re

# What may be a name: with :: or dots within it, a percent sign before it, arguments behind it.
_WORD = re.compile(r"(?<![\w`%.:<])(%?\w+(?:(?:::|\.(?=[a-z]))\w+)*(?:\((?:mask, )?(?:v, \w+|1)?\))?)(?![\w`])")
_NAME = re.compile(r"_|::|[a-z]\.[a-z]|^%|\)$")
_INTRODUCTION = """\
# Reference of the device library

Made from the headers' docstrings by `scripts/reference`; to change it, change them. How to install the library and
compile with it is in [library.md](library.md).

One set of names for AMD (64 or 32 lanes), NVIDIA (32) and the CPU machine (32 or 64). Each entry says what comes out
and in which lanes or threads, who has to take part, what happens otherwise, what holds for numbers, and where else the
operation is documented.
"""


def anchor(name):
    """As GitHub makes it of a heading."""
    return re.sub(r"[^\w -]", "", name).lower().replace(" ", "-")


def _as_code(word):
    return f"`{word[1]}`" if _NAME.search(word[1]) else word[1]


def _prose(markdown):
    """Names as code, and a line of its own for the other names."""
    paragraphs = []
    for paragraph in re.split(r"\n\n+", markdown):
        if paragraph.startswith("    "):
            paragraphs.append(paragraph)
            continue
        text, found, others = re.sub(r"Other\s+names: ", "Other names: ", paragraph).partition("Other names: ")
        for part in (text.rstrip(), " ".join((found + others).split())):
            if part:
                pieces = re.split(r"(`[^`]*`)", part)
                paragraphs.append("".join(piece if piece.startswith("`") else _WORD.sub(_as_code, piece)
                                          for piece in pieces))
    return "\n\n".join(paragraphs).strip()


def _summary(markdown):
    """The first sentence."""
    first = _prose(re.split(r"\n\n|:\n", markdown)[0].replace("\n", " "))
    return re.split(r"(?<=[^.…])[.:;](?= |$)", first)[0]


def _entries(headers):
    """Declarations by name: overloads with docstrings of their own come under one heading."""
    entries = {}
    for header in headers:
        for each in header.declarations:
            entries.setdefault(each.full_name, []).append(each)
    return entries


def text(chapters):
    out = [_INTRODUCTION]
    for part, headers in chapters:
        out.append(f"- [{part.title}](#{anchor(part.title)})")
    for part, headers in chapters:
        entries = _entries(headers)
        classes = {name for name, found in entries.items() if found[0].kind == "class"}
        out.append(f"\n## {part.title}\n")
        if part.title == headers[0].name:
            out.append(f"{_prose(headers[0].opening)}\n")
        out.append("| name | |\n| --- | --- |")
        out += [f"| [`{name.removeprefix('warpz::')}`](#{anchor(name)}) | {_summary(found[0].document)} |"
                for name, found in entries.items() if found[0].scope not in classes]
        begins = {header.declarations[0].full_name: header for header in headers[1:] if "/detail/" not in header.name}
        for name, found in entries.items():
            if name in begins:
                out.append(f"\n`{begins[name].name}`: {_prose(begins[name].opening)}")
            out.append(f"\n{'####' if found[0].scope in classes else '###'} {name}")
            for each in found:
                out.append("\n```cpp\n" + "\n".join(each.signatures) + f"\n```\n\n{_prose(each.document)}")
    return "\n".join(out) + "\n"
