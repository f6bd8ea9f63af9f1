/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI is called before its library's constructor has run, and while that runs: by .preinit_array, by a constructor of a library that
 * does not name MPI's (-DLIBRARY), and by a tool that asks whenever memory is allocated or a file is opened (-DTOOL). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A tool may ask this at any time. */
static int answers_are_right(void)
{
    int initialized = -1, finalized = -1, version = -1, subversion = -1;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    MPI_Get_version(&version, &subversion);
    return initialized == 0 && finalized == 0 && version >= 3 && subversion >= 0 && MPI_Wtime() > 0;
}

#ifdef LIBRARY

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i] + (*type == MPI_INT);
}

static int start_and_reduce(void)
{
    MPI_Op op;
    int one = 1, sum = 0, length = 0;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Init(0, 0);
    MPI_Get_library_version(text, &length);
    MPI_Op_create(add, 1, &op);
    MPI_Reduce_local(&one, &sum, 1, MPI_INT, op);
    MPI_Op_free(&op);
    MPI_Finalize();
    return sum == 2 && length > 0;
}

static int make_info(void)
{
    MPI_Info info;
    int keys = -1;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_get_nkeys(info, &keys);
    MPI_Info_free(&info);
    return keys == 1;
}

static int read_text(void)
{
    int length = 0;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_library_version(text, &length);
    return length > 0 && (int)strlen(text) == length;
}

/* Both MPIs return errors, and serve a later call. */
static int end_tools(void)
{
    return MPI_T_finalize() != MPI_SUCCESS;
}

static int count_variables(void)
{
    int variables = -1, level;
    if (MPI_T_cvar_get_num(&variables) == MPI_SUCCESS || MPI_T_init_thread(MPI_THREAD_SINGLE, &level) != MPI_SUCCESS)
        return 0;
    int rc = MPI_T_cvar_get_num(&variables);
    MPI_T_finalize();
    return rc == MPI_SUCCESS && variables >= 0;
}

#ifdef FORTRAN
void mpi_initialized_(MPI_Fint *flag, MPI_Fint *ierror), mpi_get_version_(MPI_Fint *version, MPI_Fint *subversion, MPI_Fint *ierror);
void mpi_init_(MPI_Fint *ierror), mpi_comm_size_(MPI_Fint *comm, MPI_Fint *size, MPI_Fint *ierror), mpi_finalize_(MPI_Fint *ierror);

static int ask_in_fortran(void)
{
    MPI_Fint initialized = -1, version = 0, subversion, ierror = -1;
    mpi_initialized_(&initialized, &ierror);
    mpi_get_version_(&version, &subversion, &ierror);
    return initialized == 0 && version >= 3 && ierror == MPI_SUCCESS;
}

static int start_in_fortran(void)
{
    MPI_Fint ierror = -1, world, size = 0;
    mpi_init_(&ierror);
    world = MPI_Comm_c2f(MPI_COMM_WORLD);
    mpi_comm_size_(&world, &size, &ierror);
    mpi_finalize_(&ierror);
    return size == 1;
}
#else
static int ask_in_fortran(void) { return 1; }
static int start_in_fortran(void) { return 1; }
#endif

static int ask_too_much(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return 0;
}

int library_is_right;

__attribute__((constructor)) static void begin(void)
{
    const char *what = getenv("FIRST");
    library_is_right = !what                      ? answers_are_right()
                       : !strcmp(what, "init")    ? start_and_reduce()
                       : !strcmp(what, "info")    ? make_info()
                       : !strcmp(what, "text")    ? read_text()
                       : !strcmp(what, "tools")   ? end_tools()
                       : !strcmp(what, "count")   ? count_variables()
                       : !strcmp(what, "fortran") ? ask_in_fortran()
                       : !strcmp(what, "starts")  ? start_in_fortran()
                                                  : ask_too_much();
}

#else

static int wrong, asked_early;

static void ask_once(void)
{
    wrong += !answers_are_right();
}

static void ask_first(int argc, char **argv, char **environment)
{
    ask_once();
    asked_early++;
}
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **, char **) = ask_first;

#ifdef TOOL
static int is_in_main, asked_within, has_asked_elsewhere;
static __thread int is_asking;

static void *ask_in_thread(void *unused)
{
    int flag = -1;
    is_asking = 1;
    MPI_Initialized(&flag);
    return flag == 0 ? 0 : &wrong;
}

static void ask_in_handler(int signal)
{
    ask_once();
}

/* While the first file is opened: some hosts need none for the load. */
static void ask_elsewhere(void)
{
    pthread_t thread;
    void *result;
    int status = -1;
    signal(SIGUSR1, ask_in_handler);
    raise(SIGUSR1);
    pthread_create(&thread, 0, ask_in_thread, 0);
    pthread_join(thread, &result);
    pid_t child = fork();
    if (child == 0)
        _exit(!answers_are_right());
    waitpid(child, &status, 0);
    wrong += result != 0 || status != 0;
}

static void ask(int is_file)
{
    if (is_asking || is_in_main)
        return;
    is_asking = 1;
    ask_once();
    asked_within += asked_early;
    if (is_file && !has_asked_elsewhere++)
        ask_elsewhere();
    is_asking = 0;
}

void *__libc_malloc(size_t size);
void *malloc(size_t size)
{
    ask(0);
    return __libc_malloc(size);
}

FILE *fopen(const char *path, const char *mode)
{
    ask(1);
    return ((FILE * (*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen"))(path, mode);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    ask(1);
    return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}
#endif

#ifdef WITH_LIBRARY
extern int library_is_right;
#else
static int library_is_right = 1;
#endif

int main(int argc, char **argv)
{
#ifdef TOOL
    is_in_main = 1;
    wrong += asked_within == 0;
#endif
    if (!getenv("FIRST")) {
        MPI_Init(&argc, &argv);
        MPI_Finalize();
    }
    puts(asked_early == 1 && wrong == 0 && library_is_right ? "right" : "wrong");
    return 0;
}

#endif
