/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "../launch/line.h"
#include "../site/setting.h"
#include "arena.h"
#include "choice.h"
#include "elf/file.h"
#include "file.h"
#include "texts.h"

const struct choice *mpi_of_choice(const struct choice *choice)
{
    return choice->inner ? choice->inner : choice;
}

const char *called_mpi(const struct job *job, const struct program *program, const struct choice *choice)
{
    if (choice->is_native && program->linked)
        return program->linked_name;
    choice = mpi_of_choice(choice);
    return mpi_of_file(job->site, choice->host.library, said_in_pair(choice->pair, "host"));
}

/* Partitioned communication that is built of messages waits in MPI_Init for ranks that have no part in it. */
static void note_kind(struct job *job, const struct program *program, int is_native)
{
    const char *asked = variable("MPI_ADAPTER_PARTITIONED");
    *(is_native ? &job->line_native : &job->line_adapted) = program->path;
    if (*job->line_native == 0 || *job->line_adapted == 0 || *asked == 0 || is_same(asked, "0"))
        return;
    say(&job->messages, "%s runs without a pair and has no part in what MPI_ADAPTER_PARTITIONED asks for: %s waits for it in MPI_Init for ever on an "
                        "MPI without partitioned communication; set it to 0", job->line_native, job->line_adapted);
    job->line_native = "";
}

/* Tells what the program brings and what runs it. The libraries that take the place are preloaded, as no path leads to them. */
static void tell_bundles(struct job *job, const struct program *program, const struct choice *choice)
{
    for (size_t i = 0; i < program->bundles.count; i++) {
        const char *file = program->bundles.words[i];
        say(&job->messages, "%s brings an MPI of its own, %s in %s; that one is not used, as %s takes its place", program->path,
            mpi_of_file(job->site, file, program->abi), file, choice->host.library);
    }
}

/* Says which settings of the program's own MPI no host heeds. */
static void tell_idle_variables(struct job *job, const struct program *program, const struct choice *choice)
{
    const char *kind = launcher_of_abi(job->site, program->abi);
    const struct dialect *dialect = kind ? dialect_of(&job->site->launchers, kind) : 0;
    struct list names = { 0 };
    if (!dialect || !job->messages.is_verbose)
        return;
    find_idle_variables(dialect, &names);
    if (names.count > 0)
        say_more(&job->messages, "without effect on %s: %s", said_in_pair(choice->pair, "host"), joined(", ", &names));
}

void explain_choice(struct job *job, const struct program *program, const struct choice *choice)
{
    const struct facts *environment = &choice->environment;
    if (choice->is_native && program->linked)
        say_more(&job->messages, "no pair is needed, as %s has its MPI linked in", program->linked_file);
    else if (choice->is_native)
        say_more(&job->messages, "no pair is needed, as an MPI of the ABI %s is here", program->abi);
    else {
        say_more(&job->messages, "pair %s in %s", choice->pair->called, choice->pair->folder);
        if (choice->inner)
            say_more(&job->messages, "and pair %s in %s", choice->inner->pair->called, choice->inner->pair->folder);
        tell_idle_variables(job, program, choice);
    }
    say_more(&job->messages, "host library %s", choice->host.library);
    if (*choice->host.launcher)
        say_more(&job->messages, "launcher %s", choice->host.launcher);
    for (size_t i = 0; i < environment->keys.count; i++)
        say_more(&job->messages, "ranks get %s=%s", environment->keys.words[i], environment->values.words[i]);
}

/* Lets the native part find the host, where it would load another MPI of its ABI. */
static struct problem *lead_native_part(const struct job *job, const struct program *program, const char *abi, struct choice *choice)
{
    struct host_mpi *host = &choice->host;
    const char *library = mpi_of_choice(choice)->host.library;
    for (int is_led = 0; is_led < 2; is_led++) {
        const struct closure_found *found = trace(program->subject, library_path_of(job, choice->pair, host), job->preload);
        const char *other = 0;
        for (size_t i = 0; i < found->names.count; i++)
            if (is_for_c(job, found->names.words[i], abi) && !is_same_file(found->paths.words[i], library))
                other = found->paths.words[i];
        if (!other)
            return 0;
        if (is_led)
            return problem_of("parts of %s load %s, and its MPI is %s; run all on one of them", program->path, *other ? other : "no MPI", library);
        host->folders = *host->folders ? with_entry(host->folders, up_to_last(library, '/')) : up_to_last(library, '/');
    }
    return 0;
}

/* Returns the part whose pair is to be the host of another one's, of those that pairs lead to the host; or null. */
static const char *part_between(const struct job *job, const struct list *led)
{
    const char *first = 0, *number = "";
    for (size_t i = 0; i < led->count; i++) {
        const char *of_this = of_family(job->site, led->words[i], "between");
        if (*of_this && (!first || strcmp(of_this, number) < 0))
            first = led->words[i], number = of_this;
    }
    return first;
}

static const struct pair *find_pair(const struct job *job, const char *application, const char *host)
{
    for (size_t i = 0; i < job->site->pair_count; i++) {
        const struct pair *pair = job->site->pairs[i];
        if (is_same(said_in_pair(pair, "application"), application) && is_same(host_of_pair(pair), host) && !check_pair_files(pair))
            return pair;
    }
    return 0;
}

/* Chooses for two parts of which neither has the host's MPI: the pair of the one that stands between leads both. For more there is no way. */
static struct problem *choose_two_pairs(struct job *job, struct program *program, const struct list *led, const char *to, int with_launcher,
                                        const char *launcher, struct choice *choice)
{
    const char *between = part_between(job, led);
    struct choice *inner = arena_memory(sizeof *inner);
    int has_host;
    if (!between || led->count > 2)
        return problem_of("%s has parts for %s, and no pair leads them there; compile one of them for another MPI", program->path,
                          joined(" and ", led));
    const char *ahead = led->words[is_same(between, led->words[0])];
    *inner = (struct choice){ .host = NO_HOST };
    lead_part_to_pair(job, program, between);
    HAND_ON(choose_pair(job, program, to, with_launcher, launcher, 0, inner, &has_host));
    lead_part_to_pair(job, program, ahead);
    if (!(choice->pair = find_pair(job, ahead, between)))
        return problem_of("no installed pair runs programs of %s on %s; install %s-to-%s", ahead, between, ahead, between);
    choice->inner = inner;
    choice->host = inner->host;
    choice->host.library = arena_text("%s/%s", inner->pair->folder, of_family(job->site, between, "soname"));
    choice->host.folders = *inner->host.folders ? with_entry(inner->pair->folder, inner->host.folders) : inner->pair->folder;
    choice->host.behind = arena_text(":%s", inner->host.library);
    return 0;
}

/* Chooses one or two pairs for a process with several parts, on an MPI of this ABI. */
static struct problem *choose_pairs(struct job *job, struct program *program, const char *abi, const char *to, int with_launcher,
                                    const char *launcher, struct choice *choice)
{
    struct list led = { 0 };
    int has_host;
    for (size_t part = 0; part < program->part_abis.count; part++)
        if (!is_same(program->part_abis.words[part], abi))
            list_add(&led, program->part_abis.words[part]);
    if (led.count > 1)
        HAND_ON(choose_two_pairs(job, program, &led, to, with_launcher, launcher, choice));
    else {
        lead_part_to_pair(job, program, led.words[0]);
        HAND_ON(choose_pair(job, program, to, with_launcher, launcher, 0, choice, &has_host));
    }
    return program->subject && led.count < program->part_abis.count ? lead_native_part(job, program, abi, choice) : 0;
}

/* Chooses for a process with parts for several MPIs: one of these, the program's own first, is the host and runs its part natively, or
 * another one. */
static struct problem *choose_for_parts(struct job *job, struct program *program, const char *to, int with_launcher, const char *launcher,
                                        struct choice *choice)
{
    struct problem *first = 0, *problem;
    struct list hosts = { 0 };
    list_add_all(&hosts, &program->part_abis);
    for (size_t i = 0; i < job->site->pair_count; i++)
        list_add_once(&hosts, said_in_pair(job->site->pairs[i], "host"));
    for (size_t i = 0; i < hosts.count; i++) {
        const char *abi = hosts.words[i];
        if (*to && !is_same(up_to(to, '@'), abi))
            continue;
        *choice = (struct choice){ .host = NO_HOST };
        problem = choose_pairs(job, program, abi, *to ? to : abi, with_launcher, launcher, choice);
        if (!problem)
            return make_environment(job, program, choice);
        first = first ? first : problem;
    }
    return first ? first : problem_of("no installed pair runs parts for %s on %s; give --to one of: %s", joined(" and ", &program->part_abis), to,
                                      list_joined(&hosts, " "));
}

/* Sets the host, and the pair if one is needed. */
static struct problem *choose(struct job *job, struct program *program, int with_launcher, const char *launcher, struct choice *choice)
{
    const char *to = wanted_host(job);
    struct problem *why, *problem;
    int is_chosen, has_host;
    if (program->part_abis.count > 0) {
        HAND_ON(choose_for_parts(job, program, to, with_launcher, launcher, choice));
        HAND_ON(check_versions_of_program(job, program, choice));
        return check_tools_of_program(job, program, choice);
    }
    HAND_ON(choose_natively(job, program, to, with_launcher, launcher, choice, &is_chosen, &why));
    if (!is_chosen)
        HAND_ON(prefer_own(job, program, to, launcher, choice, &is_chosen));
    if (is_chosen) {
        HAND_ON(make_native_environment(job, program, choice));
        HAND_ON(check_versions_of_program(job, program, choice));
        if (choice->own_is_preferred)
            tell_unheeded(job, program);
        return 0;
    }
    problem = choose_pair(job, program, to, with_launcher, launcher, why, choice, &has_host);
    if (!problem) {
        HAND_ON(make_environment(job, program, choice));
        HAND_ON(check_versions_of_program(job, program, choice));
        return check_tools_of_program(job, program, choice);
    }
    if (has_host || !runs_itself(job, program, to, with_launcher, launcher, choice))
        return problem;
    say_more(&job->messages, "no pair runs %s here, so its own MPI does", program->path);
    return make_native_environment(job, program, choice);
}

/* Returns the library of the installation whose launcher was chosen, or null if that stands alone, or a setting names the library. */
static const char *library_for_launcher(const struct job *job, const struct choice *choice)
{
    struct list names = words_of(said_in_pair(choice->pair, "host_libraries"));
    if (*setting(job->site, "host_library") || *said_in_pair(choice->pair, "host_library") || is_batch(job->site, choice->host.launcher_kind))
        return 0;
    return library_of_launcher(job, choice->host.launcher, said_in_pair(choice->pair, "host"), &names);
}

/* Whether a library is there and of another MPI than the one that was chosen. */
static int is_of_another(const struct job *job, const struct choice *choice, const char *library)
{
    choice = mpi_of_choice(choice);
    return library && !is_same_mpi(job, library, choice->host.library, said_in_pair(choice->pair, "host"));
}

/* Chooses the library of the launcher's own installation, where another one was chosen. */
static struct problem *follow_launcher(struct job *job, struct program *program, const char *launcher, struct choice *choice)
{
    const char *library = library_for_launcher(job, choice), *to = given(job, "--to");
    if (*job->named_library || !is_of_another(job, choice, library))
        return 0;
    set_fact(&job->given, "--to", *to ? to : said_in_pair(choice->pair, "host"));
    *choice = (struct choice){ .host = NO_HOST };
    job->named_library = library;
    struct problem *problem = choose(job, program, 1, launcher, choice);
    job->named_library = "";
    set_fact(&job->given, "--to", to);
    return problem;
}

struct problem *choose_host(struct job *job, struct program *program, int with_launcher, const char *launcher, struct choice *choice)
{
    int is_chosen;
    *choice = (struct choice){ .host = NO_HOST };
    HAND_ON(choose_linked(job, program, wanted_host(job), with_launcher, launcher, choice, &is_chosen));
    if (!is_chosen) {
        HAND_ON(refusal_of(program));
        HAND_ON(choose(job, program, with_launcher, launcher, choice));
        if (with_launcher && *launcher)
            HAND_ON(follow_launcher(job, program, launcher, choice));
    }
    HAND_ON(let_sanitizer_follow(job, program, choice));
    note_kind(job, program, choice->is_native);
    if (program->chosen_module)
        set_fact(&choice->environment, up_to(program->chosen_module, '='), behind(program->chosen_module, '='));
    tell_bundles(job, program, choice);
    if (!is_same(job->command, "env"))
        note_given(job, choice);
    explain_choice(job, program, choice);
    return 0;
}

/* ---------------------------------------------------------------- one program of several */

/* Whether the program is of the ABI of the MPI that runs the line: that of the programs before it, or the one that the launcher belongs to.
 * Only a batch system's leaves the choice to a setting. */
static int is_own_abi(const struct job *job, const struct program *program)
{
    const char *host = *job->line_host ? job->line_host : given(job, "--to"), *own;
    if (may_be_native(job, program) || program->part_abis.count > 0)
        return 0;
    if (*host == 0 && is_batch(job->site, job->launcher_kind))
        host = setting(job->site, "host");
    if (*host)
        return is_same(program->abi, up_to(host, '@'));
    own = launcher_of_abi(job->site, program->abi);
    return own && is_same(own, job->launcher_kind);
}

/* Whether the dynamic linker finds no library for C of the program's MPI, and the launcher's installation has none that it would put
 * ahead. */
static int lacks_own_mpi(const struct job *job, const struct program *program, const char *launcher)
{
    const struct closure_found *found = needs_of(job, program->subject);
    const char *file = real_path(launcher), *prefix = file ? up_to_last(up_to_last(file, '/'), '/') : "";
    for (size_t i = 0; i < found->names.count; i++) {
        struct list names = { 0 };
        if (!has_word(of_family(job->site, program->abi, "libraries"), found->names.words[i]))
            continue;
        list_add(&names, found->names.words[i]);
        return *found->paths.words[i] == 0 && !library_in_prefix(job->site, prefix, program->abi, &names);
    }
    return 0;
}

/* Whether a program of the launcher's own MPI needs a pair all the same: that MPI has no library of the program's ABI here, but one of
 * another ABI. */
static int needs_pair(struct job *job, const struct program *program, const char *launcher)
{
    struct choice choice = { 0 };
    int has_host;
    return *job->line_host == 0 && lacks_own_mpi(job, program, launcher) &&
           !choose_pair(job, program, given(job, "--to"), 1, launcher, 0, &choice, &has_host);
}

/* Returns the library for C of the program's MPI that the dynamic linker finds for it, or null. */
static const char *library_found(const struct job *job, const struct program *program)
{
    const struct closure_found *found = trace(program->subject, job->library_path, job->preload);
    for (size_t i = 0; found->status == ELF_YES && i < found->names.count; i++)
        if (is_for_c(job, found->names.words[i], program->abi) && *found->paths.words[i])
            return found->paths.words[i];
    return 0;
}

/* Whether an MPI's library for C needs none that lies beside it: then it can take the place of another release's alone. */
static int stands_alone(const struct job *job, const char *file)
{
    const struct closure_found *found = needs_of(job, file);
    const char *folder = up_to_last(file, '/');
    for (size_t i = 0; i < found->names.count; i++)
        if (is_same(up_to_last(found->paths.words[i], '/'), folder))
            return 0;
    return 1;
}

/* Returns the library that runs the line, if the dynamic linker finds another MPI's for the program: that of the programs before it, or of
 * the launcher's installation. Null if there is nothing to set right. */
static const char *library_missed(struct job *job, const struct program *program, const char *launcher)
{
    const char *found = library_found(job, program), *wanted = job->line_library;
    struct list names = words_said_of(&job->site->families, program->abi, "libraries");
    if (!found || belongs_to_pair(found))
        return 0;
    if (*wanted == 0 && !is_batch(job->site, job->launcher_kind))
        wanted = library_of_launcher(job, launcher, program->abi, &names);
    if (*job->line_library == 0 && wanted && *wanted && !(stands_alone(job, found) && stands_alone(job, wanted)))
        return 0;
    return wanted && *wanted && !is_same_mpi(job, found, wanted, program->abi) ? wanted : 0;
}

/* Chooses this library of the host for a program of a line, any for "". */
static struct problem *choose_on(struct job *job, struct program *program, const char *launcher, const char *library, struct choice *choice)
{
    job->named_library = library;
    struct problem *problem = choose_host(job, program, 1, launcher, choice);
    job->named_library = "";
    return problem;
}

struct problem *choose_for_line(struct job *job, struct program *program, const char *launcher, struct choice *choice, int *is_plain)
{
    const char *missed = 0;
    *is_plain = 0;
    if (is_own_abi(job, program) && !needs_pair(job, program, launcher)) {
        job->line_host = program->abi;
        missed = library_missed(job, program, launcher);
        if (!missed && !program->chosen_module && !lacks_variables(job, program)) {
            *choice = (struct choice){ .host = NO_HOST };
            choice->host.launcher = job->launcher;
            choice->host.launcher_kind = job->launcher_kind;
            *is_plain = 1;
            if (program->linked)
                tell_other_release(job, program, &choice->host);
            say_more(&job->messages, "%s needs no pair, as it was compiled against %s", program->path, program->abi);
            note_kind(job, program, 1);
            return 0;
        }
    }
    if (*job->line_host && *given(job, "--to") == 0)
        set_fact(&job->given, "--to", job->line_host);
    HAND_ON(choose_on(job, program, launcher, missed ? missed : "", choice));
    job->line_host = said_in_pair(mpi_of_choice(choice)->pair, "host");
    if (is_of_another(job, choice, *job->line_library ? job->line_library : 0))
        HAND_ON(choose_on(job, program, launcher, job->line_library, choice));
    const char *library = mpi_of_choice(choice)->host.library;
    if (*job->line_library && !is_same_file(job->line_library, library))
        return problem_of("%s would run on %s, and the programs before it on %s; give --to ABI", program->path, library,
                          job->line_library);
    if (!(program->linked && choice->is_native))
        job->line_library = library;
    return 0;
}

void note_planned(struct job *job, const struct program *program, const struct choice *choice)
{
    job->planned = arena_grown(job->planned, job->planned_count, sizeof *job->planned);
    job->planned[job->planned_count++] = (struct planned){ *program, *choice };
}
