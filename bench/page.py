#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the counts of instructions.tsv into docs/performance.md, between two comments, and draws docs/performance.svg.

    page.py             both anew, if they differ
    page.py check       fails if they differ
"""

import re
import sys
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent
PAGE, FIGURE = (HERE.parent / "docs" / f"performance.{end}" for end in ("md", "svg"))
BEGIN = "<!-- This table is made from bench/instructions.tsv by bench/page.py. -->\n"
END = "<!-- Its end. -->\n"
SHARE = "MPI_Isend or MPI_Irecv, with its share of MPI_Waitall"
# The calls of the page, by their kind; `drawn` are those of the figure.
SHOWN = {
    "comm_rank": "MPI_Comm_rank",
    "type_size": "MPI_Type_size",
    "type_size_derived": "MPI_Type_size of a derived datatype",
    "allreduce": "MPI_Allreduce",
    "window": SHARE,
    "window_statuses": f"{SHARE}, statuses",
    "startall": "a persistent request, MPI_Startall, MPI_Waitall",
    "send": "MPI_Irecv, MPI_Send and MPI_Wait",
    "sendrecv": "MPI_Sendrecv",
    "iprobe": "MPI_Iprobe that finds nothing",
    "test_active": "MPI_Test of an active request",
    "testall_16": "MPI_Testall of 16 active requests",
    "waitany_64": "MPI_Waitany over 64 requests",
    "put_flush": "MPI_Put and MPI_Win_flush",
    "comm_get_attr": "MPI_Comm_get_attr",
    "type_vector": "MPI_Type_vector, MPI_Type_commit and MPI_Type_free",
    "reduce_local_user-reduce_local": "each callback of a user reduction",
    "file_write_at": "MPI_File_write_at",
    "ialltoallw_16": "MPI_Ialltoallw of 16 datatypes, and MPI_Wait",
    "wtime": "MPI_Wtime",
    "f08_comm_rank": "MPI_Comm_rank by mpi_f08",
    "f08_window": f"{SHARE}, by mpi_f08",
}
DRAWN = ("comm_rank", "allreduce", "sendrecv", "window", "startall", "put_flush", "send")
# With a background: the site may be dark where the browser is not.
STYLE = """\
  text { font: 14px sans-serif; fill: #1d2433 } .dim { fill: #55607a } .back { fill: #fff }
  .a { fill: #2c7a43 } .b { fill: #41506b }
  @media (prefers-color-scheme: dark) { text { fill: #e8ecf5 } .dim { fill: #a9b4cb } .back { fill: #131416 }
    .a { fill: #6fc489 } .b { fill: #93a4c4 } }
"""


def shown(count: str) -> str:
    return count if count == "-" else str(round(float(count)))


def counts() -> tuple[list[str], dict[str, list[str]]]:
    """The pairs, and for each kind that is shown the expected count of each pair, - if there is none."""
    lines = [line.split("\t") for line in (HERE / "instructions.tsv").read_text().splitlines() if not line.startswith("#")]
    places = [place for place, name in enumerate(lines[0]) if "-to-" in name and not name.endswith(" ceiling")]
    return ([lines[0][place] for place in places],
            {words[0]: [shown(words[place]) for place in places] for words in lines[1:] if words[0] in SHOWN})


def label(text: str) -> str:
    return re.sub(r"\b(MPI|mpi)_\w+", r"`\g<0>`", text)


def table() -> str:
    pairs, found = counts()
    rows = [[label(text), *found[kind]] for kind, text in SHOWN.items()]
    return "".join(f"| {' | '.join(row)} |\n" for row in [["", *pairs], *rows]).replace("\n", f"\n|---|{'---:|' * len(pairs)}\n", 1)


def figure() -> str:
    pairs, found = counts()
    wide, step = 3.6, 46
    parts = ['<rect class="back" width="100%" height="100%"/>',
             f'<text x="8" y="20" class="dim">Instructions inside the adapter for a call: '
             f'<tspan class="a">{pairs[0]}</tspan>, <tspan class="b">{pairs[1]}</tspan></text>']
    for row, kind in enumerate(DRAWN):
        top = 34 + row * step
        called = escape(SHOWN[kind].replace(SHARE, "MPI_Isend or MPI_Irecv, of MPI_Waitall"))
        parts.append(f'<text x="330" y="{top + 21}" text-anchor="end">{called}</text>')
        for place, style in enumerate("ab"):
            count = int(found[kind][place])
            parts.append(f'<rect class="{style}" x="340" y="{top + place * 18}" width="{count * wide:.0f}" height="15" rx="2"/>')
            parts.append(f'<text x="{346 + count * wide:.0f}" y="{top + place * 18 + 13}">{count}</text>')
    high = 34 + len(DRAWN) * step
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {high}" role="img">\n<!-- SPDX-License-Identifier: BSD-3-Clause -->\n'
            f"<title>Instructions inside the adapter for a call</title>\n<style>\n{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n")


def page() -> str:
    text = PAGE.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{PAGE}: error: the comments around the table of counts are not there once; put them back")
    return text[: text.index(BEGIN) + len(BEGIN)] + table() + text[text.index(END) :]


def main(what: str = "write") -> None:
    made = {PAGE: page(), FIGURE: figure()}
    stale = [file for file, text in made.items() if not file.exists() or file.read_text() != text]
    if what == "check" and stale:
        sys.exit(f"{stale[0]}: error: the counts are not those of bench/instructions.tsv; run bench/page.py")
    for file in stale:
        file.write_text(made[file])


if __name__ == "__main__":
    main(*sys.argv[1:])
