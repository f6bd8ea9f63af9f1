/* SPDX-License-Identifier: BSD-3-Clause */
/* The adapter's own buffers for MPI_Bsend and its kin (MPI-4.1 section 3.6), on a host that has one buffer for the process
 * and flushes it only by detaching it: buffers of communicators and sessions, and of the process if it is automatic or
 * flushed without waiting. The adapter copies messages that use such a buffer, and begins the sends.
 *
 * The host may call the program's error handlers and attribute callbacks, which may send, flush and detach. So no lock is
 * held across a call of the host; calls hold references to buffers instead. */
#ifndef BUFFER_H
#define BUFFER_H

#include <pthread.h>

#include "host.h"

struct buffer;

/* Creates a buffer with one reference, for one of the attach functions below. Returns null if memory runs out. `size` is
 * ignored for MPI_BUFFER_AUTOMATIC. */
struct buffer *buffer_new(void *address, MPI_Count size);

/* Drops a reference; the last one frees the buffer. Null has none. The attachment, each message in flight, each waiting request and each
 * call in progress hold one. */
void buffer_release(struct buffer *buffer);

/* Attach a buffer and hand over its reference. Return the host's code, or an error class that is not raised yet: MPI_ERR_BUFFER
 * if a communicator has a buffer already, or gets one from another thread at the same time. */
int buffer_attach_to_comm(struct buffer *buffer, host_comm comm);
int buffer_attach_to_session(struct buffer *buffer, host_session session);
int buffer_attach_to_process(struct buffer *buffer);

/* Ends the attachment: the buffer takes no more messages, and keeps those that it has. Returns true in one of several threads. */
int buffer_detach(struct buffer *buffer);

/* Makes the communicator forget its detached buffer, to which the caller holds a reference. Returns the host's code. */
int buffer_leaves_comm(host_comm comm);

/* Find the attached buffer, and take a reference for the caller. Null if none is attached. buffer_of_comm() and
 * buffer_for(), which finds the buffer that a communicator's messages use, return the host's error code. */
int buffer_of_comm(host_comm comm, struct buffer **buffer);
struct buffer *buffer_of_session(host_session session);
struct buffer *buffer_of_process(void);
int buffer_for(host_comm comm, struct buffer **buffer);

/* Return the program's address and size; 0 bytes for an automatic buffer. */
void *buffer_address(const struct buffer *buffer);
MPI_Count buffer_size(const struct buffer *buffer);

/* Waits until all messages of the buffer have gone. */
void buffer_flush(struct buffer *buffer);

/* Return the number of the newest message, and whether all messages up to a number have gone. */
uint64_t buffer_last(struct buffer *buffer);
int buffer_is_flushed(struct buffer *buffer, uint64_t number);

/* Frees the messages of all buffers that have gone. */
void buffers_reap(void);

/* A message: packed data behind it. It is freed once it has gone. */
struct message {
    struct message *next, **link; /* link: what leads here */
    host_request request;
    MPI_Count charge; /* of the buffer's bytes */
    uint64_t number;
    pthread_t tester; /* a thread that asks the host about it, while is_tested */
    int is_tested;
    char data[];
};

/* Begins the send of a message with this length of data. Returns the host's code: 0 hands the message over. */
int buffer_send(struct buffer *buffer, struct message *message, MPI_Count length, int dest, int tag, host_comm comm);

/* Waits until all messages of all buffers have gone. */
void buffers_flush(void);

/* Called once, when the adapter is loaded. */
void buffered_begin(void);

/* Called when the adapter is loaded, and when it has its first buffer, which sends may use from then on. */
void bsend_begin(void);
void bsend_install(void);

#endif
