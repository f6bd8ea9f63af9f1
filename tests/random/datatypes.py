# SPDX-License-Identifier: BSD-3-Clause
"""Steps with datatypes. A model of each type's bounds keeps its entries apart, as a type that receives needs it."""

from program import Thing

# Sizes, extents and alignments.
BASICS = {"MPI_CHAR": (1, 1, 1), "MPI_SIGNED_CHAR": (1, 1, 1), "MPI_UNSIGNED_CHAR": (1, 1, 1), "MPI_BYTE": (1, 1, 1), "MPI_SHORT": (2,
    2, 2),
          "MPI_UNSIGNED_SHORT": (2, 2, 2), "MPI_INT": (4, 4, 4), "MPI_UNSIGNED": (4, 4, 4), "MPI_LONG": (8, 8, 8),
          "MPI_UNSIGNED_LONG": (8, 8, 8), "MPI_LONG_LONG": (8, 8, 8), "MPI_UNSIGNED_LONG_LONG": (8, 8, 8), "MPI_FLOAT": (4, 4, 4),
          "MPI_DOUBLE": (8, 8, 8), "MPI_WCHAR": (4, 4, 4), "MPI_INT8_T": (1, 1, 1), "MPI_INT16_T": (2, 2, 2), "MPI_INT32_T": (4, 4, 4),
          "MPI_INT64_T": (8, 8, 8), "MPI_UINT8_T": (1, 1, 1), "MPI_UINT16_T": (2, 2, 2), "MPI_UINT32_T": (4, 4, 4),
          "MPI_UINT64_T": (8, 8, 8), "MPI_C_BOOL": (1, 1, 1), "MPI_C_FLOAT_COMPLEX": (8, 8, 4), "MPI_C_DOUBLE_COMPLEX": (16, 16, 8),
          "MPI_AINT": (8, 8, 8), "MPI_OFFSET": (8, 8, 8), "MPI_COUNT": (8, 8, 8)}
EXTERNAL = ["MPI_CHAR", "MPI_SHORT", "MPI_INT", "MPI_FLOAT", "MPI_DOUBLE", "MPI_INT32_T", "MPI_UNSIGNED", "MPI_INT64_T"]
MOST_BYTES, MOST_EXTENT = 1024, 8192


def basic(name):
    size, extent, _ = BASICS[name]
    return Thing("type", name, True, size=size, lb=0, ub=extent, low=0, high=extent, parts=1, leaf=name, depth=0, is_committed=True)


def predefined():
    return [basic(name) for name in BASICS]


def extent(old):
    return old.ub - old.lb


def is_dense(old):
    """Whether consecutive elements lie apart."""
    return extent(old) >= old.high - old.low > 0


def ints(numbers):
    return "(int[]){ " + ", ".join(map(str, numbers)) + " }"


def aints(numbers, large=False):
    return f"({'MPI_Count' if large else 'MPI_Aint'}[]){{ " + ", ".join(map(str, numbers)) + " }"


def counts(numbers, large):
    return aints(numbers, True) if large else ints(numbers)


def bounds(old, places):
    """Bounds of copies of a type at the places, in bytes."""
    return {"lb": min(places) + old.lb, "ub": max(places) + old.ub, "low": min(places) + old.low, "high": max(places) + old.high,
            "size": old.size * len(places), "parts": old.parts * len(places), "leaf": old.leaf, "depth": old.depth + 1}


def runs(p, old, blocks, scale=1):
    """Draws lengths and places of blocks that lie apart, in units of the extent or, with scale 0, in bytes; in any order."""
    lengths, places, place = [], [], p.number(-2, 2) * (extent(old) if scale else 8)
    for _ in range(blocks):
        length = p.number(1, 3)
        lengths.append(length)
        places.append(place // extent(old) if scale else place)
        span = (length - 1) * extent(old) + max(extent(old), old.high - old.low)
        step = span + p.number(0, 2) * extent(old)
        place += -(-step // extent(old)) * extent(old) if scale else -(-step // 8) * 8 + 8 * p.number(0, 2)
    order = list(range(blocks))
    p.chance.shuffle(order)
    return [lengths[i] for i in order], [places[i] for i in order]


def suits(old):
    return 0 < old.size <= MOST_BYTES // 4 and old.depth < 5 and extent(old) <= MOST_EXTENT // 4 and old.high - old.low <= MOST_EXTENT // 4


def constructed(p, old, large):
    """The text of a call that makes a type of `old`, with & ahead of NEW, and the new type's facts; None if this kind does not fit."""
    c = "_c" if large else ""
    ex = extent(old)
    how = p.one(["contiguous", "vector", "hvector", "indexed", "hindexed", "indexed_block", "hindexed_block", "resized", "dup",
                 "subarray", "darray", "struct", "struct"])
    if how == "dup":
        return f"MPI_Type_dup({old}, &NEW)", {**bounds(old, [0]), "is_committed": old.is_committed}
    if how == "resized":
        lb = old.low - 8 * p.number(0, 2)
        new = -(-(old.high - old.low) // 8) * 8 + 8 * p.number(0, 3)
        return f"MPI_Type_create_resized{c}({old}, {lb}, {new}, &NEW)", {**bounds(old, [0]), "lb": lb, "ub": lb + new}
    if how == "struct":
        return structure(p, old, c, large)
    if not is_dense(old):
        return None
    if how == "contiguous":
        n = p.number(1, 4)
        return f"MPI_Type_contiguous{c}({n}, {old}, &NEW)", bounds(old, [i * ex for i in range(n)])
    if how in ("vector", "hvector"):
        n, length = p.number(1, 3), p.number(1, 3)
        stride = length + p.number(0, 2)
        step = stride * ex if how == "vector" else -(-((length - 1) * ex + ex) // 8) * 8 + 8 * p.number(0, 2)
        if p.maybe(3):
            stride, step = -stride, -step
        name = f"MPI_Type_vector{c}" if how == "vector" else f"MPI_Type_create_hvector{c}"
        return (f"{name}({n}, {length}, {stride if how == 'vector' else step}, {old}, &NEW)",
                bounds(old, [i * step + j * ex for i in range(n) for j in range(length)]))
    if how in ("indexed", "hindexed", "indexed_block", "hindexed_block"):
        in_bytes, n = how[0] == "h", p.number(1, 4)
        lengths, places = runs(p, old, n, 0 if in_bytes else 1)
        if how.endswith("block"):
            lengths = [min(lengths)] * n
        where = [(place if in_bytes else place * ex) + j * ex for length, place in zip(lengths, places) for j in range(length)]
        displacements = aints(places, large) if in_bytes else counts(places, large)
        name = "MPI_Type_indexed" if how == "indexed" else f"MPI_Type_create_{how}"
        given = lengths[0] if how.endswith("block") else counts(lengths, large)
        return f"{name}{c}({n}, {given}, {displacements}, {old}, &NEW)", bounds(old, where)
    dims = p.number(1, 3)
    sizes = [p.number(1, 4) for _ in range(dims)]
    order = p.one(["MPI_ORDER_C", "MPI_ORDER_FORTRAN"])
    if how == "subarray":
        parts = [p.number(1, size) for size in sizes]
        starts = [p.number(0, size - part) for size, part in zip(sizes, parts)]
        text = (f"MPI_Type_create_subarray{c}({dims}, {counts(sizes, large)}, {counts(parts, large)}, {counts(starts, large)}, "
                f"{order}, {old}, &NEW)")
        grid = [range(start, start + part) for start, part in zip(starts, parts)]
    else:
        processes = [p.number(1, 2) for _ in range(dims)]
        rank, total = p.number(0, 7), 1
        for side in processes:
            total *= side
        rank %= total
        ways, arguments, grid, left, rest = [], [], [], total, rank
        for dim in range(dims):
            left //= processes[dim]
            place, rest = rest // left, rest % left
            way = p.one(["MPI_DISTRIBUTE_BLOCK", "MPI_DISTRIBUTE_CYCLIC"] + ["MPI_DISTRIBUTE_NONE"] * (processes[dim] == 1))
            size, side = sizes[dim], processes[dim]
            length = 1 if way == "MPI_DISTRIBUTE_CYCLIC" else -(-size // side)
            argument = "MPI_DISTRIBUTE_DFLT_DARG"
            if way != "MPI_DISTRIBUTE_NONE" and p.maybe():
                length = argument = p.number(length, length + 1)
            ways.append(way)
            arguments.append(argument)
            grid.append([i for i in range(size) if i // length % side == place])
        text = (f"MPI_Type_create_darray{c}({total}, {rank}, {dims}, {counts(sizes, large)}, {ints(ways)}, {ints(arguments)}, "
                f"{ints(processes)}, {order}, {old}, &NEW)")
    if not all(grid):
        return None
    factors, factor = [0] * dims, 1
    for dim in (reversed(range(dims)) if order == "MPI_ORDER_C" else range(dims)):
        factors[dim], factor = factor, factor * sizes[dim]
    places = [0]
    for dim in range(dims):
        places = [place + i * factors[dim] * ex for place in places for i in grid[dim]]
    facts = bounds(old, places)
    return text, {**facts, "lb": 0, "ub": factor * ex}


def structure(p, old, c, large):
    """A struct has bounds that an MPI may pad: it is resized at once."""
    olds, place, places, lengths = [old], 0, [], []
    for _ in range(p.number(0, 3)):
        other = p.some("type", suits)
        if other:
            olds.append(other)
    p.chance.shuffle(olds)
    low = high = None
    facts = {"size": 0, "parts": 0}
    for each in olds:
        length = p.number(1, 2) if is_dense(each) else 1
        start = place - each.low
        start = -(-start // 8) * 8
        places.append(start)
        lengths.append(length)
        low = start + each.low if low is None else min(low, start + each.low)
        high = start + (length - 1) * extent(each) + each.high
        place = -(-high // 8) * 8 + 8 * p.number(0, 1)
        facts["size"] += length * each.size
        facts["parts"] += length * each.parts
    leaves = {each.leaf for each in olds}
    lb, size = -8 * p.number(0, 1), -(-high // 8) * 8 + 8 * p.number(1, 2)
    text = (f"MPI_Type_create_struct{c}({len(olds)}, {counts(lengths, large)}, {aints(places, large)}, "
            f"(MPI_Datatype[]){{ {', '.join(map(str, olds))} }}, &NEW)")
    return (text, f"MPI_Type_create_resized{c}({{}}, {lb}, {size - lb}, &NEW)"), {
        **facts, "lb": lb, "ub": size, "low": low, "high": high, "leaf": leaves.pop() if len(leaves) == 1 else None,
        "depth": max(each.depth for each in olds) + 1}


def make(p, large=False):
    old = p.some("type", suits)
    made = constructed(p, old, large)
    if not made:
        return None
    call, facts = made
    if facts["size"] > MOST_BYTES or facts["high"] - facts["low"] > MOST_EXTENT or facts["ub"] - facts["lb"] > MOST_EXTENT:
        return None
    facts.setdefault("is_committed", True)
    new = p.new("type", **facts)
    lines = []
    if isinstance(call, tuple):
        lines += ["MPI_Datatype whole;", f"OK({call[0].replace('NEW', 'whole')});",
            f"OK({call[1].format('whole').replace('NEW', new.name)});",
                  "OK(MPI_Type_free(&whole));"]
    else:
        lines.append(f"OK({call.replace('NEW', new.name)});")
    if new.is_committed and not (call[0] if isinstance(call, tuple) else call).startswith("MPI_Type_dup"):
        lines.append(f"OK(MPI_Type_commit(&{new}));")
    if p.maybe(3):
        text = "n" * p.one([0, 3, 61]) + str(p.number(0, 99))
        lines += ["char name[MPI_MAX_OBJECT_NAME];", "int length = -1;", f'OK(MPI_Type_set_name({new}, "{text}"));',
                  f"OK(MPI_Type_get_name({new}, name, &length));", 'say("name %s of %d", name, length);']
    lines.append(f'say_type("made", {new});')
    if not isinstance(call, tuple) and "_dup" in call:
        lines.append('say_callbacks("dup");')
    return "\n".join(lines)


def make_large(p):
    return make(p, True)


def make_f90(p):
    """Unnamed predefined types of Fortran's; they are never freed."""
    which = p.one(["integer", "real", "complex"])
    if which == "integer":
        call = f"MPI_Type_create_f90_integer({p.number(1, 18)}, &type)"
    else:
        call = f"MPI_Type_create_f90_{which}({p.one([p.number(1, 15), 'MPI_UNDEFINED'])}, {p.number(1, 30)}, &type)"
    return f'MPI_Datatype type;\nOK({call});\nsay_type("f90", type);'


def usable(old):
    return old.is_committed and old.size > 0


def pack(p, large=False):
    old = p.some("type", usable)
    count = p.number(0, 3) if is_dense(old) else p.number(0, 1)
    c, number = ("_c", "MPI_Count") if large else ("", "int")
    comm = p.some("comm")
    lines = [f"if ({comm} != MPI_COMM_NULL) {{", f"{number} place = 0, room = 0;",
             f"struct space from = space_for({count}, {old}, {p.number(1, 9999)}), to = space_for({count}, {old}, {p.number(1, 9999)});"]
    # MPICH 4.0.2 asserts that what it packs for others is of few types, and Open MPI has sizes of its own for MPI_LONG and its like.
    if old.leaf not in EXTERNAL or p.maybe():
        lines += [f"OK(MPI_Pack_size{c}({count}, {old}, {comm}, &room));",
                  "char *packed = malloc(room + 1);",
                  f"OK(MPI_Pack{c}(from.at, {count}, {old}, packed, room, &place, {comm}));",
                  f'say("packed %d", place >= {count * old.size} && place <= room);',
                  f"{number} end = place;", "place = 0;",
                  f"OK(MPI_Unpack{c}(packed, end, &place, to.at, {count}, {old}, {comm}));", 'say("unpacked %d", place == end);']
    else:
        number = "MPI_Count" if large else "MPI_Aint"
        lines[1] = f"{number} place = 0, room = 0;"
        lines += [f'OK(MPI_Pack_external_size{c}("external32", {count}, {old}, &room));', "char *packed = malloc(room + 1);",
                  f'OK(MPI_Pack_external{c}("external32", from.at, {count}, {old}, packed, room, &place));',
                  f'say("packed %lld of %lld: %08x", (long long)place, (long long)room, digest(packed, place));',
                  f"{number} end = place;", "place = 0;",
                  f'OK(MPI_Unpack_external{c}("external32", packed, end, &place, to.at, {count}, {old}));',
                  'say("unpacked %lld", (long long)place);']
    lines += ["free(packed);", 'say_space("from", &from);', 'say_space("to", &to);', "}"]
    return "\n".join(lines)


def pack_large(p):
    return pack(p, True)


def free_early(p):
    """Frees an object; what was made of it stays."""
    kind = p.one(["type", "comm", "group", "info", "errhandler", "op"])
    thing = p.some(kind, lambda thing: not thing.is_predefined and not getattr(thing, "busy", False))
    if not thing:
        return None
    p.things.remove(thing)
    null = Thing.NULLS[kind]
    return (f'if ({thing} != {null})\n    OK({Thing.FREES[kind]}(&{thing}));\nsay("freed %d", {thing} == {null});\n'
            'say_callbacks("free");')


STEPS = [(make, 14), (make_f90, 1), (pack, 4), (free_early, 4)]
LARGE = [(make_large, 8), (pack_large, 2)]
