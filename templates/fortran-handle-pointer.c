/* SPDX-License-Identifier: BSD-3-Clause */
/* Predefined handles are small numbers, the same in both languages. */
INLINE app_$class ${class}_from_fortran(MPI_Fint integer)
{
    return (uint32_t)integer < PREDEFINED_CODES ? (app_$class)(intptr_t)integer : ${class}_from_number(integer);
}

INLINE MPI_Fint ${class}_to_fortran(app_$class handle)
{
    return (uintptr_t)handle < PREDEFINED_CODES ? (MPI_Fint)(intptr_t)handle : ${class}_to_number(handle);
}
