/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Smaller additions of MPI-4.0 and, where the header has them, 4.1 and 5.0. */
#include "check.h"

static void isendrecv(void)
{
    int peer = 1 - check_rank, out = 5 + check_rank, in = -1;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Isendrecv(&out, 1, MPI_INT, peer, 3, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, &status));
    CHECK_INT(in, 5 + peer);
    if (!known_fault("isendrecv-status"))
        CHECK_STATUS(&status, peer, 3, MPI_INT, 1);
    OK(MPI_Isendrecv_replace(&out, 1, MPI_INT, peer, 4, peer, 4, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(out, 5 + peer);
}

static void info(void)
{
    char value[20] = "##################";
    int length = 4, flag = 0, rank = -1;
    MPI_Info object, environment;
    MPI_Comm dup;
    MPI_Request request;
    OK(MPI_Info_create(&object));
    OK(MPI_Info_set(object, "key", "a long value"));
    OK(MPI_Info_get_string(object, "key", &length, value, &flag));
    CHECK_INT(flag, 1);
    CHECK_INT(length, 13);
    CHECK_STR(value, "a l");
    length = 0;
    OK(MPI_Info_get_string(object, "key", &length, value, &flag));
    CHECK_INT(length, 13);
    OK(MPI_Comm_idup_with_info(MPI_COMM_WORLD, object, &dup, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Comm_rank(dup, &rank));
    CHECK_INT(rank, check_rank);
    OK(MPI_Comm_free(&dup));
    OK(MPI_Info_free(&object));
    OK(MPI_Info_create_env(0, NULL, &environment));
    CHECK(environment != MPI_INFO_NULL);
    OK(MPI_Info_free(&environment));
}

static void abort_handler(void)
{
    MPI_Errhandler got;
    MPI_Comm dup;
    MPI_Win win;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &dup));
    OK(MPI_Comm_set_errhandler(dup, MPI_ERRORS_ABORT));
    OK(MPI_Comm_get_errhandler(dup, &got));
    CHECK(got == MPI_ERRORS_ABORT);
    CHECK(got != MPI_ERRORS_ARE_FATAL);
    OK(MPI_Errhandler_free(&got));
    CHECK(got == MPI_ERRHANDLER_NULL);
    OK(MPI_Comm_free(&dup));
    OK(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_ABORT));
    OK(MPI_Win_get_errhandler(win, &got));
    CHECK(got == MPI_ERRORS_ABORT);
    OK(MPI_Errhandler_free(&got));
    OK(MPI_Win_free(&win));
}

static void hardware_split(void)
{
    MPI_Comm part = MPI_COMM_WORLD;
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &part));
    if (part != MPI_COMM_NULL)
        OK(MPI_Comm_free(&part));
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
static void statuses(void)
{
    int value = -1;
    MPI_Status status = check_poison_status();
    OK(MPI_Status_set_source(&status, 3));
    OK(MPI_Status_set_tag(&status, 4));
    OK(MPI_Status_set_error(&status, MPI_ERR_TAG));
    OK(MPI_Status_get_source(&status, &value));
    CHECK_INT(value, 3);
    OK(MPI_Status_get_tag(&status, &value));
    CHECK_INT(value, 4);
    OK(MPI_Status_get_error(&status, &value));
    CHECK_INT(value, MPI_ERR_TAG);
    CHECK_INT(status.MPI_SOURCE, 3);
}

static void get_status_of_many(void)
{
    int in = 0, out = 6, flag = 0, index = -1, done = -1, place = -1;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Irecv(&in, 1, MPI_INT, check_rank, 5, MPI_COMM_WORLD, &request));
    OK(MPI_Send(&out, 1, MPI_INT, check_rank, 5, MPI_COMM_WORLD));
    while (!flag)
        OK(MPI_Request_get_status_any(1, &request, &index, &flag, &status));
    CHECK_INT(index, 0);
    CHECK_STATUS(&status, check_rank, 5, MPI_INT, 1);
    OK(MPI_Request_get_status_all(1, &request, &flag, &status));
    CHECK_INT(flag, 1);
    OK(MPI_Request_get_status_some(1, &request, &done, &place, &status));
    CHECK_INT(done, 1);
    CHECK_INT(place, 0);
    CHECK(request != MPI_REQUEST_NULL);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void removal_of_errors(void)
{
    int error_class = -1, code = -1;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Add_error_class(&error_class));
    OK(MPI_Add_error_code(error_class, &code));
    OK(MPI_Add_error_string(code, "gone soon"));
    /* A host without these says so, and does nothing else. */
    int answer = MPI_Remove_error_string(code);
    CHECK(answer == MPI_SUCCESS || check_class(answer) == MPI_ERR_UNSUPPORTED_OPERATION);
    answer = MPI_Remove_error_code(code);
    CHECK(answer == MPI_SUCCESS || check_class(answer) == MPI_ERR_UNSUPPORTED_OPERATION);
}
#endif

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    isendrecv();
    info();
    if (!known_fault("errors-abort"))
        abort_handler();
    hardware_split();
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    statuses();
    get_status_of_many();
    removal_of_errors();
#endif
    return check_end();
}
