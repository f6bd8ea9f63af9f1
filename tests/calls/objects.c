/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects that generated calls are made with, and room for their results. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"

MPI_Comm comm, cart, graph, dist_graph, freed_comm, session_comm;
MPI_Datatype datatype, uncommitted, freed_datatype;
MPI_Errhandler errhandler, freed_errhandler;
MPI_File file, freed_file;
MPI_Group group, freed_group, session_group;
MPI_Info info, freed_info;
MPI_Message message, freed_message;
MPI_Op op, freed_op;
MPI_Request request, grequest, collective, exchange, freed_request;
MPI_Session session, freed_session;
MPI_Win win, locked, freed_win;
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
    raised();
}

/* Errors that belong to no other object are raised on one of these. */
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
    for (int i = 0; i < 2; i++)
        MPI_Isend(buffer, 1, MPI_INT, 0, 1, comm, &other);
    MPI_Message received;
    MPI_Mprobe(0, 1, comm, &received, MPI_STATUS_IGNORE);
    freed_message = received;
    MPI_Mrecv(buffer + 1, 1, MPI_INT, &received, MPI_STATUS_IGNORE);
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
    MPI_Win other;
    MPI_Win_create(exposed[0], sizeof exposed[0], 1, MPI_INFO_NULL, comm, &other);
    freed_win = other;
    MPI_Win_free(&other);
    const char *folder = getenv("SWEEP_FOLDER");
    MPI_File another;
    snprintf(path, sizeof path, "%s/another", folder ? folder : ".");
    MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &another);
    freed_file = another;
    MPI_File_close(&another);
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
void *find(const char *procedure)
{
    static void *library;
    Dl_info info;
    if (!library && dladdr((void *)&MPI_Init, &info))
        library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return library ? dlsym(library, procedure) : 0;
}

/* Procedures of newer releases are looked up, as those of the table are. */
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

/* Objects of another session than `session`: a group, and a communicator. */
static void make_objects_of_a_session(MPI_Session of)
{
    LOOK_FOR(group_of, MPI_Group_from_session_pset);
    LOOK_FOR(comm_of, MPI_Comm_create_from_group);
    if (group_of && comm_of && group_of(of, "mpi://SELF", &session_group) == MPI_SUCCESS)
        comm_of(session_group, "of a session", MPI_INFO_NULL, MPI_ERRORS_RETURN, &session_comm);
}

/* Without sessions, what stands for objects of one is like others. */
static void make_sessions(void)
{
    LOOK_FOR(init, MPI_Session_init);
    LOOK_FOR(handle, MPI_Session_set_errhandler);
    LOOK_FOR(finalize, MPI_Session_finalize);
    MPI_Session other;
    session_comm = MPI_COMM_SELF;
    session_group = group;
    if (!init || init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS)
        return;
    if (handle)
        handle(session, MPI_ERRORS_RETURN);
    if (init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other) == MPI_SUCCESS)
        make_objects_of_a_session(other);
    if (finalize && init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other) == MPI_SUCCESS) {
        freed_session = other;
        finalize(&other);
    }
}

void make_all(void)
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
    make_sessions();
}

void take_predefined(void)
{
    comm = cart = graph = dist_graph = MPI_COMM_WORLD;
    datatype = MPI_INT;
    errhandler = MPI_ERRORS_RETURN;
    file = MPI_FILE_NULL;
    group = MPI_GROUP_EMPTY;
    info = MPI_INFO_NULL;
    message = MPI_MESSAGE_NO_PROC;
    op = MPI_SUM;
    request = grequest = collective = exchange = MPI_REQUEST_NULL;
    win = locked = MPI_WIN_NULL;
    comm_keyval = type_keyval = win_keyval = MPI_TAG_UB;
}
