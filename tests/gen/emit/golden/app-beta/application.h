#ifndef APP_SIDE_H
#define APP_SIDE_H

#include "convert/types.h"

typedef struct { int32_t value; } app_comm;
#define APP_COMM_BITS(handle) ((intptr_t)(handle).value)
#define APP_COMM_FROM(bits) ((app_comm){ (int32_t)(bits) })
#define APP_COMM_REPRESENTATION INT
_Static_assert(sizeof(app_comm) == 4, "size of MPI_Comm");
typedef struct { int32_t value; } app_datatype;
#define APP_DATATYPE_BITS(handle) ((intptr_t)(handle).value)
#define APP_DATATYPE_FROM(bits) ((app_datatype){ (int32_t)(bits) })
#define APP_DATATYPE_REPRESENTATION INT
_Static_assert(sizeof(app_datatype) == 4, "size of MPI_Datatype");
typedef struct { int32_t value; } app_errhandler;
#define APP_ERRHANDLER_BITS(handle) ((intptr_t)(handle).value)
#define APP_ERRHANDLER_FROM(bits) ((app_errhandler){ (int32_t)(bits) })
#define APP_ERRHANDLER_REPRESENTATION INT
_Static_assert(sizeof(app_errhandler) == 4, "size of MPI_Errhandler");
typedef struct app_file_object *app_file;
#define APP_FILE_BITS(handle) ((intptr_t)(handle))
#define APP_FILE_FROM(bits) ((app_file)(intptr_t)(bits))
#define APP_FILE_REPRESENTATION POINTER
_Static_assert(sizeof(app_file) == 8, "size of MPI_File");
typedef struct { int32_t value; } app_group;
#define APP_GROUP_BITS(handle) ((intptr_t)(handle).value)
#define APP_GROUP_FROM(bits) ((app_group){ (int32_t)(bits) })
#define APP_GROUP_REPRESENTATION INT
_Static_assert(sizeof(app_group) == 4, "size of MPI_Group");
typedef struct { int32_t value; } app_info;
#define APP_INFO_BITS(handle) ((intptr_t)(handle).value)
#define APP_INFO_FROM(bits) ((app_info){ (int32_t)(bits) })
#define APP_INFO_REPRESENTATION INT
_Static_assert(sizeof(app_info) == 4, "size of MPI_Info");
typedef struct { int32_t value; } app_message;
#define APP_MESSAGE_BITS(handle) ((intptr_t)(handle).value)
#define APP_MESSAGE_FROM(bits) ((app_message){ (int32_t)(bits) })
#define APP_MESSAGE_REPRESENTATION INT
_Static_assert(sizeof(app_message) == 4, "size of MPI_Message");
typedef struct { int32_t value; } app_op;
#define APP_OP_BITS(handle) ((intptr_t)(handle).value)
#define APP_OP_FROM(bits) ((app_op){ (int32_t)(bits) })
#define APP_OP_REPRESENTATION INT
_Static_assert(sizeof(app_op) == 4, "size of MPI_Op");
typedef struct { int32_t value; } app_request;
#define APP_REQUEST_BITS(handle) ((intptr_t)(handle).value)
#define APP_REQUEST_FROM(bits) ((app_request){ (int32_t)(bits) })
#define APP_REQUEST_REPRESENTATION INT
_Static_assert(sizeof(app_request) == 4, "size of MPI_Request");
typedef struct { int32_t value; } app_session;
#define APP_SESSION_BITS(handle) ((intptr_t)(handle).value)
#define APP_SESSION_FROM(bits) ((app_session){ (int32_t)(bits) })
#define APP_SESSION_REPRESENTATION INT
_Static_assert(sizeof(app_session) == 4, "size of MPI_Session");
typedef struct { int32_t value; } app_win;
#define APP_WIN_BITS(handle) ((intptr_t)(handle).value)
#define APP_WIN_FROM(bits) ((app_win){ (int32_t)(bits) })
#define APP_WIN_REPRESENTATION INT
_Static_assert(sizeof(app_win) == 4, "size of MPI_Win");

typedef struct {
    unsigned char private0[8];
    int32_t MPI_SOURCE;
    int32_t MPI_TAG;
    int32_t MPI_ERROR;
    unsigned char private1[4];
} __attribute__((aligned(8))) app_status;
_Static_assert(sizeof(app_status) == 24, "size of MPI_Status");
#define APP_STATUS_PRIVATE private0
#define APP_STATUS_PRIVATE_BYTES 8
_Static_assert(offsetof(app_status, MPI_SOURCE) == 8, "offset of MPI_SOURCE");
_Static_assert(offsetof(app_status, MPI_TAG) == 12, "offset of MPI_TAG");
_Static_assert(offsetof(app_status, MPI_ERROR) == 16, "offset of MPI_ERROR");

extern EXPORTED char BETA_dup_fn[];
extern EXPORTED void *MPI_UNWEIGHTED;

#define APP_MPI_ANY_SOURCE (-2)
#define APP_MPI_ANY_TAG (-1)
#define APP_MPI_BOTTOM ((void *)(intptr_t)0)
#define APP_MPI_BYTE APP_DATATYPE_FROM(1275068685)
#define APP_MPI_COMM_NULL APP_COMM_FROM(67108864)
#define APP_MPI_COMM_SELF APP_COMM_FROM(1140850689)
#define APP_MPI_COMM_WORLD APP_COMM_FROM(1140850688)
#define APP_MPI_CONGRUENT (1)
#define APP_MPI_DATATYPE_NULL APP_DATATYPE_FROM(201326592)
#define APP_MPI_DUP_FN ((void *)&BETA_dup_fn)
#define APP_MPI_ERRHANDLER_NULL APP_ERRHANDLER_FROM(335544320)
#define APP_MPI_ERR_OTHER ((app_code)15)
#define APP_MPI_ERR_TYPE ((app_code)3)
#define APP_MPI_ERR_UNKNOWN ((app_code)13)
#define APP_MPI_FILE_NULL APP_FILE_FROM(0)
#define APP_MPI_GROUP_NULL APP_GROUP_FROM(134217728)
#define APP_MPI_IDENT (0)
#define APP_MPI_INFO_NULL APP_INFO_FROM(469762048)
#define APP_MPI_MAX_OBJECT_NAME (128)
#define APP_MPI_MESSAGE_NULL APP_MESSAGE_FROM(738197504)
#define APP_MPI_MODE_NOCHECK (1024)
#define APP_MPI_MODE_NOPUT (4096)
#define APP_MPI_MODE_NOSTORE (2048)
#define APP_MPI_OP_NULL APP_OP_FROM(402653184)
#define APP_MPI_PROC_NULL (-1)
#define APP_MPI_REQUEST_NULL APP_REQUEST_FROM(738197504)
#define APP_MPI_SESSION_NULL APP_SESSION_FROM(939524096)
#define APP_MPI_SIMILAR (2)
#define APP_MPI_STATUS_IGNORE ((void *)(intptr_t)1)
#define APP_MPI_SUCCESS ((app_code)0)
#define APP_MPI_UNDEFINED (-32766)
#define APP_MPI_UNEQUAL (4)
#define APP_MPI_UNWEIGHTED ((void *)MPI_UNWEIGHTED)
#define APP_MPI_WIN_NULL APP_WIN_FROM(536870912)
#define APP_MPI_WIN_SEPARATE (2)
#define APP_MPI_WIN_UNIFIED (3)
#define APP_NULL_comm APP_MPI_COMM_NULL
#define APP_NULL_datatype APP_MPI_DATATYPE_NULL
#define APP_NULL_errhandler APP_MPI_ERRHANDLER_NULL
#define APP_NULL_file APP_MPI_FILE_NULL
#define APP_NULL_group APP_MPI_GROUP_NULL
#define APP_NULL_info APP_MPI_INFO_NULL
#define APP_NULL_message APP_MPI_MESSAGE_NULL
#define APP_NULL_op APP_MPI_OP_NULL
#define APP_NULL_request APP_MPI_REQUEST_NULL
#define APP_NULL_session APP_MPI_SESSION_NULL
#define APP_NULL_win APP_MPI_WIN_NULL
#define APP_FAMILY "beta"

#endif
