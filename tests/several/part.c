/* SPDX-License-Identifier: BSD-3-Clause */
/* One part. PART is the name of the function that returns it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "part.h"

#define WRONG(condition) do { if (condition) return #condition; } while (0)

static MPI_Request receive;
static int received, handled;
static MPI_File file;

static void begin(void)
{
    int level;
    MPI_Init_thread(0, 0, MPI_THREAD_SERIALIZED, &level);
}

static void begin_threads(void)
{
    int level;
    MPI_Init_thread(0, 0, MPI_THREAD_MULTIPLE, &level);
}

static int threads_are_multiple(void)
{
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}

static void end(void)
{
    MPI_Finalize();
}

static int phase(void)
{
    int begun = 0, ended = 0, level = MPI_THREAD_SINGLE;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    if (begun && !ended)
        MPI_Query_thread(&level);
    return 10 * (level == MPI_THREAD_SERIALIZED) + begun + ended;
}

static void larger(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int *to = inout;
    for (int i = 0; i < *count && *type == MPI_INT; i++)
        to[i] = ((int *)in)[i] > to[i] ? ((int *)in)[i] + 100 : to[i] + 100;
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    int error_class;
    MPI_Error_class(*code, &error_class);
    handled += error_class == MPI_ERR_RANK;
}

static int give_comm(int what)
{
    MPI_Comm comm;
    if (what == COMM_OF_WORLD) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        return MPI_Comm_c2f(comm);
    }
    if (what != COMM)
        return MPI_Comm_c2f(what == WORLD ? MPI_COMM_WORLD : what == SELF ? MPI_COMM_SELF : MPI_COMM_NULL);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_name(comm, "given");
    return MPI_Comm_c2f(comm);
}

static int give_datatype(int what)
{
    MPI_Datatype type;
    if (what != PAIR)
        return MPI_Type_c2f(what == INT ? MPI_INT : what == DOUBLE ? MPI_DOUBLE : MPI_DATATYPE_NULL);
    MPI_Type_contiguous(2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return MPI_Type_c2f(type);
}

static int give_op(int what)
{
    MPI_Op op;
    if (what != LARGER)
        return MPI_Op_c2f(what == SUM ? MPI_SUM : MPI_OP_NULL);
    MPI_Op_create(larger, 1, &op);
    return MPI_Op_c2f(op);
}

static int give_group(int what)
{
    MPI_Group group;
    if (what == GROUP_EMPTY)
        return MPI_Group_c2f(MPI_GROUP_EMPTY);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    return MPI_Group_c2f(group);
}

static int give_info(int what)
{
    MPI_Info info;
    if (what == INFO_NULL)
        return MPI_Info_c2f(MPI_INFO_NULL);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    return MPI_Info_c2f(info);
}

static int give_handler(int what)
{
    MPI_Errhandler handler;
    if (what == ERRORS_RETURN)
        return MPI_Errhandler_c2f(MPI_ERRORS_RETURN);
    MPI_Comm_create_errhandler(handle, &handler);
    return MPI_Errhandler_c2f(handler);
}

static int give_request(int what)
{
    if (what == REQUEST_NULL)
        return MPI_Request_c2f(MPI_REQUEST_NULL);
    MPI_Irecv(&received, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &receive);
    return MPI_Request_c2f(receive);
}

static int give_file(int what)
{
    char name[32];
    if (what == NO_FILE)
        return MPI_File_c2f(MPI_FILE_NULL);
    snprintf(name, sizeof name, "given-%d.data", (int)getpid());
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 40);
    return MPI_File_c2f(file);
}

static int give_win(int what)
{
    MPI_Win win;
    int *memory = aligned_alloc(4096, 4096); /* MPICH 4.0.2 may read elsewhere else, natively, too */
    *memory = 42;
    MPI_Win_create(memory, 4096, sizeof *memory, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    return MPI_Win_c2f(win);
}

/* The keyval that this part has given, what is stored by it, and how often its callbacks were called for that. */
static int given_keyval, stored = 77, copied, deleted;

static int copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    copied += keyval == given_keyval;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    deleted += keyval == given_keyval && value == &stored;
    return MPI_SUCCESS;
}

static int give_keyval(void)
{
    /* MPICH numbers later ones otherwise. */
    for (int i = 0, many; i < 300; i++)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &many, 0);
    MPI_Comm_create_keyval(copy, delete, &given_keyval, 0);
    MPI_Comm_set_attr(MPI_COMM_SELF, given_keyval, &stored);
    return given_keyval;
}

/* A class that it has added, a code of one, or what a call returned. */
static int give_error(int what)
{
    int error_class, code = 0, value = 0;
    MPI_Comm comm;
    if (what == FAILURE) {
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        code = MPI_Send(&value, 1, MPI_INT, 77, 0, comm);
        MPI_Comm_free(&comm);
        return code;
    }
    MPI_Add_error_class(&error_class);
    MPI_Add_error_string(error_class, "given class");
    if (what == ADDED_CLASS)
        return error_class;
    MPI_Add_error_code(error_class, &code);
    MPI_Add_error_string(code, "given code");
    return code;
}

static int give(int what)
{
    return what <= COMM             ? give_comm(what)
           : what <= PAIR           ? give_datatype(what)
           : what <= LARGER         ? give_op(what)
           : what <= GROUP          ? give_group(what)
           : what <= INFO           ? give_info(what)
           : what <= HANDLER        ? give_handler(what)
           : what <= RECEIVE        ? give_request(what)
           : what <= OPENED           ? give_file(what)
           : what == WIN            ? give_win(what)
           : what == KEYVAL         ? give_keyval()
           : what == COMM_OF_WORLD  ? give_comm(what)
                                    : give_error(what);
}

static const char *take_comm(int what, MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length, one = 1, sum = 0, result = MPI_UNEQUAL;
    if (what == COMM_NULL) {
        WRONG(comm != MPI_COMM_NULL);
        return 0;
    }
    MPI_Comm_compare(comm, what == WORLD ? MPI_COMM_WORLD : MPI_COMM_SELF, &result);
    WRONG(result != (what == COMM ? MPI_CONGRUENT : MPI_IDENT));
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    WRONG(sum < 1);
    if (what == WORLD)
        WRONG(comm != MPI_COMM_WORLD);
    if (what != COMM)
        return 0;
    MPI_Comm_get_name(comm, name, &length);
    WRONG(strcmp(name, "given") != 0);
    WRONG(MPI_Comm_free(&comm) != MPI_SUCCESS || comm != MPI_COMM_NULL);
    return 0;
}

static const char *take_datatype(int what, MPI_Datatype type)
{
    MPI_Aint lower, extent;
    int size = -1;
    WRONG(what == DATATYPE_NULL && type != MPI_DATATYPE_NULL);
    if (what == DATATYPE_NULL)
        return 0;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lower, &extent);
    WRONG(size != (what == INT ? 4 : what == DOUBLE ? 8 : 16) || extent != size);
    WRONG(what == INT && type != MPI_INT);
    WRONG(what == PAIR && MPI_Type_free(&type) != MPI_SUCCESS);
    return 0;
}

static const char *take_op(int what, MPI_Op op)
{
    int three = 3, result = 0, commutes = 0;
    WRONG(what == OP_NULL && op != MPI_OP_NULL);
    if (what == OP_NULL)
        return 0;
    WRONG(what == SUM && op != MPI_SUM);
    MPI_Op_commutative(op, &commutes);
    WRONG(!commutes);
    result = 2;
    MPI_Reduce_local(&three, &result, 1, MPI_INT, op);
    WRONG(result != (what == SUM ? 5 : 103));
    WRONG(what == LARGER && MPI_Op_free(&op) != MPI_SUCCESS);
    return 0;
}

static const char *take_group(int what, MPI_Group group)
{
    int size = -1, world;
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Group_size(group, &size);
    WRONG(size != (what == GROUP_EMPTY ? 0 : world));
    WRONG(what == GROUP_EMPTY && group != MPI_GROUP_EMPTY);
    WRONG(what == GROUP && MPI_Group_free(&group) != MPI_SUCCESS);
    return 0;
}

static const char *take_info(int what, MPI_Info info)
{
    char value[8] = "";
    int is_there = 0;
    WRONG(what == INFO_NULL && info != MPI_INFO_NULL);
    if (what == INFO_NULL)
        return 0;
    MPI_Info_get(info, "key", 7, value, &is_there);
    WRONG(!is_there || strcmp(value, "value") != 0);
    WRONG(MPI_Info_free(&info) != MPI_SUCCESS);
    return 0;
}

/* The handler is the other part's, which counts what it handles. */
static const char *take_handler(int what, MPI_Errhandler handler)
{
    MPI_Comm comm;
    int value = 0, code, error_class = 0;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    WRONG(MPI_Comm_set_errhandler(comm, handler) != MPI_SUCCESS);
    code = MPI_Send(&value, 1, MPI_INT, 77, 0, comm);
    MPI_Error_class(code, &error_class);
    WRONG(error_class != MPI_ERR_RANK);
    MPI_Comm_free(&comm);
    return 0;
}

static const char *take_request(int what, MPI_Request request)
{
    int value = 8, count = 0;
    MPI_Status status;
    WRONG(what == REQUEST_NULL && request != MPI_REQUEST_NULL);
    if (what == REQUEST_NULL)
        return 0;
    MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    WRONG(MPI_Wait(&request, &status) != MPI_SUCCESS || request != MPI_REQUEST_NULL);
    MPI_Get_count(&status, MPI_INT, &count);
    WRONG(count != 1 || status.MPI_TAG != 7);
    return 0;
}

static const char *take_file(int what, MPI_File taken)
{
    MPI_Offset size = 0;
    WRONG(what == NO_FILE && taken != MPI_FILE_NULL);
    if (what == NO_FILE)
        return 0;
    MPI_File_get_size(taken, &size);
    WRONG(size != 40);
    WRONG(MPI_File_close(&taken) != MPI_SUCCESS);
    return 0;
}

static const char *take_win(int what, MPI_Win win)
{
    int value = 0;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    WRONG(value != 42);
    WRONG(MPI_Win_free(&win) != MPI_SUCCESS);
    return 0;
}

static const char *take_keyval(int keyval)
{
    int *value = 0, is_set = 0;
    MPI_Comm comm;
    WRONG(MPI_Comm_get_attr(MPI_COMM_SELF, keyval, &value, &is_set) != MPI_SUCCESS || !is_set || *value != 77);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    WRONG(MPI_Comm_get_attr(comm, keyval, &value, &is_set) != MPI_SUCCESS || !is_set || *value != 77);
    WRONG(MPI_Comm_delete_attr(comm, keyval) != MPI_SUCCESS);
    WRONG(MPI_Comm_get_attr(comm, keyval, &value, &is_set) != MPI_SUCCESS || is_set);
    WRONG(MPI_Comm_set_attr(comm, keyval, value) != MPI_SUCCESS);
    MPI_Comm_free(&comm);
    WRONG(MPI_Comm_delete_attr(MPI_COMM_SELF, keyval) != MPI_SUCCESS);
    WRONG(MPI_Comm_free_keyval(&keyval) != MPI_SUCCESS || keyval != MPI_KEYVAL_INVALID);
    return 0;
}

static char called_with[MPI_MAX_ERROR_STRING];

static void note(MPI_Comm *comm, int *code, ...)
{
    int length;
    MPI_Error_string(*code, called_with, &length);
}

static const char *take_added(int what, int code)
{
    const char *expected = what == ADDED_CLASS ? "given class" : "given code";
    char text[MPI_MAX_ERROR_STRING] = "";
    int length, error_class = 0, above = 0, added = 0, *last = 0, is_set = 0;
    MPI_Errhandler handler;
    MPI_Comm comm;
    WRONG(MPI_Error_string(code, text, &length) != MPI_SUCCESS || strcmp(text, expected) != 0);
    WRONG(MPI_Error_class(code, &error_class) != MPI_SUCCESS || error_class <= MPI_ERR_LASTCODE);
    MPI_Error_string(error_class, text, &length);
    WRONG(strcmp(text, "given class") != 0);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &is_set);
    WRONG(!is_set || *last < error_class);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_errhandler(note, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_call_errhandler(comm, code);
    WRONG(strcmp(called_with, expected) != 0);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    if (what != ADDED_CLASS)
        return 0;
    WRONG(MPI_Add_error_code(code, &added) != MPI_SUCCESS || added <= MPI_ERR_LASTCODE);
    MPI_Error_class(added, &above);
    WRONG(above != error_class);
    WRONG(MPI_Add_error_string(code, "changed") != MPI_SUCCESS);
    MPI_Error_string(code, text, &length);
    WRONG(strcmp(text, "changed") != 0);
    return 0;
}

static const char *take_error(int what, int code)
{
    int error_class = 0;
    if (what != FAILURE)
        return take_added(what, code);
    MPI_Error_class(code, &error_class);
    WRONG(error_class != MPI_ERR_RANK);
    return 0;
}

static const char *take(int what, int number)
{
    return what <= COMM             ? take_comm(what, MPI_Comm_f2c(number))
           : what <= PAIR           ? take_datatype(what, MPI_Type_f2c(number))
           : what <= LARGER         ? take_op(what, MPI_Op_f2c(number))
           : what <= GROUP          ? take_group(what, MPI_Group_f2c(number))
           : what <= INFO           ? take_info(what, MPI_Info_f2c(number))
           : what <= HANDLER        ? take_handler(what, MPI_Errhandler_f2c(number))
           : what <= RECEIVE        ? take_request(what, MPI_Request_f2c(number))
           : what <= OPENED           ? take_file(what, MPI_File_f2c(number))
           : what == WIN            ? take_win(what, MPI_Win_f2c(number))
           : what == KEYVAL         ? take_keyval(number)
                                    : take_error(what, number);
}

static int work(void)
{
    int rank, size, sum = 0, *bound = 0, is_set = 0;
    char text[16] = "";
    MPI_Status status;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&size, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &is_set);
    MPI_Sendrecv("across", 7, MPI_CHAR, (rank + 1) % size, 3, text, sizeof text, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG,
                 MPI_COMM_WORLD, &status);
    return sum == size * size && is_set && *bound >= 32767 && strcmp(text, "across") == 0 && status.MPI_TAG == 3 && copied <= 3 * deleted &&
           status.MPI_SOURCE == (rank + size - 1) % size && handled >= 0;
}

/* Objects of this thread alone, a message to the next rank, and an error. */
static const char *work_once(MPI_Comm comm, MPI_Op op, int turn)
{
    int rank, size, from = -1, sum = 0, largest = 0, error_class = 0;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Datatype type;
    MPI_Comm own;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&size, &sum, 1, MPI_INT, MPI_SUM, comm);
    WRONG(sum != size * size);
    MPI_Allreduce(&rank, &largest, 1, MPI_INT, op, comm);
    WRONG(largest != size - 1 + (size > 1 ? 100 * (size - 1) : 0));
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(&from, 1, type, MPI_ANY_SOURCE, turn, comm, &requests[0]);
    MPI_Isend(&rank, 1, type, (rank + 1) % size, turn, comm, &requests[1]);
    WRONG(MPI_Waitall(2, requests, statuses) != MPI_SUCCESS || from != (rank + size - 1) % size);
    WRONG(statuses[0].MPI_SOURCE != from || statuses[0].MPI_TAG != turn || requests[0] != MPI_REQUEST_NULL);
    MPI_Type_free(&type);
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Send(&rank, 1, MPI_INT, 77, 0, own), &error_class);
    WRONG(error_class != MPI_ERR_RANK);
    MPI_Comm_free(&own);
    return 0;
}

static const char *work_in_thread(int number)
{
    MPI_Comm comm = MPI_Comm_f2c(number);
    const char *failure = 0;
    MPI_Op op;
    MPI_Op_create(larger, 1, &op);
    for (int turn = 0; turn < 20 && !failure; turn++)
        failure = work_once(comm, op, turn);
    MPI_Op_free(&op);
    MPI_Comm_free(&comm);
    return failure;
}

const struct part *PART(void);
const struct part *PART(void)
{
    static const struct part part = { begin, end, phase, give, take, work, begin_threads, threads_are_multiple, work_in_thread };
    return &part;
}
