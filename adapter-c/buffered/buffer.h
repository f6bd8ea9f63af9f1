/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of ours for MPI_Bsend and its like (MPI-4.1 section 3.6), on a host whose only buffer is the process's and is
 * flushed by detaching it alone: buffers of communicators and of sessions, and the process's where it grows by itself or is
 * flushed without waiting. Messages that go by such a buffer are copied and begun here.
 *
 * The host calls the program: error handlers, attribute callbacks. These may send, flush and detach, so that no lock is
 * held while the host is called, and what a call uses of a buffer is held instead. */
#ifndef BUFFER_H
#define BUFFER_H

#include <pthread.h>

#include "host.h"

struct buffer;

/* A buffer that is held as an attached one, for one of the three below or to be let go; null if memory is lacking. Its
 * size is looked at unless it is automatic. */
struct buffer *buffer_new(void *address, MPI_Count size);

/* The last that holds a buffer frees it: it is held while it is attached, by its messages, by requests that wait for it,
 * and in calls. */
void buffer_let_go(struct buffer *buffer);

/* Returns the host's code, or an error class that is not raised yet: MPI_ERR_BUFFER of a communicator, too, that has one
 * already or gets one of another thread now. */
int buffer_attach_to_comm(struct buffer *buffer, host_comm comm);
int buffer_attach_to_session(struct buffer *buffer, host_session session);
int buffer_attach_to_process(struct buffer *buffer);

/* It takes no more messages; those that it has go on. Of several threads that detach it one is told so. */
int buffer_detach(struct buffer *buffer);

/* The communicator forgets the buffer that was detached, which the caller still holds. Returns the host's code. */
int buffer_leaves_comm(host_comm comm);

/* Find the attached buffer and take a reference for the caller; null if there is none. buffer_of_comm() and buffer_for(), which
 * finds the buffer that a communicator's messages use, return the host's error code. */
int buffer_of_comm(host_comm comm, struct buffer **buffer);
struct buffer *buffer_of_session(host_session session);
struct buffer *buffer_of_process(void);
int buffer_for(host_comm comm, struct buffer **buffer);

/* Return the program's address and size; 0 bytes for an automatic buffer. */
void *buffer_address(const struct buffer *buffer);
MPI_Count buffer_size(const struct buffer *buffer);

/* Waits until all messages have gone that are in it. */
void buffer_flush(struct buffer *buffer);

/* The number of the message that came last, and whether all up to a number have gone. */
uint64_t buffer_last(struct buffer *buffer);
int buffer_is_flushed(struct buffer *buffer, uint64_t number);

/* Forgets messages that have gone, of all buffers. */
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

/* Begins one whose data are of this length. Returns the host's code; the message is the caller's unless that is 0. */
int buffer_send(struct buffer *buffer, struct message *message, MPI_Count length, int dest, int tag, host_comm comm);

/* Waits until all messages have gone, of all buffers. */
void buffers_flush(void);

/* To be called once, when the adapter is loaded. */
void buffered_begin(void);

/* To be called once, when the adapter is loaded; and when there is a buffer of ours: sends may go by it. */
void bsend_begin(void);
void bsend_install(void);

#endif
