# SPDX-License-Identifier: BSD-3-Clause
"""Steps with collective procedures: blocking, nonblocking and persistent, in place or not, with garbage for what is not significant."""

from datatypes import is_dense, usable
from messages import PROCEDURES, begin

PREDEFINED = ["MPI_SUM", "MPI_MAX", "MPI_MIN", "MPI_PROD", "MPI_BAND", "MPI_BOR", "MPI_BXOR", "MPI_LAND", "MPI_LOR", "MPI_LXOR"]


# The check of tests/c that is left out where persistent collectives do not work: such hosts hang in them now and then.
NOT_PERSISTENT = 'avoids("collective-among-others")'


class Call:
    """One collective call in one of its forms; arguments are joined, with the request or the info where the form has them."""

    def __init__(self, p, forms, large):
        self.form = p.one(forms)
        self.c = "_c" if large else ""
        self.number = "MPI_Count" if large else "int"
        self.place = "MPI_Aint" if large else "int"
        self.procedure, self.turns = p.one(PROCEDURES), p.number(1, 3)

    def of(self, name, *arguments):
        arguments = ", ".join(map(str, arguments))
        if self.form == "":
            return f"MPI_{name.capitalize()}{self.c}({arguments})"
        nonblocking = f"MPI_I{name}{self.c}({arguments}, &request)"
        if self.form == "i":
            return nonblocking
        return f"({NOT_PERSISTENT} ? {nonblocking} : MPI_{name.capitalize()}_init{self.c}({arguments}, MPI_INFO_NULL, &request))"

    def made(self, expression):
        """The statements that make the call and complete it. A persistent one is started several times."""
        if self.form == "":
            return [f"OK({expression});"]
        done = f'complete("{self.form}", {self.procedure}, 1, &request, &none, COMPLETED);'
        lines = ["MPI_Request request = MPI_REQUEST_NULL;", "MPI_Datatype none = MPI_DATATYPE_NULL;"]
        if self.form == "i":
            return lines + [f"OK({expression});", done]
        return lines + [f"for (int turn = 0; turn < {self.turns}; turn++) {{", f"if (turn == 0 || {NOT_PERSISTENT})",
            f"    OK({expression});",
                        f"if (!{NOT_PERSISTENT})", "    OK(MPI_Start(&request));", done, "}", f"if (!{NOT_PERSISTENT})",
                        "    OK(MPI_Request_free(&request));"]


def wrap(comm, lines):
    return "\n".join(begin(comm) + lines + ["}"])


def local(comm):
    """The size of one's own group, where `size` is the other's."""
    return f"int local;\nOK(MPI_Comm_size({comm}, &local));"


def rooted(comm, p):
    """Text that defines `root`, as it is given, whether this is the root, and whether this is a rank that neither is it nor takes
    part in the data."""
    if not comm.inter:
        return [f"int root = {p.number(0, 3)} % size, is_root = rank == root, apart = 0;"]
    # The group of the lowest rank in MPI_COMM_WORLD, or the other one.
    return ["MPI_Group ours, theirs, of_all;", "int zero = 0, first, other;", f"OK(MPI_Comm_group({comm}, &ours));",
            f"OK(MPI_Comm_remote_group({comm}, &theirs));", "OK(MPI_Comm_group(MPI_COMM_WORLD, &of_all));",
            "OK(MPI_Group_translate_ranks(ours, 1, &zero, of_all, &first));",
            "OK(MPI_Group_translate_ranks(theirs, 1, &zero, of_all, &other));",
            "OK(MPI_Group_free(&ours));", "OK(MPI_Group_free(&theirs));", "OK(MPI_Group_free(&of_all));",
            f"int rooted = first {p.one(['<', '>'])} other, number = {p.number(0, 1)} % (rooted ? 1000000 : size);",
            local(comm), f"if (rooted)\n    number = {p.number(0, 1)} % local;".replace("number =", "number =", 1),
            "int root = rooted ? (rank == number ? MPI_ROOT : MPI_PROC_NULL) : number, is_root = root == MPI_ROOT, apart = rooted && !is_root;"]


def rooted_once(comm, p):
    """As above: both groups must name the same root."""
    lines = rooted(comm, p)
    if comm.inter:
        lines = [line for line in lines if not line.startswith("if (rooted)")]
        # Rank 0 of the rooted group exists everywhere.
        lines = [line.split(", number")[0] + ", number = 0;" if ", number = " in line else line for line in lines]
    return lines


def dense(old):
    return usable(old) and is_dense(old)


def bcast(p, forms=("", "i"), large=False):
    comm, old, call = p.some("comm"), p.some("type", dense), Call(p, forms, large)
    count, seed = p.number(0, 3), p.number(1, 9999)
    return wrap(comm, rooted_once(comm, p) + [
        f"struct space data = space_for({count}, {old}, {seed} + me);",
        *call.made(f"apart ? {call.of('bcast', 'anywhere(2)', 0, old, 'root', comm)} : {call.of('bcast', 'data.at', count, old, 'root', comm)}"),
        'say_space("bcast", &data);'])


def gather(p, forms=("", "i"), large=False):
    comm, old, call = p.some("comm"), p.some("type", dense), Call(p, forms, large)
    n, seed = p.number(0, 2), p.number(1, 9999)
    vector, scatter, in_place = p.maybe(), p.maybe(), p.maybe(3) and not comm.inter
    junk = f"anywhere({p.number(0, 20)}), JUNK({call.number}), JUNK(MPI_Datatype)"
    junks = f"anywhere({p.number(0, 20)}), JUNK({call.number} *), JUNK({call.place} *), JUNK(MPI_Datatype)"
    lines = rooted_once(comm, p) + [
        f"{call.number} counts[64];", f"{call.place} places[64];", "int total = 0;",
        # Rank i has n + i % 2 elements, with a gap behind.
        "for (int i = 0; i < size; i++) {", f"    counts[i] = {n} + {'i % 2' if vector else '0'};", "    places[i] = total;",
        f"    total += counts[i] + {p.number(0, 1) if vector else 0};", "}",
        f"int mine = {n} + {'rank % 2' if vector else '0'};",
        f"struct space one = space_for(mine, {old}, {seed} + me), all = space_for(is_root ? total : 0, {old}, {seed + 1} + me);"]
    name = ("scatter" if scatter else "gather") + ("v" if vector else "")
    everything = ("all.at", "counts", "places", old) if vector else ("all.at", n, old)
    if not vector:
        lines.append("(void)places;")
    single = ("one.at", "mine", old)
    unused = junks if vector else junk
    own = f"MPI_IN_PLACE, JUNK({call.number}), JUNK(MPI_Datatype)"
    at_root = (own,) if in_place else single if not comm.inter else (junk,)
    if scatter:
        forms_of = [(*everything, *at_root, "root", comm), (unused, junk, "root", comm), (unused, *single, "root", comm)]
    else:
        forms_of = [(*at_root, *everything, "root", comm), (junk, unused, "root", comm), (*single, unused, "root", comm)]
    lines += call.made(f"is_root ? {call.of(name, *forms_of[0])}\n   : apart ? {call.of(name, *forms_of[1])}\n   : {call.of(name, *forms_of[2])}")
    return wrap(comm, lines + ['say_space("one", &one);', 'say_space("all", &all);'])


def allgather(p, forms=("", "i"), large=False):
    comm, old, call = p.some("comm"), p.some("type", dense), Call(p, forms, large)
    n, seed = p.number(0, 2), p.number(1, 9999)
    vector, in_place = p.maybe(), p.maybe(3) and not comm.inter
    lines = [
        f"{call.number} counts[64];", f"{call.place} places[64];", "int total = 0;", "for (int i = 0; i < size; i++) {",
        f"    counts[i] = {n} + {'i % 2' if vector else '0'};", "    places[i] = total;", "    total += counts[i];", "}",
        f"int mine = {n} + {'rank % 2' if vector else '0'};",
        f"struct space one = space_for(mine, {old}, {seed} + me), all = space_for(total, {old}, {seed + 1} + me);", "(void)places;"]
    given = (f"MPI_IN_PLACE, JUNK({call.number}), JUNK(MPI_Datatype)",) if in_place else ("one.at", "mine", old)
    got = ("all.at", "counts", "places", old) if vector else ("all.at", n, old)
    lines += call.made(call.of("allgatherv" if vector else "allgather", *given, *got, comm))
    return wrap(comm, lines + ['say_space("one", &one);', 'say_space("all", &all);'])


def alltoall(p, forms=("", "i"), large=False):
    comm, call = p.some("comm"), Call(p, forms, large)
    old = p.some("type", dense)
    n, seed, how = p.number(0, 2), p.number(1, 9999), p.one(["alltoall", "alltoallv", "alltoallw"])
    if how == "alltoallw" and call.form and comm.topology:
        how = "alltoallv"  # Open MPI retains as many datatypes as there are neighbors, whatever lies behind the array.
    in_place = p.maybe(3) and not comm.inter
    uneven = how != "alltoall" and p.maybe()
    ex = old.ub - old.lb
    lines = [
        f"{call.number} counts[64];", f"{call.place} places[64];", "MPI_Datatype types[64];", "int total = 0;",
        "for (int i = 0; i < size; i++) {",
        # Two ranks send each other as much.
        f"    counts[i] = {n} + {'(rank + i) % 2' if uneven else '0'};",
        f"    places[i] = total{f' * {ex}' if how == 'alltoallw' else ''};",
        # MPICH looks at the types of no elements in place, too, and may end much later.
        f"    types[i] = counts[i] || {int(in_place)} ? {old} : JUNK_UNLESS(\"types-of-no-elements\", MPI_Datatype, {old});", "    total += counts[i];", "}",
        f"struct space out = space_for(total, {old}, {seed} + me), in = space_for(total, {old}, {seed + 1} + me);", "(void)places;",
        "(void)types;"]
    if how == "alltoall":
        given, got = ("out.at", n, old), ("in.at", n, old)
        own = f'MPI_IN_PLACE, JUNK({call.number}), JUNK_UNLESS("ialltoall-in-place", MPI_Datatype, {old})'
    elif how == "alltoallv":
        given, got = ("out.at", "counts", "places", old), ("in.at", "counts", "places", old)
        own = f"MPI_IN_PLACE, JUNK({call.number} *), JUNK({call.place} *), JUNK(MPI_Datatype)"
    else:
        given, got = ("out.at", "counts", "places", "types"), ("in.at", "counts", "places", "types")
        own = f"MPI_IN_PLACE, JUNK({call.number} *), JUNK({call.place} *), JUNK(MPI_Datatype *)"
    lines += call.made(call.of(how, *((own,) if in_place else given), *got, comm))
    return wrap(comm, lines + ['say_space("out", &out);', 'say_space("in", &in);'])


def operation(p):
    """A new operation of the program's."""
    kind = p.one(["add_modulo", "compose"])
    new = p.new("op", function=kind, commutes=kind == "add_modulo")
    return f"OK(MPI_Op_create({kind}, {int(new.commutes)}, &{new}));\nint commutes = -1;\nOK(MPI_Op_commutative({new}, &commutes));\n" \
           'say("commutes %d", !!commutes);'


def operation_large(p):
    kind = p.one(["add_modulo", "compose"])
    new = p.new("op", function=kind, commutes=kind == "add_modulo")
    return f"OK(MPI_Op_create_c({kind}_large, {int(new.commutes)}, &{new}));"


def reduction(p, forms=("", "i"), large=False):
    """Integers, by a predefined operation or one of the program's; pairs of them by one that is not commutative."""
    comm, call = p.some("comm"), Call(p, forms, large)
    op = p.some("op") if p.maybe() else None
    how = p.one(["reduce", "reduce", "allreduce", "allreduce", "scan", "exscan", "reduce_scatter", "reduce_scatter_block"])
    if comm.inter and how in ("scan", "exscan"):
        how = "allreduce"
    each = 2 if op and op.function == "compose" else 1
    n, seed = p.number(0, 3), p.number(1, 9999)
    name = op.name if op else p.one(PREDEFINED)
    in_place = p.maybe(3) and not comm.inter
    kind = "type" if op else "MPI_INT"
    lines = rooted_once(comm, p) + ["(void)root;", "(void)is_root;", "(void)apart;", f"{call.number} counts[64], total = 0;",
                                                    "MPI_Datatype type;", f"OK(MPI_Type_contiguous({each}, MPI_INT, &type));",
                                                    "OK(MPI_Type_commit(&type));", "expected_type = type;"]
    if comm.inter:
        # Both groups contribute vectors of one length, which each scatters among its own.
        lines += ["for (int i = 0; i < local; i++) {", f"    counts[i] = {n} * size;", "    total += counts[i];",
            "}"] if how.startswith("reduce_s") \
            else []
    else:
        lines += ["for (int i = 0; i < size; i++) {", f"    counts[i] = {n} + {'i % 2' if how == 'reduce_scatter' else '0'};",
                  "    total += counts[i];", "}"]
    scatters = how.startswith("reduce_s")
    count = "total" if scatters else str(n)
    lines += [f"(void)counts;\nint in[512], out[512] = {{ 0 }}, many = (int)({count}) * {each};", f"fill_ints(in, many, {seed} + me);",
              f"fill_ints(out, many, {seed + 1} + me);"]
    own = "MPI_IN_PLACE" if in_place else "in"
    if how == "reduce":
        anyone = f"anywhere({p.number(0, 20)})"
        at_root = "MPI_IN_PLACE" if in_place else anyone if comm.inter else "in"
        apart = [f'JUNK_UNLESS("reduce-apart", {of}, {good})' for of, good in ((call.number, n), ("MPI_Datatype", kind), ("MPI_Op",
            name))]
        lines += call.made(f"is_root ? {call.of('reduce', at_root, 'out', n, kind, name, 'root', comm)}\n"
                     f"   : apart ? {call.of('reduce', anyone, anyone, *apart, 'root', comm)}\n"
                     f"   : {call.of('reduce', 'in', anyone, n, kind, name, 'root', comm)}")
        shown = "is_root ? many : 0"
    elif how == "reduce_scatter":
        lines += call.made(call.of("reduce_scatter", own, "out", "counts", kind, name, comm))
        shown = f"(int)counts[rank] * {each}"
    elif how == "reduce_scatter_block":
        lines += call.made(call.of("reduce_scatter_block", own, "out", "counts[0]", kind, name, comm))
        shown = f"(int)counts[rank] * {each}"
    else:
        lines += call.made(call.of(how, own, "out", n, kind, name, comm))
        shown = "rank > 0 ? many : 0" if how == "exscan" else "many"
    # A persistent reduction in place takes its last result for its next input, as MPI says.
    lines += [f'say_ints("{how}", out, {shown});', 'say_operation("operation");', "OK(MPI_Type_free(&type));"]
    return wrap(comm, lines)


def reduce_local(p):
    op = p.some("op")
    each = 2 if op and op.function == "compose" else 1
    name = op.name if op else p.one(PREDEFINED)
    n, seed = p.number(0, 4), p.number(1, 9999)
    return "\n".join(["int in[16], out[16];", "MPI_Datatype type;", f"OK(MPI_Type_contiguous({each}, MPI_INT, &type));",
                      "OK(MPI_Type_commit(&type));", "expected_type = type;", f"fill_ints(in, {n * each}, {seed});",
                      f"fill_ints(out, {n * each}, {seed + 1});",
                      f"OK(MPI_Reduce_local(in, out, {n}, {'type' if op else 'MPI_INT'}, {name}));",
                      f'say_ints("local", out, {n * each});',
                      'say_operation("operation");', "OK(MPI_Type_free(&type));"])


def located(p):
    """MPI_MINLOC and MPI_MAXLOC of pairs."""
    comm = p.some("comm", lambda comm: not comm.inter)
    n, seed = p.number(1, 4), p.number(1, 9999)
    op = p.one(["MPI_MINLOC", "MPI_MAXLOC"])
    kind, element = p.one([("MPI_2INT", "int"), ("MPI_DOUBLE_INT", "double"), ("MPI_FLOAT_INT", "float"), ("MPI_LONG_INT", "long"),
                           ("MPI_SHORT_INT", "short")])
    return wrap(comm, [f"struct {{ {element} value; int place; }} in[4], out[4];", "int numbers[4];",
        f"fill_ints(numbers, {n}, {seed} + me);",
                       f"for (int i = 0; i < {n}; i++) {{", "    in[i].value = numbers[i];", "    in[i].place = rank;", "}",
                       f"OK(MPI_Allreduce(in, out, {n}, {kind}, {op}, {comm}));", f"for (int i = 0; i < {n}; i++)",
                       '    say("located %d %d", (int)out[i].value, out[i].place);'])


def barrier(p, forms=("", "i"), large=False):
    comm, call = p.some("comm"), Call(p, forms, False)
    return wrap(comm, ["(void)size;", "(void)rank;"] + call.made(call.of("barrier", comm)))


def neighbors(p, forms=("", "i"), large=False):
    comm = p.some("comm", lambda comm: comm.topology)
    if not comm:
        return None
    old, call = p.some("type", dense), Call(p, forms, large)
    n, seed = p.number(0, 2), p.number(1, 9999)
    how = p.one(["neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw"])
    degree = {
        "cart": ["int dims;", f"OK(MPI_Cartdim_get({comm}, &dims));", "int in = 2 * dims, out = 2 * dims;"],
        "graph": ["int in, out;", f"OK(MPI_Graph_neighbors_count({comm}, rank, &in));", "out = in;"],
        "dist": ["int in, out, weighted;", f"OK(MPI_Dist_graph_neighbors_count({comm}, &in, &out, &weighted));"]}[comm.topology]
    wide = "MPI_Aint" if how.endswith("w") else call.place
    unit = f" * {old.ub - old.lb}" if how.endswith("w") else ""
    lines = ["(void)size;"] + degree + [
        f"{call.number} counts[64];", f"{wide} places[64];", "MPI_Datatype types[64];", "for (int i = 0; i < 64; i++) {",
        f"    counts[i] = {n};", f"    places[i] = (MPI_Aint)i * {n}{unit};", f"    types[i] = {old};", "}",
        f"struct space sent = space_for({n if 'gather' in how else f'{n} * out'}, {old}, {seed} + me), got = space_for({n} * in, {old}, {seed + 1});",
        "(void)counts;", "(void)places;", "(void)types;"]
    arguments = {"neighbor_allgather": ("sent.at", n, old, "got.at", n, old), "neighbor_alltoall": ("sent.at", n, old, "got.at", n, old),
                 "neighbor_allgatherv": ("sent.at", n, old, "got.at", "counts", "places", old),
                 "neighbor_alltoallv": ("sent.at", "counts", "places", old, "got.at", "counts", "places", old),
                 "neighbor_alltoallw": ("sent.at", "counts", "places", "types", "got.at", "counts", "places", "types")}[how]
    lines += call.made(call.of(how, *arguments, comm)) + ['say_space("sent", &sent);', 'say_space("got", &got);']
    if "alltoall" in how and comm.topology == "cart":
        lines = [f"if (!is_crowded({comm})) {{"] + lines + ["}"]
    return wrap(comm, lines)


def in_forms(function, forms, large):
    return lambda p: function(p, forms, large)


CALLS = [(bcast, 3), (gather, 6), (allgather, 3), (alltoall, 4), (reduction, 8), (barrier, 1), (neighbors, 3)]
STEPS = CALLS + [(operation, 3), (reduce_local, 1), (located, 1)]
LARGE = [(in_forms(function, ("", "i", "init"), True), weight) for function, weight in CALLS] + [
    (in_forms(function, ("init",), False), weight) for function, weight in CALLS] + [(operation_large, 2)]
