# SPDX-License-Identifier: BSD-3-Clause
"""The files that emit.py makes for a pair, its sides, and all pairs."""

import os
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def sides(application, host):
    """(name, emit.py's options) of each of the four, the smallest first."""
    ours, theirs = ["--application", application], ["--host", host]
    return [("common", []), ("app", ours), ("host", theirs), ("pair", ours + theirs)]


def emit(output, application, host):
    """Emits all from the real tables into folders of `output`, what several pairs have once, and returns these."""
    folders = {"common": "common", "app": f"app-{application}", "host": f"host-{host}", "pair": f"{application}-to-{host}"}
    for name, options in sides(application, host):
        folders[name] = os.path.join(output, folders[name])
        if not os.path.isdir(folders[name]):
            subprocess.run([sys.executable, "-B", os.path.join(ROOT, "gen", "emit.py"), "--tables", os.path.join(ROOT, "abi-tables"),
                            "--templates", os.path.join(ROOT, "templates"), *options, "--output", folders[name]], check=True)
    return folders
