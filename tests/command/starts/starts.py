#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records every start of the mpi-adapter command that tests/command makes, and compares starts.

  starts.py record FOLDER [TEST...]         runs tests with each start recorded; FOLDER gets a file for each file of tests
  starts.py compare OLD FOLDER [TEST...]    runs tests, and at each start first the old command, up to the line that it executes;
                                            OLD is a commit, a build folder, or "" for the same command with other variables; with
                                            an earlier recording as OLD, all of each start is compared, but it runs once
  starts.py differences FOLDER OTHER        compares two recordings
  starts.py sides FOLDER                    says again what a comparison has found
  starts.py gather RAW FOLDER               makes a recording of what `start` has left beside it

TEST is what `make check TESTS=` takes, by default all of tests/command. BUILD in the environment is the build folder. OLD_WITH and
NEW_WITH are variables that either command is given. `make record-starts` and `make compare-starts` call this.
"""
import collections
import fnmatch
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.abspath(f"{HERE}/../../..")
sys.path.insert(0, f"{TOP}/tests")
import exceptions  # noqa: E402  # it is in tests/

LIST = f"{HERE}/differences.tsv"
# Tests of this.
LEFT_OUT = ("starts.bats",)
VERBS = ("run", "exec", "shell", "shim", "container", "env", "list", "check", "explain", "doctor", "build", "splice", "help", "version")
# Variables of shells, Bats, parallel and make; no start depends on these.
IGNORED = re.compile(r"_|SHLVL|OLDPWD|(BATS|PARALLEL|MAKE|MFLAGS)\w*|BASH_FUNC_bats.*|SSHPASS|CHECK_JOBS|NAMED")
KEPT = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR", "CHECK_JOBS", "CC")
# Names for what differs between runs. The command's cache has folders whose names are paths with % in the place of each slash.
NAMES = [
    (re.compile(r"/[\w./-]*/bats-run-\w+/test/\d+|%[\w.%-]*%bats-run-\w+%test%\d+"), "TEST"),
    (re.compile(r"/[\w./-]*/bats-run-\w+/file/\d+|%[\w.%-]*%bats-run-\w+%file%\d+"), "FILE"),
    (re.compile(r"/[\w./-]*/bats-run-\w+"), "BATS"),
    (re.compile(r"/tmp/tmp\.\w{10}"), "TMP"),
]


class Recording:
    """Names for the folders of one recording, and its starts."""

    def __init__(self, scratch, build):
        folders = [(f"{scratch}/build", "BUILD"), (scratch, "SCRATCH"), (build, "BUILD"), (TOP, "TOP")]
        self.folders = folders + [(folder.replace("/", "%"), name) for folder, name in folders]

    def named(self, text):
        for folder, name in self.folders:
            text = text.replace(folder, name)
        for pattern, name in NAMES:
            text = pattern.sub(name, text)
        return text

    def deep(self, value):
        """The same names in all texts of a value."""
        if isinstance(value, str):
            return self.named(value)
        if isinstance(value, list):
            return [self.deep(item) for item in value]
        if isinstance(value, dict):
            return {key: self.deep(item) for key, item in value.items()}
        return value

    def variables(self, entries):
        """NAME=VALUE entries as a sorted dictionary, without those that tests and shells set."""
        pairs = (entry.partition("=") for entry in entries)
        return {name: self.named(value) for name, _, value in sorted(pairs) if not IGNORED.fullmatch(name)}

    def outcome(self, raw, given, own):
        """An outcome with names; the line's environment as what it changes of the given one."""
        if not raw:
            return None
        line = raw["line"]
        if line:
            there = {name: value for name, value in self.variables(line["environment"]).items() if name not in own}
            changes = {name: there.get(name) for name in sorted(there | given) if there.get(name) != given.get(name)}
            line = {"program": self.named(line["program"]), "words": self.deep(without_ignored(line["words"])),
                    "folder": self.named(line["folder"]), "environment": changes}
        return {"line": line, "status": raw["status"], "stdout": self.deep(raw["stdout"]), "stderr": self.deep(raw["stderr"])}

    def start(self, raw, own):
        given = self.variables(raw["environment"])
        return {"file": raw["file"], "test": raw["test"], "script": self.named(raw["script"]), "argv": self.deep(raw["argv"]),
                "folder": self.named(raw["folder"]), "input": raw["input"], "environment": given, "left": raw["left"],
                "old": self.outcome(raw["old"], given, own), "new": self.outcome(raw["new"], given, own)}


def without_ignored(words):
    """The words of a line without options that hand on a variable which no start depends on."""
    left = []
    for word in words:
        if left and left[-1] == "-x" and IGNORED.fullmatch(word):
            left.pop()
        else:
            left.append(word)
    return left


def killed(file):
    """The record of a start that was killed, which none is left of."""
    return {"file": file, "test": "", "script": "", "argv": [], "folder": "", "input": "", "environment": {}, "left": "it was killed",
            "old": None, "new": None}


def gather(scratch, build, folder):
    """Writes the recording of what tests left in a scratch folder, and returns its starts."""
    recording, starts = Recording(scratch, build), []
    with open(f"{scratch}/settings.json", encoding="utf-8") as file:
        settings = json.load(file)
    own = {text.split("=")[0] for text in settings["old_with"] + settings["new_with"]}
    os.makedirs(folder, exist_ok=True)
    for path in glob.glob(f"{folder}/*.starts"):
        os.unlink(path)
    for file in sorted(os.listdir(f"{scratch}/records")):
        found = []
        for number in sorted(os.listdir(f"{scratch}/records/{file}"), key=int):
            for path in sorted(glob.glob(f"{scratch}/records/{file}/{number}/*.json")):
                with open(path, encoding="ascii") as record:
                    text = record.read()
                found.append(recording.start(json.loads(text), own) if text else killed(file))
        with open(f"{folder}/{file}.starts", "w", encoding="ascii") as output:
            output.writelines(json.dumps(start) + "\n" for start in found)
        starts += found
    return starts


def read_recording(folder):
    paths = sorted(glob.glob(f"{folder}/*.starts"))
    if not paths:
        fail(f"{folder} holds no recording; make one with 'make record-starts RECORD={folder}'")
    starts = []
    for path in paths:
        with open(path, encoding="ascii") as file:
            starts += [json.loads(line) for line in file]
    return starts


def by_key(starts):
    """Starts by test and words, those of the same words by what they were given: several may have run at a time."""
    alike = collections.defaultdict(list)
    for start in starts:
        alike[start["file"], start["test"], *start["argv"]].append(start)
    found = {}
    for key, group in alike.items():
        group.sort(key=lambda start: json.dumps([start["folder"], start["environment"], start["input"]]))
        found.update({(*key, f"#{number}"): start for number, start in enumerate(group)})
    return found


def facts_of(outcome):
    """An outcome as names and values that can be compared one by one."""
    facts = {name: outcome[name] for name in ("status", "stdout", "stderr") if outcome[name] is not None}
    line = outcome["line"]
    if line:
        facts |= {"program": line["program"], "words": shlex.join(line["words"]), "line's folder": line["folder"]}
        facts |= {f"variable {name}": "unset" if value is None else f"'{value}'" for name, value in line["environment"].items()}
    return facts


def differences(old, new):
    """(what, old, new) for each fact that differs. The status of a line that only one side has started is not known."""
    olds, news = facts_of(old), facts_of(new)
    skipped = {"status"} if None in (old["status"], new["status"]) and old["line"] and new["line"] else set()
    return [(name, olds.get(name, "as given" if name.startswith("variable") else "none"),
             news.get(name, "as given" if name.startswith("variable") else "none"))
            for name in sorted(olds.keys() | news.keys()) if name not in skipped and olds.get(name) != news.get(name)]


def given_of(start):
    """The input of a start, as facts."""
    return {"folder": start["folder"], "input": start["input"], "script": start["script"], "left": start["left"],
            **{f"given {name}": value for name, value in start["environment"].items()}}


def compare_recordings(olds, news):
    """(start, what, old, new) of all differences between two recordings."""
    olds, news, found = by_key(olds), by_key(news), []
    for key in sorted(olds.keys() | news.keys()):
        old, new = olds.get(key), news.get(key)
        if not old or not new:
            found.append((old or new, "start", "there" if old else "none", "there" if new else "none"))
            continue
        one, other = given_of(old), given_of(new)
        found += [(new, name, one.get(name), other.get(name)) for name in sorted(one.keys() | other.keys())
                  if one.get(name) != other.get(name)]
        if old["new"] and new["new"]:
            found += [(new, *difference) for difference in differences(old["new"], new["new"])]
    return found


def compare_sides(starts):
    """(start, what, old, new) of all differences between the two commands in one recording."""
    return [(start, *difference) for start in starts if start["old"] and not start["left"]
            for difference in differences(start["old"], start["new"])]


def report(found, whole):
    """Prints differences that the list does not have; false if there are any, or a line of a whole list is of no use."""
    rows = exceptions.read(LIST, "file test what reason")
    used, listed, others = set(), 0, collections.Counter()
    for start, what, old, new in found:
        row = next((i for i, row in enumerate(rows) if all(fnmatch.fnmatchcase(text, pattern) for text, pattern in
                                                           zip((start["file"], start["test"], what), row))), None)
        if row is not None:
            used.add(row)
            listed += 1
            continue
        if not others[id(start)]:
            print(f"{start['file']}: {start['test']}\n  mpi-adapter {shlex.join(start['argv'])}")
        others[id(start)] += 1
        print(f"    {what}: {shown(old)}\n    {' ' * len(what)}→ {shown(new)}")
    unused = [row for i, row in enumerate(rows) if i not in used and whole]
    for row in unused:
        print(f"differences.tsv: nothing needs the line of {' '.join(row[:3])}; remove it")
    print(f"{len(others)} starts differ in {sum(others.values())} facts, {listed} listed differences")
    return not others and not unused


def shown(value):
    text = str(value).replace("\n", "\\n").encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 400 else f"{text[:300]}... ({len(text)} characters)"


def summary(starts, compares):
    """How many starts there are of each verb, and those left out by reason."""
    verbs, left = collections.defaultdict(collections.Counter), collections.Counter()
    for start in starts:
        verb = start["argv"][0] if start["argv"] else ""
        counts = verbs[verb if verb in VERBS else "other words"]
        counts["starts"] += 1
        counts["lines"] += bool(start["new"] and start["new"]["line"])
        counts["compared"] += bool(start["old"] and not start["left"])
        left[start["left"]] += 1
    columns = ["starts", "lines"] + ["compared"] * compares
    total = collections.Counter()
    print(f"{'verb':14}" + "".join(f"{column:>10}" for column in columns))
    for verb, counts in sorted(verbs.items()):
        total.update(counts)
        print(f"{verb:14}" + "".join(f"{counts[column]:10}" for column in columns))
    print(f"{'all':14}" + "".join(f"{total[column]:10}" for column in columns))
    for reason, count in sorted(left.items()):
        if reason:
            print(f"left out: {count}, as {reason}")


def fail(message):
    sys.exit(f"starts: {message}")


def build_of(old):
    """The build folder of the old command: a folder, or that of a commit, which is made."""
    if not old or os.path.isfile(f"{old}/bin/mpi-adapter"):
        return os.path.abspath(old) if old else ""
    asked = subprocess.run(["git", "-C", TOP, "rev-parse", "--verify", "--quiet", f"{old}^{{commit}}"], stdout=subprocess.PIPE, check=False)
    commit = asked.stdout.decode().strip()
    if not commit:
        fail(f"'{old}' is no commit, and no build folder; give one of these as OLD")
    folder = f"{os.environ['BUILD']}/starts/{commit}"
    if not os.path.isdir(f"{folder}/source"):
        os.makedirs(f"{folder}/new")
        archive = subprocess.Popen(["git", "-C", TOP, "archive", commit], stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", f"{folder}/new"], stdin=archive.stdout, check=True)
        if archive.wait() != 0:
            fail(f"git cannot read {commit}")
        os.rename(f"{folder}/new", f"{folder}/source")
    subprocess.run(["make", "-s", "-C", f"{folder}/source", "-f", "command/command.mk", f"BUILD={folder}/build", version(), "command"],
                   check=True)
    return f"{folder}/build"


def version():
    """VERSION=..., which the Makefile tells the command."""
    with open(f"{TOP}/Makefile", encoding="utf-8") as file:
        return "VERSION=" + re.search(r"^VERSION := (.*)$", file.read(), re.M)[1]


def put_start_into(command, scratch):
    """Makes `start` the interpreter of a command, with the former one as its argument."""
    with open(command, encoding="utf-8") as file:
        text = file.read()
    with open(command, "w", encoding="utf-8") as file:
        file.write(text.replace("#!", f"#!{scratch}/start ", 1))


def copy_build(build, folder):
    """A copy of what tests use of a build folder: they copy the command out of it, and make copies of all of it."""
    os.makedirs(folder)
    parts = [f"{build}/{name}" for name in os.listdir(build) if name not in ("tests", "starts", "docs", "deb", "rpm", "bench", "fuzz")
             and not name.startswith("check")]
    subprocess.run(["cp", "-a", "--reflink=auto", *parts, folder], check=True)


def remove_leftovers(build, copy):
    """Removes files of a command of before, which make leaves in a build folder: they look as if a test had removed them."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["make", "-s", "-C", TOP, f"BUILD={build}", f"DESTDIR={place}", "PREFIX=/", "STRIP=no", "install-command"], check=True)
        for name in os.listdir(f"{copy}/lib/mpi-adapter"):
            path = f"{copy}/lib/mpi-adapter/{name}"
            if os.path.isfile(path) and not os.path.exists(f"{place}/lib/mpi-adapter/{name}"):
                os.unlink(path)
        for path in glob.glob(f"{copy}/lib/mpi-adapter/command/*"):
            if not os.path.exists(f"{place}/lib/mpi-adapter/command/{os.path.basename(path)}"):
                os.unlink(path)


def run_tests(folder, tests, settings):
    """Runs tests with the command that records; returns the starts, and whether the tests pass."""
    build = os.path.abspath(os.environ["BUILD"])
    # In /tmp, as the kernel takes no more than 255 characters of a script's first line, and none with a space.
    scratch = tempfile.mkdtemp(prefix="starts.", dir="/tmp")
    try:
        os.chmod(scratch, 0o755)
        os.mkdir(f"{scratch}/records")
        # Tests start the command as other users, too.
        os.chmod(f"{scratch}/records", 0o1777)
        shutil.copy2(f"{HERE}/start", scratch)
        copy_build(build, f"{scratch}/build")
        remove_leftovers(build, f"{scratch}/build")
        put_start_into(f"{scratch}/build/bin/mpi-adapter", scratch)
        with open(f"{scratch}/settings.json", "w", encoding="utf-8") as file:
            json.dump(settings | {"new": f"{scratch}/build"}, file)
        files = tests or [f"command/{os.path.basename(path)}" for path in sorted(glob.glob(f"{TOP}/tests/command/*.bats"))
                          if os.path.basename(path) not in LEFT_OUT]
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= {name: value for name in ("PYTHON", "NAMED") if (value := os.environ.get(name))}
        check = subprocess.run([f"{TOP}/scripts/check", *files], env=environment | {"BUILD": f"{scratch}/build"}, check=False)
        return gather(scratch, build, folder), check.returncode == 0
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def run(words):
    """`record` and `compare`."""
    compares = words[0] == "compare"
    old, folder, tests = (words[1], words[2], words[3:]) if compares else ("", words[1], words[2:])
    # Before the tests run for half an hour.
    recording = read_recording(old) if compares and glob.glob(f"{old}/*.starts") else None
    both = compares and recording is None
    settings = {"compares": both, "old": build_of(old) if both else "", "new_with": shlex.split(os.environ.get("NEW_WITH", "")),
                "old_with": shlex.split(os.environ.get("OLD_WITH", "")) if both else []}
    starts, passed = run_tests(folder, tests, settings)
    summary(starts, both)
    if not compares:
        return passed
    whole = not tests and not os.environ.get("NAMED")
    return report(compare_sides(starts) if both else compare_recordings(ran_again(recording, starts, whole), starts), whole) and passed


def ran_again(olds, news, whole):
    """The starts of an earlier recording whose tests have made a new one."""
    tests = {(start["file"], start["test"]) for start in news}
    return [start for start in olds if whole or (start["file"], start["test"]) in tests]


def main(words):
    if words[:1] == ["record"] and len(words) >= 2 or words[:1] == ["compare"] and len(words) >= 3:
        return run(words)
    if words[:1] == ["differences"] and len(words) == 3:
        return report(compare_recordings(read_recording(words[1]), read_recording(words[2])), False)
    if words[:1] == ["sides"] and len(words) == 2:
        return report(compare_sides(read_recording(words[1])), False)
    if words[:1] == ["gather"] and len(words) == 3:
        gather(words[1], os.environ.get("BUILD", f"{TOP}/build"), words[2])
        return True
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
