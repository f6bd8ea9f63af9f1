/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* libs: -pthread -ldl */
/* plugin: comes_and_goes */
/* Eight threads make, use and free objects of every class at the same time, load and unload libraries that use MPI, and
 * read error strings and names that others change, while others add some; they ask the tool interface, too. */
#include "check.h"
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 8, ROUNDS = 40 };

static MPI_Comm comms[THREADS];
static int error_class, error_code;
static char plugin[THREADS][600];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The number of wrong results that this thread found, and the line of the first. */
static __thread int wrong, first_line;

#define RIGHT(condition) ((condition) ? (void)0 : note(__LINE__))
#define DONE(call) RIGHT((call) == MPI_SUCCESS)

static void note(int line)
{
    if (wrong++ == 0)
        first_line = line;
}

static void sum_elements(void *in, void *inout, int *count, MPI_Datatype *type)
{
    RIGHT(*type == MPI_INT);
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void ops(MPI_Comm comm)
{
    int one = 1, sum = 0, two = 2;
    MPI_Request request;
    MPI_Op op;
    DONE(MPI_Op_create(sum_elements, 1, &op));
    DONE(MPI_Reduce_local(&one, &two, 1, MPI_INT, op));
    DONE(MPI_Iallreduce(&one, &sum, 1, MPI_INT, op, comm, &request));
    DONE(MPI_Wait(&request, MPI_STATUS_IGNORE));
    RIGHT(sum == 1 && two == 3);
    DONE(MPI_Op_free(&op));
}

static void comms_and_groups(MPI_Comm comm, int id)
{
    char name[MPI_MAX_OBJECT_NAME], found[MPI_MAX_OBJECT_NAME];
    int length, zero = 0, result;
    MPI_Comm copy;
    MPI_Group all, part;
    DONE(MPI_Comm_dup(comm, &copy));
    snprintf(name, sizeof name, "thread %d", id);
    DONE(MPI_Comm_set_name(copy, name));
    DONE(MPI_Comm_get_name(copy, found, &length));
    RIGHT(strcmp(name, found) == 0);
    DONE(MPI_Comm_group(copy, &all));
    DONE(MPI_Group_incl(all, 1, &zero, &part));
    DONE(MPI_Group_compare(all, part, &result));
    RIGHT(result == MPI_IDENT);
    RIGHT(MPI_Group_f2c(MPI_Group_c2f(part)) == part);
    DONE(MPI_Group_free(&part));
    DONE(MPI_Group_free(&all));
    DONE(MPI_Comm_free(&copy));
}

static void datatypes(void)
{
    MPI_Datatype vector, pair, got[2];
    int integers[8];
    MPI_Aint addresses[8];
    DONE(MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &vector));
    DONE(MPI_Type_create_struct(2, (int[]){ 1, 2 }, (MPI_Aint[]){ 0, 64 }, (MPI_Datatype[]){ vector, MPI_INT }, &pair));
    DONE(MPI_Type_commit(&pair));
    DONE(MPI_Type_get_contents(pair, 3, 2, 2, integers, addresses, got));
    RIGHT(got[1] == MPI_INT);
    DONE(MPI_Type_free(&got[0]));
    DONE(MPI_Type_free(&vector));
    DONE(MPI_Type_free(&pair));
}

static __thread int handled;
static void on_error(MPI_Comm *comm, int *code, ...) { handled += *code == MPI_ERR_OTHER; }

static void errhandlers(MPI_Comm comm)
{
    MPI_Errhandler made, got;
    handled = 0;
    DONE(MPI_Comm_create_errhandler(on_error, &made));
    DONE(MPI_Comm_set_errhandler(comm, made));
    DONE(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
    RIGHT(handled == 1);
    DONE(MPI_Comm_get_errhandler(comm, &got));
    DONE(MPI_Errhandler_free(&got));
    DONE(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    DONE(MPI_Errhandler_free(&made));
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    *(void **)out = in;
    *flag = 1;
    ++*(int *)extra;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    ++*(int *)extra;
    return MPI_SUCCESS;
}

static void keyvals(MPI_Comm comm)
{
    int keyval, calls = 0, flag = 0;
    void *found = NULL;
    MPI_Comm other;
    DONE(MPI_Comm_create_keyval(copy, delete, &keyval, &calls));
    DONE(MPI_Comm_set_attr(comm, keyval, &keyval));
    DONE(MPI_Comm_get_attr(comm, keyval, &found, &flag));
    RIGHT(flag && found == &keyval);
    DONE(MPI_Comm_dup(comm, &other));
    DONE(MPI_Comm_free(&other));
    DONE(MPI_Comm_delete_attr(comm, keyval));
    DONE(MPI_Comm_free_keyval(&keyval));
    RIGHT(calls == 3 && keyval == MPI_KEYVAL_INVALID);
}

static void infos(int id)
{
    char value[16], found[16] = "";
    int flag = 0;
    MPI_Info info, other;
    snprintf(value, sizeof value, "%d", id);
    DONE(MPI_Info_create(&info));
    DONE(MPI_Info_set(info, "key", value));
    DONE(MPI_Info_dup(info, &other));
    DONE(MPI_Info_get(other, "key", sizeof found - 1, found, &flag));
    RIGHT(flag && strcmp(value, found) == 0);
    DONE(MPI_Info_free(&info));
    DONE(MPI_Info_free(&other));
}

static void requests(MPI_Comm comm, int round)
{
    int in = -1, out = round, one = 1, zero = 0, other = -1;
    MPI_Datatype type = MPI_INT;
    MPI_Request both[3];
    MPI_Status statuses[3];
    DONE(MPI_Recv_init(&in, 1, MPI_INT, 0, 1, comm, &both[0]));
    DONE(MPI_Send_init(&out, 1, MPI_INT, 0, 1, comm, &both[1]));
    DONE(MPI_Startall(2, both));
    DONE(MPI_Ialltoallw(&out, &one, &zero, &type, &other, &one, &zero, &type, comm, &both[2]));
    DONE(MPI_Waitall(3, both, statuses));
    RIGHT(in == out && other == out && both[2] == MPI_REQUEST_NULL);
    DONE(MPI_Request_free(&both[0]));
    DONE(MPI_Request_free(&both[1]));
}

static void messages(MPI_Comm comm, int round)
{
    int in = -1, out = round;
    MPI_Request sent;
    MPI_Message message;
    DONE(MPI_Isend(&out, 1, MPI_INT, 0, 2, comm, &sent));
    DONE(MPI_Mprobe(0, 2, comm, &message, MPI_STATUS_IGNORE));
    DONE(MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
    DONE(MPI_Wait(&sent, MPI_STATUS_IGNORE));
    RIGHT(in == out && message == MPI_MESSAGE_NULL);
}

static int query(void *extra, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_BYTE, 7);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = *(int *)extra;
    return MPI_SUCCESS;
}
static int release(void *extra) { return MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return MPI_SUCCESS; }

static void generalized(int round)
{
    int count = -1;
    MPI_Request request;
    MPI_Status status;
    DONE(MPI_Grequest_start(query, release, cancel, &round, &request));
    DONE(MPI_Grequest_complete(request));
    DONE(MPI_Wait(&request, &status));
    DONE(MPI_Get_count(&status, MPI_BYTE, &count));
    RIGHT(status.MPI_TAG == round && count == 7);
}

/* One thread replaces what the others read: it is always one of two. */
static void errors(MPI_Comm comm, int id, int round)
{
    char text[MPI_MAX_ERROR_STRING], name[MPI_MAX_OBJECT_NAME];
    int length, found, value = 0;
    if (id == 0) {
        DONE(MPI_Add_error_string(error_code, round % 2 ? "odd" : "even"));
        DONE(MPI_Type_set_name(MPI_INT, round % 2 ? "odd" : "even"));
    }
    DONE(MPI_Error_string(error_code, text, &length));
    RIGHT(strcmp(text, "odd") == 0 || strcmp(text, "even") == 0);
    DONE(MPI_Type_get_name(MPI_INT, name, &length));
    RIGHT(strcmp(name, "odd") == 0 || strcmp(name, "even") == 0);
    DONE(MPI_Error_class(error_code, &found));
    RIGHT(found == error_class);
    int code = MPI_Send(&value, 1, MPI_INT, 5 + id, 0, comm);
    DONE(MPI_Error_class(code, &found));
    RIGHT(found == MPI_ERR_RANK);
    DONE(MPI_Error_string(code, text, &length));
}

/* Each thread adds codes of its own, and reads them, while others add theirs. */
static void added(int id, int round)
{
    char want[40], text[MPI_MAX_ERROR_STRING] = "";
    int code = -1, class = -1, found = -1, length;
    if (round % 8 == 2)
        DONE(MPI_Add_error_class(&class));
    else
        class = error_class;
    snprintf(want, sizeof want, "of thread %d in round %d", id, round);
    DONE(MPI_Add_error_code(class, &code));
    DONE(MPI_Add_error_string(code, want));
    DONE(MPI_Error_string(code, text, &length));
    RIGHT(strcmp(text, want) == 0);
    DONE(MPI_Error_class(code, &found));
    RIGHT(found == class);
}

/* One of the library's own, and of no plugin, which may have gone. */
static int stays(const char *name) { return tolower(name[0]) == 'm' && tolower(name[1]) == 'p' && tolower(name[2]) == 'i'; }

static void control_variable(int index)
{
    char name[2000], text[2000];
    int lengths[2] = { sizeof name, sizeof text }, verbosity, bind, scope, count = 0;
    union { int number; char room[4096]; } value;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    MPI_T_cvar_handle handle;
    if (MPI_T_cvar_get_info(index, name, &lengths[0], &verbosity, &type, &items, text, &lengths[1], &bind, &scope) != MPI_SUCCESS ||
        !stays(name))
        return;
    if (items != MPI_T_ENUM_NULL) {
        lengths[0] = sizeof name;
        DONE(MPI_T_enum_get_info(items, &count, name, &lengths[0]));
        lengths[0] = sizeof name;
        if (count > 0)
            DONE(MPI_T_enum_get_item(items, count - 1, &value.number, name, &lengths[0]));
    }
    if (bind != MPI_T_BIND_NO_OBJECT || type != MPI_INT)
        return;
    DONE(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count));
    if (count == 1)
        DONE(MPI_T_cvar_read(handle, &value));
    DONE(MPI_T_cvar_handle_free(&handle));
}

static void performance_variable(MPI_T_pvar_session session, int index, MPI_Comm comm)
{
    char name[2000], text[2000];
    int lengths[2] = { sizeof name, sizeof text }, verbosity, class, bind, readonly, continuous, atomic, count;
    MPI_Datatype type;
    MPI_T_enum items;
    MPI_T_pvar_handle handle;
    if (MPI_T_pvar_get_info(index, name, &lengths[0], &verbosity, &class, &type, &items, text, &lengths[1], &bind, &readonly,
                            &continuous, &atomic) != MPI_SUCCESS || !stays(name) || (bind != MPI_T_BIND_NO_OBJECT && bind != MPI_T_BIND_MPI_COMM))
        return;
    if (MPI_T_pvar_handle_alloc(session, index, bind == MPI_T_BIND_MPI_COMM ? &comm : NULL, &handle, &count) == MPI_SUCCESS)
        DONE(MPI_T_pvar_handle_free(session, &handle));
}

static void tool(MPI_Comm comm, int id, int round)
{
    int count = 0;
    MPI_T_pvar_session session;
    DONE(MPI_T_cvar_get_num(&count));
    for (int i = 0; i < 8 && count > 0; i++)
        control_variable((id * 37 + round * 8 + i) % count);
    DONE(MPI_T_pvar_session_create(&session));
    DONE(MPI_T_pvar_get_num(&count));
    for (int i = 0; i < 2 && count > 0; i++)
        performance_variable(session, (id + round + i) % count, comm);
    DONE(MPI_T_pvar_session_free(&session));
}

/* Loads and unloads this thread's plugin, if the program was given one. */
static void plugins(MPI_Comm comm, int id)
{
    if (!plugin[id][0])
        return;
    void *handle = dlopen(plugin[id], RTLD_NOW | RTLD_LOCAL);
    int (*use)(MPI_Comm) = handle ? (int (*)(MPI_Comm))(intptr_t)dlsym(handle, "use_mpi") : NULL;
    RIGHT(use && use(comm) == 0);
    RIGHT(handle && dlclose(handle) == 0);
}

static void windows(MPI_Comm comm)
{
    int memory = 0;
    MPI_Win win;
    DONE(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, comm, &win));
    DONE(MPI_Win_free(&win));
}

static void files(MPI_Comm comm, int id)
{
    char name[600];
    int out = id, in = -1;
    MPI_File file;
    snprintf(name, sizeof name, "%s/file.%d", getenv("MPI_TEST_DIR"), id);
    DONE(MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    DONE(MPI_File_write_at(file, 0, &out, 1, MPI_INT, MPI_STATUS_IGNORE));
    DONE(MPI_File_read_at(file, 0, &in, 1, MPI_INT, MPI_STATUS_IGNORE));
    RIGHT(in == out);
    DONE(MPI_File_close(&file));
}

static void one_round(int id, int round)
{
    MPI_Comm comm = comms[id];
    ops(comm);
    comms_and_groups(comm, id);
    datatypes();
    errhandlers(comm);
    keyvals(comm);
    infos(id);
    requests(comm, round);
    messages(comm, round);
    generalized(round);
    errors(comm, id, round);
    if (!known_fault("codes-of-threads"))
        added(id, round);
    tool(comm, id, round);
    plugins(comm, id);
    if (round % 8 == 0 && !known_fault("windows-of-threads"))
        windows(comm);
    if (round % 8 == 1 && !known_fault("files-of-threads"))
        files(comm, id);
}

static void *worker(void *argument)
{
    int id = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++)
        one_round(id, round);
    pthread_mutex_lock(&lock);
    if (wrong)
        fprintf(stderr, "thread %d: the first of %d that are not so is of line %d\n", id, wrong, first_line);
    CHECK_INT(wrong, 0);
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* A library of its own for each thread: what is open more than once does not go. */
static void copy_plugins(const char *from)
{
    char command[8192];
    for (int id = 0; from && *from && id < THREADS; id++) {
        snprintf(plugin[id], sizeof plugin[id], "%s/plugin.%d.so", getenv("MPI_TEST_DIR"), id);
        snprintf(command, sizeof command, "cp '%s' '%s'", from, plugin[id]);
        CHECK_INT(system(command), 0);
    }
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int ids[THREADS], provided;
    copy_plugins(getenv("MPI_TEST_PLUGIN"));
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    check_identify();
    OK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    OK(MPI_Add_error_class(&error_class));
    OK(MPI_Add_error_code(error_class, &error_code));
    OK(MPI_Add_error_string(error_code, "odd"));
    OK(MPI_Type_set_name(MPI_INT, "odd"));
    for (int i = 0; i < THREADS; i++) {
        ids[i] = i;
        OK(MPI_Comm_dup(MPI_COMM_SELF, &comms[i]));
        OK(MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, &ids[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        OK(MPI_Comm_free(&comms[i]));
    OK(MPI_T_finalize());
    return check_end();
}
