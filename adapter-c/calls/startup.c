/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting and ending MPI (MPI-4.1 section 11.2): who runs when the library is loaded, when MPI is initialized, and when
 * it ends. The layers of sessions, buffers and others act at MPI_Finalize between here and the host, in the order of the enum
 * in layers/layers.h; MPI_ADAPTER_VERBOSE=MPI_Finalize prints it. */
#include <sched.h>
#include <unistd.h>

#include "buffered/buffer.h"
#include "calls/load_once.h"
#include "calls/process.h"
#include "calls/timer.h"
#include "convert/adapter.h"
#include "convert/host_symbols.h"
#include "convert/say.h"
#include "convert/distinct_datatype.h"
#include "convert/life.h"
#include "layers/first_answers.h"
#include "sessions/early.h"
#include "start/launch_info.h"
#include "isolate/proof.h"
#include "start/late_tool.h"
#include "start/load.h"
#include "start/stacks.h"
#include "trace/report.h"
#include "trace/trace.h"

/* ---- the library is loaded ---- */

/* MPI is about to end. That datatypes are freed is no call of the program's. */
static void end_objects(void)
{
    buffers_flush();
    int suspended = trace_suspend(1);
    distinct_datatypes_end();
    trace_suspend(suspended);
}

/* The layers that are there from the beginning. The others come with the first object that needs them. */
static void install_layers(void)
{
    life_begin(end_objects);
    early_begin();
    buffered_begin();
    late_tools_start();
}

static enum { NOT_LOADED, LOADING, LOADED } load_state;
static pid_t loading_process;
static _Thread_local int is_loading;

int load_is_here(void)
{
    return is_loading;
}

/* A child process has only the thread that called fork(). */
static void wait_for_load(void)
{
    while (__atomic_load_n(&load_state, __ATOMIC_ACQUIRE) == LOADING) {
        pid_t process = __atomic_load_n(&loading_process, __ATOMIC_RELAXED);
        if (process && process != getpid())
            give_up("a process that was forked while MPI's library was loading calls MPI; fork before or after that, or call exec first");
        sched_yield();
    }
}

void load_once(void)
{
    int expected = NOT_LOADED;
    if (is_loading)
        return;
    if (!__atomic_compare_exchange_n((int *)&load_state, &expected, LOADING, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        wait_for_load();
        return;
    }
    is_loading = 1;
    __atomic_store_n(&loading_process, getpid(), __ATOMIC_RELAXED);
    load_start(host_stand_in, install_layers);
    is_loading = 0;
    __atomic_store_n((int *)&load_state, LOADED, __ATOMIC_RELEASE);
}

void (*host_loader)(void) = load_once;

__attribute__((constructor)) static void start(int argc, char **argv)
{
    launch_info_note(argv);
    load_once();
}

/* ---- MPI is initialized, and ends ---- */

_Atomic int process_has_mpi;

static void note_started(void)
{
    process_has_mpi = 1;
    timer_begin();
}

PROCEDURE(app_code, MPI_Init, int *argc, char ***argv)
{
    load_once();
    load_begun();
    host_code rc = host.MPI_Init(argc, argv);
    host_started();
    if (rc != 0)
        return error_to_app(rc);
    note_started();
    return 0;
}

PROCEDURE(app_code, MPI_Init_thread, int *argc, char ***argv, int required, int *provided)
{
    load_once();
    load_begun();
    host_code rc = host.MPI_Init_thread(argc, argv, thread_level_to_host(required), provided);
    host_started();
    if (rc != 0)
        return error_to_app(rc);
    note_started();
    *provided = thread_level_to_app(*provided);
    return 0;
}

PROCEDURE(app_code, MPI_Session_init, app_info info, app_errhandler errhandler, app_session *session)
{
    host_session made = HOST_MPI_SESSION_NULL;
    load_once();
    if (!session)
        return raise_error(HOST_MPI_ERR_ARG);
    if (is_no_info(info, info_to_host(info)))
        return raise_error(HOST_MPI_ERR_INFO);
    load_begun();
    host_code rc = host.MPI_Session_init(info_to_host(info), errhandler_to_host(errhandler), &made);
    if (rc != 0)
        return error_to_app(rc);
    load_session_started(made);
    process_has_mpi = 1;
    *session = session_to_app(made);
    return 0;
}

PROCEDURE(app_code, MPI_Finalize, void)
{
    timer_end();
    stacks_tell("at MPI_Finalize");
    bind_changed_again();
    host_code rc = host.MPI_Finalize();
    process_has_mpi = 0;
    trace_report();
    report_finalized();
    return rc == 0 ? 0 : error_to_app(rc);
}
