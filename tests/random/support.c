/* SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"
#include "../conformance/observe.h"

int me, everyone;
static const char *program = "-";
static int step;
static FILE *said;

void at(int number)
{
    step = number;
}

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(said, "%s %d ", program, step);
    vfprintf(said, format, arguments);
    fputc('\n', said);
    fflush(said);
    va_end(arguments);
}

const char *class_name(int code)
{
    return class_of(code);
}

int ok(int code, const char *call)
{
    if (code != MPI_SUCCESS)
        say("%.*s fails: %s", (int)strcspn(call, "("), call, class_of(code));
    return code == MPI_SUCCESS;
}

void outcome(const char *label, int code)
{
    say("%s: %s", label, class_of(code));
}

int avoids(const char *check)
{
    const char *list = getenv("RANDOM_AVOIDS");
    size_t length = strlen(check);
    for (const char *found = list; found && (found = strstr(found, check)); found += length)
        if ((found == list || found[-1] == ' ') && (found[length] == ' ' || !found[length]))
            return 1;
    return 0;
}

/* ------------------------------------------------------------ memory */

void *junk(void)
{
    static __thread unsigned char bytes[256];
    static __thread int turn;
    memset(bytes, turn++ % 2 || avoids("handles-of-objects") ? 0x5a : 0xa5, sizeof bytes);
    return bytes;
}

void *anywhere(unsigned seed)
{
    static const MPI_Aint addresses[] = { 1, 2, 3, 4, 8, 10, 11, -1, -2, 0, 0x5a5a5a5a, 0x10000 };
    /* Two buffers have two addresses: Open MPI takes equal ones for an operation in place, on the ranks that have them. */
    static char places[97];
    void *address = (void *)addresses[seed % (sizeof addresses / sizeof *addresses)];
    return address == MPI_IN_PLACE || address == MPI_BOTTOM || address == (void *)MPI_UNWEIGHTED ||
           address == (void *)MPI_WEIGHTS_EMPTY ? (void *)&places[seed % sizeof places] : address;
}

void fill(void *memory, size_t size, unsigned seed)
{
    unsigned char *bytes = memory;
    unsigned state = seed * 2654435761u + 12345;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = state >> 24;
    }
}

void fill_ints(int *numbers, int count, unsigned seed)
{
    unsigned state = seed * 2654435761u + 777;
    for (int i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (state >> 20) % 10;
    }
}

unsigned digest(const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    unsigned sum = 2166136261u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 16777619u;
    return sum;
}

void say_ints(const char *label, const int *numbers, int count)
{
    char text[2000] = "";
    size_t length = 0;
    for (int i = 0; i < count && length < sizeof text - 20; i++)
        length += sprintf(text + length, " %d", numbers[i]);
    say("%s:%s", label, text);
}

enum { MARGIN = 64, ALIGNED = 16 };

struct space space_for(MPI_Count count, MPI_Datatype type, unsigned seed)
{
    struct space space = { 0, 0, 0 };
    MPI_Aint lb = 0, extent = 0, true_lb = 0, true_extent = 0;
    if (count == 0) {
        space.at = anywhere(seed);
        return space;
    }
    OK(MPI_Type_get_extent(type, &lb, &extent));
    OK(MPI_Type_get_true_extent(type, &true_lb, &true_extent));
    MPI_Aint last = (MPI_Aint)(count - 1) * extent, from = true_lb + (last < 0 ? last : 0);
    space.size = (size_t)(true_extent + (last < 0 ? -last : last)) + 2 * MARGIN + ALIGNED;
    space.memory = malloc(space.size);
    fill(space.memory, space.size, seed);
    /* Displacements are multiples of what the leaves need, and so is the address. */
    space.at = (void *)(((MPI_Aint)space.memory + MARGIN - from + ALIGNED - 1) & ~(MPI_Aint)(ALIGNED - 1));
    return space;
}

void say_space(const char *label, struct space *space)
{
    say("%s: %08x", label, space->memory ? digest(space->memory, space->size) : 0);
    free(space->memory);
    space->memory = 0;
}

/* ------------------------------------------------------------ objects */

void clear_status(MPI_Status *status)
{
    clear_statuses(status, 1);
}

static const char *number_name(int number)
{
    static __thread char text[4][20];
    static __thread int turn;
    char *name = text[turn++ % 4];
    if (number == MPI_UNDEFINED)
        return "MPI_UNDEFINED";
    sprintf(name, "%d", number);
    return name;
}

void say_status(const char *label, const MPI_Status *status, MPI_Datatype type)
{
    int count = -1, elements = -1, cancelled = -1;
    MPI_Count large = -1;
#ifdef WITH_LARGE
    MPI_Count more = -1;
    OK(MPI_Get_count_c(status, type, &more));
    OK(MPI_Get_elements_c(status, type, &large));
    say("%s: %lld %lld", label, more == MPI_UNDEFINED ? -99LL : (long long)more, large == MPI_UNDEFINED ? -99LL : (long long)large);
#endif
    OK(MPI_Get_count(status, type, &count));
    OK(MPI_Get_elements(status, type, &elements));
    OK(MPI_Get_elements_x(status, type, &large));
    OK(MPI_Test_cancelled(status, &cancelled));
    say("%s: from %s tag %s count %s elements %s %lld%s", label,
        status->MPI_SOURCE == MPI_PROC_NULL ? "MPI_PROC_NULL" : status->MPI_SOURCE == MPI_ANY_SOURCE ? "MPI_ANY_SOURCE"
                                                                                                      : number_name(status->MPI_SOURCE),
        status->MPI_TAG == MPI_ANY_TAG ? "MPI_ANY_TAG" : number_name(status->MPI_TAG), number_name(count), number_name(elements),
        large == MPI_UNDEFINED ? -99LL : (long long)large, cancelled ? " cancelled" : "");
}

void say_group(const char *label, MPI_Group group)
{
    int size = -1, rank = -1, ranks[64], world[64];
    MPI_Group all;
    OK(MPI_Group_size(group, &size));
    OK(MPI_Group_rank(group, &rank));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    for (int i = 0; i < size && i < 64; i++)
        ranks[i] = i;
    if (size > 0)
        OK(MPI_Group_translate_ranks(group, size, ranks, all, world));
    char text[600] = "";
    for (int i = 0; i < size && i < 64; i++)
        sprintf(text + strlen(text), " %s", number_name(world[i]));
    say("%s: rank %s of %d:%s%s", label, number_name(rank), size, text, group == MPI_GROUP_EMPTY ? " empty" : "");
    OK(MPI_Group_free(&all));
}

int is_crowded(MPI_Comm comm)
{
    int topology, dims = 0, sides[8], periods[8], places[8], crowded = 0;
    OK(MPI_Topo_test(comm, &topology));
    if (topology != MPI_CART)
        return 0;
    OK(MPI_Cartdim_get(comm, &dims));
    OK(MPI_Cart_get(comm, 8, sides, periods, places));
    for (int i = 0; i < dims; i++)
        crowded |= periods[i] && sides[i] < 3;
    return crowded;
}

static const char *topology_name(int topology)
{
    return topology == MPI_CART ? "cart" : topology == MPI_GRAPH ? "graph" : topology == MPI_DIST_GRAPH ? "dist" :
           topology == MPI_UNDEFINED ? "none" : "?";
}

void say_comm(const char *label, MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME + 1] = "";
    int size = -1, rank = -1, inter = -1, remote = 0, topology = -1, length = -1;
    MPI_Group group;
    if (comm == MPI_COMM_NULL) {
        say("%s: null", label);
        return;
    }
    OK(MPI_Comm_size(comm, &size));
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_test_inter(comm, &inter));
    if (inter)
        OK(MPI_Comm_remote_size(comm, &remote));
    else
        OK(MPI_Topo_test(comm, &topology));
    say("%s: rank %d of %d, %s %d %s", label, rank, size, inter ? "inter" : "intra", remote, inter ? "" : topology_name(topology));
    OK(MPI_Comm_group(comm, &group));
    say_group(label, group);
    OK(MPI_Group_free(&group));
    if (inter) {
        OK(MPI_Comm_remote_group(comm, &group));
        say_group(label, group);
        OK(MPI_Group_free(&group));
    }
    OK(MPI_Comm_get_name(comm, name, &length));
    say("%s: name '%s' of %d", label, name, length);
    if (topology == MPI_CART) {
        int dims = 0, sides[8], periods[8], places[8], source, target;
        OK(MPI_Cartdim_get(comm, &dims));
        OK(MPI_Cart_get(comm, 8, sides, periods, places));
        for (int i = 0; i < dims; i++)
            periods[i] = !!periods[i];
        say_ints("sides", sides, dims);
        say_ints("periods", periods, dims);
        say_ints("place", places, dims);
        for (int i = 0; i < dims; i++) {
            OK(MPI_Cart_shift(comm, i, 1, &source, &target));
            say("shift: %d %d", source == MPI_PROC_NULL ? -77 : source, target == MPI_PROC_NULL ? -77 : target);
        }
    } else if (topology == MPI_GRAPH) {
        int nodes = 0, edges = 0, index[64], ends[256], count = 0;
        OK(MPI_Graphdims_get(comm, &nodes, &edges));
        OK(MPI_Graph_get(comm, 64, 256, index, ends));
        say_ints("index", index, nodes);
        say_ints("edges", ends, edges);
        OK(MPI_Graph_neighbors_count(comm, rank, &count));
        OK(MPI_Graph_neighbors(comm, rank, count, ends));
        say_ints("neighbors", ends, count);
    } else if (topology == MPI_DIST_GRAPH) {
        int in = 0, out = 0, weighted = 0, sources[64], targets[64], in_weights[64], out_weights[64];
        OK(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted));
        OK(MPI_Dist_graph_neighbors(comm, in, sources, weighted ? in_weights : MPI_UNWEIGHTED, out, targets,
                                    weighted ? out_weights : MPI_UNWEIGHTED));
        say("degrees: %d %d%s", in, out, weighted ? " weighted" : "");
        say_ints("sources", sources, in);
        say_ints("targets", targets, out);
        if (weighted) {
            say_ints("weights", in_weights, in);
            say_ints("weights", out_weights, out);
        }
    }
}

/* A number among the contents of a type. Those of a darray are size, rank, dims; sizes, unless these are large; distributions, their
 * arguments, the grid; the order. */
static const char *part_name(int combiner, int i, int count, const int *numbers, int is_large)
{
    int number = numbers[i], dims = combiner == MPI_COMBINER_DARRAY ? numbers[2] : 0, ways = is_large ? 3 : 3 + dims;
    if ((combiner == MPI_COMBINER_SUBARRAY || combiner == MPI_COMBINER_DARRAY) && i == count - 1)
        return number == MPI_ORDER_C ? "ORDER_C" : number == MPI_ORDER_FORTRAN ? "ORDER_FORTRAN" : "?";
    if (dims && i >= ways && i < ways + dims)
        return number == MPI_DISTRIBUTE_BLOCK ? "BLOCK" : number == MPI_DISTRIBUTE_CYCLIC ? "CYCLIC" :
               number == MPI_DISTRIBUTE_NONE ? "NONE" : "?";
    if (dims && i >= ways + dims && i < ways + 2 * dims && number == MPI_DISTRIBUTE_DFLT_DARG)
        return "DFLT";
    return number_name(number);
}

static const char *predefined_name(MPI_Datatype type)
{
#define NAME(name) if (type == name) return #name;
    NAME(MPI_CHAR) NAME(MPI_SIGNED_CHAR) NAME(MPI_UNSIGNED_CHAR) NAME(MPI_BYTE) NAME(MPI_SHORT) NAME(MPI_UNSIGNED_SHORT)
    NAME(MPI_INT) NAME(MPI_UNSIGNED) NAME(MPI_LONG) NAME(MPI_UNSIGNED_LONG) NAME(MPI_LONG_LONG) NAME(MPI_UNSIGNED_LONG_LONG)
    NAME(MPI_FLOAT) NAME(MPI_DOUBLE) NAME(MPI_WCHAR) NAME(MPI_INT8_T) NAME(MPI_INT16_T) NAME(MPI_INT32_T) NAME(MPI_INT64_T)
    NAME(MPI_UINT8_T) NAME(MPI_UINT16_T) NAME(MPI_UINT32_T) NAME(MPI_UINT64_T) NAME(MPI_C_BOOL) NAME(MPI_C_FLOAT_COMPLEX)
    NAME(MPI_C_DOUBLE_COMPLEX) NAME(MPI_AINT) NAME(MPI_OFFSET) NAME(MPI_COUNT) NAME(MPI_FLOAT_INT) NAME(MPI_DOUBLE_INT)
    NAME(MPI_LONG_INT) NAME(MPI_SHORT_INT) NAME(MPI_2INT) NAME(MPI_PACKED) NAME(MPI_LONG_DOUBLE)
#undef NAME
    return "predefined";
}

static const char *combiner_name(int combiner)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {
        { MPI_COMBINER_NAMED, "named" }, { MPI_COMBINER_DUP, "dup" }, { MPI_COMBINER_CONTIGUOUS, "contiguous" },
        { MPI_COMBINER_VECTOR, "vector" }, { MPI_COMBINER_HVECTOR, "hvector" }, { MPI_COMBINER_INDEXED, "indexed" },
        { MPI_COMBINER_HINDEXED, "hindexed" }, { MPI_COMBINER_INDEXED_BLOCK, "indexed_block" },
        { MPI_COMBINER_HINDEXED_BLOCK, "hindexed_block" }, { MPI_COMBINER_STRUCT, "struct" },
        { MPI_COMBINER_SUBARRAY, "subarray" }, { MPI_COMBINER_DARRAY, "darray" }, { MPI_COMBINER_F90_REAL, "f90_real" },
        { MPI_COMBINER_F90_COMPLEX, "f90_complex" }, { MPI_COMBINER_F90_INTEGER, "f90_integer" },
        { MPI_COMBINER_RESIZED, "resized" },
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == combiner)
            return names[i].name;
    return "?";
}

/* Types have at most so many numbers, addresses and types of each kind. */
enum { PARTS = 64 };
/* Types of constructors of large counts show their parts to such procedures alone. Open MPI reads as many types as there is room for. */
#ifdef WITH_LARGE
typedef MPI_Count parts_number;
#define ENVELOPE(type, ints, addresses, counts, types, combiner) \
    OK(MPI_Type_get_envelope_c(type, &ints, &addresses, &counts, &types, &combiner))
#define CONTENTS(type, ints, addresses, counts, types, numbers, places, large, inner) \
    OK(MPI_Type_get_contents_c(type, ints, addresses, counts, types, numbers, places, large, inner))
#else
typedef int parts_number;
#define ENVELOPE(type, ints, addresses, counts, types, combiner) \
    (counts = 0, OK(MPI_Type_get_envelope(type, &ints, &addresses, &types, &combiner)))
#define CONTENTS(type, ints, addresses, counts, types, numbers, places, large, inner) \
    OK(MPI_Type_get_contents(type, ints, addresses, types, numbers, places, inner))
#endif

static void say_contents(MPI_Datatype type, int depth)
{
    parts_number ints = 0, addresses = 0, counts = 0, types = 0, ignored;
    int combiner = 0, numbers[PARTS];
    MPI_Aint places[PARTS];
    MPI_Count large[PARTS];
    MPI_Datatype inner[PARTS];
    ENVELOPE(type, ints, addresses, counts, types, combiner);
    if (combiner == MPI_COMBINER_NAMED) {
        say("%*s%s", depth, "", predefined_name(type));
        return;
    }
    if (ints > PARTS || addresses > PARTS || counts > PARTS || types > PARTS)
        return;
    CONTENTS(type, ints, addresses, counts, types, numbers, places, large, inner);
    char text[2000] = "";
    for (int i = 0; i < ints; i++)
        sprintf(text + strlen(text), " %s", part_name(combiner, i, ints, numbers, counts > 0));
    for (int i = 0; i < addresses; i++)
        sprintf(text + strlen(text), " @%lld", (long long)places[i]);
    for (int i = 0; i < counts; i++)
        sprintf(text + strlen(text), " %lld", (long long)large[i]);
    say("%*s%s%s", depth, "", combiner_name(combiner), text);
    for (int i = 0; i < types; i++) {
        say_contents(inner[i], depth + 1);
        ENVELOPE(inner[i], ignored, ignored, ignored, ignored, combiner);
        if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX &&
            combiner != MPI_COMBINER_F90_INTEGER)
            OK(MPI_Type_free(&inner[i]));
    }
}

void say_type(const char *label, MPI_Datatype type)
{
    int size = -1;
    MPI_Count large = -1, large_lb = -1, large_extent = -1;
    MPI_Aint lb = -1, extent = -1, true_lb = -1, true_extent = -1;
#ifdef WITH_LARGE
    OK(MPI_Type_size_c(type, &large));
    OK(MPI_Type_get_extent_c(type, &large_lb, &large_extent));
    say("%s: size %lld, lb %lld extent %lld", label, (long long)large, (long long)large_lb, (long long)large_extent);
    OK(MPI_Type_get_true_extent_c(type, &large_lb, &large_extent));
    say("%s: lb %lld extent %lld", label, (long long)large_lb, (long long)large_extent);
#endif
    OK(MPI_Type_size(type, &size));
    OK(MPI_Type_size_x(type, &large));
    OK(MPI_Type_get_extent(type, &lb, &extent));
    OK(MPI_Type_get_true_extent(type, &true_lb, &true_extent));
    OK(MPI_Type_get_extent_x(type, &large_lb, &large_extent));
    say("%s: size %d %lld, lb %lld extent %lld, %lld %lld, true %lld %lld", label, size, (long long)large, (long long)lb,
        (long long)extent, (long long)large_lb, (long long)large_extent, (long long)true_lb, (long long)true_extent);
    say_contents(type, 0);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void say_info(const char *label, MPI_Info info)
{
    int keys = -1, flag, length;
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1], *lines[64];
    OK(MPI_Info_get_nkeys(info, &keys));
    say("%s: %d keys", label, keys);
    for (int i = 0; i < keys && i < 64; i++) {
        flag = length = -1;
        OK(MPI_Info_get_nthkey(info, i, key));
        OK(MPI_Info_get_valuelen(info, key, &length, &flag));
        memset(value, 'x', sizeof value);
        value[MPI_MAX_INFO_VAL] = 0;
        OK(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag));
        lines[i] = malloc(sizeof key + sizeof value + 40);
        sprintf(lines[i], "%s=%s of %d, %d", key, value, length, !!flag);
    }
    /* MPI promises no order of keys. */
    if (keys > 0 && keys <= 64)
        qsort(lines, keys, sizeof *lines, by_text);
    for (int i = 0; i < keys && i < 64; i++) {
        say("%s: %s", label, lines[i]);
        free(lines[i]);
    }
}

/* ------------------------------------------------------------ attributes */

static int copies, deletes, wrong_state;
static int values[1000];
static int state_of_copies;

static int copy_value(void *extra, void *in, void *out, int *flag)
{
    wrong_state += extra != &state_of_copies;
    copies++;
    *(void **)out = (int *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}
static int refuse_value(void *extra, int *flag)
{
    wrong_state += extra != &state_of_copies;
    copies++;
    *flag = 0;
    return MPI_SUCCESS;
}
static int delete_value(void *extra)
{
    wrong_state += extra != &state_of_copies;
    deletes++;
    return MPI_SUCCESS;
}
#define ATTRIBUTES(X, handle, DUP) \
    static int copy_##X(handle object, int keyval, void *extra, void *in, void *out, int *flag) { return copy_value(extra, in, out, flag); } \
    static int refuse_##X(handle object, int keyval, void *extra, void *in, void *out, int *flag) { return refuse_value(extra, flag); } \
    static int delete_##X(handle object, int keyval, void *value, void *extra) { return delete_value(extra); } \
    static void keyval_##X(int kind, int *keyval) \
    { \
        OK(MPI_##X##_create_keyval(kind == COPIED ? copy_##X : kind == REFUSED ? refuse_##X : DUP, delete_##X, keyval, &state_of_copies)); \
    }
ATTRIBUTES(Comm, MPI_Comm, MPI_COMM_DUP_FN)
ATTRIBUTES(Type, MPI_Datatype, MPI_TYPE_DUP_FN)
ATTRIBUTES(Win, MPI_Win, MPI_WIN_DUP_FN)

void keyval_for(char of, int kind, int *keyval)
{
    (of == 'c' ? keyval_Comm : of == 't' ? keyval_Type : keyval_Win)(kind, keyval);
}

void set_attribute(char of, void *object, int keyval, int value)
{
    int *at = &values[value % 900];
    if (of == 'c')
        OK(MPI_Comm_set_attr(*(MPI_Comm *)object, keyval, at));
    else if (of == 't')
        OK(MPI_Type_set_attr(*(MPI_Datatype *)object, keyval, at));
    else
        OK(MPI_Win_set_attr(*(MPI_Win *)object, keyval, at));
}

void say_attribute(const char *label, char of, void *object, int keyval)
{
    int *value = 0, flag = -1;
    if (of == 'c')
        OK(MPI_Comm_get_attr(*(MPI_Comm *)object, keyval, &value, &flag));
    else if (of == 't')
        OK(MPI_Type_get_attr(*(MPI_Datatype *)object, keyval, &value, &flag));
    else
        OK(MPI_Win_get_attr(*(MPI_Win *)object, keyval, &value, &flag));
    if (flag)
        say("%s: attribute %td", label, value - values);
    else
        say("%s: no attribute", label);
}

void promise_callbacks(const char *check, int deleted)
{
    if (!avoids(check))
        return;
    copies = 0;
    deletes = deleted;
}

void say_callbacks(const char *label)
{
    say("%s: %d copied, %d deleted, %d with another state", label, copies, deletes, wrong_state);
    copies = deletes = wrong_state = 0;
}

/* ------------------------------------------------------------ operations */

MPI_Datatype expected_type;
static int wrong_types;

static void add_elements(int *in, int *out, long long count)
{
    for (long long i = 0; i < count; i++)
        out[i] = (in[i] + out[i]) % 1009;
}

/* A pair (a, b) stands for x -> a x + b modulo 101; the operation is the composition of two. */
static void compose_pairs(int *in, int *out, long long count)
{
    for (long long i = 0; i < count; i++) {
        int a = in[2 * i] * out[2 * i] % 101, b = (in[2 * i] * out[2 * i + 1] + in[2 * i + 1]) % 101;
        out[2 * i] = a;
        out[2 * i + 1] = b;
    }
}

void add_modulo(void *in, void *out, int *count, MPI_Datatype *type)
{
    wrong_types += *type != expected_type;
    add_elements(in, out, *count);
}
void compose(void *in, void *out, int *count, MPI_Datatype *type)
{
    wrong_types += *type != expected_type;
    compose_pairs(in, out, *count);
}
#ifdef WITH_LARGE
void add_modulo_large(void *in, void *out, MPI_Count *count, MPI_Datatype *type)
{
    wrong_types += *type != expected_type;
    add_elements(in, out, *count);
}
void compose_large(void *in, void *out, MPI_Count *count, MPI_Datatype *type)
{
    wrong_types += *type != expected_type;
    compose_pairs(in, out, *count);
}
#endif

void say_operation(const char *label)
{
    say("%s: %s", label, wrong_types ? "another datatype" : "its datatype");
    wrong_types = 0;
}

/* ------------------------------------------------------------ errors */

MPI_Comm expected_comm;
static char handled[1000];

static void note_handled(const char *what, int code)
{
    if (strlen(handled) < sizeof handled - 100)
        sprintf(handled + strlen(handled), " %s %s", what, class_of(code));
}
void handle_comm(MPI_Comm *comm, int *code, ...)
{
    note_handled(*comm == expected_comm ? "comm" : "another comm", *code);
}
void handle_win(MPI_Win *win, int *code, ...)
{
    note_handled("win", *code);
}
void handle_file(MPI_File *file, int *code, ...)
{
    note_handled("file", *code);
}
void say_handled(const char *label)
{
    say("%s:%s", label, handled);
    handled[0] = 0;
}

/* ------------------------------------------------------------ completion */

enum { MOST = 32 };

void complete(const char *label, int procedure, int count, MPI_Request *requests, const MPI_Datatype *types, int ignore)
{
    MPI_Status statuses[MOST], found[MOST];
    int done[MOST] = { 0 }, indices[MOST], index, flag, left = 0, some, code = MPI_SUCCESS;
    char text[100];
    for (int i = 0; i < count; i++) {
        clear_status(&statuses[i]);
        left += requests[i] != MPI_REQUEST_NULL;
    }
#define STATUS(i) (ignore ? MPI_STATUS_IGNORE : &statuses[i])
    switch (procedure) {
    case WAIT:
        for (int i = 0; i < count; i++)
            if ((done[i] = requests[i] != MPI_REQUEST_NULL))
                OK(MPI_Wait(&requests[i], STATUS(i)));
        break;
    case TEST:
        for (int i = 0; i < count; i++)
            for (flag = 0; !flag && requests[i] != MPI_REQUEST_NULL; done[i] = 1)
                if (!OK(MPI_Test(&requests[i], &flag, STATUS(i))))
                    break;
        break;
    case GET_STATUS:
        for (int i = 0; i < count; i++) {
            if (requests[i] == MPI_REQUEST_NULL)
                continue;
            for (flag = 0; !flag;)
                if (!OK(MPI_Request_get_status(requests[i], &flag, STATUS(i))))
                    break;
            done[i] = 1;
            OK(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
        }
        break;
    case WAITALL:
        for (int i = 0; i < count; i++)
            done[i] = requests[i] != MPI_REQUEST_NULL;
        OK(MPI_Waitall(count, requests, ignore ? MPI_STATUSES_IGNORE : statuses));
        break;
    case TESTALL:
        for (int i = 0; i < count; i++)
            done[i] = requests[i] != MPI_REQUEST_NULL;
        for (flag = 0; !flag;)
            if (!OK(MPI_Testall(count, requests, &flag, ignore ? MPI_STATUSES_IGNORE : statuses)))
                break;
        break;
    case WAITANY:
    case TESTANY:
        for (;;) {
            flag = 1;
            index = -1;
            MPI_Status status;
            clear_status(&status);
            MPI_Status *where = ignore ? MPI_STATUS_IGNORE : &status;
            code = procedure == WAITANY ? MPI_Waitany(count, requests, &index, where)
                                        : MPI_Testany(count, requests, &index, &flag, where);
            if (!ok(code, procedure == WAITANY ? "MPI_Waitany" : "MPI_Testany") || (flag && index == MPI_UNDEFINED))
                break;
            if (flag && (index < 0 || index >= count || done[index])) {
                say("%s: index %d", label, index);
                break;
            }
            if (flag) {
                done[index] = 1;
                statuses[index] = status;
            }
        }
        break;
    case WAITSOME:
    case TESTSOME:
        for (;;) {
            some = -1;
            for (int i = 0; i < count; i++)
                clear_status(&found[i]);
            code = procedure == WAITSOME
                     ? MPI_Waitsome(count, requests, &some, indices, ignore ? MPI_STATUSES_IGNORE : found)
                     : MPI_Testsome(count, requests, &some, indices, ignore ? MPI_STATUSES_IGNORE : found);
            if (!ok(code, procedure == WAITSOME ? "MPI_Waitsome" : "MPI_Testsome") || some == MPI_UNDEFINED || some < 0)
                break;
            for (int i = 0; i < some; i++) {
                if (indices[i] < 0 || indices[i] >= count || done[indices[i]]) {
                    say("%s: index %d", label, indices[i]);
                    return;
                }
                done[indices[i]] = 1;
                statuses[indices[i]] = found[i];
            }
        }
        break;
    }
#undef STATUS
    for (int i = 0; i < count; i++) {
        sprintf(text, "%.60s %d", label, i);
        say("%s: %s%s", text, done[i] ? "done" : "not done", requests[i] == MPI_REQUEST_NULL || ignore == COMPLETED ? "" : ", kept");
        if (done[i] && !ignore && types[i] != MPI_DATATYPE_NULL)
            say_status(text, &statuses[i], types[i]);
    }
}

static int queried, freed, generalized;

static int query_generalized(void *extra, MPI_Status *status)
{
    queried += generalized;
    OK(MPI_Status_set_elements(status, MPI_INT, (int)(size_t)extra));
    OK(MPI_Status_set_cancelled(status, 0));
    status->MPI_SOURCE = 7;
    status->MPI_TAG = 8;
    return MPI_SUCCESS;
}
static int free_generalized(void *extra)
{
    freed++;
    return MPI_SUCCESS;
}
static int cancel_generalized(void *extra, int complete)
{
    return MPI_SUCCESS;
}
void start_generalized(MPI_Request *request, int value)
{
    OK(MPI_Grequest_start(query_generalized, free_generalized, cancel_generalized, (void *)(size_t)value, request));
}
void finish_generalized(MPI_Request request)
{
    OK(MPI_Grequest_complete(request));
}
void say_generalized(const char *label)
{
    say("%s: %d freed", label, freed);
    queried = freed = 0;
}

/* ------------------------------------------------------------ the batch */

const char *file_name(int number)
{
    static char name[100];
    snprintf(name, sizeof name, "file.%.40s.%d", program, number);
    return name;
}

int main(int argc, char **argv)
{
    char name[32];
    int provided = -1, first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : programs_count;
    MPI_Init_thread(&argc, &argv, wanted_level, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &everyone);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    snprintf(name, sizeof name, "rank.%d", me);
    said = fopen(name, first ? "a" : "w");
    if (!said || provided < wanted_level)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_T_init_thread(wanted_level, &provided);
    for (int i = first; i < last && i < programs_count; i++) {
        program = programs[i].name;
        step = 0;
        say("begins");
        programs[i].run();
        MPI_Barrier(MPI_COMM_WORLD);
        say("ends");
    }
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
