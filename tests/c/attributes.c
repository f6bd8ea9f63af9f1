/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Attributes of communicators, datatypes and windows; predefined ones. */
#include "check.h"

static MPI_Comm copied_from;
static int copies, deletes, wrong, keyval_now, cookie;
static void *last_deleted;

/* Copies give the old value plus one; the extra state is the test's cookie. */
static int copy_comm(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    int rank = -1;
    copies++;
    wrong += comm != copied_from || keyval != keyval_now || extra != &cookie;
    wrong += MPI_Comm_rank(comm, &rank) != MPI_SUCCESS || rank < 0;
    *(char **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_comm(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int size = 0;
    deletes++;
    wrong += keyval != keyval_now || extra != &cookie;
    wrong += MPI_Comm_size(comm, &size) != MPI_SUCCESS || size < 1;
    last_deleted = value;
    return MPI_SUCCESS;
}

static void comm_callbacks(void)
{
    static char value[4];
    char *got = NULL;
    int found = 0, old_keyval;
    MPI_Comm first, second;
    OK(MPI_Comm_create_keyval(copy_comm, delete_comm, &keyval_now, &cookie));
    CHECK(keyval_now != MPI_KEYVAL_INVALID);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &first));
    OK(MPI_Comm_get_attr(first, keyval_now, &got, &found));
    CHECK_INT(found, 0);
    OK(MPI_Comm_set_attr(first, keyval_now, value));
    copied_from = first;
    OK(MPI_Comm_dup(first, &second));
    CHECK_INT(copies, 1);
    OK(MPI_Comm_get_attr(second, keyval_now, &got, &found));
    CHECK(found && got == value + 1);
    OK(MPI_Comm_set_attr(second, keyval_now, value + 2));
    CHECK_INT(deletes, 1);
    CHECK(last_deleted == value + 1);
    OK(MPI_Comm_delete_attr(first, keyval_now));
    CHECK_INT(deletes, 2);
    CHECK(last_deleted == value);
    /* The keyval lives on while an attribute is attached. */
    old_keyval = keyval_now;
    OK(MPI_Comm_free_keyval(&old_keyval));
    CHECK_INT(old_keyval, MPI_KEYVAL_INVALID);
    OK(MPI_Comm_free(&second));
    CHECK(second == MPI_COMM_NULL);
    CHECK_INT(deletes, 3);
    CHECK(last_deleted == value + 2);
    OK(MPI_Comm_free(&first));
    CHECK_INT(deletes, 3);
}

/* The NULL and DUP functions are values, not functions to wrap. */
static void predefined_copy_functions(void)
{
    static int value;
    int null_keyval, dup_keyval, found = 1, *got = NULL;
    MPI_Comm dup;
    OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &null_keyval, NULL));
    OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup_keyval, NULL));
    CHECK(null_keyval != dup_keyval);
    OK(MPI_Comm_set_attr(MPI_COMM_SELF, null_keyval, &value));
    OK(MPI_Comm_set_attr(MPI_COMM_SELF, dup_keyval, &value));
    OK(MPI_Comm_dup(MPI_COMM_SELF, &dup));
    OK(MPI_Comm_get_attr(dup, null_keyval, &got, &found));
    CHECK_INT(found, 0);
    OK(MPI_Comm_get_attr(dup, dup_keyval, &got, &found));
    CHECK(found && got == &value);
    OK(MPI_Comm_free(&dup));
    OK(MPI_Comm_delete_attr(MPI_COMM_SELF, null_keyval));
    OK(MPI_Comm_delete_attr(MPI_COMM_SELF, dup_keyval));
    OK(MPI_Comm_free_keyval(&null_keyval));
    OK(MPI_Comm_free_keyval(&dup_keyval));
    CHECK(null_keyval == MPI_KEYVAL_INVALID && dup_keyval == MPI_KEYVAL_INVALID);
}

static int type_copies, type_deletes;
static MPI_Datatype copied_type;

static int copy_type(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    type_copies++;
    wrong += type != copied_type || extra != &cookie || keyval == MPI_KEYVAL_INVALID;
    *(void **)out = in;
    *flag = in != NULL;
    return MPI_SUCCESS;
}

static int delete_type(MPI_Datatype type, int keyval, void *value, void *extra)
{
    type_deletes++;
    wrong += extra != &cookie || keyval == MPI_KEYVAL_INVALID || type == MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

static void type_callbacks(void)
{
    int keyval, dup_keyval, found = 0, *got = NULL;
    MPI_Datatype type, dup;
    OK(MPI_Type_create_keyval(copy_type, delete_type, &keyval, &cookie));
    OK(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &dup_keyval, NULL));
    OK(MPI_Type_contiguous(3, MPI_INT, &type));
    copied_type = type;
    OK(MPI_Type_set_attr(type, keyval, &cookie));
    OK(MPI_Type_set_attr(type, dup_keyval, &copies));
    OK(MPI_Type_dup(type, &dup));
    CHECK_INT(type_copies, 1);
    OK(MPI_Type_get_attr(dup, keyval, &got, &found));
    CHECK(found && got == &cookie);
    OK(MPI_Type_get_attr(dup, dup_keyval, &got, &found));
    CHECK(found && got == &copies);
    int null_keyval = 0;
    OK(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &null_keyval, NULL));
    OK(MPI_Type_free_keyval(&null_keyval));
    OK(MPI_Type_set_attr(MPI_INT, dup_keyval, &deletes));
    OK(MPI_Type_get_attr(MPI_INT, dup_keyval, &got, &found));
    CHECK(found && got == &deletes);
    OK(MPI_Type_delete_attr(MPI_INT, dup_keyval));
    OK(MPI_Type_delete_attr(dup, keyval));
    CHECK_INT(type_deletes, 1);
    OK(MPI_Type_free(&dup));
    OK(MPI_Type_free(&type));
    CHECK_INT(type_deletes, 2);
    OK(MPI_Type_free_keyval(&keyval));
    OK(MPI_Type_free_keyval(&dup_keyval));
    CHECK_INT(keyval, MPI_KEYVAL_INVALID);
}

static int refuse_copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    *flag = 0;
    return MPI_ERR_OTHER;
}

static int refuse_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    return *(int *)extra;
}

/* A callback's return value travels back through the host. */
static void callback_errors(void)
{
    static int value, answer = MPI_ERR_OTHER;
    int keyval, code;
    MPI_Comm base, dup = MPI_COMM_NULL;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &base));
    OK(MPI_Comm_set_errhandler(base, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_create_keyval(refuse_copy, refuse_delete, &keyval, &answer));
    OK(MPI_Comm_set_attr(base, keyval, &value));
    code = MPI_Comm_dup(base, &dup);
    CHECK(code != MPI_SUCCESS);
    CHECK(MPI_Comm_delete_attr(base, keyval) != MPI_SUCCESS);
    answer = MPI_SUCCESS;
    OK(MPI_Comm_delete_attr(base, keyval));
    OK(MPI_Comm_free(&base));
    OK(MPI_Comm_free_keyval(&keyval));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

static int comm_attribute(int keyval, int *found)
{
    int *value = NULL;
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, found));
    return *found ? *value : 0;
}

/* Values are in the application's terms, whatever the host thinks. */
static void predefined_comm_attributes(void)
{
    int found = 0, value, *once = NULL, *twice = NULL;
    value = comm_attribute(MPI_TAG_UB, &found);
    CHECK(found && value >= 32767);
    value = comm_attribute(MPI_HOST, &found);
    CHECK(found && (value == MPI_PROC_NULL || (value >= 0 && value < check_size)));
    value = comm_attribute(MPI_IO, &found);
    CHECK(found && (value == MPI_ANY_SOURCE || value == MPI_PROC_NULL || (value >= 0 && value < check_size)));
    value = comm_attribute(MPI_WTIME_IS_GLOBAL, &found);
    CHECK(!found || value == 0 || value == 1);
    value = comm_attribute(MPI_LASTUSEDCODE, &found);
    CHECK(found);
    if (!known_fault("lastusedcode"))
        CHECK(value >= MPI_ERR_LASTCODE);
    value = comm_attribute(MPI_UNIVERSE_SIZE, &found);
    CHECK(!found || value >= 1);
    value = comm_attribute(MPI_APPNUM, &found);
    CHECK(!found || value == 0);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &once, &found));
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &twice, &found));
    CHECK_INT(*once, *twice);
}

static void win_attributes(MPI_Win win, const void *base, MPI_Aint bytes, int unit, int flavor)
{
    void *got_base = NULL;
    MPI_Aint *got_bytes = NULL;
    int *value = NULL, found = 0;
    OK(MPI_Win_get_attr(win, MPI_WIN_BASE, &got_base, &found));
    CHECK(found && (base == NULL || got_base == base));
    OK(MPI_Win_get_attr(win, MPI_WIN_SIZE, &got_bytes, &found));
    CHECK(found && got_bytes && *got_bytes == bytes);
    OK(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &value, &found));
    CHECK(found && value && *value == unit);
    OK(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &found));
    CHECK(found && value);
    CHECK_INT(*value, flavor);
    OK(MPI_Win_get_attr(win, MPI_WIN_MODEL, &value, &found));
    CHECK(found && value && (*value == MPI_WIN_UNIFIED || *value == MPI_WIN_SEPARATE));
}

static int win_deletes;
static int delete_win(MPI_Win win, int keyval, void *value, void *extra)
{
    win_deletes += value == &cookie && extra == &win_deletes && keyval != MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

static void windows(void)
{
    static int memory[10];
    void *base = NULL, *shared = NULL;
    MPI_Aint *bytes = NULL;
    int keyval, found = 0, *got = NULL;
    MPI_Win created, allocated, dynamic;
    OK(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &created));
    win_attributes(created, memory, sizeof memory, sizeof(int), MPI_WIN_FLAVOR_CREATE);
    OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_win, &keyval, &win_deletes));
    OK(MPI_Win_set_attr(created, keyval, &cookie));
    OK(MPI_Win_get_attr(created, keyval, &got, &found));
    CHECK(found && got == &cookie);
    OK(MPI_Win_delete_attr(created, keyval));
    CHECK_INT(win_deletes, 1);
    OK(MPI_Win_set_attr(created, keyval, &cookie));
    int plain = 0;
    OK(MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &plain, NULL));
    OK(MPI_Win_set_attr(created, plain, &cookie));
    OK(MPI_Win_delete_attr(created, plain));
    OK(MPI_Win_free_keyval(&plain));
    OK(MPI_Win_free(&created));
    CHECK(created == MPI_WIN_NULL);
    CHECK_INT(win_deletes, 2);
    OK(MPI_Win_free_keyval(&keyval));
    CHECK_INT(keyval, MPI_KEYVAL_INVALID);
    OK(MPI_Win_allocate(80, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &allocated));
    win_attributes(allocated, base, 80, 8, MPI_WIN_FLAVOR_ALLOCATE);
    OK(MPI_Win_free(&allocated));
    OK(MPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &allocated));
    win_attributes(allocated, shared, 64, 4, MPI_WIN_FLAVOR_SHARED);
    OK(MPI_Win_free(&allocated));
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic));
    OK(MPI_Win_get_attr(dynamic, MPI_WIN_CREATE_FLAVOR, &got, &found));
    CHECK(found && *got == MPI_WIN_FLAVOR_DYNAMIC);
    OK(MPI_Win_get_attr(dynamic, MPI_WIN_SIZE, &bytes, &found));
    CHECK(found && bytes && *bytes == 0);
    OK(MPI_Win_free(&dynamic));
}

/* A dynamic keyval never equals a predefined one. */
static void keyvals_do_not_collide(void)
{
    enum { MANY = 500 };
    static const int fixed[] = { MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_APPNUM,
        MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE, MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT,
        MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL, MPI_KEYVAL_INVALID };
    int keyvals[MANY];
    for (int i = 0; i < MANY; i++) {
        OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyvals[i], NULL));
        for (unsigned j = 0; j < sizeof fixed / sizeof *fixed; j++)
            CHECK(keyvals[i] != fixed[j]);
    }
    for (int i = 0; i < MANY; i++)
        OK(MPI_Comm_free_keyval(&keyvals[i]));
}

/* Old names of MPI-1, with MPI_Comm as the only kind of object. */
static void deprecated(void)
{
    static int value;
    int keyval, found = 0, *got = NULL;
    MPI_Comm dup;
    OK(MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &keyval, NULL));
    OK(MPI_Attr_put(MPI_COMM_SELF, keyval, &value));
    OK(MPI_Attr_get(MPI_COMM_SELF, keyval, &got, &found));
    CHECK(found && got == &value);
    OK(MPI_Comm_dup(MPI_COMM_SELF, &dup));
    OK(MPI_Attr_get(dup, keyval, &got, &found));
    CHECK(found && got == &value);
    OK(MPI_Attr_delete(dup, keyval));
    OK(MPI_Attr_delete(MPI_COMM_SELF, keyval));
    OK(MPI_Attr_get(dup, keyval, &got, &found));
    CHECK_INT(found, 0);
    OK(MPI_Comm_free(&dup));
    OK(MPI_Keyval_free(&keyval));
    CHECK_INT(keyval, MPI_KEYVAL_INVALID);
    copies = deletes = 0;
    OK(MPI_Keyval_create(copy_comm, delete_comm, &keyval_now, &cookie));
    copied_from = MPI_COMM_SELF;
    OK(MPI_Attr_put(MPI_COMM_SELF, keyval_now, &value));
    OK(MPI_Comm_dup(MPI_COMM_SELF, &dup));
    OK(MPI_Comm_free(&dup));
    CHECK_INT(copies, 1);
    CHECK_INT(deletes, 1);
    OK(MPI_Attr_delete(MPI_COMM_SELF, keyval_now));
    keyval = keyval_now;
    OK(MPI_Keyval_free(&keyval));
    OK(MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &got, &found));
    CHECK(found && *got >= 32767);
}

/* A null pointer is no callback where the predefined ones are functions. */
static void null_callbacks(void)
{
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Comm_copy_attr_function *volatile predefined = MPI_COMM_NULL_COPY_FN;
    if (!predefined)
        return;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK(check_class(MPI_Comm_create_keyval(NULL, MPI_COMM_NULL_DELETE_FN, &keyval, NULL)) == MPI_ERR_ARG);
    CHECK(check_class(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, NULL, &keyval, NULL)) == MPI_ERR_ARG);
    CHECK(check_class(MPI_Win_create_keyval(NULL, NULL, &keyval, NULL)) == MPI_ERR_ARG);
    CHECK_INT(keyval, MPI_KEYVAL_INVALID);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    comm_callbacks();
    predefined_copy_functions();
    type_callbacks();
    callback_errors();
    predefined_comm_attributes();
    windows();
    keyvals_do_not_collide();
    deprecated();
    null_callbacks();
    CHECK_INT(wrong, 0);
    return check_end();
}
