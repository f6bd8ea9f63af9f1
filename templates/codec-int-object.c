/* SPDX-License-Identifier: BSD-3-Clause */
/* Predefined handles are told apart by one comparison after the other; those after the first come last, as seldom used. */
INLINE host_$class ${class}_to_host(app_$class handle)
{
    if (likely(handle.value == $first_app.value)) {
        host_$class first = $first_host;
        /* Else the compiler loads a constant ahead of the comparison, where the handle is in its way. */
        __asm__("" : "+r"(first));
        return first;
    }
    intptr_t pointer = expand_handle(handle.value, $with_predefined);
    if (likely(is_pointer(pointer)))
        return (host_$class)pointer;
    int32_t number = unexpanded(pointer);
$others
    return (host_$class)integer_elsewhere(number, CLASS_$CLASS);
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
