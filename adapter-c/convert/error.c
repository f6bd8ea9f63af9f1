/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/adapter.h"
#include "isolate/host_tools.h"

/* Classes and codes that the application added, in the order of adding: the application knows
 * number i as APP_MPI_ERR_LASTCODE + 1 + i. The host's code is 0 once it is removed. The string is
 * kept here, for the application's may be longer than the host's. Blocks are never moved, so that
 * readers need no lock but for the strings. */
#define BLOCK 1024
#define BLOCKS 1024
struct added {
    int host_code;
    char *string;
};
static struct added *added[BLOCKS];
static int added_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct added *added_at(int index)
{
    return &added[index / BLOCK][index % BLOCK];
}

static int host_code_of(const struct added *code)
{
    return __atomic_load_n(&code->host_code, __ATOMIC_RELAXED);
}

static int count_added(void)
{
    return __atomic_load_n(&added_count, __ATOMIC_ACQUIRE);
}

int error_last_used(void)
{
    return APP_MPI_ERR_LASTCODE + count_added();
}

/* The application's number for a code it added, or 0. */
static int find_added(int host_code)
{
    for (int i = 0; i < count_added(); i++)
        if (host_code_of(added_at(i)) == host_code)
            return APP_MPI_ERR_LASTCODE + 1 + i;
    return 0;
}

static int add(int host_code)
{
    int number = INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct added **block = &added[added_count / BLOCK % BLOCKS];
    if (added_count < BLOCK * BLOCKS && !*block)
        *block = calloc(BLOCK, sizeof **block);
    if (added_count < BLOCK * BLOCKS && *block) {
        __atomic_store_n(&added_at(added_count)->host_code, host_code, __ATOMIC_RELAXED);
        __atomic_store_n(&added_count, added_count + 1, __ATOMIC_RELEASE);
        number = error_last_used();
    }
    pthread_mutex_unlock(&lock);
    return number;
}

int error_to_app(int code)
{
    int class = code;
    if (code == HOST_MPI_SUCCESS)
        return APP_MPI_SUCCESS;
    int number = find_added(code);
    if (number != 0)
        return number;
    /* Hosts that return classes are not asked: they cannot answer before MPI is initialized. */
    if (error_class_to_app(code) != APP_MPI_ERR_UNKNOWN)
        return error_class_to_app(code);
    if (host.MPI_Error_class(code, &class) != 0)
        return APP_MPI_ERR_UNKNOWN;
    number = find_added(class);
    return number != 0 ? number : error_class_to_app(class);
}

/* What the application added under a number of its own, or null. */
static struct added *find_number(int number)
{
    int index = number - APP_MPI_ERR_LASTCODE - 1;
    return number > APP_MPI_ERR_LASTCODE && index < count_added() && host_code_of(added_at(index)) ? added_at(index) : 0;
}

int error_to_host(int code)
{
    if (code <= APP_MPI_ERR_LASTCODE)
        return error_class_to_host(code);
    const struct added *found = find_number(code);
    int host_code = found ? host_code_of(found) : 0;
    return host_code != 0 ? host_code : HOST_MPI_ERR_UNKNOWN;
}

static int running(void)
{
    int initialized = 0, finalized = 0;
    host.MPI_Initialized(&initialized);
    host.MPI_Finalized(&finalized);
    return initialized && !finalized;
}

/* Errors of calls about no object belong to MPI_COMM_SELF since MPI-4.0, and to MPI_COMM_WORLD
 * before: the host is asked which it takes, by an error that no handler of the program's sees, and
 * that hosts find which were built without checks of arguments. */
static host_comm blamed;

static void note_blamed(host_comm *comm, int *code, ...)
{
    (void)code;
    blamed = *comm;
}

static void ask_whom_it_blames(void)
{
    const struct host_procedures *own = tools_behind();
    const host_comm asked[] = { HOST_MPI_COMM_WORLD, HOST_MPI_COMM_SELF };
    host_errhandler ours, before[2];
    host_info empty;
    blamed = HOST_MPI_COMM_SELF;
    if (own->MPI_Info_create(&empty) != 0 ||
        own->MPI_Comm_create_errhandler((mpi_function *)note_blamed, &ours) != 0)
        return;
    for (int i = 0; i < 2; i++) {
        own->MPI_Comm_get_errhandler(asked[i], &before[i]);
        own->MPI_Comm_set_errhandler(asked[i], ours);
    }
    own->MPI_Info_delete(empty, "none");
    for (int i = 0; i < 2; i++) {
        own->MPI_Comm_set_errhandler(asked[i], before[i]);
        own->MPI_Errhandler_free(&before[i]);
    }
    own->MPI_Errhandler_free(&ours);
    own->MPI_Info_free(&empty);
}

int fail(int host_class)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!running())
        return host_class;
    pthread_once(&once, ask_whom_it_blames);
    return fail_comm(blamed, host_class);
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

int unsupported(const char *procedure)
{
    complain_once(procedure);
    return HOST_MPI_ERR_UNSUPPORTED_OPERATION;
}

static void say(const char *format, va_list arguments)
{
    char line[1024];
    int length = snprintf(line, sizeof line, "mpi-adapter: ");
    length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    if (length > (int)sizeof line - 2)
        length = (int)sizeof line - 2;
    line[length++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    _exit(1);
}

PROCEDURE(int, MPI_Error_class, int errorcode, int *errorclass)
{
    if (!errorclass)
        return raise_error(HOST_MPI_ERR_ARG);
    int host_class = 0, rc = host.MPI_Error_class(error_to_host(errorcode), &host_class);
    if (rc != 0)
        return error_to_app(rc);
    *errorclass = error_to_app(host_class);
    return 0;
}

/* Copies the string of an added code, which another thread may replace; false if it has none. */
static int copy_string(const struct added *code, char *string, int *length)
{
    pthread_mutex_lock(&lock);
    int found = code->string != 0;
    if (found)
        copy_prose(string, code->string, APP_MPI_MAX_ERROR_STRING, length);
    pthread_mutex_unlock(&lock);
    return found;
}

PROCEDURE(int, MPI_Error_string, int errorcode, char *string, int *resultlen)
{
    char text[HOST_MPI_MAX_ERROR_STRING + 1];
    const struct added *found = find_number(errorcode);
    if (!string || !resultlen)
        return raise_error(HOST_MPI_ERR_ARG);
    if (found && string && copy_string(found, string, resultlen))
        return 0;
    int length, rc = host.MPI_Error_string(error_to_host(errorcode), text, &length);
    if (rc != 0)
        return error_to_app(rc);
    copy_prose(string, text, APP_MPI_MAX_ERROR_STRING, resultlen);
    return 0;
}

static int added_to_app(int rc, int host_code, int *number)
{
    if (rc != 0)
        return error_to_app(rc);
    int result = add(host_code);
    if (result == INVALID_VALUE)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    *number = result;
    return 0;
}

PROCEDURE(int, MPI_Add_error_class, int *errorclass)
{
    if (!errorclass)
        return raise_error(HOST_MPI_ERR_ARG);
    int code = 0, rc = host.MPI_Add_error_class(&code);
    return added_to_app(rc, code, errorclass);
}

PROCEDURE(int, MPI_Add_error_code, int errorclass, int *errorcode)
{
    if (!errorcode)
        return raise_error(HOST_MPI_ERR_ARG);
    int code = 0, rc = host.MPI_Add_error_code(error_to_host(errorclass), &code);
    return added_to_app(rc, code, errorcode);
}

/* Gives an added code its string; false if memory is lacking. */
static int keep_string(struct added *code, const char *string)
{
    char *kept = string ? strdup(string) : 0;
    if (string && !kept)
        return 0;
    pthread_mutex_lock(&lock);
    free(code->string);
    code->string = kept;
    pthread_mutex_unlock(&lock);
    return 1;
}

/* Only codes that were added may get a string (MPI-4.1 section 9.5). */
PROCEDURE(int, MPI_Add_error_string, int errorcode, const char *string)
{
    char cut[HOST_MPI_MAX_ERROR_STRING];
    struct added *found = find_number(errorcode);
    if (!found || !string)
        return raise_error(HOST_MPI_ERR_ARG);
    copy_prose(cut, string, HOST_MPI_MAX_ERROR_STRING, 0);
    int rc = host.MPI_Add_error_string(error_to_host(errorcode), cut);
    if (rc != 0)
        return error_to_app(rc);
    return keep_string(found, string) ? 0 : raise_error(HOST_MPI_ERR_NO_MEM);
}

/* Forgets a class or code that the host has removed. */
static int removed_to_app(int rc, int number)
{
    struct added *found = find_number(number);
    if (rc != 0)
        return error_to_app(rc);
    if (found) {
        keep_string(found, 0);
        __atomic_store_n(&found->host_code, 0, __ATOMIC_RELAXED);
    }
    return 0;
}

PROCEDURE(int, MPI_Remove_error_class, int errorclass)
{
    return removed_to_app(host.MPI_Remove_error_class(error_to_host(errorclass)), errorclass);
}

PROCEDURE(int, MPI_Remove_error_code, int errorcode)
{
    return removed_to_app(host.MPI_Remove_error_code(error_to_host(errorcode)), errorcode);
}

PROCEDURE(int, MPI_Remove_error_string, int errorcode)
{
    struct added *found = find_number(errorcode);
    int rc = host.MPI_Remove_error_string(error_to_host(errorcode));
    if (rc == 0 && found)
        keep_string(found, 0);
    return rc == 0 ? 0 : error_to_app(rc);
}
