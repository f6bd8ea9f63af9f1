/* SPDX-License-Identifier: BSD-3-Clause */
/* Most predefined handles are numbers from $first on; a table has the host's handles for them. */
extern HIDDEN intptr_t ${class}_table[$span];

INLINE host_$class ${class}_to_host(app_$class handle)
{
    uint64_t place = (uint32_t)handle.value - ${first}u;
    /* Else the compiler keeps the handle in a register, too: 3 instructions of an MPI_Put. */
    __asm__("" : "+r"(place));
    if (likely(place < $span))
        return (host_$class)${class}_table[place];
    return (host_$class)integer_to_pointer((int32_t)(place + ${first}u), CLASS_$CLASS);
}

INLINE app_$class dynamic_${class}_to_app(host_$class handle)
{
    return (app_$class){ compress_pointer((intptr_t)handle, CLASS_$CLASS) };
}

INLINE app_$class ${class}_to_app(host_$class handle)
{
    const struct predefined *found = predefined_find(&predefined_$class, (intptr_t)handle);
    return found ? (app_$class){ (int32_t)found->app } : dynamic_${class}_to_app(handle);
}

INLINE app_$class ${class}_at(const host_$class *handle)
{
    return ${class}_to_app(*handle);
}
