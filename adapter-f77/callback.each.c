/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran procedures that MPI calls: reductions (MPI-4.1 section 6.9.5), error handlers (section
 * 9.3), generalized requests (section 13.2) and data representations (section 14.5.3). */
#include "fortran.h"
#include "fortran_prototypes.h"

/* ---------------------------------------------------------------- reductions, error handlers
 * If handles are integers in both languages, C and Fortran callbacks are called alike, except for a file's
 * handle. */

#ifdef FORTRAN_ALONE
#define NEW_OP(Name, is_large) create_op(is_large, function, commute, &made)
#define NEW_ERRHANDLER(Name, CLASS) create_errhandler(ON_##CLASS, function, &made)
#elif JOIN(REPRESENTED_, APP_COMM_REPRESENTATION) != REPRESENTED_INT
#define NEW_OP(Name, is_large) mpi_adapter_shared.create_op(is_large, function, commute, &made)
#define NEW_ERRHANDLER(Name, CLASS) mpi_adapter_shared.create_errhandler(CLASS_##CLASS, function, &made)
#else
#define NEW_OP(Name, is_large) CALL(MPI_##Name)(function, commute, &made)
#define NEW_ERRHANDLER(Name, CLASS)                                                                \
    (CLASS_##CLASS == CLASS_FILE ? mpi_adapter_shared.create_errhandler(CLASS_FILE, function, &made) \
                                 : CALL(MPI_##Name)(function, &made))
#endif


/* each
 * name         is_large
 * Op_create    0
 * Op_create_c  1
 */
void fortran_MPI_$name(mpi_function *function, MPI_Fint *logical, MPI_Fint *op, MPI_Fint *ierror)
{
    app_op made = APP_MPI_OP_NULL;
    int commute = logical_from_fortran(*logical), rc = NEW_OP($name, $is_large);
    if (rc == 0)
        *op = op_to_fortran(made);
    set_ierror(ierror, rc);
}
/* end */

/* each
 * class    name
 * comm     Comm_create_errhandler
 * comm     Errhandler_create
 * win      Win_create_errhandler
 * file     File_create_errhandler
 * session  Session_create_errhandler
 */
void fortran_MPI_$name(mpi_function *function, MPI_Fint *errhandler, MPI_Fint *ierror)
{
    app_errhandler made = APP_MPI_ERRHANDLER_NULL;
    int rc = NEW_ERRHANDLER($name, $CLASS);
    if (rc == 0)
        *errhandler = errhandler_to_fortran(made);
    set_ierror(ierror, rc);
}
/* end */

/* ---------------------------------------------------------------- generalized requests */

/* A generalized request's procedures; freed with the request. */
struct grequest {
    void (*query)(MPI_Aint *, MPI_Fint *, MPI_Fint *);
    void (*free)(MPI_Aint *, MPI_Fint *);
    void (*cancel)(MPI_Aint *, MPI_Fint *, MPI_Fint *);
    MPI_Aint *state; /* the caller's variable, which they may change */
};

static int grequest_query(void *state, app_status *status)
{
    struct grequest *grequest = state;
    MPI_Fint ierror = 0;
    grequest->query(grequest->state, (MPI_Fint *)(void *)status, &ierror);
    return ierror;
}

static int grequest_free(void *state)
{
    struct grequest *grequest = state;
    MPI_Fint ierror = 0;
    if (grequest->free)
        grequest->free(grequest->state, &ierror);
    free(grequest);
    return ierror;
}

static int grequest_cancel(void *state, int complete)
{
    struct grequest *grequest = state;
    MPI_Fint logical = logical_to_fortran(complete), ierror = 0;
    grequest->cancel(grequest->state, &logical, &ierror);
    return ierror;
}

void fortran_MPI_Grequest_start(mpi_function *query, mpi_function *release, mpi_function *cancel, MPI_Aint *state,
                                MPI_Fint *request, MPI_Fint *ierror)
{
    struct grequest *grequest = malloc(sizeof *grequest);
    if (!grequest) {
        set_ierror(ierror, raise_error(APP_MPI_ERR_NO_MEM));
        return;
    }
    *grequest = (struct grequest){ (void (*)(MPI_Aint *, MPI_Fint *, MPI_Fint *))query,
                                   (void (*)(MPI_Aint *, MPI_Fint *))release,
                                   (void (*)(MPI_Aint *, MPI_Fint *, MPI_Fint *))cancel, state };
    app_request made;
    int rc = CALL(MPI_Grequest_start)(query ? (mpi_function *)grequest_query : 0, (mpi_function *)grequest_free,
                                      cancel ? (mpi_function *)grequest_cancel : 0, grequest, &made);
    if (rc == 0)
        *request = request_to_fortran(made);
    else
        free(grequest);
    set_ierror(ierror, rc);
}

/* ---------------------------------------------------------------- data representations */

typedef void conversion(void *, MPI_Fint *, void *, void *, MPI_Offset *, MPI_Aint *, MPI_Fint *);

/* A data representation's procedures; it stays registered until the process ends. */
struct datarep {
    conversion *read, *write;
    void (*extent)(MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Fint *);
    MPI_Aint state;
};

static int datarep_extent(app_datatype datatype, MPI_Aint *extent, void *state)
{
    struct datarep *datarep = state;
    MPI_Fint integer = datatype_to_fortran(datatype), ierror = 0;
    datarep->extent(&integer, extent, &datarep->state, &ierror);
    return ierror;
}

/* each
 * name             field  count_type
 * datarep_read     read   MPI_Fint
 * datarep_write    write  MPI_Fint
 * datarep_read_c   read   MPI_Count
 * datarep_write_c  write  MPI_Count
 */
static int $name(void *user, app_datatype datatype, $count_type count, void *file, MPI_Offset position, void *state)
{
    struct datarep *datarep = state;
    MPI_Fint integer = datatype_to_fortran(datatype), ierror = 0;
    datarep->$field(user, &integer, &count, file, &position, &datarep->state, &ierror);
    return ierror;
}
/* end */

/* The predefined conversion function, by the names of mpif.h and of mpi_f08. */
extern mpi_function mpi_conversion_fn_null_;
#ifdef FORTRAN_ALONE
extern mpi_function mpi_conversion_fn_null_c_;
#define IS_F08_CONVERSION(given) ((given) == mpi_conversion_fn_null_c_)
#else
extern mpi_function conversion_fn_null_f08 __asm__("__mpi_f08_callbacks_MOD_mpi_conversion_fn_null")
    __attribute__((weak));
extern mpi_function conversion_fn_null_c_f08 __asm__("__mpi_f08_callbacks_MOD_mpi_conversion_fn_null_c")
    __attribute__((weak));
#define IS_F08_CONVERSION(given) ((given) == conversion_fn_null_f08 || (given) == conversion_fn_null_c_f08)
#endif

static mpi_function *conversion_to_c(mpi_function *given, mpi_function *ours)
{
    int is_null = given == mpi_conversion_fn_null_ || (given && IS_F08_CONVERSION(given));
    return is_null ? (mpi_function *)APP_MPI_CONVERSION_FN_NULL : ours;
}

typedef int register_function(const char *, mpi_function *, mpi_function *, mpi_function *, void *);

static void register_datarep(register_function *call, const char *name, size_t length, mpi_function *read,
                             mpi_function *write, struct datarep callbacks, MPI_Fint *ierror)
{
    char local[FORTRAN_TEXT], *text = string_from_fortran(local, name, length);
    struct datarep *datarep = malloc(sizeof *datarep);
    int rc = -1;
    if (datarep && text) {
        *datarep = callbacks;
        rc = call(text, conversion_to_c((mpi_function *)callbacks.read, read),
                  conversion_to_c((mpi_function *)callbacks.write, write), (mpi_function *)datarep_extent, datarep);
    } else {
        rc = raise_file(APP_MPI_FILE_NULL, APP_MPI_ERR_NO_MEM);
    }
    fortran_unstage(text, local);
    if (rc != 0)
        free(datarep);
    set_ierror(ierror, rc);
}

/* each
 * name                read_c          write_c
 * Register_datarep    datarep_read    datarep_write
 * Register_datarep_c  datarep_read_c  datarep_write_c
 */
void fortran_MPI_$name(char *name, mpi_function *read, mpi_function *write, mpi_function *extent, MPI_Aint *state,
                         MPI_Fint *ierror, size_t length)
{
    register_datarep(CALL(MPI_$name), name, length, (mpi_function *)$read_c, (mpi_function *)$write_c,
                     (struct datarep){ (conversion *)read, (conversion *)write,
                                       (void (*)(MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Fint *))extent, *state },
                     ierror);
}
/* end */
