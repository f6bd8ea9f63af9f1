# SPDX-License-Identifier: BSD-3-Clause
"""Steps with messages between processes. On a communicator of SIZE ranks each sends to the one some places on, so every message has one
receiver, and every receive one message, whatever the size; between two groups, to the same rank of the other, if there is one."""

from datatypes import BASICS, is_dense, usable

PROCEDURES = ["WAIT", "TEST", "WAITALL", "TESTALL", "WAITANY", "TESTANY", "WAITSOME", "TESTSOME", "GET_STATUS"]


def begin(comm):
    """Text that defines rank, size (of the group that is sent to) and peers by their distance."""
    lines = [f"if ({comm} != MPI_COMM_NULL) {{", "int rank, size;", f"OK(MPI_Comm_rank({comm}, &rank));"]
    lines.append(f"OK(MPI_Comm_{'remote_size' if comm.inter else 'size'}({comm}, &size));")
    return lines


def target(comm, places):
    return "(rank < size ? rank : MPI_PROC_NULL)" if comm.inter else f"((rank + {places}) % size)"


def source(comm, places):
    return "(rank < size ? rank : MPI_PROC_NULL)" if comm.inter else f"((rank + 4 * size - {places}) % size)"


def procedures(comm):
    """Between groups, messages from MPI_PROC_NULL are among them, whose status MPICH leaves as it was, and whose persistent requests it
    does not find among some."""
    return ["WAIT", "TEST", "WAITALL", "TESTALL", "GET_STATUS"] if comm.inter else PROCEDURES


class Message:
    """One message of a step: how it is sent and received, and its type."""

    def __init__(self, p, comm, number, large=False):
        self.comm, self.number, self.large = comm, number, "_c" if large else ""
        self.type = p.some("type", usable)
        self.count = p.number(0, 3) if is_dense(self.type) else p.number(0, 1)
        self.places, self.tag, self.seed = p.number(0, 3), p.one([p.number(0, 500), 32767]) * 8 % 32768 + number, p.number(1, 9999)
        self.mode = p.one(["", "", "s", "b", "r"])
        self.persistent_send, self.persistent_receive = p.maybe(4), p.maybe(4)
        # A message from nobody stays without a partner if its source is any.
        self.any_source = p.maybe(4) and not comm.inter
        self.leaf = self.type.leaf if self.type.leaf in BASICS and p.maybe(3) else None
        self.more = p.number(0, 2) if self.leaf or is_dense(self.type) else 0
        self.packed = p.maybe(12)

    def received(self):
        """The count and the type of the receive: the same, more, or the entries one by one."""
        if self.leaf:
            return self.count * self.type.parts + self.more, self.leaf
        return self.count + self.more, str(self.type)

    def spaces(self):
        count, kind = self.received()
        return [f"struct space from{self.number} = space_for({self.count}, {self.type}, {self.seed} + rank);",
                f"struct space to{self.number} = space_for({count}, {kind}, {self.seed + 1});"]

    def receive(self, request):
        count, kind = self.received()
        init, start = ("MPI_Recv_init", f"\nOK(MPI_Start(&{request}));") if self.persistent_receive else ("MPI_Irecv", "")
        return (f"OK({init}{self.large}(to{self.number}.at, {count}, {kind}, "
                f"{'MPI_ANY_SOURCE' if self.any_source else source(self.comm, self.places)}, {self.tag}, {self.comm}, &{request}));{start}")

    def send(self, request):
        name, start = f"MPI_I{self.mode}send", ""
        if self.persistent_send:
            name, start = f"MPI_{self.mode.upper()}{'s' if self.mode else 'S'}end_init", f"\nOK(MPI_Start(&{request}));"
        return (f"OK({name}{self.large}(from{self.number}.at, {self.count}, {self.type}, {target(self.comm, self.places)}, "
                f"{self.tag}, {self.comm}, &{request}));{start}")


def apart(comm, messages):
    """The barrier that keeps a later message of another rank's from a receive that takes any."""
    return [f"OK(MPI_Barrier({comm}));"] if any(message.any_source for message in messages) else []


def attach(room=200000):
    return [f"static char buffer[{room}];", "OK(MPI_Buffer_attach(buffer, sizeof buffer));"]


def detach():
    return ["void *attached;", "int attached_size;", "OK(MPI_Buffer_detach(&attached, &attached_size));",
            'say("detached %d %d", attached == (void *)buffer, attached_size == (int)sizeof buffer);']


def mixed(p, large=False):
    """Messages, null requests, requests of collectives and of the program's own in one array, completed by one procedure."""
    comm = p.some("comm")
    messages = [Message(p, comm, i, large) for i in range(p.number(1, 5))]
    lines = begin(comm) + attach()
    for message in messages:
        lines += message.spaces()
    extras = [p.one(["null", "generalized", "barrier", "inactive"]) for _ in range(p.number(0, 3))]
    total = 2 * len(messages) + len(extras)
    slots = list(range(total))
    p.chance.shuffle(slots)
    lines += [f"MPI_Request requests[{total}];", f"MPI_Datatype types[{total}];"]
    for message, slot in zip(messages, slots):
        lines += message.receive(f"requests[{slot}]").split("\n") + [f"types[{slot}] = {message.received()[1]};"]
    if any(message.mode == "r" for message in messages):
        lines.append(f"OK(MPI_Barrier({comm}));")
    for message, slot in zip(messages, slots[len(messages):]):
        lines += message.send(f"requests[{slot}]").split("\n") + [f"types[{slot}] = MPI_DATATYPE_NULL;"]
    keep = [slot for message, slot in zip(messages, slots) if message.persistent_receive]
    keep += [slot for message, slot in zip(messages, slots[len(messages):]) if message.persistent_send]
    generalized = False
    for extra, slot in zip(extras, slots[2 * len(messages):]):
        lines.append(f"types[{slot}] = MPI_DATATYPE_NULL;")
        if extra == "null":
            lines.append(f"requests[{slot}] = MPI_REQUEST_NULL;")
        elif extra == "generalized":
            generalized = True
            lines += [f"start_generalized(&requests[{slot}], {p.number(0, 9)});", f"finish_generalized(requests[{slot}]);",
                      f"types[{slot}] = MPI_INT;"]
        elif extra == "barrier":
            lines.append(f"OK(MPI_Ibarrier({comm}, &requests[{slot}]));")
        else:
            keep.append(slot)
            lines.append(f"OK(MPI_Recv_init(0, 0, MPI_INT, MPI_PROC_NULL, 0, {comm}, &requests[{slot}]));")
    procedure = p.one(procedures(comm))
    inactive = "inactive" in extras
    # The wait for one inactive request ends at once, with an empty status.
    lines.append(f'complete("{procedure.lower()}", {procedure}, {total}, requests, types, {int(p.maybe(5) or comm.inter)});'
                 if not inactive or procedure in ("WAITANY", "TESTANY", "WAITSOME", "TESTSOME") else
                 f'complete("{procedure.lower()}", {procedure}, {total}, requests, types, 1);')
    for slot in sorted(keep):
        lines += [f"OK(MPI_Request_free(&requests[{slot}]));", f'say("null %d", requests[{slot}] == MPI_REQUEST_NULL);']
    if generalized:
        lines.append('say_generalized("generalized");')
    for message in messages:
        lines += [f'say_space("sent", &from{message.number});', f'say_space("received", &to{message.number});']
    return "\n".join(lines + apart(comm, messages) + detach() + ["}"])


def mixed_large(p):
    return mixed(p, True)


def persistent(p, large=False):
    """Requests that are started again and again, together and one by one, and completed by another procedure each time."""
    comm = p.some("comm")
    messages = [Message(p, comm, i, large) for i in range(p.number(1, 3))]
    lines = begin(comm)
    for message in messages:
        message.persistent_send = message.persistent_receive = True
        message.mode = p.one(["", "s"])
        lines += message.spaces()
    n = len(messages)
    lines += [f"MPI_Request requests[{2 * n}];", f"MPI_Datatype types[{2 * n}];"]
    for i, message in enumerate(messages):
        lines.append(message.receive(f"requests[{i}]").split("\n")[0])
        lines.append(message.send(f"requests[{n + i}]").split("\n")[0])
        lines.append(f"types[{i}] = {message.received()[1]};")
        lines.append(f"types[{n + i}] = MPI_DATATYPE_NULL;")
    for turn in range(p.number(1, 3)):
        if p.maybe():
            lines.append(f"OK(MPI_Startall({2 * n}, requests));")
        else:
            order = list(range(2 * n))
            p.chance.shuffle(order)
            lines += [f"OK(MPI_Start(&requests[{i}]));" for i in order]
        lines.append(f'complete("turn {turn}", {p.one(procedures(comm))}, {2 * n}, requests, types, {int(p.maybe(5) or comm.inter)});')
    lines += [f"for (int i = 0; i < {2 * n}; i++)", "    OK(MPI_Request_free(&requests[i]));"]
    for message in messages:
        lines += [f'say_space("sent", &from{message.number});', f'say_space("received", &to{message.number});']
    return "\n".join(lines + apart(comm, messages) + ["}"])


def persistent_large(p):
    return persistent(p, True)


def blocking(p, large=False):
    """Even ranks send to the next one, which receives: by any mode, after any probe."""
    comm = p.some("comm", lambda comm: not comm.inter)
    message = Message(p, comm, 0, large)
    c = message.large
    mode = p.one(["", "S", "B"])
    name = f"MPI_{mode}{'s' if mode else 'S'}end"
    count, kind = message.received()
    where = p.one(["rank - 1", "MPI_ANY_SOURCE"])
    tag = p.one([str(message.tag), "MPI_ANY_TAG"])
    lines = begin(comm) + ["MPI_Status status;", "clear_status(&status);"] + message.spaces()
    if mode == "B":
        lines += attach()
    probe = p.one(["none", "probe", "iprobe", "mprobe", "improbe"])
    matched = probe in ("mprobe", "improbe")
    if matched:
        receive = [f"OK(MPI_Mrecv{c}(to0.at, {count}, {kind}, &message, &status));"] if p.maybe() else [
            "MPI_Request request;", f"OK(MPI_Imrecv{c}(to0.at, {count}, {kind}, &message, &request));",
            "OK(MPI_Wait(&request, &status));"]
        receive.append('say("message %d", message == MPI_MESSAGE_NULL);')
    else:
        receive = [f"OK(MPI_Recv{c}(to0.at, {count}, {kind}, {where}, {tag}, {comm}, {p.one(['&status'] * 4 + ['MPI_STATUS_IGNORE'])}));"]
    ahead = {
        "none": [],
        "probe": [f"OK(MPI_Probe({where}, {tag}, {comm}, &status));"],
        "iprobe": [f"for (int flag = 0; !flag;)\n    if (!OK(MPI_Iprobe({where}, {tag}, {comm}, &flag, &status)))\n        break;"],
        "mprobe": ["MPI_Message message = MPI_MESSAGE_NULL;", f"OK(MPI_Mprobe({where}, {tag}, {comm}, &message, &status));"],
        "improbe": ["MPI_Message message = MPI_MESSAGE_NULL;",
                    f"for (int flag = 0; !flag;)\n    if (!OK(MPI_Improbe({where}, {tag}, {comm}, &flag, &message, &status)))\n        break;"],
    }[probe]
    if ahead:
        ahead.append(f'say_status("{probe}", &status, {message.type});')
    ignored = any("MPI_STATUS_IGNORE" in line for line in receive)
    if not ignored:
        receive.append(f'say_status("received", &status, {kind});')
    lines += ["if (rank % 2 == 0 && rank + 1 < size) {",
        f"OK({name}{c}(from0.at, {message.count}, {message.type}, rank + 1, {message.tag}, {comm}));",
              "} else if (rank % 2 == 1) {"] + ahead + receive + ["}"]
    if mode == "B":
        lines += detach()
    # A later message must not match what takes any.
    lines.append(f"OK(MPI_Barrier({comm}));")
    return "\n".join(lines + ['say_space("sent", &from0);', 'say_space("received", &to0);', "}"])


def blocking_large(p):
    return blocking(p, True)


def sendrecv(p, large=False):
    comm = p.some("comm")
    message = Message(p, comm, 0, large)
    c = message.large
    lines = begin(comm) + ["MPI_Status status;", "clear_status(&status);"] + message.spaces()
    to, come = target(comm, message.places), source(comm, message.places)
    count, kind = message.received()
    how = p.one(["sendrecv", "replace"])
    if how == "sendrecv":
        lines += [f"OK(MPI_Sendrecv{c}(from0.at, {message.count}, {message.type}, {to}, {message.tag}, to0.at, {count}, {kind}, {come}, "
                  f"{message.tag}, {comm}, &status));", f'say_status("sendrecv", &status, {kind});']
    else:
        lines += [f"OK(MPI_Sendrecv_replace{c}(from0.at, {message.count}, {message.type}, {to}, {message.tag}, {come}, {message.tag}, {comm}, "
                  "&status));", f'say_status("replace", &status, {message.type});']
    return "\n".join(lines + ['say_space("sent", &from0);', 'say_space("received", &to0);', "}"])


def sendrecv_large(p):
    return sendrecv(p, True)


def isendrecv(p):
    """MPI-4.0's, whose requests go into an array."""
    comm = p.some("comm", lambda comm: not comm.inter)
    message = Message(p, comm, 0)
    c = p.one(["", "_c"])
    lines = begin(comm) + ["MPI_Request request;"] + message.spaces()
    to, come = target(comm, message.places), source(comm, message.places)
    count, kind = message.received()
    if p.maybe():
        lines.append(f"OK(MPI_Isendrecv{c}(from0.at, {message.count}, {message.type}, {to}, {message.tag}, to0.at, {count}, {kind}, {come}, "
                     f"{message.tag}, {comm}, &request));")
    else:
        lines.append(f"OK(MPI_Isendrecv_replace{c}(from0.at, {message.count}, {message.type}, {to}, {message.tag}, {come}, {message.tag}, "
                     f"{comm}, &request));")
    # MPICH 4.0.2 sets no status of it, and what it leaves in MPI_ERROR makes others fail.
    lines += ["MPI_Datatype none = MPI_DATATYPE_NULL;", f'complete("isendrecv", {p.one(["WAIT", "TEST"])}, 1, &request, &none, 1);']
    return "\n".join(lines + ['say_space("sent", &from0);', 'say_space("received", &to0);', "}"])


def partitioned(p):
    comm = p.some("comm", lambda comm: not comm.inter)
    old = p.some("type", lambda old: usable(old) and is_dense(old))
    n, count, places, tag, seed = p.number(1, 4), p.number(1, 2), p.number(0, 3), p.number(0, 999), p.number(1, 9999)
    lines = begin(comm) + [f"struct space from = space_for({n * count}, {old}, {seed} + rank), to = space_for({n * count}, {old}, {seed + 1});",
                           "MPI_Request requests[2];", f"MPI_Datatype types[2] = {{ MPI_DATATYPE_NULL, MPI_DATATYPE_NULL }};",
                           f"OK(MPI_Psend_init(from.at, {n}, {count}, {old}, {target(comm, places)}, {tag}, {comm}, MPI_INFO_NULL, &requests[0]));",
                           f"OK(MPI_Precv_init(to.at, {n}, {count}, {old}, {source(comm, places)}, {tag}, {comm}, MPI_INFO_NULL, &requests[1]));"]
    for turn in range(p.number(1, 2)):
        lines.append("OK(MPI_Startall(2, requests));" if p.maybe() else "OK(MPI_Start(&requests[1]));\nOK(MPI_Start(&requests[0]));")
        how = p.one(["each", "range", "list"])
        order = list(range(n))
        p.chance.shuffle(order)
        if how == "each":
            lines += [f"OK(MPI_Pready({i}, requests[0]));" for i in order]
        elif how == "range":
            lines.append(f"OK(MPI_Pready_range(0, {n - 1}, requests[0]));")
        else:
            lines.append(f"OK(MPI_Pready_list({n}, (int[]){{ {', '.join(map(str, order))} }}, requests[0]));")
        if p.maybe():
            lines += [f"for (int i = 0; i < {n}; i++)", "    for (int flag = 0; !flag;)",
                      "        if (!OK(MPI_Parrived(requests[1], i, &flag)))", "            break;", 'say("arrived");']
        lines.append(f'complete("turn {turn}", {p.one(["WAIT", "TEST"])}, 2, requests, types, {int(p.maybe())});')
    return "\n".join(lines + ["OK(MPI_Request_free(&requests[0]));", "OK(MPI_Request_free(&requests[1]));",
                              'say_space("sent", &from);', 'say_space("received", &to);', "}"])


def absolute(p):
    """Two buffers in one message, by their addresses."""
    comm = p.some("comm", lambda comm: not comm.inter)
    old = p.some("type", lambda old: usable(old) and is_dense(old))
    places, tag, seed = p.number(0, 3), p.number(0, 999), p.number(1, 9999)
    lines = begin(comm) + [f"struct space a = space_for(2, {old}, {seed} + rank), b = space_for(1, {old}, {seed + 1} + rank), "
                           f"to = space_for(3, {old}, 5);",
                           "MPI_Aint addresses[2];", "MPI_Datatype type;", "OK(MPI_Get_address(a.at, &addresses[0]));",
                           "OK(MPI_Get_address(b.at, &addresses[1]));",
                           f"OK(MPI_Type_create_hindexed(2, (int[]){{ 2, 1 }}, addresses, {old}, &type));", "OK(MPI_Type_commit(&type));",
                           "MPI_Status status;", "clear_status(&status);"]
    sending, coming = target(comm, places), source(comm, places)
    if p.maybe():
        lines += [f"OK(MPI_Sendrecv(MPI_BOTTOM, 1, type, {sending}, {tag}, to.at, 3, {old}, {coming}, {tag}, {comm}, &status));",
                  f'say_status("from MPI_BOTTOM", &status, {old});']
    else:
        lines += [f"OK(MPI_Sendrecv(to.at, 3, {old}, {sending}, {tag}, MPI_BOTTOM, 1, type, {coming}, {tag}, {comm}, &status));",
                  'say_status("to MPI_BOTTOM", &status, type);']
    return "\n".join(lines + ["OK(MPI_Type_free(&type));", 'say_space("a", &a);', 'say_space("b", &b);', 'say_space("to", &to);', "}"])


def nobody(p):
    """Messages to and from MPI_PROC_NULL, whose buffers may be anywhere."""
    comm = p.some("comm")
    calls = [f"OK(MPI_Recv(anywhere({p.number(0, 20)}), 0, MPI_INT, MPI_PROC_NULL, {p.one(['MPI_ANY_TAG', '3'])}, {comm}, &status));",
             f"OK(MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, {comm}, &status));",
             f"OK(MPI_Sendrecv(anywhere({p.number(0, 20)}), 0, MPI_INT, MPI_PROC_NULL, 3, anywhere({p.number(0, 20)}), 0, MPI_INT, MPI_PROC_NULL, 4, "
             f"{comm}, &status));",
             f"MPI_Request request;\nOK(MPI_Irecv(anywhere({p.number(0, 20)}), 0, MPI_INT, MPI_PROC_NULL, 4, {comm}, &request));\n"
             "OK(MPI_Wait(&request, &status));\nif (avoids(\"irecv-proc-null-status\")) {\n    clear_status(&status);\n"
             "    status.MPI_SOURCE = MPI_PROC_NULL;\n    status.MPI_TAG = MPI_ANY_TAG;\n}",
             "MPI_Request request = MPI_REQUEST_NULL;\nOK(MPI_Wait(&request, &status));",
             f"MPI_Message message;\nOK(MPI_Mprobe(MPI_PROC_NULL, MPI_ANY_TAG, {comm}, &message, &status));\n"
             'say("no process %d", message == MPI_MESSAGE_NO_PROC);\n'
             f"OK(MPI_Mrecv(anywhere({p.number(0, 20)}), 0, MPI_INT, &message, &status));"]
    return "\n".join([f"if ({comm} != MPI_COMM_NULL) {{", "MPI_Status status;", "clear_status(&status);", p.one(calls),
                      'say_status("nobody", &status, MPI_INT);',
                      f"OK(MPI_Send(anywhere({p.number(0, 20)}), 0, MPI_INT, MPI_PROC_NULL, 3, {comm}));", "}"])


def cancel(p):
    """A receive that nothing is sent to."""
    comm = p.some("comm", lambda comm: not comm.inter)
    return "\n".join(begin(comm) + ["int number = 5;", "MPI_Request request;", "MPI_Status status;", "clear_status(&status);",
                                    f"OK(MPI_Irecv(&number, 1, MPI_INT, rank, 32760, {comm}, &request));", "OK(MPI_Cancel(&request));",
                                    p.one(["OK(MPI_Wait(&request, &status));",
                                           "for (int flag = 0; !flag;)\n    if (!OK(MPI_Test(&request, &flag, &status)))\n        break;",
                                           "OK(MPI_Waitall(1, &request, &status));"]),
                                    "int cancelled = -1;", "OK(MPI_Test_cancelled(&status, &cancelled));",
                                    'say("cancelled %d, number %d", !!cancelled, number);', "}"])


STEPS = [(mixed, 12), (persistent, 4), (blocking, 6), (sendrecv, 4), (absolute, 2), (nobody, 2), (cancel, 1)]
LARGE = [(mixed_large, 6), (persistent_large, 2), (blocking_large, 4), (sendrecv_large, 3), (isendrecv, 4), (partitioned, 5)]
