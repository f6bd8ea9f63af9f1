#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The short form of `make random`: some programs of each kind, the same in every run, do through each pair what they do natively.

setup() {
    here=$BATS_TEST_DIRNAME
    . "$here/../families.bash"
    : "${BUILD:=$here/../../build}" "${PYTHON:=/usr/bin/python3}"
    export BUILD PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here
    cd "$BATS_TEST_TMPDIR"
}

# with_runner [NAME]: runs a piece of Python that has the runner `random`, or this one, as `runner`.
with_runner() {
    { printf '%s\n' 'import importlib.machinery, types' "loader = importlib.machinery.SourceFileLoader('runner', '$here/${1-random}')" \
        "runner = types.ModuleType('runner')" 'runner.__file__ = loader.path' 'loader.exec_module(runner)'; cat; } > piece.py
    "$PYTHON" piece.py
}

@test "random programs print through each pair what they print natively" {
    [ "$(release_here openmpi) $(release_here mpich)" = '4.1.4 4.0.2' ] || skip "programs avoid the faults of these releases"
    # shellcheck disable=SC2086  # modes are words
    "$PYTHON" "$here/random" run --kinds amt --count 12 --folder found ${MODES:+--modes $MODES}
    # shellcheck disable=SC2086
    "$PYTHON" "$here/random" run --kinds xyzsu --count 4 --folder found ${MODES:+--modes $MODES}
    [ "$(grep -c '	same	' found/results.tsv)" -ge 48 ]
}

@test "random launch lines start under the other launcher what they start natively, or are refused" {
    [ "$(release_here openmpi) $(release_here mpich)" = '4.1.4 4.0.2' ] || skip "lines have the options of these releases"
    "$PYTHON" "$here/lines" run --count 4 --folder "$BATS_TEST_TMPDIR"
    [ "$(cut -f 2 lines.tsv | grep -cx same)" -ge 5 ]
}

@test "a launch line under which ranks see something else fails" {
    with_runner lines << 'EOF'
line = runner.Line("o1")
line.variables = {"SHOWN": "x"}
rank = "0 2 0 1 on node{}, in HERE\nSHOWN{}\n"
refusal = "mpi-adapter: a; b\n"
def judged(ranks, others, native=True, adapted=True, answer=""):
    return runner.verdict(line, native, ranks, "", adapted, others, answer)[0]
assert judged(["a\nb"], ["a\nb"]) == "same"
assert judged(["a\nb"], ["a\nc"]) == judged(["a"], ["a", "a"]) == "fails"
assert judged([rank.format(2, " unset")], [rank.format(2, "=x")]) == "same"
assert judged([rank.format(1, " unset")], [rank.format(1, "=x")]) == judged([rank.format(2, " unset")], [rank.format(2, "=y")]) == "fails"
assert judged(["a"], [], adapted=False, answer=refusal) == "refused"
assert judged(["a"], [], adapted=False, answer="no slots") == "host"
assert judged([], [], native=False, adapted=False, answer=refusal) == "neither"
assert judged([], ["a"], native=False) == "more"
EOF
}

@test "a name stands for one program, and another name for another" {
    "$PYTHON" "$here/generate.py" a1 m1 t1 > once
    "$PYTHON" "$here/generate.py" a1 m1 t1 > again
    "$PYTHON" "$here/generate.py" x1 z1 >> once
    "$PYTHON" "$here/generate.py" x1 z1 >> again
    cmp once again
    "$PYTHON" "$here/generate.py" a1 > first
    "$PYTHON" "$here/generate.py" a2 | sed 's/a2/a1/g' > second
    run cmp first second
    [ "$status" -ne 0 ]
}

@test "what is left of a program without some of its steps is a program" {
    with_runner > part.c << 'EOF'
import random
chance, texts = random.Random(1), []
for number in range(20):
    program = runner.generate.program(f"m{number}")
    kept = {step for step in range(len(program.steps)) if chance.random() < 0.6}
    texts.append((f"m{number}", program.text(f"program_m{number}", kept)))
print(runner.generate.batch(texts))
EOF
    "${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -DWITH_LARGE -Wall -Werror -Wno-unused -Wno-deprecated-declarations -I"$here" \
        -I"$BUILD/include/mpich" -fsyntax-only part.c
}

@test "a line that no MPI prints fails, and one of either MPI's does not" {
    with_runner << 'EOF'
def judged(adapted, openmpi=("0: a", "1: b"), mpich=("0: a", "1: b")):
    said = {"openmpi": {"a1": list(openmpi)}, "mpich": {"a1": list(mpich)}, "openmpi-to-mpich": {"a1": list(adapted)}}
    return runner.judge("a1", said, ["openmpi", "mpich"], ["openmpi-to-mpich"])
assert judged(["1: b", "0: a"]) == ("same", "", "")
assert judged(["0: a", "1: c"]) == ("fails", "openmpi-to-mpich", "1: c <natively> 1: b")
assert judged(["0: a", "1: c"], mpich=["0: a", "1: c"])[0] == "natively"
assert judged(["0: a", "1: c"], openmpi=["0: a", "1: c"])[0] == "natively"
assert judged(["0: a"])[0] == "fails"
assert judged(["0: a", "1: b", "ends the job: too late"])[:2] == ("fails", "openmpi-to-mpich")
assert judged(["0: a"], mpich=["0: a", "ends the job: too late"])[0] == "ends natively"
EOF
}

@test "a failing program is shrunk to the steps that make it fail, and what they need" {
    "$PYTHON" -c 'import hypothesis' || skip "python3-hypothesis is not installed"
    with_runner << 'EOF'
import argparse
program = runner.generate.program("a5")
last = max(number for number, step in enumerate(program.steps) if step.makers)
every = set(range(len(program.steps)))
needed = {number for number in every if last not in program.closed(every - {number})}
runner.Modes = lambda wanted: None
runner.run_batch = lambda programs, *_: [["a5", 0, 0, 0, "fails" if last in programs[0][2] else "same", "", ""]]
runner.shrink(argparse.Namespace(programs=["a5"], modes=(), jobs=1, verdict="fails", folder="."))
with open("a5.c") as file:
    text = file.read()
assert text == runner.generate.batch([("a5", program.text("program_a5", needed))], "MPI_THREAD_SINGLE")
assert len(needed) < len(program.steps)
EOF
}
