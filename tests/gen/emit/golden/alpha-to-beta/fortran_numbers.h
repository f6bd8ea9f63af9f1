/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_comm comm_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_comm, number);
}

INLINE MPI_Fint comm_to_number(app_comm handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_datatype datatype_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_datatype, number);
}

INLINE MPI_Fint datatype_to_number(app_datatype handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_errhandler errhandler_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_errhandler, number);
}

INLINE MPI_Fint errhandler_to_number(app_errhandler handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The integer of a handle is a shorter form of the host's address, or a predefined handle of the host's that is a small number. */
static inline app_file file_from_number(MPI_Fint number)
{
    if ((uint32_t)number < PREDEFINED_CODES)
        return file_to_app((host_file)(intptr_t)number);
    return file_to_app((host_file)integer_to_pointer(number, CLASS_FILE));
}

static inline MPI_Fint file_to_number(app_file handle)
{
    intptr_t bits = HOST_FILE_BITS(file_to_host(handle));
    return (uintptr_t)bits < PREDEFINED_CODES ? (MPI_Fint)bits : compress_pointer(bits, CLASS_FILE);
}

/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_group group_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_group, number);
}

INLINE MPI_Fint group_to_number(app_group handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_info info_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_info, number);
}

INLINE MPI_Fint info_to_number(app_info handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_message message_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_message, number);
}

INLINE MPI_Fint message_to_number(app_message handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_op op_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_op, number);
}

INLINE MPI_Fint op_to_number(app_op handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_request request_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_request, number);
}

INLINE MPI_Fint request_to_number(app_request handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_session session_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_session, number);
}

INLINE MPI_Fint session_to_number(app_session handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_win win_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_win, number);
}

INLINE MPI_Fint win_to_number(app_win handle)
{
    return (MPI_Fint)(intptr_t)handle;
}

