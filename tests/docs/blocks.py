#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The commands that Markdown files show.

    blocks.py check FILE...           says which blocks nobody runs
    blocks.py script FILE [RUNNER]    prints a bash script that runs them and compares what they show
    blocks.py parts FOLDER RUNNER FILE
                                      makes such scripts in FOLDER, one for each change between root and another user:
                                      1.user, 2.root, ...; of blocks without a comment and of those that RUNNER runs

A block of commands is fenced and of one of these languages:

    sh         commands; the first that fails ends the run
    console    commands after "$ " and what they print; "..." stands for anything

The script runs them in their order, those of `sh` in one shell. A comment ahead of a block
exempts it:

    <!-- run by tests/cluster -->          another test runs it, maybe by `script FILE tests/cluster`
    <!-- not run: needs two machines -->   nobody does, for this reason

and <!-- as root --> says that a block is for root, which the text ahead of it must say, too.
"""

import itertools
import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[2]
RUN = ("sh", "console")
# Other names of the same, which would hide commands from us.
COMMANDS = ("bash", "shell", "zsh", "csh", "shell-session", "sh-session", "terminal")


class Block(NamedTuple):
    place: str  # FILE:LINE of the fence
    language: str
    marker: str  # what the comment ahead says, or nothing
    lines: list
    root: bool  # whether a comment ahead says that it is for root
    before: str  # the last line of text ahead, without comments


def blocks(path):
    """The fenced blocks of a file."""
    marker, fence, block, root, before = "", None, None, False, ""
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        opening = re.fullmatch(r"(`{3,}|~{3,})\s*(\S*).*", line.lstrip())
        if fence is None and opening:
            fence = opening[1]
            block = Block(f"{path}:{number}", opening[2], marker, [], root, before)
            indent = len(line) - len(line.lstrip())
            marker, root, before = "", False, ""
        elif fence is not None and line.strip() == fence:
            yield block
            fence = None
        elif fence is not None:
            block.lines.append(line[indent:] if line[:indent].isspace() else line)
        elif line.strip():
            if line.strip() == "<!-- as root -->":
                root = True
                continue
            comment = re.fullmatch(r"<!--\s*(run by|not run:)\s*(.*?)\s*-->", line.strip())
            marker = f"{comment[1]} {comment[2]}" if comment else ""
            root, before = root and bool(comment), before if comment else line
    if fence is not None:
        yield block._replace(language="unfinished")


def fault(block):
    """Why a block would not be run without anybody knowing, or nothing."""
    if block.language == "unfinished":
        return "the block has no end; close its fence"
    if not block.language:
        return "the block has no language; write sh or console for commands, text for what is none"
    if block.root and not re.search(r"\broot\b", block.before):
        return "the block is for root, and the line ahead does not say so; write it there"
    if block.marker.startswith("not run:"):
        return "" if block.marker != "not run: " else "no reason is given; write <!-- not run: WHY -->"
    if block.marker:
        runner = block.marker.removeprefix("run by ")
        return "" if runner and (TOP / runner).exists() else f"there is no {runner or 'name'}; name a test"
    if block.language in COMMANDS:
        return f"nobody runs blocks of {block.language}; write sh or console, or who runs it"
    return ""


def check(paths):
    faults = [(block.place, fault(block)) for path in paths for block in blocks(path)]
    faults = [f"{place}: error: {text}" for place, text in faults if text]
    for line in faults:
        print(line)
    return 1 if faults else 0


def entries(block):
    """The commands of a console block, each with what it shows."""
    command, shown, continued = None, [], False
    for line in block.lines:
        if continued:
            command += "\n" + line.removeprefix("> ")
        elif line.startswith("$ "):
            if command is not None:
                yield command, shown
            command, shown = line[2:], []
        elif command is None:
            sys.exit(f"{block.place}: error: output without a command")
        else:
            shown.append(line)
        continued = not shown and command.endswith("\\")
    if command is not None:
        yield command, shown


def pattern(shown):
    """The pattern that `[[ == ]]` compares output with."""
    return "*".join(shlex.quote(part) for part in "\n".join(shown).split("..."))


PRELUDE = r"""set -eu -o pipefail
trap 'echo "$place: this failed: $BASH_COMMAND" >&2' ERR
differs() {
    printf '%s: %s\n--- shown in the text\n%s\n--- shown now\n%s\n' "$place" "$1" "$2" "$output" >&2
    exit 1
}
# Tests set OMPI_MCA_* (tests/components.bash), which no reader's environment has.
drop_settings_of_tests() { output=$(sed '/^mpi-adapter: without effect on [^:]*: OMPI_MCA_/d' <<< "$output"); }
"""


def commands(block):
    """The shell commands that run and check a block."""
    yield f"place={shlex.quote(block.place)}"
    if block.language == "sh":
        yield from block.lines
        return
    for command, shown in entries(block):
        quoted = shlex.quote(command)
        yield f"output=$(eval {quoted} 2>&1) || differs {quoted} 'it succeeds'"
        yield "drop_settings_of_tests"
        text = shlex.quote("\n".join(shown))
        yield f"[[ $output == {pattern(shown)} ]] || differs {quoted} {text}"


def script(path, runner=""):
    print(PRELUDE)
    for block in blocks(path):
        if block.language in RUN and block.marker == (runner and f"run by {runner}"):
            print("\n".join(commands(block)))
    return 0


# A shell goes on where the last one of the same user ended.
RESUME = """state=$(realpath "$0")
state=${{state%/*}}/state.{user}
[ ! -e "$state" ] || . "$state"
trap '{{ export -p | grep -v " state="; printf "cd %q\\n" "$PWD"; }} > "$state"' EXIT
"""


def parts(folder, runner, path):
    chosen = [block for block in blocks(path) if block.language in RUN and block.marker in ("", f"run by {runner}")]
    for number, (root, group) in enumerate(itertools.groupby(chosen, lambda block: block.root), 1):
        user = "root" if root else "user"
        lines = [PRELUDE, RESUME.format(user=user)]
        for block in group:
            lines += [f"echo '== '{shlex.quote(block.place)}", *commands(block)]
        Path(folder, f"{number}.{user}").write_text("\n".join(lines) + "\n")
    return 0


def main(arguments):
    if arguments[:1] == ["check"] and len(arguments) > 1:
        return check(arguments[1:])
    if arguments[:1] == ["parts"] and len(arguments) == 4:
        return parts(*arguments[1:])
    if arguments[:1] == ["script"] and len(arguments) in (2, 3):
        return script(*arguments[1:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
