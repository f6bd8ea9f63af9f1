/* SPDX-License-Identifier: BSD-3-Clause */
#include "sessions/session_origin.h"

#include <stdlib.h>

#include "layers/lock.h"
#include "sessions/new_comm.h"
#include "convert/host_side.h"
#include "convert/index.h"
#include "layers/layers.h"
#include "convert/life.h"

/* From the first session on. */
#define ORIGINS(each) \
    each(MPI_Group_from_session_pset) each(MPI_Group_incl) each(MPI_Group_excl) each(MPI_Group_range_incl) \
    each(MPI_Group_range_excl) each(MPI_Group_union) each(MPI_Group_intersection) each(MPI_Group_difference) \
    each(MPI_Comm_group) each(MPI_Comm_remote_group) each(MPI_Win_get_group) each(MPI_File_get_group) \
    each(MPI_Group_free) each(MPI_Comm_create_from_group) each(MPI_Intercomm_create_from_groups) \
    each(MPI_Comm_accept) each(MPI_Comm_connect) each(MPI_Comm_spawn) each(MPI_Comm_spawn_multiple) \
    each(MPI_Session_finalize)
#define ORIGINS_AT_LOAD(each) each(MPI_Session_init)
#define ALL_ORIGINS(each) ORIGINS_AT_LOAD(each) ORIGINS(each)
LAYER_PART(origins, ALL_ORIGINS);
static void (*before_session_ends)(host_session session);
static struct adapter_keyval keyval; /* of a communicator's session */
LOCK(session_groups);

static int is_session(host_session session)
{
    return HOST_SESSION_BITS(session) != HOST_SESSION_BITS(HOST_MPI_SESSION_NULL);
}

/* ---- groups ---- */

/* A group that comes from a session of this life of MPI, by the handle's bits. A host may give one handle to several
 * calls, and wants it freed as often. */
struct derived_group {
    struct index_entry entry;
    host_session session;
    uint32_t life;
    int times;
};
static struct index groups;

/* Finds a group, or null if it is of no session. The lock is held. */
static struct derived_group *find_derived_group(intptr_t bits)
{
    struct derived_group *found = (struct derived_group *)*index_find(&groups, bits);
    return found && found->life == life() ? found : 0;
}

static host_session session_of_group(host_group group)
{
    take_lock(session_groups);
    const struct derived_group *found = find_derived_group(HOST_GROUP_BITS(group));
    host_session session = found ? found->session : HOST_MPI_SESSION_NULL;
    release_lock(session_groups);
    return session;
}

/* The lock is held. Reuses one of an earlier life. Returns null if memory runs out. */
static struct derived_group *add_derived_group(intptr_t bits, host_session session)
{
    struct derived_group *added = (struct derived_group *)*index_find(&groups, bits);
    if (!added)
        added = index_new(&groups, bits, sizeof *added);
    if (added) {
        added->session = session;
        added->life = life();
        added->times = 0;
    }
    return added;
}

/* A group that the program gets, of a session or, as far as the call says, of none: the handle may be one that it has.
 * Without memory it is of none. */
static void note_group(host_group group, host_session session)
{
    intptr_t bits = HOST_GROUP_BITS(group);
    if (bits == HOST_GROUP_BITS(HOST_MPI_GROUP_EMPTY) || bits == HOST_GROUP_BITS(HOST_MPI_GROUP_NULL))
        return;
    take_lock(session_groups);
    struct derived_group *found = find_derived_group(bits);
    if (!found && is_session(session))
        found = add_derived_group(bits, session);
    if (found)
        found->times++;
    release_lock(session_groups);
}

static void forget_derived(intptr_t bits)
{
    take_lock(session_groups);
    struct derived_group *found = find_derived_group(bits);
    if (found && --found->times == 0) {
        index_remove(&groups, index_find(&groups, bits));
        free(found);
    }
    release_lock(session_groups);
}

/* All groups of a call are of one session, but for MPI_GROUP_EMPTY, which is of none. */
static host_session session_of_either(host_group one, host_group other)
{
    host_session session = session_of_group(one);
    return is_session(session) ? session : session_of_group(other);
}

static int noted_MPI_Group_from_session_pset(host_session session, const char *pset_name, host_group *newgroup)
{
    host_code rc = NEXT(origins, MPI_Group_from_session_pset)(session, pset_name, newgroup);
    if (rc == 0)
        note_group(*newgroup, session);
    return rc;
}

/* each
 * name                  ranks
 * MPI_Group_incl        const int *ranks
 * MPI_Group_excl        const int *ranks
 * MPI_Group_range_incl  int ranks[][3]
 * MPI_Group_range_excl  int ranks[][3]
 */
static int noted_$name(host_group group, int n, $ranks, host_group *newgroup)
{
    host_code rc = NEXT(origins, $name)(group, n, ranks, newgroup);
    if (rc == 0)
        note_group(*newgroup, session_of_group(group));
    return rc;
}
/* end */

/* each
 * name
 * MPI_Group_union
 * MPI_Group_intersection
 * MPI_Group_difference
 */
static int noted_$name(host_group one, host_group other, host_group *newgroup)
{
    host_code rc = NEXT(origins, $name)(one, other, newgroup);
    if (rc == 0)
        note_group(*newgroup, session_of_either(one, other));
    return rc;
}
/* end */

/* Windows and files are of no session, as far as is known. */
/* each
 * name                   class  session
 * MPI_Comm_group         comm   session_of(object)
 * MPI_Comm_remote_group  comm   session_of(object)
 * MPI_Win_get_group      win    HOST_MPI_SESSION_NULL
 * MPI_File_get_group     file   HOST_MPI_SESSION_NULL
 */
static int noted_$name(host_$class object, host_group *newgroup)
{
    host_code rc = NEXT(origins, $name)(object, newgroup);
    if (rc == 0)
        note_group(*newgroup, $session);
    return rc;
}
/* end */

/* Forgotten ahead of the host, which may give the handle to another thread's group. */
static int noted_MPI_Group_free(host_group *group)
{
    intptr_t bits = group ? HOST_GROUP_BITS(*group) : 0;
    forget_derived(bits);
    return NEXT(origins, MPI_Group_free)(group);
}

/* ---- communicators ---- */

host_session session_of(host_comm comm)
{
    void *value = 0;
    int found = 0, key = adapter_keyval(&keyval);
    if (key == HOST_MPI_KEYVAL_INVALID || host.MPI_Comm_get_attr(comm, key, &value, &found) != 0 || !found)
        return HOST_MPI_SESSION_NULL;
    return HOST_SESSION_FROM((intptr_t)value);
}

static void set_session(host_comm comm, host_session session)
{
    if (is_session(session) && HOST_COMM_BITS(comm) != HOST_COMM_BITS(HOST_MPI_COMM_NULL))
        host.MPI_Comm_set_attr(comm, adapter_keyval(&keyval), (void *)HOST_SESSION_BITS(session));
}

static int copy_session(host_comm comm, int key, void *state, void *from, void *made, int *flag)
{
    *(void **)made = from;
    *flag = 1;
    return HOST_MPI_SUCCESS;
}

static void inherit_session(host_comm made, host_comm from, int tag)
{
    set_session(made, session_of(from));
}

static int noted_MPI_Comm_create_from_group(host_group group, const char *stringtag, host_info info,
                                            host_errhandler errhandler, host_comm *newcomm)
{
    host_code rc = NEXT(origins, MPI_Comm_create_from_group)(group, stringtag, info, errhandler, newcomm);
    if (rc == 0)
        set_session(*newcomm, session_of_group(group));
    return rc;
}

static int noted_MPI_Intercomm_create_from_groups(host_group local_group, int local_leader, host_group remote_group,
                                                  int remote_leader, const char *stringtag, host_info info,
                                                  host_errhandler errhandler, host_comm *newintercomm)
{
    host_code rc = NEXT(origins, MPI_Intercomm_create_from_groups)(local_group, local_leader, remote_group, remote_leader, stringtag, info,
                                                   errhandler, newintercomm);
    if (rc == 0)
        set_session(*newintercomm, session_of_group(local_group));
    return rc;
}

/* A process that connects to others does so on a communicator of a session. The other processes have a session of their own, or none. */
static int connected(host_code rc, host_comm comm, const host_comm *newcomm)
{
    if (rc == 0)
        set_session(*newcomm, session_of(comm));
    return rc;
}

static int noted_MPI_Comm_accept(const char *port, host_info info, int root, host_comm comm, host_comm *newcomm)
{
    return connected(NEXT(origins, MPI_Comm_accept)(port, info, root, comm, newcomm), comm, newcomm);
}

static int noted_MPI_Comm_connect(const char *port, host_info info, int root, host_comm comm, host_comm *newcomm)
{
    return connected(NEXT(origins, MPI_Comm_connect)(port, info, root, comm, newcomm), comm, newcomm);
}

static int noted_MPI_Comm_spawn(const char *command, char **argv, int maxprocs, host_info info, int root, host_comm comm,
                                host_comm *newcomm, int *errcodes)
{
    return connected(NEXT(origins, MPI_Comm_spawn)(command, argv, maxprocs, info, root, comm, newcomm, errcodes), comm, newcomm);
}

static int noted_MPI_Comm_spawn_multiple(int count, char **commands, char ***argvs, const int *maxprocs,
                                         const host_info *array_of_info, int root, host_comm comm, host_comm *newcomm, int *errcodes)
{
    return connected(NEXT(origins, MPI_Comm_spawn_multiple)(count, commands, argvs, maxprocs, array_of_info, root, comm, newcomm,
                                                            errcodes), comm, newcomm);
}

/* ---- sessions ---- */

static int noted_MPI_Session_finalize(host_session *session)
{
    if (session && is_session(*session))
        before_session_ends(*session);
    return NEXT(origins, MPI_Session_finalize)(session);
}

#define NOTED(name) OVERRIDE(origins, name, noted_##name),

static void take_notes(void)
{
    static int takes_notes;
    take_lock(session_groups);
    if (!takes_notes++) {
        LAYER_INSTALL(LAYER_OF_SESSION, origins, ORIGINS(NOTED));
        tell_of_new_comms(inherit_session);
    }
    release_lock(session_groups);
}

/* With the first session MPI runs, and attributes may be made. Without the keyval nothing is of a session. */
static int noted_MPI_Session_init(host_info info, host_errhandler errhandler, host_session *session)
{
    host_code rc = NEXT(origins, MPI_Session_init)(info, errhandler, session);
    if (rc == 0 && adapter_keyval_need(&keyval, host.MPI_Comm_create_keyval, host.MPI_Comm_free_keyval,
                                   (mpi_function *)copy_session, (mpi_function *)HOST_MPI_COMM_NULL_DELETE_FN) == 0)
        take_notes();
    return rc;
}

void session_origin_begin(void (*end_session)(host_session session))
{
    before_session_ends = end_session;
    LAYER_INSTALL(LAYER_OF_SESSION, origins, ORIGINS_AT_LOAD(NOTED));
}
