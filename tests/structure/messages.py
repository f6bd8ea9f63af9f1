# SPDX-License-Identifier: BSD-3-Clause
"""Every message of the sources has a row in messages.tsv, which says what brings it.

    messages.py list            prints the messages, with ... for what varies, and what is wrong in their form
    messages.py check           compares them with the table
    messages.py commands        the table's command lines: command, tab, message

A row has a message, a tab, and one of
    $ COMMAND                   a command line, which messages.bats runs; $adapter is the command
    tests/FOLDER/FILE           tests that have at least three words of the message in a row
    tests/FOLDER/FILE: NAME     this test of the file, or one whose name begins so
    - REASON                    nothing does, for this reason
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
TABLE = TOP / "tests/structure/messages.tsv"
VARIES = "..."
FOLDERS = ("command", "compile", "detour", "adapter-c", "adapter-f77", "gen", "scripts", "packaging", "bench")
# Functions that take a message; of the shell's, how many of their arguments are parts of it.
SHELL = {"die": 2, "fail": 2, "usage_error": 2, "report_failure": 1, "say": 1, "note": 1, "problem=": 1}
C = ("complain", "give_up", "refuse_program", "problem_of", "usage_problem_of")
# These have what tells the user ahead of the message; the second one is for who asks for more.
TOLD = {"say": "say", "say_more": "note"}
PYTHON = ("InputError", "error", "exit")
# Functions whose texts call for no action of the user's: reports of --verbose and of MPI_ADAPTER_VERBOSE, and progress. A
# generator's messages begin with the file and line to mend.
REPORTS = ("note", "say", "report", "generator")

Message = tuple[str, str]       # what prints it, and its text


def tidy(text: str) -> str:
    """A message on one line, in which what varies is one VARIES however it is made."""
    text = re.sub(r"@[A-Z]+@", VARIES, re.sub(r"\s+", " ", text))
    return re.sub(r"(\.\.\. ?)+\.\.\.", VARIES, text).strip()


def says_something(text: str) -> bool:
    return bool(re.search(r"[a-z]{2}", text.replace(VARIES, "")))


# --- shell -----------------------------------------------------------------


def skip_nested(text: str, at: int, close: str) -> int:
    """The place behind the bracket that ends what begins at `at`."""
    while text[at] != close:
        if text[at] == "\\":
            at += 2
        elif text[at] == "'" and close != "}":
            at = text.index("'", at + 1) + 1
        elif text[at] == '"':
            at = quoted(text, at + 1)[1]
        elif text[at] == "$" and text[at + 1] in "({":
            at = skip_nested(text, at + 2, ")" if text[at + 1] == "(" else "}")
        elif text[at] == "(" and close == ")":
            at = skip_nested(text, at + 1, ")")
        else:
            at += 1
    return at + 1


def expansion(text: str, at: int) -> int:
    """The place behind the expansion that begins with the dollar at `at`."""
    following = text[at + 1]
    if following in "({":
        return skip_nested(text, at + 2, ")" if following == "(" else "}")
    found = re.compile(r"\w+|[@*#?$!-]").match(text, at + 1)
    return found.end() if found else at + 1


def quoted(text: str, at: int) -> tuple[str, int]:
    """The text between double quotes, and the place behind them."""
    value = ""
    while text[at] != '"':
        if text[at] == "\\":
            value += text[at + 1] if text[at + 1] in '"\\$`' else text[at : at + 2]
            at += 2
        elif text[at] == "$":
            value, at = value + VARIES, expansion(text, at)
        else:
            value, at = value + text[at], at + 1
    return value, at + 1


def word(text: str, at: int) -> tuple[str | None, int]:
    """The shell's word at `at`, and the place behind it; None at the end of the command."""
    while text[at : at + 1] in (" ", "\\") and text[at : at + 2] != "\\":
        at += 2 if text[at : at + 2] == "\\\n" else 1
    value, begin = "", at
    while at < len(text) and text[at] not in " \n;&|)}":
        if text[at] == "'":
            end = text.index("'", at + 1)
            value, at = value + text[at + 1 : end], end + 1
        elif text[at] == '"':
            more, at = quoted(text, at + 1)
            value += more
        elif text[at] == "$":
            value, at = value + VARIES, expansion(text, at)
        elif text[at] == "\\":
            value, at = value + text[at + 1], at + 2
        else:
            value, at = value + text[at], at + 1
    return (value if at > begin else None), at


CALL = re.compile(rf"(?m)(?:^|[\s({{;])({'|'.join(SHELL)})(?:(?<==)|(?: ))(?=['\"$])")
PRINTED = re.compile(r"""(?:echo|printf) (?:"|')mpi-adapter: """)


def without_texts(text: str) -> str:
    """A script without comments and here-documents."""
    text = re.sub(r"(?ms)<<-? ?['\"]?([A-Z]+)['\"]?[^\n]*\n.*?^\1$", "", text)
    return re.sub(r"(?m)^\s*#.*$|\s# .*$", "", text)


def shell_messages(text: str) -> Iterator[Message]:
    text = without_texts(text)
    for call in CALL.finditer(text):
        at, parts = call.end(), []
        for _ in range(SHELL[call[1]]):
            value, at = word(text, at)
            if value is None or value.isdigit():
                break
            parts.append(value)
        if call[1] == "usage_error" and len(parts) == 1:
            parts.append("see 'mpi-adapter ...--help'")
        yield call[1], "; ".join(parts)
    for call in PRINTED.finditer(text):
        end = text.find("\n", call.end())
        if ">&2" in text[call.end() : end]:
            value, _ = word(text, call.start() + text[call.start() :].index(" ") + 1)
            yield "echo", re.sub(r"(%s)?\\n$", "", value or "").partition(": ")[2].replace("%s", VARIES)


# --- C ---------------------------------------------------------------------

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
CONVERSION = re.compile(r"%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j|t)?[diouxXcsfgp]|%\"\s*PRI\w+\s*\"")


GAP = re.compile(r"[\s\\]*(?:([A-Z_]{2,}|called)(?=\s*\"))?[\s\\]*")


def literals(text: str, at: int) -> str:
    """The adjacent literals at `at`, with macros and variables that stand among them."""
    value = ""
    while True:
        gap = GAP.match(text, at)
        literal = LITERAL.match(text, gap.end())
        if not literal:
            break
        value += (VARIES if gap[1] else "") + literal[1]
        at = literal.end()
    if re.compile(r"\s*[A-Z_]{2,}").match(text, at):
        value += VARIES
    value = re.sub(r"%%", "\0", value)     # not the beginning of a conversion
    return CONVERSION.sub(VARIES, value).replace("\0", "%").replace("\\n", "").replace('\\"', '"')


def pieces(text: str, at: int) -> str:
    """The text that a run of put_text() and put_number() writes."""
    value = ""
    while put := re.compile(r'\s*put_(?:text|number)\(&\w+, ((?:"[^"]*"|[^";])*)\);').match(text, at):
        value += put[1].strip('"').replace("\\n", "") if put[1].startswith('"') else VARIES
        at = put.end()
    return value.removeprefix("mpi-adapter: ")


def c_messages(text: str) -> Iterator[Message]:
    text = re.sub(r"(?s)/\*.*?\*/", "", text)
    for call in re.finditer(rf"\b({'|'.join(C)})\((?=\s*\")", text):
        message = literals(text, call.end())
        if call[1] == "usage_problem_of" and "; " not in message:
            message += "; see 'mpi-adapter ...--help'"
        yield "report" if message.startswith("process ...") else call[1], message
    for call in re.finditer(rf"\b({'|'.join(TOLD)})\(&[\w>.-]+,(?=\s*\")", text):
        yield TOLD[call[1]], literals(text, call.end())
    for call in re.finditer(r'\bfail\(\d+, ("[^"]*"|\w+), (?=")', text):
        yield "fail", (call[1].strip('"') if '"' in call[1] else VARIES) + literals(text, call.end())
    for call in re.finditer(r'"mpi-adapter: (?!")', text):
        if not re.search(r"put_text\(&\w+, $", text[: call.start()]):
            message = literals(text, call.start()).removeprefix("mpi-adapter: ")
            yield "report" if "calls ... s" in message else "print", message
    for call in re.finditer(r'put_text\(&\w+, "mpi-adapter: ', text):
        yield "print", pieces(text, call.start())


# --- Python ----------------------------------------------------------------


def python_text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(python_text(part) if isinstance(part, ast.Constant) else VARIES for part in node.values)
    if isinstance(node, ast.BinOp):
        return python_text(node.left) + python_text(node.right)
    return VARIES


def python_messages(text: str) -> Iterator[Message]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in PYTHON and node.args:
                yield "generator", python_text(node.args[-1])


# --- all -------------------------------------------------------------------


def reader(path: Path, text: str) -> Callable[[str], Iterator[Message]] | None:
    first = text.partition("\n")[0]
    if path.suffix in (".c", ".h"):
        return c_messages
    if path.suffix == ".py" or first.startswith("#!") and "python" in first:
        return python_messages
    if path.suffix in (".bash", ".sh", ".in") or re.match(r"#!.*\b(ba|da)?sh\b", first):
        return shell_messages
    return None


def messages(top: Path) -> dict[str, Message]:
    """{text: (what prints it, the file that has it)}"""
    found: dict[str, Message] = {}
    for path in sorted(path for folder in FOLDERS for path in (top / folder).rglob("*") if path.is_file()):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        read = reader(path, text)
        for kind, message in read(text) if read else ():
            message = tidy(message)
            if says_something(message):
                found.setdefault(message, (kind, str(path.relative_to(top))))
    return found


def rows() -> dict[str, str]:
    table = {}
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            message, tab, brought = line.partition("\t")
            if not tab or message in table:
                sys.exit(f"{TABLE}:{number}: error: a row is a message, a tab and what brings it, and stands once")
            table[message] = brought
    return table


def has_words_of(test: str, message: str) -> bool:
    """Whether a test has the message, or three words of it in a row, or all that stand between two places that vary."""
    what = message.partition("; ")[0]
    if len(what.replace(VARIES, "")) > 8 and re.search("[^\n]*?".join(map(re.escape, what.split(VARIES))), test):
        return True
    for part in message.replace("; ", VARIES).split(VARIES):
        words = part.strip(" ,:.'()").split()
        runs = [" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2))]
        if any(len(run) > 5 and run in test for run in runs):
            return True
    return False


def wrong_row(message: str, brought: str, top: Path) -> str | None:
    if brought.startswith(("$ ", "- ")):
        return None
    file, _, name = brought.partition(": ")
    if not (top / file).is_file():
        return f"there is no {file}; name a test, '$ COMMAND' or '- REASON'"
    text = (top / file).read_text()
    if name and f'@test "{name}' not in text:
        return f"{file} has no test '{name}'; name the one that brings it"
    if not name and not has_words_of(text, message):
        return f"{file} has no three words of it; name the test that brings it"
    return None


def check(top: Path) -> Iterator[str]:
    found, table = messages(top), rows()
    for message, (kind, path) in found.items():
        if kind not in REPORTS and "; " not in message and not message.endswith("..."):
            yield f"{path}: error: '{message}' does not say what to do; write 'what; what to do'"
        if message not in table:
            yield f"{path}: error: '{message}' has no row in tests/structure/messages.tsv; add what brings it"
    for message, brought in table.items():
        if message not in found:
            yield f"tests/structure/messages.tsv: error: no source says '{message}'; remove the row"
        elif wrong := wrong_row(message, brought, top):
            yield f"tests/structure/messages.tsv: error: '{message}': {wrong}"


def main(what: str, top: str = str(TOP)) -> None:
    if what == "list":
        for message, (kind, path) in messages(Path(top)).items():
            print(message, kind, path, sep="\t")
    elif what == "commands":
        for message, brought in rows().items():
            if brought.startswith("$ "):
                print(brought[2:], message, sep="\t")
    else:
        wrong = list(check(Path(top)))
        print(*wrong, sep="\n", end="\n" if wrong else "")
        sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
