/* SPDX-License-Identifier: BSD-3-Clause */
/* A predefined handle is the address of an object, which has the host's handle. Another handle is the host's pointer, with the
 * uppermost bit set, which no address of an object has. The host's pointers have 63 bits that count: addresses are below 2^47, and
 * integers behind pointers have a sign or none. */
INLINE host_$class ${class}_to_host(app_$class handle)
{
    intptr_t bits = (intptr_t)handle;
    if (likely(bits > 0))
        return (host_$class)((const struct app_object *)bits)->word;
    return (host_$class)((intptr_t)((uint64_t)bits << 1) >> 1);
}

INLINE int ${class}s_are_dynamic(const app_$class *handles)
{
    return ((intptr_t)handles[0] & (intptr_t)handles[1] & (intptr_t)handles[2] & (intptr_t)handles[3]) < 0;
}

INLINE host_$class dynamic_${class}_to_host(app_$class handle)
{
    return (host_$class)((intptr_t)((uint64_t)(intptr_t)handle << 1) >> 1);
}

INLINE app_$class ${class}_to_app(host_$class handle)
{
    return handle == $host_null ? $app_null : (app_$class)((intptr_t)handle | INTPTR_MIN);
}

INLINE app_$class ${class}_at(const host_$class *handle)
{
    return ${class}_to_app(*handle);
}
