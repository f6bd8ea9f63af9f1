/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns whether the program's handle, which became the host's its_handle, is no handle. Wrappers refuse it if a host would accept
 * the null handle in its place (abi-tables/procedures, `refuses`) or dereference a null pointer. The null message counts as no
 * handle: no procedure takes it, and Open MPI waits for it without end. */
static inline int is_no_$class(app_$class handle, host_$class its_handle)
{
    intptr_t bits = HOST_${CLASS}_BITS(its_handle);
    if (NULL_IS_TAKEN(CLASS_$CLASS))
        return bits == 0;
    return bits == HOST_${CLASS}_BITS(HOST_NULL_$class) &&
           (CLASS_$CLASS == CLASS_MESSAGE || APP_${CLASS}_BITS(handle) != APP_${CLASS}_BITS(APP_NULL_$class));
}

/* Stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
static inline host_$class *stage_$class(host_$class *local, const app_$class *handles, int count)
{
    host_$class *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = ${class}_to_host(handles[i]);
    return staged;
}
