/* SPDX-License-Identifier: BSD-3-Clause */
/* Attribute caching from Fortran, MPI-4.1 section 19.3.7. Fortran sets integers, C
 * sets pointers, and each reads the other's: C gets the address of Fortran's integer, Fortran
 * gets C's pointer as an integer, and of a predefined attribute that is an integer its value.
 *
 * A value set by Fortran is kept in a cell of our own (base/cells.c), whose address is the value that C
 * knows. The callbacks of a keyval that Fortran created copy and free cells; a keyval that C created
 * hands the address on, and its cells stay. */
#include "fortran.h"
#include "fortran_prototypes.h"

/* ---------------------------------------------------------------- keyvals */

/* The callbacks of a keyval that Fortran created. Those of MPI-1 know default INTEGERs only, which are
 * the lower halves of what they are given; MPI_DUP_FN of MPICH copies both. */
struct keyval {
    mpi_function *copy, *delete;
    MPI_Aint state;
    int short_integers;
};

typedef void copy_function(MPI_Fint *, MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Aint *, MPI_Fint *, MPI_Fint *);
typedef void delete_function(MPI_Fint *, MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Fint *);

static int copy_attribute(MPI_Fint object, MPI_Fint number, const struct keyval *keyval, const void *in, void *out, int *flag)
{
    MPI_Aint from = value_of(in), to = from, state = keyval->state;
    MPI_Fint logical = fortran_false, ierror = 0;
    if (keyval->short_integers)
        from = to = (MPI_Fint)from;
    ((copy_function *)keyval->copy)(&object, &number, &state, &from, &to, &logical, &ierror);
    if (keyval->short_integers)
        to = (MPI_Fint)to;
    *flag = logical_from_fortran(logical);
    if (ierror != 0 || !*flag)
        return ierror;
    void *cell = new_cell(to);
    *(void **)out = cell;
    return cell ? 0 : APP_MPI_ERR_NO_MEM;
}

static int delete_attribute(MPI_Fint object, MPI_Fint number, const struct keyval *keyval, void *attribute)
{
    MPI_Aint value = value_of(attribute), state = keyval->state;
    MPI_Fint ierror = 0;
    ((delete_function *)keyval->delete)(&object, &number, &value, &state, &ierror);
    if (ierror == 0)
        free_cell(attribute);
    return ierror;
}

/* each
 * class
 * comm
 * datatype
 * win
 */
static int ${class}_copy(app_$class from, int number, void *state, void *in, void *out, int *flag)
{
    return copy_attribute(${class}_to_fortran(from), number, state, in, out, flag);
}

static int ${class}_delete(app_$class from, int number, void *attribute, void *state)
{
    return delete_attribute(${class}_to_fortran(from), number, state, attribute);
}
/* end */

typedef int create_function(mpi_function *, mpi_function *, int *, void *);

/* A keyval may be in use after it was freed: its callbacks are kept. */
static void create_keyval(create_function *call, mpi_function *copy, mpi_function *delete, MPI_Fint *number,
                          MPI_Fint *ierror, struct keyval callbacks)
{
    struct keyval *keyval = malloc(sizeof *keyval);
    if (!keyval) {
        set_ierror(ierror, raise_error(APP_MPI_ERR_NO_MEM));
        return;
    }
    *keyval = callbacks;
    int rc = call(copy, delete, number, keyval);
    if (rc != 0)
        free(keyval);
    set_ierror(ierror, rc);
}

/* each
 * class     name                short_integers  state_type
 * comm      Comm_create_keyval  0               MPI_Aint
 * datatype  Type_create_keyval  0               MPI_Aint
 * win       Win_create_keyval   0               MPI_Aint
 * comm      Keyval_create       1               MPI_Fint
 */
void fortran_MPI_$name(mpi_function *copy, mpi_function *delete, MPI_Fint *number, MPI_Aint *state, MPI_Fint *ierror)
{
    create_keyval(CALL(MPI_$name), (mpi_function *)${class}_copy, (mpi_function *)${class}_delete, number, ierror,
                  (struct keyval){ copy, delete, *($state_type *)(void *)state, $short_integers });
}
/* end */

/* ---------------------------------------------------------------- values */

/* Lack of memory is an error of the object, if objects of the class have error handlers. */
static int comm_without_memory(MPI_Fint comm)
{
    return raise_comm(comm_from_fortran(comm), APP_MPI_ERR_NO_MEM);
}

static int win_without_memory(MPI_Fint win)
{
    return raise_win(win_from_fortran(win), APP_MPI_ERR_NO_MEM);
}

static int datatype_without_memory(MPI_Fint datatype)
{
    return raise_error(APP_MPI_ERR_NO_MEM);
}

/* each
 * class     name           value_type
 * comm      Comm_set_attr  MPI_Aint
 * datatype  Type_set_attr  MPI_Aint
 * win       Win_set_attr   MPI_Aint
 * comm      Attr_put       MPI_Fint
 */
void fortran_MPI_$name(MPI_Fint *object, MPI_Fint *number, MPI_Aint *value, MPI_Fint *ierror)
{
    void *cell = new_cell(*($value_type *)(void *)value);
    if (!cell) {
        set_ierror(ierror, ${class}_without_memory(*object));
        return;
    }
    int rc = CALL(MPI_$name)(${class}_from_fortran(*object), keyval_from_fortran(*number), cell);
    if (rc != 0)
        free_cell(cell);
    set_ierror(ierror, rc);
}
/* end */

/* Predefined attributes that C reads through an address. MPI_WIN_BASE is the address itself. */
static int is_integer(int number)
{
    switch (number) {
    case APP_MPI_TAG_UB:
    case APP_MPI_HOST:
    case APP_MPI_IO:
    case APP_MPI_WTIME_IS_GLOBAL:
    case APP_MPI_UNIVERSE_SIZE:
    case APP_MPI_LASTUSEDCODE:
    case APP_MPI_APPNUM:
        return 1;
    default:
        return 0;
    }
}

static MPI_Aint comm_value(int number, const void *attribute)
{
    return is_integer(number) ? *(const int *)attribute : value_of(attribute);
}

static MPI_Aint win_value(int number, const void *attribute)
{
    switch (number) {
    case APP_MPI_WIN_SIZE:
        return *(const MPI_Aint *)attribute;
    case APP_MPI_WIN_DISP_UNIT:
    case APP_MPI_WIN_CREATE_FLAVOR:
    case APP_MPI_WIN_MODEL:
        return *(const int *)attribute;
    case APP_MPI_WIN_BASE:
        return (MPI_Aint)attribute;
    default:
        return value_of(attribute);
    }
}

static MPI_Aint datatype_value(int number, const void *attribute)
{
    return value_of(attribute);
}

/* The value stays as it is where there is no attribute. */
/* each
 * class     name           value_type
 * comm      Comm_get_attr  MPI_Aint
 * datatype  Type_get_attr  MPI_Aint
 * win       Win_get_attr   MPI_Aint
 * comm      Attr_get       MPI_Fint
 */
void fortran_MPI_$name(MPI_Fint *object, MPI_Fint *number, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *ierror)
{
    void *attribute, *again = 0;
    int found = 0, keyval = keyval_from_fortran(*number), rc;
    MPI_Aint result = 0;
    do { /* until no other thread has replaced it meanwhile */
        attribute = again;
        result = found ? ${class}_value(keyval, attribute) : 0;
        rc = CALL(MPI_$name)(${class}_from_fortran(*object), keyval, &again, &found);
    } while (rc == 0 && found && again != attribute);
    if (rc == 0) {
        *flag = logical_to_fortran(found);
        if (found)
            *($value_type *)(void *)value = ($value_type)result;
    }
    set_ierror(ierror, rc);
}
/* end */
