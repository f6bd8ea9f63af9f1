/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* Info objects. */
#include "check.h"

static void basic(void)
{
    char value[MPI_MAX_INFO_VAL + 1], key[MPI_MAX_INFO_KEY + 1];
    int flag = 0, count = -1, length = -1;
    MPI_Info info, dup;
    OK(MPI_Info_create(&info));
    CHECK(info != MPI_INFO_NULL);
    OK(MPI_Info_set(info, "alpha", "one"));
    OK(MPI_Info_set(info, "beta", "two two"));
    OK(MPI_Info_set(info, "alpha", "three"));
    OK(MPI_Info_get_nkeys(info, &count));
    CHECK_INT(count, 2);
    OK(MPI_Info_get(info, "alpha", MPI_MAX_INFO_VAL, value, &flag));
    CHECK_INT(flag, 1);
    CHECK_STR(value, "three");
    OK(MPI_Info_get_valuelen(info, "beta", &length, &flag));
    CHECK_INT(length, 7);
    strcpy(value, "untouched");
    OK(MPI_Info_get(info, "gamma", MPI_MAX_INFO_VAL, value, &flag));
    CHECK_INT(flag, 0);
    CHECK_STR(value, "untouched");
    OK(MPI_Info_dup(info, &dup));
    OK(MPI_Info_delete(info, "alpha"));
    OK(MPI_Info_get_nthkey(info, 0, key));
    CHECK_STR(key, "beta");
    OK(MPI_Info_get_nkeys(dup, &count));
    CHECK_INT(count, 2);
    if (!known_fault("info-get-truncates")) {
        OK(MPI_Info_get(dup, "beta", 3, value, &flag));
        CHECK_INT(flag, 1);
        CHECK(strncmp(value, "two", 3) == 0);
    }
    OK(MPI_Info_free(&dup));
    OK(MPI_Info_free(&info));
    CHECK(info == MPI_INFO_NULL && dup == MPI_INFO_NULL);
}

/* The longest key and value of the application's own limits. */
static void limits(void)
{
    if (known_fault("longest-key"))
        return;
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL], got[MPI_MAX_INFO_VAL + 8], got_key[MPI_MAX_INFO_KEY + 8];
    int flag = 0;
    MPI_Info info;
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    memset(got, '#', sizeof got);
    memset(got_key, '#', sizeof got_key);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, key, value));
    OK(MPI_Info_get(info, key, MPI_MAX_INFO_VAL - 1, got, &flag));
    CHECK_INT(flag, 1);
    CHECK_STR(got, value);
    OK(MPI_Info_get_nthkey(info, 0, got_key));
    CHECK_STR(got_key, key);
    for (int i = 0; i < 8; i++)
        CHECK(got[MPI_MAX_INFO_VAL + i] == '#' && got_key[MPI_MAX_INFO_KEY + i] == '#');
    OK(MPI_Info_free(&info));
}

/* MPI_INFO_ENV is a predefined object that can be read like any other. */
static void environment(void)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int count = -1, flag;
    MPI_Info dup;
    OK(MPI_Info_get_nkeys(MPI_INFO_ENV, &count));
    CHECK(count >= 0);
    for (int i = 0; i < count; i++) {
        OK(MPI_Info_get_nthkey(MPI_INFO_ENV, i, key));
        OK(MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL, value, &flag));
        CHECK(key[0] != '\0' && flag);
    }
    OK(MPI_Info_dup(MPI_INFO_ENV, &dup));
    CHECK(dup != MPI_INFO_ENV && dup != MPI_INFO_NULL);
    OK(MPI_Info_free(&dup));
}

static void errors(void)
{
    MPI_Info info;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Info_create(&info));
    FAILS(MPI_Info_delete(info, "absent"), MPI_ERR_INFO_NOKEY);
    FAILS(MPI_Info_set(info, "", "x"), MPI_ERR_INFO_KEY);
    CHECK(MPI_Info_set(MPI_INFO_NULL, "a", "x") != MPI_SUCCESS);
    OK(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    basic();
    limits();
    environment();
    errors();
    return check_end();
}
