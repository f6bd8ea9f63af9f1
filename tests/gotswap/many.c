/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that calls eight functions of its own through slots in the same page. */
#define KEEP __attribute__((noipa, visibility("default")))
#define FUNCTION(n)                        \
    int own_##n(void) KEEP;                \
    int own_##n(void)                      \
    {                                      \
        return 1;                          \
    }                                      \
    int call_##n(void) KEEP;               \
    int call_##n(void)                     \
    {                                      \
        return own_##n() + 0;              \
    }
FUNCTION(0)
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
FUNCTION(4)
FUNCTION(5)
FUNCTION(6)
FUNCTION(7)
