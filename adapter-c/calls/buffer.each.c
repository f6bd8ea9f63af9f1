/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of buffered sends, MPI-4.1 section 3.6: the process's, communicators' and sessions'. The application sized a buffer
 * with its own MPI_BSEND_OVERHEAD; where the host's is larger, the host gets a larger buffer of ours, so that as many sends
 * fit, and the application's is kept for when it is detached. That of a communicator or session that is freed with its
 * buffer is never freed: messages may be in it. */
#include <stdlib.h>

#include "convert/adapter.h"
#include "convert/index.h"
#include "layers/lock.h"

#define EXTRA_OVERHEAD (HOST_MPI_BSEND_OVERHEAD - APP_MPI_BSEND_OVERHEAD)

/* The application's buffers, by the address of ours in their place. */
struct attached {
    struct index_entry entry;
    void *app;
    MPI_Count size;
};
static struct index attached;
LOCK(enlarged_buffers);

/* Returns room for what `size` bytes can hold at most: one send for each overhead's worth of them. */
static MPI_Count larger_size(MPI_Count size)
{
    return size + (size / APP_MPI_BSEND_OVERHEAD + 1) * (MPI_Count)EXTRA_OVERHEAD;
}

/* Makes a buffer of ours in the place of the application's. Returns null if memory runs out. */
static void *enlarged_buffer(void *buffer, MPI_Count size)
{
    void *made = malloc((size_t)larger_size(size));
    if (!made)
        return 0;
    take_lock(enlarged_buffers);
    struct attached *added = index_new(&attached, (intptr_t)made, sizeof *added);
    if (added) {
        added->app = buffer;
        added->size = size;
    }
    release_lock(enlarged_buffers);
    if (added)
        return made;
    free(made);
    return 0;
}

/* Returns the buffer to give to the host, and sets its size. Without memory it is the application's. */
static void *attached_to_host(void *buffer, MPI_Count *size)
{
    void *given = attached_buffer_to_host(buffer);
    if (EXTRA_OVERHEAD <= 0 || given != buffer || !buffer || *size < 0 || !(given = enlarged_buffer(buffer, *size)))
        return attached_buffer_to_host(buffer);
    *size = larger_size(*size);
    return given;
}

/* Returns the address that the application attached, and sets its size where that is not the host's. Frees a buffer of ours. */
static void *detached_to_app(void *buffer, MPI_Count *size)
{
    void *app = attached_buffer_to_app(buffer);
    if (EXTRA_OVERHEAD <= 0)
        return app;
    take_lock(enlarged_buffers);
    struct index_entry **link = index_find(&attached, (intptr_t)buffer);
    struct attached *found = (struct attached *)*link;
    if (found)
        index_remove(&attached, link);
    release_lock(enlarged_buffers);
    if (found) {
        app = found->app;
        *size = found->size;
        free(found);
        free(buffer);
    }
    return app;
}

/* Returns the code of a call that attached `given`. If the host refused, because another buffer is attached, that one stays. */
static int attached_code(host_code rc, void *given)
{
    MPI_Count size;
    if (rc == 0)
        return 0;
    detached_to_app(given, &size);
    return error_to_app(rc);
}

/* Attaches with an int where that is enough, as the host may have no other procedure. */
#define HOST_ATTACH(name, ...)                                                                     \
    (bytes == (int)bytes ? host.name(__VA_ARGS__ given, (int)bytes) : host.name##_c(__VA_ARGS__ given, bytes))

PROCEDURE(app_code, MPI_Buffer_attach, void *buffer, int size)
{
    MPI_Count bytes = size;
    void *given = attached_to_host(buffer, &bytes);
    return attached_code(HOST_ATTACH(MPI_Buffer_attach), given);
}

PROCEDURE(app_code, MPI_Buffer_attach_c, void *buffer, MPI_Count size)
{
    MPI_Count bytes = size;
    void *given = attached_to_host(buffer, &bytes);
    return attached_code(host.MPI_Buffer_attach_c(given, bytes), given);
}

PROCEDURE(app_code, MPI_Buffer_detach, void *address, int *size)
{
    void *buffer = 0;
    if (!address || !size)
        return raise_error(HOST_MPI_ERR_ARG);
    host_code rc = host.MPI_Buffer_detach(&buffer, size);
    if (rc != 0)
        return error_to_app(rc);
    MPI_Count bytes = *size;
    *(void **)address = detached_to_app(buffer, &bytes);
    *size = (int)bytes;
    return 0;
}

PROCEDURE(app_code, MPI_Buffer_detach_c, void *address, MPI_Count *size)
{
    void *buffer = 0;
    if (!address || !size)
        return raise_error(HOST_MPI_ERR_ARG);
    host_code rc = host.MPI_Buffer_detach_c(&buffer, size);
    if (rc != 0)
        return error_to_app(rc);
    *(void **)address = detached_to_app(buffer, size);
    return 0;
}

/* Returns to the program what a host's procedure detached that returned `rc`. */
static app_code return_detached(host_code rc, void *buffer, void *address, MPI_Count *size)
{
    if (rc != 0)
        return error_to_app(rc);
    void *app = detached_to_app(buffer, size);
    if (address)
        *(void **)address = app;
    return 0;
}

static app_code return_detached_int(host_code rc, void *buffer, void *address, int *size)
{
    MPI_Count bytes = rc == 0 && size ? *size : 0;
    app_code code = return_detached(rc, buffer, address, &bytes);
    if (rc == 0 && size)
        *size = (int)bytes;
    return code;
}

/* each
 * class
 * comm
 * session
 */
PROCEDURE(app_code, MPI_${Class}_attach_buffer, app_$class handle, void *buffer, int size)
{
    MPI_Count bytes = size;
    host_$class its_handle = ${class}_to_host(handle);
    void *given = attached_to_host(buffer, &bytes);
    return attached_code(HOST_ATTACH(MPI_${Class}_attach_buffer, its_handle, ), given);
}

PROCEDURE(app_code, MPI_${Class}_attach_buffer_c, app_$class handle, void *buffer, MPI_Count size)
{
    MPI_Count bytes = size;
    host_$class its_handle = ${class}_to_host(handle);
    void *given = attached_to_host(buffer, &bytes);
    return attached_code(host.MPI_${Class}_attach_buffer_c(its_handle, given, bytes), given);
}

PROCEDURE(app_code, MPI_${Class}_detach_buffer, app_$class handle, void *address, int *size)
{
    void *buffer = 0;
    host_code rc = host.MPI_${Class}_detach_buffer(${class}_to_host(handle), address ? (void *)&buffer : 0, size);
    return return_detached_int(rc, buffer, address, size);
}

PROCEDURE(app_code, MPI_${Class}_detach_buffer_c, app_$class handle, void *address, MPI_Count *size)
{
    void *buffer = 0;
    MPI_Count none = 0;
    host_code rc = host.MPI_${Class}_detach_buffer_c(${class}_to_host(handle), address ? (void *)&buffer : 0, size);
    return return_detached(rc, buffer, address, size ? size : &none);
}
/* end */
