/* SPDX-License-Identifier: BSD-3-Clause */
/* 8000 callbacks of four kinds, each of a function of its own, more than one block of trampolines serves:
 * each does what it is for. How the process is hampered beforehand is the argument; where no more than one
 * block can be had, the second argument is `few`, and what needs another one fails. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "require.h"

enum { FIRST = 1000, FUNCTIONS = 2000 };
static int called;

#define DEFINE(n)                                                                                  \
    static void op_##n(void *in, void *inout, int *count, MPI_Datatype *type) { called = *type == MPI_INT ? n : -n; } \
    static void handler_##n(MPI_Comm *comm, int *code, ...) { called = *code == MPI_ERR_OTHER ? n : -n; } \
    static int delete_##n(MPI_Comm comm, int keyval, void *value, void *state) { called = n; return MPI_SUCCESS; } \
    static int copy_##n(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)    \
    {                                                                                              \
        *flag = 0;                                                                                 \
        *(void **)out = in;                                                                        \
        called = state == in ? n : -n;                                                             \
        return MPI_SUCCESS;                                                                        \
    }
#define LIST(n) { op_##n, handler_##n, delete_##n, copy_##n },
#define TEN(X, p) X(p##0) X(p##1) X(p##2) X(p##3) X(p##4) X(p##5) X(p##6) X(p##7) X(p##8) X(p##9)
#define HUNDRED(X, p)                                                                              \
    TEN(X, p##0) TEN(X, p##1) TEN(X, p##2) TEN(X, p##3) TEN(X, p##4)                               \
    TEN(X, p##5) TEN(X, p##6) TEN(X, p##7) TEN(X, p##8) TEN(X, p##9)
#define THOUSAND(X, p)                                                                             \
    HUNDRED(X, p##0) HUNDRED(X, p##1) HUNDRED(X, p##2) HUNDRED(X, p##3) HUNDRED(X, p##4)           \
    HUNDRED(X, p##5) HUNDRED(X, p##6) HUNDRED(X, p##7) HUNDRED(X, p##8) HUNDRED(X, p##9)

THOUSAND(DEFINE, 1)
THOUSAND(DEFINE, 2)
static const struct {
    MPI_User_function *op;
    MPI_Comm_errhandler_function *handler;
    MPI_Comm_delete_attr_function *delete;
    MPI_Comm_copy_attr_function *copy;
} functions[FUNCTIONS] = { THOUSAND(LIST, 1) THOUSAND(LIST, 2) };

static struct {
    MPI_Op op;
    MPI_Errhandler handler;
    int keyval;
} made[FUNCTIONS];

/* Files, of memory too, then others under their numbers. The host's threads wait for events of the rest, which stay. */
static void close_files(void)
{
    struct stat file;
    for (int number = 3; number < 1024; number++)
        if (fstat(number, &file) == 0 && S_ISREG(file.st_mode))
            close(number);
    for (int number = 3; number < 32; number++)
        CHECK(fcntl(number, F_GETFD) >= 0 || open("/dev/zero", O_RDONLY) == number);
}

/* Refuses memory files, and with them memory of any file that may be executed. */
static void refuse(int mapping)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, mapping ? SYS_mmap : -1u, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
    CHECK(syscall(SYS_memfd_create, "", 0) < 0);
}

static void hamper(const char *how)
{
    if (strcmp(how, "closed") == 0)
        close_files();
    else if (strcmp(how, "memfd") == 0)
        refuse(0);
    else if (strcmp(how, "mapping") == 0)
        refuse(1);
    else if (strcmp(how, "run") == 0) /* what another process is to do to the files */
        CHECK(system(getenv("COMMAND")) == 0);
}

/* How many of each kind could be made. */
static int make(void)
{
    int i = 0;
    for (; i < FUNCTIONS; i++)
        if (MPI_Op_create(functions[i].op, 1, &made[i].op) != MPI_SUCCESS ||
            MPI_Comm_create_errhandler(functions[i].handler, &made[i].handler) != MPI_SUCCESS ||
            MPI_Comm_create_keyval(functions[i].copy, functions[i].delete, &made[i].keyval, &called) != MPI_SUCCESS)
            break;
    return i;
}

static void use(int i)
{
    int in = 1, out = 1;
    MPI_Comm comm;
    CHECK(MPI_Reduce_local(&in, &out, 1, MPI_INT, made[i].op) == MPI_SUCCESS && called == FIRST + i);
    called = 0;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, made[i].handler);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
    CHECK(called == FIRST + i);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(MPI_Comm_set_attr(MPI_COMM_SELF, made[i].keyval, &called) == MPI_SUCCESS);
    called = 0;
    if (i % 100 == 0) {
        CHECK(MPI_Comm_dup(MPI_COMM_SELF, &comm) == MPI_SUCCESS && called == FIRST + i);
        MPI_Comm_free(&comm);
    }
    called = 0;
    CHECK(MPI_Comm_delete_attr(MPI_COMM_SELF, made[i].keyval) == MPI_SUCCESS && called == FIRST + i);
}

void mpi_op_create_(void (*)(void *, void *, int *, int *), int *, int *, int *);
void mpi_comm_create_errhandler_(void (*)(int *, int *), int *, int *);
void mpi_file_create_errhandler_(void (*)(int *, int *), int *, int *);
static void fortran_op(void *in, void *inout, int *count, int *type) {}
static void fortran_handler(int *handle, int *code) {}

/* The last error that was raised on the error handler of MPI_COMM_WORLD or MPI_COMM_SELF: errors of calls about no
 * object belong to the one or the other, as the host sees it. */
static int raised;
static void note(MPI_Comm *comm, int *code, ...)
{
    MPI_Error_class(*code, &raised);
}

#define NONE_LEFT(call)                                                                            \
    do {                                                                                           \
        int class;                                                                                 \
        raised = 0;                                                                                \
        CHECK(MPI_Error_class(call, &class) == MPI_SUCCESS && class == MPI_ERR_NO_MEM);            \
        CHECK(raised == MPI_ERR_NO_MEM);                                                           \
    } while (0)

/* Functions that have no trampoline yet. */
static void none_left(MPI_Errhandler noting)
{
    MPI_Op op;
    MPI_Errhandler handler;
    int keyval, yes = 1, fortran, error;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, noting);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, noting);
    NONE_LEFT(MPI_Op_create(op_2999, 1, &op));
    NONE_LEFT(MPI_Comm_create_errhandler(handler_2999, &handler));
    NONE_LEFT(MPI_Win_create_errhandler((MPI_Win_errhandler_function *)(void (*)(void))handler_2999, &handler));
    NONE_LEFT(MPI_File_create_errhandler((MPI_File_errhandler_function *)(void (*)(void))handler_2999, &handler));
    NONE_LEFT(MPI_Comm_create_keyval(copy_2999, MPI_COMM_NULL_DELETE_FN, &keyval, 0));
    NONE_LEFT(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_2999, &keyval, 0));
    NONE_LEFT(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, (MPI_Type_delete_attr_function *)(void (*)(void))delete_2999,
                                     &keyval, 0));
    NONE_LEFT(MPI_Win_create_keyval((MPI_Win_copy_attr_function *)(void (*)(void))copy_2999, MPI_WIN_NULL_DELETE_FN,
                                    &keyval, 0));
    NONE_LEFT((mpi_op_create_(fortran_op, &yes, &fortran, &error), error));
    NONE_LEFT((mpi_comm_create_errhandler_(fortran_handler, &fortran, &error), error));
    NONE_LEFT((mpi_file_create_errhandler_(fortran_handler, &fortran, &error), error));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

int main(int argc, char **argv)
{
    int few = argc > 2 && strcmp(argv[2], "few") == 0;
    MPI_Errhandler noting;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    hamper(argc > 1 ? argv[1] : "");
    CHECK(MPI_Comm_create_errhandler(note, &noting) == MPI_SUCCESS);
    int count = make();
    CHECK(few ? count == 1023 : count == FUNCTIONS);
    for (int i = 0; i < count; i++)
        use(i);
    if (few)
        none_left(noting);
    puts("right");
    fflush(stdout);
    _exit(0); /* without its descriptors a host cannot come to an end */
}
