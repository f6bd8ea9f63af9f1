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

#define comm_predefined(FIRST, OTHER) FIRST(APP_MPI_COMM_WORLD, HOST_MPI_COMM_WORLD) OTHER(APP_MPI_COMM_SELF, HOST_MPI_COMM_SELF) OTHER(APP_MPI_COMM_NULL, HOST_MPI_COMM_NULL)
CODEC_INT_OBJECT(comm, APP_MPI_COMM_NULL, HOST_MPI_COMM_NULL)
#define datatype_predefined(FIRST, OTHER) FIRST(APP_MPI_BYTE, HOST_MPI_BYTE) OTHER(APP_MPI_DATATYPE_NULL, HOST_MPI_DATATYPE_NULL)
CODEC_INT_OBJECT(datatype, APP_MPI_DATATYPE_NULL, HOST_MPI_DATATYPE_NULL)
#define errhandler_predefined(FIRST, OTHER) FIRST(APP_MPI_ERRHANDLER_NULL, HOST_MPI_ERRHANDLER_NULL)
CODEC_INT_OBJECT_NULL_ONLY(errhandler, APP_MPI_ERRHANDLER_NULL, HOST_MPI_ERRHANDLER_NULL)
#define file_predefined(FIRST, OTHER) FIRST(APP_MPI_FILE_NULL, HOST_MPI_FILE_NULL)
CODEC_POINTERS_NULL_ONLY(file, APP_MPI_FILE_NULL, HOST_MPI_FILE_NULL)
#define group_predefined(FIRST, OTHER) FIRST(APP_MPI_GROUP_NULL, HOST_MPI_GROUP_NULL)
CODEC_INT_OBJECT_NULL_ONLY(group, APP_MPI_GROUP_NULL, HOST_MPI_GROUP_NULL)
#define info_predefined(FIRST, OTHER) FIRST(APP_MPI_INFO_NULL, HOST_MPI_INFO_NULL)
CODEC_INT_OBJECT_NULL_ONLY(info, APP_MPI_INFO_NULL, HOST_MPI_INFO_NULL)
#define message_predefined(FIRST, OTHER) FIRST(APP_MPI_MESSAGE_NULL, HOST_MPI_MESSAGE_NULL)
CODEC_INT_OBJECT_NULL_ONLY(message, APP_MPI_MESSAGE_NULL, HOST_MPI_MESSAGE_NULL)
#define op_predefined(FIRST, OTHER) FIRST(APP_MPI_OP_NULL, HOST_MPI_OP_NULL)
CODEC_INT_OBJECT_NULL_ONLY(op, APP_MPI_OP_NULL, HOST_MPI_OP_NULL)
#define request_predefined(FIRST, OTHER) FIRST(APP_MPI_REQUEST_NULL, HOST_MPI_REQUEST_NULL)
CODEC_INT_OBJECT_NULL_ONLY(request, APP_MPI_REQUEST_NULL, HOST_MPI_REQUEST_NULL)
#define session_predefined(FIRST, OTHER) FIRST(APP_MPI_SESSION_NULL, HOST_MPI_SESSION_NULL)
CODEC_INT_OBJECT_NULL_ONLY(session, APP_MPI_SESSION_NULL, HOST_MPI_SESSION_NULL)
#define win_predefined(FIRST, OTHER) FIRST(APP_MPI_WIN_NULL, HOST_MPI_WIN_NULL)
CODEC_INT_OBJECT_NULL_ONLY(win, APP_MPI_WIN_NULL, HOST_MPI_WIN_NULL)
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
