#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the form of headers: headers.py HEADER...

A header begins with a comment on the whole. Each function that it declares or defines has a comment right above it, or shares the
comment of the paragraph: of the lines without a blank one between. The comment begins with a verb: "Returns ...", or "Return ..." for
several functions. Prints FILE:LINE and the fault of each other one, and fails then."""

import re
import sys

# Beginnings of comments that are no verb.
NO_VERB = re.compile(r"(An?|All|Another|As|At|Before|Both|By|Each|Every|For|From|How|If|In|It|Its|None?|Non-zero|Null|Of|On|One|Only|Same|"
                     r"Such|That|The|There|These|They|This|Those|To|True|False|Two|What|When|Where|Whether|Which|While|Who|With)\b|[^A-Z]|"
                     r"[A-Z][A-Z_]")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
FUNCTION = re.compile(r"(?P<name>\w+)\s*\((?!\s*\*)[^{};]*\)\s*(?:__\w+\s*\(\(.*\)\)\s*|__asm__\s*\([^;]*\)\s*)*$", re.S)
HEADING = re.compile(r"/\* SPDX-License-Identifier: BSD-3-Clause \*/\n/\*|// SPDX-License-Identifier: BSD-3-Clause\n// ")
# "name() finds ..." where functions share a comment.
NAMED = re.compile(r"\w+\(\) [a-z]+s\b")


def blank(text):
    """The text with spaces in the place of everything but ends of lines."""
    return re.sub(r"[^\n]", " ", text)


def declarations(text):
    """Yields the offset and text of each declaration and definition of the file's own level, the latter without its body."""
    code = COMMENT.sub(lambda found: blank(found[0]), text)
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda found: blank(found[0]), code, flags=re.M)
    code = re.sub(r'extern "C" \{', lambda found: blank(found[0]), code)
    depth = begin = 0
    for at, character in enumerate(code):
        if character == "{":
            if depth == 0:
                yield begin + len(code[begin:at]) - len(code[begin:at].lstrip()), code[begin:at].strip()
            depth += 1
        elif character == "}" and depth:
            depth -= 1
            begin = at + 1 if depth == 0 else begin
        elif character == ";" and depth == 0:
            yield begin + len(code[begin:at]) - len(code[begin:at].lstrip()), code[begin:at].strip()
            begin = at + 1


def is_function(declaration):
    bare = re.sub(r"__attribute__\s*\(\(.*?\)\)\)?", " ", declaration, flags=re.S)
    found = FUNCTION.search(bare.strip())
    words = bare.split()
    return (bool(found) and bool(words) and words[0] not in ("typedef", "struct{", "enum", "_Static_assert") and len(words) > 1
            and not found["name"].isupper() and not re.match(r"\w+\s*\(", bare))


def comment_above(text, at):
    """The comment that belongs to what begins at this offset, as its first line's number and its text: right above it, or above its
    paragraph. None if there is none."""
    lines = text[:text.rfind("\n", 0, at) + 1].split("\n")[:-1]
    while lines and lines[-1].strip():
        end = len(lines)
        if lines[-1].startswith("//"):
            while lines and lines[-1].startswith("//"):
                lines.pop()
            return len(lines), text_of(text, len(lines), end, "//")
        if lines[-1].rstrip().endswith("*/"):
            while lines and not lines[-1].lstrip().startswith("/*") and lines[-1].lstrip().startswith("*"):
                lines.pop()
            if lines and lines[-1].lstrip().startswith("/*"):
                return len(lines) - 1, text_of(text, len(lines) - 1, end, "/*")
        lines.pop()
    return None


def text_of(text, first, end, mark):
    """The text of the comment in these lines."""
    words = " ".join(line.strip().removeprefix(mark).removeprefix("*").strip() for line in text.split("\n")[first:end])
    return words.removesuffix("*/").strip()


def faults(path):
    """Yields the line and the fault of each function, and of the header."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not HEADING.match(text):
        yield 1, "the header has no comment on the whole"
    for at, declaration in declarations(text):
        if not is_function(declaration):
            continue
        line, found = text.count("\n", 0, at) + 1, comment_above(text, at)
        if found is None:
            yield line, f"{name_of(declaration)}() has no comment"
        elif NO_VERB.match(found[1]) and not NAMED.match(found[1]):
            yield line, f"the comment on {name_of(declaration)}() does not begin with a verb: {found[1][:60]}"


def name_of(declaration):
    return FUNCTION.search(re.sub(r"__attribute__\s*\(\(.*?\)\)\)?", " ", declaration, flags=re.S).strip())["name"]


def main(paths):
    found = [f"{path}:{line}: {fault}" for path in paths for line, fault in faults(path)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
