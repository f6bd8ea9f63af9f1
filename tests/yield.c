/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into ranks: a rank that waits gives its processor to others, and sleeps for a moment if it goes on to wait. Ranks that are more
 * than the processors would otherwise wait for each other's whole time slices, and take the processors from other tests. Open MPI's ranks
 * yield by mpi_yield_when_idle, those of MPICH over UCX do it here. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { YIELDS = 20 };
static _Thread_local int yields; /* without progress between them, as far as is known */

int sched_yield(void)
{
    if (yields++ < YIELDS)
        return (int)syscall(SYS_sched_yield);
    nanosleep(&(struct timespec){ .tv_nsec = 30000 }, 0);
    return 0;
}

typedef unsigned progress_function(void *worker);

/* As libmpich calls UCX's, whose library may have been opened out of the global scope. Returns how much was done. */
unsigned ucp_worker_progress(void *worker)
{
    static progress_function *progress;
    if (!progress)
        progress = (progress_function *)dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), "ucp_worker_progress");
    unsigned done = progress(worker);
    if (done == 0)
        sched_yield();
    else
        yields = 0;
    return done;
}
