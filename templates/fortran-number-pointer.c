/* SPDX-License-Identifier: BSD-3-Clause */
INLINE app_$class ${class}_from_number(MPI_Fint number)
{
    return (app_$class)handle_of_number(number, CLASS_$CLASS);
}

INLINE MPI_Fint ${class}_to_number(app_$class handle)
{
    return number_of_handle((intptr_t)handle, CLASS_$CLASS);
}
