/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "texts.h"

/* The process that tells, and the one that it tells of. */
static pid_t ticker, command;

static void tick(const char *what, double first, double next)
{
    double since = 0;
    /* Nothing is left of it that holds the terminal. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    for (double pause = first; getppid() == command; pause = next) {
        struct timespec time = { (time_t)pause, (long)((pause - (double)(time_t)pause) * 1e9) };
        nanosleep(&time, 0);
        since += pause;
        fprintf(stderr, "mpi-adapter: %s, %.0f s\n", plain(what), since);
    }
    _exit(0);
}

void begin_step(const char *what)
{
    const char *seconds = secure_getenv("MPI_ADAPTER_TICK");
    double pause = seconds ? strtod(seconds, 0) : 0;
    if (!isatty(2))
        return;
    end_step();
    fflush(stdout);
    command = getpid();
    ticker = fork();
    if (ticker == 0) {
        close(0);
        close(1);
        tick(what, pause > 0 ? pause : 2, pause > 0 ? pause : 10);
    }
}

void end_step(void)
{
    if (ticker <= 0)
        return;
    kill(ticker, SIGKILL);
    waitpid(ticker, 0, 0);
    ticker = 0;
}
