/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/error.h"

#include <pthread.h>

#include "convert/adapter.h"
#include "convert/added_code.h"
#include "convert/host_itself.h"
#include "convert/say.h"

/* The error that this thread's last handler settled, or success. */
static _Thread_local int settled;

void error_settle(int host_code)
{
    settled = host_code;
}

int error_is_settled(int host_code)
{
    /* Hosts call the handler with the error of one request, and return that there are some. */
    int found = settled != HOST_MPI_SUCCESS && (settled == host_code || host_code == HOST_MPI_ERR_IN_STATUS);
    settled = HOST_MPI_SUCCESS;
    return found;
}

int error_to_app(int code)
{
    return code == HOST_MPI_SUCCESS || error_is_settled(code) ? APP_MPI_SUCCESS : code_to_app(code);
}

int code_to_app(int code)
{
    int class = code;
    if (code == HOST_MPI_SUCCESS)
        return APP_MPI_SUCCESS;
    int number = added_find(code);
    if (number != 0)
        return number;
    /* Hosts that return classes are not asked: they cannot answer before MPI is initialized. */
    if (error_class_to_app(code) != APP_MPI_ERR_UNKNOWN)
        return error_class_to_app(code);
    if (host.MPI_Error_class(code, &class) != 0)
        return APP_MPI_ERR_UNKNOWN;
    number = added_find(class);
    return number != 0 ? number : error_class_to_app(class);
}

int error_to_host(int code)
{
    if (code <= APP_MPI_ERR_LASTCODE)
        return error_class_to_host(code);
    int host_code = added_host_code(code);
    return host_code != 0 ? host_code : HOST_MPI_ERR_UNKNOWN;
}

static int running(void)
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
AT_START static int threads_share_mpi(void)
{
    int level = HOST_MPI_THREAD_MULTIPLE;
    host_itself->MPI_Query_thread(&level);
    return level == HOST_MPI_THREAD_MULTIPLE;
}

AT_START void errors_prepare(void)
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

int fail(int host_class)
{
    return running() ? fail_comm(whom_it_blames(), host_class) : host_class;
}

int raise_error(int host_class)
{
    return error_to_app(fail(host_class));
}

#define RAISE(class, Class)                                                                        \
    int fail_##class(host_##class object, int host_class)                                          \
    {                                                                                              \
        int rc = host.MPI_##Class##_call_errhandler(object, host_class);                           \
        return rc == 0 ? host_class : rc;                                                          \
    }                                                                                              \
    int raise_##class(host_##class object, int host_class)                                         \
    {                                                                                              \
        return error_to_app(fail_##class(object, host_class));                                     \
    }
RAISE(comm, Comm)
RAISE(win, Win)
RAISE(file, File)
RAISE(session, Session)

/* Says once for each procedure that the host lacks it. */
static void complain_once(const char *procedure)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const char *said[64];
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < 63 && said[i] && said[i] != procedure)
        i++;
    int first = said[i] != procedure;
    said[i] = procedure;
    pthread_mutex_unlock(&lock);
    if (first)
        complain("%s is not provided by this %s; use a newer release of it, or a program that can do without",
                 procedure, HOST_FAMILY);
}

void (*unsupported_called)(const char *procedure);

int unsupported(const char *procedure)
{
    complain_once(procedure);
    if (unsupported_called)
        unsupported_called(procedure);
    return HOST_MPI_ERR_UNSUPPORTED_OPERATION;
}
