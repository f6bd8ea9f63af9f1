/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Strings the host writes must fit the application's own maxima. */
#include "check.h"

enum { GUARD = 64 };

#define GUARDED(name, size) char name[(size) + GUARD]; memset(name, '#', sizeof name)
#define CHECK_GUARD(name, size, length) do {                     \
        CHECK((length) >= 0 && (length) < (size));               \
        CHECK_INT(strlen(name), (length));                       \
        for (int i = 0; i < GUARD; i++)                          \
            CHECK_INT(name[(size) + i], '#');                    \
    } while (0)

static void versions(void)
{
    GUARDED(text, MPI_MAX_LIBRARY_VERSION_STRING);
    int length = -1, version = 0, subversion = -1;
    OK(MPI_Get_library_version(text, &length));
    if (known_fault("library-version-length"))
        length = (int)strlen(text);
    CHECK_GUARD(text, MPI_MAX_LIBRARY_VERSION_STRING, length);
    CHECK(length > 5);
    OK(MPI_Get_version(&version, &subversion));
    CHECK(version >= 3 && subversion >= 0);
    CHECK(100 * version + subversion <= 100 * MPI_VERSION + MPI_SUBVERSION);
}

static void processor(void)
{
    GUARDED(text, MPI_MAX_PROCESSOR_NAME);
    int length = -1;
    OK(MPI_Get_processor_name(text, &length));
    CHECK_GUARD(text, MPI_MAX_PROCESSOR_NAME, length);
    CHECK(length > 0);
}

/* A long chain of causes makes the host's longest messages. */
static void errors(void)
{
    GUARDED(text, MPI_MAX_ERROR_STRING);
    int length = -1, code, value = 0;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    code = MPI_Send(&value, 1, MPI_INT, 123456, 0, MPI_COMM_WORLD);
    OK(MPI_Error_string(code, text, &length));
    CHECK_GUARD(text, MPI_MAX_ERROR_STRING, length);
    char longest[MPI_MAX_ERROR_STRING];
    int user;
    memset(longest, 'e', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    OK(MPI_Add_error_class(&user));
    OK(MPI_Add_error_string(user, longest));
    OK(MPI_Error_string(user, text, &length));
    CHECK_GUARD(text, MPI_MAX_ERROR_STRING, length);
    CHECK_STR(text, longest);
}

static void port(void)
{
    GUARDED(text, MPI_MAX_PORT_NAME);
    if (known_fault("open-port"))
        return;
    OK(MPI_Open_port(MPI_INFO_NULL, text));
    CHECK_GUARD(text, MPI_MAX_PORT_NAME, (int)strlen(text));
    OK(MPI_Close_port(text));
}

static void object_names(void)
{
    GUARDED(text, MPI_MAX_OBJECT_NAME);
    char longest[MPI_MAX_OBJECT_NAME];
    static int memory[4];
    int length = -1;
    MPI_Win win;
    MPI_Datatype type;
    memset(longest, 'o', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    OK(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_set_name(win, longest));
    OK(MPI_Win_get_name(win, text, &length));
    CHECK_GUARD(text, MPI_MAX_OBJECT_NAME, length);
    CHECK_STR(text, longest);
    OK(MPI_Win_free(&win));
    OK(MPI_Type_dup(MPI_INT, &type));
    OK(MPI_Type_set_name(type, longest));
    OK(MPI_Type_get_name(type, text, &length));
    CHECK_GUARD(text, MPI_MAX_OBJECT_NAME, length);
    CHECK_STR(text, longest);
    OK(MPI_Type_free(&type));
}

static void clock_and_control(void)
{
    double before = MPI_Wtime(), tick = MPI_Wtick(), after = MPI_Wtime();
    CHECK(before >= 0 && after >= before && after - before < 60);
    CHECK(tick > 0 && tick < 1);
    OK(MPI_Pcontrol(0));
    OK(MPI_Pcontrol(1));
    OK(MPI_Pcontrol(2, "anything", 3.5, 4, (void *)0));
    int flag = -1;
    OK(MPI_Initialized(&flag));
    CHECK_INT(flag, 1);
    OK(MPI_Finalized(&flag));
    CHECK_INT(flag, 0);
}

int main(int argc, char **argv)
{
    int flag = -1;
    MPI_Initialized(&flag);
    int early = flag, version = 0, subversion = 0;
    /* Callable before initialization. */
    MPI_Get_version(&version, &subversion);
    check_begin(&argc, &argv);
    CHECK_INT(early, 0);
    CHECK(version >= 3);
    versions();
    processor();
    errors();
    port();
    object_names();
    clock_and_control();
    return check_end();
}
