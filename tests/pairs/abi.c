/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks MPI about its ABI and Fortran, MPI-5.0 chapter 20. Prints the version. With the argument "early", before MPI_Init and in a session
 * alone, where MPICH 5.0.2 ends the program. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MPI_ABI_VERSION
#define MPI_ABI_VERSION (-1)
#endif

static int failures;
#define CHECK(condition) ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%d: not so: %s\n", __LINE__, #condition)))

/* The value of a key, or "" if there is none. */
static const char *value_of(MPI_Info info, const char *key)
{
    static char value[MPI_MAX_INFO_VAL + 1];
    int flag = 0;
    value[0] = 0;
    CHECK(MPI_Info_get(info, key, sizeof value - 1, value, &flag) == MPI_SUCCESS && flag);
    return value;
}

static void check_size(MPI_Info info, const char *name, int size)
{
    char key[64];
    snprintf(key, sizeof key, "mpi_%s_size", name);
    CHECK(atoi(value_of(info, key)) == size);
}

static void check_type_size(MPI_Info info, const char *name, MPI_Datatype datatype)
{
    int size = -1;
    CHECK(MPI_Type_size(datatype, &size) == MPI_SUCCESS && size > 0);
    check_size(info, name, size);
}

/* An unsupported type has no size; a supported one has the size in its name. */
static void check_supported(MPI_Info info, const char *name, MPI_Datatype datatype, int expected)
{
    char key[64];
    int size = -1;
    MPI_Count large = -1, largest = -1;
    snprintf(key, sizeof key, "mpi_%s_supported", name);
    const char *value = value_of(info, key);
    int supported = strcmp(value, "true") == 0;
    CHECK(supported || strcmp(value, "false") == 0);
    if (!supported && MPI_ABI_VERSION < 0)
        return;
    CHECK(MPI_Type_size(datatype, &size) == MPI_SUCCESS && size == (supported ? expected : MPI_UNDEFINED));
    CHECK(MPI_Type_size_x(datatype, &largest) == MPI_SUCCESS && largest == size);
    CHECK(MPI_Type_size_c(datatype, &large) == MPI_SUCCESS && large == size);
}

static void check_fortran(void)
{
    MPI_Info info = MPI_INFO_NULL;
    CHECK(MPI_Abi_get_fortran_info(&info) == MPI_SUCCESS);
    if (info == MPI_INFO_NULL) {
        CHECK(!"the host's Fortran is known");
        return;
    }
    check_type_size(info, "logical", MPI_LOGICAL);
    check_type_size(info, "integer", MPI_INTEGER);
    check_type_size(info, "real", MPI_REAL);
    check_type_size(info, "double_precision", MPI_DOUBLE_PRECISION);
#define SUPPORTED(name, NAME, size) check_supported(info, name, MPI_##NAME, size)
    SUPPORTED("logical1", LOGICAL1, 1), SUPPORTED("logical2", LOGICAL2, 2), SUPPORTED("logical4", LOGICAL4, 4);
    SUPPORTED("logical8", LOGICAL8, 8), SUPPORTED("logical16", LOGICAL16, 16), SUPPORTED("integer1", INTEGER1, 1);
    SUPPORTED("integer2", INTEGER2, 2), SUPPORTED("integer4", INTEGER4, 4), SUPPORTED("integer8", INTEGER8, 8);
    SUPPORTED("integer16", INTEGER16, 16), SUPPORTED("real2", REAL2, 2), SUPPORTED("real4", REAL4, 4);
    SUPPORTED("real8", REAL8, 8), SUPPORTED("real16", REAL16, 16), SUPPORTED("complex4", COMPLEX4, 4);
    SUPPORTED("complex8", COMPLEX8, 8), SUPPORTED("complex16", COMPLEX16, 16), SUPPORTED("complex32", COMPLEX32, 32);
    SUPPORTED("double_complex", DOUBLE_COMPLEX, 16);
    CHECK(strcmp(value_of(info, "mpi_integer4_supported"), "true") == 0);
    /* They are known, and cannot be set. */
    CHECK(MPI_Abi_set_fortran_info(info) == MPI_ERR_ABI);
    CHECK(MPI_Abi_set_fortran_info(info) == MPI_ERR_ABI);
    CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
    CHECK(MPI_Abi_get_fortran_info(NULL) != MPI_SUCCESS);
}

static void check_booleans(void)
{
    signed char yes[24], no[24];
    for (int size = 1; size <= 8; size *= 2) {
        int set = -1;
        memset(yes, 0x55, sizeof yes);
        memset(no, 0x55, sizeof no);
        CHECK(MPI_Abi_get_fortran_booleans(size, yes, no, &set) == MPI_SUCCESS && set == 1);
        /* As gfortran has them, with which both MPIs of this machine were built. */
        for (int i = 0; i < 24; i++) {
            CHECK(yes[i] == (i >= size ? 0x55 : i == 0));
            CHECK(no[i] == (i >= size ? 0x55 : 0));
        }
    }
    int set = -1;
    CHECK(MPI_Abi_get_fortran_booleans(3, yes, no, &set) == MPI_ERR_ARG);
    CHECK(MPI_Abi_get_fortran_booleans(4, yes, no, NULL) == MPI_ERR_ARG);
    CHECK(MPI_Abi_set_fortran_booleans(4, yes, no) == MPI_ERR_ABI);
}

/* The host's Fortran is known before MPI begins, and cannot be set. */
static void check_early(void)
{
    MPI_Info info = MPI_INFO_NULL;
    CHECK(MPI_Abi_get_fortran_info(&info) == MPI_SUCCESS && info != MPI_INFO_NULL);
    CHECK(strcmp(value_of(info, "mpi_integer_size"), "4") == 0 && strcmp(value_of(info, "mpi_double_complex_supported"), "true") == 0);
    CHECK(MPI_Abi_set_fortran_info(info) == MPI_ERR_ABI && MPI_Abi_set_fortran_info(info) == MPI_ERR_ABI);
    CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
    check_booleans();
}

static void check_error(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0, class = 0;
    CHECK(MPI_Error_class(MPI_ERR_ABI, &class) == MPI_SUCCESS && class == MPI_ERR_ABI);
    CHECK(MPI_Error_string(MPI_ERR_ABI, text, &length) == MPI_SUCCESS && length > 0);
}

int main(int argc, char **argv)
{
    int major = 9, minor = 9;
    CHECK(MPI_Abi_get_version(&major, &minor) == MPI_SUCCESS);
    printf("%d.%d\n", major, minor);
    if (argc > 1) {
        check_early();
        MPI_Session session;
        CHECK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
        check_early();
        CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS);
        return failures != 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Abi_get_version(&major, NULL) == MPI_ERR_ARG);
    MPI_Info info = MPI_INFO_NULL;
    CHECK(MPI_Abi_get_info(&info) == MPI_SUCCESS);
    check_size(info, "aint", sizeof(MPI_Aint));
    check_size(info, "count", sizeof(MPI_Count));
    check_size(info, "offset", sizeof(MPI_Offset));
    MPI_Info_free(&info);
    check_fortran();
    check_booleans();
    check_error();
    MPI_Finalize();
    return failures != 0;
}
