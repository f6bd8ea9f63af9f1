/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/errors_abort.h"

#include "host_libraries.h"
#include "convert/host_side.h"
#include "convert/life.h"
#include "layers/layers.h"
#include "layers/lock.h"
#include "start/host_fault.h"

#ifdef HOST_FAULT_ERRORS_ABORT

#define OF_CLASS(each, Class) each(MPI_##Class##_set_errhandler) each(MPI_##Class##_get_errhandler)
#define HANDLERS(each)                                                                             \
    OF_CLASS(each, Comm) OF_CLASS(each, Win) OF_CLASS(each, File) OF_CLASS(each, Session) each(MPI_Session_init) \
    each(MPI_Errhandler_free) each(MPI_Comm_create_from_group) each(MPI_Intercomm_create_from_groups)
LAYER_PART(handlers, HANDLERS);

static int is_errors_abort(host_errhandler errhandler)
{
    return HOST_ERRHANDLER_BITS(errhandler) == HOST_ERRHANDLER_BITS(HOST_MPI_ERRORS_ABORT);
}

/* A handler that stands for MPI_ERRORS_ABORT, and the life of MPI in which it was made. */
struct standing {
    host_errhandler errhandler;
    uint32_t life;
};
LOCK(standing_handlers);

static int is_made(const struct standing *standing)
{
    return __atomic_load_n(&standing->life, __ATOMIC_ACQUIRE) == life();
}

/* Keeps a handler that was made for this life, unless another thread has kept one. */
static void keep(struct standing *standing, host_errhandler made)
{
    take_lock(standing_handlers);
    int is_first = !is_made(standing);
    if (is_first) {
        standing->errhandler = made;
        __atomic_store_n(&standing->life, life(), __ATOMIC_RELEASE);
    }
    release_lock(standing_handlers);
    if (!is_first)
        WITHIN(LAYER_WORKAROUND, MPI_Errhandler_free)(&made);
}

/* each
 * class
 * comm
 * win
 * file
 * session
 */
/* The host ends the program, and says what it says of MPI_ERRORS_ARE_FATAL. */
static void end_$class(host_$class *object, int *code, ...)
{
    NEXT(handlers, MPI_${Class}_set_errhandler)(*object, HOST_MPI_ERRORS_ARE_FATAL);
    WITHIN(LAYER_WORKAROUND, MPI_${Class}_call_errhandler)(*object, *code);
}

static struct standing standing_$class;

/* Replaces MPI_ERRORS_ABORT. Returns an error class if that fails. */
static host_code replace_$class(host_errhandler *errhandler)
{
    if (!is_errors_abort(*errhandler))
        return 0;
    if (!is_made(&standing_$class)) {
        host_errhandler made;
        host_code rc = WITHIN(LAYER_WORKAROUND, MPI_${Class}_create_errhandler)((mpi_function *)end_$class, &made);
        if (rc != 0)
            return rc;
        keep(&standing_$class, made);
    }
    *errhandler = standing_$class.errhandler;
    return 0;
}

static int replaced_MPI_${Class}_set_errhandler(host_$class object, host_errhandler errhandler)
{
    host_code rc = replace_$class(&errhandler);
    return rc == 0 ? NEXT(handlers, MPI_${Class}_set_errhandler)(object, errhandler) : rc;
}

static int replaced_MPI_${Class}_get_errhandler(host_$class object, host_errhandler *errhandler)
{
    host_code rc = NEXT(handlers, MPI_${Class}_get_errhandler)(object, errhandler);
    if (rc == 0 && is_made(&standing_$class) && HOST_ERRHANDLER_BITS(*errhandler) == HOST_ERRHANDLER_BITS(standing_$class.errhandler)) {
        WITHIN(LAYER_WORKAROUND, MPI_Errhandler_free)(errhandler);
        *errhandler = HOST_MPI_ERRORS_ABORT;
    }
    return rc;
}
/* end */

static int replaced_MPI_Errhandler_free(host_errhandler *errhandler)
{
    if (!errhandler || !is_errors_abort(*errhandler))
        return NEXT(handlers, MPI_Errhandler_free)(errhandler);
    *errhandler = HOST_MPI_ERRHANDLER_NULL;
    return 0;
}

/* A handler cannot be made before MPI runs: until then another one ends the program. */
static int replaced_MPI_Session_init(host_info info, host_errhandler errhandler, host_session *session)
{
    if (!is_errors_abort(errhandler))
        return NEXT(handlers, MPI_Session_init)(info, errhandler, session);
    host_code rc = NEXT(handlers, MPI_Session_init)(info, HOST_MPI_ERRORS_ARE_FATAL, session);
    if (rc == 0)
        replaced_MPI_Session_set_errhandler(*session, errhandler);
    return rc;
}

static int replaced_MPI_Comm_create_from_group(host_group group, const char *stringtag, host_info info, host_errhandler errhandler,
                                               host_comm *newcomm)
{
    host_code rc = replace_comm(&errhandler);
    return rc == 0 ? NEXT(handlers, MPI_Comm_create_from_group)(group, stringtag, info, errhandler, newcomm) : rc;
}

static int replaced_MPI_Intercomm_create_from_groups(host_group local_group, int local_leader, host_group remote_group,
                                                     int remote_leader, const char *stringtag, host_info info,
                                                     host_errhandler errhandler, host_comm *newintercomm)
{
    host_code rc = replace_comm(&errhandler);
    return rc == 0 ? NEXT(handlers, MPI_Intercomm_create_from_groups)(local_group, local_leader, remote_group, remote_leader, stringtag,
                                                                      info, errhandler, newintercomm)
                   : rc;
}

void errors_abort_work_around(int standard)
{
    if (standard >= HOST_FAULT_ERRORS_ABORT)
        return;
/* each
 * name
 * Comm_set_errhandler
 * Comm_get_errhandler
 * Win_set_errhandler
 * Win_get_errhandler
 * File_set_errhandler
 * File_get_errhandler
 * Errhandler_free
 * Session_set_errhandler
 * Session_get_errhandler
 * Session_init
 * Comm_create_from_group
 * Intercomm_create_from_groups
 */
    WORK_AROUND(handlers, MPI_$name, replaced_MPI_$name);
/* end */
}

#else
void errors_abort_work_around(int standard) {}
#endif
