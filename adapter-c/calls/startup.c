/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting and ending MPI (MPI-4.1 section 11.2): who runs when the library is loaded, when MPI is initialized, and when
 * it ends. The layers of sessions, buffers and others act at MPI_Finalize between here and the host, in the order of the enum
 * in layers/layers.h; MPI_ADAPTER_VERBOSE=MPI_Finalize prints it. */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "buffered/buffer.h"
#include "calls/load_once.h"
#include "calls/native_error.h"
#include "calls/native_keyval.h"
#include "calls/process.h"
#include "calls/timer.h"
#include "convert/adapter.h"
#include "convert/facts.h"
#include "convert/host_symbols.h"
#include "convert/say.h"
#include "convert/distinct_datatype.h"
#include "convert/life.h"
#include "layers/first_answers.h"
#include "layers/layers.h"
#include "host_fortran.h"
#include "native_numbers.h"
#include "native_statuses.h"
#include "sessions/early.h"
#include "start/launch_info.h"
#include "isolate/isolate.h"
#include "isolate/natives.h"
#include "isolate/proof.h"
#include "start/late_tool.h"
#include "start/load.h"
#include "start/stacks.h"
#include "trace/report.h"
#include "trace/trace.h"

/* ---- MPI begins, and ends ---- */

_Atomic int process_has_mpi;

static void note_started(void)
{
    process_has_mpi = 1;
    timer_begin();
    fortran_tell_host();
}

/* The host's procedures, with what the adapter does around them. Natives (isolate/natives.h) call these. */
static host_code initialize(int *argc, char ***argv)
{
    load_begun();
    host_code rc = host.MPI_Init(argc, argv);
    host_started();
    if (rc == 0)
        note_started();
    return rc;
}

static host_code initialize_with_threads(int *argc, char ***argv, int required, int *provided)
{
    load_begun();
    host_code rc = host.MPI_Init_thread(argc, argv, required, provided);
    host_started();
    if (rc == 0)
        note_started();
    return rc;
}

static host_code begin_session(host_info info, host_errhandler errhandler, host_session *session)
{
    load_begun();
    host_code rc = host.MPI_Session_init(info, errhandler, session);
    if (rc != 0)
        return rc;
    load_session_started(*session);
    process_has_mpi = 1;
    fortran_tell_host();
    return 0;
}

static host_code finalize(void)
{
    timer_end();
    stacks_tell("at MPI_Finalize");
    bind_changed_again();
    host_code rc = host.MPI_Finalize();
    process_has_mpi = 0;
    trace_report();
    report_finalized();
    return rc;
}

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

/* Returns the procedure that natives call in the place of the host's: calls of natives pass through the layers, which keep what the
 * adapter knows of the host's objects. */
static void *native_procedure(const char *symbol, int is_binding)
{
    const char *whole = symbol + (*symbol == 'P');
    if (strncmp(whole, "MPI_", 4) != 0)
        return 0;
    const char *name = whole + 4;
    int number = load_procedure_number(whole, strlen(whole)), is_status = !is_binding && strncmp(name, "Status_", 7) == 0;
    void *passed_on = number < 0 || layer_host_lacks(number) ? 0 : (void *)layer_entry(number);
    return strcmp(name, "Init") == 0           ? (void *)initialize
           : strcmp(name, "Init_thread") == 0  ? (void *)initialize_with_threads
           : strcmp(name, "Session_init") == 0 ? (void *)begin_session
           : strcmp(name, "Finalize") == 0     ? (void *)finalize
           : passed_on                         ? passed_on
           : is_status                         ? native_status_procedure(whole)
                                               : native_number_procedure(name, is_binding);
}

static _Thread_local int is_loading;

static void take_numbers_of_all_parts(void)
{
    native_keyvals_begin();
    native_errors_begin();
}

/* Within the load, there is no table of the host's procedures yet, or it is being made. */
static void take_numbers(void)
{
    if (!is_loading)
        take_numbers_of_all_parts();
}

/* The adapter whose host this one is wants to know of natives. */
static void (*tell_of_natives)(void);

/* Integers of handles are the same to all parts, if the host's family has a number for each handle. */
static void meet_natives(void)
{
    take_numbers();
    if (load_host_is_pair && JOIN(REPRESENTED_, HOST_COMM_REPRESENTATION) == REPRESENTED_OBJECT)
        give_up("parts of this process were compiled for %s and for %s, whose pair does not tell others of its handles; put the pair %s-to-%s "
                "ahead in LD_LIBRARY_PATH, and one of %s's behind", application_family, host_family, host_family, application_family, application_family);
    if (tell_of_natives)
        tell_of_natives();
}

/* All parts then have the integers of the host, an adapter, which is not possible where MPI_Comm_f2c is a macro. */
static void meet_natives_below(void)
{
    if (JOIN(REPRESENTED_, APP_COMM_REPRESENTATION) == REPRESENTED_INT)
        give_up("parts of this process were compiled for three MPIs, of which %s has handles that are integers, and is not the host; compile that "
                "part for %s", application_family, host_family);
    if (host_phase() == RUNS)
        give_up("a library of %s's host was loaded after MPI_Init, and parts for two other MPIs have numbered handles without it; load it before, or "
                "link the program with it", host_family);
    natives_are_below = natives_anywhere = 1;
    take_numbers();
    if (tell_of_natives)
        tell_of_natives();
}

/* A native has initialized MPI before the adapter was loaded. */
static void join_running_mpi(void)
{
    if (!natives_exist || host_phase() != RUNS)
        return;
    load_joins();
    host_started();
    note_started();
}

static enum { NOT_LOADED, LOADING, LOADED } load_state;
static pid_t loading_process;

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
    natives_serve(native_procedure, meet_natives);
    load_natives_below = meet_natives_below;
    handle_of_native = native_handle;
    load_start(host_stand_in, install_layers);
    if (natives_anywhere)
        take_numbers_of_all_parts();
    join_running_mpi();
    is_loading = 0;
    __atomic_store_n((int *)&load_state, LOADED, __ATOMIC_RELEASE);
}

void (*host_loader)(void) = load_once;

/* For the adapter of another pair whose host this one is (start/load.h). */
static void (*load_as_host(void (*natives_met)(void), void (*arrived)(void)))(void)
{
    load_once();
    if (is_loading)
        return 0;
    isolate_with(arrived);
    tell_of_natives = natives_met;
    if (natives_anywhere)
        natives_met();
    return isolate_arrivals;
}

/* Neither a program nor dlsym() finds it without its version. */
static load_host_adapter *const loader_of_host __attribute__((used)) = load_as_host;
__asm__(".globl mpi_adapter_load\n.set mpi_adapter_load, loader_of_host\n"
        ".symver mpi_adapter_load, mpi_adapter_load@MPI_ADAPTER_PRIVATE, remove");

__attribute__((constructor)) static void start(int argc, char **argv)
{
    launch_info_note(argv);
    load_once();
}

/* ---- what the application calls ---- */

PROCEDURE(app_code, MPI_Init, int *argc, char ***argv)
{
    load_once();
    host_code rc = initialize(argc, argv);
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_Init_thread, int *argc, char ***argv, int required, int *provided)
{
    load_once();
    host_code rc = initialize_with_threads(argc, argv, thread_level_to_host(required), provided);
    if (rc != 0)
        return error_to_app(rc);
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
    host_code rc = begin_session(info_to_host(info), errhandler_to_host(errhandler), &made);
    if (rc != 0)
        return error_to_app(rc);
    *session = session_to_app(made);
    return 0;
}

PROCEDURE(app_code, MPI_Finalize, void)
{
    host_code rc = finalize();
    return rc == 0 ? 0 : error_to_app(rc);
}
