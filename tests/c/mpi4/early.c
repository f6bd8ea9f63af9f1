/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Calls that MPI-4.1 section 11.4.1 allows before MPI is initialized and after it is finalized, and the first example
 * of sessions, whose info object comes first. */
#include "check.h"

static char value[MPI_MAX_INFO_VAL];

static void on_session(MPI_Session *session, int *code, ...) { (void)session, (void)code; }

static void no_flags(int finalized)
{
    int flag = -1, version = 0, subversion = -1, length = 0;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    OK(MPI_Initialized(&flag));
    CHECK_INT(flag, finalized);
    OK(MPI_Finalized(&flag));
    CHECK_INT(flag, finalized);
    OK(MPI_Get_version(&version, &subversion));
    CHECK(version >= 3 && subversion >= 0);
    OK(MPI_Get_library_version(text, &length));
    CHECK(length > 0);
}

static void has(MPI_Info info, const char *key, const char *want)
{
    int flag = 0, length = 0, size = sizeof value;
    OK(MPI_Info_get_valuelen(info, key, &length, &flag));
    CHECK(flag && length == (int)strlen(want));
    OK(MPI_Info_get(info, key, MPI_MAX_INFO_VAL - 1, value, &flag));
    CHECK(flag);
    CHECK_STR(value, want);
    OK(MPI_Info_get_string(info, key, &size, value, &flag));
    CHECK(flag && size == (int)strlen(want) + 1);
    CHECK_STR(value, want);
}

/* How the program was started is told at any time. */
static int environment_keys = -1;

/* Every procedure of an info object; returns one of two keys. */
static MPI_Info infos(void)
{
    MPI_Info info, copy, env;
    char key[MPI_MAX_INFO_KEY];
    int count = -1, flag = -1;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "first", "1"));
    OK(MPI_Info_set(info, "second", "two"));
    OK(MPI_Info_set(info, "third", "3"));
    OK(MPI_Info_set(info, "first", "one"));
    OK(MPI_Info_get_nkeys(info, &count));
    CHECK_INT(count, 3);
    OK(MPI_Info_dup(info, &copy));
    OK(MPI_Info_delete(info, "third"));
    OK(MPI_Info_get_nkeys(info, &count));
    CHECK_INT(count, 2);
    OK(MPI_Info_get_nthkey(info, 1, key));
    CHECK_STR(key, "second");
    has(info, "first", "one");
    has(info, "second", "two");
    has(copy, "third", "3");
    OK(MPI_Info_get(info, "third", 4, value, &flag));
    CHECK(!flag);
    OK(MPI_Info_free(&copy));
    CHECK(copy == MPI_INFO_NULL);
    OK(MPI_Info_create_env(0, NULL, &env));
    OK(MPI_Info_get_nkeys(env, &count));
    if (environment_keys < 0)
        environment_keys = count;
    CHECK_INT(count, environment_keys);
    OK(MPI_Info_free(&env));
    CHECK(MPI_Info_f2c(MPI_Info_c2f(info)) == info);
    return info;
}

/* A class and a code that the program adds, and what is said of them. */
static int added(const char *want)
{
    int class, code, found = 0, length = 0;
    char text[MPI_MAX_ERROR_STRING];
    OK(MPI_Add_error_class(&class));
    OK(MPI_Add_error_code(class, &code));
    OK(MPI_Add_error_string(code, want));
    OK(MPI_Error_string(code, text, &length));
    CHECK_STR(text, want);
    OK(MPI_Error_class(code, &found));
    CHECK_INT(found, class);
    return code;
}

static void errors(void)
{
    int class = -1, length = 0;
    char text[MPI_MAX_ERROR_STRING];
    OK(MPI_Error_class(MPI_ERR_TRUNCATE, &class));
    CHECK_INT(class, MPI_ERR_TRUNCATE);
    OK(MPI_Error_string(MPI_ERR_TRUNCATE, text, &length));
    CHECK(length > 0 && length == (int)strlen(text));
}

static void tools(void)
{
    int provided, count = -1;
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_cvar_get_num(&count));
    CHECK(count >= 0);
    OK(MPI_T_finalize());
}

/* The info object first, with the thread level. */
static void session_of(MPI_Info info)
{
    MPI_Session session;
    MPI_Errhandler handler;
    MPI_Group group;
    MPI_Comm comm;
    int size = 0, sum = 0, one = 1;
    OK(MPI_Session_create_errhandler(on_session, &handler));
    CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(handler)) == handler);
    OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE"));
    OK(MPI_Session_init(info, handler, &session));
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    OK(MPI_Comm_create_from_group(group, "tests.early", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Comm_size(comm, &size));
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(sum, size);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Session_finalize(&session));
    OK(MPI_Errhandler_free(&handler));
}

int main(int argc, char **argv)
{
    MPI_Info info, late, used;
    int code = 0, length;
    char text[MPI_MAX_ERROR_STRING];
    no_flags(0);
    if (!known_fault("early-tools"))
        tools();
    errors();
    info = infos();
    if (!known_fault("early-error-codes"))
        code = added("early");
    if (!known_fault("early-session"))
        session_of(info);
    no_flags(0);
    check_begin(&argc, &argv);
    has(info, "second", "two");
    OK(MPI_Comm_set_info(MPI_COMM_WORLD, info));
    OK(MPI_Comm_get_info(MPI_COMM_WORLD, &used));
    OK(MPI_Info_free(&used));
    OK(MPI_Info_create(&late));
    OK(MPI_Info_set(late, "late", "yes"));
    int failed = check_end(), before = check_failures;
    no_flags(1);
    errors();
    has(info, "first", "one");
    has(late, "late", "yes");
    OK(MPI_Info_set(late, "later", "still"));
    has(late, "later", "still");
    OK(MPI_Info_free(&late));
    OK(MPI_Info_free(&info));
    CHECK(info == MPI_INFO_NULL);
    late = infos();
    OK(MPI_Info_free(&late));
    if (!known_fault("early-error-codes")) {
        OK(MPI_Error_string(code, text, &length));
        CHECK_STR(text, "early");
        added("after the end");
    }
    return failed || check_failures > before;
}
