/* SPDX-License-Identifier: BSD-3-Clause */
/* steps OUTPUT LIBRARY PROGRAM [ARGUMENT]...: runs a program of counted.h and counts the instructions that its
 * blocks execute inside LIBRARY (a file, or a folder of libraries), by single steps, in the layout that the
 * program has natively. Appends to OUTPUT, for each block,
 *
 *     block KIND CALLS PROCEDURE...
 *     LIBRARY <tab> ADDRESS <tab> COUNT      for each instruction that was executed, ADDRESS as in its symbols
 *
 * The program says that a block begins by a SIGTRAP of its own, after a line "END WHOLE KIND CALLS PROCEDURE..."
 * in the pipe COUNTED_STEPS, where END is the address at which the block ends. What other libraries do runs
 * without steps until it returns, unless WHOLE is 1: then they call back. Only the first thread is stepped.
 * Ends as the program ends. */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what)
{
    fprintf(stderr, "steps: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

static int usage(void)
{
    fprintf(stderr, "usage: steps OUTPUT LIBRARY PROGRAM [ARGUMENT]...\n");
    return EXIT_FAILURE;
}

/* Differences of the architectures: names of registers, the instruction that stops a program, and the distance from it to the stop. */
#ifdef __x86_64__
#define COUNTER rip
#define STACK rsp
#define STOP 0xccul
#define STOP_MASK 0xfful
#define BEHIND_STOP 1
#else
#define COUNTER pc
#define STACK sp
#define STOP 0xd4200000ul
#define STOP_MASK 0xfffffffful
#define BEHIND_STOP 0
#endif

static pid_t program;

static struct user_regs_struct registers(void)
{
    struct user_regs_struct found;
    struct iovec vector = { &found, sizeof found };
    if (ptrace(PTRACE_GETREGSET, program, (void *)NT_PRSTATUS, &vector) != 0)
        fail("the program's registers");
    return found;
}

static void set_registers(struct user_regs_struct wanted)
{
    struct iovec vector = { &wanted, sizeof wanted };
    if (ptrace(PTRACE_SETREGSET, program, (void *)NT_PRSTATUS, &vector) != 0)
        fail("the program's registers");
}

static unsigned long peek(uintptr_t address)
{
    errno = 0;
    long word = ptrace(PTRACE_PEEKDATA, program, (void *)address, NULL);
    if (errno != 0)
        fail("the program's memory");
    return (unsigned long)word;
}

static void poke(uintptr_t address, unsigned long word)
{
    if (ptrace(PTRACE_POKEDATA, program, (void *)address, (void *)word) != 0)
        fail("the program's memory");
}

/* Returns a procedure's return address, at its first instruction. */
static uintptr_t return_address(const struct user_regs_struct *at)
{
#ifdef __x86_64__
    return peek(at->rsp);
#else
    return at->regs[30];
#endif
}

/* An executable mapping of what is counted or of the program's file, which has no counts. */
struct text {
    char path[PATH_MAX];
    uintptr_t base, start, end;
    uint32_t *counts;
};

#define MOST_TEXTS 64
static struct text texts[MOST_TEXTS];
static int text_count;

/* A file, or one that lies below a folder. */
static int is_in(const char *path, const char *library)
{
    size_t length = strlen(library);
    if (strncmp(path, library, length) != 0)
        return 0;
    return path[length] == '\0' || path[length] == '/';
}

static void add_text(const struct text *found, int counted)
{
    if (text_count == MOST_TEXTS)
        fail("too many libraries");
    struct text *added = &texts[text_count++];
    *added = *found;
    added->counts = counted ? calloc(found->end - found->start, sizeof *added->counts) : NULL;
    if (counted && !added->counts)
        fail("memory for counts");
}

/* One line of the maps; `base` is that of the file that the lines before are of. */
static void read_map(const char *line, const char *file, const char *library, uintptr_t *base)
{
    struct text text = { .path = "" };
    uintptr_t offset;
    char access[5];
    sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %" SCNxPTR " %*s %*s %[^\n]", &text.start, &text.end, access, &offset,
           text.path);
    int counted = is_in(text.path, library);
    if (!counted && strcmp(text.path, file) != 0)
        return;
    if (offset == 0)
        *base = text.start;
    text.base = *base;
    if (access[2] == 'x')
        add_text(&text, counted);
}

/* The texts as they are now. */
static void find_texts(const char *library)
{
    char name[64], line[PATH_MAX + 128], file[PATH_MAX] = "";
    uintptr_t base = 0;
    snprintf(name, sizeof name, "/proc/%d/exe", (int)program);
    if (readlink(name, file, sizeof file - 1) < 0)
        fail(name);
    snprintf(name, sizeof name, "/proc/%d/maps", (int)program);
    FILE *maps = fopen(name, "r");
    if (!maps)
        fail(name);
    while (fgets(line, sizeof line, maps))
        read_map(line, file, library, &base);
    fclose(maps);
}

static struct text *text_of(uintptr_t address)
{
    for (int i = 0; i < text_count; i++)
        if (address >= texts[i].start && address < texts[i].end)
            return texts + i;
    return NULL;
}

static void write_text(FILE *output, struct text *text)
{
    for (uintptr_t at = text->start; text->counts && at < text->end; at++)
        if (text->counts[at - text->start])
            fprintf(output, "%s\t%" PRIxPTR "\t%" PRIu32 "\n", text->path, at - text->base,
                    text->counts[at - text->start]);
    free(text->counts);
}

static void write_block(FILE *output, const char *description)
{
    fprintf(output, "block %s\n", description);
    while (text_count > 0)
        write_text(output, &texts[--text_count]);
    if (fflush(output) != 0)
        fail("the output");
}

static int status;

/* Lets the program run until it stops. Returns the signal, or 0 if it ended: `status` says how. */
static int resume(int request, int signal)
{
    int passed = signal == SIGTRAP ? 0 : signal;
    if (ptrace(request, program, NULL, (void *)(intptr_t)passed) != 0 || waitpid(program, &status, 0) != program)
        fail("the program");
    return WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
}

/* Runs from a procedure's first instruction to its return. */
static int run_procedure(const struct user_regs_struct *at)
{
    uintptr_t back = return_address(at);
    unsigned long word = peek(back);
    struct user_regs_struct stopped;
    poke(back, (word & ~STOP_MASK) | STOP);
    int signal = SIGTRAP;
    do {
        signal = resume(PTRACE_CONT, signal);
        if (signal == 0)
            return 0;
        stopped = registers();
    } while (signal != SIGTRAP || stopped.COUNTER != back + BEHIND_STOP);
    if (stopped.STACK < at->STACK) {
        errno = ELOOP;
        fail("a library calls back");
    }
    poke(back, word);
    stopped.COUNTER = back;
    set_registers(stopped);
    return signal;
}

/* To the end of a block. Other signals than the steps' reach the program. Until the program's own code is
 * seen, it returns from its SIGTRAP. */
static int step_to(uintptr_t end, int whole)
{
    int signal = SIGTRAP, returned = 0;
    for (;;) {
        struct user_regs_struct at;
        signal = resume(PTRACE_SINGLESTEP, signal);
        if (signal == 0 || (at = registers()).COUNTER == end)
            return signal;
        struct text *text = text_of(at.COUNTER);
        if (!text && returned && !whole && (signal = run_procedure(&at)) == 0)
            return 0;
        if (!text && returned && !whole)
            text = text_of((at = registers()).COUNTER);
        if (text && text->counts)
            text->counts[at.COUNTER - text->start]++;
        returned |= text != NULL;
    }
}

static int count_block(FILE *output, FILE *pipe, const char *library)
{
    char line[512], *rest;
    if (!fgets(line, sizeof line, pipe))
        fail("what block begins");
    line[strcspn(line, "\n")] = '\0';
    uintptr_t end = strtoumax(line, &rest, 16);
    int whole = (int)strtol(rest, &rest, 10);
    find_texts(library);
    int signal = step_to(end, whole);
    write_block(output, rest + 1);
    return signal;
}

static void start(char **command, int write_end)
{
    char number[16];
    snprintf(number, sizeof number, "%d", write_end);
    if (setenv("COUNTED_STEPS", number, 1) != 0 || ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        fail("tracing is refused");
    execvp(*command, command);
    fail(*command);
}

int main(int argc, char **argv)
{
    int ends[2];
    char library[PATH_MAX];
    if (argc < 4)
        return usage();
    FILE *output = fopen(argv[1], "a");
    if (!output || !realpath(argv[2], library) || pipe(ends) != 0 || (program = fork()) < 0)
        fail(argv[1]);
    if (program == 0)
        start(argv + 3, ends[1]);
    if (waitpid(program, &status, 0) != program || !WIFSTOPPED(status))
        fail("the program does not start");
    close(ends[1]);
    FILE *pipe = fdopen(ends[0], "r");
    for (int signal = SIGTRAP; signal != 0;) {
        signal = resume(PTRACE_CONT, signal);
        if (signal == SIGTRAP)
            signal = count_block(output, pipe, library);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
