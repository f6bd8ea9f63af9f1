/* SPDX-License-Identifier: BSD-3-Clause */
EXPORTED int ${name}_call(void *handle, int keyval, void *value, void *state) __asm__("$name");
int ${name}_call(void *handle, int keyval, void *value, void *state)
{
    return 0;
}
