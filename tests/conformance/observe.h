/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a program's observations: a line for each call, LABEL <tab> its result, in MPI's own names, with every handler
 * that was invoked meanwhile. No line has a number or an address of the host's. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include <dlfcn.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char observed[4096];

/* Programs of several processes: each prints into a file of its own, its rank ahead of each label. */
static char who[16];
static int here;

static inline void observe_ranks(void)
{
    char name[32];
    MPI_Comm_rank(MPI_COMM_WORLD, &here);
    snprintf(who, sizeof who, "%d: ", here);
    snprintf(name, sizeof name, "rank.%d", here);
    if (!freopen(name, "w", stdout))
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Whether the MPI has a procedure that is younger than MPI-3.1. */
#define HAS(name) (dlsym(RTLD_DEFAULT, #name) != 0)

/* Whether the MPI that does the work is this one: for what none survives natively there. */
static inline int host_is(const char *family)
{
    const char *host = getenv("CONFORMANCE_HOST");
    return host && strcmp(host, family) == 0;
}

/* Returns whether the host cannot do this in its release (left-out.tsv), by the label of a call, or of a part of a
 * program. */
static inline int left_out(const char *label)
{
    const char *list = getenv("CONFORMANCE_LEFT_OUT");
    size_t length = strlen(label);
    while (list && *list) {
        size_t each = strcspn(list, "|");
        if (each == length && strncmp(list, label, length) == 0)
            return 1;
        list += each + (list[each] == '|');
    }
    return 0;
}

static inline void note(const char *format, ...)
{
    size_t length = strlen(observed);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(observed + length, sizeof observed - length, format, arguments);
    va_end(arguments);
}

static inline const char *class_of(int code)
{
#define CLASS(name) { #name, name }
    static const struct {
        const char *name;
        int class;
    } classes[] = {
        CLASS(MPI_SUCCESS), CLASS(MPI_ERR_BUFFER), CLASS(MPI_ERR_COUNT), CLASS(MPI_ERR_TYPE), CLASS(MPI_ERR_TAG), CLASS(MPI_ERR_COMM),
        CLASS(MPI_ERR_RANK), CLASS(MPI_ERR_REQUEST), CLASS(MPI_ERR_ROOT), CLASS(MPI_ERR_GROUP), CLASS(MPI_ERR_OP),
        CLASS(MPI_ERR_TOPOLOGY), CLASS(MPI_ERR_DIMS), CLASS(MPI_ERR_ARG), CLASS(MPI_ERR_UNKNOWN), CLASS(MPI_ERR_TRUNCATE),
        CLASS(MPI_ERR_OTHER), CLASS(MPI_ERR_INTERN), CLASS(MPI_ERR_IN_STATUS), CLASS(MPI_ERR_PENDING), CLASS(MPI_ERR_ACCESS),
        CLASS(MPI_ERR_AMODE), CLASS(MPI_ERR_ASSERT), CLASS(MPI_ERR_BAD_FILE), CLASS(MPI_ERR_BASE), CLASS(MPI_ERR_CONVERSION),
        CLASS(MPI_ERR_DISP), CLASS(MPI_ERR_DUP_DATAREP), CLASS(MPI_ERR_FILE_EXISTS), CLASS(MPI_ERR_FILE_IN_USE),
        CLASS(MPI_ERR_FILE), CLASS(MPI_ERR_INFO_KEY), CLASS(MPI_ERR_INFO_NOKEY), CLASS(MPI_ERR_INFO_VALUE), CLASS(MPI_ERR_INFO),
        CLASS(MPI_ERR_IO), CLASS(MPI_ERR_KEYVAL), CLASS(MPI_ERR_LOCKTYPE), CLASS(MPI_ERR_NAME), CLASS(MPI_ERR_NO_MEM),
        CLASS(MPI_ERR_NOT_SAME), CLASS(MPI_ERR_NO_SPACE), CLASS(MPI_ERR_NO_SUCH_FILE), CLASS(MPI_ERR_PORT), CLASS(MPI_ERR_QUOTA),
        CLASS(MPI_ERR_READ_ONLY), CLASS(MPI_ERR_RMA_CONFLICT), CLASS(MPI_ERR_RMA_SYNC), CLASS(MPI_ERR_SERVICE),
        CLASS(MPI_ERR_SIZE), CLASS(MPI_ERR_SPAWN), CLASS(MPI_ERR_UNSUPPORTED_DATAREP), CLASS(MPI_ERR_UNSUPPORTED_OPERATION),
        CLASS(MPI_ERR_WIN), CLASS(MPI_ERR_RMA_RANGE), CLASS(MPI_ERR_RMA_ATTACH), CLASS(MPI_ERR_RMA_SHARED), CLASS(MPI_ERR_RMA_FLAVOR),
    };
#undef CLASS
    int class = -1;
    if (code == MPI_SUCCESS) /* before MPI is initialized MPI-3.1 knows no classes */
        return "MPI_SUCCESS";
    MPI_Error_class(code, &class);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classes[i].class == class)
            return classes[i].name;
    return "another class";
}

/* SEE(label, call, ...): makes the call; the rest are statements that note what it left. */
#define SEE(label, call, ...) \
    do { \
        if (left_out(label)) \
            break; \
        observed[0] = 0; \
        const char *class = class_of(call); \
        __VA_ARGS__; \
        printf("%s%s\t%s%s\n", who, label, class, observed); \
        fflush(stdout); \
    } while (0)

static inline void note_status(const MPI_Status *status)
{
    int count = -1, cancelled = -1;
    MPI_Get_count(status, MPI_BYTE, &count);
    MPI_Test_cancelled(status, &cancelled);
    note(" from %d tag %d bytes %d cancelled %d",
        status->MPI_SOURCE == MPI_PROC_NULL ? -99 : status->MPI_SOURCE == MPI_ANY_SOURCE ? -98 : status->MPI_SOURCE,
         status->MPI_TAG == MPI_ANY_TAG ? -98 : status->MPI_TAG, count, cancelled);
}

/* A status that shows which of its fields a call leaves alone. */
enum { NO_SOURCE = -555, NO_TAG = -556, NO_ERROR = -557 };

static inline void clear_statuses(MPI_Status *statuses, int count)
{
    memset(statuses, 0, count * sizeof *statuses);
    for (int i = 0; i < count; i++) {
        statuses[i].MPI_SOURCE = NO_SOURCE;
        statuses[i].MPI_TAG = NO_TAG;
        statuses[i].MPI_ERROR = NO_ERROR;
    }
}

/* Prints a status without the flag for cancelled: MPICH leaves that unchanged after a probe, and Open MPI after a file
 * operation. Through a pair they find another status than the program's. */
static inline void note_transfer(const MPI_Status *status)
{
    int count = -1;
    MPI_Get_count(status, MPI_BYTE, &count);
    note(" from ");
    if (status->MPI_SOURCE == NO_SOURCE || status->MPI_SOURCE == MPI_PROC_NULL || status->MPI_SOURCE == MPI_ANY_SOURCE)
        note("%s", status->MPI_SOURCE == NO_SOURCE ? "untouched" :
                   status->MPI_SOURCE == MPI_PROC_NULL ? "MPI_PROC_NULL" : "MPI_ANY_SOURCE");
    else
        note("%d", status->MPI_SOURCE);
    if (status->MPI_TAG == NO_TAG || status->MPI_TAG == MPI_ANY_TAG)
        note(" tag %s", status->MPI_TAG == NO_TAG ? "untouched" : "MPI_ANY_TAG");
    else
        note(" tag %d", status->MPI_TAG);
    note(" bytes %d error %s", count, status->MPI_ERROR == NO_ERROR ? "untouched" : class_of(status->MPI_ERROR));
}

static inline void note_left(const MPI_Status *status)
{
    int cancelled = -1;
    note_transfer(status);
    MPI_Test_cancelled(status, &cancelled);
    if (cancelled)
        note(" cancelled");
}

static inline void note_numbers(const int *numbers, int count)
{
    note(":");
    for (int i = 0; i < count; i++)
        note(" %d", numbers[i]);
}

static inline const char *handle_state(const void *handle, const void *null, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((const unsigned char *)handle)[i] != 0x5a)
            return memcmp(handle, null, size) == 0 ? "null" : "made";
    return "untouched";
}
#define STATE(handle, null) (__extension__({ __typeof__(handle) of_null = null; handle_state(&handle, &of_null, sizeof handle); }))
#define UNTOUCHED(variable) memset(&variable, 0x5a, sizeof variable)

#endif
