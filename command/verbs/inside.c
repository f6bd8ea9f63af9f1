/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers the questions of `container` within an image, in pairs of a name and a value, each with a null byte behind it. Nothing of the
 * image is started, and nothing of it is trusted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../site/setting.h"
#include "arena.h"
#include "container.h"
#include "elf/file.h"
#include "file.h"
#include "texts.h"
#include "verbs.h"

static void tell(const char *name, const char *value)
{
    printf("%s%c%s%c", name, 0, value, 0);
}

/* Takes the image's variables that say where programs and libraries are. Returns the names of all; none of the others becomes one of this
 * process's. */
static struct list take_variables(struct job *job, int count, char **words)
{
    /* The tool's or a shell's own, of which none is to be handed on to ranks. */
    struct list names = words_of("PWD OLDPWD SHLVL _");
    unsetenv("HOME");
    unsetenv("PATH");
    job->library_path = job->preload = "";
    for (int i = 0; i < count; i++) {
        const char *name = up_to(words[i], '='), *value = behind(words[i], '=');
        if (!strchr(words[i], '=') || !is_variable_name(name))
            continue;
        list_add(&names, name);
        if (is_same(name, "HOME") || is_same(name, "PATH"))
            setenv(name, value, 1);
        else if (is_same(name, "LD_LIBRARY_PATH"))
            job->library_path = value;
        else if (is_same(name, "LD_PRELOAD"))
            job->preload = value;
    }
    return names;
}

static struct problem *find_in_image(const char *name, struct program *program)
{
    if (!find_in_path(name))
        return problem_of("%s: no such program in the image; check its name and the image's PATH", name);
    return find_program(name, program);
}

/* ---------------------------------------------------------------- which ABI a program is of */

/* Words: FROM PROGRAM [APPLICATION SONAMES]... */
static struct problem *tell_program(struct job *job, int count, char **words, const struct list *variables)
{
    struct site *site = job->site;
    struct program program = { .abi = "" };
    if (*words[0])
        set_fact(&job->given, "--from", words[0]);
    for (int i = 2; i + 1 < count; i += 2) {
        struct pair *pair = arena_memory(sizeof *pair);
        pair->folder = pair->called = "";
        set_fact(&pair->facts, "application", words[i]);
        set_fact(&pair->facts, "application_sonames", words[i + 1]);
        site->pairs = arena_grown(site->pairs, site->pair_count, sizeof *site->pairs);
        site->pairs[site->pair_count++] = pair;
    }
    HAND_ON(find_in_image(words[1], &program));
    HAND_ON(find_subject(job, &program));
    HAND_ON(require_runnable_elf(job, &program));
    /* The adapter is made for the GNU C library. */
    if (!list_has(&needs_of(job, program.subject)->names, "libc.so.6"))
        return problem_of("%s does not use the GNU C library, as this machine's MPI does; use an image that has it", program.subject);
    HAND_ON(settle_abi(job, &program));
    HAND_ON(refusal_of(&program));
    if (program.part_abis.count > 0)
        return problem_of("%s was compiled for %s and %s for %s, and an image is given one pair; compile one of them for the other's MPI", program.path,
                          own_abi(&program), list_joined(&program.part_files[1], " "), program.part_abis.words[1]);
    tell("program", program.path);
    tell("abi", program.abi);
    tell("variables", list_joined(variables, " "));
    tell("names", list_joined(&program.other_names, " "));
    tell("linked", program.linked ? "yes" : "no");
    return 0;
}

/* ---------------------------------------------------------------- what its ranks need */

/* Holds what the command says of the host, whose files are mounted. */
struct mounted {
    const char *image, *top;    /* top: the folder in which all is mounted that is not known by its own path */
    const char *library, *path, *plugins;
};

/* Whether a file is mounted, of the host's MPI or of the pair. */
static int is_host(const struct mounted *mounted, const char *file)
{
    struct list folders = parts_of(mounted->path);
    if (begins_with(file, arena_text("%s/", mounted->top)) || has_entry(mounted->plugins, file))
        return 1;
    return list_has(&folders, up_to_last(file, '/'));
}

static struct problem *too_old(const struct mounted *mounted, const char *by, const char *library, const char *version)
{
    const char *newest = newest_version(library, version);
    const char *advice = begins_with(by, arena_text("%s/lib/", mounted->top))
                             ? "use a newer image, or install an mpi-adapter that was built on an older system"
                             : "use a newer image, or an MPI that was built on an older system";
    return problem_of("%s needs %s of %s, and %s has %s%s; %s", base_name(by), version, base_name(library), mounted->image,
                      *newest ? newest : "none", *newest ? " at most" : "", advice);
}

/* Whether files that are mounted and files of the image fit each other, the newest versions first. One that is mounted and that is too old
 * for the image is better left out: told as that. */
static struct problem *check_versions(const struct mounted *mounted, const struct program *program, const struct choice *choice)
{
    const char *path = fact(&choice->environment, "LD_LIBRARY_PATH"), *preload = fact(&choice->environment, "LD_PRELOAD");
    preload = with_entry(with_entry(preload, mounted->library), mounted->plugins);
    if (!choice->is_native)
        preload = with_entry(preload, arena_text("%s/%s", choice->pair->folder, up_to(said_in_pair(choice->pair, "preload"), ' ')));
    struct unmet unmet = unmet_versions(program->subject, path, preload);
    for (size_t i = 0; i < unmet.by.count; i++) {
        const char *by = unmet.by.words[i], *library = unmet.libraries.words[i];
        if (is_host(mounted, by) && !is_host(mounted, library))
            return too_old(mounted, by, library, unmet.versions.words[i]);
        if (is_host(mounted, library) && !is_host(mounted, by))
            tell("leave", library);
    }
    return 0;
}

/* The program needs the host's own library by a name that the host's MPI does not give it, and an image has no links. Names are left that
 * the host's MPI gives its libraries. */
static struct problem *reject_names_of_host(struct job *job, struct program *program)
{
    for (size_t i = 0; i < program->other_names.count; i++) {
        const char *name = program->other_names.words[i];
        if (alias_of(job->site, name, program->abi) || !has_word(of_family(job->site, program->abi, "needs"), name))
            return problem_of("%s needs its MPI by the name %s, by which images are given libraries of a pair alone; "
                              "choose another MPI with --to, or rename it in a copy of the program: patchelf --replace-needed %s %s COPY",
                              program->path, name, name, of_family(job->site, program->abi, "soname"));
    }
    program->other_names = (struct list){ 0 };
    return 0;
}

static void set_setting(struct site *site, const char *name, const char *value)
{
    set_fact(&site->settings, name, value);
    set_fact(&site->origins, name, setting_variable(name));
}

/* Words: IMAGE ABI PROGRAM PRELOAD HOST HOST_LIBRARY LIBRARY_PATH PLUGINS HOST_PRELOAD NAMES [PAIR]. NAMES is what `program` told. */
static struct problem *tell_environment(struct job *job, int count, char **words)
{
    struct mounted mounted = { words[0], up_to_last(job->site->home, '/'), words[5], words[6], words[7] };
    struct program program = { .abi = "" };
    struct pair *pair = arena_memory(sizeof *pair);
    struct choice choice = { .host = NO_HOST };
    struct facts *environment = &choice.environment;
    HAND_ON(find_in_image(words[2], &program));
    HAND_ON(find_subject(job, &program));
    program.abi = words[1];
    program.other_names = words_of(words[9]);
    if (count > 10 && !knows_mpi(job, &program.other_names, program.subject))
        take_linked_mpi(job, &program, program.subject);
    set_setting(job->site, "host_library", words[5]);
    set_setting(job->site, "host_preload", words[8]);
    if (is_same(words[3], "yes"))
        set_fact(&job->given, "--preload", "yes");
    job->library_path = with_entry(words[6], job->library_path);
    if (count > 10) {
        pair->folder = words[10];
        pair->called = base_name(words[10]);
        HAND_ON(read_pair(job->site, pair));
        choice.pair = pair;
    } else {
        choice.pair = native_pair(job, &program, words[4]);
        choice.is_native = 1;
    }
    HAND_ON(check_host_library(job, &program, choice.pair, &choice.host));
    if (choice.is_native) {
        HAND_ON(reject_names_of_host(job, &program));
        HAND_ON(make_native_environment(job, &program, &choice));
    } else
        HAND_ON(make_environment(job, &program, &choice));
    /* The image or the launcher may set these variables, so each is set here. */
    if (!has_fact(environment, "LD_LIBRARY_PATH"))
        set_fact(environment, "LD_LIBRARY_PATH", job->library_path);
    if (!has_fact(environment, "LD_PRELOAD"))
        set_fact(environment, "LD_PRELOAD", job->preload);
    set_fact(environment, "MPI_ADAPTER_HOST_LIBRARY", choice.host.library);
    mounted.library = choice.host.library;
    HAND_ON(check_versions(&mounted, &program, &choice));
    for (size_t i = 0; i < environment->keys.count; i++)
        tell(environment->keys.words[i], environment->values.words[i]);
    return 0;
}

struct problem *act_inside(struct job *job, int count, char **words)
{
    int own = count > 0 ? atoi(words[0]) : 0;
    if (own < 2 || own >= count - 1)
        return usage_problem_of("this command is for mpi-adapter container");
    job->command = "container";
    job->image_names = IMAGE_NAMES;
    struct list variables = take_variables(job, count - own - 2, words + own + 2);
    /* Errors from here on are reported here. */
    tell("inside", "yes");
    fflush(stdout);
    struct problem *problem = is_same(words[1], "program") && own >= 3 ? tell_program(job, own - 1, words + 2, &variables)
                              : is_same(words[1], "environment") && own >= 11 ? tell_environment(job, own - 1, words + 2)
                              : usage_problem_of("this command is for mpi-adapter container");
    if (problem)
        return problem;
    end_answer();
    exit(0);
}
