/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions and data whose slots are swapped. */
int callee(void);
int callee(void)
{
    return 1;
}

char callee_data[64];
