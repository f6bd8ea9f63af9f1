/* SPDX-License-Identifier: BSD-3-Clause */
/* libmpi_cxx.so.40, the C++ bindings of Open MPI 4.1 and older, and libmpi_cxx.so.20, those of Open MPI 2, need more of Open MPI than MPI.
 *
 * The program keeps that library. Most of it calls MPI. A handful of functions, all called through its PLT, look into Open MPI's
 * objects. They are replaced here by functions that ask MPI, so that nobody looks into those objects. A program that loads
 * libmpi_cxx.so.40 late is noticed at the first call of a function below, so these also do their work for the functions that were not
 * replaced. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "calls/language.h"
#include "convert/index.h"
#include "callbacks/reduction.h"
#include "callbacks/stateful.h"
#include "layers/lock.h"
#include "convert/say.h"
#include "gotswap.h"
#include "process/linked.h"
#include "process/loader.h"

#define LIBRARY "libmpi_cxx.so.40"
#define EARLIER_LIBRARY "libmpi_cxx.so.20"
/* Only the libmpi_cxx of adapter-c/companion/ defines this. */
#define STAND_IN "mpi_adapter_stand_in"

/* How the library names classes of handles, as ompi_attr_create_keyval() gets them and as
 * ompi_errhandler_create() does. */
enum { KEYVAL_COMM = 1, KEYVAL_TYPE, KEYVAL_WIN };
enum { ERRHANDLER_COMM = 1, ERRHANDLER_WIN, ERRHANDLER_FILE };
enum comm_type { COMM_UNKNOWN, COMM_INTRA, COMM_INTER, COMM_CART, COMM_GRAPH };

/* The library's functions that call the application's in C++. The intercepts get the application's
 * function as one argument more. */
typedef void reduce_intercept(void *, void *, int *, app_datatype *, mpi_function *);
typedef void error_intercept(void *handle, int *code, const char *message, mpi_function *);
static reduce_intercept *call_reduction;
static error_intercept *call_handler[CLASS_COUNT];

static enum comm_type comm_get_type(app_comm comm)
{
    int inter = 0, topology = HOST_MPI_UNDEFINED;
    host.MPI_Comm_test_inter(comm_to_host(comm), &inter);
    if (inter)
        return COMM_INTER;
    host.MPI_Topo_test(comm_to_host(comm), &topology);
    return topology == HOST_MPI_CART ? COMM_CART : topology == HOST_MPI_GRAPH ? COMM_GRAPH : COMM_INTRA;
}

static int invoke_comm(app_comm comm, int code, const char *message)
{
    host.MPI_Comm_call_errhandler(comm_to_host(comm), error_to_host(code));
    return code;
}

static int invoke_file(app_file file, int code, const char *message)
{
    host.MPI_File_call_errhandler(file_to_host(file), error_to_host(code));
    return code;
}

/* Error handlers. The host calls an entry below, with the application's function. */

/* each
 * class
 * comm
 * file
 * win
 */
__attribute__((used)) static void ${class}_cxx_error(host_$class *handle, int *code, mpi_function *function)
{
    app_$class converted = ${class}_to_app(*handle);
    int error = error_to_app(*code);
    call_handler[CLASS_$CLASS](&converted, &error, "", function);
}

CLOSURE_ENTRY_3(${class}_cxx_error_entry, ${class}_cxx_error)
/* end */

/* A host's error handler for a class of handles. */
static host_errhandler make_errhandler(int handle_class, closure_entry *entry, mpi_function *function)
{
    host_errhandler made = HOST_MPI_ERRHANDLER_NULL;
    mpi_function *called = closure(entry, function);
    if (!called)
        raise_error(HOST_MPI_ERR_NO_MEM);
    else if (errhandler_create(handle_class, called, &made) != 0)
        made = HOST_MPI_ERRHANDLER_NULL;
    return made;
}

static app_errhandler create_comm(mpi_function *function)
{
    return errhandler_to_app(make_errhandler(CLASS_COMM, comm_cxx_error_entry, function));
}

static app_errhandler create_win(mpi_function *function)
{
    return errhandler_to_app(make_errhandler(CLASS_WIN, win_cxx_error_entry, function));
}

static app_errhandler create_file(mpi_function *function)
{
    return errhandler_to_app(make_errhandler(CLASS_FILE, file_cxx_error_entry, function));
}

/* The library's functions that look into objects, and what takes their place. */
static const struct replacement {
    const char *symbol;
    mpi_function *function;
} replacements[] = {
    { "ompi_cxx_comm_get_type", (mpi_function *)comm_get_type },
    { "ompi_cxx_errhandler_invoke_comm", (mpi_function *)invoke_comm },
    { "ompi_cxx_errhandler_invoke_file", (mpi_function *)invoke_file },
    { "ompi_cxx_errhandler_create_comm", (mpi_function *)create_comm },
    { "ompi_cxx_errhandler_create_win", (mpi_function *)create_win },
    { "ompi_cxx_errhandler_create_file", (mpi_function *)create_file },
};

static void *choose_slot(const char *symbol, void *current, void *context)
{
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++)
        if (strcmp(symbol, replacements[i].symbol) == 0)
            return (void *)replacements[i].function;
    return 0;
}

/* Replaces those functions, in the library as it is loaded. */
static void replace_slots(void *library)
{
    gotswap_object *object;
    size_t replaced = 0;
    if (gotswap_open_memory(&object, linked_map(library)->l_ld) != GOTSWAP_OK ||
        gotswap_replace_each(object, choose_slot, 0, &replaced) != GOTSWAP_OK)
        give_up("cannot adapt %s: %s; run the program without the adapter on this machine", linked_map(library)->l_name,
                gotswap_message());
    if (replaced < sizeof replacements / sizeof *replacements)
        give_up("the functions of %s cannot be replaced; use the one of Open MPI 4.1", gotswap_path(object));
    gotswap_close(object);
}

static mpi_function *find_function(void *library, const char *symbol)
{
    mpi_function *found = (mpi_function *)dlsym(library, symbol);
    if (!found)
        give_up("%s has no %s; use the one of Open MPI 4.1", linked_map(library)->l_name, symbol);
    return found;
}

/* Gives a copy of the name by which the dynamic linker knows the library, if it is loaded. A library that leads to it by its
 * other name stands ahead of it. */
static void note_name(const gotswap_list *list, void *context)
{
    char **name = context;
    for (size_t i = list->count; i > 0 && !*name; i--)
        if (linked_is_named(&list->objects[i - 1], LIBRARY) || linked_is_named(&list->objects[i - 1], EARLIER_LIBRARY))
            *name = strdup(list->objects[i - 1].name);
}

/* The library if it is loaded, or null. Asked for one that is not, the dynamic linker would look through folders, and
 * open the file. */
static void *loaded(void)
{
    char *name = 0;
    linked_look(note_name, &name);
    /* Not by way of those who take the slots of dlopen, as UCX does: they would use 8 KiB of a thread's stack. */
    void *library = name ? loader.dlopen(name, RTLD_LAZY | RTLD_NOLOAD) : 0;
    free(name);
    return library;
}

/* Prepares the C++ bindings if they are loaded; true if they are. */
static int prepare(void)
{
    LOCK(cxx_library);
    static int prepared;
    if (__atomic_load_n(&prepared, __ATOMIC_ACQUIRE))
        return 1;
    /* The search is not repeated while nothing else is loaded. */
    static unsigned long long absent_at;
    unsigned long long loads = linked_loads();
    if (loads == __atomic_load_n(&absent_at, __ATOMIC_RELAXED))
        return 0;
    void *library = loaded();
    if (!library || dlsym(library, STAND_IN)) {
        __atomic_store_n(&absent_at, loads, __ATOMIC_RELAXED);
        return 0;
    }
    take_lock(cxx_library);
    if (!prepared) {
        call_reduction = (reduce_intercept *)find_function(library, "ompi_mpi_cxx_op_intercept");
        call_handler[CLASS_COMM] = (error_intercept *)find_function(library, "ompi_mpi_cxx_comm_errhandler_invoke");
        call_handler[CLASS_FILE] = (error_intercept *)find_function(library, "ompi_mpi_cxx_file_errhandler_invoke");
        call_handler[CLASS_WIN] = (error_intercept *)find_function(library, "ompi_mpi_cxx_win_errhandler_invoke");
        replace_slots(library);
        __atomic_store_n(&prepared, 1, __ATOMIC_RELEASE);
    }
    release_lock(cxx_library);
    return 1;
}

/* Keyvals: the functions are the library's own in C, and `state` tells them those in C++. */
EXPORTED int ompi_attr_create_keyval(int type, mpi_function *copy, mpi_function *delete, int *keyval, void *state,
                                     int flags, void *bindings_state);
int ompi_attr_create_keyval(int type, mpi_function *copy, mpi_function *delete, int *keyval, void *state,
                            int flags, void *bindings_state)
{
    prepare();
    int handle_class = type == KEYVAL_WIN ? CLASS_WIN : type == KEYVAL_TYPE ? CLASS_DATATYPE : CLASS_COMM;
    return keyval_create(handle_class, copy, delete, keyval, state);
}

/* Only a function of the library's that was not replaced calls this. Having called it, it writes
 * where Open MPI keeps the intercept: hence the room behind the handle. */
struct errhandler_object {
    struct app_object handle;
    char room[128];
};

EXPORTED app_errhandler ompi_errhandler_create(int type, mpi_function *function, int language);
app_errhandler ompi_errhandler_create(int type, mpi_function *function, int language)
{
    struct errhandler_object *object = calloc(1, sizeof *object);
    if (!object)
        give_up_memory("while creating an error handler");
    prepare();
    object->handle.word = HOST_ERRHANDLER_BITS(
        type == ERRHANDLER_WIN    ? make_errhandler(CLASS_WIN, win_cxx_error_entry, function)
        : type == ERRHANDLER_FILE ? make_errhandler(CLASS_FILE, file_cxx_error_entry, function)
                                  : make_errhandler(CLASS_COMM, comm_cxx_error_entry, function));
    return (app_errhandler)object;
}

/* The same: the handle's error handler and its class were read from where it has none. */
EXPORTED int ompi_errhandler_invoke(void *errhandler, void *handle, int type, int code, const char *message);
int ompi_errhandler_invoke(void *errhandler, void *handle, int type, int code, const char *message)
{
    return handle == APP_MPI_FILE_NULL ? invoke_file(handle, code, message) : invoke_comm(handle, code, message);
}

/* MPI::ERRORS_THROW_EXCEPTIONS. MPI::Init() writes the library's functions into this object, where
 * Open MPI's error handlers keep them. */
struct throwing {
    char unused[88];
    mpi_function *comm, *file, *win;
};
extern EXPORTED char ompi_mpi_errors_throw_exceptions[];

static mpi_function *throwing_function(int handle_class)
{
    const struct throwing *object = (const struct throwing *)(void *)ompi_mpi_errors_throw_exceptions;
    return handle_class == CLASS_WIN ? object->win : handle_class == CLASS_FILE ? object->file : object->comm;
}

static host_errhandler errhandler_of_class(int handle_class, app_errhandler errhandler)
{
    mpi_function *function = (void *)errhandler == ompi_mpi_errors_throw_exceptions ? throwing_function(handle_class) : 0;
    return function ? errhandler_for_class(handle_class, closure(error_entry(handle_class), function))
                    : errhandler_to_host(errhandler);
}

/* The application gets the object's address, and may free it: the object decodes to a predefined handle, which the host
 * lets anyone free. */
static app_errhandler errhandler_from_class(int handle_class, host_errhandler errhandler)
{
    if (!errhandler_came_back(handle_class, errhandler))
        return errhandler_to_app(errhandler);
    struct app_object *object = (struct app_object *)(void *)ompi_mpi_errors_throw_exceptions;
    object->word = HOST_ERRHANDLER_BITS(HOST_MPI_ERRORS_RETURN);
    return (app_errhandler)object;
}

/* Reductions in C++. MPI::Op::Init() calls MPI_Op_create() with the library's intercept, then
 * ompi_op_set_cxx_callback() with the application's function. So the first makes an operation with a state, into which the
 * second puts the function. */
struct op_object {
    struct index_entry entry; /* by the handle */
    mpi_function *function;
};
static struct index op_objects;
LOCK(cxx_ops);

/* Without a function the operation was destroyed, or MPI::Op::Init() has not returned. */
__attribute__((used)) static void cxx_reduce(void *in, void *inout, int *length, host_datatype *datatype,
                                             struct stateful *stateful)
{
    void *state;
    app_datatype converted = distinct_datatype_to_app(*datatype);
    mpi_function *function = stateful_function(stateful, &state) ? ((struct op_object *)state)->function : 0;
    if (function)
        call_reduction(in, inout, length, &converted, function);
}
CLOSURE_ENTRY_5(cxx_reduce_entry, cxx_reduce)

/* A function's address may be that of the executable's PLT, so its name decides. */
static int is_intercept(mpi_function *function)
{
    Dl_info info;
    return function && prepare() &&
           ((void *)function == (void *)call_reduction ||
            (dladdr((void *)function, &info) && info.dli_sname && info.dli_saddr == (void *)function &&
             strcmp(info.dli_sname, "ompi_mpi_cxx_op_intercept") == 0));
}

/* Called with the state once nothing uses the operation. Its handle may be another one's by now. */
static void op_destroyed(void *state)
{
    struct op_object *object = state;
    take_lock(cxx_ops);
    struct index_entry **link = index_find(&op_objects, object->entry.key);
    while (*link && *link != &object->entry)
        link = index_from(&(*link)->next, object->entry.key);
    if (*link)
        index_remove(&op_objects, link);
    release_lock(cxx_ops);
    free(object);
}

static int add_object(struct op_object *object, host_op made)
{
    object->entry.key = (intptr_t)op_to_app(made);
    take_lock(cxx_ops);
    int failed = index_add(&op_objects, &object->entry);
    release_lock(cxx_ops);
    return failed;
}

static app_op op_postponed(mpi_function *function, int commute)
{
    if (!is_intercept(function))
        return APP_MPI_OP_NULL;
    host_op made = HOST_MPI_OP_NULL;
    struct op_object *object = calloc(1, sizeof *object);
    struct stateful *stateful = object ? stateful_make(CLASS_OP, function, (mpi_function *)op_destroyed, object) : 0;
    mpi_function *called = stateful ? reduction_closure(cxx_reduce_entry, (mpi_function *)stateful) : 0;
    if (called && host.MPI_Op_create(called, commute, &made) == 0 && add_object(object, made) == 0) {
        stateful_publish(stateful, HOST_OP_BITS(made));
        return op_to_app(made);
    }
    if (stateful)
        stateful_discard(stateful);
    free(object);
    raise_error(HOST_MPI_ERR_NO_MEM);
    return APP_MPI_OP_NULL;
}

EXPORTED void ompi_op_set_cxx_callback(app_op op, mpi_function *function);
void ompi_op_set_cxx_callback(app_op op, mpi_function *function)
{
    take_lock(cxx_ops);
    struct op_object *object = (struct op_object *)*index_find(&op_objects, (intptr_t)op);
    if (object)
        object->function = function;
    release_lock(cxx_ops);
}

__attribute__((constructor)) static void start(void)
{
    bindings.errhandler_of_class = errhandler_of_class;
    bindings.errhandler_from_class = errhandler_from_class;
    bindings.op_postponed = op_postponed;
    loader_find(); /* this may be the first of the adapter's constructors */
    prepare();
}

/* Open MPI's internal error codes: there are none, for no function above returns one. The library's
 * search in an array of Open MPI's ends at once. */
EXPORTED int ompi_errcode_intern_lastused;
EXPORTED char ompi_errcodes_intern[120] __attribute__((aligned(8)));

/* A list of Open MPI's, to whose end the library adds what it allocates for MPI::Register_datarep(). */
struct list_item {
    void *of_class;
    int64_t references;
    struct list_item *next, *previous;
    void *unused;
};
struct list {
    void *of_class;
    int64_t references;
    struct list_item end;
    int64_t length;
};
_Static_assert(sizeof(struct list) == 64, "size of Open MPI's list");
extern EXPORTED struct list ompi_registered_datareps;
struct list ompi_registered_datareps = {
    .end = { .next = &ompi_registered_datareps.end, .previous = &ompi_registered_datareps.end },
};
