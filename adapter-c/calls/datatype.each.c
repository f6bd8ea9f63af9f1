/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoding a datatype, MPI-4.1 section 5.1.13: the combiner, and among the integers of a subarray
 * or a distributed array the order, distributions and distribution arguments, are constants. */
#include <limits.h>

#include "convert/distinct_datatype.h"

/* MPI-5.0 section 20.4: in the standard ABI the size of an optional datatype that the host does not have is
 * MPI_UNDEFINED. Such a datatype leads to the null handle. */
static int is_null(host_datatype datatype)
{
    return APP_MPI_ABI_VERSION > 0 && HOST_DATATYPE_BITS(datatype) == HOST_DATATYPE_BITS(HOST_MPI_DATATYPE_NULL);
}

/* each
 * suffix  type       result_to_app
 * -       int        count_result_to_app
 * _c      MPI_Count  count_result_to_app
 * _x      MPI_Count  xcount_result_to_app
 */
COLD static int size${suffix}_of_null(app_datatype datatype, $type *size)
{
    if (!size || !predefined_lacking(CLASS_DATATYPE, APP_DATATYPE_BITS(datatype)))
        return error_to_app(host.MPI_Type_size$suffix(HOST_MPI_DATATYPE_NULL, size));
    *size = APP_MPI_UNDEFINED;
    return 0;
}

PROCEDURE(app_code, MPI_Type_size$suffix, app_datatype datatype, $type *size)
{
    host_datatype its = datatype_to_host(datatype);
    if (unlikely(is_null(its)))
        return size${suffix}_of_null(datatype, size);
    host_code rc = host.MPI_Type_size$suffix(its, size);
    if (unlikely(rc != 0))
        return error_to_app(rc);
    *size = $result_to_app(*size);
    return 0;
}
/* end */

/* A commit leaves the handle, so what stands in for a datatype that the host lacks must not come back in its place. */
PROCEDURE(app_code, MPI_Type_commit, app_datatype *datatype)
{
    host_datatype its = datatype ? datatype_to_host(*datatype) : HOST_NULL_datatype;
    host_code rc = host.MPI_Type_commit(datatype ? &its : 0);
    return likely(rc == 0) ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_Type_get_envelope, app_datatype datatype, int *integers, int *addresses, int *datatypes,
          int *combiner)
{
    host_code rc = host.MPI_Type_get_envelope(datatype_to_host(datatype), integers, addresses, datatypes, combiner);
    if (rc != 0)
        return error_to_app(rc);
    *combiner = combiner_to_app(*combiner);
    return 0;
}

PROCEDURE(app_code, MPI_Type_get_envelope_c, app_datatype datatype, MPI_Count *integers, MPI_Count *addresses,
          MPI_Count *large_counts, MPI_Count *datatypes, int *combiner)
{
    host_code rc = host.MPI_Type_get_envelope_c(datatype_to_host(datatype), integers, addresses, large_counts, datatypes,
                                          combiner);
    if (rc != 0)
        return error_to_app(rc);
    *combiner = combiner_to_app(*combiner);
    return 0;
}

/* Converts the constants among the integers; `large`: sizes are among the large counts instead. */
static void integers_to_app(int combiner, int *integers, int large)
{
    if (combiner == HOST_MPI_COMBINER_SUBARRAY) {
        int *order = &integers[large ? 1 : 1 + 3 * integers[0]];
        *order = order_to_app(*order);
    } else if (combiner == HOST_MPI_COMBINER_DARRAY) {
        int dimensions = integers[2];
        int *distributions = integers + 3 + (large ? 0 : dimensions), *arguments = distributions + dimensions;
        for (int i = 0; i < dimensions; i++) {
            distributions[i] = distribution_to_app(distributions[i]);
            arguments[i] = distribution_arg_to_app(arguments[i]);
        }
        arguments[2 * dimensions] = order_to_app(arguments[2 * dimensions]);
    }
}

/* The host is told of no more room than it needs: some look at all of it. Less is its to refuse. */
static MPI_Count needed(MPI_Count room, MPI_Count count)
{
    return room < count ? room : count;
}

/* A handle that leads to a predefined datatype of the program's is not the program's to free. */
static app_datatype part_to_app(host_datatype part)
{
    app_datatype converted = distinct_datatype_to_app(part);
    if (HAS_DATATYPE_STAND_INS && APP_DATATYPE_BITS(converted) != APP_DATATYPE_BITS(datatype_to_app(part)))
        host.MPI_Type_free(&part);
    return converted;
}

/* The application's array may be larger than what is written: `count` handles are converted. With stand-ins,
 * most are predefined all the same. */
static void datatypes_to_app(app_datatype *datatypes, const host_datatype *staged, MPI_Count count)
{
    for (MPI_Count i = 0; i < count; i++) {
        const struct predefined *found =
            HAS_DATATYPE_STAND_INS ? predefined_find(&predefined_datatype, HOST_DATATYPE_BITS(staged[i])) : 0;
        datatypes[i] = likely(found != 0) ? APP_DATATYPE_FROM(found->app) : part_to_app(staged[i]);
    }
}

PROCEDURE(app_code, MPI_Type_get_contents, app_datatype datatype, int max_integers, int max_addresses, int max_datatypes,
          int *integers, MPI_Aint *addresses, app_datatype *datatypes)
{
    host_datatype type = datatype_to_host(datatype), local[STAGE_LOCAL];
    int has_integers = 0, has_addresses, has_datatypes = 0, combiner = 0;
    host_code rc = host.MPI_Type_get_envelope(type, &has_integers, &has_addresses, &has_datatypes, &combiner);
    if (rc != 0)
        return error_to_app(rc);
    if (max_datatypes > 0 && !datatypes)
        return raise_error(HOST_MPI_ERR_ARG);
    host_datatype *staged = stage_room(local, max_datatypes, sizeof *staged);
    if (!staged)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    rc = host.MPI_Type_get_contents(type, max_integers, max_addresses, (int)needed(max_datatypes, has_datatypes),
                                    integers, addresses, staged);
    if (rc == 0) {
        integers_to_app(combiner, integers, 0);
        datatypes_to_app(datatypes, staged, has_datatypes);
    }
    unstage(staged, local);
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_Type_get_contents_c, app_datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
          MPI_Count max_large_counts, MPI_Count max_datatypes, int *integers, MPI_Aint *addresses,
          MPI_Count *large_counts, app_datatype *datatypes)
{
    host_datatype type = datatype_to_host(datatype), local[STAGE_LOCAL];
    MPI_Count has_integers = 0, has_addresses, has_large_counts = 0, has_datatypes = 0;
    int combiner = 0;
    host_code rc = host.MPI_Type_get_envelope_c(type, &has_integers, &has_addresses, &has_large_counts, &has_datatypes,
                                          &combiner);
    if (rc != 0)
        return error_to_app(rc);
    if (max_datatypes > 0 && !datatypes)
        return raise_error(HOST_MPI_ERR_ARG);
    host_datatype *staged = max_datatypes <= INT_MAX ? stage_room(local, (int)max_datatypes, sizeof *staged) : 0;
    if (!staged)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    rc = host.MPI_Type_get_contents_c(type, max_integers, max_addresses, max_large_counts,
                                      needed(max_datatypes, has_datatypes), integers, addresses, large_counts, staged);
    if (rc == 0) {
        integers_to_app(combiner, integers, has_large_counts > 0);
        datatypes_to_app(datatypes, staged, has_datatypes);
    }
    unstage(staged, local);
    return rc == 0 ? 0 : error_to_app(rc);
}
