/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assertions for self-checking MPI programs.  A failed check prints one line
 * on stderr and the program goes on; check_end() turns failures of any rank
 * into a non-zero exit code of every rank.
 */
#ifndef TESTS_C_CHECK_H
#define TESTS_C_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures, check_rank, check_size;

/* Print at most this many failures a process: loops can fail very often. */
enum { CHECK_SHOWN = 20 };

static inline void check_failed(const char *file, int line, const char *what)
{
    if (check_failures++ < CHECK_SHOWN)
        fprintf(stderr, "%s:%d: rank %d: %s\n", file, line, check_rank, what);
}

static inline void check_int(const char *file, int line, const char *what,
                             long long got, long long want)
{
    char text[512];
    if (got == want)
        return;
    snprintf(text, sizeof text, "%s: expected %lld, got %lld", what, want, got);
    check_failed(file, line, text);
}

static inline void check_str(const char *file, int line, const char *what,
                             const char *got, const char *want)
{
    char text[1024];
    if (strcmp(got, want) == 0)
        return;
    snprintf(text, sizeof text, "%s: expected '%.400s', got '%.400s'", what, want, got);
    check_failed(file, line, text);
}

/* The error class of a return code, for checks of provoked errors. */
static inline int check_class(int code)
{
    int error_class = -1;
    MPI_Error_class(code, &error_class);
    return error_class;
}

static inline void check_ok(const char *file, int line, const char *what, int code)
{
    char text[1024], prose[4096] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, prose, &length);
    snprintf(text, sizeof text, "%s: expected MPI_SUCCESS, got %d (%.300s)", what, code, prose);
    check_failed(file, line, text);
}

#define CHECK(condition) \
    ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, "expected " #condition))
#define CHECK_INT(got, want) check_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))
#define CHECK_STR(got, want) check_str(__FILE__, __LINE__, #got, (got), (want))
#define OK(call) check_ok(__FILE__, __LINE__, #call, (call))
/* The call fails, with this error class. */
#define FAILS(call, error_class) \
    check_int(__FILE__, __LINE__, "class of " #call, check_class(call), (error_class))

/* An error handler that counts, and keeps the class of the last error. */
static int check_counted, check_counted_class;

static inline void check_count(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    check_counted++;
    MPI_Error_class(*code, &check_counted_class);
}

/* The statement has that handler called once, with this error class. */
#define RAISES_ONCE(statement, error_class)                                                        \
    do {                                                                                           \
        check_counted = check_counted_class = 0;                                                   \
        statement;                                                                                 \
        CHECK_INT(check_counted, 1);                                                               \
        CHECK_INT(check_counted_class, error_class);                                               \
    } while (0)

/* Is this check one that the host is known to fail natively?  The runner
 * takes the names from known-faults.tsv. */
static inline int known_fault(const char *name)
{
    const char *names = getenv("MPI_TEST_SKIP"), *at = names;
    size_t length = strlen(name);
    for (; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return 1;
    return 0;
}

/* An argument that does not count has bytes that are neither a handle nor an address on either side. */
static unsigned char check_junk_byte = 0x5a;

static inline void *check_junk(void)
{
    static MPI_Aint junk;
    memset(&junk, check_junk_byte, sizeof junk);
    return &junk;
}

#define JUNK(type) (*(type *)check_junk())

static inline void check_identify(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &check_size);
}

static inline void check_begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    check_identify();
}

/* Finalizes MPI; returns the exit code.  The name is the program's. */
static inline int check_end_as(const char *source)
{
    int failures = 0;
    const char *slash = strrchr(source, '/');
    const char *name = slash ? slash + 1 : source;
    MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (failures == 0 && check_failures == 0 && check_rank == 0)
        printf("ok %.*s\n", (int)strcspn(name, "."), name);
    return failures != 0 || check_failures != 0;
}
#define check_end() check_end_as(__FILE__)

/* A status with a recognizable content in every public field. */
static inline MPI_Status check_poison_status(void)
{
    MPI_Status status;
    memset(&status, 0x5a, sizeof status);
    status.MPI_SOURCE = 7701;
    status.MPI_TAG = 7702;
    status.MPI_ERROR = 7703;
    return status;
}

/* The empty status, by the standard: any source, any tag, no error, nothing
 * received, not cancelled.  Of some hosts, MPI_ERROR may be anything. */
static inline void check_empty_at(const char *file, int line, MPI_Status *status, int any_error)
{
    int count = -1, cancelled = -1;
    check_int(file, line, "empty status: MPI_SOURCE", status->MPI_SOURCE, MPI_ANY_SOURCE);
    check_int(file, line, "empty status: MPI_TAG", status->MPI_TAG, MPI_ANY_TAG);
    if (!any_error)
        check_int(file, line, "empty status: MPI_ERROR", status->MPI_ERROR, MPI_SUCCESS);
    MPI_Get_count(status, MPI_BYTE, &count);
    check_int(file, line, "empty status: count", count, 0);
    MPI_Test_cancelled(status, &cancelled);
    check_int(file, line, "empty status: cancelled", cancelled, 0);
}
#define CHECK_EMPTY(status, any_error) check_empty_at(__FILE__, __LINE__, (status), (any_error))

static inline void check_status_at(const char *file, int line, const MPI_Status *status,
                                   int source, int tag, MPI_Datatype type, int want)
{
    int count = -1;
    check_int(file, line, "MPI_SOURCE", status->MPI_SOURCE, source);
    check_int(file, line, "MPI_TAG", status->MPI_TAG, tag);
    MPI_Get_count(status, type, &count);
    check_int(file, line, "MPI_Get_count", count, want);
}
#define CHECK_STATUS(status, source, tag, type, count) \
    check_status_at(__FILE__, __LINE__, (status), (source), (tag), (type), (count))

#endif
