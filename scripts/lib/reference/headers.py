# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a header of the device library: its opening comment, and each public declaration with the docstring above it.
Knows the project's own style (clang-format's, docstrings of three slashes, namespaces not nested in one line), not C++;
what it can't read is an error, never left out."""

import pathlib
import re
from dataclasses import dataclass, field

_FUNCTION = re.compile(r"(~?\w+)\(")
_NOISE = re.compile(r"__device__ |__host__ |__forceinline__ |\binline |\[\[maybe_unused\]\] ")
# No macro of a program has such a name. A reader wants the short one.
_RESERVED = re.compile(r"\b_([A-Z])p\b|\b_([A-Z][a-z]\w+)")
_SITE = re.compile(r"(, )?detail::site at = detail::here\(\"[\w:]+\"\)")


class Undocumented(Exception):
    """A public name without docstring, or a declaration that can't be read."""


@dataclass
class Declaration:
    """One docstring (Markdown) and what is declared below it: one signature, or several that share it."""

    scope: str  # "warpz::warp"
    name: str
    kind: str  # function, class, enum, value or alias
    document: str
    signatures: list = field(default_factory=list)

    @property
    def full_name(self):
        return f"{self.scope}::{self.name}"


@dataclass
class Header:
    name: str  # as it is included
    opening: str  # Markdown
    declarations: list


def _comment(lines, mark):
    """The Markdown of comment lines."""
    return "\n".join(line.strip()[len(mark):].removeprefix(" ").rstrip() for line in lines).strip("\n")


def _described(text):
    """(kind, name) of a declaration in one line; None for what declares nothing by itself."""
    if re.match(r"(friend|static_assert|#)\b", text):
        return None
    named = re.search(r"\b(class|enum class|enum|using) (\w+)(?= *[{=]| final|$)", text)
    if named and not re.match(r"template <.*> (?!class )", text):
        kind = {"class": "class", "using": "alias"}.get(named[1], "enum")
        # An enumeration of one is the name of a tag.
        tag = re.search(r"enum \w+ \{ (\w+) \}", text)
        return ("value", tag[1]) if tag else (kind, named[2])
    value = re.match(r"inline constexpr .*?(\w+) = ", text)
    if value:
        return "value", value[1]
    called = _FUNCTION.search(text)
    return ("function", called[1]) if called else None


def _signature(text, kind):
    text = _NOISE.sub("", text)
    text = _SITE.sub("", text)
    text = _RESERVED.sub(lambda name: name[1] or name[2], text)
    if kind == "class":
        return text.split(" {")[0] + ";"
    if kind == "function":
        text = re.sub(r" \{.*$", "", text)
        text = re.sub(r"\)( const)? : .*$", r")\1", text)
    text = text.rstrip(";") + ";"
    return re.sub(r"^(template <[^()]*?>) (?=\w)", r"\1\n", text)


def read(path):
    """The header at `path`, which lies below a folder named warpz."""
    path = pathlib.Path(path)
    lines = path.read_text().splitlines()
    opening_end = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    header = Header(str(path.relative_to(path.parents[[each.name for each in path.parents].index("warpz") + 1])),
                    _comment(lines[1:opening_end], "//"), [])
    scopes, document, public, i = [], None, True, opening_end
    while i < len(lines):
        line = lines[i].strip()
        i += 1
        opened = re.match(r"namespace (\w+) \{", line)
        if opened:
            scopes.append(opened[1])
        elif re.match(r"\}  // namespace", line):
            scopes.pop()
        elif line in ("public:", "private:"):
            public = line == "public:"
        elif line == "};":
            scopes.pop()
            public = True
        elif not line:
            document = None
        elif line.startswith("///"):
            first = i - 1
            while lines[i].strip().startswith("///"):
                i += 1
            document = _comment(lines[first:i], "///")
        elif not line.startswith(("//", "#")) and scopes:
            text = line
            while not re.search(r"[;{}]$", text):
                text += " " + lines[i].strip()
                i += 1
            described = _described(text)
            is_class = described and described[0] == "class" and text.endswith("{")
            depth = 0 if is_class else text.count("{") - text.count("}")
            while depth > 0:
                depth += lines[i].count("{") - lines[i].count("}")
                if described and described[0] == "enum":
                    text += " " + lines[i].strip()
                i += 1
            if public and "detail" not in scopes and described:
                _add(header, "::".join(scopes), described, document, text)
            if is_class:
                scopes.append(described[1])
    if scopes:
        raise Undocumented(f"{header.name}: can't tell where {'::'.join(scopes)} ends")
    return header


def _add(header, scope, described, document, text):
    kind, name = described
    before = header.declarations[-1] if header.declarations else None
    if document is None:
        # An overload, or a tag, shares the docstring of the one before.
        if before is None or before.scope != scope or (before.name, kind) != (name, "function") and (
                before.kind, kind) != ("value", "value"):
            raise Undocumented(f"{header.name}: {scope}::{name} has no docstring")
        before.signatures.append(_signature(text, kind))
    else:
        header.declarations.append(Declaration(scope, name, kind, document, [_signature(text, kind)]))
