# SPDX-License-Identifier: BSD-3-Clause
"""Programs in Fortran, for the interface that a program's letter names. All objects cross to C, which prints what they are."""

import re

import datatypes
from program import Program, Thing

BASICS = {"MPI_INTEGER": (4, 4, 4), "MPI_REAL": (4, 4, 4), "MPI_DOUBLE_PRECISION": (8, 8, 8), "MPI_COMPLEX": (8, 8, 4),
    "MPI_CHARACTER": (1, 1, 1),
          "MPI_INTEGER2": (2, 2, 2), "MPI_INTEGER8": (8, 8, 8), "MPI_BYTE": (1, 1, 1), "MPI_DOUBLE_COMPLEX": (16, 16, 8)}
# Which arguments of a constructor are counts where a procedure of large counts has the name; arrays say it themselves.
COUNTS = {"contiguous": [0], "vector": [0, 1, 2], "create_hvector": [0, 1, 2], "indexed": [0], "create_hindexed": [0],
          "create_indexed_block": [0, 1], "create_hindexed_block": [0, 1], "create_resized": [1, 2], "create_struct": [0]}
HANDLES = {"comm": "MPI_Comm", "type": "MPI_Datatype", "op": "MPI_Op", "info": "MPI_Info", "group": "MPI_Group"}


def things():
    types = [Thing("type", name, True, size=size, lb=0, ub=extent, low=0, high=extent, parts=1, leaf=name, depth=0, is_committed=True)
             for name, (size, extent, _) in BASICS.items()]
    return types + [Thing("comm", "MPI_COMM_WORLD", True, topology=None), Thing("comm", "MPI_COMM_SELF", True, topology=None)]


def in_fortran(call):
    """A call of datatypes.constructed(), in Fortran. One with large counts has the same name, and counts of another kind."""
    kinds = {"MPI_Aint": "integer(kind=MPI_ADDRESS_KIND) :: ", "MPI_Count": "integer(kind=MPI_COUNT_KIND) :: "}
    call = re.sub(r"\((MPI_Aint|MPI_Count|int|MPI_Datatype)\[\]\)\{ ([^}]*) \}", lambda found: f"[{kinds.get(found[1], '')}{found[2]}]", call)
    large = re.match(r"MPI_Type_(\w+)_c\((.*)\)$", call)
    if large:
        arguments = re.findall(r"\[[^]]*\]|[^, ][^,]*", large[2])
        for place in COUNTS.get(large[1], ()):
            arguments[place] += "_MPI_COUNT_KIND"
        return f"call MPI_Type_{large[1]}({', '.join(arguments).replace('&', '')}, ierr); OK"
    call = re.sub(r"(hvector\(\d+, \d+, )(-?\d+)", r"\1int(\2, MPI_ADDRESS_KIND)", call)
    call = re.sub(r"(resized\([^,]+, )(-?\d+), (-?\d+)", r"\1int(\2, MPI_ADDRESS_KIND), int(\3, MPI_ADDRESS_KIND)", call)
    return "call " + call.replace("&", "")[:-1] + ", ierr); OK"


def said(what, label, thing):
    return f"call f_say_{what}('{label}'//c_null_char, VALUE_OF({thing}))"


def make_type(p):
    made = datatypes.constructed(p, p.some("type", datatypes.suits), p.has_large and p.maybe())
    if not made or made[1]["low"] < 0 or made[1]["lb"] < 0 or made[1]["high"] > 2000 or made[1]["ub"] > 2000:
        return None
    call, facts = made
    facts.setdefault("is_committed", True)
    new = p.new("type", **facts)
    lines = []
    if isinstance(call, tuple):
        lines += ["block", "HANDLE(MPI_Datatype) :: whole", in_fortran(call[0].replace("NEW", "whole")),
                  in_fortran(call[1].format("whole").replace("NEW", new.name)), "call MPI_Type_free(whole, ierr); OK", "end block"]
    else:
        lines.append(in_fortran(call.replace("NEW", new.name)))
    return "\n".join(lines + [f"call MPI_Type_commit({new}, ierr); OK", said("type", "made", new)])


def begin(comm, *declarations):
    return [f"if ({comm} /= MPI_COMM_NULL) then", "block", "integer :: rank, size", *declarations,
        f"call MPI_Comm_rank({comm}, rank, ierr); OK",
            f"call MPI_Comm_size({comm}, size, ierr); OK"]


END = ["end block", "end if"]


def usable(old):
    return old.low >= 0 and datatypes.usable(old) and datatypes.is_dense(old)


def message(p):
    comm, old = p.some("comm"), p.some("type", usable)
    n, places, tag, seed = p.count(p.number(0, 3)), p.number(0, 3), p.number(0, 999), p.number(1, 9999)
    to, come = f"mod(rank + {places}, size)", f"mod(rank + 4 * size - {places}, size)"
    lines = begin(comm, "integer(kind=1) :: from(8192), to(8192)", "STATUS(status)", "STATUSES(statuses, 2)",
                  "HANDLE(MPI_Request) :: requests(2)", f"{p.kind(n)} :: count", "integer :: index, turn", "logical :: flag")
    lines += [f"call f_fill(from, 8192, {seed} + rank)", f"call f_fill(to, 8192, {seed + 1})"]
    show = lambda status: [f"call MPI_Get_count({status}, {old}, count, ierr); OK",
        "call f_say_number('count'//c_null_char, int(count))"]  # noqa: E731
    how = p.one(["sendrecv", "waitall", "waitany", "testall", "persistent", "wait"])
    if how == "sendrecv":
        lines += [f"call MPI_Sendrecv(from, {n}, {old}, {to}, {tag}, to, {n}, {old}, {come}, {tag}, {comm}, status, ierr); OK",
            *show("status"),
                  "call f_say_number('source'//c_null_char, FIELD(status, MPI_SOURCE))",
                  "call f_say_number('tag'//c_null_char, FIELD(status, MPI_TAG))"]
    elif how == "persistent":
        lines += [f"call MPI_Recv_init(to, {n}, {old}, {come}, {tag}, {comm}, requests(1), ierr); OK",
                  f"call MPI_Ssend_init(from, {n}, {old}, {to}, {tag}, {comm}, requests(2), ierr); OK", f"do turn = 1, {p.number(1, 3)}",
                  "call MPI_Startall(2, requests, ierr); OK", "call MPI_Waitall(2, requests, statuses, ierr); OK",
                  *show("STATUS_AT(statuses, 1)"), "end do",
                  "call MPI_Request_free(requests(1), ierr); OK", "call MPI_Request_free(requests(2), ierr); OK"]
    else:
        send = p.one(["MPI_Isend", "MPI_Issend"])
        lines += [f"call MPI_Irecv(to, {n}, {old}, {p.one([come, come])}, {tag}, {comm}, requests(1), ierr); OK",
                  f"call {send}(from, {n}, {old}, {to}, {tag}, {comm}, requests(2), ierr); OK"]
        if how == "waitall":
            lines += ["call MPI_Waitall(2, requests, statuses, ierr); OK", *show("STATUS_AT(statuses, 1)"),
                      "call f_say_number('source'//c_null_char, FIELD_AT(statuses, 1, MPI_SOURCE))"]
        elif how == "wait":
            lines += ["call f_wait(VALUE_OF(requests(1)), index)", "call f_say_number('left'//c_null_char, index)",
                      "call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierr); OK"]
        elif how == "testall":
            lines += ["flag = .false.", "do while (.not. flag)", "call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE, ierr); OK",
                "end do"]
        else:
            # Of the third one, which finds none, MPICH's own bindings say another index than MPI_UNDEFINED.
            lines += ["do turn = 1, 3", "call MPI_Waitany(2, requests, index, status, ierr); OK", "end do"]
    lines += ["call MPI_Barrier(" + str(comm) + ", ierr); OK", "call f_say_bytes('sent'//c_null_char, from, 8192)",
              "call f_say_bytes('received'//c_null_char, to, 8192)"]
    return "\n".join(lines + END)


def collective(p):
    comm = p.some("comm")
    op = p.some("op") if p.maybe() else None
    name = op.name if op else p.one(["MPI_SUM", "MPI_MAX", "MPI_MIN", "MPI_PROD", "MPI_BXOR"])
    n, seed, root = p.count(p.number(0, 4)), p.number(1, 9999), f"mod({p.number(0, 3)}, size)"
    lines = begin(comm, "integer :: mine(64), all(64)", "HANDLE(MPI_Request) :: request")
    lines += [f"call f_fill_ints(mine, 64, {seed} + rank)", f"call f_fill_ints(all, 64, {seed + 1} + rank)"]
    how = p.one(["bcast", "reduce", "allreduce", "allreduce in place", "scan", "gather", "allgather in place", "alltoall", "iallreduce",
        "reduce_local"])
    lines += {
        "bcast": [f"call MPI_Bcast(all, {n}, MPI_INTEGER, {root}, {comm}, ierr); OK"],
        "reduce": [f"call MPI_Reduce(mine, all, {n}, MPI_INTEGER, {name}, {root}, {comm}, ierr); OK", f"if (rank /= {root}) all = 0"],
        "allreduce": [f"call MPI_Allreduce(mine, all, {n}, MPI_INTEGER, {name}, {comm}, ierr); OK"],
        "allreduce in place": [f"call MPI_Allreduce(MPI_IN_PLACE, all, {n}, MPI_INTEGER, {name}, {comm}, ierr); OK"],
        "scan": [f"call MPI_Scan(mine, all, {n}, MPI_INTEGER, {name}, {comm}, ierr); OK"],
        "gather": [f"call MPI_Gather(mine, {n}, MPI_INTEGER, all, {n}, MPI_INTEGER, {root}, {comm}, ierr); OK"],
        "allgather in place": [f"call MPI_Allgather(MPI_IN_PLACE, {n}, MPI_INTEGER, all, {n}, MPI_INTEGER, {comm}, ierr); OK"],
        "alltoall": [f"call MPI_Alltoall(mine, {n}, MPI_INTEGER, all, {n}, MPI_INTEGER, {comm}, ierr); OK"],
        "iallreduce": [f"call MPI_Iallreduce(mine, all, {n}, MPI_INTEGER, {name}, {comm}, request, ierr); OK",
                       "call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK"],
        "reduce_local": [f"call MPI_Reduce_local(mine, all, {n}, MPI_INTEGER, {name}, ierr); OK"]}[how]
    if op:
        lines.append("call f_say_number('another type'//c_null_char, wrong_types)")
    return "\n".join(lines + ["call f_say_ints('all'//c_null_char, all, 64)"] + END)


def operation(p):
    new = p.new("op")
    return f"call MPI_Op_create(add_modulo, .true., {new}, ierr); OK"


def communicator(p):
    parent = p.some("comm")
    how = p.one(["dup", "split", "create_group", "cart", "idup"])
    if how == "create_group" and parent.topology:
        return None
    new = p.new("comm", topology="cart" if how == "cart" else parent.topology if how in ("dup", "idup") else None)
    lines = begin(parent, "HANDLE(MPI_Group) :: whole, part", "HANDLE(MPI_Request) :: request",
        "integer :: mine, i, some, ranks(64), sides(2)")
    if how == "dup":
        lines.append(f"call MPI_Comm_dup({parent}, {new}, ierr); OK")
    elif how == "idup":
        lines += [f"call MPI_Comm_idup({parent}, {new}, request, ierr); OK", "call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK"]
    elif how == "split":
        color = f"mod(rank, {p.number(1, 3)})"
        color = f"merge(MPI_UNDEFINED, {color}, rank == {p.number(0, 5)})"
        lines.append(f"call MPI_Comm_split({parent}, {color}, mod({p.number(0, 3)} * rank, 5), {new}, ierr); OK")
    elif how == "cart":
        lines += ["sides = 0", "call MPI_Dims_create(size, 2, sides, ierr); OK",
                  f"call MPI_Cart_create({parent}, 2, sides, [.{p.one(['true', 'false'])}., .{p.one(['true', 'false'])}.], .false., {new}, ierr); OK"]
    else:
        lines += ["some = 0", f"do i = 0, size - 1, {p.number(1, 3)}", "some = some + 1", "ranks(some) = i", "end do",
                  f"call MPI_Comm_group({parent}, whole, ierr); OK", "call MPI_Group_incl(whole, some, ranks, part, ierr); OK",
                  "call MPI_Group_rank(part, mine, ierr); OK", said("group", "part", "part"),
                  f"if (f_avoids('create-group-copies'//c_null_char) /= 0) then",
                  f"call MPI_Comm_create({parent}, part, {new}, ierr); OK",
                  "else if (mine /= MPI_UNDEFINED) then",
                  f"call MPI_Comm_create_group({parent}, part, {p.number(0, 99)}, {new}, ierr); OK", "end if",
                  "call MPI_Group_free(part, ierr); OK", "call MPI_Group_free(whole, ierr); OK"]
    lines += ["call say_callbacks()", said("comm", how, new), f"if ({new} /= MPI_COMM_NULL) then", *attributes(p, new), "end if"]
    return "\n".join(lines + END)


def attributes(p, comm):
    keyvals = p.all_of("keyval")
    p.step.used += keyvals
    return [f"call say_attribute({comm}, {keyval})" for keyval in keyvals]


def keyval(p):
    comm = p.some("comm", lambda comm: not comm.is_predefined)
    if not comm:
        return None
    new = p.new("keyval", of="c")
    copy = p.one(["copy_value", "copy_value", "MPI_COMM_NULL_COPY_FN", "MPI_COMM_DUP_FN"])
    return "\n".join([f"call MPI_Comm_create_keyval({copy}, delete_value, {new}, state, ierr); OK", *begin(comm),
                      f"call MPI_Comm_set_attr({comm}, {new}, int({p.number(1, 10**9)}, MPI_ADDRESS_KIND) * {p.one([1, 1000])}, ierr); OK",
                      *attributes(p, comm), f"call say_attribute({comm}, {new})", *END])


def name(p):
    comm = p.some("comm", lambda comm: not comm.is_predefined)
    if not comm:
        return None
    text = p.one(["a name", " behind a blank", "x" * 60, ""]) + p.one(["", "  "])
    return "\n".join([*begin(comm, "character(len=MPI_MAX_OBJECT_NAME) :: name", "integer :: length"),
        f"call MPI_Comm_set_name({comm}, '{text}', ierr); OK",
                      f"call MPI_Comm_get_name({comm}, name, length, ierr); OK", "call f_say_text(name(1:length)//c_null_char, length)",
                      said("comm", "named", comm), *END])


def info(p):
    new = p.new("info")
    lines = [f"call MPI_Info_create({new}, ierr); OK"]
    lines += [f"call MPI_Info_set({new}, 'key{p.number(0, 5)}{p.one(['', '  '])}', '{'v' * p.one([1, 7, 100])}', ierr); OK" for _ in range(p.number(0, 3))]
    return "\n".join(lines + [said("info", "info", new)])


def operations(p, n):
    """Calls of an epoch on the target `to`, where a rank has 4 * N integers to itself, and each call four of them."""
    lines = []
    for i in range(n):
        how, count = p.one(["put", "get", "accumulate", "get_accumulate", "fetch_and_op", "compare_and_swap"]), p.count(p.number(0, 4))
        at, place = i * 4 + 1, f"int((1 + rank) * {4 * n} + {i * 4}, MPI_ADDRESS_KIND)"
        target, op = f"to, {place}, {count}, MPI_INTEGER", p.one(["MPI_SUM", "MPI_REPLACE", "MPI_MAX", "MPI_BXOR"])
        call = {"put": f"Put(mine({at}:), {count}, MPI_INTEGER, {target}",
                "get": f"Get(got({at}:), {count}, MPI_INTEGER, {target}",
                "accumulate": f"Accumulate(mine({at}:), {count}, MPI_INTEGER, {target}, {op}",
                "get_accumulate": f"Get_accumulate(mine({at}:), {count}, MPI_INTEGER, got({at}:), {count}, MPI_INTEGER, {target}, {op}",
                "fetch_and_op": f"Fetch_and_op(mine({at}:), got({at}:), MPI_INTEGER, to, {place}, {p.one(['MPI_NO_OP', op])}",
                "compare_and_swap": f"Compare_and_swap(mine({at}:), mine({at + 1}:), got({at}:), MPI_INTEGER, to, {place}"}[how]
        lines.append(f"call MPI_{call}, win, ierr); OK")
    return lines


def window(p):
    """Each rank writes to cells that no other rank writes to. MPIs may duplicate the communicator for a window or file."""
    comm, n, seed = p.some("comm"), p.number(1, 4), p.number(1, 9999)
    slots = 4 * n
    lines = begin(comm, f"integer :: mine({slots}), got({slots}), cells({slots} * 65), to, from, length", "HANDLE(MPI_Win) :: win",
                  "HANDLE(MPI_Group) :: group, some", "integer(kind=MPI_ADDRESS_KIND) :: value", "logical :: flag",
                  "character(len=MPI_MAX_OBJECT_NAME) :: name")
    lines += [f"call f_fill_ints(mine, {slots}, {seed} + rank)", f"call f_fill_ints(got, {slots}, {seed + 1})",
              f"call f_fill_ints(cells, {slots} * 65, {seed + 2} + rank)",
              "call say_callbacks()",
              f"call MPI_Win_create(cells, int({slots} * (size + 1) * 4, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, {comm}, win, ierr); OK",
              "call forget_callbacks()"]
    for key in ("SIZE", "DISP_UNIT"):
        lines += ["value = -1", f"call MPI_Win_get_attr(win, MPI_WIN_{key}, value, flag, ierr); OK", "call f_say_flag('found'//c_null_char, flag)",
                  f"call f_say_address('{key}'//c_null_char, value)"]
    lines += ["call MPI_Win_get_group(win, group, ierr); OK"]
    if p.maybe(3):
        # Open MPI 4.1's own mpi_f08 gives back one character.
        lines += [f"call MPI_Win_set_name(win, '{'w' * p.number(0, 20)}{p.one(['', '  '])}', ierr); OK",
                  "if (INTERFACE /= 2008) then", "call MPI_Win_get_name(win, name, length, ierr); OK",
                  "call f_say_text(name(1:length)//c_null_char, length)", "end if", "call f_say_win_name('name'//c_null_char, VALUE_OF(win))"]
    lines += ["call f_say_win('window'//c_null_char, VALUE_OF(win))", f"call MPI_Barrier({comm}, ierr); OK"]
    for _ in range(p.number(1, 3)):
        places, how, calls = p.number(0, 3), p.one(["fence", "pscw", "lock", "lock_all"]), operations(p, n)
        lines += [f"to = mod(rank + {places}, size)", f"from = mod(rank + 4 * size - {places}, size)"]
        lines += {
            "fence": ["call MPI_Win_fence(MPI_MODE_NOPRECEDE, win, ierr); OK", *calls, "call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierr); OK"],
            "pscw": ["call MPI_Group_incl(group, 1, [from], some, ierr); OK", "call MPI_Win_post(some, 0, win, ierr); OK",
                     "call MPI_Group_free(some, ierr); OK", "call MPI_Group_incl(group, 1, [to], some, ierr); OK",
                     "call MPI_Win_start(some, 0, win, ierr); OK", "call MPI_Group_free(some, ierr); OK", *calls,
                     "call MPI_Win_complete(win, ierr); OK", "call MPI_Win_wait(win, ierr); OK"],
            "lock": [f"call MPI_Win_lock({p.one(['MPI_LOCK_EXCLUSIVE', 'MPI_LOCK_SHARED'])}, to, 0, win, ierr); OK", *calls,
                     p.one(["call MPI_Win_flush(to, win, ierr); OK", "call MPI_Win_sync(win, ierr); OK"]), "call MPI_Win_unlock(to, win, ierr); OK"],
            "lock_all": ["call MPI_Win_lock_all(0, win, ierr); OK", *calls, "call MPI_Win_flush_all(win, ierr); OK",
                         "call MPI_Win_unlock_all(win, ierr); OK"]}[how]
        lines += [f"call MPI_Barrier({comm}, ierr); OK", f"call f_say_ints('got'//c_null_char, got, {slots})"]
    return "\n".join(lines + ["call MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win, ierr); OK",
                              f"call f_say_ints('cells'//c_null_char, cells, {slots} * (size + 1))",
                              "call MPI_Win_unlock(rank, win, ierr); OK", "call MPI_Group_free(group, ierr); OK",
                              f"call MPI_Barrier({comm}, ierr); OK", "call MPI_Win_free(win, ierr); OK",
                              "call forget_callbacks()", "call f_say_flag('freed'//c_null_char, win == MPI_WIN_NULL)"] + END)


def file(p):
    """Ranks write their parts of a file by any procedure, and read them again. MPICH 4.0 has no large counts here."""
    comm = p.some("comm", lambda comm: str(comm) != "MPI_COMM_SELF")
    old = p.some("type", lambda old: usable(old) and old.lb == old.low == 0 and old.size == old.ub)
    p.numbers["file"] += 1
    n, seed, is_viewed = p.number(1, 3), p.number(1, 9999), p.maybe()
    mode = "MPI_MODE_RDWR + MPI_MODE_CREATE" + p.one(["", " + MPI_MODE_DELETE_ON_CLOSE", " + MPI_MODE_UNIQUE_OPEN"])
    place = f"int(rank * {n if is_viewed else n * old.size}, MPI_OFFSET_KIND)"
    lines = begin(comm, "integer(kind=1) :: out(8192), in(8192)", "HANDLE(MPI_File) :: file", "HANDLE(MPI_Request) :: request", "STATUS(status)",
                  "HANDLE(MPI_Group) :: ours, of_all", "HANDLE(MPI_Datatype) :: etype, filetype", "integer :: first(1), count, amode",
                  "integer(kind=MPI_OFFSET_KIND) :: offset, place", "logical :: flag", "character(len=64) :: path",
                  "character(len=MPI_MAX_DATAREP_STRING) :: representation")
    # Members of other communicators of this step have files of their own.
    lines += [f"call MPI_Comm_group({comm}, ours, ierr); OK", "call MPI_Comm_group(MPI_COMM_WORLD, of_all, ierr); OK",
              "call MPI_Group_translate_ranks(ours, 1, [0], of_all, first, ierr); OK", "call MPI_Group_free(ours, ierr); OK",
              "call MPI_Group_free(of_all, ierr); OK", f"write (path, '(a,i0)') 'file.', {p.numbers['file'] * 100} + first(1)",
              f"call f_fill(out, 8192, {seed} + rank)", f"call f_fill(in, 8192, {seed + 1})",
              "call say_callbacks()", f"call MPI_File_open({comm}, path, {mode}, MPI_INFO_NULL, file, ierr); OK",
              "call MPI_File_get_amode(file, amode, ierr); OK", f"call f_say_flag('amode'//c_null_char, amode == {mode})",
              "call f_say_file('file'//c_null_char, VALUE_OF(file))", f"call MPI_Barrier({comm}, ierr); OK"]
    if is_viewed:
        lines.append(f"call MPI_File_set_view(file, {8 * p.number(0, 2)}_MPI_OFFSET_KIND, {old}, {old}, 'native', MPI_INFO_NULL, ierr); OK")
    how = p.one(["write_at", "write_at_all", "write", "write_all", "iwrite_at", "iwrite", "split", "ordered", "shared"])

    def access(word, buffer):
        given = f"{buffer}, {n}, {old}"
        return {
            "write": ["call MPI_File_seek(file, place, MPI_SEEK_SET, ierr); OK", f"call MPI_File_{word}(file, {given}, status, ierr); OK"],
            "write_all": ["call MPI_File_seek(file, place, MPI_SEEK_SET, ierr); OK", f"call MPI_File_{word}_all(file, {given}, status, ierr); OK"],
            "write_at": [f"call MPI_File_{word}_at(file, place, {given}, status, ierr); OK"],
            "write_at_all": [f"call MPI_File_{word}_at_all(file, place, {given}, status, ierr); OK"],
            "iwrite_at": [f"call MPI_File_i{word}_at(file, place, {given}, request, ierr); OK", "call MPI_Wait(request, status, ierr); OK"],
            "iwrite": ["call MPI_File_seek(file, place, MPI_SEEK_SET, ierr); OK", f"call MPI_File_i{word}(file, {given}, request, ierr); OK",
                       "call MPI_Wait(request, status, ierr); OK"],
            "split": [f"call MPI_File_{word}_at_all_begin(file, place, {given}, ierr); OK",
                      f"call MPI_File_{word}_at_all_end(file, {buffer}, status, ierr); OK"],
            "ordered": ["call MPI_File_seek_shared(file, 0_MPI_OFFSET_KIND, MPI_SEEK_SET, ierr); OK",
                        f"call MPI_File_{word}_ordered(file, {given}, status, ierr); OK"],
            "shared": [f"call MPI_File_{word}_at(file, place, {given}, MPI_STATUS_IGNORE, ierr); OK",
                       "call MPI_File_seek_shared(file, 0_MPI_OFFSET_KIND, MPI_SEEK_SET, ierr); OK",
                       "call MPI_File_get_position_shared(file, offset, ierr); OK", "call f_say_address('shared'//c_null_char, offset)"]}[how]
    counted = [] if how == "shared" else [f"call MPI_Get_count(status, {old}, count, ierr); OK", "call f_say_number('count'//c_null_char, count)"]
    lines += [f"place = {place}", *access("write", "out"), *counted, "call MPI_File_sync(file, ierr); OK", f"call MPI_Barrier({comm}, ierr); OK",
              "call MPI_File_sync(file, ierr); OK", "call MPI_File_get_size(file, offset, ierr); OK",
              "call f_say_address('size'//c_null_char, offset)", *access("read", "in"), *counted]
    if how in ("write", "write_all"):
        lines += ["call MPI_File_get_position(file, offset, ierr); OK", "call f_say_address('position'//c_null_char, offset)",
                  "call MPI_File_get_byte_offset(file, offset, place, ierr); OK", "call f_say_address('at'//c_null_char, place)"]
    if p.maybe(3):
        lines += [f"call MPI_File_set_atomicity(file, .{p.one(['true', 'false'])}., ierr); OK",
                  "call MPI_File_get_atomicity(file, flag, ierr); OK", "call f_say_flag('atomic'//c_null_char, flag)"]
    lines += ["call MPI_File_get_view(file, offset, etype, filetype, representation, ierr); OK",
              "call f_say_address('view'//c_null_char, offset)",
              "call f_say_text(trim(representation)//c_null_char, len_trim(representation))",
              f"call MPI_Barrier({comm}, ierr); OK", "call MPI_File_close(file, ierr); OK", "call forget_callbacks()",
              "call f_say_flag('closed'//c_null_char, file == MPI_FILE_NULL)", f"call MPI_Barrier({comm}, ierr); OK"]
    if "DELETE" not in mode:
        lines += ["if (rank == 0) then", "call MPI_File_delete(path, MPI_INFO_NULL, ierr); OK", "end if"]
    return "\n".join(lines + ["call f_say_bytes('out'//c_null_char, out, 8192)", "call f_say_bytes('in'//c_null_char, in, 8192)"] + END)


def session(p):
    """A communicator of a session's, of a process set that MPI promises, which C gets."""
    name = p.one(["mpi://WORLD", "mpi://SELF"]) + p.one(["", "  "])
    return "\n".join(["block", "HANDLE(MPI_Session) :: session", "HANDLE(MPI_Group) :: group", "HANDLE(MPI_Comm) :: comm", "HANDLE(MPI_Info) :: info",
                      "integer :: sets, rank, total", "logical :: flag", "character(len=20) :: value",
                      "call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierr); OK",
                      "call MPI_Session_get_num_psets(session, MPI_INFO_NULL, sets, ierr); OK", "call f_say_flag('sets'//c_null_char, sets >= 2)", said("session", "begun", "session"),
                      f"call MPI_Group_from_session_pset(session, '{name}', group, ierr); OK", said("group", "set", "group"),
                      f"call MPI_Comm_create_from_group(group, 'tag {p.number(0, 9)}', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, ierr); OK",
                      said("comm", "session", "comm"), "call MPI_Comm_rank(comm, rank, ierr); OK",
                      f"call MPI_Allreduce(rank, total, {p.count(1)}, MPI_INTEGER, MPI_SUM, comm, ierr); OK", "call f_say_number('sum'//c_null_char, total)",
                      f"call MPI_Session_get_pset_info(session, '{name}', info, ierr); OK",
                      "call MPI_Info_get(info, 'mpi_size', 20, value, flag, ierr); OK", "call f_say_text(trim(value)//c_null_char, len_trim(value))",
                      "call MPI_Info_free(info, ierr); OK", "call MPI_Group_free(group, ierr); OK", "call MPI_Comm_free(comm, ierr); OK",
                      "call MPI_Session_finalize(session, ierr); OK", said("session", "ended", "session"), "end block"])


def partitioned(p):
    comm, old = p.some("comm"), p.some("type", usable)
    n, count, places, tag, seed = p.number(1, 4), p.number(1, 2), p.number(0, 3), p.number(0, 999), p.number(1, 9999)
    given = f"{n}, {count}_MPI_COUNT_KIND, {old}"
    lines = begin(comm, "integer(kind=1), asynchronous :: from(16384), to(16384)", "HANDLE(MPI_Request) :: requests(2)", "logical :: flag",
                  "integer :: i")
    lines += [f"call f_fill(from, 16384, {seed} + rank)", f"call f_fill(to, 16384, {seed + 1})",
              f"call MPI_Psend_init(from, {given}, mod(rank + {places}, size), {tag}, {comm}, MPI_INFO_NULL, requests(1), ierr); OK",
              f"call MPI_Precv_init(to, {given}, mod(rank + 4 * size - {places}, size), {tag}, {comm}, MPI_INFO_NULL, requests(2), ierr); OK"]
    for _ in range(p.number(1, 2)):
        order = list(range(n))
        p.chance.shuffle(order)
        lines += ["call MPI_Startall(2, requests, ierr); OK"]
        lines += p.one([[f"call MPI_Pready({i}, requests(1), ierr); OK" for i in order],
                        [f"call MPI_Pready_range(0, {n - 1}, requests(1), ierr); OK"],
                        [f"call MPI_Pready_list({n}, [{', '.join(map(str, order))}], requests(1), ierr); OK"]])
        if p.maybe():
            lines += [f"do i = 0, {n - 1}", "flag = .false.", "do while (.not. flag)", "call MPI_Parrived(requests(2), i, flag, ierr)",
                      "if (ierr /= MPI_SUCCESS) exit", "end do", "end do"]
        lines.append("call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr); OK")
    return "\n".join(lines + ["call MPI_Request_free(requests(1), ierr); OK", "call MPI_Request_free(requests(2), ierr); OK",
                              "call f_say_bytes('sent'//c_null_char, from, 16384)", "call f_say_bytes('received'//c_null_char, to, 16384)", *END])


def persistent(p):
    """A collective operation that is started several times, or made anew where such ones do not work."""
    comm = p.some("comm")
    n, seed, root = p.count(p.number(0, 4)), p.number(1, 9999), f"mod({p.number(0, 3)}, size)"
    how, given = p.one([("bcast", f"all, {n}, MPI_INTEGER, {root}"), ("allreduce", f"mine, all, {n}, MPI_INTEGER, MPI_SUM"),
                        ("gather", f"mine, {n}, MPI_INTEGER, all, {n}, MPI_INTEGER, {root}"),
                        ("alltoall", f"mine, {n}, MPI_INTEGER, all, {n}, MPI_INTEGER")])
    lines = begin(comm, "integer, asynchronous :: mine(64), all(64)", "HANDLE(MPI_Request) :: request", "integer :: turn", "logical :: avoids")
    return "\n".join(lines + ["avoids = f_avoids('collective-among-others'//c_null_char) /= 0", f"call f_fill_ints(all, 64, {seed + 1} + rank)",
                              f"call f_fill_ints(mine, 64, {seed} + rank)",
                              f"if (.not. avoids) call MPI_{how.capitalize()}_init({given}, {comm}, MPI_INFO_NULL, request, ierr); OK",
                              f"do turn = 1, {p.number(1, 3)}", f"if (avoids) call MPI_I{how}({given}, {comm}, request, ierr); OK",
                              "if (.not. avoids) call MPI_Start(request, ierr); OK", "call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK",
                              "call f_say_ints('all'//c_null_char, all, 64)", "mine = mine + turn", "end do",
                              "if (.not. avoids) call MPI_Request_free(request, ierr); OK", *END])


def threads(p):
    """Each thread of a team exchanges messages on a communicator of its own, with a datatype of its own."""
    comm, n = p.some("comm"), p.number(2, 4)
    lines = begin(comm, f"HANDLE(MPI_Comm) :: comms({n})", f"integer :: sums({n}), thread")
    return "\n".join(lines + [f"do thread = 1, {n}", f"call MPI_Comm_dup({comm}, comms(thread), ierr); OK", "end do", "call say_callbacks()",
                              f"!$omp parallel do num_threads({n}) schedule(static, 1)", f"do thread = 1, {n}",
                              f"call exchange(comms(thread), '{p.one(['sendrecv', 'isend', 'in C', 'allreduce'])}', thread, {p.number(1, 30)}, "
                              f"{p.number(0, 3)}, sums(thread))", "end do", f"do thread = 1, {n}", "call f_say_number('sum'//c_null_char, sums(thread))",
                              "call MPI_Comm_free(comms(thread), ierr); OK", "end do", *END])


STEPS = [(make_type, 8), (message, 8), (collective, 8), (operation, 2), (communicator, 6), (keyval, 3), (name, 1), (info, 1), (window, 3), (file, 3)]
LARGE = [(session, 4), (partitioned, 4), (persistent, 4)]
THREADS = [(threads, 12)]


class FortranProgram(Program):
    def __init__(self, seed, steps, length=None):
        self.has_large = (session, 4) in steps
        super().__init__(seed, steps, things(), length)

    def count(self, number):
        """A count of either kind."""
        return f"{number}_MPI_COUNT_KIND" if self.has_large and self.maybe() else number

    @staticmethod
    def kind(count):
        """How a variable of a count's kind is declared."""
        return "integer(kind=MPI_COUNT_KIND)" if str(count).endswith("KIND") else "integer"

    def text(self, name, kept=None):
        kept = range(len(self.steps)) if kept is None else sorted(self.closed(kept))
        steps = [(number, self.steps[number]) for number in kept]
        made = [thing for _, step in steps for thing in step.made]
        lines = [f"subroutine {name}() bind(C)", "integer :: ierr"]
        lines += [f"HANDLE({HANDLES[thing.kind]}) :: {thing}" if thing.kind in HANDLES else f"integer :: {thing}" for thing in made]
        lines += [f"{thing} = {Thing.NULLS[thing.kind]}" for thing in made]
        for number, step in steps:
            lines += [f"call f_at({number + 1})", step.text]
        lines.append("call f_at(99)")
        for last in (False, True):
            for thing in reversed(made):
                if (thing.kind == "keyval") == last:
                    free = "MPI_Comm_free_keyval" if last else Thing.FREES[thing.kind]
                    lines += [f"if ({thing} /= {Thing.NULLS[thing.kind]}) then", f"call {free}({thing}, ierr); OK", "end if"]
        return "\n".join(lines + ["call say_callbacks()", "end subroutine"]) + "\n"


def batch(programs):
    """One module of all programs, so that a compiler reads mpi_f08 once."""
    return "\n".join(['#include "support.F90"', "", "module programs", "USE_MPI", "use support", "implicit none", "MPIF_H", "contains",
                      *(text for _, text in programs), "end module", ""])


def table(programs, level):
    """The C of a batch: its programs, by their names."""
    names = [name for name, _ in programs]
    rows = "".join(f'    {{ "{name}", program_{name} }},\n' for name in names)
    return ('#include "support.h"\n' + "".join(f"void program_{name}(void);\n" for name in names) +
            f"const struct program programs[] = {{\n{rows}}};\nconst int programs_count = {len(names)}, wanted_level = {level};\n")
