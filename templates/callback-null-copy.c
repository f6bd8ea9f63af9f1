/* SPDX-License-Identifier: BSD-3-Clause */
EXPORTED int ${name}_call(void *handle, int keyval, void *state, void *in, void *out, int *flag) __asm__("$name");
int ${name}_call(void *handle, int keyval, void *state, void *in, void *out, int *flag)
{
    *flag = 0;
    return 0;
}
