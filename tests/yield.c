/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into ranks: a rank of MPICH over UCX that waits gives its processor to others, as Open MPI's ranks do by
 * mpi_yield_when_idle. Ranks that are more than the processors would otherwise wait for each other's whole time slices. */
#include <dlfcn.h>
#include <sched.h>

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
    return done;
}
