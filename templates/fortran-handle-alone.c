/* SPDX-License-Identifier: BSD-3-Clause */
/* Predefined handles are small numbers, the same in both languages. The ABI's own procedures convert the others. */
int direct_MPI_${Class}_toint(app_$class handle) __asm__("PMPI_${Class}_toint");
app_$class direct_MPI_${Class}_fromint(int integer) __asm__("PMPI_${Class}_fromint");

INLINE app_$class ${class}_from_fortran(MPI_Fint integer)
{
    return IS_DYNAMIC(integer) ? direct_MPI_${Class}_fromint(integer) : APP_${CLASS}_FROM(integer);
}

INLINE MPI_Fint ${class}_to_fortran(app_$class handle)
{
    intptr_t bits = APP_${CLASS}_BITS(handle);
    return (uintptr_t)bits < PREDEFINED_CODES ? (MPI_Fint)bits : direct_MPI_${Class}_toint(handle);
}
