# SPDX-License-Identifier: BSD-3-Clause
"""Steps with communicators, groups and attributes. Ranks that a communicator does not have hold MPI_COMM_NULL, and leave a step out."""

from program import Thing


def world():
    return [Thing("comm", "MPI_COMM_WORLD", True, inter=False, topology=None, full=True),
            Thing("comm", "MPI_COMM_SELF", True, inter=False, topology=None, full=True)]


def groups():
    return [Thing("group", "MPI_GROUP_EMPTY", True)]


def intra(comm):
    return not comm.inter


def attributes(p, comm, label):
    """Prints the attributes of keyvals up to now."""
    keyvals = p.all_of("keyval", lambda keyval: keyval.of == "c")
    p.step.used += keyvals
    return "".join(f'say_attribute("{label} {keyval}", \'c\', &{comm}, {keyval});\n' for keyval in keyvals)


def made(p, parent, new, before, call, label, others=""):
    """A step that makes `new` in a collective call on `parent`."""
    return (f"{before}\nif ({parent} != MPI_COMM_NULL) {{\nint size, rank;\nOK(MPI_Comm_size({parent}, &size));\n"
            f"OK(MPI_Comm_rank({parent}, &rank));\n{call}\nsay_callbacks(\"{label}\");\nsay_comm(\"{label}\", {new});\n"
            f"if ({new} != MPI_COMM_NULL) {{\n{attributes(p, new, label)}"
            f"int result;\nOK(MPI_Comm_compare({parent}, {new}, &result));\n"
            'say("compare %s", result == MPI_IDENT ? "ident" : result == MPI_CONGRUENT ? "congruent" : result == MPI_SIMILAR ? '
            f'"similar" : "unequal");\n}}\n}}\n{others}')


def child(p, parent, **facts):
    return p.new("comm", **{"inter": parent.inter, "topology": parent.topology, **facts})


def dup(p):
    parent = p.some("comm")
    new = child(p, parent)
    how = p.one(["dup", "dup_with_info", "idup"])
    if how == "dup":
        call = f"OK(MPI_Comm_dup({parent}, &{new}));"
    elif how == "dup_with_info":
        info = p.some("info") if p.maybe() else None
        call = f"OK(MPI_Comm_dup_with_info({parent}, {info or 'MPI_INFO_NULL'}, &{new}));"
    else:
        call = f"MPI_Request request;\nOK(MPI_Comm_idup({parent}, &{new}, &request));\nOK(MPI_Wait(&request, MPI_STATUS_IGNORE));"
    return made(p, parent, new, "", call, how)


def split(p):
    parent = p.some("comm", intra)
    new = child(p, parent, topology=None)
    colors, step = p.number(1, 3), p.one([-1, 1, 2, 3])
    color = f"rank * {p.number(0, 2)} % {colors}"
    if p.maybe():
        gone = p.number(0, 3)
        color = f"rank == {gone} ? MPI_UNDEFINED : {color}"
        key = f"rank == {gone} ? JUNK(int) : rank * {step} % 5"
    else:
        key = f"rank * {step} % 5"
    return made(p, parent, new, "", f"OK(MPI_Comm_split({parent}, {color}, {key}, &{new}));", "split")


def split_type(p):
    parent = p.some("comm", intra)
    new = child(p, parent, topology=None)
    kind = "MPI_COMM_TYPE_SHARED" if p.maybe() else f"rank == {p.number(0, 3)} ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED"
    return made(p, parent, new, "",
                f"OK(MPI_Comm_split_type({parent}, {kind}, rank * {p.one([-1, 1])}, MPI_INFO_NULL, &{new}));", "split_type")


def subset(p):
    """Text that makes a group `part` of `whole` with some of its ranks, the same on all."""
    return (f"int ranks[64], some = 0;\nfor (int i = 0; i < size; i++)\n    if ((i * {p.number(1, 3)} + {p.number(0, 3)}) % {p.number(1, 4)} "
            f"== 0)\n        ranks[some++] = i;\nMPI_Group whole, part;\n")


def part_of(p, parent):
    """Makes the group `part` of some ranks of a communicator."""
    return f"OK(MPI_Comm_group({parent}, &whole));\nOK(MPI_Group_{p.one(['incl', 'excl'])}(whole, some, ranks, &part));\n"


FREE_PART = "OK(MPI_Group_free(&part));\nOK(MPI_Group_free(&whole));"


def create(p):
    parent = p.some("comm", intra)
    new = child(p, parent, topology=None)
    call = subset(p) + part_of(p, parent) + f"OK(MPI_Comm_create({parent}, part, &{new}));\n" + FREE_PART
    return made(p, parent, new, "", call, "create")


def create_group(p):
    # Open MPI gives the new communicator a topology of the old one's.
    parent = p.some("comm", lambda comm: intra(comm) and not comm.topology)
    new = child(p, parent, topology=None)
    call = (subset(p) + "int mine;\n" + part_of(p, parent) +
            f"OK(MPI_Group_rank(part, &mine));\nif (avoids(\"create-group-copies\"))\n    OK(MPI_Comm_create({parent}, part, &{new}));\n"
            f"else if (mine != MPI_UNDEFINED)\n    OK(MPI_Comm_create_group({parent}, part, {p.number(0, 99)}, &{new}));\n{FREE_PART}")
    return made(p, parent, new, "", call, "create_group")


def cart(p):
    parent = p.some("comm", intra)
    new = child(p, parent, topology="cart")
    dims = p.number(1, 3)
    call = (f"int sides[{dims}] = {{ 0 }}, periods[{dims}] = {{ {', '.join(str(p.number(0, 1)) for _ in range(dims))} }};\n"
            f"OK(MPI_Dims_create(size > {p.number(2, 4)} ? size - 1 : size, {dims}, sides));\nsay_ints(\"dims\", sides, {dims});\n"
            f"OK(MPI_Cart_create({parent}, {dims}, sides, periods, 0, &{new}));")
    return made(p, parent, new, "", call, "cart")


def cart_sub(p):
    parent = p.some("comm", lambda comm: comm.topology == "cart")
    if not parent:
        return None
    new = child(p, parent)
    call = (f"int dims, remain[3];\nOK(MPI_Cartdim_get({parent}, &dims));\nfor (int i = 0; i < 3; i++)\n"
            f"    remain[i] = (i + {p.number(0, 2)}) % {p.number(2, 3)} == 0;\nint any = remain[0];\n"
            f"for (int i = 1; i < dims; i++)\n    any |= remain[i];\nremain[0] |= !any;\n"
            f"OK(MPI_Cart_sub({parent}, remain, &{new}));")
    return made(p, parent, new, "", call, "cart_sub")


def graph(p):
    parent = p.some("comm", intra)
    new = child(p, parent, topology="graph")
    call = (f"int index[64], edges[128], n = 0;\nfor (int i = 0; i < size; i++) {{\n    if (i > 0)\n        edges[n++] = i - 1;\n"
            f"    if (i < size - 1)\n        edges[n++] = i + 1;\n    index[i] = n;\n}}\n"
            f"OK(MPI_Graph_create({parent}, size, index, edges, 0, &{new}));")
    return made(p, parent, new, "", call, "graph")


def dist_graph(p):
    """Each rank sends to those some places on. Weights are numbers, or none."""
    parent = p.some("comm", intra)
    new = child(p, parent, topology="dist")
    places = p.chance.sample([0, 1, 2, 3], p.number(0, 2))
    degree = len(places)
    lines = [f"int sources[3], targets[3], weights[3] = {{ 3, 4, 5 }}, degree = {degree};"]
    for i, place in enumerate(places):
        lines += [f"sources[{i}] = (rank + 4 * size - {place}) % size;", f"targets[{i}] = (rank + {place}) % size;"]
    # Fewer ranks than places would have an edge twice, whose order MPI leaves open.
    lines.append("if (size < 4)\n    degree = degree > 0;")
    weights = p.one(["MPI_UNWEIGHTED", "weights"])
    empty = "degree ? weights : MPI_WEIGHTS_EMPTY" if weights == "weights" else weights
    if p.maybe():
        lines.append(f"OK(MPI_Dist_graph_create_adjacent({parent}, degree, sources, {empty}, degree, targets, {empty}, MPI_INFO_NULL, 0, &{new}));")
    else:
        lines += ["if (degree > 1)\n    degree = 1;", "int nodes = degree ? 1 : 0;",
                  f"OK(MPI_Dist_graph_create({parent}, nodes, &rank, &degree, targets, {empty}, MPI_INFO_NULL, 0, &{new}));"]
    return made(p, parent, new, "", "\n".join(lines), "dist_graph")


def intercomm(p):
    """Of halves of a communicator; ranks beside the leaders give garbage for what counts at a leader."""
    parent = p.some("comm", lambda comm: intra(comm) and str(comm) != "MPI_COMM_SELF")
    new = child(p, parent, inter=True, topology=None)
    half = p.new("comm", inter=False, topology=None)
    step = p.one(["rank % 2", "rank >= (size + 1) / 2"])
    first = "1" if "%" in step else "(size + 1) / 2"
    tag = p.number(0, 99)
    call = (f"if (size > 1) {{\nint side = {step}, first = side == 0 ? {first} : 0, inside;\n"
            f"OK(MPI_Comm_split({parent}, side, rank, &{half}));\nOK(MPI_Comm_rank({half}, &inside));\n" + attributes(p, half, "half") +
            f"OK(inside == 0 ? MPI_Intercomm_create({half}, 0, {parent}, first, {tag}, &{new})\n"
            f"               : MPI_Intercomm_create({half}, 0, JUNK_UNLESS(\"peer-comm\", MPI_Comm, {parent}), JUNK(int), {tag}, &{new}));\n}}\n"
            'promise_callbacks("intercommunicator-copies", 0);')
    return made(p, parent, new, "", call, "intercomm")


def merge(p):
    parent = p.some("comm", lambda comm: comm.inter)
    if not parent:
        return None
    new = child(p, parent, inter=False, topology=None)
    # Which group comes first is the same within each.
    call = (f"MPI_Group group, all;\nint first, zero = 0;\nOK(MPI_Comm_group({parent}, &group));\nOK(MPI_Comm_group(MPI_COMM_WORLD, &all));\n"
            "OK(MPI_Group_translate_ranks(group, 1, &zero, all, &first));\nOK(MPI_Group_free(&group));\nOK(MPI_Group_free(&all));\n"
            f"MPI_Group remote;\nint other;\nOK(MPI_Comm_remote_group({parent}, &remote));\nOK(MPI_Comm_group(MPI_COMM_WORLD, &all));\n"
            "OK(MPI_Group_translate_ranks(remote, 1, &zero, all, &other));\nOK(MPI_Group_free(&remote));\nOK(MPI_Group_free(&all));\n"
            f"OK(MPI_Intercomm_merge({parent}, first {p.one(['<', '>'])} other, &{new}));")
    return made(p, parent, new, "", call, "merge")


def name(p):
    comm = p.some("comm", lambda comm: not comm.is_predefined)
    if not comm:
        return None
    text = "x" * p.one([0, 1, 5, 62]) + str(p.number(0, 9))
    return (f'if ({comm} != MPI_COMM_NULL) {{\nOK(MPI_Comm_set_name({comm}, "{text}"));\nsay_comm("named", {comm});\n}}')


# ------------------------------------------------------------ attributes

def keyval(p):
    of, kind = p.one("ccct"), p.one(["COPIED", "SHARED", "REFUSED"])
    new = p.new("keyval", of=of)
    return f"keyval_for('{of}', {kind}, &{new});"


def attribute(p):
    key = p.some("keyval")
    if not key:
        return None
    thing = p.some("comm" if key.of == "c" else "type", lambda thing: not thing.is_predefined)
    if not thing:
        return None
    null = Thing.NULLS[thing.kind]
    lines = [f"if ({thing} != {null}) {{"]
    how = p.number(0, 4)
    if how < 3:
        lines.append(f"set_attribute('{key.of}', &{thing}, {key}, {p.number(0, 800)});")
    elif how == 3:
        lines += ["int *value, found;", f"OK(MPI_{'Comm' if key.of == 'c' else 'Type'}_get_attr({thing}, {key}, &value, &found));",
                  "if (found)", f"    OK(MPI_{'Comm' if key.of == 'c' else 'Type'}_delete_attr({thing}, {key}));"]
    lines += [f"say_attribute(\"attribute\", '{key.of}', &{thing}, {key});", 'say_callbacks("attribute");', "}"]
    return "\n".join(lines)


def attributed(p):
    """A duplicate with an attribute, for what is made of it."""
    parent = p.some("comm", intra)
    if not parent:
        return None
    new, key = child(p, parent), p.new("keyval", of="c")
    return (f"keyval_for('c', {p.one(['COPIED', 'SHARED', 'REFUSED'])}, &{key});\nif ({parent} != MPI_COMM_NULL) {{\n"
            f"OK(MPI_Comm_dup({parent}, &{new}));\nset_attribute('c', &{new}, {key}, {p.number(0, 800)});\n"
            f"say_attribute(\"attributed\", 'c', &{new}, {key});\nsay_callbacks(\"attributed\");\n}}")


def predefined_attributes(p):
    comm = p.some("comm")
    return (f"if ({comm} != MPI_COMM_NULL) {{\nint *value = 0, flag = -1;\nOK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));\n"
            'say("tag_ub %d %d", flag, flag && *value >= 32767);\nOK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag));\n'
            'say("wtime %d", flag && (*value == 0 || *value == 1));\n'
            "OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag));\n"
            'OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));\n'
            'say("lastusedcode %d", flag && *value >= MPI_ERR_LASTCODE);\n}')


# ------------------------------------------------------------ groups

def group_of(p):
    comm = p.some("comm")
    new = p.new("group")
    which = "remote_group" if comm.inter and p.maybe() else "group"
    return f"if ({comm} != MPI_COMM_NULL) {{\nOK(MPI_Comm_{which}({comm}, &{new}));\nsay_group(\"group\", {new});\n}}"


def group_operation(p):
    a = p.some("group")
    b = p.some("group")
    new = p.new("group")
    how = p.one(["union", "intersection", "difference", "incl", "excl", "range_incl", "range_excl"])
    lines = [f"if ({a} != MPI_GROUP_NULL && {b} != MPI_GROUP_NULL) {{", "int size;", f"OK(MPI_Group_size({a}, &size));"]
    if how in ("union", "intersection", "difference"):
        lines.append(f"OK(MPI_Group_{how}({a}, {b}, &{new}));")
    elif how in ("incl", "excl"):
        lines += ["int ranks[64], n = 0;", f"for (int i = size - 1; i >= 0; i -= {p.number(1, 3)})", "    ranks[n++] = i;",
                  f"OK(MPI_Group_{how}({a}, n, n ? ranks : anywhere({p.number(0, 20)}), &{new}));"]
    else:
        stride = p.one([1, 2, 3, -1, -2])
        first, last = ("0", "size - 1") if stride > 0 else ("size - 1", "0")
        lines += [f"int ranges[1][3] = {{ {{ {first}, {last}, {stride} }} }};", f"OK(MPI_Group_{how}({a}, size > 0, ranges, &{new}));"]
    lines += [f'say_group("{how}", {new});', "int result, ranks2[64], found[64];", f"OK(MPI_Group_compare({a}, {new}, &result));",
              'say("compare %s", result == MPI_IDENT ? "ident" : result == MPI_SIMILAR ? "similar" : "unequal");', "int more;",
              f"OK(MPI_Group_size({new}, &more));", "for (int i = 0; i < more; i++)", "    ranks2[i] = i;",
              f"OK(MPI_Group_translate_ranks({new}, more, ranks2, {b}, found));", "for (int i = 0; i < more; i++)",
              '    if (found[i] == MPI_UNDEFINED)', "        found[i] = -77;", 'say_ints("translated", found, more);',
              "ranks2[0] = MPI_PROC_NULL;", f"OK(MPI_Group_translate_ranks({a}, 1, ranks2, {b}, found));",
              'say("of MPI_PROC_NULL %d", found[0] == MPI_PROC_NULL);', "}"]
    return "\n".join(lines)


STEPS = [(dup, 4), (split, 4), (split_type, 1), (create, 2), (create_group, 4), (cart, 3), (cart_sub, 2), (graph, 2), (dist_graph, 3),
         (intercomm, 3), (merge, 2), (name, 1), (keyval, 2), (attribute, 5), (attributed, 4), (predefined_attributes, 1), (group_of, 2),
         (group_operation, 3)]
