/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/life.h"

#include "layers/layers.h"

#define LIVES(each) each(MPI_Finalize) each(MPI_Session_init) each(MPI_Session_finalize)
LAYER_PART(lives, LIVES);
static void (*before_end)(void);
uint32_t current_life = 1;
static int sessions; /* of the host's that have begun and not ended */

static int world_runs(void)
{
    int begun = 0, ended = 0;
    host_itself->MPI_Initialized(&begun);
    host_itself->MPI_Finalized(&ended);
    return begun && !ended;
}

static int living_MPI_Session_init(host_info info, host_errhandler errhandler, host_session *session)
{
    host_code rc = NEXT(lives, MPI_Session_init)(info, errhandler, session);
    if (rc == 0)
        __atomic_add_fetch(&sessions, 1, __ATOMIC_ACQ_REL);
    return rc;
}

int check_session(host_session session)
{
    host_info info;
    host_code rc = host_itself->MPI_Session_get_info(session, &info);
    return rc == 0 ? host_itself->MPI_Info_free(&info) : rc;
}

/* Only one of several threads that end the last sessions finds that none is left. Another thread's session may begin
 * meanwhile, and MPI goes on: its objects belong to the new life all the same. */
static int end_session(host_session *session)
{
    if (__atomic_sub_fetch(&sessions, 1, __ATOMIC_ACQ_REL) == 0 && !world_runs()) {
        before_end();
        __atomic_add_fetch(&current_life, 1, __ATOMIC_RELEASE);
    }
    host_code rc = NEXT(lives, MPI_Session_finalize)(session);
    if (rc != 0)
        __atomic_add_fetch(&sessions, 1, __ATOMIC_ACQ_REL);
    return rc;
}

static int living_MPI_Session_finalize(host_session *session)
{
    if (!session || HOST_SESSION_BITS(*session) == HOST_SESSION_BITS(HOST_MPI_SESSION_NULL))
        return NEXT(lives, MPI_Session_finalize)(session);
    host_code rc = check_session(*session);
    return rc == 0 ? end_session(session) : rc;
}

/* Callbacks of MPI_Finalize still find what was made in this life. */
static int living_MPI_Finalize(void)
{
    int ends = __atomic_load_n(&sessions, __ATOMIC_ACQUIRE) == 0;
    if (ends)
        before_end();
    host_code rc = NEXT(lives, MPI_Finalize)();
    if (ends)
        __atomic_add_fetch(&current_life, 1, __ATOMIC_RELEASE);
    return rc;
}

/* Emulated sessions leave MPI running until the process ends, unless the world model has ended. */
void life_begin(void (*end)(void))
{
    before_end = end;
    LAYER_INSTALL(LAYER_LIFE, lives, OVERRIDE(lives, MPI_Finalize, living_MPI_Finalize));
    if (!HOST_LACKS(MPI_Session_init))
        LAYER_INSTALL(LAYER_LIFE, lives, OVERRIDE(lives, MPI_Session_init, living_MPI_Session_init),
                      OVERRIDE(lives, MPI_Session_finalize, living_MPI_Session_finalize));
}

/* ---- keyvals ---- */

static int is_of(uint64_t made, uint32_t its_life)
{
    return made >> 32 == its_life;
}

int adapter_keyval(const struct adapter_keyval *keyval)
{
    uint64_t made = __atomic_load_n(&keyval->made, __ATOMIC_ACQUIRE);
    return is_of(made, life()) ? (int)made : HOST_MPI_KEYVAL_INVALID;
}

/* Several threads may come here at once, with a keyval each. */
int adapter_keyval_need(struct adapter_keyval *keyval, create_own_keyval *create, free_own_keyval *release, mpi_function *copy,
                    mpi_function *delete)
{
    uint32_t now = life();
    uint64_t before = __atomic_load_n(&keyval->made, __ATOMIC_ACQUIRE);
    int made, rc = is_of(before, now) ? 0 : create(copy, delete, &made, 0);
    if (rc != 0 || is_of(before, now))
        return rc;
    uint64_t after = (uint64_t)now << 32 | (uint32_t)made;
    if (!__atomic_compare_exchange_n(&keyval->made, &before, after, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        release(&made);
    return 0;
}
