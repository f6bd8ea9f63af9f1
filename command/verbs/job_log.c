/* SPDX-License-Identifier: BSD-3-Clause */
/* A line to syslog's socket for each job, for sites that want to know which programs need a pair: the setting job_log. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arena.h"
#include "texts.h"
#include "verbs.h"

static const int FORWARDED[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };
enum { FORWARDED_COUNT = sizeof FORWARDED / sizeof *FORWARDED };

static volatile pid_t launcher;

/* A terminal's signals reach the launcher, too. */
static void forward(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (launcher > 0 && info->si_code <= 0)
        kill(launcher, number);
}

/* Returns what is told of the programs: their families, the pairs that run them, and on which MPI. */
static const char *text_of_job(const struct job *job, int ranks, int status)
{
    struct list families = { 0 }, pairs = { 0 };
    const char *host = "";
    for (size_t i = 0; i < job->planned_count; i++) {
        const struct program *program = &job->planned[i].program;
        const struct choice *choice = &job->planned[i].choice;
        list_add_once(&families, own_abi(program));
        list_add_once(&pairs, choice->is_native || !choice->pair ? "none" : choice->pair->called);
        if (choice->inner)
            list_add_once(&pairs, choice->inner->pair->called);
        if (*host == 0 && choice->pair)
            host = called_mpi(job, program, choice);
    }
    return arena_text("family=%s pair=%s host=\"%s\" ranks=%d status=%d adapter=%s", list_joined(&families, ","), list_joined(&pairs, ","), host,
                      ranks, status, job->site->version);
}

/* Sends it as syslog(3) does, and waits for nobody. Returns -1 if it cannot be sent. */
static int send_line(const char *path, const char *text)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    char when[32];
    time_t now = time(0);
    int result = -1, log;
    if (strlen(path) >= sizeof address.sun_path || (log = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) < 0)
        return -1;
    strcpy(address.sun_path, path);
    strftime(when, sizeof when, "%b %e %H:%M:%S", localtime(&now));
    /* 14: a message of a user's process, for information. */
    const char *line = arena_text("<14>%s mpi-adapter[%ld]: %s", when, (long)getpid(), text);
    if (sendto(log, line, strlen(line), MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address) >= 0)
        result = 0;
    close(log);
    return result;
}

/* Ends as the launcher did. */
static _Noreturn void end_as(int status)
{
    if (WIFSIGNALED(status)) {
        /* The launcher has left a core file, if one is wanted. */
        setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
        exit(128 + WTERMSIG(status));
    }
    exit(WEXITSTATUS(status));
}

void log_job(struct job *job, int ranks)
{
    const char *path = setting(job->site, "job_log");
    struct sigaction action = { .sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART };
    sigset_t blocked, before;
    int status;
    sigfillset(&blocked);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    launcher = fork();
    if (launcher <= 0) {
        if (launcher == 0)
            prctl(PR_SET_PDEATHSIG, SIGTERM);
        else
            say(&job->messages, "the job is not logged, as no process can be made for that; raise the limit of processes");
        sigprocmask(SIG_SETMASK, &before, 0);
        return;
    }
    for (int i = 0; i < FORWARDED_COUNT; i++) {
        struct sigaction inherited;
        if (sigaction(FORWARDED[i], 0, &inherited) == 0 && inherited.sa_handler != SIG_IGN)
            sigaction(FORWARDED[i], &action, 0);
    }
    sigprocmask(SIG_SETMASK, &before, 0);
    while (waitpid(launcher, &status, 0) < 0 && errno == EINTR)
        ;
    launcher = 0;
    if (send_line(path, text_of_job(job, ranks, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status))) != 0)
        say(&job->messages, "the job is not logged, as nothing takes lines at %s; correct %s, which names it", path,
            setting_origin(job->site, "job_log"));
    end_as(status);
}
