/* SPDX-License-Identifier: BSD-3-Clause */
INLINE host_$class ${class}_to_host(app_$class handle)
{
    return handle == $app_null ? $host_null : (host_$class){ (int32_t)(intptr_t)handle };
}

INLINE int ${class}s_are_dynamic(const app_$class *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_$class dynamic_${class}_to_host(app_$class handle)
{
    return (host_$class){ (int32_t)(intptr_t)handle };
}

INLINE app_$class ${class}_to_app(host_$class handle)
{
    return handle.value == $host_null.value ? $app_null : DYNAMIC_OBJECT(app_$class, handle.value);
}

INLINE app_$class ${class}_at(const host_$class *handle)
{
    return ${class}_to_app(*handle);
}

/* The host writes a new handle into the application's variable, as its lower half. ${class}_settle() completes it;
 * ${class}_spoil() does so if the call failed and left the null handle there. */
INLINE host_$class *${class}_lend(app_$class *variable)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's lower half comes first");
    return (host_$class *)(void *)variable;
}

INLINE void ${class}_settle(app_$class *variable)
{
    int32_t *halves = (int32_t *)(void *)variable;
    if (unlikely(halves[0] == $host_null.value))
        *variable = $app_null;
    else
        halves[1] = -1;
}

INLINE void ${class}_spoil(app_$class *variable)
{
    if (variable && *(const int32_t *)(void *)variable == $host_null.value)
        *variable = $app_null;
}
