#include "application.h"
#include "convert/facts.h"
#include "convert/host_symbols.h"
#include "convert/predefined.h"
#include "host.h"

const int host_has_namesakes = 0;

EXPORTED struct app_object alpha_byte = { 1275068685 };
EXPORTED struct app_object alpha_comm_null = { 67108864 };
EXPORTED struct app_object alpha_comm_own = { 1140850689 };
EXPORTED struct app_object alpha_comm_self = { 1140850689 };
EXPORTED struct app_object alpha_comm_world = { 1140850688 };
EXPORTED struct app_object alpha_complex8 = { 201326592 };
EXPORTED struct app_object alpha_datatype_null = { 201326592 };
EXPORTED struct app_object alpha_errhandler_null = { 335544320 };
EXPORTED struct app_object alpha_file_null = { 0 };
EXPORTED struct app_object alpha_group_null = { 134217728 };
EXPORTED struct app_object alpha_info_null = { 469762048 };
EXPORTED struct app_object alpha_message_null = { 738197504 };
EXPORTED struct app_object alpha_op_null = { 402653184 };
EXPORTED struct app_object alpha_request_null = { 738197504 };
EXPORTED struct app_object alpha_session_null = { 939524096 };
EXPORTED struct app_object alpha_win_null = { 536870912 };
EXPORTED char mpi_fortran_bottom_[4] __attribute__((aligned(16)));

struct predefined predefined_handles[] = {
    { CLASS_COUNT, 0, -1, 0, INTPTR_MIN, 0 },
    { CLASS_COMM, 301, -1, (intptr_t)&alpha_comm_null, 67108864, 67108864 },
    { CLASS_COMM, 301, 3, (intptr_t)&alpha_comm_self, 1140850689, 67108864 },
    { CLASS_COMM, 301, 2, (intptr_t)&alpha_comm_world, 1140850688, 67108864 },
    { CLASS_COMM, 301, 3, (intptr_t)&alpha_comm_own, 1140850689, 67108864 },
    { CLASS_DATATYPE, 301, -1, (intptr_t)&alpha_datatype_null, 201326592, 201326592 },
    { CLASS_DATATYPE, 301, 1, (intptr_t)&alpha_byte, 1275068685, 201326592 },
    { CLASS_DATATYPE, 301, -1, (intptr_t)&alpha_complex8, 201326592, 201326592 },
    { CLASS_ERRHANDLER, 301, -1, (intptr_t)&alpha_errhandler_null, 335544320, 335544320 },
    { CLASS_FILE, 301, -1, (intptr_t)&alpha_file_null, 0, 0 },
    { CLASS_GROUP, 301, -1, (intptr_t)&alpha_group_null, 134217728, 134217728 },
    { CLASS_INFO, 301, -1, (intptr_t)&alpha_info_null, 469762048, 469762048 },
    { CLASS_MESSAGE, 301, -1, (intptr_t)&alpha_message_null, 738197504, 738197504 },
    { CLASS_OP, 301, -1, (intptr_t)&alpha_op_null, 402653184, 402653184 },
    { CLASS_REQUEST, 301, -1, (intptr_t)&alpha_request_null, 738197504, 738197504 },
    { CLASS_SESSION, 301, -1, (intptr_t)&alpha_session_null, 939524096, 939524096 },
    { CLASS_WIN, 301, -1, (intptr_t)&alpha_win_null, 536870912, 536870912 },
};
const int predefined_count = sizeof predefined_handles / sizeof *predefined_handles;
_Static_assert(sizeof predefined_handles / sizeof *predefined_handles <= UINT8_MAX, "a bucket of a map holds an entry's number");

const char *predefined_optional_name(intptr_t app)
{
    if (app == (intptr_t)&alpha_complex8) return "MPI_COMPLEX8";
    return 0;
}

EXPORTED int ALPHA_dup_fn_call(void *handle, int keyval, void *state, void *in, void *out, int *flag) __asm__("ALPHA_dup_fn");
int ALPHA_dup_fn_call(void *handle, int keyval, void *state, void *in, void *out, int *flag)
{
    *flag = 1;
    *(void **)out = in;
    return 0;
}


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
    "BETA_dup_fn\0"
    "MPI_UNWEIGHTED\0"
    "";
const struct host_symbol host_symbols[] = {
    { 0, 1, offsetof(struct host_addresses, BETA_dup_fn), offsetof(struct host_addresses, end) },
    { 1, 1, offsetof(struct host_addresses, MPI_UNWEIGHTED), offsetof(struct host_addresses, end) },
    { 0, 0, 0, 0 }
};
