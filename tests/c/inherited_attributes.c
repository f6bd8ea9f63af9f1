/* SPDX-License-Identifier: BSD-3-Clause */
/* hangs: openmpi */
/* ranks: 1 2 */
/* A new object has its parent's attributes after MPI_Comm_dup, MPI_Comm_idup and MPI_Type_dup, and none after
 * any other procedure that makes a communicator, window, file or datatype. Only those three call copy functions.
 * Open MPI 4.1.4 hangs in MPI_Dist_graph_create (ompi_comm_nextcid), natively, in one of a hundred runs on a busy machine. */
#include "check.h"
#include "counted_attributes.h"

/* The first keyval has a function of ours, the second one MPI's. Values are `values` and the element behind it. */
static int keyvals[2], values[2];

/* Checks a communicator that was made of one with both attributes, and frees it. */
static void check_made(const char *how, MPI_Comm made, int is_duplicate)
{
    int found[2] = { -1, -1 }, *got;
    char text[200], want[200];
    if (made != MPI_COMM_NULL) {
        for (int i = 0; i < 2; i++)
            OK(MPI_Comm_get_attr(made, keyvals[i], &got, &found[i]));
        OK(MPI_Comm_free(&made));
    } else {
        found[0] = found[1] = is_duplicate;
    }
    snprintf(text, sizeof text, "%s: %d copies, found %d %d, %d deletes", how, copies, found[0], found[1], deletes);
    snprintf(want, sizeof want, "%s: %d copies, found %d %d, %d deletes", how, is_duplicate, is_duplicate, is_duplicate,
             2 * is_duplicate);
    CHECK_STR(text, want);
    copies = deletes = 0;
}

static void communicators(MPI_Comm comm)
{
    int side[1] = { check_size }, yes[1] = { 1 }, next[1] = { (check_rank + 1) % check_size }, one[1] = { 1 };
    int ends[2] = { 1, 2 }, edges[2] = { check_size - 1, 0 };
    MPI_Comm made, parent;
    MPI_Group group;
    MPI_Request request;
    OK(MPI_Comm_dup(comm, &made));
    check_made("MPI_Comm_dup", made, 1);
    OK(MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &made));
    check_made("MPI_Comm_dup_with_info", made, 1);
    OK(MPI_Comm_idup(comm, &made, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check_made("MPI_Comm_idup", made, 1);
    OK(MPI_Comm_split(comm, 0, 0, &made));
    check_made("MPI_Comm_split", made, 0);
    OK(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made));
    check_made("MPI_Comm_split_type", made, 0);
    OK(MPI_Comm_group(comm, &group));
    OK(MPI_Comm_create(comm, group, &made));
    check_made("MPI_Comm_create", made, 0);
    if (!known_fault("create-group-copies")) {
        OK(MPI_Comm_create_group(comm, group, 3, &made));
        check_made("MPI_Comm_create_group", made, 0);
    }
    OK(MPI_Group_free(&group));
    OK(MPI_Cart_create(comm, 1, side, yes, 0, &made));
    check_made("MPI_Cart_create", made, 0);
    OK(MPI_Graph_create(comm, check_size, check_size == 1 ? one : ends, edges, 0, &made));
    check_made("MPI_Graph_create", made, 0);
    OK(MPI_Dist_graph_create(comm, 1, &check_rank, one, next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    check_made("MPI_Dist_graph_create", made, 0);
    OK(MPI_Dist_graph_create_adjacent(comm, 1, edges, MPI_UNWEIGHTED, 1, edges, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    check_made("MPI_Dist_graph_create_adjacent", made, 0);
    OK(MPI_Cart_create(comm, 1, side, yes, 0, &parent));
    OK(MPI_Comm_set_attr(parent, keyvals[0], &values[0]));
    OK(MPI_Comm_set_attr(parent, keyvals[1], &values[1]));
    OK(MPI_Cart_sub(parent, yes, &made));
    check_made("MPI_Cart_sub", made, 0);
    OK(MPI_Comm_free(&parent));
    copies = deletes = 0;
}

/* The halves of a communicator make an intercommunicator, and that an intracommunicator. */
static void intercommunicators(MPI_Comm comm)
{
    MPI_Comm half, inter, made;
    if (check_size != 2)
        return;
    OK(MPI_Comm_split(comm, check_rank, 0, &half));
    OK(MPI_Comm_set_attr(half, keyvals[0], &values[0]));
    OK(MPI_Comm_set_attr(half, keyvals[1], &values[1]));
    OK(MPI_Intercomm_create(half, 0, comm, 1 - check_rank, 5, &inter));
    OK(MPI_Comm_set_attr(inter, keyvals[0], &values[0]));
    OK(MPI_Comm_set_attr(inter, keyvals[1], &values[1]));
    OK(MPI_Intercomm_merge(inter, check_rank, &made));
    check_made("MPI_Intercomm_merge", made, 0);
    OK(MPI_Comm_dup(inter, &made));
    check_made("MPI_Comm_dup of an intercommunicator", made, 1);
    OK(MPI_Comm_free(&inter));
    copies = deletes = 0;
    OK(MPI_Intercomm_create(half, 0, comm, 1 - check_rank, 5, &inter));
    check_made("MPI_Intercomm_create", inter, 0);
    OK(MPI_Comm_free(&half));
    copies = deletes = 0;
}

/* Windows and files may have communicators of the host's own, which the program does not know. */
static void windows(MPI_Comm comm)
{
    static int memory[4];
    void *base;
    MPI_Comm node;
    MPI_Win window;
    OK(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, comm, &window));
    OK(MPI_Win_free(&window));
    check_made("MPI_Win_create", MPI_COMM_NULL, 0);
    OK(MPI_Win_allocate(64, 1, MPI_INFO_NULL, comm, &base, &window));
    OK(MPI_Win_free(&window));
    check_made("MPI_Win_allocate", MPI_COMM_NULL, 0);
    OK(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_set_attr(node, keyvals[0], &values[0]));
    OK(MPI_Comm_set_attr(node, keyvals[1], &values[1]));
    OK(MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, node, &base, &window));
    OK(MPI_Win_free(&window));
    check_made("MPI_Win_allocate_shared", MPI_COMM_NULL, 0);
    OK(MPI_Comm_free(&node));
    copies = deletes = 0;
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &window));
    OK(MPI_Win_free(&window));
    check_made("MPI_Win_create_dynamic", MPI_COMM_NULL, 0);
}

static void files(MPI_Comm comm)
{
    MPI_File file;
    OK(MPI_File_open(comm, "inherited_attributes.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                     &file));
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_write_all(file, values, 2, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_write_shared(file, values, 2, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
    check_made("MPI_File_open", MPI_COMM_NULL, 0);
}

static int copy_type(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    return copy_comm(MPI_COMM_NULL, keyval, extra, in, out, flag);
}

static int delete_type(MPI_Datatype type, int keyval, void *value, void *extra)
{
    return delete_comm(MPI_COMM_NULL, keyval, value, extra);
}

static int type_keyvals[2];

static void give_type(MPI_Datatype type)
{
    for (int i = 0; i < 2; i++)
        OK(MPI_Type_set_attr(type, type_keyvals[i], &values[i]));
}

/* As check_made() of a datatype. */
static void check_type(const char *how, MPI_Datatype made, int is_duplicate)
{
    int found[2] = { -1, -1 }, *got;
    char text[200], want[200];
    for (int i = 0; i < 2; i++)
        OK(MPI_Type_get_attr(made, type_keyvals[i], &got, &found[i]));
    OK(MPI_Type_free(&made));
    snprintf(text, sizeof text, "%s: %d copies, found %d %d, %d deletes", how, copies, found[0], found[1], deletes);
    snprintf(want, sizeof want, "%s: %d copies, found %d %d, %d deletes", how, is_duplicate, is_duplicate, is_duplicate,
             2 * is_duplicate);
    CHECK_STR(text, want);
    copies = deletes = 0;
}

static void datatypes(MPI_Datatype old)
{
    int one[1] = { 1 }, none[1] = { 0 }, distribution[1] = { MPI_DISTRIBUTE_BLOCK }, argument[1] = { MPI_DISTRIBUTE_DFLT_DARG };
    MPI_Aint place[1] = { 0 };
    MPI_Datatype made;
    OK(MPI_Type_dup(old, &made));
    check_type("MPI_Type_dup", made, 1);
    OK(MPI_Type_contiguous(1, old, &made));
    check_type("MPI_Type_contiguous", made, 0);
    OK(MPI_Type_vector(1, 1, 1, old, &made));
    check_type("MPI_Type_vector", made, 0);
    OK(MPI_Type_create_hvector(1, 1, 8, old, &made));
    check_type("MPI_Type_create_hvector", made, 0);
    OK(MPI_Type_indexed(1, one, none, old, &made));
    check_type("MPI_Type_indexed", made, 0);
    OK(MPI_Type_create_indexed_block(1, 1, none, old, &made));
    check_type("MPI_Type_create_indexed_block", made, 0);
    OK(MPI_Type_create_hindexed(1, one, place, old, &made));
    check_type("MPI_Type_create_hindexed", made, 0);
    OK(MPI_Type_create_hindexed_block(1, 1, place, old, &made));
    check_type("MPI_Type_create_hindexed_block", made, 0);
    OK(MPI_Type_create_struct(1, one, place, &old, &made));
    check_type("MPI_Type_create_struct", made, 0);
    OK(MPI_Type_create_resized(old, 0, 16, &made));
    check_type("MPI_Type_create_resized", made, 0);
    OK(MPI_Type_create_subarray(1, one, one, none, MPI_ORDER_C, old, &made));
    check_type("MPI_Type_create_subarray", made, 0);
    OK(MPI_Type_create_darray(1, 0, 1, one, distribution, argument, one, MPI_ORDER_C, old, &made));
    check_type("MPI_Type_create_darray", made, 0);
}

/* Calls for which a host may keep a datatype. */
static void uses_of_datatypes(MPI_Datatype type)
{
    int memory[2] = { 1, 2 }, ints = 0, addresses = 0, types = 0, combiner;
    MPI_Aint no_addresses[1];
    MPI_Datatype outer, inner[1], old_type, old_file_type;
    MPI_File file;
    MPI_Offset displacement;
    char representation[MPI_MAX_DATAREP_STRING];
    OK(MPI_Type_dup(type, &outer));
    copies = deletes = 0;
    OK(MPI_Type_get_envelope(outer, &ints, &addresses, &types, &combiner));
    OK(MPI_Type_get_contents(outer, ints, addresses, types, &ints, no_addresses, inner));
    CHECK_INT(copies + deletes, 0);
    OK(MPI_Type_free(&outer));
    CHECK_INT(deletes, 2);
    OK(MPI_Type_free(&inner[0]));
    copies = deletes = 0;
    /* A file of each rank: one would be deleted while the other is opened. */
    OK(MPI_File_open(MPI_COMM_SELF, check_rank == 0 ? "inherited_attributes.0" : "inherited_attributes.1",
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    OK(MPI_File_set_view(file, 0, type, type, "native", MPI_INFO_NULL));
    OK(MPI_File_write(file, memory, 1, type, MPI_STATUS_IGNORE));
    OK(MPI_File_get_view(file, &displacement, &old_type, &old_file_type, representation));
    OK(MPI_File_close(&file));
    CHECK_INT(copies, 0);
    CHECK_INT(deletes, 0);
    OK(MPI_Type_free(&old_type));
    OK(MPI_Type_free(&old_file_type));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Datatype type;
    check_begin(&argc, &argv);
    OK(MPI_Comm_create_keyval(copy_comm, delete_comm, &keyvals[0], NULL));
    OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_comm, &keyvals[1], NULL));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_attr(comm, keyvals[0], &values[0]));
    OK(MPI_Comm_set_attr(comm, keyvals[1], &values[1]));
    communicators(comm);
    if (!known_fault("intercommunicator-copies"))
        intercommunicators(comm);
    if (!known_fault("window-copies"))
        windows(comm);
    if (!known_fault("file-copies"))
        files(comm);
    OK(MPI_Comm_free(&comm));
    CHECK_INT(deletes, 2);
    OK(MPI_Comm_free_keyval(&keyvals[0]));
    OK(MPI_Comm_free_keyval(&keyvals[1]));
    copies = deletes = 0;
    OK(MPI_Type_create_keyval(copy_type, delete_type, &type_keyvals[0], NULL));
    OK(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, delete_type, &type_keyvals[1], NULL));
    OK(MPI_Type_contiguous(2, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    give_type(type);
    datatypes(type);
    uses_of_datatypes(type);
    copies = deletes = 0;
    OK(MPI_Type_free(&type));
    CHECK_INT(deletes, 2);
    OK(MPI_Type_free_keyval(&type_keyvals[0]));
    OK(MPI_Type_free_keyval(&type_keyvals[1]));
    return check_end();
}
