/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that defines a common block, as compilers for Fortran do, and some more. */
extern int imported __attribute__((weak));
__attribute__((common)) int block_[4];
__attribute__((visibility("protected"))) int protected_block = 1;

int callee_one(void)
{
    return &imported ? block_[0] : protected_block;
}
