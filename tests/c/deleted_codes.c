/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* families: mpich */
/* libs: -ldl */
/* MPIX_Delete_error_class, _code and _string, which are MPI_Remove_error_... since MPI-4.1: MPICH 4.0 has them and newer
 * releases do not. No header declares them where an older or newer one is installed. */
#include "check.h"

#include <dlfcn.h>

typedef int delete_error(int);
static delete_error *delete_class, *delete_code, *delete_string;

static delete_error *find_deleter(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return (delete_error *)found;
}

static void is_text(int code, const char *want)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    OK(MPI_Error_string(code, text, &length));
    CHECK_STR(text, want);
}

static int has_text(int code, const char *unwanted)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    return MPI_Error_string(code, text, &length) == MPI_SUCCESS && strcmp(text, unwanted) == 0;
}

/* Deleted codes are gone; the others stay. */
static void one_after_another(void)
{
    int class = -1, code = -1, other = -1;
    OK(MPI_Add_error_class(&class));
    OK(MPI_Add_error_code(class, &code));
    OK(MPI_Add_error_code(class, &other));
    OK(MPI_Add_error_string(code, "gone soon"));
    OK(MPI_Add_error_string(other, "stays"));
    is_text(code, "gone soon");
    OK(delete_string(code));
    CHECK(!has_text(code, "gone soon"));
    CHECK_INT(check_class(code), class);
    OK(MPI_Add_error_string(code, "again"));
    is_text(code, "again");
    /* MPICH frees the string of a code twice that is deleted with it, and looks for that of a code that is no more. */
    if (known_fault("deleted-with-a-string"))
        OK(delete_string(code));
    OK(delete_code(code));
    if (!known_fault("deleted-with-a-string"))
        CHECK(!has_text(code, "again"));
    is_text(other, "stays");
    CHECK_INT(check_class(other), class);
    OK(delete_string(other));
    OK(delete_code(other));
    OK(delete_class(class));
}

static int last_used_code(void)
{
    const int *last = NULL;
    int flag = 0;
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    return flag ? *last : -1;
}

/* Hosts have few classes: deleted ones are used again, and so are the numbers that the program sees. A code that is used again
 * may belong to another class. More rounds than MPICH has codes. */
static void in_turn(void)
{
    int last = 0;
    for (int i = 0; i < 9000 && !check_failures; i++) {
        int class = -1, code = -1, of_other = -1;
        OK(MPI_Add_error_class(&class));
        OK(MPI_Add_error_code(i % 2 ? class : MPI_ERR_OTHER, &of_other));
        OK(MPI_Add_error_code(class, &code));
        CHECK_INT(check_class(class), class);
        CHECK_INT(check_class(code), class);
        CHECK_INT(check_class(of_other), i % 2 ? class : MPI_ERR_OTHER);
        CHECK(!has_text(code, "of this turn"));
        OK(MPI_Add_error_string(code, "of this turn"));
        is_text(code, "of this turn");
        OK(delete_string(code));
        OK(delete_code(of_other));
        OK(delete_code(code));
        OK(delete_class(class));
        if (i == 0)
            last = last_used_code();
        CHECK_INT(last_used_code(), last);
    }
}

/* Of what nobody added, nothing is deleted. */
static void of_none(void)
{
    CHECK(delete_code(MPI_ERR_TYPE) != MPI_SUCCESS);
    CHECK(delete_class(MPI_ERR_TYPE) != MPI_SUCCESS);
    CHECK(delete_string(MPI_ERR_TYPE) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    delete_class = find_deleter("MPIX_Delete_error_class");
    delete_code = find_deleter("MPIX_Delete_error_code");
    delete_string = find_deleter("MPIX_Delete_error_string");
    if (delete_class && delete_code && delete_string) {
        one_after_another();
        in_turn();
        of_none();
    }
    return check_end();
}
