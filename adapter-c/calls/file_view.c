/* SPDX-License-Identifier: BSD-3-Clause */
/* A file's view, MPI-4.1 section 14.3. A predefined datatype of the view that stands in for one that the host lacks is remembered by the
 * file: MPI_File_get_view() gives what the program set. */
#include "convert/index.h"
#include "convert/distinct_datatype.h"
#include "layers/lock.h"

/* By the host's file. Null handles are what the host remembers rightly. */
struct view {
    struct index_entry entry;
    app_datatype etype, filetype;
};
static struct index views;
LOCK(file_views);

static app_datatype remembered(app_datatype datatype)
{
    return has_distinct_datatype(datatype) ? datatype : APP_MPI_DATATYPE_NULL;
}

static int is_remembered(app_datatype datatype)
{
    return APP_DATATYPE_BITS(datatype) != APP_DATATYPE_BITS(APP_MPI_DATATYPE_NULL);
}

/* Replaces what is remembered of a file. `view` may be null. */
static void remember(host_file file, struct view *view)
{
    if (!view && __atomic_load_n(&views.count, __ATOMIC_RELAXED) == 0)
        return;
    take_lock(file_views);
    struct index_entry **link = index_find(&views, HOST_FILE_BITS(file)), *former = *link;
    if (former)
        index_remove(&views, link);
    if (view && index_add(&views, &view->entry) != 0)
        free(view);
    release_lock(file_views);
    free(former);
}

/* Null if there is nothing to remember, or no memory for it. */
static struct view *view_of(host_file file, app_datatype etype, app_datatype filetype)
{
    struct view view = { { .key = HOST_FILE_BITS(file) }, remembered(etype), remembered(filetype) };
    struct view *made = is_remembered(view.etype) || is_remembered(view.filetype) ? malloc(sizeof *made) : 0;
    if (made)
        *made = view;
    return made;
}

static void recall(host_file file, app_datatype *etype, app_datatype *filetype)
{
    take_lock(file_views);
    const struct view *found = (const struct view *)*index_find(&views, HOST_FILE_BITS(file));
    if (found && is_remembered(found->etype))
        *etype = found->etype;
    if (found && is_remembered(found->filetype))
        *filetype = found->filetype;
    release_lock(file_views);
}

PROCEDURE(app_code, MPI_File_set_view, app_file fh, MPI_Offset disp, app_datatype etype, app_datatype filetype,
          const char *datarep, app_info info)
{
    host_info its_info = info_to_host(info);
    host_file file = file_to_host(fh);
    if (unlikely(is_no_info(info, its_info)))
        return raise_file(file, HOST_MPI_ERR_INFO);
    host_code rc = host.MPI_File_set_view(file, view_disp_to_host(disp), datatype_to_host(etype), datatype_to_host(filetype),
                                          datarep, its_info);
    if (rc != 0)
        return error_to_app(rc);
    if (HAS_DATATYPE_STAND_INS)
        remember(file, view_of(file, etype, filetype));
    return 0;
}

PROCEDURE(app_code, MPI_File_get_view, app_file fh, MPI_Offset *disp, app_datatype *etype, app_datatype *filetype, char *datarep)
{
    host_file file = file_to_host(fh);
    host_datatype its_etype, its_filetype;
    if (unlikely(is_no_file(fh, file)))
        return raise_file(file, HOST_MPI_ERR_FILE);
    if (!etype || !filetype)
        return raise_file(file, HOST_MPI_ERR_ARG);
    host_code rc = host.MPI_File_get_view(file, disp, &its_etype, &its_filetype, datarep);
    if (rc != 0)
        return error_to_app(rc);
    *etype = datatype_to_app(its_etype);
    *filetype = datatype_to_app(its_filetype);
    if (HAS_DATATYPE_STAND_INS)
        recall(file, etype, filetype);
    return 0;
}

PROCEDURE(app_code, MPI_File_close, app_file *fh)
{
    host_file file = fh ? file_to_host(*fh) : HOST_NULL_file;
    if (HAS_DATATYPE_STAND_INS && fh)
        remember(file, 0);
    host_code rc = host.MPI_File_close(fh ? &file : 0);
    if (fh)
        *fh = file_to_app(file);
    return rc == 0 ? 0 : error_to_app(rc);
}
