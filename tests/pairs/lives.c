/* SPDX-License-Identifier: BSD-3-Clause */
/* Error codes over lives of MPI, on a host that begins again: it gives the codes of one life to others in the next. Sessions
 * begin and end MPI, through what the adapter puts into their places. */
#include <stdio.h>
#include <stdlib.h>

#include "application.h"
#include "built.h"
#include "convert/added_code.h"
#include "convert/host_itself.h"
#include "keep/life.h"

struct host_procedures host;
#ifdef HOST_HAS_ADDRESSES
struct host_addresses host_address;
#endif
static struct host_procedures itself;
const struct host_procedures *host_itself = &itself;
static void nothing(void) {}
void (*const when_life_ends)(void) = nothing;

int built_MPI_Session_init(host_info info, host_errhandler errhandler, host_session *session) { return 1; }

static int begin(host_info info, host_errhandler errhandler, host_session *session)
{
    *session = HOST_SESSION_FROM(64);
    return 0;
}

static int world_is_begun, world_is_ended;
static int ends(host_session *session) { return 0; }
static int is_info(host_session session, host_info *info) { return 0; }
static int free_info(host_info *info) { return 0; }
static int is_initialized(int *flag) { return *flag = world_is_begun, 0; }
static int is_finalized(int *flag) { return *flag = world_is_ended, 0; }
static int finalize(void) { return world_is_ended = 1, 0; }

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static host_session session(void)
{
    host_session made;
    life_is_to_begin();
    CHECK(host.MPI_Session_init(HOST_INFO_FROM(0), HOST_ERRHANDLER_FROM(0), &made) == 0);
    return made;
}

/* The host numbers codes from this one on in each life. */
enum { FIRST = 1000 };
static const int first = APP_MPI_ERR_LASTCODE + 1;

static void add_two(void)
{
    CHECK(error_last_used() == first - 1);
    CHECK(added_find(FIRST) == 0 && added_host_code(first) == 0);
    CHECK(added_add(FIRST) == first && added_add(FIRST + 1) == first + 1);
    CHECK(added_find(FIRST + 1) == first + 1);
}

static int has_string(int number)
{
    char text[APP_MPI_MAX_ERROR_STRING];
    int length;
    return added_copy_string(number, text, &length);
}

static void of_sessions(void)
{
    host_session one = session();
    add_two();
    CHECK(added_set_string(first, "of the first life"));
    host_session other = session();
    host.MPI_Session_finalize(&one);
    CHECK(added_find(FIRST) == first);
    host.MPI_Session_finalize(&other);
    /* Until MPI begins again, the program may ask about them. */
    CHECK(has_string(first));
    one = session();
    CHECK(!has_string(first));
    add_two();
    CHECK(!has_string(first));
    added_forget(first);
    host.MPI_Session_finalize(&one);
}

/* The world model is one more. What comes beside it is the same life. */
static void of_the_world(void)
{
    life_is_to_begin();
    world_is_begun = 1;
    add_two();
    host_session beside = session();
    host.MPI_Session_finalize(&beside);
    beside = session();
    CHECK(added_find(FIRST) == first);
    host.MPI_Session_finalize(&beside);
    host.MPI_Finalize();
    CHECK(added_find(FIRST) == first);
    beside = session();
    add_two();
}

int main(void)
{
    itself.MPI_Initialized = is_initialized;
    itself.MPI_Finalized = is_finalized;
    itself.MPI_Session_get_info = is_info;
    itself.MPI_Info_free = free_info;
    itself.MPI_Session_init = host.MPI_Session_init = begin;
    itself.MPI_Session_finalize = host.MPI_Session_finalize = ends;
    itself.MPI_Finalize = host.MPI_Finalize = finalize;
    life_begin();
    of_sessions();
    of_the_world();
    puts("right");
    return 0;
}
