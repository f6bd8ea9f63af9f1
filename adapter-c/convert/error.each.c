/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/error.h"

#include <pthread.h>
#include <string.h>

#include "convert/adapter.h"
#include "convert/added_code.h"
#include "convert/life.h"
#include "layers/lock.h"
#include "layers/layers.h"
#include "convert/say.h"

/* The error that this thread's last handler settled, or success. */
static _Thread_local host_code settled;

void error_settle(host_code code)
{
    settled = code;
}

int error_is_settled(host_code code)
{
    /* Hosts call the handler with the error of one request, and return that there are some. */
    int found = settled != HOST_MPI_SUCCESS && (settled == code || code == HOST_MPI_ERR_IN_STATUS);
    settled = HOST_MPI_SUCCESS;
    return found;
}

app_code error_to_app(host_code code)
{
    return code == HOST_MPI_SUCCESS || error_is_settled(code) ? APP_MPI_SUCCESS : code_to_app(code);
}

/* Another part of the process has added the code, or its class. Hosts' codes of single errors have classes of MPI's. */
static app_code add_for_another_part(host_code code, host_code class)
{
    app_code number = code == class ? APP_MPI_SUCCESS : added_add(class, class, life());
    if ((int)number != INVALID_VALUE)
        number = added_add(code, class, life());
    return (int)number != INVALID_VALUE ? number : APP_MPI_ERR_NO_MEM;
}

app_code code_to_app(host_code code)
{
    host_code class = code;
    if (code == HOST_MPI_SUCCESS)
        return APP_MPI_SUCCESS;
    app_code number = added_find(code);
    if (number != 0)
        return number;
    /* Hosts that return classes are not asked: they cannot answer before MPI is initialized. */
    if (error_class_to_app(code) != APP_MPI_ERR_UNKNOWN)
        return error_class_to_app(code);
    if (ask_class(code, &class) != 0)
        return APP_MPI_ERR_UNKNOWN;
    number = added_are_shared() && (int)class >= ERROR_CLASSES_END ? add_for_another_part(code, class) : added_find(class);
    return number != 0 ? number : error_class_to_app(class);
}

/* Another part of the process may have it from the host, and have told this one of it. MPICH's codes of single errors are not above its
 * MPI_ERR_LASTCODE. Others' codes that are not above come from the host of this host, an adapter, which has numbered them. */
static host_code of_another_part(app_code code)
{
    int is_own = HOST_MPI_ERR_LASTCODE >= ADDED_SHARED_BIT - 1 || (int)code > HOST_MPI_ERR_LASTCODE;
    return (host_code)(is_own ? (int)code : (int)code | ADDED_SHARED_BIT);
}

host_code error_to_host(app_code code)
{
    host_code found = code <= APP_MPI_ERR_LASTCODE ? error_class_to_host(code) : added_host_code(code);
    if (found != HOST_MPI_ERR_UNKNOWN && (found != 0 || code == APP_MPI_SUCCESS))
        return found;
    return added_are_shared() && (int)code >= ERROR_CLASSES_END ? of_another_part(code) : HOST_MPI_ERR_UNKNOWN;
}

int mpi_is_running(void)
{
    int initialized = 0, finalized = 0;
    host.MPI_Initialized(&initialized);
    host.MPI_Finalized(&finalized);
    return initialized && !finalized;
}

/* Errors of calls about no object belong to MPI_COMM_SELF since MPI-4.0, and to MPI_COMM_WORLD before. The host is asked which
 * it takes, by an error that hosts built without checks of arguments find, too. */
static host_comm blamed;
static int knows_blamed;

static void note_blamed(host_comm *comm, int *code, ...)
{
    (void)code;
    blamed = *comm;
}

/* Either may be blamed. Both have another handler during the call. */
static void delete_from(host_info empty, host_errhandler instead)
{
    const struct host_procedures *own = host_itself;
    const host_comm either[] = { HOST_MPI_COMM_WORLD, HOST_MPI_COMM_SELF };
    host_errhandler before[2];
    for (int i = 0; i < 2; i++) {
        own->MPI_Comm_get_errhandler(either[i], &before[i]);
        own->MPI_Comm_set_errhandler(either[i], instead);
    }
    own->MPI_Info_delete(empty, "none");
    for (int i = 0; i < 2; i++) {
        own->MPI_Comm_set_errhandler(either[i], before[i]);
        own->MPI_Errhandler_free(&before[i]);
    }
}

static void ask_whom_it_blames(void)
{
    const struct host_procedures *own = host_itself;
    host_errhandler ours;
    host_info empty;
    blamed = HOST_MPI_COMM_SELF;
    if (own->MPI_Info_create(&empty) != 0)
        return;
    if (own->MPI_Comm_create_errhandler((mpi_function *)note_blamed, &ours) == 0) {
        delete_from(empty, ours);
        own->MPI_Errhandler_free(&ours);
    }
    own->MPI_Info_free(&empty);
}

static void know_blamed(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, ask_whom_it_blames);
    __atomic_store_n(&knows_blamed, 1, __ATOMIC_RELEASE);
}

/* Below that level no thread is in MPI while another one is. */
static int threads_share_mpi(void)
{
    int level = HOST_MPI_THREAD_MULTIPLE;
    host_itself->MPI_Query_thread(&level);
    return level == HOST_MPI_THREAD_MULTIPLE;
}

void errors_prepare(void)
{
    if (threads_share_mpi())
        know_blamed();
}

/* Errors of callbacks within MPI_Init_thread come before errors_prepare(). */
static host_comm whom_it_blames(void)
{
    if (!__atomic_load_n(&knows_blamed, __ATOMIC_ACQUIRE) && !threads_share_mpi())
        know_blamed();
    return __atomic_load_n(&knows_blamed, __ATOMIC_ACQUIRE) ? blamed : HOST_MPI_COMM_SELF;
}

/* Names the procedure that failed: the host's message will name the one that calls the handler. `function` is PMPI_X, built_MPI_X,
 * or a helper, whose name says nothing to a user. */
static void say_who_fails(const char *function, host_code host_class)
{
    char text[HOST_MPI_MAX_ERROR_STRING];
    const char *procedure = strstr(function, "MPI_");
    int length;
    if (host.MPI_Error_string(host_class, text, &length) != 0)
        text[0] = 0;
    text[strcspn(text, "\n")] = 0;
    complain("%s failed (%s); correct this call, not the one that the host MPI names", procedure ? procedure : "an MPI call", text);
}

static int is_fatal(host_errhandler handler)
{
    return HOST_ERRHANDLER_BITS(handler) == HOST_ERRHANDLER_BITS(HOST_MPI_ERRORS_ARE_FATAL) ||
           HOST_ERRHANDLER_BITS(handler) == HOST_ERRHANDLER_BITS(HOST_MPI_ERRORS_ABORT);
}

const char error_no_name[] = "";

static const char *function_of(uint64_t raised)
{
    return (const char *)((uintptr_t)error_no_name + (uintptr_t)((int64_t)raised >> 32));
}

/* each
 * class
 * comm
 * win
 * file
 * session
 */
/* Returns the host's code if it finds that there is no such object: it has called a handler then, and must not be asked again. */
static host_code prepare_$class(host_$class object, host_code host_class, const char *function)
{
    host_errhandler handler;
    host_code rc = host_itself->MPI_${Class}_get_errhandler(object, &handler);
    if (rc != 0)
        return rc;
    if (is_fatal(handler))
        say_who_fails(function, host_class);
    host_itself->MPI_Errhandler_free(&handler);
    return 0;
}

/* The null file has a handler. Errors of other null handles go where those about no object do. */
host_code fail_${class}_in(host_$class object, host_code host_class, const char *function)
{
    int is_nothing = CLASS_$CLASS != CLASS_FILE && HOST_${CLASS}_BITS(object) == HOST_${CLASS}_BITS(HOST_NULL_$class);
    host_code rc = is_nothing ? prepare_comm(whom_it_blames(), host_class, function) : prepare_$class(object, host_class, function);
    if (rc == 0)
        rc = host.MPI_${Class}_call_errhandler(object, host_class);
    return rc == 0 ? host_class : rc;
}

app_code raise_${class}_as(host_$class object, uint64_t raised)
{
    return error_to_app(fail_${class}_in(object, (host_code)raised, function_of(raised)));
}
/* end */

host_code fail_in(host_code host_class, const char *function)
{
    return mpi_is_running() ? fail_comm_in(whom_it_blames(), host_class, function) : host_class;
}

app_code raise_error_in(host_code host_class, const char *function)
{
    return error_to_app(fail_in(host_class, function));
}

app_code raise_error_as(uint64_t raised)
{
    return raise_error_in((int)raised, function_of(raised));
}

/* Says once for each procedure that the host lacks it. */
static void complain_once(const char *procedure)
{
    LOCK(complaints);
    static const char *said[64];
    take_lock(complaints);
    int i = 0;
    while (i < 63 && said[i] && said[i] != procedure)
        i++;
    int first = said[i] != procedure;
    said[i] = procedure;
    release_lock(complaints);
    if (first)
        complain("%s is not provided by this %s; use a newer release of it, or a program that can do without",
                 procedure, HOST_FAMILY);
}

static void (*report_unsupported)(const char *procedure);

void unsupported_report(void (*report)(const char *procedure))
{
    report_unsupported = report;
}

host_code unsupported(const char *procedure)
{
    complain_once(procedure);
    if (report_unsupported)
        report_unsupported(procedure);
    return HOST_MPI_ERR_UNSUPPORTED_OPERATION;
}
