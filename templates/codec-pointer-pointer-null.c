/* SPDX-License-Identifier: BSD-3-Clause */
INLINE host_$class ${class}_to_host(app_$class handle)
{
    return handle == $app_null ? $host_null : (host_$class)handle;
}

INLINE app_$class ${class}_to_app(host_$class handle)
{
    return handle == $host_null ? $app_null : (app_$class)handle;
}

INLINE app_$class ${class}_at(const host_$class *handle)
{
    return ${class}_to_app(*handle);
}
