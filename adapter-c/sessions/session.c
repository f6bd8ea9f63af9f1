/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions, MPI-4.1 section 11.3, on a host that has the world model only. The first session
 * starts MPI unless the application has; the process sets are MPI_COMM_WORLD's and MPI_COMM_SELF's
 * groups. */
#include <stdio.h>
#include <unistd.h>

#include "convert/host_side.h"
#include "layers/lock.h"
#include "layers/layers.h"
#include "callbacks/closure.h"
#include "sessions/adapter_comm.h"
#include "layers/built.h"
#include "sessions/early.h"
#include "sessions/adapter_world.h"
#include "start/load.h"
#include "start/stacks.h"
#include "trace/trace.h"

/* Only a communicator can hold an error handler that the program may free. Open MPI makes none while another thread makes one, and so
 * may wait for other processes. MPI_Session_init() is local, so a session with a predefined handler has no communicator. */
struct session {
    struct session *next;
    int number;
    host_errhandler predefined; /* the handler, unless there is a communicator */
    host_comm comm;             /* of this process alone, with the handler; or null */
};

/* A list: a process has few at a time, and they are looked for by handle and by communicator. */
static struct session *sessions;
static int last_number;
LOCK(sessions);

/* Once there has been a session, these stand in the table for the world model's procedures. `ours`:
 * MPI was started for a session, and it is `world` that tells what the application has called. */
enum { NOT_YET, INITIALIZED, FINALIZED };
static struct {
    int taken_over, ours, world, ended, provided;
    pid_t process; /* that started MPI */
} model;
#define WORLD_CALLS(each) \
    each(MPI_Finalize) each(MPI_Finalized) each(MPI_Initialized) each(MPI_Init) each(MPI_Init_thread)
LAYER_PART(world_calls, WORLD_CALLS);

static host_session handle_of(const struct session *session)
{
    return sizeof(host_session) > sizeof(int32_t) ? HOST_SESSION_FROM((intptr_t)session)
                                                  : HOST_SESSION_FROM(INT32_MIN + session->number);
}

/* The link that leads to a session, or to null; the lock is held. */
static struct session **link_to(host_session handle)
{
    struct session **link = &sessions;
    while (*link && HOST_SESSION_BITS(handle_of(*link)) != HOST_SESSION_BITS(handle))
        link = &(*link)->next;
    return link;
}

static struct session *find_session(host_session handle)
{
    take_lock(sessions);
    struct session *session = *link_to(handle);
    release_lock(sessions);
    return session;
}

/* Raises the error of a call whose session does not exist, or that has none. Returns the host's code. */
static int fail_here_in(int error_class, const char *function)
{
    if (model.world == INITIALIZED)
        return fail_in(error_class, function);
    return model.taken_over && !model.ended ? fail_comm_in(HOST_MPI_COMM_SELF, error_class, function) : error_class;
}
#define fail_here(error_class) fail_here_in(error_class, __func__)

/* Ends MPI when neither the world model nor a session needs it. */
static int end_sessions(void)
{
    take_lock(sessions);
    int last = !model.ended && !sessions && model.world != INITIALIZED;
    model.ended |= last;
    release_lock(sessions);
    return last ? NEXT(world_calls, MPI_Finalize)() : 0;
}

/* Without the world model a session may follow the last one, until the process exits. A child that was forked
 * has no MPI to end. */
static void end_at_exit(void)
{
    if (getpid() == model.process)
        end_sessions();
}

static int world_MPI_Init(int *argc, char ***argv)
{
    if (model.world != NOT_YET)
        return fail_here(HOST_MPI_ERR_OTHER);
    model.world = INITIALIZED;
    return 0;
}

static int world_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    *provided = model.provided;
    return world_MPI_Init(argc, argv);
}

static int world_MPI_Initialized(int *flag)
{
    if (!flag)
        return HOST_MPI_ERR_ARG;
    *flag = model.world != NOT_YET;
    return 0;
}

/* Callbacks that MPI_Finalize calls may call MPI (MPI-4.1 section 11.2.4): for them it has not ended. */
static int has_ended(void)
{
    int done = 0;
    return model.ended && NEXT(world_calls, MPI_Finalized)(&done) == 0 && done;
}

static int world_MPI_Finalized(int *flag)
{
    if (!flag)
        return HOST_MPI_ERR_ARG;
    *flag = model.world == FINALIZED && (!model.ended || has_ended());
    return 0;
}

static int world_MPI_Finalize(void)
{
    if (model.world != INITIALIZED)
        return fail_here(HOST_MPI_ERR_OTHER);
    model.world = FINALIZED;
    return end_sessions();
}

static void take_over(void)
{
    model.process = getpid();
#define WORLD(name) OVERRIDE(world_calls, name, world_##name),
    LAYER_INSTALL(LAYER_WORLD, world_calls, WORLD_CALLS(WORLD));
    __atomic_store_n(&model.taken_over, 1, __ATOMIC_RELEASE);
    if (model.ours)
        atexit(end_at_exit);
}

void host_started(void)
{
    int suspended = trace_suspend(1);
    if (load_started())
        adapter_world_begin();
    trace_suspend(suspended);
    stacks_tell("after initialization");
}

/* Starts MPI unless it is; to be called with the lock held. */
static int start_locked(void)
{
    int initialized = 0, finalized = 0, rc = 0;
    if (model.taken_over)
        return model.ended ? HOST_MPI_ERR_OTHER : 0;
    host.MPI_Initialized(&initialized);
    host.MPI_Finalized(&finalized);
    if (finalized)
        return HOST_MPI_ERR_OTHER;
    model.world = initialized ? INITIALIZED : NOT_YET;
    model.ours = !initialized;
    if (model.ours) {
        load_begun();
        rc = host.MPI_Init_thread(0, 0, HOST_MPI_THREAD_MULTIPLE, &model.provided);
        host_started();
    } else {
        host.MPI_Query_thread(&model.provided);
    }
    if (rc == 0)
        take_over();
    return rc;
}

int host_start(void)
{
    take_lock(sessions);
    host_code rc = start_locked();
    release_lock(sessions);
    return rc;
}

enum host_phase host_phase(void)
{
    int initialized = 0, finalized = 0;
    if (__atomic_load_n(&model.taken_over, __ATOMIC_ACQUIRE))
        return has_ended() ? HAS_ENDED : RUNS;
    host.MPI_Initialized(&initialized);
    host.MPI_Finalized(&finalized);
    return finalized ? HAS_ENDED : initialized ? RUNS : NOT_STARTED;
}

static int is_predefined(host_errhandler errhandler)
{
    intptr_t bits = HOST_ERRHANDLER_BITS(errhandler);
    return bits == HOST_ERRHANDLER_BITS(HOST_MPI_ERRORS_RETURN) || bits == HOST_ERRHANDLER_BITS(HOST_MPI_ERRORS_ABORT) ||
           bits == HOST_ERRHANDLER_BITS(HOST_MPI_ERRORS_ARE_FATAL);
}

static int has_comm(const struct session *session)
{
    return HOST_COMM_BITS(session->comm) != HOST_COMM_BITS(HOST_MPI_COMM_NULL);
}

/* Gives a session its communicator, unless another thread does so meanwhile. */
static host_code set_own_handler(struct session *session, host_errhandler errhandler)
{
    host_comm made;
    host_code rc = adapter_comm_make(errhandler, &made);
    if (rc != 0)
        return rc;
    take_lock(sessions);
    int is_first = !has_comm(session);
    if (is_first)
        session->comm = made;
    release_lock(sessions);
    if (is_first)
        return 0;
    host.MPI_Comm_free(&made);
    return host.MPI_Comm_set_errhandler(session->comm, errhandler);
}

static host_code set_handler(struct session *session, host_errhandler errhandler)
{
    if (has_comm(session))
        return host.MPI_Comm_set_errhandler(session->comm, errhandler);
    if (!is_predefined(errhandler))
        return set_own_handler(session, errhandler);
    session->predefined = errhandler;
    return 0;
}

/* The caller frees what it gets, and a host counts references of predefined handlers, too: only a communicator gives one. */
static host_code get_predefined(host_errhandler predefined, host_errhandler *errhandler)
{
    host_comm comm;
    host_code rc = adapter_comm_make(predefined, &comm);
    if (rc != 0)
        return rc;
    rc = host.MPI_Comm_get_errhandler(comm, errhandler);
    host.MPI_Comm_free(&comm);
    return rc;
}

/* Returns only from MPI_ERRORS_RETURN. */
static host_code call_predefined(host_errhandler predefined, int errorcode)
{
    host_comm comm;
    if (HOST_ERRHANDLER_BITS(predefined) == HOST_ERRHANDLER_BITS(HOST_MPI_ERRORS_RETURN))
        return 0;
    host_code rc = adapter_comm_make(predefined, &comm);
    return rc == 0 ? host.MPI_Comm_call_errhandler(comm, errorcode) : rc;
}

host_code built_MPI_Session_init(host_info info, host_errhandler errhandler, host_session *session)
{
    struct session *made = calloc(1, sizeof *made);
    host_code rc = made ? host_start() : HOST_MPI_ERR_NO_MEM;
    if (rc != 0) {
        fail_here(rc);
        free(made);
        return rc;
    }
    made->comm = HOST_MPI_COMM_NULL;
    rc = set_handler(made, errhandler);
    if (rc != 0) {
        free(made);
        return rc;
    }
    take_lock(sessions);
    made->number = last_number++;
    made->next = sessions;
    sessions = made;
    release_lock(sessions);
    *session = handle_of(made);
    return 0;
}

/* Takes a session out of the list. Returns null if no session has this handle. */
static struct session *remove_session(host_session handle)
{
    take_lock(sessions);
    struct session **link = link_to(handle);
    struct session *found = *link;
    if (found)
        *link = found->next;
    release_lock(sessions);
    return found;
}

host_code built_MPI_Session_finalize(host_session *session)
{
    struct session *found = session ? remove_session(*session) : 0;
    if (!found)
        return fail_here(session ? HOST_MPI_ERR_SESSION : HOST_MPI_ERR_ARG);
    host_code rc = has_comm(found) ? host.MPI_Comm_free(&found->comm) : 0;
    free(found);
    *session = HOST_MPI_SESSION_NULL;
    return rc == 0 && model.world == FINALIZED ? end_sessions() : rc;
}

/* The host calls a session's error handler with the session's communicator. */
typedef void session_handler(host_session *, int *, ...);

__attribute__((used)) static void call_handler(host_comm *comm, int *code, session_handler *handler)
{
    take_lock(sessions);
    struct session *session = sessions;
    while (session && HOST_COMM_BITS(session->comm) != HOST_COMM_BITS(*comm))
        session = session->next;
    host_session handle = session ? handle_of(session) : HOST_MPI_SESSION_NULL;
    release_lock(sessions);
    handler(&handle, code);
}
CLOSURE_ENTRY_3(call_handler_entry, call_handler)

host_code built_MPI_Session_create_errhandler(mpi_function *session_errhandler_fn, host_errhandler *errhandler)
{
    host_code rc = session_errhandler_fn ? host_start() : HOST_MPI_ERR_ARG;
    mpi_function *called = rc == 0 ? closure(call_handler_entry, session_errhandler_fn) : 0;
    if (rc == 0 && !called)
        rc = HOST_MPI_ERR_NO_MEM;
    return rc != 0 ? fail_here(rc) : host.MPI_Comm_create_errhandler(called, errhandler);
}

host_code built_MPI_Session_set_errhandler(host_session session, host_errhandler errhandler)
{
    struct session *found = find_session(session);
    return found ? set_handler(found, errhandler) : fail_here(HOST_MPI_ERR_SESSION);
}

host_code built_MPI_Session_get_errhandler(host_session session, host_errhandler *errhandler)
{
    struct session *found = find_session(session);
    if (!found)
        return fail_here(HOST_MPI_ERR_SESSION);
    return has_comm(found) ? host.MPI_Comm_get_errhandler(found->comm, errhandler) : get_predefined(found->predefined, errhandler);
}

host_code built_MPI_Session_call_errhandler(host_session session, int errorcode)
{
    struct session *found = find_session(session);
    if (!found)
        return fail_here(HOST_MPI_ERR_SESSION);
    return has_comm(found) ? host.MPI_Comm_call_errhandler(found->comm, errorcode)
                           : call_predefined(found->predefined, errorcode);
}

/* Raises the error of an enquiry without a session, or of one whose arguments are not right. Returns 0, or the host's code. */
static int check_in(host_session session, int are_right, const char *function)
{
    if (!find_session(session))
        return fail_here_in(HOST_MPI_ERR_SESSION, function);
    return are_right ? 0 : fail_session_in(session, HOST_MPI_ERR_ARG, function);
}
#define check(session, are_right) check_in(session, are_right, __func__)

/* Sets a key of a new info, which goes if that fails. */
static int set_or_free(host_info *info, const char *key, const char *value)
{
    host_code rc = host.MPI_Info_set(*info, key, value);
    if (rc != 0)
        host.MPI_Info_free(info);
    return rc;
}

host_code built_MPI_Session_get_info(host_session session, host_info *info_used)
{
    static const char *const levels[] = { "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                          "MPI_THREAD_MULTIPLE" };
    static const int values[] = { HOST_MPI_THREAD_SINGLE, HOST_MPI_THREAD_FUNNELED, HOST_MPI_THREAD_SERIALIZED,
                                  HOST_MPI_THREAD_MULTIPLE };
    host_code rc = check(session, 1);
    if (rc == 0)
        rc = host.MPI_Info_create(info_used);
    for (int i = 0; rc == 0 && i < 4; i++)
        if (values[i] == model.provided)
            rc = set_or_free(info_used, "thread_level", levels[i]);
    return rc;
}

static const struct process_set {
    const char *name;
    int is_world;
} process_sets[] = { { "mpi://WORLD", 1 }, { "mpi://SELF", 0 } };
enum { PROCESS_SETS = sizeof process_sets / sizeof *process_sets };

static char lower_case(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Returns whether two names differ at most in the case of their letters, whatever the locale is. */
static int is_same_name(const char *one, const char *other)
{
    for (; lower_case(*one) == lower_case(*other); one++, other++)
        if (!*one)
            return 1;
    return 0;
}

/* MPICH takes names in any case, so that programs that were tried with it may use any. */
static const struct process_set *find_set(const char *name)
{
    for (int i = 0; name && i < PROCESS_SETS; i++)
        if (is_same_name(process_sets[i].name, name))
            return &process_sets[i];
    return 0;
}

static host_comm comm_of(const struct process_set *set)
{
    return set->is_world ? HOST_MPI_COMM_WORLD : HOST_MPI_COMM_SELF;
}

host_code built_MPI_Session_get_num_psets(host_session session, host_info info, int *npset_names)
{
    host_code rc = check(session, npset_names != 0);
    if (rc == 0)
        *npset_names = PROCESS_SETS;
    return rc;
}

/* Writes as much of the name as fits, and the length that all of it needs. */
host_code built_MPI_Session_get_nth_pset(host_session session, host_info info, int n, int *pset_len, char *pset_name)
{
    host_code rc = check(session, n >= 0 && n < PROCESS_SETS && pset_len && (*pset_len <= 0 || pset_name));
    if (rc != 0)
        return rc;
    if (*pset_len > 0)
        snprintf(pset_name, (size_t)*pset_len, "%s", process_sets[n].name);
    *pset_len = (int)strlen(process_sets[n].name) + 1;
    return 0;
}

host_code built_MPI_Session_get_pset_info(host_session session, const char *pset_name, host_info *info)
{
    const struct process_set *set = find_set(pset_name);
    char size_text[16];
    int size = 0, rc = check(session, set != 0);
    if (rc == 0)
        rc = host.MPI_Comm_size(comm_of(set), &size);
    if (rc == 0)
        rc = host.MPI_Info_create(info);
    snprintf(size_text, sizeof size_text, "%d", size);
    return rc == 0 ? set_or_free(info, "mpi_size", size_text) : rc;
}

/* Makes a group of the same processes, whose handle no other call has given out. Hosts give out the handle of a communicator's own
 * group again and again, and sessions/session_origin.each.c tells by the handle which session a group comes from. */
static int copy_group(host_group shared, host_group *copy)
{
    int size = 0, rc = host.MPI_Group_size(shared, &size);
    int all[1][3] = { { 0, size - 1, 1 } };
    return rc == 0 ? host.MPI_Group_range_incl(shared, 1, all, copy) : rc;
}

host_code built_MPI_Group_from_session_pset(host_session session, const char *pset_name, host_group *newgroup)
{
    const struct process_set *set = find_set(pset_name);
    host_code rc = check(session, set != 0);
    host_group shared;
    *newgroup = HOST_MPI_GROUP_NULL;
    if (rc == 0)
        rc = host.MPI_Comm_group(comm_of(set), &shared);
    if (rc != 0)
        return rc;
    rc = copy_group(shared, newgroup);
    if (rc != 0)
        *newgroup = HOST_MPI_GROUP_NULL;
    host.MPI_Group_free(&shared);
    return rc;
}

/* Any tag is at most 32767 somewhere. The lower half is left to the application's own messages,
 * for an inter-communicator's leaders exchange theirs in MPI_COMM_WORLD. */
static int tag_of(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; text && *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return 16384 + (int)(hash % 16383);
}

/* Sets what the caller gives the new communicator. On failure, the communicator is freed. */
static int furnish_comm(host_comm *comm, host_info info, host_errhandler errhandler)
{
    host_code rc = 0;
    if (HOST_COMM_BITS(*comm) == HOST_COMM_BITS(HOST_MPI_COMM_NULL))
        return 0;
    if (HOST_INFO_BITS(info) != HOST_INFO_BITS(HOST_MPI_INFO_NULL))
        rc = host.MPI_Comm_set_info(*comm, info);
    if (rc == 0)
        rc = host.MPI_Comm_set_errhandler(*comm, errhandler);
    if (rc != 0)
        host.MPI_Comm_free(comm);
    return rc;
}

/* An error ahead of the communicator that `errhandler` is for is raised on that all the same. */
static int fail_on(host_errhandler errhandler, int error_class)
{
    host_comm comm;
    host_code rc = adapter_comm_make(errhandler, &comm);
    if (rc != 0)
        return rc;
    fail_comm(comm, error_class);
    host.MPI_Comm_free(&comm);
    return error_class;
}

host_code built_MPI_Comm_create_from_group(host_group group, const char *stringtag, host_info info,
                                     host_errhandler errhandler, host_comm *newcomm)
{
    *newcomm = HOST_MPI_COMM_NULL;
    if (!stringtag || HOST_GROUP_BITS(group) == HOST_GROUP_BITS(HOST_MPI_GROUP_NULL))
        return fail_on(errhandler, stringtag ? HOST_MPI_ERR_GROUP : HOST_MPI_ERR_ARG);
    host_code rc = host.MPI_Comm_create_group(HOST_MPI_COMM_WORLD, group, tag_of(stringtag), newcomm);
    return rc == 0 ? furnish_comm(newcomm, info, errhandler) : rc;
}

/* Finds the rank in MPI_COMM_WORLD of a group's member. */
static int world_rank(host_group group, int rank, int *found)
{
    host_group everybody;
    host_code rc = host.MPI_Comm_group(HOST_MPI_COMM_WORLD, &everybody);
    if (rc != 0)
        return rc;
    rc = host.MPI_Group_translate_ranks(group, 1, &rank, everybody, found);
    host.MPI_Group_free(&everybody);
    return rc;
}

host_code built_MPI_Intercomm_create_from_groups(host_group local_group, int local_leader, host_group remote_group,
                                           int remote_leader, const char *stringtag, host_info info,
                                           host_errhandler errhandler, host_comm *newintercomm)
{
    host_comm local = HOST_MPI_COMM_NULL;
    int tag, rank = -1, leader = 0;
    *newintercomm = HOST_MPI_COMM_NULL;
    if (!stringtag || HOST_GROUP_BITS(local_group) == HOST_GROUP_BITS(HOST_MPI_GROUP_NULL))
        return fail_on(errhandler, stringtag ? HOST_MPI_ERR_GROUP : HOST_MPI_ERR_ARG);
    tag = tag_of(stringtag);
    host_code rc = host.MPI_Comm_create_group(HOST_MPI_COMM_WORLD, local_group, tag, &local);
    if (rc != 0)
        return rc;
    rc = host.MPI_Group_rank(local_group, &rank);
    if (rc == 0 && rank == local_leader)
        rc = world_rank(remote_group, remote_leader, &leader);
    if (rc == 0)
        rc = host.MPI_Intercomm_create(local, local_leader, HOST_MPI_COMM_WORLD, leader, tag, newintercomm);
    host.MPI_Comm_free(&local);
    return rc == 0 ? furnish_comm(newintercomm, info, errhandler) : rc;
}
