/* SPDX-License-Identifier: BSD-3-Clause */
/* Each returns 1, or 2 after its callee's slots were swapped. */
#define KEEP __attribute__((noipa, visibility("default")))
int own(void) KEEP;
int call_direct(void) KEEP;
int call_table(void) KEEP;
int call_own(void) KEEP;
int call_packed(void) KEEP;

/* callee_data + 8, or what it was swapped to, plus 8. */
char *get_pointer(void) KEEP;
