/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints each step that owner_move() takes from a state that objects can be in, as OWNER BINDING FINDING OWNER BINDING. */
#include "isolate/owner.h"

#include <stdio.h>
#include <string.h>

static const char *const owners[] = { "UNDECIDED", "ADAPTER", "PROGRAM", "HOST", "TOOL", "ARRIVED", "INNER" };
static const char *const bindings[] = { "UNBOUND", "BOUND", "NO_SLOTS" };
static const char *const findings[] = { "FOUND_ADAPTER", "FOUND_PROGRAM", "FOUND_HOST", "FOUND_TOOL", "FOUND_ARRIVED",
                                        "FOUND_INNER", "FOUND_NO_SLOTS", "FOUND_BOUND", "FOUND_GONE" };
static int was_here[sizeof owners / sizeof *owners][sizeof bindings / sizeof *bindings];

static void follow(struct ownership from)
{
    if (was_here[from.owner][from.binding]++)
        return;
    for (int finding = FOUND_ADAPTER; finding <= FOUND_GONE; finding++) {
        struct ownership to = from;
        if (owner_move(&to, (enum finding)finding)) {
            printf("%s %s %s %s %s\n", owners[from.owner], bindings[from.binding], findings[finding], owners[to.owner],
                   bindings[to.binding]);
            follow(to);
        } else if (memcmp(&to, &from, sizeof to) != 0) {
            printf("%s is refused, but changes %s\n", findings[finding], owners[from.owner]);
        }
    }
}

int main(void)
{
    follow((struct ownership){ UNDECIDED, UNBOUND });
    return 0;
}
