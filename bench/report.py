#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes FOLDER/report.md and FOLDER/*.svg from results.json (see measure.py).

usage: report.py RESULTS TABLE FOLDER      TABLE is instructions.tsv: which calls, in what order
"""
import json
import os
import statistics
import subprocess
import sys

import instructions
from pairs import NAMES, PAIRS

VARIANTS = ("native", "again", "floor", "adapted")
COMPARED = ("native", "again", "adapted")
HEADINGS = {"native": "native", "again": "native again", "floor": "floor", "adapted": "adapted"}
HERE = os.path.dirname(os.path.abspath(__file__))


def host_of(pair):
    return NAMES[pair.split("-to-")[1]]


def plain(number):
    """Three significant digits, and no exponents."""
    if abs(number) >= 100:
        return f"{number:.0f}"
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"


def is_measured(summary):
    """Whether there were runs enough for quartiles and differences to mean something."""
    return summary["runs"] >= 4


def added(found, scale=1):
    """The adapter's addition to the lower quartile, which stays where it is while others slow down up to three of four
    runs; nothing where chance alone may have made it."""
    if not (is_measured(found["adapted"]) and is_measured(found["native"])):
        return ""
    return plain(scale * (found["adapted"]["low"] - found["native"]["low"]))


def headed(variant):
    """The name of a column; another layer's by its name."""
    return HEADINGS.get(variant, variant)


def cell(summary, scale=1):
    """Median and, if there are any that mean something, quartiles; nothing where a layer has no value."""
    if summary is None:
        return ""
    if "high" not in summary or not is_measured(summary):
        return plain(summary["median"] * scale)
    return f"{plain(summary['median'] * scale)} ({plain(summary['low'] * scale)}–{plain(summary['high'] * scale)})"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|---" + "|---:" * (len(header) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


class Results:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.all = json.load(file)
        self.figures = {(figure["experiment"], figure["pair"], figure["key"]): figure
                        for figure in self.all["figures"]}

    def summaries(self, experiment, pair, key):
        """{variant: summary}; a difference A-B of two kinds is that of the lower quartiles, and has no others."""
        first, _, second = key.partition("-")
        found = self.figures.get((experiment, pair, first), {}).get("summary", {})
        if not second:
            return found
        other = self.figures[experiment, pair, second]["summary"]
        differences = {variant: summary["low"] - other[variant]["low"] for variant, summary in found.items()}
        return {variant: {"median": difference, "low": difference, "runs": min(found[variant]["runs"], other[variant]["runs"])}
                for variant, difference in differences.items()}

    def keys(self, experiment, pair, kind):
        """[(number, key)] of keys KIND/NUMBER, in order."""
        found = [key for name, of, key in self.figures if (name, of) == (experiment, pair)
                 and key.startswith(kind + "/")]
        return sorted((int(key.rpartition("/")[2]), key) for key in found)

    def also(self, pair):
        """The names of the other layers that were measured on a pair."""
        return tuple(self.all["also"][pair])

    def count(self, pair, library, kind):
        return instructions.count_of(self.all["instructions"][pair][library], kind)


class Plots:
    def __init__(self, folder):
        self.folder, self.made = folder, []

    def draw(self, script, name, lines, **settings):
        """Runs gnuplot on a data file made of `lines`."""
        data = os.path.join(self.folder, name + ".dat")
        with open(data, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        settings |= {"data": data, "output": os.path.join(self.folder, name + ".svg")}
        given = "; ".join(f"{key} = {value}" if isinstance(value, int) else f"{key} = '{value}'"
                          for key, value in settings.items())
        subprocess.run(["gnuplot", "-e", given, os.path.join(HERE, script)], check=True)
        self.made.append(name + ".svg")
        return f"![{settings['title']}]({name}.svg)\n"

    def lines(self, name, series, *, title, xlabel, ylabel, scale):
        """`series`: {title: [(x, summary)]}"""
        blocks = []
        for heading, points in series.items():
            rows = [f"{x}\t{y['median']}\t{y['low']}\t{y['high']}" for x, y in points]
            blocks += [f'"{heading}"', *rows, "", ""]
        return self.draw("lines.gp", name, blocks, series=len(series), title=title, xlabel=xlabel, ylabel=ylabel,
                         scale=scale)

    def bars(self, name, kinds, *, title, xlabel):
        """`kinds`: {kind: {series: summary}}"""
        series = list(dict.fromkeys(one for found in kinds.values() for one in found))
        rows = ["\t".join(["kind"] + [f'"{heading}"\tlow\thigh' for heading in series])]
        rows += ["\t".join([kind] + [f"{found[one]['median']}\t{found[one]['low']}\t{found[one]['high']}" if one in found
                                     else "?\t?\t?" for one in series]) for kind, found in kinds.items()]
        return self.draw("bars.gp", name, rows, series=len(series), kinds=len(kinds), title=title, xlabel=xlabel)


def heading(results):
    machine, releases = results.all["machine"], results.all["releases"]
    return (f"# What MPI-Adapter costs\n\n{results.all['date']}, {machine['processor']}, {machine['cores']} cores, "
            f"{machine['memory']}, {machine['system']}, Linux {machine['kernel']} ({machine['architecture']}). "
            f"{', '.join(f'{name} {release}' for name, release in releases.items())}. "
            f"Measured in {results.all['seconds']} s"
            f"{', in the quick mode: too short to mean anything' if results.all['quick'] else ''}.\n\n"
            "Every figure but what is *added* is a median with its quartiles. *native* is the program compiled for the host, "
            "*native again* the same once more (what differs between these two is chance), *floor* that program through "
            "a library that does nothing but jump to the host's, and *adapted* the program compiled for the other "
            "MPI, on the same host. The variants take turns. What is *added* is the difference of the lower quartiles, "
            "as other programs slow runs down, and none makes one faster.\n" + layers(results))


def layers(results):
    """The meaning of other layers' columns."""
    found = {(name, words): None for of in results.all["also"].values() for name, words in of.items()}
    return "".join(f"\n*{name}* is the same program as *adapted*, started by `{words}` instead of our libraries.\n"
                   for name, words in found)


def calls(results, rows, plots):
    text = ["## A call\n",
            "Instructions are those inside the adapter and inside the floor; they repeat exactly. Nanoseconds are "
            "for all that the description names, in one process that talks to itself (16 processes for "
            "`MPI_Ialltoallw`).\n"]
    for pair in PAIRS:
        body, drawn, others = [], {}, results.also(pair)
        for row in rows:
            kind = row["kind"]
            times = results.summaries("calls", pair, kind)
            if not times:
                continue
            counts = [results.count(pair, library, kind) for library in ("adapter", "floor")]
            body.append([row["what"], *("" if count is None else plain(count) for count in counts),
                         *(cell(times.get(variant)) for variant in (*VARIANTS, *others)), added(times)])
            if "-" not in kind:
                drawn[kind] = {headed(variant): times[variant] for variant in ("native", "floor", "adapted", *others)
                               if variant in times}
        text.append(f"### {pair}\n")
        text.append(table(["", "instructions", "floor's", *(f"{headed(v)}, ns" for v in (*VARIANTS, *others)), "added, ns"], body))
        text.append(plots.bars(f"calls-{pair}", drawn, title=f"A call on {host_of(pair)}", xlabel="ns"))
    return text


def languages(results):
    """Table 3 of the MPI-Adapter papers: what the adapter costs beside the way from Fortran to C."""
    text = ["## Ping-pong of 4 bytes in C and in Fortran, shared memory\n",
            "Half an exchange (one `MPI_Send` and one `MPI_Recv`), ns, the lower quartile of the runs: where the two ranks "
            "do not share a cache all take several times as long. What Fortran takes longer natively is the host's own way "
            "from Fortran to C.\n"]
    for pair in PAIRS:
        found = {language: results.summaries("pingpong", pair, f"pingpong/{language}") for language in ("c", "fortran")}
        quick = {(language, variant): summary["low"] for language in found for variant, summary in found[language].items()}
        rows = [[headed(variant), *(plain(quick[language, variant]) if (language, variant) in quick else "" for language in found),
                 plain(quick["fortran", variant] - quick["c", variant])
                 if all((language, variant) in quick for language in found) else ""]
                for variant in (*COMPARED, *results.also(pair))]
        costs = [plain(quick[language, "adapted"] - quick[language, "native"]) if added(found[language]) else "" for language in found]
        text.append(f"### {pair}\n")
        text.append(table(["", "C", "Fortran", "Fortran more than C"],
                          rows + [["the adapter's cost", *costs, ""]]))
    return text


MEASURES = {"latency": ("half a ping-pong", "µs", 1e-3), "bandwidth": ("a burst of 16", "MB/s", 1)}
TRANSPORTS = {"memory": "shared memory", "tcp": "TCP through the loopback interface"}


def scaled(summary, scale):
    return {name: summary[name] * scale for name in ("median", "low", "high")}


def series_of(points, variants, scale=1):
    """The lines of a figure of [(number, {variant: summary})]: each variant that has values."""
    found = {headed(variant): [(number, scaled(all_of[variant], scale)) for number, all_of in points if variant in all_of]
             for variant in variants}
    return {title: values for title, values in found.items() if values}


def messages(results, plots):
    text = ["## Messages between two ranks\n"]
    for transport, by in TRANSPORTS.items():
        for measure, (what, unit, scale) in MEASURES.items():
            for pair in PAIRS:
                variants = (*COMPARED, *results.also(pair))
                points = [(size, results.summaries(transport, pair, key))
                          for size, key in results.keys(transport, pair, measure)]
                if not points:
                    continue
                text.append(f"### {measure} on {host_of(pair)}, {by}\n\n{what.capitalize()}, {unit}.\n")
                text.append(table(["bytes", *(headed(v) for v in variants)],
                                  [[str(size), *(cell(found.get(v), scale) for v in variants)] for size, found in points]))
                series = series_of(points, variants, scale)
                text.append(plots.lines(f"{measure}-{transport}-{pair}", series, title=f"{measure} on {host_of(pair)}, {by}",
                                        xlabel="bytes", ylabel=unit, scale="xy"))
    return text


GROWTH = {"waitall": ("MPI_Irecv with its share of one MPI_Waitall, by the number of requests", "requests"),
          "comms": ("MPI_Comm_rank, by the number of live communicators", "communicators"),
          "new_comm": ("MPI_Comm_dup and MPI_Comm_free, by the number of live communicators", "communicators"),
          "types": ("MPI_Type_size, by the number of live datatypes", "datatypes"),
          "new_type": ("MPI_Type_contiguous and MPI_Type_free, by the number of live datatypes", "datatypes"),
          "ops": ("MPI_Reduce_local, by the number of live operations", "operations"),
          "new_op": ("MPI_Op_create and MPI_Op_free, by the number of live operations", "operations"),
          "alltoallws": ("MPI_Ialltoallw and MPI_Wait, by the number of pending ones", "pending operations")}


def exact(number):
    return {"median": number, "low": number, "high": number}


def growth_of(results, pair, kind):
    """Rows of a table, and points of instructions."""
    rows, points = [], []
    for number, key in results.keys("growth", pair, kind):
        found, count = results.summaries("growth", pair, key), results.count(pair, "adapter", key)
        rows.append([str(number), "" if count is None else plain(count),
                     *(cell(found.get(variant)) for variant in (*COMPARED, *results.also(pair)))])
        if count is not None:
            points.append((number, exact(count)))
    return rows, points


def growth(results, plots):
    text = ["## What our own cost depends on\n"]
    for pair in PAIRS:
        series = {}
        for kind, (what, unit) in GROWTH.items():
            rows, points = growth_of(results, pair, kind)
            if not rows:
                continue
            text.append(f"### {what}, {pair}\n")
            if points:
                series[kind] = points
                (first, low), (last, high) = points[0], points[-1]
                text.append(f"From {first} to {last} {unit} the adapter's instructions go from {plain(low['median'])} "
                            f"to {plain(high['median'])}.\n")
            text.append(table([unit, "instructions", *(f"{headed(v)}, ns" for v in (*COMPARED, *results.also(pair)))], rows))
        text.append(plots.lines(f"growth-{pair}", series, title=f"Instructions of the adapter, {pair}",
                                xlabel="live objects, or requests", ylabel="instructions", scale="xy"))
    return text


PARALLEL = {"comm_rank": "MPI_Comm_rank", "window": "MPI_Isend or MPI_Irecv with its share of MPI_Waitall"}


def parallel(results, plots, experiment, title, unit):
    text = [f"## {title}\n",
            "CPU time of a call, the median over all that make it at the same time, each on a communicator of its own.\n"]
    for pair in PAIRS:
        for kind, what in PARALLEL.items():
            points = [(number, results.summaries(experiment, pair, key))
                      for number, key in results.keys(experiment, pair, kind)]
            variants = (*COMPARED, *results.also(pair))
            text.append(f"### {what}, {pair}\n")
            (first, least), (last, most) = points[0], points[-1]
            if added(least):
                text.append(f"What is added goes from {added(least)} ns with {first} to {added(most)} ns with {last} {unit}.\n")
            text.append(table([unit, *(f"{headed(v)}, ns" for v in variants)],
                              [[str(number), *(cell(found.get(v)) for v in variants)] for number, found in points]))
            series = series_of(points, variants)
            text.append(plots.lines(f"{experiment}-{kind}-{pair}", series, title=f"{what} on {host_of(pair)}",
                                    xlabel=unit, ylabel="ns", scale=""))
    return text


STARTUP = {"time": ("From exec to the end of MPI_Init (of the last rank)", "ms", 1e-6),
           "cpu": ("CPU time of a rank until then, the mean of all", "ms", 1e-6),
           "resident": ("Resident memory of rank 0", "MiB", 1 / 1024),
           "private": ("Memory that only rank 0 has", "MiB", 1 / 1024)}


def startup(results, plots):
    text = ["## Start-up and memory\n"]
    for kind, (what, unit, scale) in STARTUP.items():
        for pair in PAIRS:
            variants = (*COMPARED, *results.also(pair))
            points = [(number, results.summaries("startup", pair, key))
                      for number, key in results.keys("startup", pair, kind)]
            text.append(f"### {what}, {pair}\n")
            text.append(table(["ranks", *(f"{headed(v)}, {unit}" for v in variants), f"added, {unit}"],
                              [[str(number), *(cell(found.get(v), scale) for v in variants),
                                added(found, scale)] for number, found in points]))
            series = series_of(points, variants, scale)
            text.append(plots.lines(f"startup-{kind}-{pair}", series, title=f"{what}, {host_of(pair)}", xlabel="ranks",
                                    ylabel=unit, scale=""))
    return text


def seconds(times):
    return f"{statistics.median(times):.4f}" if times else ""


def ratio(facts, name):
    return f"{facts[name]:.4f}" if name in facts else ""


def between(facts):
    return f"{facts['low']:.4f}–{facts['high']:.4f}" if "low" in facts else ""


def percent(facts):
    return f"{100 * facts['by_calls']:.2f} %" if "by_calls" in facts else ""


def applications(results):
    text = ["## Application kernels\n",
            "Seconds, medians; the ratio of adapted to native, the median over the rounds; and between which bounds that is "
            "certain but for one case in twenty, if there are rounds enough to say. A goal is *met* or *missed* only if it is so "
            "between these bounds. *By calls* is what share of the least native time the calls of the host take if each takes "
            "50 ns, of the rank that makes the most, times the ranks that share a processor; only their number does not depend on how busy the machine is. See bench/apps/README.md.\n"]
    for result in results.all["applications"]:
        others = results.also(result["pair"])
        rows = [[facts["name"], str(len(facts["native"])), str(facts.get("steps", "all")), seconds(facts["native"]),
                 seconds(facts["adapted"]), *(seconds(facts["also"].get(name, [])) for name in others), ratio(facts, "ratio"),
                 between(facts), str(facts.get("calls", "")), percent(facts), facts["verdict"]] for facts in result["kernels"]]
        text.append(f"### {result['pair']}, {result['ranks']} ranks\n")
        if result["oversubscribed"]:
            text.append(f"Oversubscribed: there are {results.all['machine']['cores']} processors, for which the ranks wait. "
                        "Kernels take as many of their steps as last some 2 s natively, at least one.\n")
        text.append(table(["", "rounds", "steps, at most", "native, s", "adapted, s", *(f"{name}, s" for name in others), "ratio", "between",
                           "calls", "by calls", "verdict"], rows))
        if "geometric_mean" in result:
            text.append(f"Geometric mean of the ratios: {result['geometric_mean']:.4f}, between {between(result) or 'unknown bounds'}: "
                        f"{result['verdict']}.{f' By calls: {percent(result)}.' if percent(result) else ''}\n")
    return text


def main(path, table_path, folder):
    results, plots = Results(path), Plots(folder)
    rows, _ = instructions.read_table(table_path)
    text = [heading(results), *calls(results, rows, plots), *languages(results), *messages(results, plots), *growth(results, plots),
            *parallel(results, plots, "threads", "Threads (MPI_THREAD_MULTIPLE)", "threads"),
            *parallel(results, plots, "processes", "Processes on this machine", "processes"),
            *startup(results, plots), *applications(results)]
    with open(os.path.join(folder, "report.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(text))


if __name__ == "__main__":
    main(*sys.argv[1:])
