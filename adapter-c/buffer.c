/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer of buffered sends, MPI-4.1 section 3.6. The application sized it with its own
 * MPI_BSEND_OVERHEAD; where the host's is larger, the host gets a larger buffer of ours, so that
 * as many sends fit, and the application's is kept for MPI_Buffer_detach. */
#include "adapter.h"

#define EXTRA_OVERHEAD (HOST_MPI_BSEND_OVERHEAD - APP_MPI_BSEND_OVERHEAD)

static struct {
    void *app;
    MPI_Count size;
    void *larger;
} attached;

/* Room for what `size` bytes can hold at most: one send for each overhead's worth of them. */
static MPI_Count larger_size(MPI_Count size)
{
    return size + (size / APP_MPI_BSEND_OVERHEAD + 1) * (MPI_Count)EXTRA_OVERHEAD;
}

/* The buffer to give to the host, and its size. */
static void *buffer_for_host(void *buffer, MPI_Count *size)
{
    attached.app = buffer;
    attached.size = *size;
    attached.larger = 0;
    if (EXTRA_OVERHEAD <= 0 || attached_buffer_to_host(buffer) != buffer || !buffer)
        return attached_buffer_to_host(buffer);
    *size = larger_size(*size);
    attached.larger = malloc((size_t)*size);
    return attached.larger;
}

static int attach_result(int rc)
{
    if (rc == 0)
        return 0;
    free(attached.larger);
    attached.larger = 0;
    return error_to_app(rc);
}

PROCEDURE(int, MPI_Buffer_attach, void *buffer, int size)
{
    MPI_Count bytes = size;
    void *given = buffer_for_host(buffer, &bytes);
    return attach_result(bytes == (int)bytes ? host.MPI_Buffer_attach(given, (int)bytes)
                                             : host.MPI_Buffer_attach_c(given, bytes));
}

PROCEDURE(int, MPI_Buffer_attach_c, void *buffer, MPI_Count size)
{
    MPI_Count bytes = size;
    void *given = buffer_for_host(buffer, &bytes);
    return attach_result(host.MPI_Buffer_attach_c(given, bytes));
}

/* The address and size that the application attached. */
static void *detached(void *buffer, MPI_Count *size)
{
    if (!attached.larger)
        return attached_buffer_to_app(buffer);
    free(attached.larger);
    attached.larger = 0;
    *size = attached.size;
    return attached.app;
}

PROCEDURE(int, MPI_Buffer_detach, void *address, int *size)
{
    void *buffer = 0;
    int rc = host.MPI_Buffer_detach(&buffer, size);
    if (rc != 0)
        return error_to_app(rc);
    MPI_Count bytes = *size;
    *(void **)address = detached(buffer, &bytes);
    *size = (int)bytes;
    return 0;
}

PROCEDURE(int, MPI_Buffer_detach_c, void *address, MPI_Count *size)
{
    void *buffer = 0;
    int rc = host.MPI_Buffer_detach_c(&buffer, size);
    if (rc != 0)
        return error_to_app(rc);
    *(void **)address = detached(buffer, size);
    return 0;
}
