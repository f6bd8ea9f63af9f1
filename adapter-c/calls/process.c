/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic processes (MPI-4.1 section 11.8), MPI_Abort, and what asks about the process. */
#include <stdlib.h>
#include <string.h>

#include "convert/adapter.h"
#include "layers/layers.h"
#include "process/environment.h"
#include "process/implementation.h"
#include "start/load.h"
#include "trace/report.h"
#include "trace/trace.h"

/* The code goes to the environment as it is. */
PROCEDURE(app_code, MPI_Abort, app_comm comm, int errorcode)
{
    trace_report();
    report_death("MPI_Abort was called with the code ", errorcode);
    host_code rc = host.MPI_Abort(comm_to_host(comm), errorcode);
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_Pcontrol, const int level, ...)
{
    host_code rc = host.MPI_Pcontrol(level);
    return rc == 0 ? 0 : error_to_app(rc);
}

/* A port whose name does not fit is no use to the application: it is closed again. */
PROCEDURE(app_code, MPI_Open_port, app_info info, char *port_name)
{
    char name[HOST_MPI_MAX_PORT_NAME + 1];
    host_code rc = host.MPI_Open_port(info_to_host(info), port_name ? name : 0);
    if (rc != 0)
        return error_to_app(rc);
    if (copy_identifier(port_name, name, APP_MPI_MAX_PORT_NAME) == 0)
        return 0;
    host.MPI_Close_port(name);
    return raise_error(HOST_MPI_ERR_OTHER);
}

/* The null handle has no root: what is wrong with it is said by the call itself. */
static int no_comm(host_comm comm)
{
    return HOST_COMM_BITS(comm) == HOST_COMM_BITS(HOST_MPI_COMM_NULL);
}

/* Returns what the host says of the communicator. */
static int ask_root(host_comm comm, int root, int *is_root)
{
    int rank, rc = no_comm(comm) ? 0 : host.MPI_Comm_rank(comm, &rank);
    *is_root = rc == 0 && !no_comm(comm) && rank == root;
    return rc;
}

/* An array of codes for the host to write into, one for each process that is to be started. Only the root
 * knows how many these are, and a host may leave codes unwritten. */
struct codes {
    int *host;
    int count;
};

static struct codes begin_codes(int *errcodes, int count, int root, host_comm parent)
{
    const struct host_procedures *own = host_itself;
    int size = 0;
    if (!no_comm(parent) && own->MPI_Comm_size(parent, &size) == 0 && size > 1 && root >= 0 && root < size)
        own->MPI_Bcast(&count, 1, HOST_MPI_INT, root, parent);
    struct codes codes = { errcodes_to_host(errcodes), count > 0 ? count : 0 };
    if (errcodes == APP_MPI_ERRCODES_IGNORE || !errcodes)
        return codes;
    codes.host = malloc((size_t)codes.count * sizeof *codes.host + 1);
    for (int i = 0; codes.host && i < codes.count; i++)
        codes.host[i] = INVALID_VALUE;
    return codes;
}

static void end_codes(struct codes codes, int *errcodes)
{
    if (errcodes == APP_MPI_ERRCODES_IGNORE || !errcodes)
        return;
    for (int i = 0; codes.host && i < codes.count; i++)
        if (codes.host[i] != INVALID_VALUE)
            errcodes[i] = codes.host[i] == HOST_MPI_SUCCESS ? APP_MPI_SUCCESS : code_to_app(codes.host[i]);
    free(codes.host);
}

/* Is one of the variables that LINES set, NAME=VALUE each, named in the text? */
static int names_one(const char *text, const char *lines)
{
    for (const char *line = lines; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        int length = (int)strcspn(line, "=") + 1;
        for (const char *at = text; (at = strchr(at, line[0])); at++)
            if (strncmp(at, line, (size_t)length) == 0 && (at == text || at[-1] == '\n'))
                return 1;
    }
    return 0;
}

/* The lines, and those that the info has under the key behind them; or null: the application's word on a variable of
 * the lines is left alone, and so is what would be too long. Frees the lines. */
static char *join_lines(char *lines, host_info info, const char *key, int length)
{
    size_t ours = strlen(lines);
    char *joined = ours + (size_t)length + 2 < HOST_MPI_MAX_INFO_VAL ? malloc(ours + (size_t)length + 2) : 0;
    int found = 0;
    if (joined) {
        memcpy(joined, lines, ours);
        joined[ours] = '\n';
        host.MPI_Info_get(info, key, length, joined + ours + 1, &found);
    }
    if (joined && (!found || names_one(joined + ours + 1, lines))) {
        free(joined);
        joined = 0;
    }
    free(lines);
    return joined;
}

/* False of a handle that is plainly no info's, or the null handle: integer handles have their class in four bits. The host finds
 * that out when it spawns, and raises the error where it belongs. */
static int may_be_asked(host_info info)
{
    uint64_t difference = (uint64_t)HOST_INFO_BITS(info) ^ (uint64_t)HOST_INFO_BITS(HOST_MPI_INFO_NULL);
    return difference != 0 && (sizeof info > sizeof(int32_t) || (difference >> 26 & 15) == 0);
}

/* An info for MPI_Comm_spawn that gives the children what makes them load the adapter, too: launchers do so only with
 * what they were told themselves, and some not where the application has a word on the environment. *extended is
 * another info than `info` if it must be freed. Returns the host's code: what is wrong with the info is said by the first
 * procedure that is asked about it, and spawning, which would say it again, is left out. */
static int spawn_info(host_info info, host_info *extended)
{
    const char *key = implementation()->spawn_environment;
    int no_info = HOST_INFO_BITS(info) == HOST_INFO_BITS(HOST_MPI_INFO_NULL), length = 0, said = 0;
    char *lines = key && (no_info || may_be_asked(info)) ? environment_of_children() : 0;
    host_code rc = lines && !no_info ? host.MPI_Info_get_valuelen(info, key, &length, &said) : 0;
    *extended = info;
    if (rc == 0 && said && length > 0)
        lines = join_lines(lines, info, key, length);
    if (rc == 0 && lines && strlen(lines) < HOST_MPI_MAX_INFO_VAL &&
        (no_info ? host.MPI_Info_create(extended) : host.MPI_Info_dup(info, extended)) == 0)
        host.MPI_Info_set(*extended, key, lines);
    free(lines);
    return rc;
}

static void free_spawn_info(host_info extended, host_info info)
{
    if (HOST_INFO_BITS(extended) != HOST_INFO_BITS(info))
        host.MPI_Info_free(&extended);
}

/* A command to spawn: the program with its arguments, or a command that sets the environment for these. */
struct start {
    char *command, **argv;
    char *lines; /* what argv points into, besides the program's; null if that is the program's own */
};

/* Hydra of MPICH before 4.1 has 1024 bytes for an argument and what is around it. */
enum { LONGEST_ARGUMENT = 900 };

static int fit(const char *lines)
{
    size_t length = strcspn(lines, "\n");
    while (length <= LONGEST_ARGUMENT && lines[length]) {
        lines += length + 1;
        length = strcspn(lines, "\n");
    }
    return length <= LONGEST_ARGUMENT;
}

/* Returns the settings for the children, one a line; null if they cannot be passed this way. */
static char *settings_that_fit(void)
{
    char *lines = environment_of_children();
    if (!lines || fit(lines))
        return lines;
    free(lines);
    return 0;
}

/* The command that sets variables looks for the program elsewhere than the launcher with the key `path` of an info. Returns
 * the host's code, as above. */
static int has_path(host_info info, int *found)
{
    int length;
    *found = 0;
    return may_be_asked(info) ? host.MPI_Info_get_valuelen(info, "path", &length, found) : 0;
}

/* The same for launchers that take no environment from an info: `through` gives it to the program, unless that is null. It
 * would take a program's name with a `=` for a variable. */
static struct start start_of(const char *through, char *command, char **argv)
{
    char *lines = through && command && !strchr(command, '=') ? settings_that_fit() : 0;
    size_t given = 0, count = 0;
    while (lines && argv != APP_MPI_ARGV_NULL && argv[given])
        given++;
    char **made = lines ? malloc((strlen(lines) + given + 3) * sizeof *made) : 0, *rest;
    if (!made) {
        free(lines);
        return (struct start){ command, argv_to_host(argv), 0 };
    }
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(0, "\n", &rest))
        made[count++] = line;
    made[count++] = command;
    for (size_t i = 0; i < given; i++)
        made[count++] = argv[i];
    made[count] = 0;
    return (struct start){ (char *)through, made, lines };
}

static void end_start(struct start start)
{
    if (start.lines)
        free(start.argv);
    free(start.lines);
}

PROCEDURE(app_code, MPI_Comm_spawn, const char *command, char *argv[], int maxprocs, app_info info, int root,
          app_comm comm, app_comm *intercomm, int *errcodes)
{
    host_comm parent = comm_to_host(comm), made = HOST_MPI_COMM_NULL;
    int at_root, rc = ask_root(parent, root, &at_root);
    if (rc != 0)
        return error_to_app(rc);
    host_info given = at_root ? info_to_host(info) : IGNORED_INFO, extended = given;
    const char *through = at_root ? implementation()->spawn_command : 0;
    int through_fails = 0;
    if (through)
        rc = has_path(given, &through_fails);
    if (rc == 0 && at_root)
        rc = spawn_info(given, &extended);
    if (rc != 0)
        return error_to_app(rc);
    struct start start = at_root ? start_of(through_fails ? 0 : through, (char *)command, argv)
                                 : (struct start){ (char *)"", HOST_MPI_ARGV_NULL, 0 };
    struct codes codes = begin_codes(errcodes, at_root ? maxprocs : 0, root, parent);
    rc = host.MPI_Comm_spawn(start.command, start.argv, at_root ? maxprocs : codes.count, extended, root, parent,
                             intercomm ? &made : 0, codes.host);
    free_spawn_info(extended, given);
    end_start(start);
    end_codes(codes, errcodes);
    if (rc != 0)
        return error_to_app(rc);
    *intercomm = comm_to_app(made);
    return 0;
}

/* The commands and arguments of several programs, as the host takes them. */
struct starts {
    char **commands, ***argvs;
    struct start *each; /* null if the first two are the program's own */
    int count;
};

static struct starts starts_of(int count, char **commands, char ***argvs, const host_info *infos, int *rc)
{
    struct starts starts = { commands, argvs_to_host(argvs), 0, count };
    const char *through = implementation()->spawn_command;
    size_t room = count > 0 ? (size_t)count : 0;
    int found = 0;
    if (!through || !infos || !commands || room == 0)
        return starts;
    /* Hydra goes on with one program's path for those after it. */
    for (int i = 0; i < count && !found && *rc == 0; i++)
        *rc = has_path(infos[i], &found);
    if (found || *rc != 0)
        return starts;
    struct start *each = malloc(room * (sizeof *each + sizeof *starts.commands + sizeof *starts.argvs));
    if (!each)
        return starts;
    starts = (struct starts){ (char **)(each + room), (char ***)(each + room) + room, each, count };
    for (int i = 0; i < count; i++) {
        each[i] = start_of(through, commands[i], argvs == APP_MPI_ARGVS_NULL ? APP_MPI_ARGV_NULL : argvs[i]);
        starts.commands[i] = each[i].command;
        starts.argvs[i] = each[i].argv;
    }
    return starts;
}

static void end_starts(struct starts starts)
{
    for (int i = 0; starts.each && i < starts.count; i++)
        end_start(starts.each[i]);
    free(starts.each);
}

/* Returns 0 for a null array: the host reports what is wrong with it. */
static int sum(const int *values, int count)
{
    int total = 0;
    for (int i = 0; values && i < count; i++)
        total += values[i];
    return total;
}

PROCEDURE(app_code, MPI_Comm_spawn_multiple, int count, char **commands, char ***argvs, const int *maxprocs,
          const app_info *infos, int root, app_comm comm, app_comm *intercomm, int *errcodes)
{
    host_comm parent = comm_to_host(comm), made = HOST_MPI_COMM_NULL;
    int at_root, rc = ask_root(parent, root, &at_root);
    if (rc != 0)
        return error_to_app(rc);
    if (at_root && count > 0 && !infos) /* some hosts look into the array */
        return raise_comm(parent, HOST_MPI_ERR_INFO);
    /* Elsewhere than at the root the host gets one program without a name: some hosts report on all processes from that. */
    char *nameless = (char *)"";
    const app_info no_info = APP_MPI_INFO_NULL;
    if (!at_root)
        count = 1, commands = &nameless, argvs = APP_MPI_ARGVS_NULL, infos = &no_info;
    host_info local[STAGE_LOCAL], *staged = stage_info(local, infos, count);
    if (IS_LACKING(staged, infos))
        return raise_comm(parent, HOST_MPI_ERR_NO_MEM);
    for (int i = 0; at_root && staged && i < count && rc == 0; i++)
        rc = spawn_info(staged[i], &staged[i]);
    struct starts starts = starts_of(count, commands, argvs, at_root && rc == 0 ? staged : 0, &rc);
    struct codes codes = { 0 };
    if (rc == 0) {
        codes = begin_codes(errcodes, at_root ? sum(maxprocs, count) : 0, root, parent);
        rc = host.MPI_Comm_spawn_multiple(count, starts.commands, starts.argvs, at_root ? maxprocs : &codes.count, staged, root, parent,
                                          intercomm ? &made : 0, codes.host);
    }
    end_starts(starts);
    for (int i = 0; staged && i < count; i++)
        free_spawn_info(staged[i], info_to_host(infos[i]));
    unstage(staged, staged ? local : 0);
    end_codes(codes, errcodes);
    if (rc != 0)
        return error_to_app(rc);
    *intercomm = comm_to_app(made);
    return 0;
}
