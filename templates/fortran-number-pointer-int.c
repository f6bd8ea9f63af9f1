/* SPDX-License-Identifier: BSD-3-Clause */
/* The integer of a handle is the host's handle. Dynamic ones are negative; another may be one of the host's predefined ones. */
INLINE app_$class ${class}_from_number(MPI_Fint number)
{
    return likely(number < 0) ? (app_$class)(intptr_t)number : ${class}_to_app(HOST_${CLASS}_FROM(number));
}

INLINE MPI_Fint ${class}_to_number(app_$class handle)
{
    return (MPI_Fint)(intptr_t)handle;
}
