/* SPDX-License-Identifier: BSD-3-Clause */
/* A predefined handle is a small number; a table has the host's handles for them. Another handle is the host's, but the host would
 * read memory at a small number that is no handle. */
extern HIDDEN intptr_t ${class}_table[$span];

INLINE host_$class ${class}_to_host(app_$class handle)
{
    uintptr_t place = (uintptr_t)handle;
    if (likely(place < $span))
        return (host_$class)${class}_table[place];
    if (likely(place >= PREDEFINED_CODES))
        return (host_$class)handle;
    return (host_$class)no_code(CLASS_$CLASS, (intptr_t)$host_null);
}

INLINE app_$class dynamic_${class}_to_app(host_$class handle)
{
    return (app_$class)handle;
}

INLINE app_$class ${class}_to_app(host_$class handle)
{
    const struct predefined *found = predefined_find(&predefined_$class, (intptr_t)handle);
    return found ? (app_$class)found->app : dynamic_${class}_to_app(handle);
}

INLINE app_$class ${class}_at(const host_$class *handle)
{
    return ${class}_to_app(*handle);
}
