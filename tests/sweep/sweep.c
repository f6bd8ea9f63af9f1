/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes every call of the generated table in a child of its own, and prints how it ended:
 *     PROCEDURE <tab> ARGUMENT=VALUE <tab> OUTCOME [<tab> raised]
 * OUTCOME is an error class (MPI_SUCCESS among them), "returned" for what returns a value, "signal N",
 * "exit N", "hangs", or "absent" if there is no such procedure; "raised" if an error handler was called.
 *
 *     sweep PART PARTS [FILE]
 *
 * makes the calls of one part of the procedures, PART of 0 to PARTS - 1: those that FILE has a line for,
 * PROCEDURE <tab> ARGUMENT=VALUE, or PROCEDURE <tab> - for all of a procedure's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "sweep.h"

/* A call that uses this much processor time, or that sleeps this long, hangs. SWEEP_SECONDS overrides
 * both, for a machine that is busy. */
#define SECONDS_OF_CPU 0.2
#define SECONDS 2

MPI_Comm comm, cart, graph, dist_graph, freed_comm;
MPI_Datatype datatype, uncommitted, freed_datatype;
MPI_Errhandler errhandler, freed_errhandler;
MPI_File file;
MPI_Group group, freed_group;
MPI_Info info, freed_info;
MPI_Message message;
MPI_Op op, freed_op;
MPI_Request request, grequest, collective, exchange, freed_request;
MPI_Session session;
MPI_Win win, locked;
MPI_T_enum t_enum;
MPI_T_cvar_handle t_cvar_handle;
MPI_T_pvar_handle t_pvar_handle;
MPI_T_pvar_session t_pvar_session;
void *memory;
int added_code, comm_keyval, type_keyval, win_keyval;
static MPI_Status made_status;
MPI_Status *status = &made_status;
char long_text[5001], path[4096];
int numbers[16];

#define ROOMS 20
#define ROOM 16384
static char rooms[ROOMS][ROOM] __attribute__((aligned(64)));

void *room(int parameter)
{
    return rooms[parameter];
}

static struct result {
    int did_return, is_value, code, number, raised;
} *result;

void returned(int code)
{
    result->code = code;
    result->did_return = 1;
    if (code != MPI_SUCCESS && MPI_Error_class(code, &result->number) != MPI_SUCCESS)
        result->number = -1;
}

void returned_value(void)
{
    result->did_return = result->is_value = 1;
}

int function(void)
{
    return 0;
}

static int query(void *state, MPI_Status *of)
{
    (void)state;
    MPI_Status_set_elements(of, MPI_INT, 0);
    MPI_Status_set_cancelled(of, 0);
    return MPI_SUCCESS;
}

static int no_free(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int no_cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void reduce(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)count, (void)type;
}

static void handle_error(MPI_Comm *on, int *code, ...)
{
    (void)on, (void)code;
}

static void note_error(MPI_Comm *on, int *code, ...)
{
    (void)on, (void)code;
    result->raised = 1;
}

/* What no other object is concerned by is raised on one of these. */
static void note_errors(void)
{
    MPI_Errhandler noting;
    MPI_Comm_create_errhandler(note_error, &noting);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, noting);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, noting);
}

static void make_communicators(void)
{
    int one = 1, zero = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &one, 0, &cart);
    MPI_Graph_create(MPI_COMM_WORLD, 1, &one, &zero, 0, &graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &zero, &one, 1, &zero, &one, MPI_INFO_NULL, 0, &dist_graph);
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    freed_comm = other;
    MPI_Comm_free(&other);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group none;
    MPI_Group_incl(group, 1, &zero, &none);
    freed_group = none;
    MPI_Group_free(&none);
}

static void make_datatypes(void)
{
    MPI_Datatype other;
    MPI_Type_contiguous(2, MPI_INT, &datatype);
    MPI_Type_commit(&datatype);
    MPI_Type_vector(2, 1, 2, MPI_INT, &uncommitted);
    MPI_Type_vector(3, 1, 2, MPI_INT, &other);
    freed_datatype = other;
    MPI_Type_free(&other);
}

static void make_ops_and_handlers(void)
{
    MPI_Op other;
    MPI_Errhandler another;
    MPI_Info third;
    MPI_Op_create(reduce, 1, &op);
    MPI_Op_create(reduce, 0, &other);
    freed_op = other;
    MPI_Op_free(&other);
    MPI_Comm_create_errhandler(handle_error, &errhandler);
    MPI_Comm_create_errhandler(handle_error, &another);
    freed_errhandler = another;
    MPI_Errhandler_free(&another);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_create(&third);
    freed_info = third;
    MPI_Info_free(&third);
}

static void make_keyvals(void)
{
    int added_class;
    MPI_Add_error_class(&added_class);
    MPI_Add_error_code(added_class, &added_code);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &comm_keyval, 0);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_keyval, 0);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win_keyval, 0);
    MPI_Comm_set_attr(comm, comm_keyval, 0);
    MPI_Type_set_attr(datatype, type_keyval, 0);
}

static void make_requests(void)
{
    static int buffer[2];
    MPI_Request other;
    MPI_Isend(buffer, 1, MPI_INT, 0, 1, comm, &other);
    MPI_Mprobe(0, 1, comm, &message, MPI_STATUS_IGNORE);
    MPI_Send_init(buffer, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &request);
    MPI_Recv_init(buffer, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &other);
    freed_request = other;
    MPI_Request_free(&other);
    MPI_Grequest_start(query, no_free, no_cancel, 0, &grequest);
    MPI_Sendrecv(buffer, 1, MPI_INT, 0, 2, buffer + 1, 1, MPI_INT, 0, 2, comm, status);
}

static void make_windows_and_files(void)
{
    static int exposed[2][64];
    MPI_Alloc_mem(64, MPI_INFO_NULL, &memory);
    MPI_Win_create(exposed[0], sizeof exposed[0], 1, MPI_INFO_NULL, comm, &win);
    MPI_Win_create(exposed[1], sizeof exposed[1], 1, MPI_INFO_NULL, comm, &locked);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(locked, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, locked);
    MPI_Win_set_attr(win, win_keyval, 0);
    const char *folder = getenv("SWEEP_FOLDER");
    snprintf(path, sizeof path, "%s/file", folder ? folder : ".");
    MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, long_text, sizeof long_text - 1, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void make_tool_objects(void)
{
    int provided, verbosity, bind, scope, count;
    MPI_Datatype type;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_handle_alloc(0, 0, &t_cvar_handle, &count);
    MPI_T_pvar_session_create(&t_pvar_session);
    MPI_T_pvar_get_num(&count);
    if (count > 0)
        MPI_T_pvar_handle_alloc(t_pvar_session, 0, 0, &t_pvar_handle, &count);
    MPI_T_cvar_get_num(&count);
    for (int i = 0; i < count && !t_enum; i++) {
        int name_length = 0, description_length = 0;
        MPI_T_cvar_get_info(i, 0, &name_length, &verbosity, &type, &t_enum, 0, &description_length, &bind, &scope);
    }
}

/* A procedure of the library that the program was linked with; what a host has besides is not for programs. */
static void *find(const char *procedure)
{
    static void *library;
    Dl_info info;
    if (!library && dladdr((void *)&MPI_Init, &info))
        library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return library ? dlsym(library, procedure) : 0;
}

/* What newer releases have is looked for, as are the procedures of the table. */
#define LOOK_FOR(name, procedure) __typeof__(&procedure) name = (__typeof__(&procedure))find(#procedure)

/* Requests that an adapter makes of several of the host's: inactive the one, active the other. */
static void make_newer_requests(void)
{
    static int buffer[4];
    LOOK_FOR(allreduce_init, MPI_Allreduce_init);
    LOOK_FOR(isendrecv, MPI_Isendrecv);
    collective = exchange = MPI_REQUEST_NULL;
    if (allreduce_init)
        allreduce_init(buffer, buffer + 1, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &collective);
    if (isendrecv)
        isendrecv(buffer + 2, 1, MPI_INT, 0, 5, buffer + 3, 1, MPI_INT, 0, 5, comm, &exchange);
}

static void make_session(void)
{
    LOOK_FOR(init, MPI_Session_init);
    LOOK_FOR(handle, MPI_Session_set_errhandler);
    if (init && init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS && handle)
        handle(session, MPI_ERRORS_RETURN);
}

static void make_all(void)
{
    memset(long_text, 'x', sizeof long_text - 1);
    for (int i = 0; i < 16; i++)
        numbers[i] = i;
    note_errors();
    make_communicators();
    make_datatypes();
    make_ops_and_handlers();
    make_keyvals();
    make_requests();
    make_newer_requests();
    make_windows_and_files();
    make_tool_objects();
    make_session();
}

static const char *class_name(int number)
{
    static char text[32];
    for (const struct error_class *class = error_classes; class->name; class++)
        if (class->number == number)
            return class->name;
    snprintf(text, sizeof text, "class %d", number);
    return text;
}

/* The child: signals as a program has them that handles none, and no core file. */
static void make_call(const struct call *call, int bad, void *address)
{
    static const int deadly[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGALRM, SIGPROF };
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        signal(deadly[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    const char *patience = getenv("SWEEP_SECONDS");
    double seconds = patience ? atof(patience) : SECONDS_OF_CPU;
    struct itimerval timer = { .it_value = { (time_t)seconds, (suseconds_t)(seconds * 1e6) % 1000000 } };
    setitimer(ITIMER_PROF, &timer, 0);
    alarm(patience ? (unsigned)atoi(patience) : SECONDS);
    call->call(bad, address);
    _exit(0);
}

static const char *outcome(int ended)
{
    static char text[64];
    if (result->did_return)
        return result->is_value ? "returned" : result->code == MPI_SUCCESS ? "MPI_SUCCESS" : class_name(result->number);
    if (WIFSIGNALED(ended)) {
        int number = WTERMSIG(ended);
        if (number == SIGPROF || number == SIGALRM)
            return "hangs";
        snprintf(text, sizeof text, "signal %d", number);
    } else {
        snprintf(text, sizeof text, "exit %d", WEXITSTATUS(ended));
    }
    return text;
}

static void try(int out, const struct call *call, int bad, void *address)
{
    int ended = 0;
    memset(result, 0, sizeof *result);
    if (truncate(path, sizeof long_text - 1) != 0)
        perror(path);
    pid_t child = fork();
    if (child == 0)
        make_call(call, bad, address);
    waitpid(child, &ended, 0);
    dprintf(out, "%s\t%s\t%s%s\n", call->name, call->labels[bad], outcome(ended), result->raised ? "\traised" : "");
}

/* The lines of the file of calls, sorted. */
static struct {
    char **lines;
    size_t count;
} wanted;

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void load_wanted(const char *name)
{
    FILE *in = fopen(name, "r");
    char *line = 0;
    size_t room = 0;
    if (!in) {
        perror(name);
        exit(2);
    }
    while (getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = 0;
        wanted.lines = realloc(wanted.lines, (wanted.count + 1) * sizeof *wanted.lines);
        wanted.lines[wanted.count++] = strdup(line);
    }
    free(line);
    fclose(in);
    qsort(wanted.lines, wanted.count, sizeof *wanted.lines, compare_lines);
}

static int has_line(const char *procedure, const char *argument)
{
    char text[256], *line = text;
    snprintf(text, sizeof text, "%s\t%s", procedure, argument);
    return bsearch(&line, wanted.lines, wanted.count, sizeof *wanted.lines, compare_lines) != 0;
}

static void try_all(int out, const struct call *call)
{
    void *address = find(call->name);
    int all = !wanted.lines || has_line(call->name, "-");
    if (!address && all)
        dprintf(out, "%s\t-\tabsent\n", call->name);
    for (int bad = 0; address && call->labels[bad]; bad++)
        if (all || has_line(call->name, call->labels[bad]))
            try(out, call, bad, address);
}

int main(int argc, char **argv)
{
    int out = fcntl(1, F_DUPFD_CLOEXEC, 3);
    if (argc < 3)
        return 2;
    if (argc > 3)
        load_wanted(argv[3]);
    result = mmap(0, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    MPI_Init(0, 0);
    make_all();
    if (!getenv("SWEEP_LOUD")) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 1);
        dup2(nothing, 2);
    }
    for (int i = atoi(argv[1]); calls[i].name; i++)
        if (i % atoi(argv[2]) == atoi(argv[1]))
            try_all(out, &calls[i]);
    _exit(0);
}
