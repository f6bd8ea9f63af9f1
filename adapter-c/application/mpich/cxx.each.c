/* SPDX-License-Identifier: BSD-3-Clause */
/* libmpicxx.so.12, the C++ bindings of MPICH's family, needs more of MPICH than MPI.
 *
 * The program keeps that library. It creates operations, error handlers and keyvals by MPI as if the application's C++ functions were
 * C functions. Right after that, in the same thread, it says that they are C++ functions, and which function of its own calls
 * them. So the trampoline that exists by then is pointed to an entry that calls the library's function, and objects created with it
 * again have that entry at once. */
#include <stdlib.h>

#include "calls/language.h"
#include "convert/index.h"
#include "convert/distinct_datatype.h"
#include "layers/lock.h"
#include "convert/say.h"

/* How the library names classes of handles for its error handlers, and an attribute that is a pointer. */
enum { KIND_COMM, KIND_FILE, KIND_WIN };
enum { ATTRIBUTE_POINTER };

/* The library's functions that call the application's in C++, which is the last argument or the first. */
typedef void reduction_caller(void *, void *, int, app_datatype, mpi_function *);
typedef void error_caller(int kind, void *handle, int *code, mpi_function *);
typedef int copy_caller(mpi_function *, int handle, int keyval, void *state, int type, void *in, void *out, int *flag);
typedef int delete_caller(mpi_function *, int handle, int keyval, int type, void *value, void *state);
static reduction_caller *call_reduction;
static error_caller *call_handler;
static copy_caller *call_copy[CLASS_COUNT];
static delete_caller *call_delete[CLASS_COUNT];

/* The entries: a trampoline hands the application's function on as the last argument. */
__attribute__((used)) static void cxx_reduce(void *in, void *inout, int *length, host_datatype *datatype, mpi_function *function)
{
    call_reduction(in, inout, *length, distinct_datatype_to_app(*datatype), function);
}

CLOSURE_ENTRY_5(cxx_reduce_entry, cxx_reduce)

/* The procedure whose error a handler in C++ returned from returns no error to the application: the bindings would call
 * the handler once more. Natively the library for C knows the language of the handler that it calls. */

/* each
 * class
 * comm
 * file
 * win
 */
__attribute__((used)) static void ${class}_cxx_error(host_$class *handle, int *code, mpi_function *function)
{
    app_$class converted = ${class}_to_app(*handle);
    int raised = *code, error = code_to_app(raised);
    call_handler(KIND_$CLASS, &converted, &error, function);
    error_settle(raised); /* unless it threw an exception */
}

CLOSURE_ENTRY_3(${class}_cxx_error_entry, ${class}_cxx_error)
/* end */

/* each
 * class
 * comm
 * datatype
 * win
 */
__attribute__((used)) static int ${class}_cxx_copy(host_$class from, int keyval, void *state, void *in, void *out, int *flag,
                                                   mpi_function *function)
{
    if (!is_copied_$class(from, flag))
        return HOST_MPI_SUCCESS;
    return error_to_host(call_copy[CLASS_$CLASS](function, (int)APP_${CLASS}_BITS(${class}_to_app(from)),
                                                 keyval_to_app(keyval), state, ATTRIBUTE_POINTER, in, out, flag));
}

__attribute__((used)) static int ${class}_cxx_delete(host_$class from, int keyval, void *value, void *state, mpi_function *function)
{
    return error_to_host(call_delete[CLASS_$CLASS](function, (int)APP_${CLASS}_BITS(${class}_to_app(from)),
                                                   keyval_to_app(keyval), ATTRIBUTE_POINTER, value, state));
}

CLOSURE_ENTRY_7(${class}_cxx_copy_entry, ${class}_cxx_copy)
CLOSURE_ENTRY_5(${class}_cxx_delete_entry, ${class}_cxx_delete)
/* end */

/* The entry of a callback in C++ that is of the same sort as one in C by this entry, or null. */
static closure_entry *in_cxx(closure_entry *entry)
{
    const struct {
        closure_entry *c, *cxx;
    } entries[] = {
        { reduction_entry(), cxx_reduce_entry },
        { error_entry(CLASS_COMM), comm_cxx_error_entry },
        { error_entry(CLASS_FILE), file_cxx_error_entry },
        { error_entry(CLASS_WIN), win_cxx_error_entry },
        { copy_entry(CLASS_COMM), comm_cxx_copy_entry },
        { copy_entry(CLASS_DATATYPE), datatype_cxx_copy_entry },
        { copy_entry(CLASS_WIN), win_cxx_copy_entry },
        { delete_entry(CLASS_COMM), comm_cxx_delete_entry },
        { delete_entry(CLASS_DATATYPE), datatype_cxx_delete_entry },
        { delete_entry(CLASS_WIN), win_cxx_delete_entry },
    };
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (entries[i].c == entry)
            return entries[i].cxx;
    return 0;
}

/* The application's functions that are known to be in C++, which one is by one entry. */
struct function {
    struct index_entry known; /* by its address */
    closure_entry *entry;     /* the one that it would have in C */
};
static struct index functions;
LOCK(cxx_functions);

static int is_in_cxx(closure_entry *entry, mpi_function *function)
{
    struct index_entry **link = index_find(&functions, (intptr_t)function);
    while (*link && ((struct function *)*link)->entry != entry)
        link = index_from(&(*link)->next, (intptr_t)function);
    return *link != 0;
}

static void remember_function(closure_entry *entry, mpi_function *function)
{
    struct function *made = malloc(sizeof *made);
    if (made)
        *made = (struct function){ { 0, (intptr_t)function }, entry };
    if (!made || index_add(&functions, &made->known) != 0)
        give_up_memory("for a callback in C++");
}

static closure_entry *entry_of(closure_entry *entry, mpi_function *function)
{
    if (__atomic_load_n(&functions.count, __ATOMIC_RELAXED) == 0)
        return entry;
    take_lock(cxx_functions);
    int found = is_in_cxx(entry, function);
    release_lock(cxx_functions);
    return found ? in_cxx(entry) : entry;
}

/* The function that this thread was last given a trampoline for, the first or the second, is in C++. */
static void settle_second(int second)
{
    closure_entry *entry = noted_callbacks[second].in_c;
    mpi_function *function = noted_callbacks[second].function;
    noted_callbacks[second].function = 0;
    if (!function)
        return;
    take_lock(cxx_functions);
    if (!is_in_cxx(entry, function)) {
        closure_redirect(entry, function, in_cxx(entry));
        remember_function(entry, function);
    }
    release_lock(cxx_functions);
}

/* MPI::ERRORS_THROW_EXCEPTIONS: the library for C returns the error, and the bindings throw it if they find this handle
 * on the object. So a handler of the host's that does nothing stands for it, one for each class of handles. */
#define THROWING APP_ERRHANDLER_FROM(0x54000002)

static void return_to_bindings(void *handle, int *code, ...)
{
}

static int errhandler_is_of_classes(app_errhandler errhandler)
{
    return APP_ERRHANDLER_BITS(errhandler) == APP_ERRHANDLER_BITS(THROWING);
}

static host_errhandler errhandler_of_class(int handle_class, app_errhandler errhandler)
{
    return errhandler_is_of_classes(errhandler) ? errhandler_for_class(handle_class, (mpi_function *)return_to_bindings)
                                                : errhandler_to_host(errhandler);
}

static app_errhandler errhandler_from_class(int handle_class, host_errhandler errhandler)
{
    return errhandler_came_back(handle_class, errhandler) ? THROWING : errhandler_to_app(errhandler);
}

__attribute__((constructor)) static void start(void)
{
    bindings.errhandler_of_class = errhandler_of_class;
    bindings.errhandler_from_class = errhandler_from_class;
    bindings.errhandler_is_of_classes = errhandler_is_of_classes;
    bindings.entry_of = entry_of;
}

/* MPICH before 3.3 has these three by names that begin with MPIR_. */
#define BOTH_NAMES(name, declaration)                                                              \
    EXPORTED void MPII_##name declaration;                                                         \
    EXPORTED void MPIR_##name declaration __attribute__((alias("MPII_" #name)));                   \
    void MPII_##name declaration

BOTH_NAMES(Op_set_cxx, (app_op op, mpi_function *caller))
{
    call_reduction = (reduction_caller *)caller;
    settle_second(0);
}

BOTH_NAMES(Errhandler_set_cxx, (app_errhandler errhandler, mpi_function *caller))
{
    call_handler = (error_caller *)caller;
    settle_second(0);
}

BOTH_NAMES(Keyval_set_proxy, (int keyval, mpi_function *copy, mpi_function *delete))
{
    closure_entry *entry = noted_callbacks[0].in_c;
    int handle_class = entry == copy_entry(CLASS_WIN)        ? CLASS_WIN
                       : entry == copy_entry(CLASS_DATATYPE) ? CLASS_DATATYPE
                                                             : CLASS_COMM;
    call_copy[handle_class] = (copy_caller *)copy;
    call_delete[handle_class] = (delete_caller *)delete;
    settle_second(0);
    settle_second(1);
}
