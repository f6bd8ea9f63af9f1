/* SPDX-License-Identifier: BSD-3-Clause */
#include "built/of_session.h"

#include <pthread.h>
#include <stdlib.h>

#include "built/new_comm.h"
#include "convert/adapter.h"
#include "convert/index.h"

/* The host's procedures as they were before those below took their places. */
static struct host_procedures next;
static int keyval; /* of a communicator's session; 0 before there was one, and when it has gone with MPI */
static int sessions; /* that have begun and not ended */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_session(host_session session)
{
    return HOST_SESSION_BITS(session) != HOST_SESSION_BITS(HOST_MPI_SESSION_NULL);
}

/* ---- groups ---- */

/* A group that comes from a session, by the handle's bits. A host may give one handle to several calls, and wants it freed
 * as often. */
struct derived {
    struct index_entry entry;
    host_session session;
    int times;
};
static struct index groups;

static host_session session_of_group(host_group group)
{
    pthread_mutex_lock(&lock);
    const struct derived *found = (struct derived *)*index_find(&groups, HOST_GROUP_BITS(group));
    host_session session = found ? found->session : HOST_MPI_SESSION_NULL;
    pthread_mutex_unlock(&lock);
    return session;
}

/* The lock is held. Null if memory is lacking. */
static struct derived *add(intptr_t bits)
{
    struct derived *added = calloc(1, sizeof *added);
    if (!added)
        return 0;
    added->entry.key = bits;
    if (index_add(&groups, &added->entry) == 0)
        return added;
    free(added);
    return 0;
}

/* A group that the program gets, of a session or of none. Without memory it is of none. */
static void note(host_group group, host_session session)
{
    intptr_t bits = HOST_GROUP_BITS(group);
    if (!is_session(session) || bits == HOST_GROUP_BITS(HOST_MPI_GROUP_EMPTY))
        return;
    pthread_mutex_lock(&lock);
    struct derived *found = (struct derived *)*index_find(&groups, bits);
    if (!found)
        found = add(bits);
    if (found) {
        found->session = session;
        found->times++;
    }
    pthread_mutex_unlock(&lock);
}

static void forget(intptr_t bits)
{
    pthread_mutex_lock(&lock);
    struct index_entry **link = index_find(&groups, bits);
    struct derived *found = (struct derived *)*link;
    if (found && --found->times == 0) {
        index_remove(&groups, link);
        free(found);
    }
    pthread_mutex_unlock(&lock);
}

/* All groups of a call are of one session, but for MPI_GROUP_EMPTY, which is of none. */
static host_session session_of_either(host_group one, host_group other)
{
    host_session session = session_of_group(one);
    return is_session(session) ? session : session_of_group(other);
}

#define GETS(name, session, parameters, arguments)                                                 \
    static int noted_##name parameters                                                             \
    {                                                                                              \
        int rc = next.name arguments;                                                              \
        if (rc == 0)                                                                               \
            note(*newgroup, session);                                                              \
        return rc;                                                                                 \
    }
GETS(MPI_Group_from_session_pset, session,
     (host_session session, const char *pset_name, host_group *newgroup), (session, pset_name, newgroup))
GETS(MPI_Group_incl, session_of_group(group),
     (host_group group, int n, const int *ranks, host_group *newgroup), (group, n, ranks, newgroup))
GETS(MPI_Group_excl, session_of_group(group),
     (host_group group, int n, const int *ranks, host_group *newgroup), (group, n, ranks, newgroup))
GETS(MPI_Group_range_incl, session_of_group(group),
     (host_group group, int n, int ranges[][3], host_group *newgroup), (group, n, ranges, newgroup))
GETS(MPI_Group_range_excl, session_of_group(group),
     (host_group group, int n, int ranges[][3], host_group *newgroup), (group, n, ranges, newgroup))
GETS(MPI_Group_union, session_of_either(one, other),
     (host_group one, host_group other, host_group *newgroup), (one, other, newgroup))
GETS(MPI_Group_intersection, session_of_either(one, other),
     (host_group one, host_group other, host_group *newgroup), (one, other, newgroup))
GETS(MPI_Group_difference, session_of_either(one, other),
     (host_group one, host_group other, host_group *newgroup), (one, other, newgroup))
GETS(MPI_Comm_group, session_of(comm), (host_comm comm, host_group *newgroup), (comm, newgroup))
GETS(MPI_Comm_remote_group, session_of(comm), (host_comm comm, host_group *newgroup), (comm, newgroup))

/* Forgotten ahead of the host, which may give the handle to another thread's group. */
static int noted_MPI_Group_free(host_group *group)
{
    intptr_t bits = group ? HOST_GROUP_BITS(*group) : 0;
    forget(bits);
    return next.MPI_Group_free(group);
}

/* ---- communicators ---- */

host_session session_of(host_comm comm)
{
    void *value = 0;
    int found = 0, key = __atomic_load_n(&keyval, __ATOMIC_RELAXED);
    if (!key || host.MPI_Comm_get_attr(comm, key, &value, &found) != 0 || !found)
        return HOST_MPI_SESSION_NULL;
    return HOST_SESSION_FROM((intptr_t)value);
}

static void set(host_comm comm, host_session session)
{
    if (is_session(session) && HOST_COMM_BITS(comm) != HOST_COMM_BITS(HOST_MPI_COMM_NULL))
        host.MPI_Comm_set_attr(comm, keyval, (void *)HOST_SESSION_BITS(session));
}

static int copy_session(host_comm comm, int key, void *state, void *from, void *made, int *flag)
{
    *(void **)made = from;
    *flag = 1;
    return HOST_MPI_SUCCESS;
}

static void inherit(host_comm made, host_comm from, int tag)
{
    set(made, session_of(from));
}

static int noted_MPI_Comm_create_from_group(host_group group, const char *stringtag, host_info info,
                                            host_errhandler errhandler, host_comm *newcomm)
{
    int rc = next.MPI_Comm_create_from_group(group, stringtag, info, errhandler, newcomm);
    if (rc == 0)
        set(*newcomm, session_of_group(group));
    return rc;
}

static int noted_MPI_Intercomm_create_from_groups(host_group local_group, int local_leader, host_group remote_group,
                                                  int remote_leader, const char *stringtag, host_info info,
                                                  host_errhandler errhandler, host_comm *newintercomm)
{
    int rc = next.MPI_Intercomm_create_from_groups(local_group, local_leader, remote_group, remote_leader, stringtag, info,
                                                   errhandler, newintercomm);
    if (rc == 0)
        set(*newintercomm, session_of_group(local_group));
    return rc;
}

/* ---- sessions ---- */

static int world_runs(void)
{
    int begun = 0, ended = 0;
    host.MPI_Initialized(&begun);
    host.MPI_Finalized(&ended);
    return begun && !ended;
}

int of_session_is_last(void)
{
    return __atomic_load_n(&sessions, __ATOMIC_ACQUIRE) == 1 && !world_runs();
}

/* Hosts forget keyvals when MPI ends, and give their numbers to others when it begins again. */
int of_session_mpi_has_ended(void)
{
    if (__atomic_load_n(&sessions, __ATOMIC_ACQUIRE) > 0 || world_runs())
        return 0;
    __atomic_store_n(&keyval, 0, __ATOMIC_RELEASE);
    return 1;
}

static int noted_MPI_Session_finalize(host_session *session)
{
    if (session && is_session(*session)) {
        when_session_ends(*session);
        __atomic_sub_fetch(&sessions, 1, __ATOMIC_ACQ_REL);
    }
    int rc = next.MPI_Session_finalize(session);
    when_session_has_ended();
    return rc;
}

/* The lock is held. Who sees the keyval sees the rest. */
static void take_over(int made)
{
    static int has_taken;
    if (!has_taken++) {
#define TAKE(name) next.name = host.name; host.name = noted_##name;
        TAKE(MPI_Group_from_session_pset) TAKE(MPI_Group_incl) TAKE(MPI_Group_excl) TAKE(MPI_Group_range_incl)
        TAKE(MPI_Group_range_excl) TAKE(MPI_Group_union) TAKE(MPI_Group_intersection) TAKE(MPI_Group_difference)
        TAKE(MPI_Comm_group) TAKE(MPI_Comm_remote_group) TAKE(MPI_Group_free) TAKE(MPI_Comm_create_from_group)
        TAKE(MPI_Intercomm_create_from_groups) TAKE(MPI_Session_finalize)
#undef TAKE
        tell_of_new_comms(inherit);
    }
    __atomic_store_n(&keyval, made, __ATOMIC_RELEASE);
}

/* The first session: MPI runs, and attributes may be made. Several threads may come here at once. */
static void note_from_now_on(void)
{
    int made;
    if (__atomic_load_n(&keyval, __ATOMIC_ACQUIRE) ||
        host.MPI_Comm_create_keyval((mpi_function *)copy_session, (mpi_function *)HOST_MPI_COMM_NULL_DELETE_FN, &made, 0) != 0)
        return;
    pthread_mutex_lock(&lock);
    int first = !keyval;
    if (first)
        take_over(made);
    pthread_mutex_unlock(&lock);
    if (!first)
        host.MPI_Comm_free_keyval(&made);
}

static int noted_MPI_Session_init(host_info info, host_errhandler errhandler, host_session *session)
{
    int rc = next.MPI_Session_init(info, errhandler, session);
    if (rc == 0) {
        __atomic_add_fetch(&sessions, 1, __ATOMIC_RELAXED);
        note_from_now_on();
    }
    return rc;
}

void of_session_begin(void)
{
    next.MPI_Session_init = host.MPI_Session_init;
    host.MPI_Session_init = noted_MPI_Session_init;
}
