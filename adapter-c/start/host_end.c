/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/host_end.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "isolate/slots.h"
#include "process/environment.h"
#include "trace/report.h"

/* The functions to call on, by their number. */
enum { EXIT_NOW, EXIT_NOW_C, WRITE, PMI_ABORT, PMI2_ABORT, PMIX_ABORT, WAYS };
static void *next[WAYS];

static void *next_of(int way)
{
    return __atomic_load_n(&next[way], __ATOMIC_ACQUIRE);
}

/* ---- the hooks ---- */

static void exit_now(int status)
{
    report_host_end("_exit()");
    ((void (*)(int))next_of(EXIT_NOW))(status);
}

static void exit_now_c(int status)
{
    report_host_end("_Exit()");
    ((void (*)(int))next_of(EXIT_NOW_C))(status);
}

/* PMI's protocol asks the launcher for the job's end so; the second version has the length ahead of it. */
static int is_request(const char *bytes, size_t count)
{
    static const char request[] = "cmd=abort";
    enum { LENGTH = sizeof request - 1, AHEAD = 6 };
    return (count >= LENGTH && memcmp(bytes, request, LENGTH) == 0) ||
           (count >= AHEAD + LENGTH && memcmp(bytes + AHEAD, request, LENGTH) == 0);
}

static int is_socket(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 && S_ISSOCK(about.st_mode);
}

/* The launcher kills the process before it hears an answer. */
static ssize_t write_seen(int fd, const void *bytes, size_t count)
{
    if (is_request(bytes, count) && is_socket(fd))
        report_host_end("its launcher (PMI)");
    return ((ssize_t(*)(int, const void *, size_t))next_of(WRITE))(fd, bytes, count);
}

/* The libraries of PMI ask for it by up to four arguments. */
static int abort_seen(int way, const char *how, intptr_t first, intptr_t second, intptr_t third, intptr_t fourth)
{
    report_host_end(how);
    return ((int (*)(intptr_t, intptr_t, intptr_t, intptr_t))next_of(way))(first, second, third, fourth);
}

static int pmi_abort(intptr_t first, intptr_t second, intptr_t third, intptr_t fourth)
{
    return abort_seen(PMI_ABORT, "its launcher (PMI_Abort)", first, second, third, fourth);
}

static int pmi2_abort(intptr_t first, intptr_t second, intptr_t third, intptr_t fourth)
{
    return abort_seen(PMI2_ABORT, "its launcher (PMI2_Abort)", first, second, third, fourth);
}

static int pmix_abort(intptr_t first, intptr_t second, intptr_t third, intptr_t fourth)
{
    return abort_seen(PMIX_ABORT, "its launcher (PMIx_Abort)", first, second, third, fourth);
}

static const struct {
    const char *symbol;
    void *hook;
} ways[WAYS] = {
    [EXIT_NOW] = { "_exit", (void *)exit_now },
    [EXIT_NOW_C] = { "_Exit", (void *)exit_now_c },
    [WRITE] = { "write", (void *)write_seen },
    [PMI_ABORT] = { "PMI_Abort", (void *)pmi_abort },
    [PMI2_ABORT] = { "PMI2_Abort", (void *)pmi2_abort },
    [PMIX_ABORT] = { "PMIx_Abort", (void *)pmix_abort },
};

/* ---- the slots ---- */

/* Its number from 1, or 0. */
static int way_of(const char *symbol)
{
    int way = 0;
    if (*symbol != '_' && *symbol != 'w' && *symbol != 'P')
        return 0;
    while (way < WAYS && strcmp(symbol, ways[way].symbol) != 0)
        way++;
    return way < WAYS ? way + 1 : 0;
}

/* A slot that somebody else took is left. */
static void *choose_hook(const char *symbol, void *current, int is_bound, const char *path)
{
    int way = way_of(symbol) - 1;
    void *found = slots_find(path, symbol);
    if (!found || (is_bound && current != found && current != ways[way].hook))
        return 0;
    __atomic_store_n(&next[way], found, __ATOMIC_RELEASE);
    return ways[way].hook;
}

static struct further_hooks hooks = { way_of, choose_hook, 0 };

void host_end_watch(void)
{
    if (environment_wanted("MPI_ADAPTER_REPORT"))
        slots_want(&hooks);
}
