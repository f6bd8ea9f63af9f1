/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer of buffered sends, MPI-4.1 section 3.6. The application sized it with its own
 * MPI_BSEND_OVERHEAD; where the host's is larger, the host gets a larger buffer of ours, so that
 * as many sends fit, and the application's is kept for MPI_Buffer_detach. */
#include "convert/adapter.h"

#define EXTRA_OVERHEAD (HOST_MPI_BSEND_OVERHEAD - APP_MPI_BSEND_OVERHEAD)

/* What the application attached, and our buffer in its place, if there is one. */
struct attachment {
    void *app;
    MPI_Count size;
    void *larger;
};
static struct attachment attached;

/* Room for what `size` bytes can hold at most: one send for each overhead's worth of them. */
static MPI_Count larger_size(MPI_Count size)
{
    return size + (size / APP_MPI_BSEND_OVERHEAD + 1) * (MPI_Count)EXTRA_OVERHEAD;
}

/* The buffer to give to the host, and its size. */
static void *buffer_for_host(struct attachment *attachment, void *buffer, MPI_Count *size)
{
    *attachment = (struct attachment){ buffer, *size, 0 };
    if (EXTRA_OVERHEAD <= 0 || attached_buffer_to_host(buffer) != buffer || !buffer || *size < 0)
        return attached_buffer_to_host(buffer);
    attachment->larger = malloc((size_t)larger_size(*size));
    if (!attachment->larger)
        return buffer;
    *size = larger_size(*size);
    return attachment->larger;
}

/* The host may refuse: because another buffer is attached, which then stays. */
static int attach_result(int rc, const struct attachment *attachment)
{
    if (rc != 0) {
        free(attachment->larger);
        return error_to_app(rc);
    }
    attached = *attachment;
    return 0;
}

PROCEDURE(int, MPI_Buffer_attach, void *buffer, int size)
{
    struct attachment attachment;
    MPI_Count bytes = size;
    void *given = buffer_for_host(&attachment, buffer, &bytes);
    return attach_result(bytes == (int)bytes ? host.MPI_Buffer_attach(given, (int)bytes)
                                             : host.MPI_Buffer_attach_c(given, bytes), &attachment);
}

PROCEDURE(int, MPI_Buffer_attach_c, void *buffer, MPI_Count size)
{
    struct attachment attachment;
    MPI_Count bytes = size;
    void *given = buffer_for_host(&attachment, buffer, &bytes);
    return attach_result(host.MPI_Buffer_attach_c(given, bytes), &attachment);
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
    if (!address || !size)
        return raise_error(HOST_MPI_ERR_ARG);
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
    if (!address || !size)
        return raise_error(HOST_MPI_ERR_ARG);
    int rc = host.MPI_Buffer_detach_c(&buffer, size);
    if (rc != 0)
        return error_to_app(rc);
    *(void **)address = detached(buffer, size);
    return 0;
}

/* Buffers of communicators and sessions are the host's affair, but for what stands for one that it makes. */
#define DETACH(name, class, count)                                                                 \
    PROCEDURE(int, name, app_##class handle, void *address, count *size)                           \
    {                                                                                              \
        void *buffer = 0;                                                                          \
        int rc = host.name(class##_to_host(handle), address ? (void *)&buffer : 0, size);          \
        if (rc != 0)                                                                               \
            return error_to_app(rc);                                                               \
        if (address)                                                                               \
            *(void **)address = attached_buffer_to_app(buffer);                                    \
        return 0;                                                                                  \
    }
DETACH(MPI_Comm_detach_buffer, comm, int)
DETACH(MPI_Comm_detach_buffer_c, comm, MPI_Count)
DETACH(MPI_Session_detach_buffer, session, int)
DETACH(MPI_Session_detach_buffer_c, session, MPI_Count)
