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

/* Returns the upper half of a predefined handle's word, else 0. */
INLINE int32_t comm_upper_half(app_comm handle)
{
    return comm_is_predefined(handle) ? (int32_t)(((const struct app_object *)handle)->word >> 32) : 0;
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

/* Returns the upper half of a predefined handle's word, else 0. */
INLINE int32_t datatype_upper_half(app_datatype handle)
{
    return datatype_is_predefined(handle) ? (int32_t)(((const struct app_object *)handle)->word >> 32) : 0;
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

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_errhandler errhandler_to_host(app_errhandler handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_errhandler){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int errhandler_is_dynamic(app_errhandler handle)
{
    return (intptr_t)handle < 0;
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

INLINE int file_is_dynamic(app_file handle)
{
    return (intptr_t)handle < 0;
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

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_group group_to_host(app_group handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_group){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int group_is_dynamic(app_group handle)
{
    return (intptr_t)handle < 0;
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

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_info info_to_host(app_info handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_info){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int info_is_dynamic(app_info handle)
{
    return (intptr_t)handle < 0;
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

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_message message_to_host(app_message handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_message){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int message_is_dynamic(app_message handle)
{
    return (intptr_t)handle < 0;
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

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_op op_to_host(app_op handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_op){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int op_is_dynamic(app_op handle)
{
    return (intptr_t)handle < 0;
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

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_request request_to_host(app_request handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_request){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int request_is_dynamic(app_request handle)
{
    return (intptr_t)handle < 0;
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

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_session session_to_host(app_session handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_session){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int session_is_dynamic(app_session handle)
{
    return (intptr_t)handle < 0;
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

/* A predefined handle is the address of an object, which has the host's handle. Another handle is negative, and its lower half
 * is the host's. A null pointer leads to 0, which the host reports as invalid. */
INLINE host_win win_to_host(app_win handle)
{
    intptr_t bits = (intptr_t)handle;
    return (host_win){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word : (int32_t)bits };
}

INLINE int win_is_dynamic(app_win handle)
{
    return (intptr_t)handle < 0;
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
