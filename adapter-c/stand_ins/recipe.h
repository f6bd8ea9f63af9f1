/* SPDX-License-Identifier: BSD-3-Clause */
/* A recipe: the arguments that made a datatype of large counts, on a host whose MPI_Type_get_contents cannot return them
 * (MPI-4.1 section 5.1.13). It is an attribute of the datatype. For the datatypes that another one was made of, some hosts
 * return copies without attributes. So a datatype that was made of such ones keeps their recipes, too. */
#ifndef RECIPE_H
#define RECIPE_H

#include "host.h"

struct recipe;

/* Returns the recipe of a datatype, or null. The datatype keeps it alive. */
struct recipe *recipe_of(host_datatype datatype);

/* Add a reference, and drop one; the last one frees the recipe. recipe_hold() returns its argument. */
struct recipe *recipe_hold(struct recipe *recipe);
void recipe_release(struct recipe *recipe);

/* Gives a datatype the recipe of another one. Returns the host's error code. */
int recipe_share(struct recipe *recipe, host_datatype datatype);

/* Installs the layer that looks after recipes. To be called once, before the first datatype has a recipe. */
void parts_install(void);

#endif
