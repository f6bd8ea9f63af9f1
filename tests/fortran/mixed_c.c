/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of mixed.F90. Functions return what Fortran checks; those that check themselves return
 * the number of failures.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* The number of its line, if a condition does not hold. */
#define EXPECT(condition) do { if (!(condition)) { fprintf(stderr, "mixed_c.c:%d: %s\n", __LINE__, #condition); failures++; } } while (0)

int c_predefined(MPI_Fint world, MPI_Fint self, MPI_Fint null, MPI_Fint integer, MPI_Fint dbl, MPI_Fint sum,
                 MPI_Fint empty, MPI_Fint no_request, MPI_Fint returning, MPI_Fint no_info, MPI_Fint no_message)
{
    int failures = 0, flag = 0;
    MPI_Initialized(&flag);
    EXPECT(flag);
    EXPECT(MPI_Comm_f2c(world) == MPI_COMM_WORLD);
    EXPECT(MPI_Comm_f2c(self) == MPI_COMM_SELF);
    EXPECT(MPI_Comm_f2c(null) == MPI_COMM_NULL);
    EXPECT(MPI_Type_f2c(integer) == MPI_INTEGER);
    EXPECT(MPI_Type_f2c(dbl) == MPI_DOUBLE_PRECISION);
    EXPECT(MPI_Op_f2c(sum) == MPI_SUM);
    EXPECT(MPI_Group_f2c(empty) == MPI_GROUP_EMPTY);
    EXPECT(MPI_Request_f2c(no_request) == MPI_REQUEST_NULL);
    EXPECT(MPI_Errhandler_f2c(returning) == MPI_ERRORS_RETURN);
    EXPECT(MPI_Info_f2c(no_info) == MPI_INFO_NULL);
    EXPECT(MPI_Message_f2c(no_message) == MPI_MESSAGE_NULL);
    EXPECT(MPI_Comm_c2f(MPI_COMM_WORLD) == world);
    EXPECT(MPI_Comm_c2f(MPI_COMM_SELF) == self);
    EXPECT(MPI_Comm_c2f(MPI_COMM_NULL) == null);
    EXPECT(MPI_Type_c2f(MPI_INTEGER) == integer);
    EXPECT(MPI_Type_c2f(MPI_DOUBLE_PRECISION) == dbl);
    EXPECT(MPI_Op_c2f(MPI_SUM) == sum);
    EXPECT(MPI_Group_c2f(MPI_GROUP_EMPTY) == empty);
    EXPECT(MPI_Request_c2f(MPI_REQUEST_NULL) == no_request);
    EXPECT(MPI_Errhandler_c2f(MPI_ERRORS_RETURN) == returning);
    EXPECT(MPI_Info_c2f(MPI_INFO_NULL) == no_info);
    EXPECT(MPI_Message_c2f(MPI_MESSAGE_NULL) == no_message);
#if !defined(MPICH) && !defined(MPIABI)
    /* A null pointer is no handle, and none of Fortran's. */
    EXPECT(MPI_Comm_c2f(NULL) == -1);
    EXPECT(MPI_Type_c2f(NULL) == -1);
#endif
    return failures;
}

/* A communicator of Fortran's: its size, and whether it comes back as the same integer. */
int c_comm_size(MPI_Fint comm)
{
    int size = -1;
    MPI_Comm_size(MPI_Comm_f2c(comm), &size);
    return MPI_Comm_c2f(MPI_Comm_f2c(comm)) == comm ? size : -2;
}

MPI_Fint c_make_comm(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return MPI_Comm_c2f(comm);
}

MPI_Fint c_make_type(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_commit(&type);
    return MPI_Type_c2f(type);
}

int c_type_size(MPI_Fint type)
{
    int size = -1;
    MPI_Type_size(MPI_Type_f2c(type), &size);
    return MPI_Type_c2f(MPI_Type_f2c(type)) == type ? size : -2;
}

static void twice_the_sum(void *in, void *inout, int *length, MPI_Datatype *type)
{
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] = *type == MPI_INTEGER ? 2 * (((int *)in)[i] + ((int *)inout)[i]) : -1;
}

MPI_Fint c_make_op(void)
{
    MPI_Op op;
    MPI_Op_create(twice_the_sum, 1, &op);
    return MPI_Op_c2f(op);
}

/* Reduces with an operation that Fortran made. */
int c_reduce(int value, MPI_Fint op, MPI_Fint comm)
{
    int result = -1;
    MPI_Allreduce(&value, &result, 1, MPI_INTEGER, MPI_Op_f2c(op), MPI_Comm_f2c(comm));
    return result;
}

MPI_Fint c_start_receive(int *value, int source, int tag)
{
    MPI_Request request;
    MPI_Irecv(value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &request);
    return MPI_Request_c2f(request);
}

/* Waits for Fortran's request, and hands its status over in Fortran's form. */
int c_wait(MPI_Fint *request, MPI_Fint *status)
{
    MPI_Request mine = MPI_Request_f2c(*request);
    MPI_Status got;
    MPI_Wait(&mine, &got);
    *request = MPI_Request_c2f(mine);
    MPI_Status_c2f(&got, status);
    return got.MPI_SOURCE;
}

/* A status that Fortran's call filled. */
int c_read_status(const MPI_Fint *status, int source, int tag, int count)
{
    int failures = 0, got = -1, cancelled = -1;
    MPI_Status mine;
    EXPECT(MPI_Status_f2c(status, &mine) == MPI_SUCCESS);
    EXPECT(mine.MPI_SOURCE == source);
    EXPECT(mine.MPI_TAG == tag);
    MPI_Get_count(&mine, MPI_INT, &got);
    EXPECT(got == count);
    MPI_Test_cancelled(&mine, &cancelled);
    EXPECT(cancelled == 0);
    return failures;
}

/* Is this address what MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE of Fortran are in C? */
int c_is_status_ignore(MPI_Fint *status) { return status == MPI_F_STATUS_IGNORE; }
int c_is_statuses_ignore(MPI_Fint *statuses) { return statuses == MPI_F_STATUSES_IGNORE; }

/* Attributes across languages: what Fortran stored, C sees by its address, and C's pointers are
 * Fortran's integers. */
long c_attribute(MPI_Fint comm, int keyval, int wide)
{
    void *value = 0;
    int flag = 0;
    MPI_Comm_get_attr(MPI_Comm_f2c(comm), keyval, &value, &flag);
    if (!flag)
        return -1;
    return wide ? (long)*(MPI_Aint *)value : (long)*(MPI_Fint *)value;
}

static int deleted;

static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    deleted += (MPI_Aint)value == 4096 && (MPI_Aint)extra == 17;
    return MPI_SUCCESS;
}

int c_put_attribute(MPI_Fint comm)
{
    int keyval;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, (void *)17);
    MPI_Comm_set_attr(MPI_Comm_f2c(comm), keyval, (void *)4096);
    return keyval;
}

int c_deleted(void) { return deleted; }

static int errors;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    errors += class == MPI_ERR_RANK;
}

MPI_Fint c_make_errhandler(void)
{
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(count_error, &handler);
    return MPI_Errhandler_c2f(handler);
}

int c_errors(void) { return errors; }

/* The error class of a bad call on Fortran's communicator, which has Fortran's error handler. */
int c_provoke(MPI_Fint comm)
{
    int value = 0, class = -1;
    MPI_Error_class(MPI_Send(&value, 1, MPI_INT, 1000, 0, MPI_Comm_f2c(comm)), &class);
    return class == MPI_ERR_RANK;
}

/* Objects of the other classes, there and back. */
int c_others(MPI_Fint group, MPI_Fint info, MPI_Fint win, MPI_Fint file, MPI_Fint handler)
{
    int failures = 0, size = -1, keys = -1, amode = -1, flag = 0;
    char value[20] = "";
    void *base = 0;
    MPI_Group_size(MPI_Group_f2c(group), &size);
    EXPECT(size == 2);
    EXPECT(MPI_Group_c2f(MPI_Group_f2c(group)) == group);
    MPI_Info_get_nkeys(MPI_Info_f2c(info), &keys);
    MPI_Info_get(MPI_Info_f2c(info), "key", 19, value, &flag);
    EXPECT(keys == 1 && flag && strcmp(value, "of fortran") == 0);
    EXPECT(MPI_Info_c2f(MPI_Info_f2c(info)) == info);
    MPI_Win_get_attr(MPI_Win_f2c(win), MPI_WIN_SIZE, &base, &flag);
    EXPECT(flag && *(MPI_Aint *)base == 32);
    EXPECT(MPI_Win_c2f(MPI_Win_f2c(win)) == win);
    MPI_File_get_amode(MPI_File_f2c(file), &amode);
    EXPECT(amode == (MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE));
    EXPECT(MPI_File_c2f(MPI_File_f2c(file)) == file);
    EXPECT(MPI_Errhandler_c2f(MPI_Errhandler_f2c(handler)) == handler);
    return failures;
}

#if defined(MPICH) || defined(MPIABI)
/* TYPE(MPI_Status) is a C structure too. */
int c_read_f08_status(const MPI_F08_status *status, int source, int tag, int count)
{
    int failures = 0, got = -1;
    MPI_Status mine;
    MPI_F08_status back;
    EXPECT(MPI_Status_f082c(status, &mine) == MPI_SUCCESS);
    EXPECT(mine.MPI_SOURCE == source);
    EXPECT(mine.MPI_TAG == tag);
    MPI_Get_count(&mine, MPI_INT, &got);
    EXPECT(got == count);
    EXPECT(MPI_Status_c2f08(&mine, &back) == MPI_SUCCESS);
    EXPECT(back.MPI_SOURCE == source && back.MPI_TAG == tag);
    return failures;
}
#endif
