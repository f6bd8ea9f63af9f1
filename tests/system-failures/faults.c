/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs into one kind of trouble: faults HOW [ARGUMENT]. It must print natively and adapted the same, and end with the
 * same status.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size;
static const char *argument = "";

static const char *class_name(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class == MPI_SUCCESS ? "success" : class == MPI_ERR_IO ? "MPI_ERR_IO" : class == MPI_ERR_NO_SPACE ? "MPI_ERR_NO_SPACE" :
           class == MPI_ERR_QUOTA ? "MPI_ERR_QUOTA" : class == MPI_ERR_OTHER ? "MPI_ERR_OTHER" :
           class == MPI_ERR_FILE ? "MPI_ERR_FILE" : class == MPI_ERR_ACCESS ? "MPI_ERR_ACCESS" :
           class == MPI_ERR_NO_MEM ? "MPI_ERR_NO_MEM" : class == MPI_ERR_INTERN ? "MPI_ERR_INTERN" : "another error";
}

/* ---- a bit of everything, which must work whatever happened before ---- */

static void sum_elements(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int bytes = 0;
    MPI_Type_size(*type, &bytes);
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i] * bytes / (int)sizeof(int);
}

static int keep(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    return MPI_SUCCESS;
}

static void message(MPI_Comm comm, int times)
{
    int me, in, out;
    MPI_Comm_rank(comm, &me);
    for (out = 0; out < times; out++) {
        in = -1;
        MPI_Sendrecv(&out, 1, MPI_INT, me, 9, &in, 1, MPI_INT, me, 9, comm, MPI_STATUS_IGNORE);
        if (in != out)
            printf("%d instead of %d\n", in, out);
    }
}

static int work(void)
{
    int sum = 0, keyval, bad = 0, flag, one = 1;
    void *found = NULL;
    MPI_Comm copy;
    MPI_Op op;
    bad += MPI_Comm_dup(MPI_COMM_SELF, &copy) != MPI_SUCCESS;
    bad += MPI_Op_create(sum_elements, 1, &op) != MPI_SUCCESS;
    bad += MPI_Allreduce(&one, &sum, 1, MPI_INT, op, copy) != MPI_SUCCESS || sum != 1;
    bad += MPI_Comm_create_keyval(keep, forget, &keyval, NULL) != MPI_SUCCESS;
    bad += MPI_Comm_set_attr(copy, keyval, &bad) != MPI_SUCCESS;
    bad += MPI_Comm_get_attr(copy, keyval, &found, &flag) != MPI_SUCCESS || !flag || found != &bad;
    message(copy, 20);
    bad += MPI_Comm_free_keyval(&keyval) != MPI_SUCCESS;
    bad += MPI_Op_free(&op) != MPI_SUCCESS;
    bad += MPI_Comm_free(&copy) != MPI_SUCCESS;
    return bad;
}

static void say_work(const char *when)
{
    printf("%s: %d wrong\n", when, work());
    fflush(stdout);
}

/* ---- ends ---- */

/* The rank is gone in the middle of what all do. */
static void killed(void)
{
    for (int i = 0; i < 1000; i++) {
        if (i == 500 && rank == size - 1)
            raise(SIGKILL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void aborts(void)
{
    if (rank == size - 1)
        MPI_Abort(MPI_COMM_WORLD, atoi(argument));
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- files that find no room ---- */

static void write_blocks(MPI_File file, int blocks, MPI_Offset *reported)
{
    char block[4096];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < blocks; i++) {
        int count = 0, code;
        MPI_Status status;
        code = MPI_File_write(file, block, sizeof block, MPI_BYTE, &status);
        if (code == MPI_SUCCESS)
            MPI_Get_count(&status, MPI_BYTE, &count);
        *reported += count;
        if (code != MPI_SUCCESS || count < (int)sizeof block) {
            printf("block %d: %s, %d bytes\n", i, class_name(code), count);
            return;
        }
    }
    printf("all was written\n");
}

static void full(void)
{
    MPI_File file;
    MPI_Offset reported = 0;
    struct stat found;
    int code = MPI_File_open(MPI_COMM_SELF, argument, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    printf("open: %s\n", class_name(code));
    if (code != MPI_SUCCESS)
        return;
    write_blocks(file, 64, &reported);
    printf("sync: %s\n", class_name(MPI_File_sync(file)));
    code = MPI_File_close(&file);
    printf("close: %s\n", class_name(code));
    if (stat(argument, &found) == 0 && S_ISREG(found.st_mode))
        printf("lost: %s\n", found.st_size < reported ? "yes" : "no");
}

static void limited(void)
{
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 10 * 4096, RLIM_INFINITY });
    full();
}

/* ---- plugins ---- */

static void plugin(void)
{
    void *handle = dlopen(argument, RTLD_NOW);
    const char *why = handle ? "none" : dlerror();
    printf("error: %s\n", why ? why : "not told");
    printf("error once more: %s\n", dlerror() ? "yes" : "no");
    printf("symbol: %s\n", dlsym(RTLD_DEFAULT, "nobody_has_this") ? "found" : dlerror() ? "not found, told" : "not found, not told");
    say_work("after the plugin");
}

/* ---- children ---- */

static void wait_for(pid_t child, const char *what)
{
    int status = -1;
    waitpid(child, &status, 0);
    printf("%s: %s %d\n", what, WIFEXITED(status) ? "ends with" : "killed by",
           WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    fflush(stdout);
}

static void child(const char *what, void end(void))
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        end();
        _exit(9);
    }
    wait_for(pid, what);
}

static void by_exit(void) { exit(3); }
static void by_underscore(void) { _exit(4); }
static void by_signal(void) { raise(SIGTERM); }
static void by_exec(void) { execlp("true", "true", (char *)NULL); }
static void by_quick_exit(void) { quick_exit(6); }
static void by_library(void) { _exit(dlopen("libm.so.6", RTLD_NOW) ? 7 : 8); }
static void by_local_calls(void)
{
    int me = -1, bytes = 0;
    MPI_Datatype type;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_size(type, &bytes);
    MPI_Type_free(&type);
    _exit(me == rank && bytes == 2 * (int)sizeof(int) ? 5 : 8);
}

static void all_children(const char *when)
{
    printf("%s\n", when);
    child("exit", by_exit);
    child("_exit", by_underscore);
    child("quick_exit", by_quick_exit);
    child("SIGTERM", by_signal);
    child("exec", by_exec);
    child("dlopen", by_library);
    child("calls", by_local_calls);
}

static int fork_in_copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    all_children("in a callback");
    return keep(comm, keyval, extra, in, out, flag);
}

static void forks(void)
{
    int in = 0, out = 1, keyval;
    MPI_Request pending[2];
    MPI_Comm copy;
    all_children("after MPI_Init");
    MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &pending[0]);
    all_children("with a request");
    MPI_Isend(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &pending[1]);
    MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
    printf("received %d\n", in);
    MPI_Comm_create_keyval(fork_in_copy, forget, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &in);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_free(&copy);
    MPI_Comm_delete_attr(MPI_COMM_SELF, keyval);
    say_work("after the children");
}

/* ---- what processes may not do ---- */

static int deny(void)
{
    enum { EXECUTABLE = PROT_EXEC };
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, EXECUTABLE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

static void seccomp(void)
{
    printf("denied: %d\n", deny());
    printf("executable memory: %s\n", mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? "no" : "yes");
    say_work("without executable memory");
}

static void descriptors(void)
{
    int count = 0;
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 256, 256 });
    while (open("/dev/null", O_RDONLY) >= 0)
        count++;
    printf("no descriptor left: %d\n", errno == EMFILE && count > 10);
    say_work("without descriptors");
}

/* All that may be had is had; nothing may crash for it. */
static void memory(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        return;
    fclose(file);
    rlim_t room = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (1 << 22);
    setrlimit(RLIMIT_AS, &(struct rlimit){ room, room });
    say_work("with little memory");
}

/* A call that runs out of memory returns a code, and later calls work when memory is back. Each allocation is larger
 * than any reserve of the adapter's. */
static void exhausted(void)
{
    enum { MANY = 30000 };
    static MPI_Op ops[MANY];
    static int keyvals[MANY];
    void *blocks = NULL, *block;
    int failed = 0;
    memory();
    for (size_t bytes = 1 << 20; bytes >= 32; bytes /= 2)
        while ((block = malloc(bytes))) {
            *(void **)block = blocks;
            blocks = block;
        }
    for (int i = 0; i < MANY && failed < 100; i++) {
        failed += MPI_Op_create(sum_elements, 1, &ops[i]) != MPI_SUCCESS;
        failed += MPI_Comm_create_keyval(keep, forget, &keyvals[i], NULL) != MPI_SUCCESS;
    }
    for (; blocks; blocks = block) {
        block = *(void **)blocks;
        free(blocks);
    }
    printf("some failed: %d\n", failed > 0);
    say_work("with memory again");
}

/* ---- many, and callbacks that call ---- */

static void many(void)
{
    enum { MOST = 100000 };
    static MPI_Op ops[MOST];
    static int keyvals[MOST];
    int bad = 0, one = 1, two = 2, count = atoi(argument);
    for (int i = 0; i < count; i++) {
        bad += MPI_Op_create(sum_elements, 1, &ops[i]) != MPI_SUCCESS;
        bad += MPI_Comm_create_keyval(keep, forget, &keyvals[i], NULL) != MPI_SUCCESS;
    }
    bad += MPI_Reduce_local(&one, &two, 1, MPI_INT, ops[count - 1]) != MPI_SUCCESS || two != 3;
    for (int i = 0; i < count; i++) {
        bad += MPI_Op_free(&ops[i]) != MPI_SUCCESS;
        bad += MPI_Comm_free_keyval(&keyvals[i]) != MPI_SUCCESS;
    }
    printf("of many: %d wrong\n", bad);
    say_work("after many");
}

static int depth, calls[8];

static void on_error(MPI_Comm *comm, int *code, ...)
{
    int value = 0;
    (void)code;
    calls[0]++;
    message(MPI_COMM_SELF, 1);
    if (depth++ < 3)
        MPI_Send(&value, 1, MPI_INT, 77, 0, *comm);
    depth--;
}

static void recursive_add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int one = 1, two = 2;
    MPI_Op op;
    calls[1]++;
    MPI_Op_create(depth < 2 ? recursive_add : sum_elements, 1, &op);
    depth++;
    MPI_Reduce_local(&one, &two, 1, MPI_INT, op);
    depth--;
    MPI_Op_free(&op);
    if (two != 3)
        printf("%d instead of 3\n", two);
    sum_elements(in, inout, count, type);
}

static int recursive_copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    MPI_Comm other;
    calls[2]++;
    if (depth++ < 2) {
        MPI_Comm_dup(comm, &other);
        MPI_Comm_free(&other);
    }
    depth--;
    return keep(comm, keyval, extra, in, out, flag);
}

static int recursive_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    calls[3]++;
    (void)comm, (void)keyval, (void)value, (void)extra;
    return work();
}

static int query(void *extra, MPI_Status *status)
{
    calls[4]++;
    (void)extra;
    message(MPI_COMM_SELF, 1);
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    calls[5]++;
    (void)extra;
    return work();
}

static int cancel(void *extra, int complete)
{
    calls[6]++;
    message(MPI_COMM_SELF, 1);
    if (!complete)
        MPI_Grequest_complete(*(MPI_Request *)extra);
    return MPI_SUCCESS;
}

static void recursion(void)
{
    int value = 1, two = 2, keyval;
    MPI_Comm comm, copy;
    MPI_Errhandler handler;
    MPI_Request request;
    MPI_Op op;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Send(&value, 1, MPI_INT, 77, 0, comm);
    MPI_Op_create(recursive_add, 1, &op);
    MPI_Reduce_local(&value, &two, 1, MPI_INT, op);
    MPI_Comm_create_keyval(recursive_copy, recursive_delete, &keyval, NULL);
    MPI_Comm_set_attr(comm, keyval, &value);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_free(&copy);
    MPI_Comm_delete_attr(comm, keyval);
    MPI_Grequest_start(query, release, cancel, &request, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 7; i++)
        printf("calls %d: %d\n", i, calls[i]);
    say_work("after recursion");
}

/* ---- another program ---- */

static void execs(char **argv)
{
    MPI_Finalize();
    fflush(stdout);
    execl(argv[0], argv[0], "nothing", (char *)NULL);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    const struct { const char *name; void (*run)(void); } all[] = {
        { "killed", killed }, { "aborts", aborts }, { "full", full }, { "limited", limited }, { "plugin", plugin },
        { "forks", forks }, { "seccomp", seccomp }, { "descriptors", descriptors }, { "memory", memory }, { "exhausted", exhausted },
        { "many", many }, { "recursion", recursion },
    };
    argument = argc > 2 ? argv[2] : "";
    if (strcmp(how, "exec-before") == 0)
        execl(argv[0], argv[0], "nothing", (char *)NULL);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(how, all[i].name) == 0)
            all[i].run();
    if (strcmp(how, "nothing") == 0)
        say_work("after exec");
    if (strcmp(how, "exec-after") == 0)
        execs(argv);
    MPI_Finalize();
    if (rank == 0)
        puts("ended well");
    return 0;
}
