/* SPDX-License-Identifier: BSD-3-Clause */
#include "callbacks/stateful.h"

#include <pthread.h>
#include <stdlib.h>

#include "convert/host_side.h"
#include "layers/lock.h"
#include "layers/layers.h"
#include "requests/by_handle.h"
#include "requests/held_handle.h"
#include "requests/adapter_handle.h"
#include "requests/retained_array.h"

#define OF_CLASS(each, Class) each(MPI_##Class##_set_errhandler) each(MPI_##Class##_get_errhandler)
#define LIFETIMES(each) \
    OF_CLASS(each, Comm) OF_CLASS(each, Win) OF_CLASS(each, File) OF_CLASS(each, Session) each(MPI_Comm_free) \
    each(MPI_Win_free) each(MPI_File_close) each(MPI_Session_finalize) each(MPI_Comm_disconnect) each(MPI_Op_free) \
    each(MPI_Errhandler_free) each(MPI_File_open) each(MPI_Session_init) each(MPI_Finalize)
LAYER_PART(lifetimes, LIFETIMES);

/* An operation or an error handler. It is found by the host's handle while that may be in use. It is never freed, because a
 * trampoline knows it; a destroyed one is reused. */
struct stateful {
    struct by_handle by;
    int references;
    mpi_function *function; /* null once it is destroyed */
    mpi_function *destroy;
    void *state;
    struct stateful *next; /* among those that are destroyed */
};

/* A communicator, a window, a file or a session that has an error handler with a state. */
struct object {
    struct by_handle by;
    uint64_t number; /* that of the last one is highest */
    struct stateful *errhandler;
};

static struct index statefuls, objects;
static uint64_t last_object;
LOCK(stateful_objects);

/* The destroyed records, the oldest first. UNUSED of them are kept: an operation on a freed communicator may fail after its handler
 * was destroyed. By the trampoline it must then find that handler, and no other. */
#define UNUSED 1024
static struct stateful *oldest, **youngest = &oldest;
static int unused;

static struct stateful *take_oldest(void)
{
    if (unused <= UNUSED)
        return malloc(sizeof *oldest);
    struct stateful *taken = oldest;
    oldest = taken->next;
    unused--;
    return taken;
}

static void put_back(struct stateful *stateful)
{
    stateful->function = 0;
    stateful->next = 0;
    *youngest = stateful;
    youngest = &stateful->next;
    unused++;
}

mpi_function *stateful_function(const struct stateful *stateful, void **state)
{
    take_lock(stateful_objects);
    mpi_function *function = stateful->function;
    *state = stateful->state;
    release_lock(stateful_objects);
    return function;
}

/* Called without the lock: the destructor is the program's, and may call MPI. */
typedef void destructor(void *state);

struct last_words {
    destructor *destroy;
    void *state;
};

static void call_destructor(struct last_words words)
{
    if (words.destroy)
        words.destroy(words.state);
}

/* Takes one out of use, under the lock. */
static struct last_words retire(struct stateful *stateful)
{
    struct last_words words = { (destructor *)stateful->destroy, stateful->state };
    struct index_entry **link = index_find(&statefuls, stateful->by.entry.key);
    while (*link && *link != &stateful->by.entry)
        link = index_from(&(*link)->next, stateful->by.entry.key);
    if (*link)
        index_remove(&statefuls, link);
    put_back(stateful);
    return words;
}

static struct last_words drop_reference_locked(struct stateful *stateful)
{
    return --stateful->references == 0 ? retire(stateful) : (struct last_words){ 0, 0 };
}

static void drop_reference(struct stateful *stateful)
{
    take_lock(stateful_objects);
    struct last_words words = drop_reference_locked(stateful);
    release_lock(stateful_objects);
    call_destructor(words);
}

/* Adds an object, or takes one out, under the lock. Without memory for the table what it refers to stays for good: a leak
 * is safe, destroying is not. */
static void add_object(int handle_class, intptr_t bits, struct stateful *errhandler)
{
    struct object *added = calloc(1, sizeof *added);
    errhandler->references++;
    if (!added)
        return;
    *added = (struct object){ { { 0, bits }, handle_class }, ++last_object, errhandler };
    index_add(&objects, &added->by.entry);
}

static struct last_words remove_object(struct index_entry **link)
{
    struct object *removed = (struct object *)*link;
    struct last_words words = removed ? drop_reference_locked(removed->errhandler) : (struct last_words){ 0, 0 };
    if (removed)
        index_remove(&objects, link);
    free(removed);
    return words;
}

/* Gives an object this error handler or, null, one that has no state. */
static void assign_errhandler(int handle_class, intptr_t bits, struct stateful *errhandler)
{
    take_lock(stateful_objects);
    if (errhandler)
        errhandler->references++; /* it may be the one that the object has */
    struct last_words words = remove_object(find_by_handle(&objects, handle_class, bits));
    if (errhandler) {
        add_object(handle_class, bits, errhandler);
        errhandler->references--;
    }
    release_lock(stateful_objects);
    call_destructor(words);
}

static uint64_t object_mark(void)
{
    take_lock(stateful_objects);
    uint64_t mark = last_object;
    release_lock(stateful_objects);
    return mark;
}

/* Forgets a freed object. The mark was taken before the host freed it: a younger one with the same handle is what the host
 * has made for another thread since. */
static void forget_handle(int handle_class, intptr_t bits, uint64_t mark)
{
    struct last_words words = { 0, 0 };
    take_lock(stateful_objects);
    struct index_entry **link = find_by_handle(&objects, handle_class, bits);
    if (*link && ((struct object *)*link)->number <= mark)
        words = remove_object(link);
    release_lock(stateful_objects);
    call_destructor(words);
}

static struct stateful *find_stateful(int handle_class, intptr_t bits)
{
    take_lock(stateful_objects);
    struct stateful *found = (struct stateful *)*find_by_handle(&statefuls, handle_class, bits);
    release_lock(stateful_objects);
    return found;
}

/* ---- operations ---- */

static int counted_MPI_Op_free(host_op *op)
{
    struct stateful *freed = op ? find_stateful(CLASS_OP, HOST_OP_BITS(*op)) : 0;
    host_code rc = NEXT(lifetimes, MPI_Op_free)(op);
    if (rc == 0 && freed)
        drop_reference(freed);
    return rc;
}

static void release_used(intptr_t bits)
{
    release_op(HOST_OP_FROM(bits));
}

/* Requests of ours hold what they use themselves. Without memory the operation is held for good. */
void stateful_used(host_op op, const host_request *request)
{
    if (!adapter_is_null(*request) && !adapter_of(*request) && find_stateful(CLASS_OP, HOST_OP_BITS(op)) && hold_op(op) == 0)
        retain_value(*request, HOST_OP_BITS(op), release_used);
}

/* ---- error handlers ---- */

static int counted_MPI_Errhandler_free(host_errhandler *errhandler)
{
    struct stateful *freed = errhandler ? find_stateful(CLASS_ERRHANDLER, HOST_ERRHANDLER_BITS(*errhandler)) : 0;
    host_code rc = NEXT(lifetimes, MPI_Errhandler_free)(errhandler);
    if (rc == 0 && freed)
        drop_reference(freed);
    return rc;
}

/* The handle is one reference more. It is counted once where the host's procedure is a stand-in for it that calls another
 * one of these. */
static _Thread_local int is_counted;

static void handed_out(host_errhandler errhandler)
{
    is_counted = 1;
    take_lock(stateful_objects);
    struct stateful *found = (struct stateful *)*find_by_handle(&statefuls, CLASS_ERRHANDLER, HOST_ERRHANDLER_BITS(errhandler));
    if (found)
        found->references++;
    release_lock(stateful_objects);
}

/* each
 * class
 * comm
 * win
 * file
 * session
 */
static int counted_MPI_${Class}_set_errhandler(host_$class handle, host_errhandler errhandler)
{
    struct stateful *given = find_stateful(CLASS_ERRHANDLER, HOST_ERRHANDLER_BITS(errhandler));
    host_code rc = NEXT(lifetimes, MPI_${Class}_set_errhandler)(handle, errhandler);
    if (rc == 0)
        assign_errhandler(CLASS_$CLASS, HOST_${CLASS}_BITS(handle), given);
    return rc;
}

static int counted_MPI_${Class}_get_errhandler(host_$class handle, host_errhandler *errhandler)
{
    is_counted = 0;
    host_code rc = NEXT(lifetimes, MPI_${Class}_get_errhandler)(handle, errhandler);
    if (rc == 0 && !is_counted)
        handed_out(*errhandler);
    return rc;
}
/* end */

/* each
 * class    free
 * comm     MPI_Comm_free
 * comm     MPI_Comm_disconnect
 * win      MPI_Win_free
 * file     MPI_File_close
 * session  MPI_Session_finalize
 */
static int counted_$free(host_$class *handle)
{
    intptr_t bits = handle ? HOST_${CLASS}_BITS(*handle) : 0;
    uint64_t mark = object_mark();
    host_code rc = NEXT(lifetimes, $free)(handle);
    if (rc == 0)
        forget_handle(CLASS_$CLASS, bits, mark);
    return rc;
}
/* end */

/* The error handler that the host says a new object has, if it has a state. */
static struct stateful *look_at(host_errhandler errhandler)
{
    struct stateful *found = find_stateful(CLASS_ERRHANDLER, HOST_ERRHANDLER_BITS(errhandler));
    if (found)
        NEXT(lifetimes, MPI_Errhandler_free)(&errhandler);
    return found;
}

void stateful_comm_made(host_comm made)
{
    host_errhandler errhandler;
    if (HOST_COMM_BITS(made) != HOST_COMM_BITS(HOST_MPI_COMM_NULL) &&
        NEXT(lifetimes, MPI_Comm_get_errhandler)(made, &errhandler) == 0)
        assign_errhandler(CLASS_COMM, HOST_COMM_BITS(made), look_at(errhandler));
}

void stateful_comm_begun(host_comm parent, host_comm made)
{
    take_lock(stateful_objects);
    struct object *object = (struct object *)*find_by_handle(&objects, CLASS_COMM, HOST_COMM_BITS(parent));
    struct stateful *inherited = object ? object->errhandler : 0;
    release_lock(stateful_objects);
    assign_errhandler(CLASS_COMM, HOST_COMM_BITS(made), inherited);
}

/* A file begins with the error handler of MPI_FILE_NULL. Some hosts succeed and open none, as a handler took care of the
 * error. */
static int counted_MPI_File_open(host_comm comm, const char *filename, int amode, host_info info, host_file *file)
{
    host_errhandler errhandler;
    intptr_t before = HOST_FILE_BITS(*file);
    host_code rc = NEXT(lifetimes, MPI_File_open)(comm, filename, amode, info, file);
    if (rc == 0 && HOST_FILE_BITS(*file) != before && NEXT(lifetimes, MPI_File_get_errhandler)(*file, &errhandler) == 0)
        assign_errhandler(CLASS_FILE, HOST_FILE_BITS(*file), look_at(errhandler));
    return rc;
}

static int counted_MPI_Session_init(host_info info, host_errhandler errhandler, host_session *session)
{
    struct stateful *given = find_stateful(CLASS_ERRHANDLER, HOST_ERRHANDLER_BITS(errhandler));
    host_code rc = NEXT(lifetimes, MPI_Session_init)(info, errhandler, session);
    if (rc == 0)
        assign_errhandler(CLASS_SESSION, HOST_SESSION_BITS(*session), given);
    return rc;
}

/* An object that is left, or null. */
static struct object *any_object(void)
{
    for (uint32_t i = 0; objects.count > 0 && i < 1u << objects.log2; i++)
        if (objects.chains[i])
            return (struct object *)objects.chains[i];
    return 0;
}

/* MPI_COMM_WORLD and others that nobody frees end with MPI. */
static int counted_MPI_Finalize(void)
{
    host_code rc = NEXT(lifetimes, MPI_Finalize)();
    struct object *left;
    while (rc == 0 && (left = any_object()))
        forget_handle(left->by.handle_class, left->by.entry.key, left->number);
    return rc;
}

/* ---- the layer ---- */

/* Other threads call the procedures meanwhile, with or without the layer. A thread that has a handle which is counted got it
 * by something that orders memory, and finds the layer. */
static void install(void)
{
#define COUNTED(name) OVERRIDE(lifetimes, name, counted_##name),
    LAYER_INSTALL(LAYER_LIFETIME, lifetimes, LIFETIMES(COUNTED));
    stateful_install_entries();
}

struct stateful *stateful_make(int handle_class, mpi_function *function, mpi_function *destroy, void *state)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    take_lock(stateful_objects);
    struct stateful *made = take_oldest();
    if (made)
        *made = (struct stateful){ .by.handle_class = handle_class, .function = function, .destroy = destroy, .state = state };
    release_lock(stateful_objects);
    return made;
}

void stateful_publish(struct stateful *stateful, intptr_t bits)
{
    take_lock(stateful_objects);
    stateful->references = 1;
    stateful->by.entry.key = bits;
    /* The host has freed another one with this handle, and the thread that asked it to will drop that one. */
    struct index_entry **freed = find_by_handle(&statefuls, stateful->by.handle_class, bits);
    if (*freed)
        index_remove(&statefuls, freed);
    /* Without memory for the table it is never found, nor destroyed. */
    index_add(&statefuls, &stateful->by.entry);
    release_lock(stateful_objects);
}

void stateful_discard(struct stateful *stateful)
{
    take_lock(stateful_objects);
    if (stateful)
        put_back(stateful);
    release_lock(stateful_objects);
}
