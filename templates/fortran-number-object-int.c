/* SPDX-License-Identifier: BSD-3-Clause */
/* The integer of a dynamic handle is the host's handle, which is the handle's lower half. */
INLINE app_$class ${class}_from_number(MPI_Fint number)
{
    return DYNAMIC_OBJECT(app_$class, number);
}

INLINE MPI_Fint ${class}_to_number(app_$class handle)
{
    return (MPI_Fint)(intptr_t)handle;
}
