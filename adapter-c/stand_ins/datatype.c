/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes of large counts, MPI-4.1 section 5.1, on a host whose constructors take int counts:
 * the same type map, nested where a count does not fit. An attribute of such a datatype keeps its
 * arguments, for those who decode it. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "stand_ins/narrow.h"
#include "stand_ins/recipe.h"
#include "convert/host_side.h"
#include "layers/layers.h"
#include "convert/life.h"
#include "layers/built.h"

/* A constructor's arguments. `example` is a datatype of the host's made of the same datatypes,
 * which it keeps alive and hands out again. */
struct recipe {
    int references;
    int combiner, integers, large_counts, datatypes;
    host_datatype example;
    int *integer;
    MPI_Count large_count[];
};

static struct adapter_keyval recipe_keyval;

void recipe_release(struct recipe *recipe)
{
    if (__atomic_sub_fetch(&recipe->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    drop_datatype(&recipe->example);
    free(recipe);
}

static int discard_recipe(host_datatype datatype, int key, void *value, void *state)
{
    recipe_release(value);
    return HOST_MPI_SUCCESS;
}

struct recipe *recipe_of(host_datatype datatype)
{
    struct recipe *recipe = 0;
    int flag = 0, key = adapter_keyval(&recipe_keyval);
    if (key == HOST_MPI_KEYVAL_INVALID || is_null_datatype(datatype) || host.MPI_Type_get_attr(datatype, key, &recipe, &flag) != 0)
        return 0;
    return flag ? recipe : 0;
}

static struct recipe *begin_recipe(int combiner, int integers, int large_counts, int datatypes)
{
    size_t counts = (size_t)large_counts * sizeof(MPI_Count);
    struct recipe *recipe = malloc(sizeof *recipe + counts + (size_t)integers * sizeof(int));
    if (!recipe)
        return 0;
    *recipe = (struct recipe){ 1, combiner, integers, 0, datatypes, HOST_MPI_DATATYPE_NULL, 0 };
    recipe->integer = (int *)(recipe->large_count + large_counts);
    return recipe;
}

static void add_counts(struct recipe *recipe, const MPI_Count *counts, MPI_Count number)
{
    memcpy(recipe->large_count + recipe->large_counts, counts, (size_t)number * sizeof *counts);
    recipe->large_counts += (int)number;
}

/* Makes a datatype of blocks at places. The host takes as many as an int counts. */
static int create_structure(MPI_Count count, const MPI_Count *lengths, MPI_Count every, const MPI_Count *places,
                            MPI_Count unit, const host_datatype *types, int same, host_datatype *made)
{
    host_code rc = count == (int)count ? 0 : fail(unsupported("a datatype of so many blocks")), blocks = 0;
    size_t room = rc == 0 && count > 0 ? (size_t)count : 1;
    struct narrow *narrowed = malloc(room * sizeof *narrowed);
    int *counts = malloc(room * sizeof *counts);
    MPI_Aint *at = malloc(room * sizeof *at);
    host_datatype *of = malloc(room * sizeof *of);
    if (rc == 0 && (!narrowed || !counts || !at || !of))
        rc = fail(HOST_MPI_ERR_NO_MEM);
    for (; rc == 0 && blocks < count; blocks++) {
        rc = narrow(&narrowed[blocks], lengths ? lengths[blocks] : every, types[same ? 0 : blocks]);
        counts[blocks] = narrowed[blocks].count;
        of[blocks] = narrowed[blocks].datatype;
        at[blocks] = (MPI_Aint)(places[blocks] * unit);
    }
    if (rc == 0)
        rc = host.MPI_Type_create_struct((int)count, counts, at, of, made);
    for (int i = 0; i < blocks; i++)
        narrow_done(&narrowed[i]);
    free(of);
    free(at);
    free(counts);
    free(narrowed);
    return rc;
}

#define ENVELOPES(each) each(MPI_Type_get_envelope)
LAYER_PART(envelopes, ENVELOPES);

/* A datatype made with large counts has no envelope of ints, MPI-4.1 section 5.1.13. */
static int int_envelope(host_datatype datatype, int *integers, int *addresses, int *datatypes, int *combiner)
{
    int ni, na, nd, combined, rc;
    if (!integers || !addresses || !datatypes || !combiner)
        return NEXT(envelopes, MPI_Type_get_envelope)(datatype, integers, addresses, datatypes, combiner);
    rc = NEXT(envelopes, MPI_Type_get_envelope)(datatype, &ni, &na, &nd, &combined);
    if (rc == 0 && recipe_of(datatype))
        rc = fail(HOST_MPI_ERR_TYPE);
    if (rc != 0)
        return rc;
    *integers = ni;
    *addresses = na;
    *datatypes = nd;
    *combiner = combined;
    return 0;
}

static void install_envelopes(void)
{
    LAYER_INSTALL(LAYER_DATATYPE, envelopes, OVERRIDE(envelopes, MPI_Type_get_envelope, int_envelope));
    parts_install();
}

static void install_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_envelopes);
}

struct recipe *recipe_hold(struct recipe *recipe)
{
    __atomic_add_fetch(&recipe->references, 1, __ATOMIC_RELAXED);
    return recipe;
}

int recipe_share(struct recipe *recipe, host_datatype datatype)
{
    int rc = host.MPI_Type_set_attr(datatype, adapter_keyval(&recipe_keyval), recipe_hold(recipe));
    if (rc != 0)
        recipe_release(recipe);
    return rc;
}

/* Attaches a recipe to what was made of it, with an example of its datatypes. */
static int attach_recipe(struct recipe *recipe, const host_datatype *types, host_datatype made)
{
    static const MPI_Count zeros[1];
    MPI_Count *places = recipe->datatypes > 1 ? calloc((size_t)recipe->datatypes, sizeof *places) : 0;
    install_once();
    if (recipe->datatypes > 1 && !places)
        return fail(HOST_MPI_ERR_NO_MEM);
    host_code rc = adapter_keyval_need(&recipe_keyval, host.MPI_Type_create_keyval, host.MPI_Type_free_keyval,
                                       (mpi_function *)HOST_MPI_TYPE_NULL_COPY_FN, (mpi_function *)discard_recipe);
    if (rc == 0)
        rc = create_structure(recipe->datatypes, 0, 1, places ? places : zeros, 1, types, 0, &recipe->example);
    free(places);
    return rc == 0 ? host.MPI_Type_set_attr(made, adapter_keyval(&recipe_keyval), recipe) : rc;
}

/* Keeps what a datatype was made of. Without memory for the recipe it is decoded as what the host
 * made of it. A recipe that cannot be attached goes, and the datatype with it. */
static int keep_recipe(host_code rc, struct recipe *recipe, const host_datatype *types, host_datatype *made)
{
    if (rc != 0 || !recipe) {
        free(recipe);
        return rc;
    }
    rc = attach_recipe(recipe, types, *made);
    if (rc != 0) {
        drop_datatype(&recipe->example);
        free(recipe);
        drop_datatype(made);
    }
    return rc;
}

static int fits(const MPI_Count *values, MPI_Count count)
{
    for (MPI_Count i = 0; i < count; i++)
        if (values[i] > NARROW_MAX || values[i] < -(MPI_Count)NARROW_MAX)
            return 0;
    return 1;
}

/* Makes a datatype of blocks at even distances, which are given in bytes. */
static int create_strided(MPI_Count count, MPI_Count length, MPI_Count stride, host_datatype oldtype,
                          host_datatype *made)
{
    host_datatype part = HOST_MPI_DATATYPE_NULL, parts[] = { part, part };
    MPI_Count most = count / NARROW_MAX, places[] = { 0, stride * NARROW_MAX * most };
    struct narrow block;
    host_code rc = narrow(&block, length, oldtype);
    if (rc == 0 && count <= NARROW_MAX) {
        rc = host.MPI_Type_create_hvector(narrow_count(count), block.count, (MPI_Aint)stride, block.datatype, made);
    } else if (rc == 0) {
        rc = host.MPI_Type_create_hvector(NARROW_MAX, block.count, (MPI_Aint)stride, block.datatype, &part);
        if (rc == 0)
            rc = create_strided(most, 1, stride * NARROW_MAX, part, &parts[0]);
        if (rc == 0)
            rc = host.MPI_Type_create_hvector((int)(count % NARROW_MAX), block.count, (MPI_Aint)stride, block.datatype,
                                              &parts[1]);
        if (rc == 0)
            rc = create_structure(2, 0, 1, places, 1, parts, 0, made);
        drop_datatype(&part);
        drop_datatype(&parts[0]);
        drop_datatype(&parts[1]);
    }
    narrow_done(&block);
    return rc;
}

static int extent_of(host_datatype datatype, MPI_Count *extent)
{
    MPI_Aint lower, bytes = 0;
    host_code rc = host.MPI_Type_get_extent(datatype, &lower, &bytes);
    *extent = bytes;
    return rc;
}

host_code built_MPI_Type_contiguous_c(MPI_Count count, host_datatype oldtype, host_datatype *newtype)
{
    struct recipe *recipe = begin_recipe(HOST_MPI_COMBINER_CONTIGUOUS, 0, 1, 1);
    host_code rc = count <= NARROW_MAX ? host.MPI_Type_contiguous(narrow_count(count), oldtype, newtype)
                                 : narrow_datatype(count, oldtype, newtype);
    if (recipe)
        add_counts(recipe, &count, 1);
    return keep_recipe(rc, recipe, &oldtype, newtype);
}

static int create_vector(int combiner, MPI_Count count, MPI_Count length, MPI_Count stride, MPI_Count unit,
                         host_datatype oldtype, host_datatype *newtype)
{
    const MPI_Count counts[] = { count, length, stride };
    struct recipe *recipe = begin_recipe(combiner, 0, 3, 1);
    host_code rc = create_strided(count, length, stride * unit, oldtype, newtype);
    if (recipe)
        add_counts(recipe, counts, 3);
    return keep_recipe(rc, recipe, &oldtype, newtype);
}

host_code built_MPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, host_datatype oldtype,
                            host_datatype *newtype)
{
    MPI_Count extent;
    host_code rc = extent_of(oldtype, &extent);
    return rc == 0 ? create_vector(HOST_MPI_COMBINER_VECTOR, count, blocklength, stride, extent, oldtype, newtype) : rc;
}

host_code built_MPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, host_datatype oldtype,
                                    host_datatype *newtype)
{
    return create_vector(HOST_MPI_COMBINER_HVECTOR, count, blocklength, stride, 1, oldtype, newtype);
}

/* Makes a datatype of blocks at places in units of bytes or extents. Each has its own length, or all have the length `every`; each has
 * its own datatype, or all have the same. */
static int create_indexed(int combiner, MPI_Count count, const MPI_Count *lengths, const MPI_Count *every,
                          const MPI_Count *places, int in_extents, const host_datatype *types, int same,
                          host_datatype *newtype)
{
    MPI_Count unit = 1;
    struct recipe *recipe = 0;
    host_code rc = count > 0 && (!places || (!lengths && !every) || !types) ? fail(HOST_MPI_ERR_ARG) : 0;
    if (rc == 0 && in_extents)
        rc = extent_of(types[0], &unit);
    if (rc == 0)
        rc = create_structure(count, lengths, every ? *every : 0, places, unit, types, same, newtype);
    if (rc == 0 && count < INT_MAX / 2 &&
        (recipe = begin_recipe(combiner, 0, 1 + (int)count + (every ? 1 : (int)count), same ? 1 : (int)count))) {
        add_counts(recipe, &count, 1);
        add_counts(recipe, every ? every : lengths, every ? 1 : count);
        add_counts(recipe, places, count);
    }
    return keep_recipe(rc, recipe, types, newtype);
}

host_code built_MPI_Type_indexed_c(MPI_Count count, const MPI_Count *lengths, const MPI_Count *places, host_datatype oldtype,
                             host_datatype *newtype)
{
    return create_indexed(HOST_MPI_COMBINER_INDEXED, count, lengths, 0, places, 1, &oldtype, 1, newtype);
}

host_code built_MPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count *lengths, const MPI_Count *places,
                                     host_datatype oldtype, host_datatype *newtype)
{
    return create_indexed(HOST_MPI_COMBINER_HINDEXED, count, lengths, 0, places, 0, &oldtype, 1, newtype);
}

host_code built_MPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count length, const MPI_Count *places,
                                          host_datatype oldtype, host_datatype *newtype)
{
    return create_indexed(HOST_MPI_COMBINER_INDEXED_BLOCK, count, 0, &length, places, 1, &oldtype, 1, newtype);
}

host_code built_MPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count length, const MPI_Count *places,
                                           host_datatype oldtype, host_datatype *newtype)
{
    return create_indexed(HOST_MPI_COMBINER_HINDEXED_BLOCK, count, 0, &length, places, 0, &oldtype, 1, newtype);
}

host_code built_MPI_Type_create_struct_c(MPI_Count count, const MPI_Count *lengths, const MPI_Count *places,
                                   const host_datatype *types, host_datatype *newtype)
{
    return create_indexed(HOST_MPI_COMBINER_STRUCT, count, lengths, 0, places, 0, types, 0, newtype);
}

host_code built_MPI_Type_create_resized_c(host_datatype oldtype, MPI_Count lower, MPI_Count extent, host_datatype *newtype)
{
    struct recipe *recipe = begin_recipe(HOST_MPI_COMBINER_RESIZED, 0, 2, 1);
    host_code rc = host.MPI_Type_create_resized(oldtype, (MPI_Aint)lower, (MPI_Aint)extent, newtype);
    if (recipe) {
        add_counts(recipe, &lower, 1);
        add_counts(recipe, &extent, 1);
    }
    return keep_recipe(rc, recipe, &oldtype, newtype);
}

/* Checks a subarray's arguments as the host would. */
static int check_subarray(int ndims, const MPI_Count *sizes, const MPI_Count *subsizes, const MPI_Count *starts, int order)
{
    if (ndims <= 0 || !sizes || !subsizes || !starts || (order != HOST_MPI_ORDER_C && order != HOST_MPI_ORDER_FORTRAN))
        return fail_in(HOST_MPI_ERR_ARG, "MPI_Type_create_subarray");
    for (int i = 0; i < ndims; i++)
        if (subsizes[i] < 1 || subsizes[i] > sizes[i] || starts[i] < 0 || starts[i] > sizes[i] - subsizes[i])
            return fail_in(HOST_MPI_ERR_ARG, "MPI_Type_create_subarray");
    return 0;
}

/* Makes a subarray, dimension by dimension, from the one whose elements are next to each other. */
static int create_subarray(int ndims, const MPI_Count *sizes, const MPI_Count *subsizes, const MPI_Count *starts,
                           int order, host_datatype oldtype, host_datatype *newtype)
{
    MPI_Count stride, first = 0;
    host_datatype inner = HOST_MPI_DATATYPE_NULL, placed = inner;
    host_code rc = extent_of(oldtype, &stride);
    for (int i = 0; rc == 0 && i < ndims; i++) {
        int dimension = order == HOST_MPI_ORDER_C ? ndims - 1 - i : i;
        host_datatype made = HOST_MPI_DATATYPE_NULL;
        rc = create_strided(subsizes[dimension], 1, stride, i > 0 ? inner : oldtype, &made);
        drop_datatype(&inner);
        inner = made;
        first += starts[dimension] * stride;
        stride *= sizes[dimension];
    }
    if (rc == 0)
        rc = create_structure(1, 0, 1, &first, 1, &inner, 1, &placed);
    if (rc == 0)
        rc = host.MPI_Type_create_resized(placed, 0, (MPI_Aint)stride, newtype);
    drop_datatype(&placed);
    drop_datatype(&inner);
    return rc;
}

host_code built_MPI_Type_create_subarray_c(int ndims, const MPI_Count *sizes, const MPI_Count *subsizes,
                                     const MPI_Count *starts, int order, host_datatype oldtype, host_datatype *newtype)
{
    host_code rc = check_subarray(ndims, sizes, subsizes, starts, order);
    if (rc == 0)
        rc = create_subarray(ndims, sizes, subsizes, starts, order, oldtype, newtype);
    struct recipe *recipe = rc == 0 ? begin_recipe(HOST_MPI_COMBINER_SUBARRAY, 2, 3 * ndims, 1) : 0;
    if (recipe) {
        recipe->integer[0] = ndims;
        recipe->integer[1] = order;
        add_counts(recipe, sizes, ndims);
        add_counts(recipe, subsizes, ndims);
        add_counts(recipe, starts, ndims);
    }
    return keep_recipe(rc, recipe, &oldtype, newtype);
}

host_code built_MPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count *gsizes, const int *distribs,
                                   const int *dargs, const int *psizes, int order, host_datatype oldtype,
                                   host_datatype *newtype)
{
    if (ndims > 0 && (!gsizes || !distribs || !dargs || !psizes))
        return fail(HOST_MPI_ERR_ARG);
    void *arrays = 0;
    int *narrowed, rc = fits(gsizes, ndims) ? narrow_array(&arrays, &narrowed, gsizes, ndims) : -1;
    if (rc != 0) {
        retain_arrays(0, arrays);
        return fail(rc < 0 ? unsupported("a distributed array of so many elements") : rc);
    }
    rc = host.MPI_Type_create_darray(size, rank, ndims, narrowed, distribs, dargs, psizes, order, oldtype, newtype);
    retain_arrays(0, arrays);
    struct recipe *recipe = rc == 0 ? begin_recipe(HOST_MPI_COMBINER_DARRAY, 3 * ndims + 4, ndims, 1) : 0;
    if (recipe) {
        const int head[] = { size, rank, ndims };
        size_t each = (size_t)ndims * sizeof(int);
        memcpy(recipe->integer, head, sizeof head);
        memcpy(recipe->integer + 3, distribs, each);
        memcpy(recipe->integer + 3 + ndims, dargs, each);
        memcpy(recipe->integer + 3 + 2 * ndims, psizes, each);
        recipe->integer[3 + 3 * ndims] = order;
        add_counts(recipe, gsizes, ndims);
    }
    return keep_recipe(rc, recipe, &oldtype, newtype);
}

host_code built_MPI_Type_get_envelope_c(host_datatype datatype, MPI_Count *integers, MPI_Count *addresses,
                                  MPI_Count *large_counts, MPI_Count *datatypes, int *combiner)
{
    int ni, na, nd, combined;
    if (!integers || !addresses || !large_counts || !datatypes || !combiner)
        return fail(HOST_MPI_ERR_ARG);
    install_once();
    host_code rc = NEXT(envelopes, MPI_Type_get_envelope)(datatype, &ni, &na, &nd, &combined);
    if (rc != 0)
        return rc;
    const struct recipe *recipe = recipe_of(datatype);
    *integers = recipe ? recipe->integers : ni;
    *addresses = recipe ? 0 : na;
    *large_counts = recipe ? recipe->large_counts : 0;
    *datatypes = recipe ? recipe->datatypes : nd;
    *combiner = recipe ? recipe->combiner : combined;
    return 0;
}

/* Gets the datatypes of a recipe, as the host hands them out: they are the blocks of a structure. */
static int datatypes_of(const struct recipe *recipe, host_datatype *datatypes)
{
    int count = recipe->datatypes;
    int *integers = malloc((size_t)(count + 1) * sizeof *integers);
    MPI_Aint *addresses = malloc((size_t)(count + 1) * sizeof *addresses);
    host_code rc = integers && addresses ? host.MPI_Type_get_contents(recipe->example, count + 1, count, count, integers,
                                                                addresses, datatypes)
                                   : fail(HOST_MPI_ERR_NO_MEM);
    free(addresses);
    free(integers);
    return rc;
}

host_code built_MPI_Type_get_contents_c(host_datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                                  MPI_Count max_large_counts, MPI_Count max_datatypes, int *integers,
                                  MPI_Aint *addresses, MPI_Count *large_counts, host_datatype *datatypes)
{
    const struct recipe *recipe = recipe_of(datatype);
    if (max_large_counts < 0)
        return fail(HOST_MPI_ERR_ARG);
    if (!recipe)
        return host.MPI_Type_get_contents(datatype, narrow_count(max_integers), narrow_count(max_addresses),
                                          narrow_count(max_datatypes),
                                          integers, addresses, datatypes);
    if (max_integers < recipe->integers || max_large_counts < recipe->large_counts ||
        max_datatypes < recipe->datatypes || (recipe->integers && !integers) ||
        (recipe->large_counts && !large_counts) || !datatypes)
        return fail(HOST_MPI_ERR_ARG);
    host_code rc = datatypes_of(recipe, datatypes);
    if (rc != 0)
        return rc;
    if (recipe->integers)
        memcpy(integers, recipe->integer, (size_t)recipe->integers * sizeof *integers);
    memcpy(large_counts, recipe->large_count, (size_t)recipe->large_counts * sizeof *large_counts);
    return 0;
}
