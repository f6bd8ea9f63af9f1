/* SPDX-License-Identifier: BSD-3-Clause */
/* libmpi_cxx.so.40 imports this from Open MPI's base library: its object system, for the list items of MPI::Register_datarep(). */
#include <stdlib.h>

#include "convert/types.h"

typedef void object_function(void *object);

/* A class of objects, as the macros of Open MPI's headers lay it out. Both arrays end with null. */
struct object_class {
    const char *name;
    struct object_class *parent;
    object_function *construct, *destruct;
    int initialized, depth;
    object_function **constructors, **destructors;
    size_t size;
};
_Static_assert(offsetof(struct object_class, size) == 56, "where the library reads the size");

/* An initialized class has this number in `initialized`. */
extern EXPORTED int opal_class_init_epoch;
int opal_class_init_epoch = 1;

/* An object, then the links of the list and whether the item belongs to a free list. */
extern EXPORTED struct object_class opal_list_item_t_class;
struct object_class opal_list_item_t_class = { .name = "opal_list_item_t", .size = 40 };

/* Whether several threads may call Open MPI: what it guards by locks is guarded otherwise here. */
extern EXPORTED char opal_uses_threads;
char opal_uses_threads;

/* Fills the arrays: constructors from the root down, destructors from the class up. */
static void fill_functions(struct object_class *class, object_function **functions, int constructors)
{
    class->constructors = functions;
    class->destructors = functions + constructors + 1;
    object_function **destructor = class->destructors;
    for (const struct object_class *each = class; each; each = each->parent) {
        if (each->construct)
            class->constructors[--constructors] = each->construct;
        if (each->destruct)
            *destructor++ = each->destruct;
    }
}

EXPORTED void opal_class_initialize(struct object_class *class);
void opal_class_initialize(struct object_class *class)
{
    int depth = 0, constructors = 0;
    for (const struct object_class *each = class; each; each = each->parent) {
        depth++;
        constructors += each->construct != 0;
    }
    object_function **functions = calloc(2 * (size_t)(depth + 1), sizeof *functions);
    if (!functions)
        abort();
    fill_functions(class, functions, constructors);
    class->depth = depth;
    class->initialized = opal_class_init_epoch;
}
