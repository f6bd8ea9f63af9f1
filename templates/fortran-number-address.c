/* SPDX-License-Identifier: BSD-3-Clause */
/* The integer of a handle is a shorter form of the host's address, or a predefined handle of the host's that is a small number. */
static inline app_$class ${class}_from_number(MPI_Fint number)
{
    if ((uint32_t)number < PREDEFINED_CODES)
        return ${class}_to_app((host_$class)(intptr_t)number);
    return ${class}_to_app((host_$class)integer_to_pointer(number, CLASS_$CLASS));
}

static inline MPI_Fint ${class}_to_number(app_$class handle)
{
    intptr_t bits = HOST_${CLASS}_BITS(${class}_to_host(handle));
    return (uintptr_t)bits < PREDEFINED_CODES ? (MPI_Fint)bits : compress_pointer(bits, CLASS_$CLASS);
}
