# SPDX-License-Identifier: BSD-3-Clause
"""Random launch lines: words of a launcher's own options, and the variables and files that they need.

All hosts that lines name are this machine. The launcher's machine is called node1.
"""

import random

HOSTS = ["node1", "node2", "node3"]
# A line gives these names to ranks; the program prints what it finds of them.
NAMES = ["SHOWN", "Shown_2", "SHOWN_3", "http_proxy"]
VALUES = ["1", "", "a b", "a=b", "it's", "x:y", "$HOME", '"q"', "a,b", "back\\slash", "*", ";", "two  blanks", "%d", "-n", "#"]
ARGUMENTS = ["one", "-n", "--host", "", "a b", "it's", "*", "$HOME", "a=b", "back\\slash", '"q"', "-x", "--", "#", "%s", ";", "[x]"]
REFUSED_BY_ALL = [["--no-such-option"], ["-n", "0"], ["-n", "two"], ["-wdir", "absent"]]


class Line:
    """The words behind the launcher, its family, the variables ahead and files by name."""

    def __init__(self, name):
        self.name, self.chance = name, random.Random(name)
        self.words, self.variables, self.files, self.is_turned = [], {}, {}, False
        for variable in NAMES:
            if self.maybe(3):
                self.variables[variable] = self.one(VALUES)
        self.family = {"o": "openmpi", "h": "mpich"}[name[0]]
        {"o": openmpi, "h": hydra}[name[0]](self)

    def number(self, low, high):
        return self.chance.randint(low, high)

    def one(self, values):
        return self.chance.choice(values)

    def maybe(self, of=2):
        return self.chance.randrange(of) == 0

    def some_hosts(self):
        return self.chance.sample(HOSTS, self.number(1, 3))

    def file(self, lines):
        name = f"file{len(self.files)}"
        self.files[name] = "".join(f"{line}\n" for line in lines)
        return name

    def dashed(self, option):
        """An option with one dash or two, where it has more than a letter."""
        return "-" * self.number(1, 2) + option if len(option) > 1 else "-" + option

    def options(self, *groups):
        """Groups of words in any order."""
        groups = [group for group in groups if group]
        self.chance.shuffle(groups)
        return [word for group in groups for word in group]

    def program(self, folder=None):
        """The words of a program, which lies in the folder of the line."""
        path = self.one(["./show", "HERE/show"]) if folder is None else self.one(["../show", "HERE/show"])
        words = self.one([[path], [path], [path], ["sh", "-c", f"{path} \"$@\"", "sh"],
                          ["env", f"{self.one(NAMES)}={self.one(VALUES)}", path],
                          [path.replace("show", "wrapper"), path]])
        return words + [self.one(ARGUMENTS) for _ in range(self.one([0, 0, 1, 2]))]


def openmpi(line):
    """Words of Open MPI's mpiexec."""
    hosts, per_node, count = line.some_hosts(), None, 1 if line.maybe(3) else 2
    parts = line.one([1, 1, 1, 2, 3])
    slots = {host: line.number(1, 3) for host in hosts}
    where = line.one(["", "", "list", "list", "file", "file", "variable", "turned"])
    share = line.one(["", "", "", "--oversubscribe", "--map-by :OVERSUBSCRIBE", "--mca rmaps_base_oversubscribe 1"])
    total = sum(slots.values()) if where else 2
    placing = []
    if where == "list":
        names = [line.one([f"{host}:{slots[host]}", ",".join([host] * slots[host])]) for host in hosts]
        placing = [line.one(["-H", "-host", "--host"]), ",".join(names)]
    elif where in ("file", "variable"):
        text = [line.one([f"{host} slots={slots[host]}", f"{host}   slots={slots[host]} max_slots=9", f"{host} slots={slots[host]} # it"])
                for host in hosts]
        name = line.file([*text[:1], *line.one([[], ["# a comment"], [""]]), *text[1:]])
        if where == "variable":
            line.variables["OMPI_MCA_orte_default_hostfile"] = name
        else:
            placing = [line.dashed(line.one(["hostfile", "machinefile", "default-hostfile"])), name]
    elif where == "turned":
        turned = [line.one(HOSTS) for _ in range(line.number(1, 4))]
        line.is_turned = True
        total, placing = len(turned), ["--hostfile", line.file(turned), *line.one([["--map-by", "seq"], ["--mca", "rmaps", "seq"]])]
    mapping, binding = [], []
    if where != "turned":
        cores = line.one(["", "", "", ":PE=2"])
        how = line.one(["", "", "", "slot", "node", "core", "socket", "numa", "hwthread", "l3cache", "ppr", "-N", "--npernode", "--bynode",
                        "--byslot", "--bycore"])
        if how in ("ppr", "-N", "--npernode"):
            per_node = line.number(1, 2)
            mapping = ["--map-by", f"ppr:{per_node}:node"] if how == "ppr" else [how, str(per_node)]
        elif how.startswith("--"):
            mapping = [how]
        elif how and share.startswith("--map-by"):
            mapping, share = ["--map-by", f"{how}{cores}{share.split()[1]}"], ""
        elif how:
            mapping = ["--map-by", how + cores]
    if line.maybe(3):
        binding = line.one([["--bind-to", "none"], ["--bind-to", "core"], ["--bind-to", "socket"], ["--bind-to", "hwthread"],
                            ["--bind-to", "numa"], ["--bind-to", "core:overload-allowed"], ["--bind-to-core"],
                            ["--bind-to-socket"], ["--bind-to", "Core"]])
    elif line.maybe(8):
        line.variables["OMPI_MCA_hwloc_base_binding_policy"] = line.one(["none", "core", "socket"])
    room = total * 2 if share else total
    for part in range(parts):
        folder = line.one([None, None, None, "sub"])
        ranks = line.number(1, max(1, room - (parts - 1 - part))) if parts == 1 else count
        if per_node:
            ranks = min(ranks, per_node * (len(hosts) if where else 1))
        number = [line.one(["-n", "-np", "--n", "--np", "-c"]), str(ranks)]
        if parts == 1 and line.maybe(5):
            number = []
        given = []
        for _ in range(line.one([0, 0, 1, 2])):
            name = line.one(NAMES)
            given += ["-x", line.one([name, f"{name}={line.one(VALUES)}"])]
        others = line.one([[], [], [], [], ["--tag-output"], ["--timeout", "60"], ["-q"], ["--report-bindings"],
                           ["--mca", "btl", "self,tcp"],
                           ["--rank-by", "slot"], ["--rank-by", "core"], ["--allow-run-as-root"], ["--mca", "oob_tcp_if_include", "lo"],
                           ["--nooversubscribe"], ["--output-filename", "out"], ["--display-map"], ["--rank-by", "node"]])
        again = line.one([number, ["-np", "1"], mapping and ["--map-by", "slot"], ["--bind-to", "none"]]) if line.maybe(12) else []
        words = line.options(number, placing, mapping, binding, share.split(), given, again, others if part == 0 else [],
                             [line.dashed(line.one(["wdir", "wd"])), folder] if folder else [],
                             line.one(REFUSED_BY_ALL) if line.maybe(40) else [])
        line.words += ([":"] if line.words else []) + words + line.program(folder)
    into_file(line, "--app")


def hydra(line):
    """Words of MPICH's mpiexec."""
    parts, hosts = line.one([1, 1, 1, 2, 3]), line.some_hosts()
    where, each, per_node = line.one(["", "", "list", "list", "file", "file", "variable"]), [], []
    for host in hosts:
        each.append(line.one([host, host, f"{host}:{line.number(1, 3)}"]))
    if line.maybe(3):
        per_node = ["-ppn", str(line.number(1, 3))]
        if line.maybe():
            each = hosts
    shared = []
    if where == "list":
        shared.append([line.one(["-hosts", "-host", "--hosts"]), ",".join(each)])
    elif where:
        text = [*each[:1], *line.one([[], ["# a comment"], [""]]), *each[1:]]
        if where == "variable":
            line.variables["HYDRA_HOST_FILE"] = line.file(text)
        else:
            shared.append([line.one(["-f", "-hostfile", "-machinefile", "--machinefile"]), line.file(text)])
    shared.append(per_node)
    for _ in range(line.one([0, 0, 1, 2])):
        shared.append(["-genv", line.one(NAMES), line.one(VALUES)])
    shared.append(line.one([[], [], [], [], ["-genvall"], ["-genvlist", ",".join(line.chance.sample(NAMES, line.number(1, 3)))]]))
    shared.append(line.one([[], [], [], ["-bind-to", "none"], ["-bind-to", "core"], ["-bind-to", "socket"], ["-bind-to", "hwthread"],
                            ["-bind-to", "core:2"], ["-bind-to", "core", "-map-by", "core"], ["-bind-to", "core", "-map-by", "socket"],
                            ["-bind-to", "numa"], ["-map-by", "core"]]))
    shared.append(line.one([[], [], [], ["-l"], ["-prepend-rank"], ["-print-all-exitcodes"], ["-iface", "lo"], ["-rmk", "user"]]))
    if line.maybe(15):
        shared.append(line.one([["-s", "all"], ["-outfile-pattern", "out"], ["-genvnone"]]))
    for part in range(parts):
        folder, given = line.one([None, None, None, "sub"]), []
        for _ in range(line.one([0, 0, 1, 2])):
            given += ["-env", line.one(NAMES), line.one(VALUES)]
        number = [line.one(["-n", "-np", "--np"]), str(line.number(1, 6 if parts == 1 else 3))]
        if line.maybe(5):
            number = []
        words = line.options(*(shared if part == 0 else []), number, given, ["-wdir", folder] if folder else [],
                             line.one(REFUSED_BY_ALL) if line.maybe(40) else [],
                             line.one([["-envall"], ["-envlist", line.one(NAMES)]]) if parts == 1 and line.maybe(10) else [])
        line.words += ([":"] if line.words else []) + words + line.program(folder)
    into_file(line, "-configfile")


def into_file(line, option):
    """Some lines name a file that has their programs, a line each, if no word needs quotes."""
    plain = all(word and not set(word) & set(" \"'\\$#*;[]") for word in line.words)
    if plain and line.maybe(6):
        lines = " ".join(line.words).split(" : ")
        line.words = [option, line.file(lines)]
