/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that MPI allows before it is initialized and after it is finalized, without a session: enquiries, infos, error
 * codes and handlers, and objects that were made before and are used meanwhile. */
#include "handlers.h"

/* LABEL, and when it is observed. */
static const char *at(const char *label, const char *when)
{
    static char text[100];
    snprintf(text, sizeof text, "%s %s", label, when);
    return text;
}

static void states(const char *when)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int flag = 77, major = 0, minor = 0, length = 0;
    SEE(at("initialized", when), MPI_Initialized(&flag), note(" %d", flag));
    SEE(at("finalized", when), MPI_Finalized(&flag), note(" %d", flag));
    SEE(at("get_version", when), MPI_Get_version(&major, &minor), note(" %s", major >= 3 ? "3 or later" : "earlier"));
    SEE(at("get_library_version", when), MPI_Get_library_version(text, &length), note(" %s", length > 0 ? "text" : "none"));
}

/* By the procedure that MPI-4.0 has for it. */
static void strings(MPI_Info info, const char *when)
{
    char value[40] = "as it was";
    int flag = 77, length = sizeof value;
    if (!HAS(MPI_Info_get_string))
        return;
#define GET(label, key) \
    SEE(at(label, when), MPI_Info_get_string(info, key, &length, value, &flag), note(" %s %d %d", value, length, flag))
    GET("info_get_string", "thread_level");
    length = 5;
    GET("info_get_string of a part", "thread_level");
    length = 0;
    GET("info_get_string of nothing", "thread_level");
    length = 30;
    strcpy(value, "as it was");
    GET("info_get_string of no key", "none");
#undef GET
}

static MPI_Info infos(const char *when)
{
    MPI_Info info = MPI_INFO_NULL, copy = MPI_INFO_NULL;
    char value[40] = "as it was", key[MPI_MAX_INFO_KEY] = "";
    int count = 77, flag = 77, length = 77;
    SEE(at("info_create", when), MPI_Info_create(&info), note(" %s", info == MPI_INFO_NULL ? "null" : "made"));
    SEE(at("info_set", when), MPI_Info_set(info, "thread_level", "MPI_THREAD_SINGLE"));
    SEE(at("info_set of a second", when), MPI_Info_set(info, "second", "a value"));
    SEE(at("info_get", when), MPI_Info_get(info, "thread_level", 39, value, &flag), note(" %s %d", value, flag));
    SEE(at("info_get of no key", when), MPI_Info_get(info, "none", 39, value, &flag), note(" %s %d", value, flag));
    SEE(at("info_get_valuelen", when), MPI_Info_get_valuelen(info, "thread_level", &length, &flag), note(" %d %d", length, flag));
    SEE(at("info_get_nkeys", when), MPI_Info_get_nkeys(info, &count), note(" %d", count));
    SEE(at("info_get_nthkey", when), MPI_Info_get_nthkey(info, 1, key), note(" %s", key));
    strings(info, when);
    SEE(at("info_delete", when), MPI_Info_delete(info, "second"));
    SEE(at("info_dup", when), MPI_Info_dup(info, &copy), MPI_Info_get_nkeys(copy, &count); note(" %d", count));
    SEE(at("info_free", when), MPI_Info_free(&copy), note(" %s", copy == MPI_INFO_NULL ? "null" : "not null"));
    return info;
}

static void codes(const char *when)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int found = 77, length = 0;
    SEE(at("error_class", when), MPI_Error_class(MPI_ERR_TAG, &found), note(" %s", class_of(found)));
    SEE(at("error_string", when), MPI_Error_string(MPI_ERR_TAG, text, &length),
        note(" %s", length > 0 && text[length] == 0 ? "text" : "none"));
}

/* Codes of the program's own: MPI-4.1 allows them. */
static void codes_of_its_own(const char *when)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int found = 77, length = 0, our_class = 77, code = 77;
    SEE(at("add_error_class", when), MPI_Add_error_class(&our_class),
        note(" %s", our_class > MPI_ERR_LASTCODE ? "beyond MPI's" : "among MPI's"));
    SEE(at("add_error_code", when), MPI_Add_error_code(our_class, &code), MPI_Error_class(code, &found);
        note(" %s", found == our_class ? "of the class" : "of another"));
    SEE(at("add_error_string", when), MPI_Add_error_string(code, "our own"), MPI_Error_string(code, text, &length); note(" %s", text));
}

static void on_session(MPI_Session *session, int *code, ...)
{
    (void)session, (void)code;
}

/* Of handlers, only those for sessions may be made. */
static void handlers(const char *when)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (!HAS(MPI_Session_create_errhandler))
        return;
    SEE(at("session_create_errhandler", when), MPI_Session_create_errhandler(on_session, &handler),
        note(" %s", handler == MPI_ERRHANDLER_NULL ? "null" : "made"));
    SEE(at("errhandler_free", when), MPI_Errhandler_free(&handler), note(" %s", handler == MPI_ERRHANDLER_NULL ? "null" : "not null"));
}

/* A release before MPI-4 may end the program for all of it. */
static MPI_Info outside(const char *when)
{
    MPI_Info info = MPI_INFO_NULL;
    if (!left_out(at("infos", when)))
        info = infos(when);
    if (!left_out(at("codes", when)))
        codes(when);
    if (!left_out(at("codes of its own", when)))
        codes_of_its_own(when);
    if (!left_out(at("error handlers", when)))
        handlers(when);
    return info;
}

static void meanwhile(MPI_Info made_before, int level)
{
    char value[40] = "as it was";
    int flag = 77, provided = 77;
    SEE("query_thread", MPI_Query_thread(&provided), note(" %s", provided == level ? "as provided" : "another"));
    SEE("is_thread_main", MPI_Is_thread_main(&flag), note(" %d", flag));
    if (made_before == MPI_INFO_NULL)
        return;
    SEE("info_get of one made before", MPI_Info_get(made_before, "thread_level", 39, value, &flag), note(" %s %d", value, flag));
    SEE("comm_dup_with_info of one made before", MPI_Comm_dup_with_info(MPI_COMM_SELF, made_before, &duplicate));
    MPI_Comm_free(&duplicate);
}

int main(void)
{
    MPI_Info info;
    int provided = 77;
    states("before");
    info = outside("before");
    SEE("init_thread", MPI_Init_thread(0, 0, MPI_THREAD_SINGLE, &provided),
        note(" %s", provided >= MPI_THREAD_SINGLE ? "what is asked for" : "less"));
    states("meanwhile");
    meanwhile(info, provided);
    SEE("finalize", MPI_Finalize());
    states("after");
    if (info != MPI_INFO_NULL)
        SEE("info_free of one that is left", MPI_Info_free(&info), note(" %s", info == MPI_INFO_NULL ? "null" : "not null"));
    info = outside("after");
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return 0;
}
