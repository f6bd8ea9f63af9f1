/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* components: all, as MPI_T has variables of each */
/* The MPI tool information interface. */
#include "check.h"

enum { TEXT = 2000 };

static char name[TEXT], text[TEXT];

/* A predefined type the program can use; the standard's short list of them is
 * not kept by every host. */
static void check_type(MPI_Datatype type)
{
    int integers = -1, addresses = -1, types = -1, combiner = -1, size = 0;
    CHECK(type != MPI_DATATYPE_NULL);
    if (type == MPI_DATATYPE_NULL)
        return;
    OK(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_NAMED);
    OK(MPI_Type_size(type, &size));
    CHECK(size >= 1 && size <= 16);
}

static void check_verbosity(int verbosity)
{
    CHECK(verbosity == MPI_T_VERBOSITY_USER_BASIC || verbosity == MPI_T_VERBOSITY_USER_DETAIL
          || verbosity == MPI_T_VERBOSITY_USER_ALL || verbosity == MPI_T_VERBOSITY_TUNER_BASIC
          || verbosity == MPI_T_VERBOSITY_TUNER_DETAIL || verbosity == MPI_T_VERBOSITY_TUNER_ALL
          || verbosity == MPI_T_VERBOSITY_MPIDEV_BASIC || verbosity == MPI_T_VERBOSITY_MPIDEV_DETAIL
          || verbosity == MPI_T_VERBOSITY_MPIDEV_ALL);
}

static void check_bind(int bind)
{
    CHECK(bind == MPI_T_BIND_NO_OBJECT || bind == MPI_T_BIND_MPI_COMM || bind == MPI_T_BIND_MPI_DATATYPE
          || bind == MPI_T_BIND_MPI_ERRHANDLER || bind == MPI_T_BIND_MPI_FILE || bind == MPI_T_BIND_MPI_GROUP
          || bind == MPI_T_BIND_MPI_OP || bind == MPI_T_BIND_MPI_REQUEST || bind == MPI_T_BIND_MPI_WIN
          || bind == MPI_T_BIND_MPI_MESSAGE || bind == MPI_T_BIND_MPI_INFO);
}

static void check_enum(MPI_T_enum items)
{
    int count = -1, length = TEXT, value = -1;
    if (items == MPI_T_ENUM_NULL)
        return;
    CHECK_INT(MPI_T_enum_get_info(items, &count, name, &length), MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        length = TEXT;
        CHECK_INT(MPI_T_enum_get_item(items, i, &value, name, &length), MPI_SUCCESS);
        CHECK(length > 0);
    }
}

/* Read every integer variable that binds to nothing; write back what a
 * writable one already holds. */
static void read_write(int index, MPI_Datatype type, int bind, int scope)
{
    int count = -1;
    union { int i; unsigned u; unsigned long l; char text[TEXT]; } value;
    MPI_T_cvar_handle handle;
    if (bind != MPI_T_BIND_NO_OBJECT || type != MPI_INT)
        return;
    if (strncmp(name, "mpi_", 4) != 0 && known_fault("cvar-of-closed-plugin"))
        return;
    CHECK_INT(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count), MPI_SUCCESS);
    if (count == 1) {
        CHECK_INT(MPI_T_cvar_read(handle, &value), MPI_SUCCESS);
        if (scope == MPI_T_SCOPE_LOCAL) {
            int code = MPI_T_cvar_write(handle, &value);
            CHECK(code == MPI_SUCCESS || code == MPI_T_ERR_CVAR_SET_NOT_NOW || code == MPI_T_ERR_CVAR_SET_NEVER);
        } else if (scope == MPI_T_SCOPE_CONSTANT)
            CHECK(MPI_T_cvar_write(handle, &value) != MPI_SUCCESS);
    }
    CHECK_INT(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
    CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
}

static void control_variables(void)
{
    int count = -1, found = -1;
    CHECK_INT(MPI_T_cvar_get_num(&count), MPI_SUCCESS);
    CHECK(count > 0);
    for (int i = 0; i < count; i++) {
        int name_length = TEXT, length = TEXT, verbosity = -1, bind = -1, scope = -1;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum items = MPI_T_ENUM_NULL;
        int code = MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &items, text, &length, &bind, &scope);
        if (code != MPI_SUCCESS)
            continue;
        check_type(type);
        check_verbosity(verbosity);
        check_bind(bind);
        check_enum(items);
        CHECK(scope == MPI_T_SCOPE_CONSTANT || scope == MPI_T_SCOPE_READONLY || scope == MPI_T_SCOPE_LOCAL
              || scope == MPI_T_SCOPE_GROUP || scope == MPI_T_SCOPE_GROUP_EQ || scope == MPI_T_SCOPE_ALL
              || scope == MPI_T_SCOPE_ALL_EQ);
        read_write(i, type, bind, scope);
        if (i == 0) {
            CHECK_INT(MPI_T_cvar_get_index(name, &found), MPI_SUCCESS);
            CHECK_INT(found, 0);
        }
    }
    CHECK_INT(MPI_T_cvar_get_index("no such variable of ours", &found), MPI_T_ERR_INVALID_NAME);
    if (!known_fault("cvar-index-class"))
        CHECK_INT(MPI_T_cvar_get_info(count + 5, name, &found, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
              MPI_T_ERR_INVALID_INDEX);
}

static int known_class(int class_of)
{
    return class_of == MPI_T_PVAR_CLASS_STATE || class_of == MPI_T_PVAR_CLASS_LEVEL
        || class_of == MPI_T_PVAR_CLASS_SIZE || class_of == MPI_T_PVAR_CLASS_PERCENTAGE
        || class_of == MPI_T_PVAR_CLASS_HIGHWATERMARK || class_of == MPI_T_PVAR_CLASS_LOWWATERMARK
        || class_of == MPI_T_PVAR_CLASS_COUNTER || class_of == MPI_T_PVAR_CLASS_AGGREGATE
        || class_of == MPI_T_PVAR_CLASS_TIMER || class_of == MPI_T_PVAR_CLASS_GENERIC;
}

static void use_pvar(MPI_T_pvar_session session, int index, int bind, int continuous, int readonly)
{
    static char value[1 << 16];
    int count = -1;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    if (bind != MPI_T_BIND_NO_OBJECT && bind != MPI_T_BIND_MPI_COMM)
        return;
    if (MPI_T_pvar_handle_alloc(session, index, bind == MPI_T_BIND_MPI_COMM ? &world : NULL, &handle, &count) != MPI_SUCCESS)
        return;
    CHECK(handle != MPI_T_PVAR_HANDLE_NULL && handle != MPI_T_PVAR_ALL_HANDLES);
    if (!continuous) {
        CHECK_INT(MPI_T_pvar_start(session, handle), MPI_SUCCESS);
        CHECK_INT(MPI_T_pvar_stop(session, handle), MPI_SUCCESS);
    } else
        CHECK_INT(MPI_T_pvar_start(session, handle), MPI_T_ERR_PVAR_NO_STARTSTOP);
    if (count >= 0 && count < 1000)
        MPI_T_pvar_read(session, handle, value);
    if (readonly) {
        CHECK(MPI_T_pvar_reset(session, handle) != MPI_SUCCESS);
        CHECK(MPI_T_pvar_write(session, handle, value) != MPI_SUCCESS);
    } else if (count == 1)
        CHECK_INT(MPI_T_pvar_reset(session, handle), MPI_SUCCESS);
    MPI_T_pvar_readreset(session, handle, value);
    CHECK_INT(MPI_T_pvar_handle_free(session, &handle), MPI_SUCCESS);
    CHECK(handle == MPI_T_PVAR_HANDLE_NULL);
}

static void performance_variables(void)
{
    int count = -1;
    MPI_T_pvar_session session;
    CHECK_INT(MPI_T_pvar_get_num(&count), MPI_SUCCESS);
    CHECK_INT(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        int name_length = TEXT, length = TEXT, verbosity, class_of, bind, readonly, continuous, atomic;
        MPI_Datatype type;
        MPI_T_enum items = MPI_T_ENUM_NULL;
        if (MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &class_of, &type, &items, text, &length,
                                &bind, &readonly, &continuous, &atomic) != MPI_SUCCESS)
            continue;
        check_type(type);
        check_verbosity(verbosity);
        check_bind(bind);
        CHECK(known_class(class_of));
        int found = -1;
        CHECK_INT(MPI_T_pvar_get_index(name, class_of, &found), MPI_SUCCESS);
        CHECK_INT(found, i);
        use_pvar(session, i, bind, continuous, readonly);
    }
    MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES);
    MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES);
    CHECK_INT(MPI_T_pvar_session_free(&session), MPI_SUCCESS);
    CHECK(session == MPI_T_PVAR_SESSION_NULL);
}

static void categories(void)
{
    int count = -1, found = -1, stamp = -1;
    CHECK_INT(MPI_T_category_get_num(&count), MPI_SUCCESS);
    CHECK_INT(MPI_T_category_changed(&stamp), MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        int name_length = TEXT, length = TEXT, cvars = -1, pvars = -1, subs = -1;
        /* A category may have gone with the plugin that made it. */
        if (MPI_T_category_get_info(i, name, &name_length, text, &length, &cvars, &pvars, &subs) != MPI_SUCCESS)
            continue;
        CHECK(cvars >= 0 && pvars >= 0 && subs >= 0);
        CHECK_INT(MPI_T_category_get_index(name, &found), MPI_SUCCESS);
        CHECK_INT(found, i);
        int *indexes = malloc((cvars + pvars + subs + 1) * sizeof *indexes);
        CHECK_INT(MPI_T_category_get_cvars(i, cvars, indexes), MPI_SUCCESS);
        CHECK_INT(MPI_T_category_get_pvars(i, pvars, indexes), MPI_SUCCESS);
        CHECK_INT(MPI_T_category_get_categories(i, subs, indexes), MPI_SUCCESS);
        free(indexes);
    }
}

int main(int argc, char **argv)
{
    int provided = -1, early = -1;
    /* The tool interface is usable before MPI_Init and after MPI_Finalize. */
    CHECK_INT(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    CHECK_INT(MPI_T_cvar_get_num(&early), MPI_SUCCESS);
    check_begin(&argc, &argv);
    control_variables();
    performance_variables();
    categories();
    CHECK_INT(MPI_T_finalize(), MPI_SUCCESS);
    CHECK_INT(MPI_T_cvar_get_num(&early), MPI_T_ERR_NOT_INITIALIZED);
    return check_end();
}
