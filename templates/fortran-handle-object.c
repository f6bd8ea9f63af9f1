/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran numbers the predefined handles of C, which are addresses. */
extern HIDDEN const struct fortran_handles fortran_$class;
extern HIDDEN intptr_t fortran_${class}_handles[];

INLINE app_$class ${class}_from_fortran(MPI_Fint integer)
{
    if (likely((uint32_t)integer >= (uint32_t)fortran_$class.count))
        return ${class}_from_number(integer);
    return (app_$class)fortran_${class}_handles[(uint32_t)integer];
}

INLINE MPI_Fint ${class}_to_fortran(app_$class handle)
{
    if (likely(HAS_NUMBER(CLASS_$CLASS, handle)))
        return ${class}_to_number(handle);
    if (likely(handle == APP_NULL_$class))
        return fortran_$class.null;
    return other_to_fortran(CLASS_$CLASS, fortran_$class.count, fortran_${class}_handles, (intptr_t)handle);
}
