/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments that made a datatype of large counts, on a host that cannot say so (MPI-4.1 section 5.1.13). It is an
 * attribute of the datatype. Some hosts hand out copies without attributes for the datatypes that another one was made
 * of, so datatypes made of such ones remember what these were made of. */
#ifndef RECIPE_H
#define RECIPE_H

#include "host.h"

struct recipe;

/* The recipe of a datatype, or null. The datatype keeps it alive. */
struct recipe *recipe_of(host_datatype datatype);

/* Adds a reference, and drops one. */
struct recipe *recipe_hold(struct recipe *recipe);
void recipe_release(struct recipe *recipe);

/* Gives a datatype the recipe of another one. Returns the host's error code. */
int recipe_share(struct recipe *recipe, host_datatype datatype);

/* To be called once, before the first datatype has a recipe. */
void parts_install(void);

#endif
