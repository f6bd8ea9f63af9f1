#ifndef CONVERT_H
#define CONVERT_H

#include "convert/codec.h"
#include "convert/error.h"

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
    if (unlikely(address == HOST_MPI_UNWEIGHTED)) return NOWHERE(HOST_MPI_UNWEIGHTED);
    return (void *)(uintptr_t)address;
}
static inline void *weights_to_app(const void *address)
{
    if (unlikely(address == HOST_MPI_UNWEIGHTED)) return APP_MPI_UNWEIGHTED;
    if (unlikely(address == NOWHERE(HOST_MPI_UNWEIGHTED))) return HOST_MPI_UNWEIGHTED;
    return (void *)(uintptr_t)address;
}
#define WEIGHTS_IS_IDENTITY 0

/* Predefined handles are told apart by one comparison after the other; those after the first come last, as seldom used. */
INLINE host_comm comm_to_host(app_comm handle)
{
    if (likely(handle.value == APP_MPI_COMM_WORLD.value)) {
        host_comm first = HOST_MPI_COMM_WORLD;
        /* Else the compiler loads a constant ahead of the comparison, where the handle is in its way. */
        __asm__("" : "+r"(first));
        return first;
    }
    intptr_t pointer = expand_handle(handle.value, 1);
    if (likely(is_pointer(pointer)))
        return (host_comm)pointer;
    int32_t number = unexpanded(pointer);
    if (unlikely(number == APP_MPI_COMM_SELF.value))
        return HOST_MPI_COMM_SELF;
    if (unlikely(number == APP_MPI_COMM_NULL.value))
        return HOST_MPI_COMM_NULL;
    return (host_comm)integer_elsewhere(number, CLASS_COMM);
}

INLINE app_comm dynamic_comm_to_app(host_comm handle)
{
    return (app_comm){ compress_pointer((intptr_t)handle, CLASS_COMM) };
}

INLINE app_comm comm_to_app(host_comm handle)
{
    const struct predefined *found = predefined_find(&predefined_comm, (intptr_t)handle);
    return found ? (app_comm){ (int32_t)found->app } : dynamic_comm_to_app(handle);
}

INLINE app_comm comm_at(const host_comm *handle)
{
    return comm_to_app(*handle);
}

/* Predefined handles are told apart by one comparison after the other; those after the first come last, as seldom used. */
INLINE host_datatype datatype_to_host(app_datatype handle)
{
    if (likely(handle.value == APP_MPI_BYTE.value)) {
        host_datatype first = HOST_MPI_BYTE;
        /* Else the compiler loads a constant ahead of the comparison, where the handle is in its way. */
        __asm__("" : "+r"(first));
        return first;
    }
    intptr_t pointer = expand_handle(handle.value, 0);
    if (likely(is_pointer(pointer)))
        return (host_datatype)pointer;
    int32_t number = unexpanded(pointer);
    if (unlikely(number == APP_MPI_DATATYPE_NULL.value))
        return HOST_MPI_DATATYPE_NULL;
    return (host_datatype)integer_elsewhere(number, CLASS_DATATYPE);
}

INLINE app_datatype dynamic_datatype_to_app(host_datatype handle)
{
    return (app_datatype){ compress_pointer((intptr_t)handle, CLASS_DATATYPE) };
}

INLINE app_datatype datatype_to_app(host_datatype handle)
{
    const struct predefined *found = predefined_find(&predefined_datatype, (intptr_t)handle);
    return found ? (app_datatype){ (int32_t)found->app } : dynamic_datatype_to_app(handle);
}

INLINE app_datatype datatype_at(const host_datatype *handle)
{
    return datatype_to_app(*handle);
}

/* The null request is told like any other object's handle (predefined.c); another class's null handle may have the same number. */
INLINE host_errhandler errhandler_to_host(app_errhandler handle)
{
    if (errhandler_number != CLASS_REQUEST && APP_MPI_ERRHANDLER_NULL.value == APP_NULL_request.value && handle.value == APP_MPI_ERRHANDLER_NULL.value)
        return HOST_MPI_ERRHANDLER_NULL;
    intptr_t pointer = expand_handle(handle.value, 0);
    if (likely(is_pointer(pointer)))
        return (host_errhandler)pointer;
    int32_t number = unexpanded(pointer);
    if (number == APP_MPI_ERRHANDLER_NULL.value)
        return HOST_MPI_ERRHANDLER_NULL;
    return (host_errhandler)integer_elsewhere(number, CLASS_ERRHANDLER);
}

/* No test is cheaper than the conversion. */
INLINE int errhandler_is_dynamic(app_errhandler handle)
{
    return 1;
}

INLINE host_errhandler dynamic_errhandler_to_host(app_errhandler handle)
{
    return errhandler_to_host(handle);
}

INLINE app_errhandler errhandler_at(const host_errhandler *at)
{
    if (errhandler_number != CLASS_REQUEST && *at == HOST_MPI_ERRHANDLER_NULL)
        return APP_MPI_ERRHANDLER_NULL;
    uint64_t handle = compressed_at((const intptr_t *)(const void *)at);
    if (likely(is_compressed(handle)))
        return (app_errhandler){ (int32_t)handle };
    return *at == HOST_MPI_ERRHANDLER_NULL ? APP_MPI_ERRHANDLER_NULL : (app_errhandler){ compress_elsewhere((intptr_t)*at, CLASS_ERRHANDLER) };
}

INLINE app_errhandler errhandler_to_app(host_errhandler handle)
{
    return errhandler_at(&handle);
}

/* Handles are the same on both sides, but for the null handle. The host would read memory at a small number that is no handle. */
INLINE host_file file_to_host(app_file handle)
{
    if (likely((uintptr_t)handle >= PREDEFINED_CODES))
        return (host_file)handle;
    return handle == APP_MPI_FILE_NULL ? HOST_MPI_FILE_NULL : (host_file)no_code(CLASS_FILE, (intptr_t)HOST_MPI_FILE_NULL);
}

INLINE int file_is_dynamic(app_file handle)
{
    return (uintptr_t)handle >= PREDEFINED_CODES;
}

INLINE host_file dynamic_file_to_host(app_file handle)
{
    return (host_file)handle;
}

INLINE app_file file_to_app(host_file handle)
{
    return handle == HOST_MPI_FILE_NULL ? APP_MPI_FILE_NULL : (app_file)handle;
}

INLINE app_file file_at(const host_file *handle)
{
    return file_to_app(*handle);
}

/* The null request is told like any other object's handle (predefined.c); another class's null handle may have the same number. */
INLINE host_group group_to_host(app_group handle)
{
    if (group_number != CLASS_REQUEST && APP_MPI_GROUP_NULL.value == APP_NULL_request.value && handle.value == APP_MPI_GROUP_NULL.value)
        return HOST_MPI_GROUP_NULL;
    intptr_t pointer = expand_handle(handle.value, 0);
    if (likely(is_pointer(pointer)))
        return (host_group)pointer;
    int32_t number = unexpanded(pointer);
    if (number == APP_MPI_GROUP_NULL.value)
        return HOST_MPI_GROUP_NULL;
    return (host_group)integer_elsewhere(number, CLASS_GROUP);
}

/* No test is cheaper than the conversion. */
INLINE int group_is_dynamic(app_group handle)
{
    return 1;
}

INLINE host_group dynamic_group_to_host(app_group handle)
{
    return group_to_host(handle);
}

INLINE app_group group_at(const host_group *at)
{
    if (group_number != CLASS_REQUEST && *at == HOST_MPI_GROUP_NULL)
        return APP_MPI_GROUP_NULL;
    uint64_t handle = compressed_at((const intptr_t *)(const void *)at);
    if (likely(is_compressed(handle)))
        return (app_group){ (int32_t)handle };
    return *at == HOST_MPI_GROUP_NULL ? APP_MPI_GROUP_NULL : (app_group){ compress_elsewhere((intptr_t)*at, CLASS_GROUP) };
}

INLINE app_group group_to_app(host_group handle)
{
    return group_at(&handle);
}

/* The null request is told like any other object's handle (predefined.c); another class's null handle may have the same number. */
INLINE host_info info_to_host(app_info handle)
{
    if (info_number != CLASS_REQUEST && APP_MPI_INFO_NULL.value == APP_NULL_request.value && handle.value == APP_MPI_INFO_NULL.value)
        return HOST_MPI_INFO_NULL;
    intptr_t pointer = expand_handle(handle.value, 0);
    if (likely(is_pointer(pointer)))
        return (host_info)pointer;
    int32_t number = unexpanded(pointer);
    if (number == APP_MPI_INFO_NULL.value)
        return HOST_MPI_INFO_NULL;
    return (host_info)integer_elsewhere(number, CLASS_INFO);
}

/* No test is cheaper than the conversion. */
INLINE int info_is_dynamic(app_info handle)
{
    return 1;
}

INLINE host_info dynamic_info_to_host(app_info handle)
{
    return info_to_host(handle);
}

INLINE app_info info_at(const host_info *at)
{
    if (info_number != CLASS_REQUEST && *at == HOST_MPI_INFO_NULL)
        return APP_MPI_INFO_NULL;
    uint64_t handle = compressed_at((const intptr_t *)(const void *)at);
    if (likely(is_compressed(handle)))
        return (app_info){ (int32_t)handle };
    return *at == HOST_MPI_INFO_NULL ? APP_MPI_INFO_NULL : (app_info){ compress_elsewhere((intptr_t)*at, CLASS_INFO) };
}

INLINE app_info info_to_app(host_info handle)
{
    return info_at(&handle);
}

/* The null request is told like any other object's handle (predefined.c); another class's null handle may have the same number. */
INLINE host_message message_to_host(app_message handle)
{
    if (message_number != CLASS_REQUEST && APP_MPI_MESSAGE_NULL.value == APP_NULL_request.value && handle.value == APP_MPI_MESSAGE_NULL.value)
        return HOST_MPI_MESSAGE_NULL;
    intptr_t pointer = expand_handle(handle.value, 0);
    if (likely(is_pointer(pointer)))
        return (host_message)pointer;
    int32_t number = unexpanded(pointer);
    if (number == APP_MPI_MESSAGE_NULL.value)
        return HOST_MPI_MESSAGE_NULL;
    return (host_message)integer_elsewhere(number, CLASS_MESSAGE);
}

/* No test is cheaper than the conversion. */
INLINE int message_is_dynamic(app_message handle)
{
    return 1;
}

INLINE host_message dynamic_message_to_host(app_message handle)
{
    return message_to_host(handle);
}

INLINE app_message message_at(const host_message *at)
{
    if (message_number != CLASS_REQUEST && *at == HOST_MPI_MESSAGE_NULL)
        return APP_MPI_MESSAGE_NULL;
    uint64_t handle = compressed_at((const intptr_t *)(const void *)at);
    if (likely(is_compressed(handle)))
        return (app_message){ (int32_t)handle };
    return *at == HOST_MPI_MESSAGE_NULL ? APP_MPI_MESSAGE_NULL : (app_message){ compress_elsewhere((intptr_t)*at, CLASS_MESSAGE) };
}

INLINE app_message message_to_app(host_message handle)
{
    return message_at(&handle);
}

/* The null request is told like any other object's handle (predefined.c); another class's null handle may have the same number. */
INLINE host_op op_to_host(app_op handle)
{
    if (op_number != CLASS_REQUEST && APP_MPI_OP_NULL.value == APP_NULL_request.value && handle.value == APP_MPI_OP_NULL.value)
        return HOST_MPI_OP_NULL;
    intptr_t pointer = expand_handle(handle.value, 0);
    if (likely(is_pointer(pointer)))
        return (host_op)pointer;
    int32_t number = unexpanded(pointer);
    if (number == APP_MPI_OP_NULL.value)
        return HOST_MPI_OP_NULL;
    return (host_op)integer_elsewhere(number, CLASS_OP);
}

/* No test is cheaper than the conversion. */
INLINE int op_is_dynamic(app_op handle)
{
    return 1;
}

INLINE host_op dynamic_op_to_host(app_op handle)
{
    return op_to_host(handle);
}

INLINE app_op op_at(const host_op *at)
{
    if (op_number != CLASS_REQUEST && *at == HOST_MPI_OP_NULL)
        return APP_MPI_OP_NULL;
    uint64_t handle = compressed_at((const intptr_t *)(const void *)at);
    if (likely(is_compressed(handle)))
        return (app_op){ (int32_t)handle };
    return *at == HOST_MPI_OP_NULL ? APP_MPI_OP_NULL : (app_op){ compress_elsewhere((intptr_t)*at, CLASS_OP) };
}

INLINE app_op op_to_app(host_op handle)
{
    return op_at(&handle);
}

/* The null request is told like any other object's handle (predefined.c); another class's null handle may have the same number. */
INLINE host_request request_to_host(app_request handle)
{
    if (request_number != CLASS_REQUEST && APP_MPI_REQUEST_NULL.value == APP_NULL_request.value && handle.value == APP_MPI_REQUEST_NULL.value)
        return HOST_MPI_REQUEST_NULL;
    intptr_t pointer = expand_handle(handle.value, 0);
    if (likely(is_pointer(pointer)))
        return (host_request)pointer;
    int32_t number = unexpanded(pointer);
    if (number == APP_MPI_REQUEST_NULL.value)
        return HOST_MPI_REQUEST_NULL;
    return (host_request)integer_elsewhere(number, CLASS_REQUEST);
}

/* No test is cheaper than the conversion. */
INLINE int request_is_dynamic(app_request handle)
{
    return 1;
}

INLINE host_request dynamic_request_to_host(app_request handle)
{
    return request_to_host(handle);
}

INLINE app_request request_at(const host_request *at)
{
    if (request_number != CLASS_REQUEST && *at == HOST_MPI_REQUEST_NULL)
        return APP_MPI_REQUEST_NULL;
    uint64_t handle = compressed_at((const intptr_t *)(const void *)at);
    if (likely(is_compressed(handle)))
        return (app_request){ (int32_t)handle };
    return *at == HOST_MPI_REQUEST_NULL ? APP_MPI_REQUEST_NULL : (app_request){ compress_elsewhere((intptr_t)*at, CLASS_REQUEST) };
}

INLINE app_request request_to_app(host_request handle)
{
    return request_at(&handle);
}

/* The null request is told like any other object's handle (predefined.c); another class's null handle may have the same number. */
INLINE host_session session_to_host(app_session handle)
{
    if (session_number != CLASS_REQUEST && APP_MPI_SESSION_NULL.value == APP_NULL_request.value && handle.value == APP_MPI_SESSION_NULL.value)
        return HOST_MPI_SESSION_NULL;
    intptr_t pointer = expand_handle(handle.value, 0);
    if (likely(is_pointer(pointer)))
        return (host_session)pointer;
    int32_t number = unexpanded(pointer);
    if (number == APP_MPI_SESSION_NULL.value)
        return HOST_MPI_SESSION_NULL;
    return (host_session)integer_elsewhere(number, CLASS_SESSION);
}

/* No test is cheaper than the conversion. */
INLINE int session_is_dynamic(app_session handle)
{
    return 1;
}

INLINE host_session dynamic_session_to_host(app_session handle)
{
    return session_to_host(handle);
}

INLINE app_session session_at(const host_session *at)
{
    if (session_number != CLASS_REQUEST && *at == HOST_MPI_SESSION_NULL)
        return APP_MPI_SESSION_NULL;
    uint64_t handle = compressed_at((const intptr_t *)(const void *)at);
    if (likely(is_compressed(handle)))
        return (app_session){ (int32_t)handle };
    return *at == HOST_MPI_SESSION_NULL ? APP_MPI_SESSION_NULL : (app_session){ compress_elsewhere((intptr_t)*at, CLASS_SESSION) };
}

INLINE app_session session_to_app(host_session handle)
{
    return session_at(&handle);
}

/* The null request is told like any other object's handle (predefined.c); another class's null handle may have the same number. */
INLINE host_win win_to_host(app_win handle)
{
    if (win_number != CLASS_REQUEST && APP_MPI_WIN_NULL.value == APP_NULL_request.value && handle.value == APP_MPI_WIN_NULL.value)
        return HOST_MPI_WIN_NULL;
    intptr_t pointer = expand_handle(handle.value, 0);
    if (likely(is_pointer(pointer)))
        return (host_win)pointer;
    int32_t number = unexpanded(pointer);
    if (number == APP_MPI_WIN_NULL.value)
        return HOST_MPI_WIN_NULL;
    return (host_win)integer_elsewhere(number, CLASS_WIN);
}

/* No test is cheaper than the conversion. */
INLINE int win_is_dynamic(app_win handle)
{
    return 1;
}

INLINE host_win dynamic_win_to_host(app_win handle)
{
    return win_to_host(handle);
}

INLINE app_win win_at(const host_win *at)
{
    if (win_number != CLASS_REQUEST && *at == HOST_MPI_WIN_NULL)
        return APP_MPI_WIN_NULL;
    uint64_t handle = compressed_at((const intptr_t *)(const void *)at);
    if (likely(is_compressed(handle)))
        return (app_win){ (int32_t)handle };
    return *at == HOST_MPI_WIN_NULL ? APP_MPI_WIN_NULL : (app_win){ compress_elsewhere((intptr_t)*at, CLASS_WIN) };
}

INLINE app_win win_to_app(host_win handle)
{
    return win_at(&handle);
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
