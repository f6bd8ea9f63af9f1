/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes made of datatypes of large counts: which recipes these have, for MPI_Type_get_contents. */
#include <stdlib.h>

#include "convert/host_side.h"
#include "convert/life.h"
#include "layers/layers.h"
#include "stand_ins/recipe.h"

/* The datatypes that another one was made of, in the order of its contents: the recipe of each, or its own parts, or neither. */
struct parts {
    int references;
    int count;
    struct made_of {
        struct recipe *recipe;
        struct parts *parts;
    } part[];
};

static struct adapter_keyval parts_keyval;

static void release_parts(struct parts *parts)
{
    if (__atomic_sub_fetch(&parts->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    for (int i = 0; i < parts->count; i++) {
        if (parts->part[i].recipe)
            recipe_release(parts->part[i].recipe);
        if (parts->part[i].parts)
            release_parts(parts->part[i].parts);
    }
    free(parts);
}

static struct parts *retain_parts(struct parts *parts)
{
    __atomic_add_fetch(&parts->references, 1, __ATOMIC_RELAXED);
    return parts;
}

static int discard_parts(host_datatype datatype, int key, void *value, void *state)
{
    release_parts(value);
    return HOST_MPI_SUCCESS;
}

static struct parts *recorded_parts(host_datatype datatype)
{
    struct parts *parts = 0;
    int flag = 0, key = adapter_keyval(&parts_keyval);
    int rc = key == HOST_MPI_KEYVAL_INVALID ? 0 : host.MPI_Type_get_attr(datatype, key, &parts, &flag);
    return rc == 0 && flag ? parts : 0;
}

static int are_worth_it(int count, const host_datatype *types)
{
    for (int i = 0; i < count; i++)
        if (recipe_of(types[i]) || recorded_parts(types[i]))
            return 1;
    return 0;
}

/* Gives a datatype a reference to parts. Returns the host's error code. */
static int attach_parts(struct parts *parts, host_datatype datatype)
{
    int rc = host.MPI_Type_set_attr(datatype, adapter_keyval(&parts_keyval), parts);
    if (rc != 0)
        release_parts(parts);
    return rc;
}

static struct made_of part_for(host_datatype datatype)
{
    struct recipe *recipe = recipe_of(datatype);
    struct parts *parts = recipe ? 0 : recorded_parts(datatype);
    return (struct made_of){ recipe ? recipe_hold(recipe) : 0, parts ? retain_parts(parts) : 0 };
}

/* Without memory the parts are shown as what the host made of them. */
static int remember_parts(int count, const host_datatype *types, host_datatype made)
{
    struct parts *parts = calloc(1, sizeof *parts + (size_t)count * sizeof *parts->part);
    int rc = adapter_keyval_need(&parts_keyval, host.MPI_Type_create_keyval, host.MPI_Type_free_keyval,
                                 (mpi_function *)HOST_MPI_TYPE_NULL_COPY_FN, (mpi_function *)discard_parts);
    if (!parts || rc != 0) {
        free(parts);
        return rc;
    }
    parts->references = 1;
    parts->count = count;
    for (int i = 0; i < count; i++)
        parts->part[i] = part_for(types[i]);
    return attach_parts(parts, made);
}

static int made_of(int rc, int count, const host_datatype *types, const host_datatype *made)
{
    return rc == 0 && are_worth_it(count, types) ? remember_parts(count, types, *made) : rc;
}

#define CONSTRUCTORS(each) each(MPI_Type_create_struct) each(MPI_Type_get_contents)                        \
    each(MPI_Type_contiguous) each(MPI_Type_vector) each(MPI_Type_create_hvector) each(MPI_Type_indexed) \
    each(MPI_Type_create_hindexed) each(MPI_Type_create_indexed_block) each(MPI_Type_create_hindexed_block) \
    each(MPI_Type_create_subarray) each(MPI_Type_create_darray) each(MPI_Type_dup) each(MPI_Type_create_resized)
LAYER_PART(constructors, CONSTRUCTORS);

static int noting_MPI_Type_contiguous(int count, host_datatype oldtype, host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_contiguous)(count, oldtype, newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_vector(int count, int length, int stride, host_datatype oldtype, host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_vector)(count, length, stride, oldtype, newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_create_hvector(int count, int length, MPI_Aint stride, host_datatype oldtype, host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_create_hvector)(count, length, stride, oldtype, newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_indexed(int count, const int *lengths, const int *places, host_datatype oldtype,
                                   host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_indexed)(count, lengths, places, oldtype, newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_create_hindexed(int count, const int *lengths, const MPI_Aint *places, host_datatype oldtype,
                                           host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_create_hindexed)(count, lengths, places, oldtype, newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_create_indexed_block(int count, int length, const int *places, host_datatype oldtype,
                                                host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_create_indexed_block)(count, length, places, oldtype,
                                                                     newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint *places, host_datatype oldtype,
                                                 host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_create_hindexed_block)(count, length, places, oldtype,
                                                                      newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_create_subarray(int ndims, const int *sizes, const int *subsizes, const int *starts, int order,
                                           host_datatype oldtype, host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_create_subarray)(ndims, sizes, subsizes, starts, order, oldtype,
                                                                newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_create_darray(int size, int rank, int ndims, const int *gsizes, const int *distribs, const int *dargs,
                                         const int *psizes, int order, host_datatype oldtype, host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_create_darray)(size, rank, ndims, gsizes, distribs, dargs, psizes, order, oldtype,
                                                              newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_dup(host_datatype oldtype, host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_dup)(oldtype, newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_create_resized(host_datatype oldtype, MPI_Aint lower, MPI_Aint extent, host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_create_resized)(oldtype, lower, extent, newtype), 1, &oldtype, newtype);
}

static int noting_MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *places, const host_datatype *types,
                                         host_datatype *newtype)
{
    return made_of(NEXT(constructors, MPI_Type_create_struct)(count, lengths, places, types, newtype), count, types, newtype);
}

/* Gives a copy that the host handed out what its original has. */
static int restore_part(const struct made_of *part, host_datatype copy)
{
    if (part->recipe && !recipe_of(copy))
        return recipe_share(part->recipe, copy);
    return part->parts && !recorded_parts(copy) ? attach_parts(retain_parts(part->parts), copy) : 0;
}

static int noting_MPI_Type_get_contents(host_datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                                        int *integers, MPI_Aint *addresses, host_datatype *datatypes)
{
    int rc = NEXT(constructors, MPI_Type_get_contents)(datatype, max_integers, max_addresses, max_datatypes, integers, addresses,
                                                       datatypes);
    const struct parts *parts = rc == 0 ? recorded_parts(datatype) : 0;
    for (int i = 0; parts && rc == 0 && i < parts->count; i++)
        rc = restore_part(&parts->part[i], datatypes[i]);
    return rc;
}

#define CONSTRUCTOR(name) OVERRIDE(constructors, name, noting_##name),
void parts_install(void)
{
    LAYER_INSTALL(LAYER_DATATYPE, constructors, CONSTRUCTORS(CONSTRUCTOR));
}
