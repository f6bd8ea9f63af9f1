/* SPDX-License-Identifier: BSD-3-Clause */
/* A part that gives statuses as integers, and takes those of others. PART is the name of the function that returns it. With MAIN, the
 * program, of which the library's part is library_part(). Usage: status [lost|either]. Prints what is wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, MANY = 20000, SIZE_OF_MANY = 400 };
enum kind { RECEIVED, EMPTY, LARGE, CANCELLED, FAILED, KINDS };

struct part {
    void (*give)(enum kind kind, int *integers);
    const char *(*take)(enum kind kind, const int *integers);
    void (*give_many)(int *integers);                          /* the first of many */
    void (*give_size)(int source, int size, int *integers);    /* MPI_ERROR and MPI_TAG are 0 */
};

#define WRONG(condition) do { if (condition) return #condition; } while (0)

static void receive(MPI_Status *status)
{
    int values[3] = { 1, 2, 3 }, room[3];
    MPI_Request request;
    MPI_Irecv(room, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
    MPI_Send(values, 3, MPI_INT, 0, 5, MPI_COMM_SELF);
    MPI_Waitall(1, &request, status);
}

static void cancel(MPI_Status *status)
{
    int value;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, status);
}

/* The code of a failed call, as a call that completes several requests stores it. */
static int code_of_failure(void)
{
    int value = 0, code;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    code = MPI_Send(&value, 1, MPI_INT, 77, 0, comm);
    MPI_Comm_free(&comm);
    return code;
}

static void give(enum kind kind, int *integers)
{
    MPI_Request none = MPI_REQUEST_NULL;
    MPI_Status status;
    memset(&status, kind == RECEIVED ? 0x5a : 0, sizeof status); /* few calls set MPI_ERROR */
    if (kind == RECEIVED)
        receive(&status);
    if (kind == EMPTY)
        MPI_Wait(&none, &status);
    if (kind == LARGE)
        MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)5 << 31);
    if (kind == CANCELLED)
        cancel(&status);
    if (kind == FAILED)
        status.MPI_ERROR = code_of_failure();
    MPI_Status_c2f(&status, integers);
}

static const char *take(enum kind kind, const int *integers)
{
    int count = -1, cancelled = 0, error_class = 0;
    MPI_Count bytes = 0;
    MPI_Status status;
    memset(&status, 0x55, sizeof status);
    WRONG(MPI_Status_f2c(integers, &status) != MPI_SUCCESS);
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    WRONG(cancelled != (kind == CANCELLED));
    WRONG(kind == RECEIVED && (count != 3 || status.MPI_SOURCE != 0 || status.MPI_TAG != 5));
    WRONG(kind == EMPTY && (count != 0 || status.MPI_SOURCE != MPI_ANY_SOURCE || status.MPI_TAG != MPI_ANY_TAG || status.MPI_ERROR != MPI_SUCCESS));
    WRONG(kind == LARGE && bytes != (MPI_Count)5 << 31);
    WRONG(kind == FAILED && (MPI_Error_class(status.MPI_ERROR, &error_class) != MPI_SUCCESS || error_class != MPI_ERR_RANK));
    return 0;
}

static void give_size(int source, int size, int *integers)
{
    MPI_Status status;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = source;
    MPI_Status_set_elements(&status, MPI_BYTE, size);
    MPI_Status_c2f(&status, integers);
}

static void give_many(int *integers)
{
    int more[MOST];
    give_size(0, SIZE_OF_MANY, integers);
    for (int i = 1; i < MANY; i++)
        give_size(0, SIZE_OF_MANY + i, more);
}

const struct part *PART(void);
const struct part *PART(void)
{
    static const struct part part = { give, take, give_many, give_size };
    return &part;
}

#ifdef MAIN
const struct part *library_part(void);

static int differs(const char *who, enum kind kind, const struct part *giver, const struct part *taker)
{
    int given[MOST] = { 0 }, copied[MOST];
    giver->give(kind, given);
    memcpy(copied, given, sizeof copied);
    for (int i = 0; i < 2; i++) {
        const char *failure = taker->take(kind, i ? copied : given);
        if (failure)
            return printf("%s, kind %d: %s\n", who, (int)kind, failure);
    }
    return 0;
}

/* Integers that are 4 bytes from rank 0 in MPICH, and nothing from rank 4 in Open MPI, where both were given. */
static const char *either(const struct part *one, const struct part *other)
{
    int given[MOST] = { 0 }, same[MOST] = { 0 }, copied[MOST];
#ifdef OPEN_MPI
    int is_nothing = 1;
#else
    int is_nothing = 0;
#endif
    one->give_size(4 * is_nothing, 4 * !is_nothing, given);
    other->give_size(4 * !is_nothing, 4 * is_nothing, same);
    memcpy(copied, given, sizeof copied);
    if (memcmp(given, same, 5 * sizeof *given) != 0)
        return "they have other integers";
    for (int i = 0; i < 2; i++) {
        MPI_Status status;
        int bytes;
        MPI_Status_f2c(i ? same : given, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        if (status.MPI_SOURCE != 4 * (is_nothing != i) || bytes != 4 * (is_nothing == i))
            puts("of two, the wrong one");
    }
    return other->take(RECEIVED, copied) ? "taken for one of them" : "taken for the other";
}

int main(int argc, char **argv)
{
    const struct part *own = PART(), *library = library_part();
    const char *what = argc > 1 ? argv[1] : "";
    int wrong = 0, first[MOST] = { 0 };
    setvbuf(stdout, 0, _IOLBF, 0);
    MPI_Init(0, 0);
    if (strcmp(what, "either") == 0)
        puts(either(own, library));
    if (strcmp(what, "lost") == 0) {
        own->give_many(first);
        puts(library->take(RECEIVED, first) ? "taken for another" : "taken");
    }
    for (int kind = 0; kind < KINDS && !*what; kind++)
        wrong += differs("program to library", kind, own, library) + differs("library to program", kind, library, own) +
                 differs("library to itself", kind, library, library) + differs("program to itself", kind, own, own);
    MPI_Finalize();
    if (!*what)
        puts(wrong ? "wrong" : "right");
    return 0;
}
#endif
