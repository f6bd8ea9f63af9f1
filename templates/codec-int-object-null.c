/* SPDX-License-Identifier: BSD-3-Clause */
/* The null request is told like any other object's handle (predefined.c); another class's null handle may have the same number. */
INLINE host_$class ${class}_to_host(app_$class handle)
{
    if (${class}_number != CLASS_REQUEST && $app_null.value == APP_NULL_request.value && handle.value == $app_null.value)
        return $host_null;
    intptr_t pointer = expand_handle(handle.value, 0);
    if (likely(is_pointer(pointer)))
        return (host_$class)pointer;
    int32_t number = unexpanded(pointer);
    if (number == $app_null.value)
        return $host_null;
    return (host_$class)integer_elsewhere(number, CLASS_$CLASS);
}

/* No test is cheaper than the conversion. */
INLINE int ${class}s_are_dynamic(const app_$class *handles)
{
    return 1;
}

INLINE host_$class dynamic_${class}_to_host(app_$class handle)
{
    return ${class}_to_host(handle);
}

INLINE app_$class ${class}_at(const host_$class *at)
{
    if (${class}_number != CLASS_REQUEST && *at == $host_null)
        return $app_null;
    uint64_t handle = compressed_at((const intptr_t *)(const void *)at);
    if (likely(is_compressed(handle)))
        return (app_$class){ (int32_t)handle };
    return *at == $host_null ? $app_null : (app_$class){ compress_elsewhere((intptr_t)*at, CLASS_$CLASS) };
}

INLINE app_$class ${class}_to_app(host_$class handle)
{
    return ${class}_at(&handle);
}
