/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the generated calls by the entry points that a list names, and prints how each ended and what it left in its
 * results:
 *     LIBRARY <tab> SYMBOL <tab> PROCEDURE <tab> INTERFACE <tab> OUTCOME [<tab> RESULT=VALUE]...
 * OUTCOME is an error class (MPI_SUCCESS among them), "returned" for what returns a value, "signal N", "exit N"
 * or "hangs". A symbol at the address of an earlier one of the same interface is its alias: "is <tab> SYMBOL".
 *
 *     complete LIST PART PARTS     each call in a child of its own; the part of a line is that of its procedure
 *     complete LIST by-two         those that two processes make at the same time, in these themselves
 *
 * LIST has lines LIBRARY SYMBOL PROCEDURE INTERFACE, where INTERFACE is c, fortran or descriptors. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../socket.h"
#include "complete.h"

#define SECONDS 60
/* UCX 1.20 hangs in MPI_Init at times, whatever the program was compiled against: it waits for a reader of its own lock. */
#define TRIES 3
#define ROOM 16384
#define POISON 0x5a
#define SHOWN_NUMBERS 4

/* The report of a child. It shares this memory with its parent, so that a call that ends the child still has a report.
 * */
static struct record {
    char outcome[64], text[8192];
    int raised, begun;
} *record;

static void say(const char *format, ...)
{
    size_t length = strlen(record->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(record->text + length, sizeof record->text - length, format, arguments);
    va_end(arguments);
}

/* ---------------------------------------------------------------- rooms */

void poison(void *at, size_t size)
{
    memset(at, POISON, size);
}

int is_touched(const void *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((const unsigned char *)at)[i] != POISON)
            return 1;
    return 0;
}

void *out_room(int parameter)
{
    poison(room(parameter), ROOM);
    return room(parameter);
}

void *in_room(int parameter)
{
    int *numbers = room(parameter);
    for (int i = 0; i < 64; i++)
        numbers[i] = 10 + i;
    return numbers;
}

/* ---------------------------------------------------------------- Fortran */

void describe(CFI_cdesc_t *descriptor, void *address)
{
    CFI_index_t extent = 64;
    CFI_establish(descriptor, address, CFI_attribute_other, CFI_type_int, sizeof(int), 1, &extent);
}

void terminate(char *text, size_t length)
{
    if (!is_touched(text, length))
        return;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = 0;
}

int from_index(int index)
{
    return index > 0 ? index - 1 : index;
}

void *fortran_symbol(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

/* ---------------------------------------------------------------- what is shown */

static const char *name_of(const struct named *names, long long value)
{
    for (; names && names->name; names++)
        if (names->value == value)
            return names->name;
    return 0;
}

static long long number_at(const void *at, size_t size)
{
    int narrow;
    long long wide;
    if (size == sizeof narrow) {
        memcpy(&narrow, at, size);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

void ended(int code)
{
    int class = code;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    const char *name = code == MPI_SUCCESS ? "MPI_SUCCESS" : name_of(names_ERROR_CODE, class);
    if (name)
        snprintf(record->outcome, sizeof record->outcome, "%s", name);
    else
        snprintf(record->outcome, sizeof record->outcome, "class %d", class);
}

void ended_value(void)
{
    strcpy(record->outcome, "returned");
}

/* Of a procedure without arguments of ours, which has nowhere to put an error but the handler. */
void ended_unsupported(void)
{
    strcpy(record->outcome, record->raised ? "MPI_ERR_UNSUPPORTED_OPERATION" : "returned");
}

void show_touched(const char *name, const void *at)
{
    say("\t%s=%s", name, is_touched(at, 1) ? "set" : "-");
}

static void show_each(const char *name, const void *at, size_t size, int count,
                      void show(const void *at, const void *with), const void *with)
{
    say("\t%s=", name);
    for (int i = 0; i < count; i++) {
        const char *element = (const char *)at + i * size;
        if (i && !is_touched(element, size))
            break;
        say(i ? "," : "");
        if (is_touched(element, size))
            show(element, with);
        else
            say("-");
    }
}

struct shown {
    size_t size;
    const struct named *names;
};

static void show_number(const void *at, const void *with)
{
    const struct shown *shown = with;
    long long number = number_at(at, shown->size);
    const char *name = name_of(shown->names, number);
    if (name)
        say("%s", name);
    else
        say("%lld", number);
}

void show_numbers(const char *name, const void *at, size_t size, int count, const struct named *names)
{
    show_each(name, at, size, count, show_number, &(struct shown){ size, names });
}

static void show_number_made(const void *at, const void *with)
{
    const struct shown *shown = with;
    const char *name = name_of(shown->names, number_at(at, shown->size));
    say("%s", name ? name : "made");
}

/* Numbers that the host makes up. */
void show_made(const char *name, const void *at, size_t size, int count, const struct named *names)
{
    show_each(name, at, size, count, show_number_made, &(struct shown){ size, names });
}

static void show_bits(const void *at, const void *with)
{
    const struct shown *shown = with;
    long long bits = number_at(at, shown->size);
    for (const struct named *each = shown->names; each->name; each++)
        if (each->value && (bits & each->value) == each->value) {
            say("%s|", each->name);
            bits &= ~each->value;
        }
    say("%lld", bits);
}

void show_flags(const char *name, const void *at, size_t size, int count, const struct named *names)
{
    show_each(name, at, size, count, show_bits, &(struct shown){ size, names });
}

static void show_class(const void *at, const void *with)
{
    int code = *(const int *)at, class = code;
    (void)with;
    MPI_Error_class(code, &class);
    const char *name = name_of(names_ERROR_CODE, class);
    say("%s", name ? name : "added");
}

void show_classes(const char *name, const void *at, int count)
{
    show_each(name, at, sizeof(int), count, show_class, 0);
}

void show_text(const char *name, const char *at)
{
    say("\t%s=", name);
    if (!is_touched(at, 8))
        say("-");
    else
        for (int i = 0; at[i] && i < 300; i++)
            say("%c", at[i] == '\n' || at[i] == '\t' ? ' ' : at[i]);
}

void show_pointer(const char *name, const void *at)
{
    say("\t%s=%s", name, !is_touched(at, sizeof(void *)) ? "-" : *(void *const *)at ? "address" : "null");
}

void show_buffer(const char *name, const void *at)
{
    const char *numbers = at;
    say("\t%s=", name);
    for (int i = 0; i < SHOWN_NUMBERS; i++)
        if (is_touched(numbers + i * sizeof(int), sizeof(int)))
            say("%s%lld", i ? "," : "", number_at(numbers + i * sizeof(int), sizeof(int)));
        else
            say("%s-", i ? "," : "");
}

static void show_status(const void *at, const void *with)
{
    static const size_t size = sizeof(int);
    MPI_Status *status = (MPI_Status *)at;
    const int *has_error = with;
    say("(");
    for (int i = 0; i < 2; i++) {
        const int *field = i ? &status->MPI_TAG : &status->MPI_SOURCE;
        if (is_touched(field, size))
            show_number(field, &(struct shown){ size, i ? names_TAG : names_RANK });
        else
            say("-");
        say(" ");
    }
    MPI_Count count = -1;
    if (is_touched(&status->MPI_SOURCE, size)) {
        MPI_Get_elements_x(status, MPI_BYTE, &count);
        say("%lld bytes", (long long)count);
    }
    if (*has_error && is_touched(&status->MPI_ERROR, size)) {
        say(" ");
        show_class(&status->MPI_ERROR, 0);
    }
    say(")");
}

static void show_cancelled(const void *at, const void *with)
{
    int cancelled = -1;
    (void)with;
    if (is_touched(&((const MPI_Status *)at)->MPI_SOURCE, sizeof(int)))
        MPI_Test_cancelled((MPI_Status *)at, &cancelled);
    say("%s", cancelled == 1 ? "yes" : "no");
}

void show_statuses(const char *name, const void *at, int count, int has_error)
{
    char cancelled[64];
    show_each(name, at, sizeof(MPI_Status), count, show_status, &has_error);
    snprintf(cancelled, sizeof cancelled, "%s cancelled", name);
    show_each(cancelled, at, sizeof(MPI_Status), count, show_cancelled, 0);
}

/* A handle: its constant's name, or what says something of the object. */
static void show_comm_size(const void *at)
{
    int size = -1, result = -1;
    MPI_Comm comm;
    memcpy(&comm, at, sizeof comm);
    MPI_Comm_size(comm, &size);
    MPI_Topo_test(comm, &result);
    say("of %d%s", size, result == MPI_CART ? " cart" : result == MPI_GRAPH ? " graph" : result == MPI_DIST_GRAPH ? " dist_graph" : "");
}

static void show_type_size(const void *at)
{
    MPI_Datatype type;
    MPI_Count size = -1, lower = -1, extent = -1;
    memcpy(&type, at, sizeof type);
    MPI_Type_size_x(type, &size);
    MPI_Type_get_extent_x(type, &lower, &extent);
    say("of %lld in %lld+%lld", (long long)size, (long long)lower, (long long)extent);
}

static void show_group_size(const void *at)
{
    int size = -1;
    MPI_Group group;
    memcpy(&group, at, sizeof group);
    MPI_Group_size(group, &size);
    say("of %d", size);
}

static void show_keys(const void *at)
{
    int count = -1;
    MPI_Info info;
    memcpy(&info, at, sizeof info);
    MPI_Info_get_nkeys(info, &count);
    say("of %s", count > 0 ? "some" : "none");
}

struct handle {
    size_t size;
    const struct named *names;
    void (*show)(const void *at);
};

static void show_handle(const void *at, const void *with)
{
    const struct handle *handle = with;
    const char *name = name_of(handle->names, number_at(at, handle->size));
    if (name)
        say("%s", name);
    else if (handle->show)
        handle->show(at);
    else
        say("made");
}

#define HANDLE(class, type, names, show) \
    void show_##class(const char *name, const void *at, int count) \
    { \
        show_each(name, at, sizeof(type), count, show_handle, &(struct handle){ sizeof(type), names, show }); \
    }
HANDLE(comm, MPI_Comm, names_COMM, show_comm_size)
HANDLE(datatype, MPI_Datatype, names_DATATYPE, show_type_size)
HANDLE(errhandler, MPI_Errhandler, names_ERRHANDLER, 0)
HANDLE(file, MPI_File, names_FILE, 0)
HANDLE(group, MPI_Group, names_GROUP, show_group_size)
HANDLE(info, MPI_Info, names_INFO, show_keys)
HANDLE(message, MPI_Message, names_MESSAGE, 0)
HANDLE(op, MPI_Op, names_OP, 0)
HANDLE(request, MPI_Request, names_REQUEST, 0)
HANDLE(session, MPI_Session, names_SESSION, 0)
HANDLE(win, MPI_Win, names_WIN, 0)

/* ---------------------------------------------------------------- before and after a call */

void finish(void *request)
{
    if (is_touched(request, sizeof(MPI_Request)))
        MPI_Wait(request, MPI_STATUS_IGNORE);
}

void finish_started(void *request)
{
    if (!is_touched(request, sizeof(MPI_Request)))
        return;
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static int sent[2] = { 70, 71 }, received[4];
static MPI_Request pending = MPI_REQUEST_NULL;

void send_to_self(void)
{
    MPI_Isend(sent, 1, MPI_INT, 0, 3, comm, &pending);
}

void receive_from_self(void)
{
    poison(received, sizeof received);
    MPI_Irecv(received, 1, MPI_INT, 0, 3, comm, &pending);
}

void show_received(void)
{
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    show_buffer("received", received);
}

void attach(void)
{
    static char buffer[65536];
    MPI_Buffer_attach(buffer, sizeof buffer);
}

void attach_as_named(void)
{
    setenv("MPI_ADAPTER_BUFFER_IFLUSH", "1", 1);
    attach();
}

void attach_to_comm(void)
{
    static char buffer[65536];
    int (*procedure)(MPI_Comm, void *, int) = (int (*)(MPI_Comm, void *, int))find("MPI_Comm_attach_buffer");
    if (procedure)
        procedure(comm, buffer, sizeof buffer);
}

void attach_to_session(void)
{
    static char buffer[65536];
    int (*procedure)(MPI_Session, void *, int) = (int (*)(MPI_Session, void *, int))find("MPI_Session_attach_buffer");
    if (procedure)
        procedure(session, buffer, sizeof buffer);
}

/* A request of a receive that has got its message, and one of a receive without. */
MPI_Request complete_request(void)
{
    MPI_Request receive = receiving();
    int flag;
    MPI_Send(sent, 1, MPI_INT, 0, 4, comm);
    for (flag = 0; !flag;)
        MPI_Request_get_status(receive, &flag, MPI_STATUS_IGNORE);
    return receive;
}

MPI_Request receiving(void)
{
    MPI_Request receive;
    MPI_Irecv(received, 1, MPI_INT, 0, 4, comm, &receive);
    return receive;
}

MPI_Win shared_window(void)
{
    void *base;
    MPI_Win made;
    MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, comm, &base, &made);
    return made;
}

MPI_Win dynamic_window(void *attached)
{
    MPI_Win made;
    MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &made);
    if (attached)
        MPI_Win_attach(made, attached, 4);
    return made;
}

int added_class(void)
{
    int made = 0;
    MPI_Add_error_class(&made);
    return made;
}

/* By a procedure of MPI_X_toint: handles are integers or addresses, which are passed alike. */
int to_int(const char *procedure, intptr_t handle)
{
    int (*convert)(intptr_t) = (int (*)(intptr_t))find(procedure);
    return convert ? convert(handle) : -1;
}

const char *name_of_category(void)
{
    static char name[1024];
    int length = sizeof name, no_length = 0, variables, performance, categories;
    MPI_T_category_get_info(0, name, &length, 0, &no_length, &variables, &performance, &categories);
    return name;
}

/* The first variable's name of the tool interface. */
const char *name_of_variable(int is_performance)
{
    static char name[1024];
    int length = sizeof name, verbosity, bind, scope, no_length = 0, class, flag;
    MPI_Datatype type;
    if (is_performance)
        MPI_T_pvar_get_info(0, name, &length, &verbosity, &class, &type, 0, 0, &no_length, &bind, &flag, &flag, &flag);
    else
        MPI_T_cvar_get_info(0, name, &length, &verbosity, &type, 0, 0, &no_length, &bind, &scope);
    return name;
}

void raised(void)
{
    record->raised = 1;
}

/* ---------------------------------------------------------------- calls by two processes */

/* The rank. */
static int me;
MPI_Request partner;

int other(void)
{
    return 1 - me;
}

int socket_between(void)
{
    return connected_socket(comm);
}

void disconnect(void *joined)
{
    if (is_touched(joined, sizeof(MPI_Comm)) && *(MPI_Comm *)joined != MPI_COMM_NULL)
        MPI_Comm_disconnect(joined);
}

MPI_Comm between(void)
{
    static MPI_Comm made;
    static int is_made;
    if (!is_made)
        MPI_Intercomm_create(MPI_COMM_SELF, 0, comm, other(), 5, &made);
    is_made = 1;
    return made;
}

static MPI_Session of_groups;
static int has_session;

MPI_Session new_session(void)
{
    MPI_Session made;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    return made;
}

/* Of one process, by a session. */
MPI_Group group_of(int rank)
{
    MPI_Group all, one;
    if (!has_session)
        of_groups = new_session();
    has_session = 1;
    MPI_Group_from_session_pset(of_groups, "mpi://WORLD", &all);
    MPI_Group_incl(all, 1, &rank, &one);
    MPI_Group_free(&all);
    return one;
}

int myself(void)
{
    return me;
}

void send_partitions(void *out)
{
    MPI_Psend_init(sent, 1, 1, MPI_INT, other(), 3, comm, MPI_INFO_NULL, out);
}

void receive_partitions(void *in)
{
    poison(received, sizeof received);
    MPI_Precv_init(received, 1, 1, MPI_INT, other(), 3, comm, MPI_INFO_NULL, in);
}

void start_partitions(void *out, void *in)
{
    send_partitions(out);
    receive_partitions(in);
    MPI_Start(out);
    MPI_Start(in);
}

void await_partitions(void *out, void *in)
{
    MPI_Wait(out, MPI_STATUS_IGNORE);
    MPI_Wait(in, MPI_STATUS_IGNORE);
    MPI_Request_free(out);
    MPI_Request_free(in);
}

void show_arrived(void)
{
    show_buffer("received", received);
}

/* Of requests that were made. */
void exchange_partitions(void *out, void *in)
{
    if (!is_touched(out, sizeof(MPI_Request)) || !is_touched(in, sizeof(MPI_Request)))
        return;
    MPI_Start(out);
    MPI_Start(in);
    MPI_Pready(0, *(MPI_Request *)out);
    await_partitions(out, in);
}

/* The partition is ready, and has arrived. */
void let_arrive(void *out, void *in)
{
    int flag = 0;
    MPI_Pready(0, *(MPI_Request *)out);
    while (!flag && MPI_Parrived(*(MPI_Request *)in, 0, &flag) == MPI_SUCCESS)
        ;
}

/* ---------------------------------------------------------------- children */

/* Calls that are made now. */
static enum maker maker;

static void make_call(const struct call *call, int interface, void *address)
{
    static const int deadly[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGALRM };
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        signal(deadly[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    alarm(getenv("COMPLETE_SECONDS") ? (unsigned)atoi(getenv("COMPLETE_SECONDS")) : SECONDS);
    if (maker == FIRST)
        MPI_Init(0, 0);
    record->begun = 1;
    call->call(interface, address);
    _exit(0);
}

static int is_hang(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
}

static const char *outcome(int status)
{
    static char text[64];
    if (is_hang(status))
        return "hangs";
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) || !record->outcome[0])
        snprintf(text, sizeof text, "exit %d", WEXITSTATUS(status));
    else
        return record->outcome;
    return text;
}

/* The file of the calls, with what it had before them. */
static void write_file(void)
{
    int file = open(path, O_WRONLY | O_TRUNC);
    if (file < 0 || write(file, long_text, 5000) != 5000)
        perror(path);
    close(file);
}

/* How a child ends that makes the call. */
static int make_in_child(const struct call *call, int interface, void *address)
{
    int status = 0;
    if (maker == BY_ONE)
        write_file();
    pid_t child = fork();
    if (child == 0)
        make_call(call, interface, address);
    waitpid(child, &status, 0);
    return status;
}

static void try(int out, const char *symbol, const struct call *call, const char *interface, int number, void *address)
{
    int status = 0, tries = 0;
    memset(record, 0, sizeof *record);
    if (maker == BY_TWO)
        call->call(number, address);
    else
        do
            status = make_in_child(call, number, address);
        while (maker == FIRST && !record->begun && is_hang(status) && ++tries < TRIES);
    if (me == 0)
        dprintf(out, "%s\t%s\t%s\t%s%s%s\n", symbol, call->name, interface, outcome(status), record->text,
                record->raised ? "\traised=1" : "");
}

/* ---------------------------------------------------------------- the list */

/* The entry points that have been called. */
static struct entry {
    void *address;
    int interface;
    char symbol[128];
} entries[8192];
static int entry_count;

static const char *alias_of(void *address, int interface)
{
    for (int i = 0; i < entry_count; i++)
        if (entries[i].address == address && entries[i].interface == interface)
            return entries[i].symbol;
    return 0;
}

static void remember(void *address, int interface, const char *symbol)
{
    struct entry *entry = &entries[entry_count++];
    entry->address = address;
    entry->interface = interface;
    snprintf(entry->symbol, sizeof entry->symbol, "%s", symbol);
}

static int number_of(const char *procedure)
{
    int i = 0;
    while (calls[i].name && strcmp(calls[i].name, procedure) != 0)
        i++;
    return calls[i].name ? i : -1;
}

static int interface_of(const char *name)
{
    return strcmp(name, "c") == 0 ? C : strcmp(name, "fortran") == 0 ? FORTRAN : DESCRIPTORS;
}

static void try_line(int out, const char *line, int part, int parts)
{
    char library[256], symbol[128], procedure[128], interface[32], label[512];
    if (sscanf(line, "%255s %127s %127s %31s", library, symbol, procedure, interface) != 4)
        return;
    int number = number_of(procedure), kind = interface_of(interface);
    if (number < 0 || calls[number].maker != maker || number % parts != part)
        return;
    void *loaded = dlopen(library, RTLD_LAZY | RTLD_GLOBAL);
    void *address = loaded ? dlsym(loaded, symbol) : 0;
    const char *alias = address ? alias_of(address, kind) : 0;
    snprintf(label, sizeof label, "%s\t%s", library, symbol);
    if (address && !alias) {
        remember(address, kind, symbol);
        try(out, label, &calls[number], interface, kind, address);
    } else if (me == 0) {
        dprintf(out, "%s\t%s\t%s\t%s%s\n", label, procedure, interface, alias ? "is\t" : "absent", alias ? alias : "");
    }
}

/* In memory, and closed: a child that ends by exit() would move the place where its parent reads. */
static char **lines_of(const char *list)
{
    FILE *in = fopen(list, "r");
    char **lines = 0, *line = 0;
    size_t count = 0, room = 0;
    if (!in) {
        perror(list);
        exit(2);
    }
    while (getline(&line, &room, in) > 0) {
        lines = realloc(lines, (count + 2) * sizeof *lines);
        lines[count++] = strdup(line);
        lines[count] = 0;
    }
    fclose(in);
    return lines;
}

static void try_list(int out, enum maker by, char **lines, int part, int parts)
{
    maker = by;
    for (; lines && *lines; lines++)
        try_line(out, *lines, part, parts);
}

/* Each process is the other's only partner. */
static void make_by_two(int out, char **lines)
{
    MPI_Init(0, 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    info = MPI_INFO_NULL;
    errhandler = MPI_ERRORS_RETURN;
    try_list(out, BY_TWO, lines, 0, 1);
    if (has_session)
        MPI_Session_finalize(&of_groups);
    MPI_Finalize();
}

static void make_by_one(int out, char **lines, int part, int parts)
{
    try_list(out, FIRST, lines, part, parts);
    MPI_Init(0, 0);
    make_all();
    try_list(out, BY_ONE, lines, part, parts);
}

int main(int argc, char **argv)
{
    int out = fcntl(1, F_DUPFD_CLOEXEC, 3);
    if (argc < 3)
        return 2;
    record = mmap(0, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!getenv("COMPLETE_LOUD")) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 1);
        dup2(nothing, 2);
    }
    if (argc == 3)
        make_by_two(out, lines_of(argv[1]));
    else
        make_by_one(out, lines_of(argv[1]), atoi(argv[2]), atoi(argv[3]));
    _exit(0);
}
