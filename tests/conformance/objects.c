/* SPDX-License-Identifier: BSD-3-Clause */
/* Enquiries about objects: names, infos, groups, topologies, datatypes, requests, statuses, files, windows. */
#include <stdlib.h>
#include <unistd.h>

#include "observe.h"

static int numbers[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, more[8];

static const char *type_of(MPI_Datatype type)
{
    return type == MPI_INT ? "MPI_INT" : type == MPI_DOUBLE ? "MPI_DOUBLE" : type == MPI_BYTE ? "MPI_BYTE" :
           type == MPI_DATATYPE_NULL ? "null" : "made";
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 77;
    MPI_Comm comm;
    MPI_Datatype type;
    SEE("name of the world", MPI_Comm_get_name(MPI_COMM_WORLD, name, &length), note(" '%s' %d", name, length));
    SEE("name of self", MPI_Comm_get_name(MPI_COMM_SELF, name, &length), note(" '%s' %d", name, length));
    SEE("name of the null communicator", MPI_Comm_get_name(MPI_COMM_NULL, name, &length));
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    SEE("name of a duplicate", MPI_Comm_get_name(comm, name, &length), note(" '%s' %d", name, length));
    MPI_Comm_set_name(comm, "  a name ");
    SEE("name that was given", MPI_Comm_get_name(comm, name, &length), note(" '%s' %d", name, length));
    MPI_Comm_free(&comm);
    SEE("name of MPI_INT", MPI_Type_get_name(MPI_INT, name, &length), note(" '%s' %d", name, length));
    SEE("name of MPI_DOUBLE_INT", MPI_Type_get_name(MPI_DOUBLE_INT, name, &length), note(" '%s' %d", name, length));
    SEE("name of MPI_LONG_LONG", MPI_Type_get_name(MPI_LONG_LONG, name, &length), note(" '%s'", name));
    SEE("name of the null datatype", MPI_Type_get_name(MPI_DATATYPE_NULL, name, &length), note(" '%s' %d", name, length));
    MPI_Type_contiguous(2, MPI_INT, &type);
    SEE("name of a datatype that was made", MPI_Type_get_name(type, name, &length), note(" '%s' %d", name, length));
    MPI_Type_free(&type);
}

static void infos(void)
{
    MPI_Info info, again;
    char key[MPI_MAX_INFO_KEY] = "", value[64] = "as it was";
    int count = 77, length = 77, flag = 77;
    MPI_Info_create(&info);
    SEE("no keys", MPI_Info_get_nkeys(info, &count), note(" %d", count));
    MPI_Info_set(info, "b", "second");
    MPI_Info_set(info, "a", "first");
    MPI_Info_set(info, "b", "second again");
    SEE("two keys", MPI_Info_get_nkeys(info, &count), note(" %d", count));
    for (int i = 0; i < 2; i++)
        SEE(i ? "the second key" : "the first key", MPI_Info_get_nthkey(info, i, key), note(" %s", key));
    SEE("a value", MPI_Info_get(info, "b", 60, value, &flag), note(" %s flag %d", value, flag));
    SEE("a value's length", MPI_Info_get_valuelen(info, "b", &length, &flag), note(" %d flag %d", length, flag));
    SEE("the length of none", MPI_Info_get_valuelen(info, "c", &length, &flag), note(" %d flag %d", length, flag));
    SEE("a key with spaces", MPI_Info_set(info, " d ", " e "));
    SEE("its value", MPI_Info_get(info, " d ", 60, value, &flag), note(" '%s' flag %d", value, flag));
    SEE("a duplicate", MPI_Info_dup(info, &again), MPI_Info_get_nkeys(again, &count); note(" %d", count));
    SEE("delete", MPI_Info_delete(info, "a"), MPI_Info_get_nkeys(info, &count); note(" %d", count));
    MPI_Info_free(&info);
    MPI_Info_free(&again);
}

static void groups(void)
{
    MPI_Group world, none, made;
    int rank = 77, result = 77, ranks[2] = { 0, MPI_PROC_NULL }, translated[2] = { 77, 77 }, range[1][3] = { { 0, 0, 1 } };
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    SEE("rank in a group", MPI_Group_rank(world, &rank), note(" %d", rank));
    SEE("rank in the empty group", MPI_Group_rank(MPI_GROUP_EMPTY, &rank), note(" %s", rank == MPI_UNDEFINED ? "undefined" : "defined"));
    SEE("incl of none", MPI_Group_incl(world, 0, ranks, &none), note(" %s", none == MPI_GROUP_EMPTY ? "empty" : "another"));
    SEE("excl of all", MPI_Group_excl(world, 1, ranks, &made), note(" %s", made == MPI_GROUP_EMPTY ? "empty" : "another"));
    SEE("difference with itself", MPI_Group_difference(world, world, &made), note(" %s", made == MPI_GROUP_EMPTY ? "empty" : "another"));
    SEE("union with nothing", MPI_Group_union(world, MPI_GROUP_EMPTY, &made),
        MPI_Group_compare(world, made, &result); note(" %s", result == MPI_IDENT ? "identical" : "another"));
    SEE("range_incl", MPI_Group_range_incl(world, 1, range, &made), MPI_Group_size(made, &rank); note(" %d", rank));
    SEE("translate_ranks", MPI_Group_translate_ranks(world, 2, ranks, MPI_GROUP_EMPTY, translated),
        note(" %s %s", translated[0] == MPI_UNDEFINED ? "undefined" : "defined",
            translated[1] == MPI_PROC_NULL ? "MPI_PROC_NULL" : "another"));
    SEE("comm_compare with itself", MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &result),
        note(" %s", result == MPI_IDENT ? "identical" : "another"));
    SEE("comm_compare with self", MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &result),
        note(" %s", result == MPI_CONGRUENT ? "congruent" : "another"));
    MPI_Group_free(&made);
    MPI_Group_free(&world);
}

static void topologies(void)
{
    MPI_Comm cart, dist, sub;
    int dims[2] = { 0, 0 }, periods[2] = { 1, 0 }, coords[2] = { 77, 77 }, at = 77, to = 77, one = 1, zero = 0, weighted = 77, status = 77;
    SEE("dims_create", MPI_Dims_create(6, 2, dims), note(" %d %d", dims[0], dims[1]));
    dims[0] = dims[1] = 1;
    SEE("cart_create", MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart));
    SEE("topo_test", MPI_Topo_test(cart, &status), note(" %s", status == MPI_CART ? "cart" : "another"));
    SEE("topo_test of the world", MPI_Topo_test(MPI_COMM_WORLD, &status), note(" %s", status == MPI_UNDEFINED ? "undefined" : "another"));
    SEE("cart_get", MPI_Cart_get(cart, 2, dims, periods, coords),
        note(" %d %d, %d %d, %d %d", dims[0], dims[1], periods[0], periods[1], coords[0], coords[1]));
    SEE("shift that is periodic", MPI_Cart_shift(cart, 0, 1, &at, &to), note(" %d %d", at, to));
    SEE("shift that is not", MPI_Cart_shift(cart, 1, 1, &at, &to),
        note(" %s %s", at == MPI_PROC_NULL ? "MPI_PROC_NULL" : "a rank", to == MPI_PROC_NULL ? "MPI_PROC_NULL" : "a rank"));
    SEE("shift along no dimension", (MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN), MPI_Cart_shift(cart, 2, 1, &at, &to)));
    dims[0] = 1, dims[1] = 0;
    SEE("cart_sub", MPI_Cart_sub(cart, dims, &sub), MPI_Cartdim_get(sub, &at); note(" %d dimensions", at));
    SEE("dist_graph_create_adjacent",
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &zero, MPI_UNWEIGHTED, 1, &zero, MPI_UNWEIGHTED,
            MPI_INFO_NULL, 0, &dist));
    SEE("neighbors_count", MPI_Dist_graph_neighbors_count(dist, &at, &to, &weighted), note(" %d %d weighted %d", at, to, weighted));
    SEE("neighbor_allgather", MPI_Neighbor_allgather(numbers, 1, MPI_INT, more, 1, MPI_INT, dist), note(" %d", more[0]));
    SEE("graph_create of a rank that is none",
        (MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
        MPI_Graph_create(MPI_COMM_WORLD, 1, &one, (int[]){ 5 }, 0, &sub)));
    MPI_Comm_free(&dist);
    MPI_Comm_free(&cart);
}

static void envelope(const char *label, MPI_Datatype type)
{
    int integers = 77, addresses = 77, types = 77, combiner = 77, values[8] = { 0 };
    MPI_Aint places[4] = { 0 };
    MPI_Datatype of[4];
    MPI_Count lower, extent, true_lower, true_extent, size;
    SEE(label, MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), note(" %d %d %d", integers, addresses, types);
        if (combiner != MPI_COMBINER_NAMED) {
            MPI_Type_get_contents(type, integers, addresses, types, values, places, of);
            for (int i = 0; i < integers; i++)
                note(" %s", values[i] == MPI_ORDER_C && combiner == MPI_COMBINER_SUBARRAY && i == integers - 1 ? "MPI_ORDER_C" : "");
            for (int i = 0; i < integers && combiner != MPI_COMBINER_SUBARRAY; i++)
                note(" %d", values[i]);
            for (int i = 0; i < addresses; i++)
                note(" at %ld", (long)places[i]);
            for (int i = 0; i < types; i++)
                note(" %s", type_of(of[i]));
        }
        MPI_Type_get_extent_x(type, &lower, &extent);
        MPI_Type_get_true_extent_x(type, &true_lower, &true_extent);
        MPI_Type_size_x(type, &size);
        note(" extent %d+%d true %d+%d size %d", (int)lower, (int)extent, (int)true_lower, (int)true_extent, (int)size));
}

static void datatypes(void)
{
    MPI_Datatype type, other;
    int lengths[2] = { 1, 2 }, places[2] = { 3, 0 }, sizes[2] = { 4, 4 }, starts[2] = { 1, 1 }, parts[2] = { 2, 2 };
    MPI_Aint bytes[2] = { 16, 0 };
    MPI_Datatype types[2] = { MPI_INT, MPI_DOUBLE };
    envelope("MPI_INT", MPI_INT);
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
    envelope("vector", type);
    MPI_Type_dup(type, &other);
    envelope("dup", other);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    envelope("indexed", type);
    MPI_Type_create_struct(2, lengths, bytes, types, &type);
    envelope("struct", type);
    MPI_Type_create_resized(MPI_INT, -4, 20, &type);
    envelope("resized", type);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
    envelope("subarray", type);
    MPI_Type_contiguous(0, MPI_INT, &type);
    envelope("contiguous of none", type);
    SEE("match_size", MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type), MPI_Type_size(type, sizes); note(" %d", sizes[0]));
    SEE("match_size of none", MPI_Type_match_size(MPI_TYPECLASS_REAL, 5, &type));
}

static void requests(void)
{
    MPI_Request all[3];
    MPI_Status statuses[3], status;
    int index = 77, flag = 77, count = 77, indices[3], position = 0, size = 77;
    char packed[64];
    MPI_Isend(numbers, 2, MPI_INT, 0, 4, MPI_COMM_SELF, &all[0]);
    MPI_Irecv(more, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &all[1]);
    all[2] = MPI_REQUEST_NULL;
    SEE("waitall", MPI_Waitall(3, all, statuses),
        note_status(&statuses[1]); note_status(&statuses[2]); note(" %d", all[0] == MPI_REQUEST_NULL));
    SEE("waitany of none", MPI_Waitany(3, all, &index, &status),
        note(" %s", index == MPI_UNDEFINED ? "undefined" : "defined"); note_status(&status));
    SEE("testany of none", MPI_Testany(3, all, &index, &flag, &status),
        note(" %s flag %d", index == MPI_UNDEFINED ? "undefined" : "defined", flag); note_status(&status));
    SEE("waitsome of none", MPI_Waitsome(3, all, &count, indices, statuses), note(" %s", count == MPI_UNDEFINED ? "undefined" : "defined"));
    SEE("testall of none", MPI_Testall(3, all, &flag, statuses), note(" flag %d", flag));
    MPI_Irecv(more, 8, MPI_INT, 0, 9, MPI_COMM_SELF, &all[0]);
    SEE("cancel of a receive", MPI_Cancel(&all[0]));
    SEE("wait for it", MPI_Wait(&all[0], &status), MPI_Test_cancelled(&status, &flag); note(" cancelled %d", flag));
    SEE("recv of no process", MPI_Recv(more, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_SELF, &status), note_status(&status));
    MPI_Recv_init(more, 8, MPI_INT, 0, 5, MPI_COMM_SELF, &all[0]);
    SEE("wait for what was not started", MPI_Wait(&all[0], &status), note_status(&status); note(" %d", all[0] != MPI_REQUEST_NULL));
    MPI_Start(&all[0]);
    MPI_Send(numbers, 3, MPI_INT, 0, 5, MPI_COMM_SELF);
    SEE("wait for what was", MPI_Wait(&all[0], &status), note_status(&status); note(" %d", all[0] != MPI_REQUEST_NULL));
    SEE("request_free", MPI_Request_free(&all[0]), note(" %d", all[0] == MPI_REQUEST_NULL));
    MPI_Status_set_elements(&status, MPI_INT, 3);
    SEE("get_count that does not divide", MPI_Get_count(&status, MPI_DOUBLE, &count),
        note(" %s", count == MPI_UNDEFINED ? "undefined" : "defined"));
    SEE("pack_size", MPI_Pack_size(2, MPI_INT, MPI_COMM_SELF, &size), note(" %d", size));
    SEE("pack", MPI_Pack(numbers, 2, MPI_INT, packed, sizeof packed, &position, MPI_COMM_SELF), note(" %d", position));
    position = 0;
    SEE("unpack", MPI_Unpack(packed, sizeof packed, &position, more, 2, MPI_INT, MPI_COMM_SELF),
        note(" %d: %d %d", position, more[0], more[1]));
    position = 0;
    SEE("pack_external", MPI_Pack_external("external32", numbers, 2, MPI_INT, packed, sizeof packed, (MPI_Aint[]){ 0 }),
        note(" %d", packed[3]));
}

static void file(void)
{
    MPI_File fh;
    MPI_Status status;
    MPI_Offset offset = 77;
    MPI_Datatype etype, filetype;
    char representation[MPI_MAX_DATAREP_STRING] = "";
    int mode = 77, atomic = 77;
    SEE("file_open",
        MPI_File_open(MPI_COMM_SELF, "objects.file", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
            MPI_INFO_NULL, &fh));
    SEE("file_get_amode", MPI_File_get_amode(fh, &mode),
        note(" %d %d %d %d", !!(mode & MPI_MODE_CREATE), !!(mode & MPI_MODE_RDWR), !!(mode & MPI_MODE_DELETE_ON_CLOSE),
            !!(mode & MPI_MODE_APPEND)));
    SEE("file_get_view", MPI_File_get_view(fh, &offset, &etype, &filetype, representation),
        note(" %d %s %s %s", (int)offset, type_of(etype), type_of(filetype), representation));
    SEE("write", MPI_File_write(fh, numbers, 8, MPI_INT, &status), MPI_Get_count(&status, MPI_INT, &mode); note(" %d", mode));
    SEE("get_position", MPI_File_get_position(fh, &offset), note(" %d", (int)offset));
    SEE("read beyond the end", MPI_File_read_at(fh, 24, more, 8, MPI_INT, &status),
        MPI_Get_count(&status, MPI_INT, &mode); note(" %d: %d %d", mode, more[0], more[1]));
    SEE("set_view", MPI_File_set_view(fh, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    SEE("get_view again", MPI_File_get_view(fh, &offset, &etype, &filetype, representation),
        note(" %d %s %s %s", (int)offset, type_of(etype), type_of(filetype), representation));
    SEE("get_byte_offset", MPI_File_get_byte_offset(fh, 2, &offset), note(" %d", (int)offset));
    SEE("get_atomicity", MPI_File_get_atomicity(fh, &atomic), note(" %d", atomic));
    SEE("get_size", MPI_File_get_size(fh, &offset), note(" %d", (int)offset));
    SEE("seek to the end", MPI_File_seek(fh, 0, MPI_SEEK_END), MPI_File_get_position(fh, &offset); note(" %d", (int)offset));
    SEE("file_close", MPI_File_close(&fh), note(" %s", access("objects.file", F_OK) == 0 ? "the file is there" : "the file is deleted"));
}

static void environment(void)
{
    int flag = 77, level = 77;
    MPI_Comm parent;
    SEE("initialized", MPI_Initialized(&flag), note(" %d", flag));
    SEE("finalized", MPI_Finalized(&flag), note(" %d", flag));
    SEE("is_thread_main", MPI_Is_thread_main(&flag), note(" %d", flag));
    SEE("query_thread", MPI_Query_thread(&level),
        note(" %s", level == MPI_THREAD_SINGLE ? "single" : level == MPI_THREAD_MULTIPLE ? "multiple" : "another"));
    SEE("get_parent", MPI_Comm_get_parent(&parent), note(" %s", parent == MPI_COMM_NULL ? "null" : "another"));
    SEE("wtick", MPI_Wtick() > 0 && MPI_Wtick() < 1 ? MPI_SUCCESS : MPI_ERR_OTHER);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    names();
    infos();
    groups();
    topologies();
    datatypes();
    requests();
    file();
    environment();
    MPI_Finalize();
    return 0;
}
