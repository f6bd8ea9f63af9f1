/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool information interface, MPI-4.1 chapter 15.3, where a variable may be bound to an
 * object: the address of the application's handle becomes the address of the host's. */
#include <stdlib.h>
#include <string.h>

#include "convert/adapter.h"
#include "convert/index.h"
#include "layers/lock.h"
#include "callbacks/closure.h"

/* Room for the host's handle of any class. */
union host_object {
#define OBJECT(NAME, name) host_##name name;
    HANDLE_CLASSES(OBJECT)
#undef OBJECT
};

/* The host may keep the address that it is given for as long as its MPI_T handle lives. So each of its handles whose address it
 * gets is kept once, and never freed. */
struct kept {
    struct index_entry entry; /* by the handle's bits */
    union host_object object;
};

static const union host_object *keep_object(const union host_object *object)
{
    LOCK(tool_objects);
    static struct index all;
    intptr_t bits = 0;
    memcpy(&bits, object, sizeof *object);
    take_lock(tool_objects);
    struct kept *found = (struct kept *)*index_find(&all, bits);
    struct kept *added = found ? 0 : malloc(sizeof *added);
    if (added) {
        *added = (struct kept){ { 0, bits }, *object };
        if (index_add(&all, &added->entry) == 0)
            found = added;
        else
            free(added);
    }
    release_lock(tool_objects);
    return found ? &found->object : 0;
}
_Static_assert(sizeof(union host_object) <= sizeof(intptr_t), "a key holds the bits of any handle");

/* Sets `to` to the host's object for what `object` points to, by the host's kind of binding. Returns an error code. */
static host_code object_to_host(int bind, void *object, void **to)
{
    union host_object room;
    *to = object;
    if (!object)
        return 0;
    memset(&room, 0, sizeof room);
    switch (bind) {
#define BOUND(NAME, name) \
    case HOST_MPI_T_BIND_MPI_##NAME: \
        room.name = name##_to_host(*(app_##name *)object); \
        break;
        HANDLE_CLASSES(BOUND)
#undef BOUND
    default:
        return 0;
    }
    *to = (void *)keep_object(&room);
    return *to ? 0 : HOST_MPI_T_ERR_MEMORY;
}

PROCEDURE(app_code, MPI_T_cvar_handle_alloc, int index, void *object, void **handle, int *count)
{
    int bind = HOST_MPI_T_BIND_NO_OBJECT;
    void *its_object = 0;
    host_code rc = host.MPI_T_cvar_get_info(index, 0, 0, 0, 0, 0, 0, 0, &bind, 0);
    if (rc == 0)
        rc = object_to_host(bind, object, &its_object);
    if (rc == 0)
        rc = host.MPI_T_cvar_handle_alloc(index, its_object, handle, count);
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_T_pvar_handle_alloc, void *session, int index, void *object, void **handle, int *count)
{
    int bind = HOST_MPI_T_BIND_NO_OBJECT;
    void *its_object = 0;
    host_code rc = host.MPI_T_pvar_get_info(index, 0, 0, 0, 0, 0, 0, 0, 0, &bind, 0, 0, 0);
    if (rc == 0)
        rc = object_to_host(bind, object, &its_object);
    if (rc == 0)
        rc = host.MPI_T_pvar_handle_alloc(session, index, its_object, handle, count);
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_T_event_handle_alloc, int index, void *object, app_info info, void **registration)
{
    int bind = HOST_MPI_T_BIND_NO_OBJECT;
    void *its_object = 0;
    host_code rc = host.MPI_T_event_get_info(index, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, &bind);
    if (rc == 0)
        rc = object_to_host(bind, object, &its_object);
    if (rc == 0)
        rc = host.MPI_T_event_handle_alloc(index, its_object, info_to_host(info), registration);
    return rc == 0 ? 0 : error_to_app(rc);
}

/* Event callbacks receive addresses, counts and a safety level: where both sides number levels alike, the
 * host calls them itself. */
typedef void event_function(void *, void *, int, void *);
typedef void event_free_function(void *, int, void *);
typedef void event_dropped_function(MPI_Count, void *, int, int, void *);

__attribute__((used)) static void event_happened(void *instance, void *registration, int safety, void *user,
                                                 event_function *function)
{
    function(instance, registration, t_cb_safety_to_app(safety), user);
}

__attribute__((used)) static void event_freed(void *registration, int safety, void *user, intptr_t unused,
                                              event_free_function *function)
{
    function(registration, t_cb_safety_to_app(safety), user);
}

__attribute__((used)) static void event_dropped(MPI_Count count, void *registration, int source, int safety, void *user,
                                                intptr_t unused, event_dropped_function *function)
{
    function(count, registration, source, t_cb_safety_to_app(safety), user);
}

CLOSURE_ENTRY_5(event_entry, event_happened)
CLOSURE_ENTRY_5(event_free_entry, event_freed)
CLOSURE_ENTRY_7(event_dropped_entry, event_dropped)

/* The function for the host to call: a trampoline that `closure_of` makes, or null if there is none left. */
#define EVENT_CALLBACK(closure_of, entry, function) (T_CB_SAFETY_IS_IDENTITY || !(function) ? (function) : closure_of(entry, function))

PROCEDURE(app_code, MPI_T_event_register_callback, void *registration, int safety, app_info info, void *user,
          mpi_function *function)
{
    mpi_function *called = EVENT_CALLBACK(closure, event_entry, function);
    if (function && !called)
        return error_to_app(HOST_MPI_T_ERR_MEMORY);
    host_code rc = host.MPI_T_event_register_callback(t_event_registration_to_host(registration), t_cb_safety_to_host(safety),
                                                info_to_host(info), user, called);
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_T_event_handle_free, void *registration, void *user, mpi_function *function)
{
    mpi_function *called = EVENT_CALLBACK(closure, event_free_entry, function);
    if (function && !called)
        return error_to_app(HOST_MPI_T_ERR_MEMORY);
    host_code rc = host.MPI_T_event_handle_free(t_event_registration_to_host(registration), user, called);
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_T_event_set_dropped_handler, void *registration, mpi_function *function)
{
    mpi_function *called = EVENT_CALLBACK(closure_of_six, event_dropped_entry, function);
    if (function && !called)
        return error_to_app(HOST_MPI_T_ERR_MEMORY);
    host_code rc = host.MPI_T_event_set_dropped_handler(t_event_registration_to_host(registration), called);
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_T_event_get_info, int index, char *name, int *name_length, int *verbosity,
          app_datatype *datatypes, MPI_Aint *displacements, int *elements, void **enumeration, app_info *info,
          char *description, int *description_length, int *bind)
{
    int room = elements ? *elements : 0, count = room;
    host_datatype local[STAGE_LOCAL], *staged = datatypes ? stage_room(local, room, sizeof *staged) : 0;
    host_info made = HOST_MPI_INFO_NULL;
    host_code rc = host.MPI_T_event_get_info(index, name, name_length, verbosity, staged, displacements,
                                       elements ? &count : 0, enumeration, info ? &made : 0, description,
                                       description_length, bind);
    if (rc == 0) {
        for (int i = 0; staged && i < (count < room ? count : room); i++)
            datatypes[i] = datatype_to_app(staged[i]);
        if (elements)
            *elements = count;
        if (verbosity)
            *verbosity = t_verbosity_to_app(*verbosity);
        if (info)
            *info = info_to_app(made);
        if (bind)
            *bind = t_bind_to_app(*bind);
    }
    unstage(staged, staged ? local : 0);
    return rc == 0 ? 0 : error_to_app(rc);
}
