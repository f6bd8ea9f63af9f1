/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/native_keyval.h"

#include "convert/host_side.h"
#include "isolate/natives.h"
#include "layers/layers.h"

#define KEYVAL_CALLS(each) \
    each(MPI_Comm_set_attr) each(MPI_Comm_get_attr) each(MPI_Comm_delete_attr) each(MPI_Comm_free_keyval) \
    each(MPI_Type_set_attr) each(MPI_Type_get_attr) each(MPI_Type_delete_attr) each(MPI_Type_free_keyval) \
    each(MPI_Win_set_attr) each(MPI_Win_get_attr) each(MPI_Win_delete_attr) each(MPI_Win_free_keyval)
LAYER_PART(keyval_calls, KEYVAL_CALLS);

static int is_predefined(int keyval)
{
    static const int predefined[] = {
        HOST_MPI_KEYVAL_INVALID, HOST_MPI_TAG_UB, HOST_MPI_HOST, HOST_MPI_IO, HOST_MPI_WTIME_IS_GLOBAL, HOST_MPI_APPNUM,
        HOST_MPI_UNIVERSE_SIZE, HOST_MPI_LASTUSEDCODE, HOST_MPI_WIN_BASE, HOST_MPI_WIN_SIZE, HOST_MPI_WIN_DISP_UNIT,
        HOST_MPI_WIN_CREATE_FLAVOR, HOST_MPI_WIN_MODEL,
    };
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (predefined[i] == keyval)
            return 1;
    return 0;
}

/* Returns one of the host's keyvals, as any shows two bits of all; HOST_MPI_KEYVAL_INVALID if the host makes none. */
static int example(void)
{
    static int made = HOST_MPI_KEYVAL_INVALID;
    int keyval, found = __atomic_load_n(&made, __ATOMIC_RELAXED);
    if (found != HOST_MPI_KEYVAL_INVALID ||
        host_itself->MPI_Comm_create_keyval((mpi_function *)HOST_MPI_COMM_NULL_COPY_FN, (mpi_function *)HOST_MPI_COMM_NULL_DELETE_FN, &keyval, 0) != 0)
        return found;
    found = keyval;
    __atomic_store_n(&made, found, __ATOMIC_RELAXED);
    host_itself->MPI_Comm_free_keyval(&keyval); /* by this layer */
    return found;
}

/* Returns the host's keyval of a number that a part has. The application's parts add to it, and subtract from what a native tells; a pair
 * that is the host of another one is between them. */
static int host_keyval(int keyval)
{
    int number;
    if (is_predefined(keyval) || (number = example()) == HOST_MPI_KEYVAL_INVALID)
        return keyval;
    /* Two bits tell, as MPICH has others above, which tell of its own kinds of keyvals. */
    unsigned added = ((unsigned)keyval / NUMBERED_BIAS - (unsigned)number / NUMBERED_BIAS) % 4;
    int times = added < 2 ? (int)added : added == 3 ? -1 : natives_are_below ? -2 : 2;
    return (int)((unsigned)keyval - (unsigned)times * NUMBERED_BIAS);
}

/* each
 * class
 * comm
 * datatype
 * win
 */
static int set_${class}_attr(host_$class object, int keyval, void *value)
{
    return NEXT(keyval_calls, MPI_${Class}_set_attr)(object, host_keyval(keyval), value);
}

static int get_${class}_attr(host_$class object, int keyval, void *value, int *flag)
{
    return NEXT(keyval_calls, MPI_${Class}_get_attr)(object, host_keyval(keyval), value, flag);
}

static int delete_${class}_attr(host_$class object, int keyval)
{
    return NEXT(keyval_calls, MPI_${Class}_delete_attr)(object, host_keyval(keyval));
}

static int free_${class}_keyval(int *keyval)
{
    int freed = keyval ? host_keyval(*keyval) : 0, rc = NEXT(keyval_calls, MPI_${Class}_free_keyval)(keyval ? &freed : 0);
    if (rc == 0)
        *keyval = freed;
    return rc;
}

static void take_${class}_keyvals(void)
{
    LAYER_INSTALL(LAYER_NATIVE, keyval_calls, OVERRIDE(keyval_calls, MPI_${Class}_set_attr, set_${class}_attr),
                  OVERRIDE(keyval_calls, MPI_${Class}_get_attr, get_${class}_attr),
                  OVERRIDE(keyval_calls, MPI_${Class}_delete_attr, delete_${class}_attr),
                  OVERRIDE(keyval_calls, MPI_${Class}_free_keyval, free_${class}_keyval));
}

/* end */
void native_keyvals_begin(void)
{
    take_comm_keyvals();
    take_datatype_keyvals();
    take_win_keyvals();
}
