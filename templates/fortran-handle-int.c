/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles are integers, the same in both languages; so are arrays of them. */
INLINE app_$class ${class}_from_fortran(MPI_Fint integer)
{
    return APP_${CLASS}_FROM(integer);
}

INLINE MPI_Fint ${class}_to_fortran(app_$class handle)
{
    return (MPI_Fint)APP_${CLASS}_BITS(handle);
}
