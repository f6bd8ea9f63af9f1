/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool interface: what there is, and what it says of indices, names and handles that are none. No value of a variable. */
#include "observe.h"

static const char *code_of(int code)
{
#define CODE(name) { #name, name }
    static const struct {
        const char *name;
        int code;
    } codes[] = {
        CODE(MPI_SUCCESS), CODE(MPI_T_ERR_MEMORY), CODE(MPI_T_ERR_NOT_INITIALIZED), CODE(MPI_T_ERR_CANNOT_INIT),
        CODE(MPI_T_ERR_INVALID_INDEX),
        CODE(MPI_T_ERR_INVALID_ITEM), CODE(MPI_T_ERR_INVALID_HANDLE), CODE(MPI_T_ERR_OUT_OF_HANDLES), CODE(MPI_T_ERR_OUT_OF_SESSIONS),
        CODE(MPI_T_ERR_INVALID_SESSION), CODE(MPI_T_ERR_CVAR_SET_NOT_NOW), CODE(MPI_T_ERR_CVAR_SET_NEVER),
        CODE(MPI_T_ERR_PVAR_NO_STARTSTOP),
        CODE(MPI_T_ERR_PVAR_NO_WRITE), CODE(MPI_T_ERR_PVAR_NO_ATOMIC), CODE(MPI_T_ERR_INVALID_NAME), CODE(MPI_T_ERR_INVALID),
        CODE(MPI_ERR_OTHER),
    };
#undef CODE
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (codes[i].code == code)
            return codes[i].name;
    return "another code";
}

#define TOOL(label, call, ...) \
    do { \
        if (left_out(label)) \
            break; \
        observed[0] = 0; \
        const char *code = code_of(call); \
        __VA_ARGS__; \
        printf("%s\t%s%s\n", label, code, observed); \
        fflush(stdout); \
    } while (0)

/* Properties of a control variable, in MPI's own words. */
static int verbosity, binding, scope;
static MPI_Datatype type;
static MPI_T_enum values;

static void note_variable(void)
{
    static const int levels[] = { MPI_T_VERBOSITY_USER_BASIC, MPI_T_VERBOSITY_USER_DETAIL, MPI_T_VERBOSITY_USER_ALL,
        MPI_T_VERBOSITY_TUNER_BASIC, MPI_T_VERBOSITY_TUNER_DETAIL, MPI_T_VERBOSITY_TUNER_ALL,
        MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL, MPI_T_VERBOSITY_MPIDEV_ALL };
    static const int scopes[] = { MPI_T_SCOPE_CONSTANT, MPI_T_SCOPE_READONLY, MPI_T_SCOPE_LOCAL, MPI_T_SCOPE_GROUP, MPI_T_SCOPE_GROUP_EQ,
        MPI_T_SCOPE_ALL, MPI_T_SCOPE_ALL_EQ };
    int level_known = 0, scope_known = 0;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        level_known |= levels[i] == verbosity;
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++)
        scope_known |= scopes[i] == scope;
    note(" level %s scope %s", level_known ? "known" : "unknown", scope_known ? "known" : "unknown");
    note(" %s", type == MPI_INT || type == MPI_CHAR || type == MPI_UNSIGNED || type == MPI_UNSIGNED_LONG ||
                type == MPI_UNSIGNED_LONG_LONG || type == MPI_COUNT || type == MPI_DOUBLE ? "a type that is allowed" : "another type");
    note(" %s", binding == MPI_T_BIND_NO_OBJECT ? "no object" : "an object");
}

static void control_variables(void)
{
    int count = -1, length, description, size, index = 77, bad = 0, text = 0;
    char name[300], words[2000];
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    TOOL("cvar_get_num", MPI_T_cvar_get_num(&count), note(" %s", count > 0 ? "some" : "none"));
    for (int i = 0; i < count; i++) {
        length = sizeof name, description = sizeof words;
        verbosity = binding = scope = -77, type = MPI_DATATYPE_NULL;
        if (MPI_T_cvar_get_info(i, name, &length, &verbosity, &type, &values, words, &description, &binding, &scope) != MPI_SUCCESS)
            continue;
        text += length != (int)strlen(name) + 1;
        observed[0] = 0;
        note_variable();
        bad += strcmp(observed, " level known scope known a type that is allowed no object") != 0;
    }
    printf("cvar_get_info of all\t%d unlike what is allowed, %d lengths that are none\n", bad, text);
    length = 4, description = 0;
    TOOL("cvar_get_info of a part", MPI_T_cvar_get_info(0, name, &length, 0, 0, 0, 0, 0, 0, 0),
        note(" %s", strlen(name) == 3 ? "three characters" : "others"));
    length = 4;
    TOOL("cvar_get_info beyond", MPI_T_cvar_get_info(count + 7, name, &length, 0, 0, 0, 0, 0, 0, 0));
    TOOL("cvar_get_info before", MPI_T_cvar_get_info(-1, name, &length, 0, 0, 0, 0, 0, 0, 0));
    TOOL("cvar_get_index of no name", MPI_T_cvar_get_index("none of ours", &index));
    length = sizeof name;
    MPI_T_cvar_get_info(0, name, &length, 0, 0, 0, 0, 0, 0, 0);
    TOOL("cvar_get_index", MPI_T_cvar_get_index(name, &index), note(" %d", index));
    TOOL("cvar_handle_alloc beyond", MPI_T_cvar_handle_alloc(count + 7, 0, &handle, &size));
    TOOL("cvar_handle_alloc before", MPI_T_cvar_handle_alloc(-1, 0, &handle, &size));
    TOOL("cvar_handle_alloc", MPI_T_cvar_handle_alloc(0, 0, &handle, &size), note(" %s", size >= 1 ? "some" : "none"));
    TOOL("cvar_handle_free", MPI_T_cvar_handle_free(&handle), note(" %s", handle == MPI_T_CVAR_HANDLE_NULL ? "null" : "not null"));
    TOOL("cvar_handle_free of the null handle", MPI_T_cvar_handle_free(&handle));
    /* Open MPI 4.1.4 crashes, natively, too. */
    if (host_is("openmpi"))
        return;
    TOOL("cvar_read of the null handle", MPI_T_cvar_read(handle, name));
    TOOL("cvar_write of the null handle", MPI_T_cvar_write(handle, name));
}

static void performance_variables(void)
{
    int count = -1, length = 4, index = 77;
    char name[300];
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    TOOL("pvar_get_num", MPI_T_pvar_get_num(&count), note(" %s", count >= 0 ? "a number" : "none"));
    /* MPICH 4.0.2 has none, and reads before its table of them. */
    if (host_is("mpich"))
        return;
    TOOL("pvar_get_info beyond", MPI_T_pvar_get_info(count + 7, name, &length, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    TOOL("pvar_get_index of no name", MPI_T_pvar_get_index("none of ours", MPI_T_PVAR_CLASS_STATE, &index));
    TOOL("pvar_session_create", MPI_T_pvar_session_create(&session), note(" %s", session == MPI_T_PVAR_SESSION_NULL ? "null" : "made"));
    TOOL("pvar_handle_alloc beyond", MPI_T_pvar_handle_alloc(session, count + 7, 0, &handle, &index));
    TOOL("pvar_start of all", MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    TOOL("pvar_stop of all", MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));
    TOOL("pvar_reset of all", MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES));
    TOOL("pvar_session_free", MPI_T_pvar_session_free(&session), note(" %s", session == MPI_T_PVAR_SESSION_NULL ? "null" : "not null"));
    TOOL("pvar_session_free of the null session", MPI_T_pvar_session_free(&session));
}

static void categories(void)
{
    int count = -1, length = 4, index = 77, stamp = 77;
    char name[300];
    TOOL("category_get_num", MPI_T_category_get_num(&count), note(" %s", count > 0 ? "some" : "none"));
    TOOL("category_get_info beyond", MPI_T_category_get_info(count + 7, name, &length, 0, 0, 0, 0, 0));
    TOOL("category_get_info before", MPI_T_category_get_info(-1, name, &length, 0, 0, 0, 0, 0));
    TOOL("category_get_index of no name", MPI_T_category_get_index("none of ours", &index));
    TOOL("category_get_cvars beyond", MPI_T_category_get_cvars(count + 7, 1, &index));
    TOOL("category_get_categories beyond", MPI_T_category_get_categories(count + 7, 1, &index));
    TOOL("category_changed", MPI_T_category_changed(&stamp), note(" %s", stamp != 77 ? "a number" : "none"));
}

int main(int argc, char **argv)
{
    int provided = 77, count = 77;
    MPI_T_cvar_handle handle;
    TOOL("cvar_get_num before init", MPI_T_cvar_get_num(&count));
    TOOL("cvar_handle_alloc before init", MPI_T_cvar_handle_alloc(0, 0, &handle, &count));
    TOOL("category_get_num before init", MPI_T_category_get_num(&count));
    TOOL("finalize before init", MPI_T_finalize());
    TOOL("init_thread", MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), note(" %s", provided == MPI_THREAD_SINGLE ? "single" : "another"));
    MPI_Init(&argc, &argv);
    control_variables();
    performance_variables();
    categories();
    TOOL("finalize", MPI_T_finalize());
    TOOL("cvar_get_num after", MPI_T_cvar_get_num(&count));
    TOOL("finalize after", MPI_T_finalize());
    MPI_Finalize();
    return 0;
}
