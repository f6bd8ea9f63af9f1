/* SPDX-License-Identifier: BSD-3-Clause */
/* Enquiries about how datatypes were made, by arguments and by counts of either size, and about errors in that;
 * packing; attributes of datatypes. */
#include "handlers.h"

static const struct {
    const char *name;
    int combiner;
} combiners[] = {
#define COMBINER(name) { #name, MPI_COMBINER_##name }
    COMBINER(NAMED), COMBINER(DUP), COMBINER(CONTIGUOUS), COMBINER(VECTOR), COMBINER(HVECTOR), COMBINER(INDEXED), COMBINER(HINDEXED),
    COMBINER(INDEXED_BLOCK), COMBINER(HINDEXED_BLOCK), COMBINER(STRUCT), COMBINER(SUBARRAY), COMBINER(DARRAY), COMBINER(F90_REAL),
    COMBINER(F90_COMPLEX), COMBINER(F90_INTEGER), COMBINER(RESIZED),
};

static const char *combiner_of(int combiner)
{
    for (size_t i = 0; i < sizeof combiners / sizeof combiners[0]; i++)
        if (combiners[i].combiner == combiner)
            return combiners[i].name;
    return "another combiner";
}

/* The order of arrays is last; distributions and their arguments are those of two dimensions, as here. */
static const char *value_of(const int *values, int i, int count, int combiner)
{
    static char digits[16];
    int value = values[i], is_darray = combiner == MPI_COMBINER_DARRAY;
    if (i == count - 1 && (is_darray || combiner == MPI_COMBINER_SUBARRAY))
        return value == MPI_ORDER_C ? "ORDER_C" : value == MPI_ORDER_FORTRAN ? "ORDER_FORTRAN" : "another order";
    if (is_darray && (i == 5 || i == 6))
        return value == MPI_DISTRIBUTE_BLOCK ? "BLOCK" : value == MPI_DISTRIBUTE_CYCLIC ? "CYCLIC" :
               value == MPI_DISTRIBUTE_NONE ? "NONE" : "another distribution";
    if (is_darray && (i == 7 || i == 8) && value == MPI_DISTRIBUTE_DFLT_DARG)
        return "DFLT_DARG";
    snprintf(digits, sizeof digits, "%d", value);
    return digits;
}

static const char *type_of(MPI_Datatype type)
{
    return type == MPI_INT ? "MPI_INT" : type == MPI_DOUBLE ? "MPI_DOUBLE" : type == MPI_CHAR ? "MPI_CHAR" :
           type == MPI_SHORT ? "MPI_SHORT" : "made";
}

static void note_extents(MPI_Datatype type)
{
    MPI_Count lower = -7, extent = -7, true_lower = -7, true_extent = -7, size = -7;
    MPI_Type_get_extent_x(type, &lower, &extent);
    MPI_Type_get_true_extent_x(type, &true_lower, &true_extent);
    MPI_Type_size_x(type, &size);
    note(", %ld+%ld true %ld+%ld size %ld", (long)lower, (long)extent, (long)true_lower, (long)true_extent, (long)size);
}

static void free_made(const MPI_Datatype *types, int count)
{
    for (int i = 0; i < count; i++) {
        int integers, addresses, others, combiner;
        MPI_Datatype made = types[i];
        MPI_Type_get_envelope(made, &integers, &addresses, &others, &combiner);
        if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_INTEGER &&
            combiner != MPI_COMBINER_F90_COMPLEX)
            MPI_Type_free(&made);
    }
}

static void describe(const char *label, MPI_Datatype type)
{
    int integers = 77, addresses = 77, types = 77, combiner = 77, values[40];
    MPI_Aint places[8];
    MPI_Datatype of[8];
    SEE(label, MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner),
        note(" %d %d %d %s:", integers, addresses, types, combiner_of(combiner));
        if (combiner != MPI_COMBINER_NAMED) {
            note(" %s", class_of(MPI_Type_get_contents(type, integers, addresses, types, values, places, of)));
            for (int i = 0; i < integers; i++)
                note(" %s", value_of(values, i, (int)integers, combiner));
            for (int i = 0; i < addresses; i++)
                note(" at %ld", (long)places[i]);
            for (int i = 0; i < types; i++)
                note(" %s", type_of(of[i]));
            free_made(of, types);
        }
        note_extents(type));
}

/* The same in large counts. */
static void describe_large(const char *label, MPI_Datatype type)
{
    MPI_Count integers = 77, addresses = 77, large = 77, types = 77, counts[16];
    int combiner = 77, values[16];
    MPI_Aint places[8];
    MPI_Datatype of[8];
    char full[100];
    if (!HAS(MPI_Type_get_envelope_c))
        return;
    snprintf(full, sizeof full, "%s, in large counts", label);
    SEE(full, MPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner),
        note(" %d %d %d %d %s:", (int)integers, (int)addresses, (int)large, (int)types, combiner_of(combiner));
        note(" %s", class_of(MPI_Type_get_contents_c(type, integers, addresses, large, types, values, places, counts, of)));
        for (int i = 0; i < (int)integers; i++) note(" %s", value_of(values, i, (int)integers, combiner));
        for (int i = 0; i < (int)addresses; i++) note(" at %ld", (long)places[i]);
        for (int i = 0; i < (int)large; i++) note(" %ld", (long)counts[i]);
        for (int i = 0; i < (int)types; i++) note(" %s", type_of(of[i]));
        free_made(of, (int)types); note_extents(type));
}

static void constructors(void)
{
    MPI_Datatype type, base, types[2] = { MPI_INT, MPI_DOUBLE };
    int lengths[2] = { 1, 2 }, places[2] = { 3, 0 }, sizes[2] = { 4, 6 }, parts[2] = { 2, 3 }, starts[2] = { 1, 2 };
    int distributions[2] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC }, distribution_arguments[2] = { MPI_DISTRIBUTE_DFLT_DARG, 2 },
        processes[2] = { 2, 1 };
    MPI_Aint bytes[2] = { 16, 0 };
#define MADE(label, ...) do { __VA_ARGS__; describe(label, type); describe_large(label, type); MPI_Type_free(&type); } while (0)
    MPI_Type_contiguous(2, MPI_SHORT, &base);
    MADE("contiguous", MPI_Type_contiguous(3, base, &type));
    MADE("vector", MPI_Type_vector(2, 1, 3, base, &type));
    MADE("vector that goes back", MPI_Type_vector(2, 1, -3, base, &type));
    MADE("hvector", MPI_Type_create_hvector(2, 1, 30, base, &type));
    MADE("indexed", MPI_Type_indexed(2, lengths, places, base, &type));
    MADE("hindexed", MPI_Type_create_hindexed(2, lengths, bytes, base, &type));
    MADE("indexed_block", MPI_Type_create_indexed_block(2, 2, places, base, &type));
    MADE("hindexed_block", MPI_Type_create_hindexed_block(2, 2, bytes, base, &type));
    MADE("struct", MPI_Type_create_struct(2, lengths, bytes, types, &type));
    MADE("struct of none", MPI_Type_create_struct(0, lengths, bytes, types, &type));
    MADE("subarray", MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, base, &type));
    MADE("darray", MPI_Type_create_darray(2, 1, 2, sizes, distributions, distribution_arguments, processes, MPI_ORDER_C, base, &type));
    distributions[1] = MPI_DISTRIBUTE_NONE;
    distribution_arguments[1] = MPI_DISTRIBUTE_DFLT_DARG;
    MADE("darray that is not distributed",
        MPI_Type_create_darray(2, 0, 2, sizes, distributions, distribution_arguments, processes, MPI_ORDER_FORTRAN, base, &type));
    MADE("resized", MPI_Type_create_resized(base, -4, 20, &type));
    MADE("dup", MPI_Type_dup(base, &type));
    MADE("dup of MPI_INT", MPI_Type_dup(MPI_INT, &type));
    MPI_Type_free(&base);
    MPI_Type_create_f90_real(6, 30, &type);
    describe("f90_real", type);
    MPI_Type_create_f90_real(MPI_UNDEFINED, 30, &type);
    describe("f90_real of any precision", type);
    MPI_Type_create_f90_complex(15, MPI_UNDEFINED, &type);
    describe("f90_complex", type);
    MPI_Type_create_f90_integer(9, &type);
    describe("f90_integer", type);
    describe("MPI_DOUBLE_INT", MPI_DOUBLE_INT);
    describe("MPI_SHORT_INT", MPI_SHORT_INT);
}

static void arguments(void)
{
    MPI_Datatype made, of[4];
    int lengths[2] = { 1, -2 }, places[2] = { 3, 0 }, sizes[2] = { 4, 6 }, parts[2] = { 2, 9 }, starts[2] = { 1, 2 }, values[8], count = 77;
    MPI_Aint bytes[2] = { 16, 0 }, lower, extent;
    MPI_Datatype types[2] = { MPI_INT, MPI_DATATYPE_NULL };
#define BAD(label, ...) do { UNTOUCHED(made); SEE(label, __VA_ARGS__, note(" %s", STATE(made, MPI_DATATYPE_NULL))); } while (0)
    BAD("vector of a negative count", MPI_Type_vector(-1, 1, 1, MPI_INT, &made));
    BAD("vector of a negative length", MPI_Type_vector(1, -1, 1, MPI_INT, &made));
    BAD("hvector of the null datatype", MPI_Type_create_hvector(1, 1, 1, MPI_DATATYPE_NULL, &made));
    BAD("indexed of a negative length", MPI_Type_indexed(2, lengths, places, MPI_INT, &made));
    BAD("hindexed of a negative length", MPI_Type_create_hindexed(2, lengths, bytes, MPI_INT, &made));
    BAD("indexed_block of a negative length", MPI_Type_create_indexed_block(2, -1, places, MPI_INT, &made));
    BAD("hindexed_block of a negative count", MPI_Type_create_hindexed_block(-1, 1, bytes, MPI_INT, &made));
    lengths[1] = 1;
    BAD("struct of the null datatype", MPI_Type_create_struct(2, lengths, bytes, types, &made));
    BAD("subarray that is too large", MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &made));
    parts[1] = 3;
    BAD("subarray in no order", MPI_Type_create_subarray(2, sizes, parts, starts, 12345, MPI_INT, &made));
    BAD("subarray of a negative dimension", MPI_Type_create_subarray(-1, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &made));
    if (!host_is("mpich"))
        BAD("darray of no distribution",
            MPI_Type_create_darray(1, 0, 1, sizes, (int[]){ 12345 }, (int[]){ MPI_DISTRIBUTE_DFLT_DARG }, (int[]){ 1 },
                MPI_ORDER_C, MPI_INT, &made));
    BAD("resized of the null datatype", MPI_Type_create_resized(MPI_DATATYPE_NULL, 0, 4, &made));
    BAD("dup of the null datatype", MPI_Type_dup(MPI_DATATYPE_NULL, &made));
    BAD("f90_real that is too precise", MPI_Type_create_f90_real(400, 30, &made));
    BAD("f90_integer that is too large", MPI_Type_create_f90_integer(400, &made));
    BAD("match_size of no class", MPI_Type_match_size(12345, 4, &made));
    SEE("get_contents of a named datatype", MPI_Type_get_contents(MPI_INT, 8, 2, 4, values, bytes, of));
    MPI_Type_vector(2, 1, 3, MPI_INT, &made);
    SEE("get_contents in too little room", MPI_Type_get_contents(made, 1, 0, 1, values, bytes, of));
    SEE("get_extent of the null datatype", MPI_Type_get_extent(MPI_DATATYPE_NULL, &lower, &extent));
    SEE("commit of the null datatype", (__extension__({ MPI_Datatype null = MPI_DATATYPE_NULL; MPI_Type_commit(&null); })));
    SEE("commit twice", (MPI_Type_commit(&made), MPI_Type_commit(&made)));
    SEE("free", MPI_Type_free(&made), note(" %s", made == MPI_DATATYPE_NULL ? "null" : "not null"));
    SEE("get_envelope of the null datatype", MPI_Type_get_envelope(MPI_DATATYPE_NULL, &count, &count, &count, &count));
    if (HAS(MPI_Type_contiguous_c)) {
        MPI_Count large[2] = { (MPI_Count)1 << 33, 1 }, at[2] = { 0, (MPI_Count)1 << 36 };
        BAD("contiguous of a negative large count", MPI_Type_contiguous_c(-1, MPI_INT, &made));
        BAD("contiguous of many", MPI_Type_contiguous_c((MPI_Count)1 << 33, MPI_CHAR, &made));
        describe_large("contiguous of many, described", made);
        int integers = 77, addresses = 77, others = 77, combiner = 77;
        SEE("get_envelope of many", MPI_Type_get_envelope(made, &integers, &addresses, &others, &combiner));
        SEE("type_size of many", MPI_Type_size(made, &count), note(" %s", count == MPI_UNDEFINED ? "undefined" : "defined"));
        SEE("get_extent of many", MPI_Type_get_extent(made, &lower, &extent), note(" %ld", (long)extent));
        MPI_Type_free(&made);
        SEE("hindexed of many", MPI_Type_create_hindexed_c(2, large, at, MPI_CHAR, &made));
        describe_large("hindexed of many, described", made);
        MPI_Type_free(&made);
    }
}

static void packing(void)
{
    char room[64];
    int position = 0, size = 77, numbers[4] = { 1, 2, 3, 4 }, out[4] = { 0 };
    MPI_Aint large_position = 0, large_size = 77;
    SEE("pack_size", MPI_Pack_size(4, MPI_INT, duplicate, &size), note(" %s", size >= 16 ? "enough" : "too little"));
    SEE("pack", MPI_Pack(numbers, 4, MPI_INT, room, sizeof room, &position, duplicate),
        note(" %s", position >= 16 ? "enough" : "too little"));
    position = 0;
    SEE("unpack", MPI_Unpack(room, sizeof room, &position, out, 4, MPI_INT, duplicate), note_numbers(out, 4));
    SEE("pack of a negative count", MPI_Pack(numbers, -4, MPI_INT, room, sizeof room, &position, duplicate));
    SEE("pack of the null datatype", MPI_Pack(numbers, 4, MPI_DATATYPE_NULL, room, sizeof room, &position, duplicate));
    SEE("pack on the null communicator", MPI_Pack(numbers, 4, MPI_INT, room, sizeof room, &position, MPI_COMM_NULL));
    SEE("unpack of a negative size", MPI_Unpack(room, -1, &position, out, 4, MPI_INT, duplicate));
    SEE("pack_external_size", MPI_Pack_external_size("external32", 4, MPI_INT, &large_size), note(" %ld", (long)large_size));
    SEE("pack_external", MPI_Pack_external("external32", numbers, 4, MPI_INT, room, sizeof room, &large_position),
        note(" %ld: %d %d %d %d", (long)large_position, room[0], room[3], room[4], room[7]));
    large_position = 0;
    SEE("unpack_external", MPI_Unpack_external("external32", room, sizeof room, &large_position, out, 2, MPI_INT), note_numbers(out, 2));
    SEE("pack_external_size of no representation", MPI_Pack_external_size("none", 4, MPI_INT, &large_size));
}

static int keyvals[2], refusing = -1;

static int copy(MPI_Datatype of, int keyval, void *state, void *value, void *to, int *flag)
{
    (void)of, (void)state;
    note(" copy %d value %d", keyval == keyvals[1], *(int *)value);
    *(void **)to = value;
    *flag = 1;
    return keyval == refusing ? MPI_ERR_INTERN : MPI_SUCCESS;
}

static int delete(MPI_Datatype of, int keyval, void *value, void *state)
{
    (void)of, (void)state;
    note(" delete %d value %d", keyval == keyvals[1], *(int *)value);
    return keyval == refusing ? MPI_ERR_INTERN : MPI_SUCCESS;
}

static void attributes(void)
{
    static int values[3] = { 5, 6, 7 };
    MPI_Datatype type, again;
    int *value = 0, flag = 77, invalid = MPI_KEYVAL_INVALID;
    MPI_Type_contiguous(2, MPI_INT, &type);
    for (int i = 0; i < 2; i++) {
        MPI_Type_create_keyval(copy, delete, &keyvals[i], 0);
        MPI_Type_set_attr(type, keyvals[i], &values[i]);
    }
    SEE("type_set_attr again", MPI_Type_set_attr(type, keyvals[0], &values[2]));
    UNTOUCHED(again);
    SEE("type_dup copies", MPI_Type_dup(type, &again));
    SEE("type_get_attr of a copy", MPI_Type_get_attr(again, keyvals[1], &value, &flag), note(" flag %d %d", flag, flag ? *value : 0));
    SEE("type_free of a copy", MPI_Type_free(&again));
    refusing = keyvals[1];
    UNTOUCHED(again);
    SEE("type_dup that a function refuses", MPI_Type_dup(type, &again));
    SEE("type_delete_attr that a function refuses", MPI_Type_delete_attr(type, keyvals[1]));
    refusing = -1;
    SEE("type_delete_attr", MPI_Type_delete_attr(type, keyvals[1]));
    SEE("type_get_attr of none", MPI_Type_get_attr(type, keyvals[1], &value, &flag), note(" flag %d", flag));
    SEE("type_set_attr of an invalid keyval", MPI_Type_set_attr(type, invalid, value));
    SEE("type_set_attr of a communicator's keyval", MPI_Type_set_attr(type, MPI_TAG_UB, value));
    SEE("type_get_attr of the null datatype", MPI_Type_get_attr(MPI_DATATYPE_NULL, keyvals[0], &value, &flag));
    SEE("type_free_keyval", MPI_Type_free_keyval(&keyvals[0]), note(" %s", keyvals[0] == MPI_KEYVAL_INVALID ? "invalid" : "valid"));
    SEE("type_set_attr of a predefined datatype", MPI_Type_set_attr(MPI_INT, keyvals[1], &values[0]));
    SEE("type_delete_attr of a predefined datatype", MPI_Type_delete_attr(MPI_INT, keyvals[1]));
    SEE("type_free at last", MPI_Type_free(&type));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    set_all(on_comm);
    constructors();
    arguments();
    packing();
    attributes();
    MPI_Comm_free(&duplicate);
    MPI_Finalize();
    return 0;
}
