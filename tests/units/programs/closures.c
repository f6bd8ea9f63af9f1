/* SPDX-License-Identifier: BSD-3-Clause */
/* Trampolines: one for each function and entry, which hands the function on; from several threads;
 * never in memory that is writable and executable, and without a file that stays open. With an argument,
 * where the file cannot be mapped again: as many as one block has, and then none. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "callbacks/closure.h"
#include "convert/error.h"
#include "require.h"

#define FUNCTIONS 100000
#define THREADS 8

static int complaints;

void complain(const char *format, ...)
{
    va_list arguments;
    complaints++;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    puts("");
}

/* The functions that the entries call: the program's function comes after the host's arguments. */
uintptr_t target_3(uintptr_t a, uintptr_t b, mpi_function *function) __attribute__((used));
uintptr_t target_3(uintptr_t a, uintptr_t b, mpi_function *function)
{
    CHECK(a == 1 && b == 2);
    return (uintptr_t)function;
}

uintptr_t target_5(int a, int b, int c, int d, mpi_function *function) __attribute__((used));
uintptr_t target_5(int a, int b, int c, int d, mpi_function *function)
{
    CHECK(a == 1 && b == 2 && c == 3 && d == 4);
    return (uintptr_t)function;
}

/* The seventh argument is on the stack on x86-64, whose alignment the caller relies on. */
uintptr_t target_7(int a, int b, int c, int d, int e, int f, mpi_function *function) __attribute__((used));
uintptr_t target_7(int a, int b, int c, int d, int e, int f, mpi_function *function)
{
    CHECK(a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6);
    CHECK((uintptr_t)__builtin_frame_address(0) % 16 == 0);
    return (uintptr_t)function;
}

CLOSURE_ENTRY_3(entry_3, target_3)
CLOSURE_ENTRY_5(entry_5, target_5)
CLOSURE_ENTRY_7(entry_7, target_7)

/* Addresses of no functions: they are handed on, not called. */
static mpi_function *function_number(int i)
{
    return (mpi_function *)(0x10000 + (uintptr_t)i * 16);
}

static uintptr_t call_3(mpi_function *code)
{
    return ((uintptr_t (*)(uintptr_t, uintptr_t))code)(1, 2);
}

static int open_files(void)
{
    DIR *files = opendir("/proc/self/fd");
    int count = 0;
    CHECK(files);
    while (readdir(files))
        count++;
    closedir(files);
    return count;
}

static void check_maps(void)
{
    char line[1024];
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(maps);
    while (fgets(line, sizeof line, maps)) {
        const char *protection = strchr(line, ' ') + 1;
        CHECK(!(protection[1] == 'w' && protection[2] == 'x'));
    }
    fclose(maps);
}

static int compare(const void *a, const void *b)
{
    uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return x < y ? -1 : x > y;
}

static void check_distinct(mpi_function **codes, int count)
{
    qsort(codes, (size_t)count, sizeof *codes, compare);
    for (int i = 1; i < count; i++)
        CHECK(codes[i] != codes[i - 1]);
}

static void many(void)
{
    static mpi_function *codes[FUNCTIONS];
    for (int i = 0; i < FUNCTIONS; i++) {
        codes[i] = closure(entry_3, function_number(i));
        CHECK(codes[i]);
        if (i % 5000 == 0)
            check_maps();
    }
    for (int i = 0; i < FUNCTIONS; i++) {
        CHECK(call_3(codes[i]) == (uintptr_t)function_number(i));
        CHECK(closure(entry_3, function_number(i)) == codes[i]);
    }
    check_distinct(codes, FUNCTIONS);
}

/* A function of several entries has several trampolines. */
static void entries(void)
{
    for (int i = 0; i < FUNCTIONS; i++) {
        mpi_function *function = function_number(i);
        mpi_function *three = closure(entry_3, function), *five = closure(entry_5, function);
        mpi_function *seven = closure_of_six(entry_7, function);
        CHECK(call_3(three) == (uintptr_t)function && five != three && five != seven && seven != three);
        CHECK(((uintptr_t (*)(int, int, int, int))five)(1, 2, 3, 4) == (uintptr_t)function);
        CHECK(((uintptr_t (*)(int, int, int, int, int, int))seven)(1, 2, 3, 4, 5, 6) == (uintptr_t)function);
    }
}

static pthread_barrier_t barrier;
static mpi_function *by_thread[THREADS][FUNCTIONS / 10];

/* Every thread asks for the same functions, each in an order of its own. */
static void *ask(void *argument)
{
    int thread = (int)(intptr_t)argument, count = FUNCTIONS / 10;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < count; i++) {
        int number = (i + thread * (count / THREADS)) % count;
        mpi_function *code = closure(entry_3, function_number(2 * FUNCTIONS + number));
        CHECK(code && call_3(code) == (uintptr_t)function_number(2 * FUNCTIONS + number));
        by_thread[thread][number] = code;
    }
    return 0;
}

static void threads(void)
{
    pthread_t thread[THREADS];
    pthread_barrier_init(&barrier, 0, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread[i], 0, ask, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    for (int i = 1; i < THREADS; i++)
        CHECK(memcmp(by_thread[i], by_thread[0], sizeof by_thread[0]) == 0);
    check_distinct(by_thread[0], FUNCTIONS / 10);
}

/* Refuses what maps memory to be executed. */
static void refuse(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
    CHECK(mmap(0, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    CHECK(syscall(SYS_memfd_create, "", 0) < 0);
}

/* Another file by the program's name: of `size` bytes, none of which is code. */
static void replace(const char *program, off_t size)
{
    CHECK(unlink(program) == 0);
    int file = open(program, O_CREAT | O_WRONLY, 0700);
    CHECK(file >= 0 && ftruncate(file, size) == 0 && close(file) == 0);
}

static void one_block(void)
{
    int count = 0, files = open_files();
    while (closure(entry_3, function_number(count)))
        count++;
    CHECK(count == 4096 && complaints == 1 && open_files() == files);
    CHECK(!closure_of_six(entry_7, function_number(count)) && complaints == 1);
    for (int i = 0; i < count; i++)
        CHECK(call_3(closure(entry_3, function_number(i))) == (uintptr_t)function_number(i));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "refused") == 0)
        refuse();
    else if (strcmp(what, "deleted") == 0)
        CHECK(unlink(argv[0]) == 0);
    else if (strcmp(what, "replaced") == 0)
        replace(argv[0], 1 << 24);
    else if (strcmp(what, "shortened") == 0)
        replace(argv[0], 1);
    if (*what) {
        one_block();
        return 0;
    }
    entries(); /* first: in a small table, entries of a function meet */
    int files = open_files();
    threads();
    many();
    check_maps();
    CHECK(open_files() == files && complaints == 0);
    puts("right");
    return 0;
}
