/* SPDX-License-Identifier: BSD-3-Clause */
/* Data representations, MPI-4.1 section 14.5.3. */
#include <stdlib.h>

#include "convert/adapter.h"
#include "layers/built.h"

/* A data representation's callbacks; it stays registered until the process ends. */
typedef int extent_function(app_datatype, MPI_Aint *, void *);
typedef int conversion_function(void *, app_datatype, int, void *, MPI_Offset, void *);
typedef int conversion_function_c(void *, app_datatype, MPI_Count, void *, MPI_Offset, void *);
struct datarep {
    mpi_function *read, *write;
    extent_function *extent;
    void *state;
};

static int datarep_extent(host_datatype datatype, MPI_Aint *extent, void *state)
{
    const struct datarep *datarep = state;
    return error_to_host(datarep->extent(datatype_to_app(datatype), extent, datarep->state));
}

/* The last two are the application's large-count functions, called by a host that has counts of type int only. */
/* each
 * name           field  type                   count_type
 * read           read   conversion_function    int
 * write          write  conversion_function    int
 * read_c         read   conversion_function_c  MPI_Count
 * write_c        write  conversion_function_c  MPI_Count
 * widened_read   read   conversion_function_c  int
 * widened_write  write  conversion_function_c  int
 */
static int datarep_$name(void *user, host_datatype datatype, $count_type count, void *file, MPI_Offset position, void *state)
{
    const struct datarep *datarep = state;
    $type *convert = ($type *)datarep->$field;
    return error_to_host(convert(user, datatype_to_app(datatype), count, file, position, datarep->state));
}
/* end */

host_code built_MPI_Register_datarep_c(const char *name, mpi_function *read, mpi_function *write, mpi_function *extent,
                                 void *state)
{
    if (read == (mpi_function *)datarep_read_c)
        read = (mpi_function *)datarep_widened_read;
    if (write == (mpi_function *)datarep_write_c)
        write = (mpi_function *)datarep_widened_write;
    return host.MPI_Register_datarep(name, read, write, extent, state);
}

typedef int register_function(const char *, mpi_function *, mpi_function *, mpi_function *, void *);

/* A null pointer for the extent's function is the host's to refuse. */
static int register_datarep(register_function *call, const char *name, mpi_function *read, mpi_function *write,
                            struct datarep callbacks)
{
    struct datarep *datarep = malloc(sizeof *datarep);
    if (!datarep)
        return raise_file(HOST_MPI_FILE_NULL, HOST_MPI_ERR_NO_MEM);
    *datarep = callbacks;
    if ((void *)callbacks.read == APP_MPI_CONVERSION_FN_NULL)
        read = (mpi_function *)HOST_MPI_CONVERSION_FN_NULL;
    if ((void *)callbacks.write == APP_MPI_CONVERSION_FN_NULL)
        write = (mpi_function *)HOST_MPI_CONVERSION_FN_NULL;
    host_code rc = call(name, read, write, callbacks.extent ? (mpi_function *)datarep_extent : 0, datarep);
    if (rc != 0) {
        free(datarep);
        return error_to_app(rc);
    }
    return 0;
}

PROCEDURE(app_code, MPI_Register_datarep, const char *name, mpi_function *read, mpi_function *write,
          extent_function *extent, void *state)
{
    return register_datarep(host.MPI_Register_datarep, name, (mpi_function *)datarep_read,
                            (mpi_function *)datarep_write, (struct datarep){ read, write, extent, state });
}

PROCEDURE(app_code, MPI_Register_datarep_c, const char *name, mpi_function *read, mpi_function *write,
          extent_function *extent, void *state)
{
    return register_datarep(host.MPI_Register_datarep_c, name, (mpi_function *)datarep_read_c,
                            (mpi_function *)datarep_write_c, (struct datarep){ read, write, extent, state });
}
