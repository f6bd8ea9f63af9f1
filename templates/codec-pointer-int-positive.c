/* SPDX-License-Identifier: BSD-3-Clause */
/* A predefined handle is a small number; a table has the host's handles for them, and 0 for other small numbers. The lower half of
 * a larger one is the host's. */
extern HIDDEN intptr_t ${class}_table[$span];

INLINE host_$class ${class}_to_host(app_$class handle)
{
    uintptr_t place = (uintptr_t)handle;
    return (host_$class){ likely(place < $span) ? (int32_t)${class}_table[place] : (int32_t)place };
}

INLINE int ${class}_is_predefined(app_$class handle)
{
    return (uintptr_t)handle < $span;
}

/* Returns the halves of a predefined handle's word: the lower one, which is the host's handle, and the upper one. */
INLINE const int32_t *${class}_halves(app_$class handle)
{
    return (const int32_t *)&${class}_table[(uintptr_t)handle];
}

/* Returns the upper half of a predefined handle's word, else 0. */
INLINE int32_t ${class}_upper_half(app_$class handle)
{
    return ${class}_is_predefined(handle) ? ${class}_halves(handle)[1] : 0;
}

INLINE app_$class dynamic_${class}_to_app(host_$class handle)
{
    return DYNAMIC_OBJECT(app_$class, handle.value);
}

/* No predefined handle of the host's is negative. */
INLINE app_$class ${class}_to_app(host_$class handle)
{
    if (likely(handle.value < 0))
        return dynamic_${class}_to_app(handle);
    const struct predefined *found = predefined_find(&predefined_$class, handle.value);
    return found ? (app_$class)found->app : dynamic_${class}_to_app(handle);
}

INLINE app_$class ${class}_at(const host_$class *handle)
{
    return ${class}_to_app(*handle);
}
