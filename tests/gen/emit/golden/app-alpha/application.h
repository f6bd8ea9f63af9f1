#ifndef APP_SIDE_H
#define APP_SIDE_H

#include "convert/types.h"

typedef struct app_comm_object *app_comm;
#define APP_COMM_BITS(handle) ((intptr_t)(handle))
#define APP_COMM_FROM(bits) ((app_comm)(intptr_t)(bits))
#define APP_COMM_REPRESENTATION OBJECT
_Static_assert(sizeof(app_comm) == 8, "size of MPI_Comm");
typedef struct app_datatype_object *app_datatype;
#define APP_DATATYPE_BITS(handle) ((intptr_t)(handle))
#define APP_DATATYPE_FROM(bits) ((app_datatype)(intptr_t)(bits))
#define APP_DATATYPE_REPRESENTATION OBJECT
_Static_assert(sizeof(app_datatype) == 8, "size of MPI_Datatype");
typedef struct app_errhandler_object *app_errhandler;
#define APP_ERRHANDLER_BITS(handle) ((intptr_t)(handle))
#define APP_ERRHANDLER_FROM(bits) ((app_errhandler)(intptr_t)(bits))
#define APP_ERRHANDLER_REPRESENTATION OBJECT
_Static_assert(sizeof(app_errhandler) == 8, "size of MPI_Errhandler");
typedef struct app_file_object *app_file;
#define APP_FILE_BITS(handle) ((intptr_t)(handle))
#define APP_FILE_FROM(bits) ((app_file)(intptr_t)(bits))
#define APP_FILE_REPRESENTATION OBJECT
_Static_assert(sizeof(app_file) == 8, "size of MPI_File");
typedef struct app_group_object *app_group;
#define APP_GROUP_BITS(handle) ((intptr_t)(handle))
#define APP_GROUP_FROM(bits) ((app_group)(intptr_t)(bits))
#define APP_GROUP_REPRESENTATION OBJECT
_Static_assert(sizeof(app_group) == 8, "size of MPI_Group");
typedef struct app_info_object *app_info;
#define APP_INFO_BITS(handle) ((intptr_t)(handle))
#define APP_INFO_FROM(bits) ((app_info)(intptr_t)(bits))
#define APP_INFO_REPRESENTATION OBJECT
_Static_assert(sizeof(app_info) == 8, "size of MPI_Info");
typedef struct app_message_object *app_message;
#define APP_MESSAGE_BITS(handle) ((intptr_t)(handle))
#define APP_MESSAGE_FROM(bits) ((app_message)(intptr_t)(bits))
#define APP_MESSAGE_REPRESENTATION OBJECT
_Static_assert(sizeof(app_message) == 8, "size of MPI_Message");
typedef struct app_op_object *app_op;
#define APP_OP_BITS(handle) ((intptr_t)(handle))
#define APP_OP_FROM(bits) ((app_op)(intptr_t)(bits))
#define APP_OP_REPRESENTATION OBJECT
_Static_assert(sizeof(app_op) == 8, "size of MPI_Op");
typedef struct app_request_object *app_request;
#define APP_REQUEST_BITS(handle) ((intptr_t)(handle))
#define APP_REQUEST_FROM(bits) ((app_request)(intptr_t)(bits))
#define APP_REQUEST_REPRESENTATION OBJECT
_Static_assert(sizeof(app_request) == 8, "size of MPI_Request");
typedef struct app_session_object *app_session;
#define APP_SESSION_BITS(handle) ((intptr_t)(handle))
#define APP_SESSION_FROM(bits) ((app_session)(intptr_t)(bits))
#define APP_SESSION_REPRESENTATION OBJECT
_Static_assert(sizeof(app_session) == 8, "size of MPI_Session");
typedef struct app_win_object *app_win;
#define APP_WIN_BITS(handle) ((intptr_t)(handle))
#define APP_WIN_FROM(bits) ((app_win)(intptr_t)(bits))
#define APP_WIN_REPRESENTATION OBJECT
_Static_assert(sizeof(app_win) == 8, "size of MPI_Win");

typedef struct {
    int32_t MPI_SOURCE;
    int32_t MPI_TAG;
    int32_t MPI_ERROR;
    unsigned char private0[12];
} __attribute__((aligned(8))) app_status;
_Static_assert(sizeof(app_status) == 24, "size of MPI_Status");
#define APP_STATUS_PRIVATE private0
#define APP_STATUS_PRIVATE_BYTES 12
#define APP_STATUS_FLAG_OFFSET 12
#define APP_STATUS_SIZE_OFFSET 16
_Static_assert(offsetof(app_status, MPI_SOURCE) == 0, "offset of MPI_SOURCE");
_Static_assert(offsetof(app_status, MPI_TAG) == 4, "offset of MPI_TAG");
_Static_assert(offsetof(app_status, MPI_ERROR) == 8, "offset of MPI_ERROR");

extern EXPORTED char ALPHA_dup_fn[];
extern EXPORTED struct app_object alpha_byte;
extern EXPORTED struct app_object alpha_comm_null;
extern EXPORTED struct app_object alpha_comm_own;
extern EXPORTED struct app_object alpha_comm_self;
extern EXPORTED struct app_object alpha_comm_world;
extern EXPORTED struct app_object alpha_complex8;
extern EXPORTED struct app_object alpha_datatype_null;
extern EXPORTED struct app_object alpha_errhandler_null;
extern EXPORTED struct app_object alpha_file_null;
extern EXPORTED struct app_object alpha_group_null;
extern EXPORTED struct app_object alpha_info_null;
extern EXPORTED struct app_object alpha_message_null;
extern EXPORTED struct app_object alpha_op_null;
extern EXPORTED struct app_object alpha_request_null;
extern EXPORTED struct app_object alpha_session_null;
extern EXPORTED struct app_object alpha_win_null;

#define APP_MPI_ANY_SOURCE (-1)
#define APP_MPI_ANY_TAG (-1)
#define APP_MPI_BOTTOM ((void *)(intptr_t)0)
#define APP_MPI_BYTE APP_DATATYPE_FROM((void *)&alpha_byte)
#define APP_MPI_COMM_NULL APP_COMM_FROM((void *)&alpha_comm_null)
#define APP_MPI_COMM_SELF APP_COMM_FROM((void *)&alpha_comm_self)
#define APP_MPI_COMM_WORLD APP_COMM_FROM((void *)&alpha_comm_world)
#define APP_MPI_COMPLEX8 APP_DATATYPE_FROM((void *)&alpha_complex8)
#define APP_MPI_CONGRUENT (1)
#define APP_MPI_DATATYPE_NULL APP_DATATYPE_FROM((void *)&alpha_datatype_null)
#define APP_MPI_DUP_FN ((void *)&ALPHA_dup_fn)
#define APP_MPI_ERRHANDLER_NULL APP_ERRHANDLER_FROM((void *)&alpha_errhandler_null)
#define APP_MPI_ERR_OTHER ((app_code)16)
#define APP_MPI_ERR_TYPE ((app_code)3)
#define APP_MPI_ERR_UNKNOWN ((app_code)13)
#define APP_MPI_FILE_NULL APP_FILE_FROM((void *)&alpha_file_null)
#define APP_MPI_GROUP_NULL APP_GROUP_FROM((void *)&alpha_group_null)
#define APP_MPI_IDENT (0)
#define APP_MPI_INFO_NULL APP_INFO_FROM((void *)&alpha_info_null)
#define APP_MPI_MAX_OBJECT_NAME (64)
#define APP_MPI_MESSAGE_NULL APP_MESSAGE_FROM((void *)&alpha_message_null)
#define APP_MPI_MODE_NOCHECK (1)
#define APP_MPI_MODE_NOPUT (4)
#define APP_MPI_MODE_NOSTORE (2)
#define APP_MPI_OP_NULL APP_OP_FROM((void *)&alpha_op_null)
#define APP_MPI_PROC_NULL (-2)
#define APP_MPI_REQUEST_NULL APP_REQUEST_FROM((void *)&alpha_request_null)
#define APP_MPI_SESSION_NULL APP_SESSION_FROM((void *)&alpha_session_null)
#define APP_MPI_SIMILAR (2)
#define APP_MPI_STATUS_IGNORE ((void *)(intptr_t)0)
#define APP_MPI_SUCCESS ((app_code)0)
#define APP_MPI_UNDEFINED (-32766)
#define APP_MPI_UNEQUAL (3)
#define APP_MPI_UNWEIGHTED ((void *)(intptr_t)2)
#define APP_MPI_WIN_NULL APP_WIN_FROM((void *)&alpha_win_null)
#define APP_MPI_WIN_SEPARATE (0)
#define APP_MPI_WIN_UNIFIED (1)
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
#define APP_FAMILY "alpha"

#endif
