/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs print of what they observe: a line for each call, LABEL <tab> what came back, in MPI's own names, with every
 * handler that was invoked meanwhile. No line has a number or an address that is the host's. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char observed[4096];

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
    MPI_Error_class(code, &class);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classes[i].class == class)
            return classes[i].name;
    return "another class";
}

/* SEE(label, call, ...): makes the call; the rest are statements that note what it left. */
#define SEE(label, call, ...) \
    do { \
        observed[0] = 0; \
        const char *class = class_of(call); \
        __VA_ARGS__; \
        printf("%s\t%s%s\n", label, class, observed); \
        fflush(stdout); \
    } while (0)

static inline void note_status(const MPI_Status *status, int with_error)
{
    int count = -1, cancelled = -1;
    MPI_Get_count(status, MPI_BYTE, &count);
    MPI_Test_cancelled(status, &cancelled);
    note(" from %d tag %d bytes %d cancelled %d", status->MPI_SOURCE == MPI_PROC_NULL ? -99 : status->MPI_SOURCE == MPI_ANY_SOURCE ? -98 : status->MPI_SOURCE,
         status->MPI_TAG == MPI_ANY_TAG ? -98 : status->MPI_TAG, count, cancelled);
    if (with_error)
        note(" %s", class_of(status->MPI_ERROR));
}

#endif
