/* SPDX-License-Identifier: BSD-3-Clause */
/* How errors that are fatal end a process that is alone: its exit status, and what stands on stderr. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "observe.h"

static int numbers[2], exposed[2];

static void comm_error(void)
{
    MPI_Send(numbers, 1, MPI_INT, 7, 0, MPI_COMM_WORLD);
}

static void duplicate_error(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Bcast(numbers, 1, MPI_INT, 9, comm);
}

static void no_object(void)
{
    MPI_Type_size(MPI_DATATYPE_NULL, numbers);
}

static void win_error(void)
{
    MPI_Win win;
    MPI_Win_create(exposed, sizeof exposed, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Put(numbers, 1, MPI_INT, 9, 0, 1, MPI_INT, win);
}

static void file_error(void)
{
    MPI_File file;
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_SELF, "no-such-folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
}

static void file_by_default(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, "no-such-folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
}

static void called(void)
{
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TOPOLOGY);
}

static void from_a_callback(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    exit(9);
}

static void exit_in_handler(void)
{
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(from_a_callback, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    comm_error();
}

static void returned(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    comm_error();
}

static const struct {
    const char *label;
    void (*run)(void);
} cases[] = {
    { "error of the world", comm_error }, { "error of a duplicate", duplicate_error }, { "error of no object", no_object },
    { "error of a window", win_error }, { "error of a file", file_error }, { "error of a file, by default", file_by_default },
    { "a handler that is called", called }, { "a handler that exits", exit_in_handler }, { "errors that return", returned },
};

/* Whether the child has said something on stderr. */
static int speaks(const char *name)
{
    struct stat file;
    return stat(name, &file) == 0 && file.st_size > 0;
}

static void see(int number)
{
    int status = 0;
    char argument[12];
    fflush(stdout);
    snprintf(argument, sizeof argument, "%d", number);
    pid_t child = fork();
    if (child == 0) {
        dup2(open("case.stderr", O_CREAT | O_TRUNC | O_WRONLY, 0600), 2);
        alarm(60);
        execl("/proc/self/exe", "fatal", argument, (char *)0);
        _exit(99);
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        printf("%s\tsignal %d", cases[number].label, WTERMSIG(status));
    else
        printf("%s\texit %d", cases[number].label, WEXITSTATUS(status));
    printf(", %s\n", speaks("case.stderr") ? "with words on stderr" : "silently");
    unlink("case.stderr");
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        int provided;
        MPI_Init_thread(0, 0, MPI_THREAD_SINGLE, &provided);
        cases[atoi(argv[1])].run();
        printf("it goes on after %s\t\n", cases[atoi(argv[1])].label);
        MPI_Finalize();
        return 0;
    }
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++)
        see(i);
    return 0;
}
