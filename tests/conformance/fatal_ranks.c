/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 3 */
/* cases: part part,abort window world file session self call truncated MPI_Abort world,abort self,abort window,abort file,abort session,abort */
/* How errors that are fatal end several processes. A case is a job of its own, in which rank 1 makes an error of an object;
 * where the case says abort, its handler is MPI_ERRORS_ABORT. Ranks 1 and 2 are a part of the world. What the error's
 * message may name is written to the file "words", for run.sh to look for. A rank that has part in the object waits in it. */
#include <fcntl.h>
#include <unistd.h>

#include "observe.h"

#pragma weak ompi_mpi_errors_abort

static MPI_Comm part = MPI_COMM_NULL;
static MPI_Errhandler fatal;
static int numbers[4], exposed[4];
static const char *tried;

static void says(const char *label, const char *what)
{
    printf("%s%s: %s\t%s\n", who, tried, label, what);
    fflush(stdout);
}

/* The parts that a message may have: who raised the error, on what, and the text of its class. */
static void expect(const char *procedure, const char *object, int class)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    FILE *words = fopen("words", "w");
    MPI_Error_string(class, text, &length);
    fprintf(words, "procedure\t%s\nobject\t%s\ntext\t%s\n", procedure, object, text);
    fclose(words);
    /* No launcher that is ending ranks drops what one of them has said last. */
    if (!freopen("said", "w", stderr))
        _exit(1);
}

static void send_to_none(MPI_Comm comm, const char *name)
{
    MPI_Comm_set_errhandler(comm, fatal);
    says("sends on", name);
    expect("MPI_Send", name, MPI_ERR_RANK);
    MPI_Send(numbers, 1, MPI_INT, 7, 0, comm);
}

static void world(void)
{
    if (here == 1)
        send_to_none(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    MPI_Barrier(MPI_COMM_WORLD);
}

static void self(void)
{
    if (here == 1)
        send_to_none(MPI_COMM_SELF, "MPI_COMM_SELF");
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Whoever has no part in it has time to be ended, or lives on. */
static void outlive(void)
{
    sleep(30);
    says("lives on", "outside");
    _exit(0);
}

static void of_part(void)
{
    if (here == 0)
        outlive();
    if (here == 1)
        send_to_none(part, "the part");
    MPI_Barrier(part);
}

static void call(void)
{
    if (here == 1) {
        expect("MPI_Comm_call_errhandler", "MPI_COMM_WORLD", MPI_ERR_TOPOLOGY);
        MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TOPOLOGY);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void truncated(void)
{
    MPI_Request request;
    if (here == 1) {
        expect("MPI_Wait", "MPI_COMM_WORLD", MPI_ERR_TRUNCATE);
        MPI_Irecv(numbers, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
        MPI_Barrier(part);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (here == 2) {
        MPI_Barrier(part);
        MPI_Send(exposed, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void window(void)
{
    MPI_Win win;
    if (here == 0)
        outlive();
    MPI_Win_create(exposed, sizeof exposed, 1, MPI_INFO_NULL, part, &win);
    MPI_Win_set_name(win, "the window");
    MPI_Win_set_errhandler(win, fatal);
    if (here == 1) {
        says("puts into", "the window");
        expect("MPI_Put", "the window", MPI_ERR_RANK);
        MPI_Put(numbers, 1, MPI_INT, 9, 0, 1, MPI_INT, win);
    }
    MPI_Barrier(part);
}

static void file(void)
{
    MPI_File made;
    if (here == 0)
        outlive();
    close(open("made", O_CREAT | O_WRONLY, 0600));
    MPI_File_open(part, "made", MPI_MODE_RDONLY, MPI_INFO_NULL, &made);
    MPI_File_set_errhandler(made, fatal);
    if (here == 1) {
        says("writes to", "made");
        expect("MPI_File_write", "made", MPI_ERR_READ_ONLY);
        MPI_File_write(made, numbers, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(part);
}

static void session(void)
{
    MPI_Session made;
    MPI_Group group;
    if (!HAS(MPI_Session_init))
        return;
    MPI_Session_init(MPI_INFO_NULL, fatal, &made);
    if (here == 1) {
        says("asks", "a session");
        expect("MPI_Group_from_session_pset", "session", MPI_ERR_ARG);
        MPI_Group_from_session_pset(made, "none", &group);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void abort_of_part(void)
{
    if (here == 0)
        outlive();
    if (here == 1) {
        expect("MPI_Abort", "the part", MPI_ERR_OTHER);
        MPI_Abort(part, 7);
    }
    MPI_Barrier(part);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    { "world", world }, { "self", self }, { "part", of_part }, { "call", call }, { "truncated", truncated }, { "window", window },
    { "file", file }, { "session", session }, { "MPI_Abort", abort_of_part },
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* The launcher of MPICH 4.2 leaves ranks behind whose program it has ended, natively, too. */
    alarm(60);
    tried = argv[1];
    fatal = strstr(tried, ",abort") ? MPI_ERRORS_ABORT : MPI_ERRORS_ARE_FATAL;
    observe_ranks();
    MPI_Comm_split(MPI_COMM_WORLD, here > 0, here, &part);
    MPI_Comm_set_name(part, "the part");
    if (!fatal)
        says("has no", "MPI_ERRORS_ABORT");
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; fatal && i < sizeof cases / sizeof cases[0]; i++)
        if (strncmp(cases[i].name, tried, strcspn(tried, ",")) == 0)
            cases[i].run();
    says("goes on", "");
    MPI_Finalize();
    return 0;
}
