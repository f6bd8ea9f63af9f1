/* SPDX-License-Identifier: BSD-3-Clause */
/* C gets an array of its own. */
static inline app_$class *${class}_stage_fortran(app_$class *local, const MPI_Fint *from, int count)
{
    app_$class *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = ${class}_from_fortran(from[i]);
    return staged;
}

INLINE void ${class}_unstage_fortran(app_$class *staged, app_$class *local)
{
    unstage(staged, local);
}

INLINE app_$class *${class}_stage_inout(app_$class *local, const MPI_Fint *from, int count)
{
    return ${class}_stage_fortran(local, from, count);
}

static inline void ${class}_restore_inout(MPI_Fint *to, app_$class *from, app_$class *local, int count)
{
    for (int i = 0; from && i < count; i++)
        set_inout(&to[i], ${class}_to_fortran(from[i]));
    unstage(from, local);
}
