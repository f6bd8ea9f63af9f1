/* SPDX-License-Identifier: BSD-3-Clause */
/* Attaching, flushing and detaching buffers of communicators, of sessions and of the process (MPI-4.1 section 3.6). */
#include <stdlib.h>

#include "layers/built.h"
#include "buffered/buffer.h"
#include "sessions/session_origin.h"
#include "convert/host_side.h"
#include "layers/layers.h"
#include "convert/say.h"
#include "convert/life.h"
#include "requests/adapter_request.h"
#include "start/mention.h"

#define ATTACHMENTS(each) each(MPI_Buffer_attach) each(MPI_Buffer_attach_c) each(MPI_Buffer_detach) each(MPI_Buffer_detach_c)
LAYER_PART(attachments, ATTACHMENTS);

/* Makes a buffer for the program. Returns null and an error class if that fails. */
static struct buffer *create_buffer(void *address, MPI_Count size, int *rc)
{
    *rc = address != HOST_MPI_BUFFER_AUTOMATIC && (size < 0 || (!address && size > 0)) ? HOST_MPI_ERR_ARG : 0;
    struct buffer *made = *rc == 0 ? buffer_new(address, size) : 0;
    if (*rc == 0 && !made)
        *rc = HOST_MPI_ERR_NO_MEM;
    if (made) {
        buffers_reap();
        bsend_install();
    }
    return made;
}

/* Flushes the attached buffer and returns its address and size. Returns an error class if none is attached, or another thread
 * detached it meanwhile. */
static int detach_buffer(struct buffer *buffer, void *buffer_addr, MPI_Count *size)
{
    if (!buffer)
        return HOST_MPI_ERR_BUFFER;
    buffer_flush(buffer);
    host_code rc = buffer_detach(buffer) ? 0 : HOST_MPI_ERR_BUFFER;
    if (rc == 0) {
        *(void **)buffer_addr = buffer_address(buffer);
        *size = buffer_size(buffer);
    }
    return rc;
}

/* Stores the size as an int: MPI_UNDEFINED if it does not fit. */
static int narrow_size(host_code rc, MPI_Count bytes, int *size)
{
    if (rc == 0)
        *size = bytes == (int)bytes ? (int)bytes : HOST_MPI_UNDEFINED;
    return rc;
}

/* Flushes the buffer, if there is one, and drops the caller's reference. */
static void flush_and_release(struct buffer *buffer)
{
    if (buffer)
        buffer_flush(buffer);
    buffer_release(buffer);
}

/* A flush in progress: it waits for the messages that are in the buffer now. */
struct flushing {
    struct buffer *buffer;
    uint64_t number;
};

static int no_parts(void *arguments, host_request *parts)
{
    return 0;
}

static int poll_flushing(void *arguments, host_status *status, int *error)
{
    const struct flushing *f = arguments;
    return !f->buffer || buffer_is_flushed(f->buffer, f->number);
}

static void release_flushing(void *arguments)
{
    struct flushing *f = arguments;
    buffer_release(f->buffer);
    free(f);
}

/* Begins to flush the buffer. The request takes over the caller's reference, and is complete at once if there is no buffer. */
static int iflush_and_release(struct buffer *buffer, host_comm comm, host_request *request)
{
    struct flushing *f = malloc(sizeof *f);
    if (!f) {
        buffer_release(buffer);
        return fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    }
    *f = (struct flushing){ buffer, buffer ? buffer_last(buffer) : 0 };
    return adapter_begin(
        &(struct adapter_operation){
            .comm = comm, .issue = no_parts, .poll = poll_flushing, .release = release_flushing, .arguments = f },
        request);
}

/* ---- communicators ---- */

host_code built_MPI_Comm_attach_buffer_c(host_comm comm, void *buffer, MPI_Count size)
{
    host_code rc;
    struct buffer *made = create_buffer(buffer, size, &rc);
    if (!made)
        return fail_comm(comm, rc);
    rc = buffer_attach_to_comm(made, comm);
    if (rc != 0)
        buffer_release(made);
    return rc == HOST_MPI_ERR_BUFFER ? fail_comm(comm, rc) : rc;
}

host_code built_MPI_Comm_attach_buffer(host_comm comm, void *buffer, int size)
{
    return built_MPI_Comm_attach_buffer_c(comm, buffer, size);
}

host_code built_MPI_Comm_detach_buffer_c(host_comm comm, void *buffer_addr, MPI_Count *size)
{
    struct buffer *buffer;
    if (!buffer_addr || !size)
        return fail_comm(comm, HOST_MPI_ERR_ARG);
    host_code rc = buffer_of_comm(comm, &buffer);
    if (rc != 0)
        return rc;
    rc = detach_buffer(buffer, buffer_addr, size);
    rc = rc == 0 ? buffer_leaves_comm(comm) : fail_comm(comm, rc);
    buffer_release(buffer);
    return rc;
}

host_code built_MPI_Comm_detach_buffer(host_comm comm, void *buffer_addr, int *size)
{
    MPI_Count bytes = 0;
    host_code rc = built_MPI_Comm_detach_buffer_c(comm, buffer_addr, size ? &bytes : 0);
    return narrow_size(rc, bytes, size);
}

host_code built_MPI_Comm_flush_buffer(host_comm comm)
{
    struct buffer *buffer;
    host_code rc = buffer_of_comm(comm, &buffer);
    flush_and_release(buffer);
    return rc;
}

host_code built_MPI_Comm_iflush_buffer(host_comm comm, host_request *request)
{
    struct buffer *buffer;
    host_code rc = buffer_of_comm(comm, &buffer);
    return rc == 0 ? iflush_and_release(buffer, comm, request) : rc;
}

/* ---- sessions ---- */

host_code built_MPI_Session_attach_buffer_c(host_session session, void *buffer, MPI_Count size)
{
    host_code rc = check_session(session);
    if (rc != 0)
        return rc;
    struct buffer *made = create_buffer(buffer, size, &rc);
    if (made && (rc = buffer_attach_to_session(made, session)) != 0)
        buffer_release(made);
    return rc == 0 ? 0 : fail_session(session, rc);
}

host_code built_MPI_Session_attach_buffer(host_session session, void *buffer, int size)
{
    return built_MPI_Session_attach_buffer_c(session, buffer, size);
}

host_code built_MPI_Session_detach_buffer_c(host_session session, void *buffer_addr, MPI_Count *size)
{
    host_code rc = check_session(session);
    if (rc != 0)
        return rc;
    if (!buffer_addr || !size)
        return fail_session(session, HOST_MPI_ERR_ARG);
    struct buffer *buffer = buffer_of_session(session);
    rc = detach_buffer(buffer, buffer_addr, size);
    buffer_release(buffer);
    return rc == 0 ? 0 : fail_session(session, rc);
}

host_code built_MPI_Session_detach_buffer(host_session session, void *buffer_addr, int *size)
{
    MPI_Count bytes = 0;
    host_code rc = built_MPI_Session_detach_buffer_c(session, buffer_addr, size ? &bytes : 0);
    return narrow_size(rc, bytes, size);
}

host_code built_MPI_Session_flush_buffer(host_session session)
{
    host_code rc = check_session(session);
    flush_and_release(rc == 0 ? buffer_of_session(session) : 0);
    return rc;
}

host_code built_MPI_Session_iflush_buffer(host_session session, host_request *request)
{
    host_code rc = check_session(session);
    if (rc != 0)
        return rc;
    if (!request)
        return fail_session(session, HOST_MPI_ERR_ARG);
    return iflush_and_release(buffer_of_session(session), HOST_MPI_COMM_SELF, request);
}

/* Delivers the messages whose sends have already returned success, and detaches the session's buffer. */
static void flush_session(host_session session)
{
    void *address;
    MPI_Count size;
    struct buffer *buffer = buffer_of_session(session);
    detach_buffer(buffer, &address, &size);
    buffer_release(buffer);
}

/* ---- the process ---- */

/* Returns whether a buffer of the process is ours. The host's implementation is used for all but automatic buffers, and programs that
 * call MPI_Buffer_iflush. */
static int is_ours(const void *buffer)
{
    static int wanted = -1;
    if (wanted < 0)
        wanted = program_mentions("MPI_ADAPTER_BUFFER_IFLUSH", "buffer_iflush");
    return wanted || buffer == HOST_MPI_BUFFER_AUTOMATIC;
}

static int has_ours(void)
{
    struct buffer *buffer = buffer_of_process();
    buffer_release(buffer);
    return buffer != 0;
}

static int attach_ours(void *buffer, MPI_Count size)
{
    host_code rc;
    struct buffer *made = create_buffer(buffer, size, &rc);
    if (made && (rc = buffer_attach_to_process(made)) != 0)
        buffer_release(made);
    return rc == 0 ? 0 : fail_in(rc, "MPI_Buffer_attach");
}

static int buffered_MPI_Buffer_attach(void *buffer, int size)
{
    return is_ours(buffer) || has_ours() ? attach_ours(buffer, size) : NEXT(attachments, MPI_Buffer_attach)(buffer, size);
}

static int buffered_MPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    return is_ours(buffer) || has_ours() ? attach_ours(buffer, size) : NEXT(attachments, MPI_Buffer_attach_c)(buffer, size);
}

static int detach_ours(struct buffer *buffer, void *buffer_addr, MPI_Count *size)
{
    host_code rc = detach_buffer(buffer, buffer_addr, size);
    buffer_release(buffer);
    return rc == 0 ? 0 : fail_in(rc, "MPI_Buffer_detach");
}

static int buffered_MPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
    struct buffer *buffer = buffer_of_process();
    return buffer ? detach_ours(buffer, buffer_addr, size) : NEXT(attachments, MPI_Buffer_detach_c)(buffer_addr, size);
}

static int buffered_MPI_Buffer_detach(void *buffer_addr, int *size)
{
    MPI_Count bytes = 0;
    struct buffer *buffer = buffer_of_process();
    if (!buffer)
        return NEXT(attachments, MPI_Buffer_detach)(buffer_addr, size);
    host_code rc = detach_ours(buffer, buffer_addr, &bytes);
    return narrow_size(rc, bytes, size);
}

/* MPI-4.1 section 3.6: detaching waits until every buffered message is delivered. */
host_code built_MPI_Buffer_flush(void)
{
    void *buffer = 0;
    int size = 0, rc = host.MPI_Buffer_detach(&buffer, &size);
    return rc == 0 && buffer ? host.MPI_Buffer_attach(buffer, size) : rc;
}

host_code built_MPI_Buffer_iflush(host_request *request)
{
    if (!is_ours(0)) {
        static int said;
        if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
            complain("MPI_Buffer_iflush was called, but nothing loaded at start names it; set MPI_ADAPTER_BUFFER_IFLUSH=1 for a "
                     "program that looks it up by name");
        return fail(unsupported("MPI_Buffer_iflush"));
    }
    return iflush_and_release(buffer_of_process(), HOST_MPI_COMM_SELF, request);
}

void buffered_begin(void)
{
#define BUFFERED(name) OVERRIDE(attachments, name, buffered_##name),
    if (!HOST_LACKS(MPI_Comm_attach_buffer))
        return;
    LAYER_INSTALL(LAYER_BUFFER, attachments, ATTACHMENTS(BUFFERED));
    bsend_begin();
    session_origin_begin(flush_session);
}
