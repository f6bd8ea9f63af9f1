/* SPDX-License-Identifier: BSD-3-Clause */
/* C gets Fortran's array. An INOUT array that begins with a null handle may be a constant: of it C gets a copy, which is
 * written back if anything changed. */
INLINE app_$class *${class}_stage_fortran(app_$class *local, const MPI_Fint *from, int count)
{
    return (app_$class *)(void *)from;
}

INLINE void ${class}_unstage_fortran(app_$class *staged, app_$class *local)
{
}

INLINE app_$class *${class}_stage_inout(app_$class *local, const MPI_Fint *from, int count)
{
    if (likely(count <= 0 || *from != (MPI_Fint)APP_${CLASS}_BITS(APP_NULL_$class)))
        return (app_$class *)(void *)from;
    app_$class *staged = stage_room(local, count, sizeof *staged);
    return staged ? memcpy(staged, from, (size_t)count * sizeof *staged) : 0;
}

static inline void ${class}_restore_inout(MPI_Fint *to, app_$class *from, app_$class *local, int count)
{
    if (likely((MPI_Fint *)from == to) || !from)
        return;
    if (memcmp(to, from, (size_t)count * sizeof *to) != 0)
        memcpy(to, from, (size_t)count * sizeof *to);
    unstage(from, local);
}
