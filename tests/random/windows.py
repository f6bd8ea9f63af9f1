# SPDX-License-Identifier: BSD-3-Clause
"""Steps with windows and files. Each step makes its own: each rank writes to a part that no other rank writes to."""

from collectives import PREDEFINED
from datatypes import is_dense, usable
from messages import PROCEDURES, begin


def at_least_two(comm):
    return not comm.inter


def operations(p, n, slots, remote):
    """Calls of an epoch on the targets `to`: a rank has `slots` integers there to itself, and each call four of them."""
    lines = []
    for i in range(n):
        how = p.one(["put", "get", "accumulate", "get_accumulate", "fetch_and_op", "compare_and_swap", "nothing"] + ["rput", "rget",
            "raccumulate"] *
                    (remote == "passive"))
        where, count = f"(1 + rank) * {slots} + {i} * 4", p.number(0, 4)
        given = f"mine + {i * 4}" if count else f"anywhere({p.number(0, 20)})"
        if how == "put":
            lines.append(f"OK(MPI_Put({given}, {count}, MPI_INT, to, {where}, {count}, MPI_INT, win));")
        elif how == "get":
            lines.append(f"OK(MPI_Get({f'got + {i * 4}' if count else given}, {count}, MPI_INT, to, {where}, {count}, MPI_INT, win));")
        elif how == "accumulate":
            op = p.one(PREDEFINED + ["MPI_REPLACE"])
            lines.append(f"OK(MPI_Accumulate({given}, {count}, MPI_INT, to, {where}, {count}, MPI_INT, {op}, win));")
        elif how == "get_accumulate":
            op = p.one(["MPI_SUM", "MPI_NO_OP", "MPI_REPLACE", "MPI_MAX", "MPI_BXOR"])
            origin = f"anywhere({p.number(0, 20)}), 0, JUNK(MPI_Datatype)" if op == "MPI_NO_OP" else f"{given}, {count}, MPI_INT"
            lines.append(f"OK(MPI_Get_accumulate({origin}, {f'got + {i * 4}' if count else given}, {count}, MPI_INT, to, {where}, {count}, "
                         f"MPI_INT, {op}, win));")
        elif how == "fetch_and_op":
            op = p.one(["MPI_SUM", "MPI_NO_OP", "MPI_REPLACE", "MPI_MIN"])
            origin = f"anywhere({p.number(0, 20)})" if op == "MPI_NO_OP" else f"mine + {i * 4}"
            lines.append(f"OK(MPI_Fetch_and_op({origin}, got + {i * 4}, MPI_INT, to, {where}, {op}, win));")
        elif how == "compare_and_swap":
            lines.append(f"OK(MPI_Compare_and_swap(mine + {i * 4}, mine + {i * 4 + 1}, got + {i * 4}, MPI_INT, to, {where}, win));")
        elif how in ("rput", "rget", "raccumulate"):
            what = {"rput": f"MPI_Rput({given}, {count}, MPI_INT, to, {where}, {count}, MPI_INT, win, &request)",
                    "rget": f"MPI_Rget({f'got + {i * 4}' if count else given}, {count}, MPI_INT, to, {where}, {count}, MPI_INT, win, &request)",
                    "raccumulate": f"MPI_Raccumulate({given}, {count}, MPI_INT, to, {where}, {count}, MPI_INT, MPI_SUM, win, &request)"}[how]
            lines += ["{", "MPI_Request request = MPI_REQUEST_NULL;", "MPI_Datatype none = MPI_DATATYPE_NULL;", f"OK({what});",
                      f'complete("{how}", {p.one(PROCEDURES)}, 1, &request, &none, 1);', "}"]
    return lines


def window(p):
    comm = p.some("comm", at_least_two)
    n = p.number(1, 4)
    slots, seed = 4 * n, p.number(1, 9999)
    flavor = p.one(["create", "allocate"])
    lines = begin(comm) + ["MPI_Win win;", f"int mine[{slots}], got[{slots}], cells = (size + 1) * {slots};", "int *memory = 0;",
                           f"fill_ints(mine, {slots}, {seed} + me);", f"fill_ints(got, {slots}, {seed + 1});",
                           "MPI_Group group, some;", 'int to;']
    if flavor == "create":
        lines += ["memory = malloc(cells * sizeof(int));",
            f"OK(MPI_Win_create(memory, cells * sizeof(int), sizeof(int), MPI_INFO_NULL, {comm}, &win));"]
    else:
        # MPICH 4.0.2 reads the wrong place if the size is no multiple of 16.
        lines += ["cells = (cells + 3) / 4 * 4;",
                  f"OK(MPI_Win_allocate(cells * sizeof(int), sizeof(int), MPI_INFO_NULL, {comm}, &memory, &win));"]
    lines += ['promise_callbacks("window-copies", 0);', 'say_callbacks("window");', f"fill_ints(memory, cells, {seed + 2} + me);",
              "int *base, found, *unit, *shape, *model;", "MPI_Aint *bytes;",
              "OK(MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &found));", "OK(MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &found));",
              "OK(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &found));",
              "OK(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &shape, &found));",
              "OK(MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &found));",
              'say("base %d, size %d, unit %d, %s, %d", base == memory, *bytes == (MPI_Aint)(cells * sizeof(int)), *unit, '
              '*shape == MPI_WIN_FLAVOR_CREATE ? "created" : *shape == MPI_WIN_FLAVOR_ALLOCATE ? "allocated" : "?", '
              "*model == MPI_WIN_UNIFIED || *model == MPI_WIN_SEPARATE);",
              "OK(MPI_Win_get_group(win, &group));", 'say_group("window", group);']
    if p.maybe(3):
        text = "w" * p.number(0, 20)
        lines += [f'char name[MPI_MAX_OBJECT_NAME] = "";', "int length = -1;", f'OK(MPI_Win_set_name(win, "{text}"));',
                  "OK(MPI_Win_get_name(win, name, &length));", 'say("name %s of %d", name, length);']
    has_attribute = p.maybe(3)
    if has_attribute:
        lines += ["int keyval;", f"keyval_for('w', {p.one(['COPIED', 'SHARED'])}, &keyval);",
            f"set_attribute('w', &win, keyval, {p.number(0, 800)});",
                  "say_attribute(\"window\", 'w', &win, keyval);", "OK(MPI_Win_free_keyval(&keyval));"]
    # Ranks write before anybody's operations.
    lines.append(f"OK(MPI_Barrier({comm}));")
    for epoch in range(p.number(1, 3)):
        places = p.number(0, 3)
        how = p.one(["fence", "pscw", "lock", "lock", "lock_all"])
        lines += ["{", f"to = (rank + {places}) % size;"]
        calls = operations(p, n, slots, "passive" if how.startswith("lock") else "active")
        if how == "fence":
            first, last = p.one([("0", "0"), ("MPI_MODE_NOPRECEDE", "MPI_MODE_NOSUCCEED"), ("MPI_MODE_NOPRECEDE",
                "MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE")])
            lines += [f"OK(MPI_Win_fence({first}, win));", *calls, f"OK(MPI_Win_fence({last}, win));"]
        elif how == "pscw":
            lines += [f"int from = (rank + 4 * size - {places}) % size;", "OK(MPI_Group_incl(group, 1, &from, &some));",
                      f"OK(MPI_Win_post(some, {p.one(['0', '0', 'MPI_MODE_NOSTORE'])}, win));", "OK(MPI_Group_free(&some));",
                      "OK(MPI_Group_incl(group, 1, &to, &some));", "OK(MPI_Win_start(some, 0, win));", "OK(MPI_Group_free(&some));",
                      *calls,
                      "OK(MPI_Win_complete(win));"]
            lines += ["OK(MPI_Win_wait(win));"] if p.maybe() else ["for (int flag = 0; !flag;)",
                "    if (!OK(MPI_Win_test(win, &flag)))", "        break;"]
        elif how == "lock":
            kind = p.one(["MPI_LOCK_EXCLUSIVE", "MPI_LOCK_SHARED"])
            lines += [f"OK(MPI_Win_lock({kind}, to, 0, win));", *calls]
            lines += [p.one(["OK(MPI_Win_flush(to, win));", "OK(MPI_Win_flush_local(to, win));", "OK(MPI_Win_sync(win));"]),
                "OK(MPI_Win_unlock(to, win));"]
        else:
            lines += ["OK(MPI_Win_lock_all(0, win));", *calls,
                      p.one(["OK(MPI_Win_flush_all(win));", "OK(MPI_Win_flush_local_all(win));", "OK(MPI_Win_flush(to, win));"]),
                      "OK(MPI_Win_unlock_all(win));"]
        lines += ["}", f"OK(MPI_Barrier({comm}));", f'say_ints("got", got, {slots});']
    lines += [f"OK(MPI_Barrier({comm}));", "OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win));",
        'say("cells %08x", digest(memory, cells * sizeof(int)));',
              "OK(MPI_Win_unlock(rank, win));", "OK(MPI_Group_free(&group));", f"OK(MPI_Barrier({comm}));", "OK(MPI_Win_free(&win));",
              'say("freed %d", win == MPI_WIN_NULL);', f'promise_callbacks("window-copies", {int(has_attribute)});',
              'say_callbacks("freed");']
    if flavor != "allocate":
        lines.append("free(memory);")
    return "\n".join(lines + ["}"])


def shared_window(p):
    """Memory that all ranks of a machine have: each writes to its own part, and reads another's."""
    comm = p.some("comm", at_least_two)
    cells, places, seed = p.one([4, 8, 12]), p.number(0, 3), p.number(1, 9999)
    return "\n".join(begin(comm) + [
        "MPI_Win win;", "int *memory, *theirs, unit = -1;", "MPI_Aint bytes = -1;",
        f"OK(MPI_Win_allocate_shared({cells} * sizeof(int), sizeof(int), MPI_INFO_NULL, {comm}, &memory, &win));",
        'promise_callbacks("window-copies", 0);', 'say_callbacks("window");', "OK(MPI_Win_lock_all(0, win));",
        f"fill_ints(memory, {cells}, {seed} + me);",
        "OK(MPI_Win_sync(win));", f"OK(MPI_Barrier({comm}));", "OK(MPI_Win_sync(win));",
        f"OK(MPI_Win_shared_query(win, (rank + {places}) % size, &bytes, &unit, &theirs));",
        'say("of %lld by %d", (long long)bytes, unit);',
        f'say_ints("theirs", theirs, {cells});', "OK(MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &theirs));",
        'say("first of %lld by %d", (long long)bytes, unit);', f"OK(MPI_Barrier({comm}));", "OK(MPI_Win_unlock_all(win));",
        "OK(MPI_Win_free(&win));",
        'promise_callbacks("window-copies", 0);', 'say_callbacks("freed");', "}"])


def dynamic_window(p):
    comm = p.some("comm", at_least_two)
    places, seed = p.number(0, 3), p.number(1, 9999)
    return "\n".join(begin(comm) + [
        "MPI_Win win;", "int memory[8], got[8] = { 0 };", "MPI_Aint place, theirs;", f"fill_ints(memory, 8, {seed} + me);",
        f"OK(MPI_Win_create_dynamic(MPI_INFO_NULL, {comm}, &win));", "OK(MPI_Win_attach(win, memory, sizeof memory));",
        "OK(MPI_Get_address(memory, &place));",
        f"OK(MPI_Sendrecv(&place, 1, MPI_AINT, (rank + 4 * size - {places}) % size, 3, &theirs, 1, MPI_AINT, (rank + {places}) % size, 3, {comm}, "
        "MPI_STATUS_IGNORE));", "OK(MPI_Win_fence(0, win));",
        f"OK(MPI_Get(got, 4, MPI_INT, (rank + {places}) % size, theirs + {p.one([0, 4, 8])}, 4, MPI_INT, win));",
        "OK(MPI_Win_fence(0, win));", 'say_ints("got", got, 8);', f"OK(MPI_Barrier({comm}));", "OK(MPI_Win_detach(win, memory));",
        "OK(MPI_Win_free(&win));", 'promise_callbacks("window-copies", 0);', 'say_callbacks("window");', "}"])


# ------------------------------------------------------------ files

def file(p):
    """Ranks write their parts of a file by any procedure, and read others' parts after MPI_File_sync()."""
    comm = p.some("comm", lambda comm: not comm.inter and str(comm) != "MPI_COMM_SELF")
    kind = p.some("type", lambda old: usable(old) and is_dense(old) and old.lb == old.low == 0 and old.size == old.ub)
    p.numbers["file"] += 1
    number, n, seed = p.numbers["file"], p.number(1, 4), p.number(1, 9999)
    mode = p.one(["MPI_MODE_RDWR | MPI_MODE_CREATE", "MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE",
                  "MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_UNIQUE_OPEN"])
    # Members of other communicators of this step have files of their own.
    lines = begin(comm) + [
        "MPI_Group ours, of_all;", "int zero = 0, first = 0;", f"OK(MPI_Comm_group({comm}, &ours));",
        "OK(MPI_Comm_group(MPI_COMM_WORLD, &of_all));",
        "OK(MPI_Group_translate_ranks(ours, 1, &zero, of_all, &first));", "OK(MPI_Group_free(&ours));", "OK(MPI_Group_free(&of_all));",
        "MPI_File file;", "MPI_Status status;", "MPI_Offset bytes = -1;", "int amode = -1, atomic = -1;",
        f"OK(MPI_File_open({comm}, file_name({number} * 100 + first), {mode}, MPI_INFO_NULL, &file));",
        'promise_callbacks("file-copies", 0);',
        'say_callbacks("file");', "OK(MPI_File_get_amode(file, &amode));", f'say("amode %d", amode == ({mode}));']
    size = kind.size
    view = p.one(["bytes", "elements", "striped"])
    if view == "bytes":
        place = f"rank * {n * size}"
    elif view == "elements":
        lines.append(f'OK(MPI_File_set_view(file, {8 * p.number(0, 2)}, {kind}, {kind}, "native", MPI_INFO_NULL));')
        place = f"rank * {n}"
    else:
        lines += ["MPI_Datatype stripe;", f"OK(MPI_Type_create_resized({kind}, 0, {size} * size, &stripe));",
            "OK(MPI_Type_commit(&stripe));",
                  f'OK(MPI_File_set_view(file, rank * {size}, {kind}, stripe, "native", MPI_INFO_NULL));', "OK(MPI_Type_free(&stripe));"]
        place = "0"
    lines += [f"struct space out = space_for({n}, {kind}, {seed} + me), in = space_for({n}, {kind}, {seed + 1} + me);",
        "clear_status(&status);"]
    how = p.one(["write_at", "write_at_all", "write", "write_all", "iwrite_at", "iwrite", "iwrite_at_all", "iwrite_all", "split",
        "ordered"])
    ordered = how == "ordered"

    def access(name, buffer):
        w = {"write": "write", "read": "read"}[name]
        if how in ("write", "write_all"):
            return [f"OK(MPI_File_seek(file, {place}, MPI_SEEK_SET));",
                f"OK(MPI_File_{how.replace('write', w)}(file, {buffer}.at, {n}, {kind}, &status));"]
        if how in ("write_at", "write_at_all"):
            return [f"OK(MPI_File_{how.replace('write', w)}(file, {place}, {buffer}.at, {n}, {kind}, &status));"]
        if how in ("iwrite_at", "iwrite_at_all"):
            return ["{", "MPI_Request request;",
                f"OK(MPI_File_{how.replace('write', w)}(file, {place}, {buffer}.at, {n}, {kind}, &request));",
                    "OK(MPI_Wait(&request, &status));", "}"]
        if how in ("iwrite", "iwrite_all"):
            return [f"OK(MPI_File_seek(file, {place}, MPI_SEEK_SET));", "{", "MPI_Request request;",
                    f"OK(MPI_File_{how.replace('write', w)}(file, {buffer}.at, {n}, {kind}, &request));",
                    "OK(MPI_Wait(&request, &status));", "}"]
        if how == "split":
            return [f"OK(MPI_File_{w}_at_all_begin(file, {place}, {buffer}.at, {n}, {kind}));",
                    f"OK(MPI_File_{w}_at_all_end(file, {buffer}.at, &status));"]
        return ["OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));", f"OK(MPI_File_{w}_ordered(file, {buffer}.at, {n}, {kind}, &status));"]
    if ordered and view == "striped":
        return None
    said = f"int count = -1;\nOK(MPI_Get_count(&status, {kind}, &count));\nsay(\"%s %d\", \"LABEL\", count);"
    lines += [*access("write", "out"), "{", said.replace("LABEL", "wrote"), "}", "OK(MPI_File_sync(file));", f"OK(MPI_Barrier({comm}));",
              "OK(MPI_File_sync(file));", "OK(MPI_File_get_size(file, &bytes));", 'say("size %lld", (long long)bytes);',
              "clear_status(&status);",
              *access("read", "in"), "{", said.replace("LABEL", "read"), "}"]
    if how in ("write", "write_all"):
        lines += ["MPI_Offset position = -1, offset = -1;", "OK(MPI_File_get_position(file, &position));",
                  "OK(MPI_File_get_byte_offset(file, position, &offset));",
                  'say("position %lld, %lld", (long long)position, (long long)offset);']
    if p.maybe(3):
        lines += [f"OK(MPI_File_set_atomicity(file, {p.number(0, 1)}));", "OK(MPI_File_get_atomicity(file, &atomic));",
            'say("atomic %d", !!atomic);']
    if p.maybe(3):
        lines += [f"OK(MPI_Barrier({comm}));", f"OK(MPI_File_set_size(file, {p.number(0, 100)}));",
            "OK(MPI_File_get_size(file, &bytes));", 'say("size %lld", (long long)bytes);']
    lines += ["MPI_Offset displacement = -1;", "MPI_Datatype etype, filetype;", 'char representation[MPI_MAX_DATAREP_STRING] = "";',
              "OK(MPI_File_get_view(file, &displacement, &etype, &filetype, representation));",
              'say("view %lld %s", (long long)displacement, representation);',
              f"OK(MPI_Barrier({comm}));", "OK(MPI_File_close(&file));", 'say("closed %d", file == MPI_FILE_NULL);',
              'promise_callbacks("file-copies", 0);',
              'say_callbacks("closed");', f"OK(MPI_Barrier({comm}));"]
    if "DELETE" not in mode:
        lines += ["if (rank == 0)", f"    OK(MPI_File_delete(file_name({number} * 100 + first), MPI_INFO_NULL));"]
    return "\n".join(lines + ['say_space("out", &out);', 'say_space("in", &in);', "}"])


STEPS = [(window, 4), (shared_window, 1), (dynamic_window, 1), (file, 4)]
