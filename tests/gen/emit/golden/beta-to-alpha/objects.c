#include "application.h"
#include "convert/facts.h"
#include "convert/host_symbols.h"
#include "convert/predefined.h"
#include "host.h"

const int host_has_namesakes = 0;

EXPORTED void *MPI_UNWEIGHTED = &MPI_UNWEIGHTED;

struct predefined predefined_handles[] = {
    { CLASS_COUNT, 0, -1, 0, INTPTR_MIN, 0 },
    { CLASS_COMM, 301, -1, (intptr_t)1140850689, offsetof(struct host_addresses, alpha_comm_self), 0 },
    { CLASS_COMM, 300, -1, (intptr_t)1140850688, offsetof(struct host_addresses, alpha_comm_world), 0 },
    { CLASS_COMM, 301, -1, (intptr_t)67108864, offsetof(struct host_addresses, alpha_comm_null), 0 },
    { CLASS_DATATYPE, 300, -1, (intptr_t)1275068685, offsetof(struct host_addresses, alpha_byte), 0 },
    { CLASS_DATATYPE, 301, -1, (intptr_t)201326592, offsetof(struct host_addresses, alpha_datatype_null), 0 },
    { CLASS_ERRHANDLER, 301, -1, (intptr_t)335544320, offsetof(struct host_addresses, alpha_errhandler_null), 0 },
    { CLASS_FILE, 301, -1, (intptr_t)0, offsetof(struct host_addresses, alpha_file_null), 0 },
    { CLASS_GROUP, 301, -1, (intptr_t)134217728, offsetof(struct host_addresses, alpha_group_null), 0 },
    { CLASS_INFO, 301, -1, (intptr_t)469762048, offsetof(struct host_addresses, alpha_info_null), 0 },
    { CLASS_MESSAGE, 301, -1, (intptr_t)738197504, offsetof(struct host_addresses, alpha_message_null), 0 },
    { CLASS_OP, 301, -1, (intptr_t)402653184, offsetof(struct host_addresses, alpha_op_null), 0 },
    { CLASS_REQUEST, 301, -1, (intptr_t)738197504, offsetof(struct host_addresses, alpha_request_null), 0 },
    { CLASS_SESSION, 301, -1, (intptr_t)939524096, offsetof(struct host_addresses, alpha_session_null), 0 },
    { CLASS_WIN, 301, -1, (intptr_t)536870912, offsetof(struct host_addresses, alpha_win_null), 0 },
};
const int predefined_count = sizeof predefined_handles / sizeof *predefined_handles;
_Static_assert(sizeof predefined_handles / sizeof *predefined_handles <= UINT8_MAX, "a bucket of a map holds an entry's number");

const char *predefined_optional_name(intptr_t app)
{
    return 0;
}

PREDEFINED_DUP_FUNCTION(BETA_dup_fn)

const char host_procedure_names[] =
    "MPI_Comm_compare\0"
    "MPI_Comm_get_name\0"
    "MPI_Finalize\0"
    "MPI_Group_translate_ranks\0"
    "MPI_Isend\0"
    "MPI_Isend_c\0"
    "MPI_Recv\0"
    "MPI_Recv_c\0"
    "MPI_Type_create_struct\0"
    "MPI_Type_create_struct_c\0"
    "MPI_Win_fence\0"
    ;

struct host_addresses host_address;
const char host_symbol_names[] =
    "alpha_byte\0"
    "alpha_comm_null\0"
    "alpha_comm_self\0"
    "alpha_comm_world\0"
    "alpha_complex8\0"
    "alpha_datatype_null\0"
    "ALPHA_dup_fn\0"
    "alpha_errhandler_null\0"
    "alpha_file_null\0"
    "alpha_group_null\0"
    "alpha_info_null\0"
    "alpha_message_null\0"
    "alpha_op_null\0"
    "alpha_request_null\0"
    "alpha_session_null\0"
    "alpha_win_null\0"
    "";
const struct host_symbol host_symbols[] = {
    { 0, 1, offsetof(struct host_addresses, alpha_byte), offsetof(struct host_addresses, alpha_datatype_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_comm_null), offsetof(struct host_addresses, alpha_comm_null) },
    { 0, 1, offsetof(struct host_addresses, alpha_comm_self), offsetof(struct host_addresses, alpha_comm_null) },
    { 0, 1, offsetof(struct host_addresses, alpha_comm_world), offsetof(struct host_addresses, alpha_comm_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_complex8), offsetof(struct host_addresses, alpha_datatype_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_datatype_null), offsetof(struct host_addresses, alpha_datatype_null) },
    { 0, 0, offsetof(struct host_addresses, ALPHA_dup_fn), offsetof(struct host_addresses, end) },
    { 0, 0, offsetof(struct host_addresses, alpha_errhandler_null), offsetof(struct host_addresses, alpha_errhandler_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_file_null), offsetof(struct host_addresses, alpha_file_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_group_null), offsetof(struct host_addresses, alpha_group_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_info_null), offsetof(struct host_addresses, alpha_info_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_message_null), offsetof(struct host_addresses, alpha_message_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_op_null), offsetof(struct host_addresses, alpha_op_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_request_null), offsetof(struct host_addresses, alpha_request_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_session_null), offsetof(struct host_addresses, alpha_session_null) },
    { 0, 0, offsetof(struct host_addresses, alpha_win_null), offsetof(struct host_addresses, alpha_win_null) },
    { 0, 0, 0, 0 }
};
