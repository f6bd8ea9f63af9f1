/* SPDX-License-Identifier: BSD-3-Clause */
/* Which functions of the program MPI calls, in which order, with which arguments, and what comes of what they return. */
#include <stdlib.h>

#include "observe.h"

static MPI_Comm source;
static int keyvals[3], refused = -1, kept = -1;
static int states[3];

static int number_of(int keyval)
{
    for (int i = 0; i < 3; i++)
        if (keyvals[i] == keyval)
            return i;
    return -1;
}

static int copy(MPI_Comm from, int keyval, void *state, void *in, void *out, int *flag)
{
    int i = number_of(keyval);
    note(" copy %d%s state %d value %d", i, from == source ? "" : " of another", (int)((int *)state - states), *(int *)in);
    *(void **)out = in;
    *flag = i != kept;
    return i == refused ? MPI_ERR_INTERN : MPI_SUCCESS;
}

static int delete(MPI_Comm of, int keyval, void *value, void *state)
{
    int i = number_of(keyval);
    note(" delete %d%s state %d value %d", i, of == source ? "" : " of another", (int)((int *)state - states), *(int *)value);
    return i == refused ? MPI_ERR_INTERN : MPI_SUCCESS;
}

static void comm_attributes(void)
{
    static int values[3] = { 10, 11, 12 };
    MPI_Comm made = MPI_COMM_NULL;
    void *value;
    int flag;
    MPI_Comm_dup(MPI_COMM_WORLD, &source);
    MPI_Comm_set_errhandler(source, MPI_ERRORS_RETURN);
    for (int i = 0; i < 3; i++) {
        MPI_Comm_create_keyval(copy, delete, &keyvals[i], &states[i]);
        MPI_Comm_set_attr(source, keyvals[i], &values[i]);
    }
    SEE("set again", MPI_Comm_set_attr(source, keyvals[1], &values[1]));
    SEE("dup copies", MPI_Comm_dup(source, &made));
    SEE("get of the copy", MPI_Comm_get_attr(made, keyvals[2], &value, &flag), note(" flag %d value %d", flag, *(int *)value));
    SEE("free deletes", MPI_Comm_free(&made));
    kept = 1;
    SEE("dup without one", MPI_Comm_dup(source, &made));
    SEE("get of what was not copied", MPI_Comm_get_attr(made, keyvals[1], &value, &flag), note(" flag %d", flag));
    MPI_Comm_free(&made);
    refused = 1;
    SEE("dup that a function refuses", MPI_Comm_dup(source, &made));
    SEE("delete that a function refuses", MPI_Comm_delete_attr(source, keyvals[1]));
    SEE("get of what was not deleted", MPI_Comm_get_attr(source, keyvals[1], &value, &flag), note(" flag %d", flag));
    SEE("free that a function refuses", MPI_Comm_free(&source), note(" %s", source == MPI_COMM_NULL ? "null" : "not null"));
    refused = -1;
    if (source != MPI_COMM_NULL)
        SEE("free that none refuses", MPI_Comm_free(&source), note(" %s", source == MPI_COMM_NULL ? "null" : "not null"));
    SEE("free_keyval", MPI_Comm_free_keyval(&keyvals[0]), note(" %s", keyvals[0] == MPI_KEYVAL_INVALID ? "invalid" : "valid"));
}

static void predefined_attributes(void)
{
    static const struct {
        const char *name;
        int keyval;
    } all[] = {
        { "MPI_TAG_UB", MPI_TAG_UB }, { "MPI_HOST", MPI_HOST }, { "MPI_IO", MPI_IO },
        { "MPI_WTIME_IS_GLOBAL", MPI_WTIME_IS_GLOBAL }, { "MPI_LASTUSEDCODE", MPI_LASTUSEDCODE },
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        int *value = 0, flag = 77;
        SEE(all[i].name, MPI_Comm_get_attr(MPI_COMM_WORLD, all[i].keyval, &value, &flag),
            note(" flag %d", flag);
            if (flag)
                note(" %s", *value == MPI_PROC_NULL ? "MPI_PROC_NULL" : *value == MPI_ANY_SOURCE ? "MPI_ANY_SOURCE" :
                     all[i].keyval == MPI_TAG_UB && *value >= 32767 ? "large enough" :
                     all[i].keyval == MPI_LASTUSEDCODE ? (*value >= MPI_ERR_LASTCODE ? "beyond" : "less") :
                     *value == 0 ? "0" : "a number"));
    }
}

static int type_copy(MPI_Datatype from, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)from, (void)keyval, (void)state;
    note(" type copy %d", *(int *)in);
    *(void **)out = in;
    return *flag = 1, MPI_SUCCESS;
}

static int type_delete(MPI_Datatype of, int keyval, void *value, void *state)
{
    (void)of, (void)keyval, (void)state;
    note(" type delete %d", *(int *)value);
    return MPI_SUCCESS;
}

static int win_delete(MPI_Win of, int keyval, void *value, void *state)
{
    (void)of, (void)keyval, (void)state;
    note(" win delete %d", *(int *)value);
    return MPI_SUCCESS;
}

static void other_attributes(void)
{
    static int value = 5, exposed[4];
    int type_keyval, win_keyval, *base, flag = 77;
    MPI_Datatype type, again;
    MPI_Win win;
    MPI_Type_create_keyval(type_copy, type_delete, &type_keyval, 0);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_attr(type, type_keyval, &value);
    SEE("type_dup", MPI_Type_dup(type, &again));
    SEE("type_free", MPI_Type_free(&type));
    SEE("type_free of the copy", MPI_Type_free(&again));
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, win_delete, &win_keyval, 0);
    MPI_Win_create(exposed, sizeof exposed, sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_set_attr(win, win_keyval, &value);
    SEE("MPI_WIN_BASE", MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag),
        note(" flag %d %s", flag, base == exposed ? "the base" : "another"));
    SEE("MPI_WIN_SIZE", MPI_Win_get_attr(win, MPI_WIN_SIZE, &base, &flag), note(" flag %d %d", flag, (int)*(MPI_Aint *)base));
    SEE("MPI_WIN_DISP_UNIT", MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &base, &flag), note(" flag %d %d", flag, *base));
    SEE("MPI_WIN_CREATE_FLAVOR", MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &base, &flag),
        note(" flag %d %s", flag, *base == MPI_WIN_FLAVOR_CREATE ? "create" : "another"));
    SEE("win_free", MPI_Win_free(&win));
}

static int query(void *state, MPI_Status *status)
{
    note(" query %d", *(int *)state);
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 2;
    status->MPI_TAG = 6;
    return *(int *)state == 8 ? MPI_ERR_INTERN : MPI_SUCCESS;
}

static int release(void *state)
{
    note(" free %d", *(int *)state);
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    note(" cancel %d complete %d", *(int *)state, complete);
    return MPI_SUCCESS;
}

static void generalized(void)
{
    int state = 7, failing = 8, flag = 77, index = 77;
    MPI_Request requests[2];
    MPI_Status status;
    SEE("grequest_start", MPI_Grequest_start(query, release, cancel, &state, &requests[0]));
    SEE("test before it is complete", MPI_Test(&requests[0], &flag, &status), note(" flag %d", flag));
    SEE("cancel before it is complete", MPI_Cancel(&requests[0]));
    SEE("grequest_complete", MPI_Grequest_complete(requests[0]));
    SEE("get_status", MPI_Request_get_status(requests[0], &flag, &status), note(" flag %d", flag); if (flag) note_status(&status));
    SEE("cancel when it is complete", MPI_Cancel(&requests[0]));
    SEE("wait", MPI_Wait(&requests[0], &status), note_status(&status); note(" %s", requests[0] == MPI_REQUEST_NULL ? "null" : "active"));
    MPI_Grequest_start(query, release, cancel, &state, &requests[0]);
    MPI_Grequest_start(query, release, cancel, &state, &requests[1]);
    MPI_Grequest_complete(requests[1]);
    SEE("waitany of two", MPI_Waitany(2, requests, &index, &status), note(" index %d", index));
    SEE("request_free", MPI_Request_free(&requests[0]));
    MPI_Grequest_start(query, release, cancel, &failing, &requests[0]);
    MPI_Grequest_complete(requests[0]);
    SEE("wait for one whose query fails", MPI_Wait(&requests[0], &status));
}

static void reduce(void *in, void *inout, int *count, MPI_Datatype *type)
{
    note(" reduce %d of %s", *count, *type == MPI_INT ? "MPI_INT" : "another type");
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += 10 * ((int *)in)[i];
}

static void operations(void)
{
    int in[2] = { 1, 2 }, inout[2] = { 3, 4 }, commutes = 77;
    MPI_Op op;
    SEE("op_create", MPI_Op_create(reduce, 0, &op));
    SEE("op_commutative", MPI_Op_commutative(op, &commutes), note(" %d", commutes));
    SEE("reduce_local", MPI_Reduce_local(in, inout, 2, MPI_INT, op), note(" %d %d", inout[0], inout[1]));
    SEE("allreduce alone", MPI_Allreduce(in, inout, 2, MPI_INT, op, MPI_COMM_SELF), note(" %d %d", inout[0], inout[1]));
    SEE("op_free", MPI_Op_free(&op), note(" %s", op == MPI_OP_NULL ? "null" : "not null"));
}

static int at_end(MPI_Comm of, int keyval, void *value, void *state)
{
    int finalized = 77, size = 77;
    (void)keyval, (void)state;
    MPI_Finalized(&finalized);
    MPI_Comm_size(of, &size);
    note(" delete %d of %s, finalized %d size %d", *(int *)value, of == MPI_COMM_SELF ? "SELF" : "another", finalized, size);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static int ends[3] = { 1, 2, 3 };
    int keyval;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    comm_attributes();
    predefined_attributes();
    other_attributes();
    generalized();
    operations();
    for (int i = 0; i < 3; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &keyval, 0);
        MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &ends[i]);
    }
    observed[0] = 0;
    MPI_Finalize();
    printf("finalize\t%s\n", observed);
    return 0;
}
