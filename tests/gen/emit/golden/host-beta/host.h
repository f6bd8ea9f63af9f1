#ifndef HOST_SIDE_H
#define HOST_SIDE_H

#include "convert/types.h"

typedef struct { int32_t value; } host_comm;
#define HOST_COMM_BITS(handle) ((intptr_t)(handle).value)
#define HOST_COMM_FROM(bits) ((host_comm){ (int32_t)(bits) })
#define HOST_COMM_REPRESENTATION INT
_Static_assert(sizeof(host_comm) == 4, "size of MPI_Comm");
typedef struct { int32_t value; } host_datatype;
#define HOST_DATATYPE_BITS(handle) ((intptr_t)(handle).value)
#define HOST_DATATYPE_FROM(bits) ((host_datatype){ (int32_t)(bits) })
#define HOST_DATATYPE_REPRESENTATION INT
_Static_assert(sizeof(host_datatype) == 4, "size of MPI_Datatype");
typedef struct { int32_t value; } host_errhandler;
#define HOST_ERRHANDLER_BITS(handle) ((intptr_t)(handle).value)
#define HOST_ERRHANDLER_FROM(bits) ((host_errhandler){ (int32_t)(bits) })
#define HOST_ERRHANDLER_REPRESENTATION INT
_Static_assert(sizeof(host_errhandler) == 4, "size of MPI_Errhandler");
typedef struct host_file_object *host_file;
#define HOST_FILE_BITS(handle) ((intptr_t)(handle))
#define HOST_FILE_FROM(bits) ((host_file)(intptr_t)(bits))
#define HOST_FILE_REPRESENTATION POINTER
_Static_assert(sizeof(host_file) == 8, "size of MPI_File");
typedef struct { int32_t value; } host_group;
#define HOST_GROUP_BITS(handle) ((intptr_t)(handle).value)
#define HOST_GROUP_FROM(bits) ((host_group){ (int32_t)(bits) })
#define HOST_GROUP_REPRESENTATION INT
_Static_assert(sizeof(host_group) == 4, "size of MPI_Group");
typedef struct { int32_t value; } host_info;
#define HOST_INFO_BITS(handle) ((intptr_t)(handle).value)
#define HOST_INFO_FROM(bits) ((host_info){ (int32_t)(bits) })
#define HOST_INFO_REPRESENTATION INT
_Static_assert(sizeof(host_info) == 4, "size of MPI_Info");
typedef struct { int32_t value; } host_message;
#define HOST_MESSAGE_BITS(handle) ((intptr_t)(handle).value)
#define HOST_MESSAGE_FROM(bits) ((host_message){ (int32_t)(bits) })
#define HOST_MESSAGE_REPRESENTATION INT
_Static_assert(sizeof(host_message) == 4, "size of MPI_Message");
typedef struct { int32_t value; } host_op;
#define HOST_OP_BITS(handle) ((intptr_t)(handle).value)
#define HOST_OP_FROM(bits) ((host_op){ (int32_t)(bits) })
#define HOST_OP_REPRESENTATION INT
_Static_assert(sizeof(host_op) == 4, "size of MPI_Op");
typedef struct { int32_t value; } host_request;
#define HOST_REQUEST_BITS(handle) ((intptr_t)(handle).value)
#define HOST_REQUEST_FROM(bits) ((host_request){ (int32_t)(bits) })
#define HOST_REQUEST_REPRESENTATION INT
_Static_assert(sizeof(host_request) == 4, "size of MPI_Request");
typedef struct { int32_t value; } host_session;
#define HOST_SESSION_BITS(handle) ((intptr_t)(handle).value)
#define HOST_SESSION_FROM(bits) ((host_session){ (int32_t)(bits) })
#define HOST_SESSION_REPRESENTATION INT
_Static_assert(sizeof(host_session) == 4, "size of MPI_Session");
typedef struct { int32_t value; } host_win;
#define HOST_WIN_BITS(handle) ((intptr_t)(handle).value)
#define HOST_WIN_FROM(bits) ((host_win){ (int32_t)(bits) })
#define HOST_WIN_REPRESENTATION INT
_Static_assert(sizeof(host_win) == 4, "size of MPI_Win");

typedef struct {
    unsigned char private0[8];
    int32_t MPI_SOURCE;
    int32_t MPI_TAG;
    int32_t MPI_ERROR;
    unsigned char private1[4];
} __attribute__((aligned(8))) host_status;
_Static_assert(sizeof(host_status) == 24, "size of MPI_Status");
#define HOST_STATUS_PRIVATE private0
#define HOST_STATUS_PRIVATE_BYTES 8
_Static_assert(offsetof(host_status, MPI_SOURCE) == 8, "offset of MPI_SOURCE");
_Static_assert(offsetof(host_status, MPI_TAG) == 12, "offset of MPI_TAG");
_Static_assert(offsetof(host_status, MPI_ERROR) == 16, "offset of MPI_ERROR");

/* Addresses of the host's that constants stand for, read when it is loaded. */
extern HIDDEN struct host_addresses {
    void *BETA_dup_fn;
    void *MPI_UNWEIGHTED;
    void *end;
} host_address;

#define HOST_MPI_ANY_SOURCE (-2)
#define HOST_MPI_ANY_TAG (-1)
#define HOST_MPI_BOTTOM ((void *)(intptr_t)0)
#define HOST_MPI_BYTE HOST_DATATYPE_FROM(1275068685)
#define HOST_MPI_COMM_NULL HOST_COMM_FROM(67108864)
#define HOST_MPI_COMM_SELF HOST_COMM_FROM(1140850689)
#define HOST_MPI_COMM_WORLD HOST_COMM_FROM(1140850688)
#define HOST_MPI_CONGRUENT (1)
#define HOST_MPI_DATATYPE_NULL HOST_DATATYPE_FROM(201326592)
#define HOST_MPI_DUP_FN (host_address.BETA_dup_fn)
#define HOST_MPI_ERRHANDLER_NULL HOST_ERRHANDLER_FROM(335544320)
#define HOST_MPI_ERR_OTHER ((host_code)15)
#define HOST_MPI_ERR_TYPE ((host_code)3)
#define HOST_MPI_ERR_UNKNOWN ((host_code)13)
#define HOST_MPI_FILE_NULL HOST_FILE_FROM(0)
#define HOST_MPI_GROUP_NULL HOST_GROUP_FROM(134217728)
#define HOST_MPI_IDENT (0)
#define HOST_MPI_INFO_NULL HOST_INFO_FROM(469762048)
#define HOST_MPI_MAX_OBJECT_NAME (256)
#define HOST_MPI_MESSAGE_NULL HOST_MESSAGE_FROM(738197504)
#define HOST_MPI_MODE_NOCHECK (1024)
#define HOST_MPI_MODE_NOPUT (4096)
#define HOST_MPI_MODE_NOSTORE (2048)
#define HOST_MPI_OP_NULL HOST_OP_FROM(402653184)
#define HOST_MPI_PROC_NULL (-1)
#define HOST_MPI_REQUEST_NULL HOST_REQUEST_FROM(738197504)
#define HOST_MPI_SESSION_NULL HOST_SESSION_FROM(939524096)
#define HOST_MPI_SIMILAR (2)
#define HOST_MPI_STATUS_IGNORE ((void *)(intptr_t)1)
#define HOST_MPI_SUCCESS ((host_code)0)
#define HOST_MPI_UNDEFINED (-32766)
#define HOST_MPI_UNEQUAL (4)
#define HOST_MPI_UNWEIGHTED (host_address.MPI_UNWEIGHTED)
#define HOST_MPI_WIN_NULL HOST_WIN_FROM(536870912)
#define HOST_MPI_WIN_SEPARATE (2)
#define HOST_MPI_WIN_UNIFIED (3)
#define HOST_NULL_comm HOST_MPI_COMM_NULL
#define HOST_NULL_datatype HOST_MPI_DATATYPE_NULL
#define HOST_NULL_errhandler HOST_MPI_ERRHANDLER_NULL
#define HOST_NULL_file HOST_MPI_FILE_NULL
#define HOST_NULL_group HOST_MPI_GROUP_NULL
#define HOST_NULL_info HOST_MPI_INFO_NULL
#define HOST_NULL_message HOST_MPI_MESSAGE_NULL
#define HOST_NULL_op HOST_MPI_OP_NULL
#define HOST_NULL_request HOST_MPI_REQUEST_NULL
#define HOST_NULL_session HOST_MPI_SESSION_NULL
#define HOST_NULL_win HOST_MPI_WIN_NULL
#define HOST_FAMILY "beta"
/* The host's procedures, in the order of host_procedure_names. */
extern HIDDEN struct host_procedures {
    host_code (*MPI_Comm_compare)(host_comm comm1, host_comm comm2, int *result);
    host_code (*MPI_Comm_get_name)(host_comm comm, char *comm_name, int *resultlen);
    host_code (*MPI_Finalize)(void);
    host_code (*MPI_Group_translate_ranks)(host_group group1, int n, const int *ranks1, host_group group2, int *ranks2);
    host_code (*MPI_Isend)(const void *buf, int count, host_datatype datatype, int dest, int tag, host_comm comm, host_request *request);
    host_code (*MPI_Isend_c)(const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag, host_comm comm, host_request *request);
    host_code (*MPI_Recv)(void *buf, int count, host_datatype datatype, int source, int tag, host_comm comm, host_status *status);
    host_code (*MPI_Recv_c)(void *buf, MPI_Count count, host_datatype datatype, int source, int tag, host_comm comm, host_status *status);
    host_code (*MPI_Type_create_struct)(int count, const int *lengths, const MPI_Aint *displs, const host_datatype *types, host_datatype *newtype);
    host_code (*MPI_Type_create_struct_c)(MPI_Count count, const MPI_Count *lengths, const MPI_Count *displs, const host_datatype *types, host_datatype *newtype);
    host_code (*MPI_Win_fence)(int assert, host_win win);
} host;

#define HOST_PROCEDURES 11
#endif
