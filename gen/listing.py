#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Emits procedures.conf, from which `mpi-adapter explain` knows what becomes of each call.

    listing.py --tables abi-tables --templates templates --application openmpi --host mpich --output FILE

A line for every procedure that the pair's library exports:
    NAME PASSES HOST STAND-IN SINCE
PASSES: its arguments pass `direct` or `converted`; or it is `unsupported`. HOST: the host's
procedure that it needs, or -. STAND-IN, on a host without that: `built` of others, or
`unsupported`; or it is `required`. SINCE: the oldest known release that has NAME, or -.
"""

import argparse
import os

from abitable import AbiTable
from diagnostic import command
from emitter import procedures as tables
from emitter.cfile import host_names, variants
from emitter.pair import Pair, Side
from emitter.procedures import Procedure
from emitter.wrappers import WrapperEmitter, stand_in

TITLE = """# SPDX-License-Identifier: BSD-3-Clause
# procedure, how its arguments pass, the host's procedure, what stands in for that, oldest release
"""


def _has(release: AbiTable, name: str) -> bool:
    """Whether the release exports `name`. The header tells where no library was scanned."""
    if any(export.type == "function" for export in release.exports):
        return name in release.exported
    return name in release.procedures


def _passes(emitter: WrapperEmitter, procedure: Procedure) -> str:
    """How the arguments of a call pass."""
    if "unsupported" in procedure.flags:
        return "unsupported"
    if procedure.custom or any(emitter.section(procedure, parameter).name != "same"
                               for parameter in procedure.parameters):
        return "converted"
    return "direct"


def _since(side: Side, name: str) -> str:
    """The oldest release of the application's implementation that has `name`."""
    having = [release.release for release in side.releases if _has(release, name)]
    return having[-1] if having else "-"


def emit_listing(pair: Pair, emitter: WrapperEmitter) -> str:
    """The text of procedures.conf."""
    stand_ins = {name: stand_in(pair, name, procedure, large) for name, procedure, large in host_names(pair)}
    lines = []
    for procedure in pair.procedures.values():
        for suffix, _ in variants(procedure):
            name, host = procedure.name + suffix, procedure.host + suffix
            if name in pair.application.exports or procedure.name in pair.application.exports:
                known = host in stand_ins
                lines.append(f"{name} {_passes(emitter, procedure)} {host if known else '-'} "
                             f"{stand_ins[host] if known else '-'} {_since(pair.application, name)}\n")
    return TITLE + "".join(sorted(lines))


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Emit the list of a pair's procedures.")
    for option in ("tables", "templates", "application", "host", "output"):
        parser.add_argument("--" + option, required=True)
    options = parser.parse_args(arguments)
    rules = tables.load_rules(os.path.join(options.tables, "rules"))
    procedures = tables.load_procedures(os.path.join(options.tables, "procedures"), rules)
    pair = Pair(options.tables, rules, procedures, options.application, options.host)
    text = emit_listing(pair, WrapperEmitter(pair, options.templates))
    os.makedirs(os.path.dirname(os.path.abspath(options.output)), exist_ok=True)
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    command(main)
