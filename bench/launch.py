#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How the benchmark starts programs of either MPI.

usage: launch.py HOST FOLDER RANKS COMMAND...   FOLDER of libraries in front of the host's, or -
"""
import functools
import os
import subprocess
import sys

import pairs

CLEARED = ("MPI_ADAPTER_HOST_LIBRARY", "MPI_ADAPTER_VERBOSE", "MPI_ADAPTER_PRELOAD", "LD_PRELOAD", "LD_LIBRARY_PATH")
# A run takes a few seconds. MPICH over TCP (UCX 1.13) hangs now and then while it connects, natively
# too: what takes longer is tried again.
SECONDS = 100
TRIES = 3
TIMED_OUT = 124


@functools.cache
def has_pt2pt():
    """Whether this release of Open MPI still has one-sided communication by messages."""
    info = subprocess.run(["ompi_info", "--parsable"], stdout=subprocess.PIPE, text=True, check=False)
    return "\nmca:osc:pt2pt:" in info.stdout


def openmpi_transport(transport):
    shared = "vader" if has_pt2pt() else "sm"
    settings = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": f"self,{'tcp' if transport == 'tcp' else shared}",
                "OMPI_MCA_btl_tcp_if_include": "lo"}
    if has_pt2pt():
        settings |= {"OMPI_MCA_osc": "sm,pt2pt", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    else:
        settings |= {"OMPI_MCA_smsc": "^cma,xpmem"}
    return settings


def mpich_transport(transport):
    if transport != "tcp":
        return {}
    return {"MPIR_CVAR_NOLOCAL": "1", "UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "lo", "FI_PROVIDER": "tcp"}


# How an implementation is told by which transport to exchange messages.
TRANSPORTS = {"openmpi": openmpi_transport, "mpich": mpich_transport}


def environment(host, transport="memory"):
    """For runs on `host`, between processes by shared memory or by TCP through the loopback interface."""
    settings = pairs.anywhere(host) | TRANSPORTS[pairs.IMPLEMENTATIONS[host]](transport)
    kept = {name: value for name, value in os.environ.items() if name not in CLEARED}
    return kept | settings


def command(host, folder, ranks, program):
    """The command that starts `program` (a list) on so many ranks, and variables to add to its environment. A
    single process needs no launcher."""
    if ranks == 1:
        return program, {"LD_LIBRARY_PATH": folder} if folder else {}
    given = pairs.giving(host, "LD_LIBRARY_PATH", folder) if folder else []
    return [pairs.launcher(host), *given, "-n", str(ranks), *program], {}


def run(host, folder, ranks, program, transport="memory"):
    """The lines "KEY <tab> NUMBER" that a program prints, as a dictionary."""
    arguments, more = command(host, folder, ranks, program)
    for _ in range(TRIES):
        result = subprocess.run(["timeout", "-k", "5", str(SECONDS), *arguments], env=environment(host, transport) | more,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if result.returncode != TIMED_OUT:
            break
        print(f"bench: '{' '.join(arguments)}' took more than {SECONDS} s; trying again", file=sys.stderr)
    if result.returncode != 0:
        raise RuntimeError(f"'{' '.join(arguments)}' failed:\n{result.stdout}{result.stderr}")
    lines = (line.split("\t") for line in result.stdout.splitlines())
    return {key: float(number) for key, number in lines}


def main(host, folder, ranks, *program):
    arguments, more = command(host, "" if folder == "-" else folder, int(ranks), list(program))
    os.execvpe(arguments[0], arguments, environment(host) | more)


if __name__ == "__main__":
    main(*sys.argv[1:])
