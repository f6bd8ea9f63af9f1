#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The figures of docs/gallery.md, drawn of what was measured.

    figures.py heat FOLDER    runs heat.c natively and adapted, with FOLDER for what is compiled, and writes heat.tsv
    figures.py costs FILE     writes costs.tsv of what bench/apps/run --json has written
    figures.py draw           writes docs/heat.svg and docs/costs.svg of both tables
    figures.py check          says whether these are what `draw` would write

BUILD is that of make.
"""

import base64
import json
import os
import re
import statistics
import struct
import subprocess
import sys
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path.insert(1, str(TOP / "bench"))
import pairs  # noqa: E402  pylint: disable=wrong-import-position

HEAT, COSTS = HERE / "heat.tsv", HERE / "costs.tsv"
FIGURES = TOP / "docs"
RANKS = 2
HOTTEST = 70.0  # what the brightest colour stands for
# From cold to hot: (share of the way, red, green, blue).
COLOURS = ((0, 16, 12, 60), (0.25, 98, 22, 122), (0.5, 205, 57, 76), (0.75, 249, 142, 34), (1, 252, 244, 164))
PANEL, GAP, TOP_LINE = 320, 40, 48
STYLE = 'font-family="sans-serif" font-size="14"'
# The reader's scheme, light or dark, as in docs/conf.py.
SCHEMES = ("<style>svg { fill: #222 } .back { fill: #fff } .axis { stroke: #222 } @media (prefers-color-scheme: dark) "
           "{ svg { fill: #ddd } .back { fill: #131416 } .axis { stroke: #ddd } }</style>")
BARS = {"openmpi-to-mpich": "#2a6f97", "mpich-to-openmpi": "#e07a1f"}


# ---------------------------------------------------------------- heat.tsv: KEY VALUE..., and the pictures of both runs

def run(words):
    """The output of a program, on ranks of the launcher that `words` begin with."""
    environment = os.environ | {name: value for family in pairs.FAMILIES for name, value in pairs.anywhere(family).items()}
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout


def picture(printed):
    """A row for each line: two hexadecimal digits for each cell."""
    return ["".join(f"{min(255, max(0, round(255 * float.fromhex(word) / HOTTEST))):02x}" for word in line.split())
            for line in printed.splitlines()]


def release_of(family):
    """The version of the MPI that is here."""
    words = subprocess.run([pairs.launcher(family), "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return next(word for word in words if word[0].isdigit())


def measure_heat(folder):
    """Runs each family's program on its own MPI and on the other one, all of which must print the same."""
    lines, first = [], None
    for pair in pairs.PAIRS:
        application, host = pair.split("-to-")
        program = str(Path(folder, f"heat.{application}"))
        subprocess.run([f"mpicc.{application}", "-O2", "-o", program, str(HERE / "heat.c")], check=True)
        native = run([pairs.launcher(application), "-n", str(RANKS), program])
        adapted = run([str(Path(os.environ["BUILD"], "bin/mpi-adapter")), "run", "--to", host, "-n", str(RANKS), program])
        if native != adapted or first not in (None, native):
            sys.exit(f"figures.py: heat.c does not print the same on {host} as natively; look for the first difference")
        if first is None:
            lines += [f"natively\t{pairs.NAMES[application]} {release_of(application)}", f"adapted\t{pairs.NAMES[host]} {release_of(host)}",
                      *(f"native-row\t{row}" for row in picture(native)), *(f"adapted-row\t{row}" for row in picture(adapted))]
        first = native
    HEAT.write_text("# Written by figures.py heat: temperatures of 2 runs, 255 for the hottest.\n" + "\n".join(lines) + "\n")


def table(path):
    """The words of each line."""
    return [line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]


# ---------------------------------------------------------------- costs.tsv

def write_costs(path):
    """Of each kernel on each pair: seconds natively and adapted, the least of their runs, and calls of the host a rank makes."""
    results = json.loads(Path(path).read_text())["pairs"]
    lines = [f"{result['pair']}\t{facts['name']}\t{min(facts['native']):.4f}\t{min(facts['adapted']):.4f}\t{facts['calls']}"
             for result in results for facts in result["kernels"]]
    COSTS.write_text("# Written by figures.py costs: pair, kernel, seconds natively and adapted, calls of a rank; "
                     f"{RANKS} ranks, {pairs_text()}.\n" + "\n".join(lines) + "\n")


def pairs_text():
    return ", ".join(f"{pairs.NAMES[family]} {release_of(family)}" for family in pairs.FAMILIES)


# ---------------------------------------------------------------- drawing

def colour(byte):
    """Its red, green and blue."""
    share = byte / 255
    for (low, *cold), (high, *hot) in zip(COLOURS, COLOURS[1:]):
        if share <= high:
            part = (share - low) / (high - low)
            return bytes(round(a + part * (b - a)) for a, b in zip(cold, hot))
    raise ValueError(byte)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(rows):
    """A picture with a palette, not compressed, so that every zlib writes the same bytes."""
    width, lines = len(rows[0]) // 2, b"".join(b"\0" + bytes.fromhex(row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)) +
            chunk(b"PLTE", b"".join(map(colour, range(256)))) + chunk(b"IDAT", zlib.compress(lines, 0)) + chunk(b"IEND", b""))


def svg(width, height, title, body):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" {STYLE}>',
                      "<!-- SPDX-License-Identifier: BSD-3-Clause -->", "<!-- Drawn by tests/gallery/figures.py. -->",
                      f"<title>{title}</title>", SCHEMES, f'<rect class="back" width="{width}" height="{height}"/>', *body, "</svg>", ""])


def panel(left, title, rows):
    data = base64.b64encode(png(rows)).decode()
    return [f'<text x="{left + PANEL / 2:.0f}" y="28" text-anchor="middle">{title}</text>',
            f'<image x="{left}" y="{TOP_LINE}" width="{PANEL}" height="{PANEL}" style="image-rendering: pixelated" '
            f'href="data:image/png;base64,{data}"/>']


def draw_heat():
    """Both runs side by side."""
    words = table(HEAT)
    said = {key: value for key, value in words if not key.endswith("-row")}
    rows = {run_of: [value for key, value in words if key == f"{run_of}-row"] for run_of in ("native", "adapted")}
    different = sum(a[i:i + 2] != b[i:i + 2] for a, b in zip(*rows.values()) for i in range(0, len(a), 2))
    width, height = 2 * PANEL + 3 * GAP, TOP_LINE + PANEL + 48
    steps = re.search(r"STEPS = (\d+)", (HERE / "heat.c").read_text())[1]
    below = f"{len(rows['native']) ** 2} cells after {steps} steps, {RANKS} ranks: {different or 'none'} of them differ"
    return svg(width, height, "The heat equation, natively and adapted",
               [*panel(GAP, f"natively, on {said['natively']}", rows["native"]),
                *panel(2 * GAP + PANEL, f"the same program, on {said['adapted']}", rows["adapted"]),
                f'<text x="{width / 2:.0f}" y="{height - 18}" text-anchor="middle">{below}</text>'])


def by_pair():
    """{pair: {kernel: percent that its adapted run takes longer}}"""
    found = {}
    for pair, kernel, native, adapted, _ in table(COSTS):
        found.setdefault(pair, {})[kernel] = 100 * (float(adapted) / float(native) - 1)
    return found


def draw_costs():
    """A bar for each kernel and pair: to the right of the line, the adapted run took longer."""
    found = by_pair()
    kernels, thick, left, middle = list(next(iter(found.values()))), 12, 110, 380
    most = max(2.0, *(abs(value) for of in found.values() for value in of.values()))
    scale, body = 240 / most, []
    for i, kernel in enumerate(kernels):
        top = TOP_LINE + 20 + i * 36
        body.append(f'<text x="{left}" y="{top + thick + 4}" text-anchor="end">{kernel}</text>')
        for j, (pair, of) in enumerate(found.items()):
            value, y = of[kernel], top + j * (thick + 1)
            x, width = min(middle, middle + scale * value), max(1, abs(scale * value))
            body += [f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{thick}" fill="{BARS[pair]}"/>',
                     f'<text x="690" y="{y + thick - 1}" font-size="12" text-anchor="end">{value:+.1f} %</text>']
    bottom = TOP_LINE + 20 + len(kernels) * 36
    heads = [f'<rect x="{40 + 230 * j}" y="18" width="14" height="14" fill="{BARS[pair]}"/><text x="{60 + 230 * j}" y="30">{pair}</text>'
             for j, pair in enumerate(found)]
    mean = {pair: statistics.median(of.values()) for pair, of in found.items()}
    below = "median: " + ", ".join(f"{value:+.1f} % {pair}" for pair, value in mean.items())
    return svg(720, bottom + 40, "How much longer application kernels take adapted than natively",
               [*heads, f'<line x1="{middle}" y1="{TOP_LINE + 8}" x2="{middle}" y2="{bottom}" class="axis"/>', *body,
                f'<text x="360" y="{bottom + 26}" text-anchor="middle">{below}</text>'])


def drawn():
    return {FIGURES / "heat.svg": draw_heat(), FIGURES / "costs.svg": draw_costs()}


def draw():
    for path, text in drawn().items():
        path.write_text(text)


def check():
    for path, text in drawn().items():
        if not path.exists() or path.read_text() != text:
            sys.exit(f"{path.relative_to(TOP)}: error: it is not what the tables say; run tests/gallery/figures.py draw")


COMMANDS = {("heat", 1): measure_heat, ("costs", 1): write_costs, ("draw", 0): draw, ("check", 0): check}


def main(*words):
    command = COMMANDS.get((words[0] if words else "", len(words) - 1))
    if not command:
        sys.exit(__doc__)
    command(*words[1:])


if __name__ == "__main__":
    main(*sys.argv[1:])
