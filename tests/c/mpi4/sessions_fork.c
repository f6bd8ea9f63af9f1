/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Children that were forked beside a session, and after the last one, exit as any process does. */
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

/* A leak checker, where there is one, looks into the parent: in a child it takes the parent's threads for its own. */
static int is_child;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return is_child; }

/* Ends by itself, or is ended by SIGALRM. */
static void child_exits(void)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        is_child = 1;
        alarm(20);
        exit(7);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

int main(void)
{
    MPI_Session session;
    MPI_Group world;
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &world));
    OK(MPI_Group_rank(world, &check_rank));
    OK(MPI_Group_free(&world));
    child_exits();
    OK(MPI_Session_finalize(&session));
    child_exits();
    if (check_rank == 0 && check_failures == 0)
        puts("ok sessions_fork");
    fflush(stdout);
    child_exits();
    return check_failures != 0;
}
