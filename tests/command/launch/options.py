# SPDX-License-Identifier: BSD-3-Clause
"""Launch lines as the program `launch` writes them for other launchers: no launcher is started.

    options.py check LAUNCH TABLE FOLDER    compares what it writes with options.tsv, rows.tsv and shown.tsv in this folder
    options.py write LAUNCH TABLE FOLDER    writes these files anew; read the difference

options.tsv has each option of the table of launchers, by itself, under each launcher. rows.tsv has lines: the launcher that a line was
written for, the one that is there, and NAME=VALUE and the words; and then what is written. shown.tsv has lines and the launchers of that
name that have their options. Each option of a launcher that lines.tsv has lines for stands in one of them. FOLDER is for files that lines name. The machine has 4 cores, and is called node1.
"""

import difflib
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
VALUES = {
    "ranks": "3", "per_node": "2", "per_socket": "2", "nodes": "2", "hosts": "a:2,b:1", "hostfile": "hosts", "folder": "/folder", "cores": "2",
    "variable": "NAME=value", "shared_variable": "NAME=value", "named_variable": "NAME", "variables": "NAME=value", "file": "programs",
    "time_limit": "60", "job_time": "5", "interface": "lo", "stdin": "1",
}
LAUNCHERS = {"openmpi": "openmpi", "mpich": "hydra"}     # of the families of lines.tsv
FILES = {
    "hosts": "a slots=2\n# and\nb:1\n", "programs": "# programs\n-n 1 ./program one\n\n-n 2 ./program two\n",
    "quoted": "-n 1 ./program 'one two'\n", "ring": "--app ring\n", "empty": "", "turned": "b\na\nb\n",
}


class Launch:
    """The program, its table and a folder with the files that lines name."""

    def __init__(self, program: str, table: str, folder: str) -> None:
        self.program, self.table, self.folder = os.path.realpath(program), os.path.realpath(table), folder
        for name, text in FILES.items():
            Path(folder, name).write_text(text)

    def ask(self, verb: str, launcher: str, request: list[str], variables: dict[str, str]) -> list[tuple[str, str]]:
        text = "".join(f"{word}\0" for word in request)
        run = subprocess.run([self.program, self.table, verb, launcher], input=text, text=True, capture_output=True, cwd=self.folder,
                             env={"HOSTNAME": "node1", "SHOWN": "here"} | variables, check=False)
        words = run.stdout.split("\0")[:-1]
        if run.stderr or run.returncode not in (0, 1):
            return [("problem", f"status {run.returncode} {run.stderr}")]
        return list(zip(words[::2], words[1::2]))

    def written(self, launcher: str, host: str, words: list[str], variables: dict[str, str]) -> str:
        """The line for the host's launcher, or why there is none."""
        settings = [f"{name[1:]}={value}" for name, value in variables.items() if name[0] == "+"]
        variables = {name: value for name, value in variables.items() if name[0] != "+"}
        request = ["launcher_at", "0", "cores", "4", "ignored", "--ignored,other"]
        for word in [launcher, *words]:
            request += ["word", word]
        answers = self.ask("programs", launcher, request, variables)
        line = [value for key, value in answers if key == "word"]
        begins = [int(value) for key, value in answers if key == "begin"]
        ends = [int(value) for key, value in answers if key == "end"]
        request += ["host", host, "path", "/bin/" + host]
        for begin, end in zip(begins, ends):
            request += ["part", ""]
            for setting in settings:
                request += ["setting", setting]
            for word in line[begin:end]:
                request += ["command", word]
        if not any(key in ("problem", "usage") for key, _ in answers):
            answers = self.ask("write", launcher, request, variables)
        shown = {"word": "{}", "list": "<({})", "variable": "%{}", "idle": "idle:{}", "note": "note:{}"}
        problem = [value.replace("\x1f", "; ") for key, value in answers if key in ("problem", "usage")]
        text = " ".join(shown[key].format(value) for key, value in answers if key in shown)
        return ("! " + problem[0] if problem else text).replace("\n", " ").replace(self.folder, ".")


def rows_of_table(path: str) -> tuple[list[list[str]], list[str]]:
    """The options of the table, each a launcher, a meaning and words; and the launchers for which lines can be written. Lines of a
    variant are read as its launcher's."""
    options, launchers, variants = [], [], []
    for line in Path(path).read_text().splitlines():
        words = line.partition("#")[0].split()
        if len(words) > 3 and words[1] == "option":
            options.append([words[0], words[2], *words[3:]])
        elif len(words) > 2 and words[1] in ("ranks", "like"):
            launchers.append(words[0])
            variants += [words[0]] if words[1] == "like" else []
    return [option for option in options if option[0] not in variants], launchers


def option_rows(launch: Launch) -> list[str]:
    options, launchers = rows_of_table(launch.table)
    settings = {(option[0], option[2]) for option in options if option[-2:] == ["NAME", "VALUE"]}

    def row(option: list[str], host: str) -> str:
        launcher, meaning, *words = option
        filled = [word.replace("VALUE", VALUES.get(meaning, "value")) for word in words]
        variables = {}
        if filled[0].startswith("%"):
            name, _, value = filled[0][1:].partition("=")
            variables, filled = {name: value}, []
        if "NAME" in words:
            filled = [words[0], "NAME", "value"]
        elif (launcher, words[0]) in settings and len(filled) == 2:
            filled = [words[0], *filled[1].split("=")]
        return f"{launcher}\t{' '.join(words)}\t{host}\t" + launch.written(launcher, host, [*filled, "./program"], variables)

    pairs = [(option, host) for option in options for host in launchers if host != option[0]]
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda pair: row(*pair), pairs))


def line_rows(launch: Launch) -> list[str]:
    rows = []
    for text in (HERE / "rows.tsv").read_text().splitlines():
        if text.startswith("#") or not text:
            rows.append(text)
            continue
        launcher, host, line = text.split("\t")[:3]
        words, variables = line.split(), {}
        while "=" in words[0] and not words[0].startswith("-"):
            name, _, value = words.pop(0).partition("=")
            variables[name] = value
        rows.append(f"{launcher}\t{host}\t{line}\t" + launch.written(launcher, host, words, variables))
    return rows


def shown_rows(launch: Launch) -> list[str]:
    rows = []
    for text in (HERE / "shown.tsv").read_text().splitlines():
        line = text.split("\t")[0]
        request = ["launcher_at", "0"]
        for word in line.split():
            request += ["word", word]
        rows.append(text if text.startswith("#") else f"{line}\t" + " ".join(value for _, value in launch.ask("shown", "", request, {})))
    return rows


def spelled(words: list[str]) -> str:
    """A line with one dash for two, and a space for the sign between an option and its value."""
    return " ".join(re.sub(r"^(-[^=]*)=", r"\1 ", re.sub("^--(?=.)", "-", word)) for word in words) + " "


def untried_options(table: str) -> list[str]:
    """Options of the table that no line of lines.tsv has, of the launchers of its families."""
    lines: dict[str, list[str]] = {}
    for text in (HERE / "lines.tsv").read_text().splitlines():
        if not text.startswith("#"):
            lines.setdefault(LAUNCHERS.get(text.split("\t")[1], ""), []).append(" " + spelled(text.split("\t")[2].split()))

    def is_in(line: str, words: list[str]) -> bool:
        pattern = re.escape(" " + spelled([words[0].removeprefix("%"), *words[1:]]))
        pattern = pattern.replace("NAME", r"\S+").replace("VALUE", r"\S+").replace("=", "[= ]").replace(r"\ :", r"\ \S*:")
        return re.search(pattern, line) is not None

    return [" ".join(option) for option in rows_of_table(table)[0]
            if option[0] in lines and len(option) > 2 and not any(is_in(line, option[2:]) for line in lines[option[0]])]


def main() -> int:
    verb, program, table, folder = sys.argv[1:]
    launch = Launch(program, table, os.path.realpath(folder))
    failed = 0
    for name, rows in (("options.tsv", option_rows(launch)), ("rows.tsv", line_rows(launch)), ("shown.tsv", shown_rows(launch))):
        path, text = HERE / name, "\n".join(rows) + "\n"
        if verb == "write":
            path.write_text(text)
        elif text != path.read_text():
            sys.stdout.writelines(difflib.unified_diff(path.read_text().splitlines(True), text.splitlines(True), name, "now", n=0))
            failed = 1
        print(f"{sum(1 for row in rows if row and row[0] != '#')} rows of {name}")
    untried = untried_options(launch.table)
    for option in untried:
        print(f"no line of lines.tsv has: {option}")
    return failed or bool(untried)


if __name__ == "__main__":
    sys.exit(main())
