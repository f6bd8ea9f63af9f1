/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles are the same on both sides, but for the null handle. The host would read memory at a small number that is no handle. */
INLINE host_$class ${class}_to_host(app_$class handle)
{
    if (likely((uintptr_t)handle >= PREDEFINED_CODES))
        return (host_$class)handle;
    return handle == $app_null ? $host_null : (host_$class)no_code(CLASS_$CLASS, (intptr_t)$host_null);
}

INLINE int ${class}s_are_dynamic(const app_$class *handles)
{
    return ((uintptr_t)handles[0] >= PREDEFINED_CODES) & ((uintptr_t)handles[1] >= PREDEFINED_CODES) &
           ((uintptr_t)handles[2] >= PREDEFINED_CODES) & ((uintptr_t)handles[3] >= PREDEFINED_CODES);
}

INLINE host_$class dynamic_${class}_to_host(app_$class handle)
{
    return (host_$class)handle;
}

INLINE app_$class ${class}_to_app(host_$class handle)
{
    return handle == $host_null ? $app_null : (app_$class)handle;
}

INLINE app_$class ${class}_at(const host_$class *handle)
{
    return ${class}_to_app(*handle);
}
