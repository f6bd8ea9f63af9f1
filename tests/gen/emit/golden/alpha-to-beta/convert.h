#ifndef CONVERT_H
#define CONVERT_H

#include "convert/codec.h"
#include "convert/error.h"
#include "convert/room.h"

static inline int rank_to_host(int value)
{
    if (likely(value >= 0)) return value;
    switch (value) {
    case APP_MPI_ANY_SOURCE: return HOST_MPI_ANY_SOURCE;
    case APP_MPI_PROC_NULL: return HOST_MPI_PROC_NULL;
    case APP_MPI_UNDEFINED: return HOST_MPI_UNDEFINED;
    default: return value;
    }
}
static inline int rank_to_app(int value)
{
    if (likely(value >= 0)) return value;
    switch (value) {
    case HOST_MPI_ANY_SOURCE: return APP_MPI_ANY_SOURCE;
    case HOST_MPI_PROC_NULL: return APP_MPI_PROC_NULL;
    case HOST_MPI_UNDEFINED: return APP_MPI_UNDEFINED;
    default: return value;
    }
}
#define RANK_IS_IDENTITY 0
#define tag_to_host(value) (value)
#define tag_to_app(value) (value)
#define TAG_IS_IDENTITY 1
static inline int comparison_to_host(int value)
{
    switch (value) {
    case APP_MPI_CONGRUENT: return HOST_MPI_CONGRUENT;
    case APP_MPI_IDENT: return HOST_MPI_IDENT;
    case APP_MPI_SIMILAR: return HOST_MPI_SIMILAR;
    case APP_MPI_UNEQUAL: return HOST_MPI_UNEQUAL;
    default: return INVALID_VALUE;
    }
}
static inline int comparison_to_app(int value)
{
    switch (value) {
    case HOST_MPI_CONGRUENT: return APP_MPI_CONGRUENT;
    case HOST_MPI_IDENT: return APP_MPI_IDENT;
    case HOST_MPI_SIMILAR: return APP_MPI_SIMILAR;
    case HOST_MPI_UNEQUAL: return APP_MPI_UNEQUAL;
    default: return INVALID_VALUE;
    }
}
#define COMPARISON_IS_IDENTITY 0
static inline int win_model_to_host(int value)
{
    switch (value) {
    case APP_MPI_WIN_SEPARATE: return HOST_MPI_WIN_SEPARATE;
    case APP_MPI_WIN_UNIFIED: return HOST_MPI_WIN_UNIFIED;
    default: return INVALID_VALUE;
    }
}
static inline int win_model_to_app(int value)
{
    switch (value) {
    case HOST_MPI_WIN_SEPARATE: return APP_MPI_WIN_SEPARATE;
    case HOST_MPI_WIN_UNIFIED: return APP_MPI_WIN_UNIFIED;
    default: return INVALID_VALUE;
    }
}
#define WIN_MODEL_IS_IDENTITY 0
static inline int rma_assert_to_host(int value)
{
    int known = 0, result = 0;
    known |= APP_MPI_MODE_NOCHECK; if (value & APP_MPI_MODE_NOCHECK) result |= HOST_MPI_MODE_NOCHECK;
    known |= APP_MPI_MODE_NOPUT; if (value & APP_MPI_MODE_NOPUT) result |= HOST_MPI_MODE_NOPUT;
    known |= APP_MPI_MODE_NOSTORE; if (value & APP_MPI_MODE_NOSTORE) result |= HOST_MPI_MODE_NOSTORE;
    return value & ~known ? result | 1073741824 : result;
}
static inline int rma_assert_to_app(int value)
{
    int known = 0, result = 0;
    known |= HOST_MPI_MODE_NOCHECK; if (value & HOST_MPI_MODE_NOCHECK) result |= APP_MPI_MODE_NOCHECK;
    known |= HOST_MPI_MODE_NOPUT; if (value & HOST_MPI_MODE_NOPUT) result |= APP_MPI_MODE_NOPUT;
    known |= HOST_MPI_MODE_NOSTORE; if (value & HOST_MPI_MODE_NOSTORE) result |= APP_MPI_MODE_NOSTORE;
    return value & ~known ? result | 1073741824 : result;
}
#define RMA_ASSERT_IS_IDENTITY 0
#define buffer_to_host(value) (value)
#define buffer_to_app(value) (value)
#define BUFFER_IS_IDENTITY 1
static inline void *weights_to_host(const void *address)
{
    if (unlikely(address == APP_MPI_UNWEIGHTED)) return HOST_MPI_UNWEIGHTED;
    return (void *)(uintptr_t)address;
}
static inline void *weights_to_app(const void *address)
{
    if (unlikely(address == HOST_MPI_UNWEIGHTED)) return APP_MPI_UNWEIGHTED;
    return (void *)(uintptr_t)address;
}
#define WEIGHTS_IS_IDENTITY 0

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_comm comm_to_host(app_comm handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_comm){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int comm_is_predefined(app_comm handle)
{
    return (intptr_t)handle > 0;
}

/* Returns the halves of a predefined handle's word: the lower one, which is the host's handle, and the upper one. */
INLINE const int32_t *comm_halves(app_comm handle)
{
    return (const int32_t *)handle;
}

/* Returns the upper half of a predefined handle's word, else 0. */
INLINE int32_t comm_upper_half(app_comm handle)
{
    return comm_is_predefined(handle) ? comm_halves(handle)[1] : 0;
}

INLINE app_comm dynamic_comm_to_app(host_comm handle)
{
    return DYNAMIC_OBJECT(app_comm, handle.value);
}

/* No predefined handle of the host's is negative. */
INLINE app_comm comm_to_app(host_comm handle)
{
    if (likely(handle.value < 0))
        return dynamic_comm_to_app(handle);
    const struct predefined *found = predefined_find(&predefined_comm, handle.value);
    return found ? (app_comm)found->app : dynamic_comm_to_app(handle);
}

INLINE app_comm comm_at(const host_comm *handle)
{
    return comm_to_app(*handle);
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_comm(app_comm handle, host_comm its_handle)
{
    intptr_t bits = HOST_COMM_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_COMM))
        return bits == 0;
    return bits == HOST_COMM_BITS(HOST_NULL_comm) &&
           (CLASS_COMM == CLASS_MESSAGE || APP_COMM_BITS(handle) != APP_COMM_BITS(APP_NULL_comm));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_comm *stage_comm(host_comm *local, const app_comm *handles, int count)
{
    host_comm *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = comm_to_host(handles[i]);
    return staged;
}

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_datatype datatype_to_host(app_datatype handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_datatype){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int datatype_is_predefined(app_datatype handle)
{
    return (intptr_t)handle > 0;
}

/* Returns the halves of a predefined handle's word: the lower one, which is the host's handle, and the upper one. */
INLINE const int32_t *datatype_halves(app_datatype handle)
{
    return (const int32_t *)handle;
}

/* Returns the upper half of a predefined handle's word, else 0. */
INLINE int32_t datatype_upper_half(app_datatype handle)
{
    return datatype_is_predefined(handle) ? datatype_halves(handle)[1] : 0;
}

INLINE app_datatype dynamic_datatype_to_app(host_datatype handle)
{
    return DYNAMIC_OBJECT(app_datatype, handle.value);
}

/* No predefined handle of the host's is negative. */
INLINE app_datatype datatype_to_app(host_datatype handle)
{
    if (likely(handle.value < 0))
        return dynamic_datatype_to_app(handle);
    const struct predefined *found = predefined_find(&predefined_datatype, handle.value);
    return found ? (app_datatype)found->app : dynamic_datatype_to_app(handle);
}

INLINE app_datatype datatype_at(const host_datatype *handle)
{
    return datatype_to_app(*handle);
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_datatype(app_datatype handle, host_datatype its_handle)
{
    intptr_t bits = HOST_DATATYPE_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_DATATYPE))
        return bits == 0;
    return bits == HOST_DATATYPE_BITS(HOST_NULL_datatype) &&
           (CLASS_DATATYPE == CLASS_MESSAGE || APP_DATATYPE_BITS(handle) != APP_DATATYPE_BITS(APP_NULL_datatype));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_datatype *stage_datatype(host_datatype *local, const app_datatype *handles, int count)
{
    host_datatype *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = datatype_to_host(handles[i]);
    return staged;
}

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_errhandler errhandler_to_host(app_errhandler handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_errhandler){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int errhandlers_are_dynamic(const app_errhandler *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_errhandler dynamic_errhandler_to_host(app_errhandler handle)
{
    return (host_errhandler){ (int32_t)(intptr_t)handle };
}

INLINE app_errhandler errhandler_to_app(host_errhandler handle)
{
    return handle.value == HOST_MPI_ERRHANDLER_NULL.value ? APP_MPI_ERRHANDLER_NULL : DYNAMIC_OBJECT(app_errhandler, handle.value);
}

INLINE app_errhandler errhandler_at(const host_errhandler *handle)
{
    return errhandler_to_app(*handle);
}

/* The host writes a new handle into the application's variable, as its lower half. errhandler_settle() completes it;
 * errhandler_spoil() does so if the call failed and left the null handle there. */
INLINE host_errhandler *errhandler_lend(app_errhandler *variable)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's lower half comes first");
    return (host_errhandler *)(void *)variable;
}

INLINE void errhandler_settle(app_errhandler *variable)
{
    int32_t *halves = (int32_t *)(void *)variable;
    if (unlikely(halves[0] == HOST_MPI_ERRHANDLER_NULL.value))
        *variable = APP_MPI_ERRHANDLER_NULL;
    else
        halves[1] = -1;
}

INLINE void errhandler_spoil(app_errhandler *variable)
{
    if (variable && *(const int32_t *)(void *)variable == HOST_MPI_ERRHANDLER_NULL.value)
        *variable = APP_MPI_ERRHANDLER_NULL;
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_errhandler(app_errhandler handle, host_errhandler its_handle)
{
    intptr_t bits = HOST_ERRHANDLER_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_ERRHANDLER))
        return bits == 0;
    return bits == HOST_ERRHANDLER_BITS(HOST_NULL_errhandler) &&
           (CLASS_ERRHANDLER == CLASS_MESSAGE || APP_ERRHANDLER_BITS(handle) != APP_ERRHANDLER_BITS(APP_NULL_errhandler));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_errhandler *stage_errhandler(host_errhandler *local, const app_errhandler *handles, int count)
{
    host_errhandler *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = errhandler_to_host(handles[i]);
    return staged;
}

/* A predefined handle is the address of an object, which has the host's handle. Another handle is the host's pointer, with the
 * uppermost bit set, which no address of an object has. The host's pointers have 63 bits that count: addresses are below 2^47, and
 * integers behind pointers have a sign or none. */
INLINE host_file file_to_host(app_file handle)
{
    intptr_t bits = (intptr_t)handle;
    if (likely(bits > 0))
        return (host_file)((const struct app_object *)bits)->word;
    return (host_file)((intptr_t)((uint64_t)bits << 1) >> 1);
}

INLINE int files_are_dynamic(const app_file *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_file dynamic_file_to_host(app_file handle)
{
    return (host_file)((intptr_t)((uint64_t)(intptr_t)handle << 1) >> 1);
}

INLINE app_file file_to_app(host_file handle)
{
    return handle == HOST_MPI_FILE_NULL ? APP_MPI_FILE_NULL : (app_file)((intptr_t)handle | INTPTR_MIN);
}

INLINE app_file file_at(const host_file *handle)
{
    return file_to_app(*handle);
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_file(app_file handle, host_file its_handle)
{
    intptr_t bits = HOST_FILE_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_FILE))
        return bits == 0;
    return bits == HOST_FILE_BITS(HOST_NULL_file) &&
           (CLASS_FILE == CLASS_MESSAGE || APP_FILE_BITS(handle) != APP_FILE_BITS(APP_NULL_file));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_file *stage_file(host_file *local, const app_file *handles, int count)
{
    host_file *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = file_to_host(handles[i]);
    return staged;
}

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_group group_to_host(app_group handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_group){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int groups_are_dynamic(const app_group *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_group dynamic_group_to_host(app_group handle)
{
    return (host_group){ (int32_t)(intptr_t)handle };
}

INLINE app_group group_to_app(host_group handle)
{
    return handle.value == HOST_MPI_GROUP_NULL.value ? APP_MPI_GROUP_NULL : DYNAMIC_OBJECT(app_group, handle.value);
}

INLINE app_group group_at(const host_group *handle)
{
    return group_to_app(*handle);
}

/* The host writes a new handle into the application's variable, as its lower half. group_settle() completes it;
 * group_spoil() does so if the call failed and left the null handle there. */
INLINE host_group *group_lend(app_group *variable)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's lower half comes first");
    return (host_group *)(void *)variable;
}

INLINE void group_settle(app_group *variable)
{
    int32_t *halves = (int32_t *)(void *)variable;
    if (unlikely(halves[0] == HOST_MPI_GROUP_NULL.value))
        *variable = APP_MPI_GROUP_NULL;
    else
        halves[1] = -1;
}

INLINE void group_spoil(app_group *variable)
{
    if (variable && *(const int32_t *)(void *)variable == HOST_MPI_GROUP_NULL.value)
        *variable = APP_MPI_GROUP_NULL;
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_group(app_group handle, host_group its_handle)
{
    intptr_t bits = HOST_GROUP_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_GROUP))
        return bits == 0;
    return bits == HOST_GROUP_BITS(HOST_NULL_group) &&
           (CLASS_GROUP == CLASS_MESSAGE || APP_GROUP_BITS(handle) != APP_GROUP_BITS(APP_NULL_group));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_group *stage_group(host_group *local, const app_group *handles, int count)
{
    host_group *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = group_to_host(handles[i]);
    return staged;
}

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_info info_to_host(app_info handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_info){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int infos_are_dynamic(const app_info *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_info dynamic_info_to_host(app_info handle)
{
    return (host_info){ (int32_t)(intptr_t)handle };
}

INLINE app_info info_to_app(host_info handle)
{
    return handle.value == HOST_MPI_INFO_NULL.value ? APP_MPI_INFO_NULL : DYNAMIC_OBJECT(app_info, handle.value);
}

INLINE app_info info_at(const host_info *handle)
{
    return info_to_app(*handle);
}

/* The host writes a new handle into the application's variable, as its lower half. info_settle() completes it;
 * info_spoil() does so if the call failed and left the null handle there. */
INLINE host_info *info_lend(app_info *variable)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's lower half comes first");
    return (host_info *)(void *)variable;
}

INLINE void info_settle(app_info *variable)
{
    int32_t *halves = (int32_t *)(void *)variable;
    if (unlikely(halves[0] == HOST_MPI_INFO_NULL.value))
        *variable = APP_MPI_INFO_NULL;
    else
        halves[1] = -1;
}

INLINE void info_spoil(app_info *variable)
{
    if (variable && *(const int32_t *)(void *)variable == HOST_MPI_INFO_NULL.value)
        *variable = APP_MPI_INFO_NULL;
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_info(app_info handle, host_info its_handle)
{
    intptr_t bits = HOST_INFO_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_INFO))
        return bits == 0;
    return bits == HOST_INFO_BITS(HOST_NULL_info) &&
           (CLASS_INFO == CLASS_MESSAGE || APP_INFO_BITS(handle) != APP_INFO_BITS(APP_NULL_info));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_info *stage_info(host_info *local, const app_info *handles, int count)
{
    host_info *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = info_to_host(handles[i]);
    return staged;
}

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_message message_to_host(app_message handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_message){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int messages_are_dynamic(const app_message *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_message dynamic_message_to_host(app_message handle)
{
    return (host_message){ (int32_t)(intptr_t)handle };
}

INLINE app_message message_to_app(host_message handle)
{
    return handle.value == HOST_MPI_MESSAGE_NULL.value ? APP_MPI_MESSAGE_NULL : DYNAMIC_OBJECT(app_message, handle.value);
}

INLINE app_message message_at(const host_message *handle)
{
    return message_to_app(*handle);
}

/* The host writes a new handle into the application's variable, as its lower half. message_settle() completes it;
 * message_spoil() does so if the call failed and left the null handle there. */
INLINE host_message *message_lend(app_message *variable)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's lower half comes first");
    return (host_message *)(void *)variable;
}

INLINE void message_settle(app_message *variable)
{
    int32_t *halves = (int32_t *)(void *)variable;
    if (unlikely(halves[0] == HOST_MPI_MESSAGE_NULL.value))
        *variable = APP_MPI_MESSAGE_NULL;
    else
        halves[1] = -1;
}

INLINE void message_spoil(app_message *variable)
{
    if (variable && *(const int32_t *)(void *)variable == HOST_MPI_MESSAGE_NULL.value)
        *variable = APP_MPI_MESSAGE_NULL;
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_message(app_message handle, host_message its_handle)
{
    intptr_t bits = HOST_MESSAGE_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_MESSAGE))
        return bits == 0;
    return bits == HOST_MESSAGE_BITS(HOST_NULL_message) &&
           (CLASS_MESSAGE == CLASS_MESSAGE || APP_MESSAGE_BITS(handle) != APP_MESSAGE_BITS(APP_NULL_message));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_message *stage_message(host_message *local, const app_message *handles, int count)
{
    host_message *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = message_to_host(handles[i]);
    return staged;
}

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_op op_to_host(app_op handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_op){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int ops_are_dynamic(const app_op *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_op dynamic_op_to_host(app_op handle)
{
    return (host_op){ (int32_t)(intptr_t)handle };
}

INLINE app_op op_to_app(host_op handle)
{
    return handle.value == HOST_MPI_OP_NULL.value ? APP_MPI_OP_NULL : DYNAMIC_OBJECT(app_op, handle.value);
}

INLINE app_op op_at(const host_op *handle)
{
    return op_to_app(*handle);
}

/* The host writes a new handle into the application's variable, as its lower half. op_settle() completes it;
 * op_spoil() does so if the call failed and left the null handle there. */
INLINE host_op *op_lend(app_op *variable)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's lower half comes first");
    return (host_op *)(void *)variable;
}

INLINE void op_settle(app_op *variable)
{
    int32_t *halves = (int32_t *)(void *)variable;
    if (unlikely(halves[0] == HOST_MPI_OP_NULL.value))
        *variable = APP_MPI_OP_NULL;
    else
        halves[1] = -1;
}

INLINE void op_spoil(app_op *variable)
{
    if (variable && *(const int32_t *)(void *)variable == HOST_MPI_OP_NULL.value)
        *variable = APP_MPI_OP_NULL;
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_op(app_op handle, host_op its_handle)
{
    intptr_t bits = HOST_OP_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_OP))
        return bits == 0;
    return bits == HOST_OP_BITS(HOST_NULL_op) &&
           (CLASS_OP == CLASS_MESSAGE || APP_OP_BITS(handle) != APP_OP_BITS(APP_NULL_op));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_op *stage_op(host_op *local, const app_op *handles, int count)
{
    host_op *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = op_to_host(handles[i]);
    return staged;
}

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_request request_to_host(app_request handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_request){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int requests_are_dynamic(const app_request *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_request dynamic_request_to_host(app_request handle)
{
    return (host_request){ (int32_t)(intptr_t)handle };
}

INLINE app_request request_to_app(host_request handle)
{
    return handle.value == HOST_MPI_REQUEST_NULL.value ? APP_MPI_REQUEST_NULL : DYNAMIC_OBJECT(app_request, handle.value);
}

INLINE app_request request_at(const host_request *handle)
{
    return request_to_app(*handle);
}

/* The host writes a new handle into the application's variable, as its lower half. request_settle() completes it;
 * request_spoil() does so if the call failed and left the null handle there. */
INLINE host_request *request_lend(app_request *variable)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's lower half comes first");
    return (host_request *)(void *)variable;
}

INLINE void request_settle(app_request *variable)
{
    int32_t *halves = (int32_t *)(void *)variable;
    if (unlikely(halves[0] == HOST_MPI_REQUEST_NULL.value))
        *variable = APP_MPI_REQUEST_NULL;
    else
        halves[1] = -1;
}

INLINE void request_spoil(app_request *variable)
{
    if (variable && *(const int32_t *)(void *)variable == HOST_MPI_REQUEST_NULL.value)
        *variable = APP_MPI_REQUEST_NULL;
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_request(app_request handle, host_request its_handle)
{
    intptr_t bits = HOST_REQUEST_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_REQUEST))
        return bits == 0;
    return bits == HOST_REQUEST_BITS(HOST_NULL_request) &&
           (CLASS_REQUEST == CLASS_MESSAGE || APP_REQUEST_BITS(handle) != APP_REQUEST_BITS(APP_NULL_request));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_request *stage_request(host_request *local, const app_request *handles, int count)
{
    host_request *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = request_to_host(handles[i]);
    return staged;
}

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_session session_to_host(app_session handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_session){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int sessions_are_dynamic(const app_session *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_session dynamic_session_to_host(app_session handle)
{
    return (host_session){ (int32_t)(intptr_t)handle };
}

INLINE app_session session_to_app(host_session handle)
{
    return handle.value == HOST_MPI_SESSION_NULL.value ? APP_MPI_SESSION_NULL : DYNAMIC_OBJECT(app_session, handle.value);
}

INLINE app_session session_at(const host_session *handle)
{
    return session_to_app(*handle);
}

/* The host writes a new handle into the application's variable, as its lower half. session_settle() completes it;
 * session_spoil() does so if the call failed and left the null handle there. */
INLINE host_session *session_lend(app_session *variable)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's lower half comes first");
    return (host_session *)(void *)variable;
}

INLINE void session_settle(app_session *variable)
{
    int32_t *halves = (int32_t *)(void *)variable;
    if (unlikely(halves[0] == HOST_MPI_SESSION_NULL.value))
        *variable = APP_MPI_SESSION_NULL;
    else
        halves[1] = -1;
}

INLINE void session_spoil(app_session *variable)
{
    if (variable && *(const int32_t *)(void *)variable == HOST_MPI_SESSION_NULL.value)
        *variable = APP_MPI_SESSION_NULL;
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_session(app_session handle, host_session its_handle)
{
    intptr_t bits = HOST_SESSION_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_SESSION))
        return bits == 0;
    return bits == HOST_SESSION_BITS(HOST_NULL_session) &&
           (CLASS_SESSION == CLASS_MESSAGE || APP_SESSION_BITS(handle) != APP_SESSION_BITS(APP_NULL_session));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_session *stage_session(host_session *local, const app_session *handles, int count)
{
    host_session *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = session_to_host(handles[i]);
    return staged;
}

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_win win_to_host(app_win handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_win){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int wins_are_dynamic(const app_win *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_win dynamic_win_to_host(app_win handle)
{
    return (host_win){ (int32_t)(intptr_t)handle };
}

INLINE app_win win_to_app(host_win handle)
{
    return handle.value == HOST_MPI_WIN_NULL.value ? APP_MPI_WIN_NULL : DYNAMIC_OBJECT(app_win, handle.value);
}

INLINE app_win win_at(const host_win *handle)
{
    return win_to_app(*handle);
}

/* The host writes a new handle into the application's variable, as its lower half. win_settle() completes it;
 * win_spoil() does so if the call failed and left the null handle there. */
INLINE host_win *win_lend(app_win *variable)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's lower half comes first");
    return (host_win *)(void *)variable;
}

INLINE void win_settle(app_win *variable)
{
    int32_t *halves = (int32_t *)(void *)variable;
    if (unlikely(halves[0] == HOST_MPI_WIN_NULL.value))
        *variable = APP_MPI_WIN_NULL;
    else
        halves[1] = -1;
}

INLINE void win_spoil(app_win *variable)
{
    if (variable && *(const int32_t *)(void *)variable == HOST_MPI_WIN_NULL.value)
        *variable = APP_MPI_WIN_NULL;
}
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_win(app_win handle, host_win its_handle)
{
    intptr_t bits = HOST_WIN_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_WIN))
        return bits == 0;
    return bits == HOST_WIN_BITS(HOST_NULL_win) &&
           (CLASS_WIN == CLASS_MESSAGE || APP_WIN_BITS(handle) != APP_WIN_BITS(APP_NULL_win));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_win *stage_win(host_win *local, const app_win *handles, int count)
{
    host_win *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = win_to_host(handles[i]);
    return staged;
}

#define TABLE_CLASSES(X)
#define HAS_DATATYPE_STAND_INS 0

static inline host_code error_class_to_host(app_code value)
{
    switch ((int)value) {
    case APP_MPI_ERR_OTHER: return HOST_MPI_ERR_OTHER;
    case APP_MPI_ERR_TYPE: return HOST_MPI_ERR_TYPE;
    case APP_MPI_ERR_UNKNOWN: return HOST_MPI_ERR_UNKNOWN;
    case APP_MPI_SUCCESS: return HOST_MPI_SUCCESS;
    default: return HOST_MPI_ERR_UNKNOWN;
    }
}
static inline app_code error_class_to_app(host_code value)
{
    switch ((int)value) {
    case HOST_MPI_ERR_OTHER: return APP_MPI_ERR_OTHER;
    case HOST_MPI_ERR_TYPE: return APP_MPI_ERR_TYPE;
    case HOST_MPI_ERR_UNKNOWN: return APP_MPI_ERR_UNKNOWN;
    case HOST_MPI_SUCCESS: return APP_MPI_SUCCESS;
    default: return APP_MPI_ERR_UNKNOWN;
    }
}

#endif
