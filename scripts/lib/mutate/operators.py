# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mutations of one line of C++: small errors as programmers make them, found by patterns in its text. What does
not compile afterwards costs a failed compilation and nothing else, so the patterns need no parser."""

import re

# An operator between two spaces, as clang-format writes it, becomes another: `<` of a template has none around it.
BINARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "/", "/": "*",
          "%": "*", "&&": "||", "||": "&&", "&": "|", "|": "&", "+=": "-=", "-=": "+="}
WORDS = {"true": "false", "false": "true", "++": "--", "--": "++", "min": "max", "max": "min"}
# Nothing in these is mutated: strings, characters, comments, attributes; a line for the preprocessor has no code.
NOT_CODE = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//.*|\[\[.*?\]\]')
NO_CODE_AT_ALL = re.compile(r"\s*(#|//|/?\*|using\b|namespace\b|template\b|static_assert\b|$)")
CALL_OR_ASSIGNMENT = re.compile(r"(?!(?:return|delete|throw|goto|case|break|continue)\b)[\w:.>\[\]()*-]+?"
                                r"(?:\(.*\)|(?:\[.*\])? [-+*/|&^%]?= .*|\+\+|--);|(?:\+\+|--)[\w.\[\]>-]+;")
ARGUMENTS = re.compile(r"\b\w+\((\w+), (\w+)\)")


def mutations(line):
    """(what changes, in words; the line after the change) for each mutation of this line."""
    if NO_CODE_AT_ALL.match(line):
        return
    # Blanks in place of what is no code keep each column where it is.
    code = NOT_CODE.sub(lambda match: " " * len(match[0]), line)

    def replaced(start, end, new):
        return f"`{line[start:end]}` becomes `{new}`", line[:start] + new + line[end:]

    for match in re.finditer(r"(?<= )(\S{1,2})(?= )", code):
        if match[1] in BINARY:
            yield replaced(*match.span(1), BINARY[match[1]])
    for match in re.finditer(r"\b(?:true|false|min|max)\b|\+\+|--", code):
        yield replaced(*match.span(), WORDS[match[0]])
    for match in re.finditer(r"(?<![\w.])\d+(?=[uUlL]*\b)(?![.\w]*\.)", code):
        yield replaced(*match.span(), str(int(match[0]) + 1))
    for match in re.finditer(r"(?<=[ (])!(?=[\w(])", code):
        yield replaced(*match.span(), "")
    condition = re.match(r"\s*(?:\} else )?(?:if|while) \((.*)\)( \{| [^()]*;|)$", code.rstrip())
    if condition:
        yield replaced(*condition.span(1), f"!({line[slice(*condition.span(1))]})")
    for match in ARGUMENTS.finditer(code):
        if match[1] != match[2]:
            yield replaced(match.start(1), match.end(2), f"{match[2]}, {match[1]}")
    text = code.strip()
    if CALL_OR_ASSIGNMENT.fullmatch(text) and text.count("(") == text.count(")"):
        start = len(code) - len(code.lstrip())
        yield f"`{line.strip()}` is left out", line[:start] + ";"
