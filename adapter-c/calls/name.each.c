/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of communicators, datatypes and windows (MPI-4.1 section 7.8). Where the application's
 * MPI_MAX_OBJECT_NAME is larger than the host's, a name that the host must cut is kept whole. An attribute
 * of the object, which goes when the object goes and is not copied with it, is the number that the name has
 * here: a thread may read a name while another one replaces it, and a number is never used again. */
#include <string.h>

#include "convert/adapter.h"
#include "convert/index.h"
#include "layers/lock.h"
#include "convert/distinct_datatype.h"
#include "convert/life.h"

/* By number. */
struct whole_name {
    struct index_entry entry;
    char text[APP_MPI_MAX_OBJECT_NAME];
};

static struct index names;
static intptr_t last_number;
/* Never held while the host is called: the host may hold its own lock when it deletes an attribute. */
LOCK(kept_names);

/* The number of a new name; 0 if memory runs out. */
static intptr_t keep_name(const char *name)
{
    struct whole_name *kept = malloc(sizeof *kept);
    intptr_t number = 0;
    if (!kept)
        return 0;
    copy_prose(kept->text, name, APP_MPI_MAX_OBJECT_NAME, 0);
    take_lock(kept_names);
    kept->entry.key = last_number + 1;
    if (index_add(&names, &kept->entry) == 0)
        number = ++last_number;
    release_lock(kept_names);
    if (!number)
        free(kept);
    return number;
}

static void forget_name(intptr_t number)
{
    take_lock(kept_names);
    struct index_entry **link = index_find(&names, number), *found = *link;
    if (found)
        index_remove(&names, link);
    release_lock(kept_names);
    free(found);
}

/* False if the name has been replaced. */
static int copy_name(intptr_t number, char *name, int *length)
{
    take_lock(kept_names);
    const struct whole_name *found = (const struct whole_name *)*index_find(&names, number);
    if (found)
        copy_prose(name, found->text, APP_MPI_MAX_OBJECT_NAME, length);
    release_lock(kept_names);
    return found != 0;
}

static int delete_name(void *handle, int keyval, void *number, void *state)
{
    (void)handle, (void)keyval, (void)state;
    forget_name((intptr_t)number);
    return HOST_MPI_SUCCESS;
}

/* Datatypes have no error handler. */
#define raise_type(none, error) ((void)(none), raise_error(error))

/* MPI-4.1 names the null handles, and MPI-5.0 section 20.4 optional datatypes. Older hosts do not, so programs of the standard
 * ABI get these names here. An invalid handle has no name, even if it becomes a null handle that the host names.
 *
 * Once a class of objects has a keyval, every name that is set is kept, so that the attribute is right even
 * if two threads give an object a name. It is set before the host's name is, and read after it. */
/* each
 * class     to_host            raise
 * comm      comm_to_host       raise_comm
 * datatype  distinct_datatype  raise_type
 * win       win_to_host        raise_win
 */
static struct adapter_keyval ${class}_name_keyval;

static int ${class}_keep(host_$class handle, const char *name)
{
    int is_cut = strlen(name) >= HOST_MPI_MAX_OBJECT_NAME;
    if (!is_cut && adapter_keyval(&${class}_name_keyval) == HOST_MPI_KEYVAL_INVALID)
        return 0;
    host_code rc = adapter_keyval_need(&${class}_name_keyval, host.MPI_${Class}_create_keyval, host.MPI_${Class}_free_keyval,
                                       (mpi_function *)HOST_MPI_${NAME}_NULL_COPY_FN, (mpi_function *)delete_name);
    intptr_t number = rc == 0 ? keep_name(name) : 0;
    if (rc == 0 && !number)
        rc = HOST_MPI_ERR_NO_MEM;
    if (rc == 0 && (rc = host.MPI_${Class}_set_attr(handle, adapter_keyval(&${class}_name_keyval), (void *)number)) != 0)
        forget_name(number);
    return rc;
}

/* The number of the object's whole name, or 0. */
static int ${class}_number_of(host_$class handle, intptr_t *number)
{
    void *value = 0;
    int flag = 0, rc = 0, keyval = adapter_keyval(&${class}_name_keyval);
    if (keyval != HOST_MPI_KEYVAL_INVALID)
        rc = host.MPI_${Class}_get_attr(handle, keyval, &value, &flag);
    *number = rc == 0 && flag ? (intptr_t)value : 0;
    return rc;
}

PROCEDURE(app_code, MPI_${Class}_set_name, app_$class handle, const char *name)
{
    char cut[HOST_MPI_MAX_OBJECT_NAME];
    host_$class object = $to_host(handle);
    host_code rc = 0;
    if (name)
        copy_prose(cut, name, HOST_MPI_MAX_OBJECT_NAME, 0);
    if (name && APP_MPI_MAX_OBJECT_NAME > HOST_MPI_MAX_OBJECT_NAME)
        rc = ${class}_keep(object, name);
    if (rc == 0)
        rc = host.MPI_${Class}_set_name(object, name ? cut : 0);
    return rc == 0 ? 0 : error_to_app(rc);
}

/* Names a value that is no handle, or becomes the host's null handle. */
COLD static app_code ${class}_name_of_none(app_$class handle, char *name, int *length)
{
    const char *lacking = CLASS_$CLASS == CLASS_DATATYPE ? predefined_lacking_name(APP_${CLASS}_BITS(handle)) : 0;
    host_$class none = ${class}_to_host(handle);
    if (!lacking && is_no_$class(handle, none))
        return $raise(none, HOST_MPI_ERR_$NAME);
    if (APP_MPI_ABI_VERSION <= 0 || !name || !length)
        return error_to_app(host.MPI_${Class}_get_name(none, name, length));
    copy_prose(name, lacking ? lacking : "MPI_${CLASS}_NULL", APP_MPI_MAX_OBJECT_NAME, length);
    return 0;
}

PROCEDURE(app_code, MPI_${Class}_get_name, app_$class handle, char *name, int *length)
{
    char cut[HOST_MPI_MAX_OBJECT_NAME + 1];
    intptr_t number = 0;
    host_$class object = $to_host(handle);
    if (unlikely(HOST_${CLASS}_BITS(object) == HOST_${CLASS}_BITS(HOST_NULL_$class)))
        return ${class}_name_of_none(handle, name, length);
    host_code rc = host.MPI_${Class}_get_name(object, name ? cut : 0, length);
    do
        rc = rc == 0 ? ${class}_number_of(object, &number) : rc;
    while (number && !copy_name(number, name, length));
    if (rc != 0)
        return error_to_app(rc);
    if (!number)
        copy_prose(name, cut, APP_MPI_MAX_OBJECT_NAME, length);
    return 0;
}
/* end */
