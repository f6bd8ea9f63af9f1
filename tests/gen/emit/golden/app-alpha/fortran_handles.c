#include "base/handle_tables.h"

const struct fortran_handles fortran_comm = { 4, -1 };
intptr_t fortran_comm_handles[] = {
    (intptr_t)DYNAMIC_OBJECT(intptr_t, 0),
    (intptr_t)DYNAMIC_OBJECT(intptr_t, 1),
    (intptr_t)&alpha_comm_world,
    (intptr_t)&alpha_comm_self,
};
const struct fortran_handles fortran_datatype = { 2, -1 };
intptr_t fortran_datatype_handles[] = {
    (intptr_t)DYNAMIC_OBJECT(intptr_t, 0),
    (intptr_t)&alpha_byte,
};
const struct fortran_handles fortran_errhandler = { 0, -1 };
intptr_t fortran_errhandler_handles[] = {
    0
};
const struct fortran_handles fortran_file = { 0, -1 };
intptr_t fortran_file_handles[] = {
    0
};
const struct fortran_handles fortran_group = { 0, -1 };
intptr_t fortran_group_handles[] = {
    0
};
const struct fortran_handles fortran_info = { 0, -1 };
intptr_t fortran_info_handles[] = {
    0
};
const struct fortran_handles fortran_message = { 0, -1 };
intptr_t fortran_message_handles[] = {
    0
};
const struct fortran_handles fortran_op = { 0, -1 };
intptr_t fortran_op_handles[] = {
    0
};
const struct fortran_handles fortran_request = { 0, -1 };
intptr_t fortran_request_handles[] = {
    0
};
const struct fortran_handles fortran_session = { 0, -1 };
intptr_t fortran_session_handles[] = {
    0
};
const struct fortran_handles fortran_win = { 0, -1 };
intptr_t fortran_win_handles[] = {
    0
};
const struct earlier_handle earlier_handles[] = {
    { &fortran_comm_handles[2], (intptr_t)&alpha_comm_own },
    { &fortran_comm_handles[3], (intptr_t)&alpha_comm_world },
    { 0, 0 }
};
