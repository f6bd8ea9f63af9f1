/* SPDX-License-Identifier: BSD-3-Clause */
/* The lower half of a dynamic handle is its integer, if the host's handles are integers. */
INLINE app_$class ${class}_from_number(MPI_Fint number)
{
    intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_$CLASS].upper;
    return (app_$class)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_$CLASS));
}

INLINE MPI_Fint ${class}_to_number(app_$class handle)
{
    return (MPI_Fint)(intptr_t)handle;
}
