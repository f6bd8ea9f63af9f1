/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter container: starts a program of a container image on the MPI of this machine.
 *
 * The files of the host's MPI are gathered, and each is mounted from where it is, so that nothing is copied, nor left to be cleaned up, and
 * what is on every machine is found on every machine. What this command knows of programs is asked where the program is, with the
 * libraries, folders and variables that it has there: this command looks into the image, with its own C library and dynamic linker, which
 * are mounted for the look alone. Nothing of the image runs: look.c is the first process. */
#include "container.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../site/machine.h"
#include "../site/launcher.h"
#include "../site/setting.h"
#include "arena.h"
#include "file.h"
#include "progress.h"
#include "spawn.h"
#include "texts.h"
#include "verbs.h"

enum { LONGEST_ANSWER = 4 << 20, NO_LIMIT = 1 << 20 };

enum tool_kind { APPTAINER, PODMAN, DOCKER };
enum image_kind { IMAGE_FILE, IMAGE_FOLDER, IMAGE_ADDRESS, IMAGE_NAME };

struct mount {
    const char *from, *to;
};

struct container {
    struct job *job;
    const char *tool;
    enum tool_kind tool_kind;
    const char *image;              /* as the tool gets it */
    const char *image_name;         /* as it was given */
    enum image_kind image_kind;
    struct mount *mounts;
    size_t mount_count;
    struct list shares;             /* the tool's options that are for ranks alone */

    struct program program;         /* what the image says of it */
    const char *image_variables;    /* names of those that the image sets */
    int has_linked_mpi;             /* the program has its MPI linked in */
    const char *image_needs;        /* names by which the program needs its MPI that are not the pair's */
    struct choice choice;

    struct table opened;            /* what libraries open */
    struct list names, files;       /* of the host's libraries, in the order in which they were found */
    struct list plugins;            /* libraries that are opened later, by their own paths */
    const char *installation;       /* the prefix of an MPI that has one of its own, or "" */
    struct list left_out;           /* names of libraries of which the image has newer ones */
    struct list paths;              /* in the image: folders with libraries of the host's */
    const char *inner_library, *inner_pair, *inner_preload;     /* paths in the image */
};

/* ---------------------------------------------------------------- the image and the tool */

/* A folder or a file is given with a slash, or as a .sif, as what lies here may be called like a registry's image. */
static struct problem *find_image(struct container *container, const char *name)
{
    container->image = container->image_name = name;
    if (*name == '-')
        return usage_problem_of("the image cannot be '%s'", name);
    container->image_kind = has_text(name, "://") ? IMAGE_ADDRESS : IMAGE_NAME;
    if (container->image_kind == IMAGE_ADDRESS || (!strchr(name, '/') && !ends_with(name, ".sif")))
        return 0;
    if (is_folder(name)) {
        container->image_kind = IMAGE_FOLDER;
        container->image = real_folder(name);
        return container->image ? 0 : problem_of("%s cannot be entered; check its permissions", name);
    }
    if (is_there(name))
        container->image_kind = IMAGE_FILE;
    else if (*name == '/' || begins_with(name, "./") || begins_with(name, "../") || ends_with(name, ".sif"))
        return problem_of("%s: no such image; check its name", name);
    return 0;
}

/* A tool called docker may be podman. Returns whether it is one that is known. */
static int find_tool_kind(const char *tool, enum tool_kind *kind)
{
    struct asked asked = { .most = 65536 };
    if (begins_with_null(tool))
        return 0;
    list_add(&asked.words, tool);
    list_add(&asked.words, "--version");
    const char *text = in_small_letters(said_by(&asked, 0));
    if (has_text(text, "apptainer") || has_text(text, "singularity"))
        *kind = APPTAINER;
    else if (has_text(text, "podman"))
        *kind = PODMAN;
    else if (has_text(text, "docker"))
        *kind = DOCKER;
    else
        return 0;
    return 1;
}

static int takes_image(enum tool_kind tool, enum image_kind image)
{
    return tool == APPTAINER || (tool == PODMAN ? image != IMAGE_FILE : image == IMAGE_NAME);
}

static struct problem *find_tool(struct container *container)
{
    static const char *const tools[] = { [IMAGE_FILE] = "apptainer singularity", [IMAGE_FOLDER] = "apptainer singularity podman",
                                         [IMAGE_ADDRESS] = "apptainer singularity", [IMAGE_NAME] = "podman docker" };
    const char *wanted = given(container->job, "--tool");
    struct list names = words_of(tools[container->image_kind]);
    if (*wanted) {
        names = (struct list){ 0 };
        list_add(&names, wanted);
    }
    for (size_t i = 0; i < names.count; i++) {
        const char *tool = find_in_path(names.words[i]);
        if (!tool || !is_file(tool) || !is_startable(tool))
            continue;
        container->tool = tool;
        if (!find_tool_kind(tool, &container->tool_kind))
            return problem_of("don't know how to drive %s; give Apptainer, Singularity, Podman or Docker with --tool", tool);
        if (!takes_image(container->tool_kind, container->image_kind)) {
            static const char *const kinds[] = { [IMAGE_FILE] = "file", [IMAGE_FOLDER] = "folder", [IMAGE_ADDRESS] = "address of an image",
                                                 [IMAGE_NAME] = "name" };
            return problem_of("%s starts no %s such as %s; leave out --tool, or give the name of an image that the tool has", tool,
                              kinds[container->image_kind], container->image_name);
        }
        return 0;
    }
    if (*wanted)
        return problem_of("the tool %s is missing or not executable; correct --tool", wanted);
    return problem_of("no tool for %s is in PATH, neither %s; install one, or give one with --tool PATH", container->image_name,
                      joined(" nor ", &names));
}

/* ---------------------------------------------------------------- mounts */

/* Each place once. */
static struct problem *mount_at(struct container *container, const char *from, const char *to)
{
    if (!from)
        return 0;
    for (size_t i = 0; i < container->mount_count; i++)
        if (is_same(container->mounts[i].to, to))
            return 0;
    if (strpbrk(from, ":,") || strpbrk(to, ":,"))
        return problem_of("%s cannot be mounted, as its name has a ':' or ','; rename it or install into another folder", from);
    container->mounts = arena_grown(container->mounts, container->mount_count, sizeof *container->mounts);
    container->mounts[container->mount_count++] = (struct mount){ from, to };
    return 0;
}

static const char *mount_option(const struct container *container)
{
    return container->tool_kind == APPTAINER ? "--bind" : "--volume";
}

/* Whether it is Podman for a user, who has no root here. */
static int is_without_root(const struct container *container)
{
    return container->tool_kind == PODMAN && geteuid() != 0;
}

/* The line by which the tool starts these words in the image. A look has neither the network nor the environment of ranks. */
static struct list tool_line(const struct container *container, int is_look, const struct list *words)
{
    const struct facts *environment = &container->choice.environment;
    const char *image = container->image;
    struct list line = { 0 };
    size_t begin = 0;
    list_add(&line, container->tool);
    if (container->tool_kind == APPTAINER)
        list_add(&line, "exec");
    else {
        list_split(&line, "run --rm --interactive");
        /* The user whose files those are that ranks share. */
        list_add(&line, is_without_root(container) ? "--userns=keep-id" : arena_text("--user=%ld:%ld", (long)geteuid(), (long)getegid()));
        /* An image may name a command that is to find out whether it is well. */
        list_split(&line, is_look ? "--net=none --no-healthcheck" : "--net=host --pid=host --ipc=host");
    }
    if (!is_look)
        list_add_all(&line, &container->shares);
    for (size_t i = 0; i < container->mount_count; i++) {
        list_add(&line, mount_option(container));
        list_add(&line, arena_text("%s:%s:ro", container->mounts[i].from, container->mounts[i].to));
    }
    for (size_t i = 0; !is_look && i < environment->keys.count; i++) {
        list_add(&line, "--env");
        list_add(&line, arena_text("%s=%s", environment->keys.words[i], environment->values.words[i]));
    }
    list_add_all(&line, &container->job->tool_arguments);
    if (container->tool_kind == PODMAN && container->image_kind == IMAGE_FOLDER) {
        /* The folder stays as it is: what is made for the mounts goes elsewhere. */
        list_add(&line, "--rootfs");
        image = arena_text("%s:O", image);
    } else if (container->tool_kind != APPTAINER) {
        /* The image's entry point would take the program for an argument. */
        list_add(&line, "--entrypoint");
        list_add(&line, words->words[begin++]);
    }
    list_add(&line, image);
    for (size_t i = begin; i < words->count; i++)
        list_add(&line, words->words[i]);
    return line;
}

/* ---------------------------------------------------------------- looks into the image */

#define PLACE IMAGE_TOP "/look"

static struct problem *mount_look(struct container *container)
{
    static const char *const tables[] = { "departures", "families", "implementations", "installation", "launchers", "pairs", "refused" };
    const struct site *site = container->job->site;
    const struct closure_found *found = needs_of(container->job, site->program);
    HAND_ON(mount_at(container, site->program, PLACE "/mpi-adapter"));
    for (size_t i = 0; i < found->names.count; i++)
        if (*found->paths.words[i])
            HAND_ON(mount_at(container, real_path(found->paths.words[i]), arena_text(PLACE "/%s", found->names.words[i])));
    HAND_ON(mount_at(container, real_path(facts_of(site->program)->interpreter), PLACE "/loader"));
    HAND_ON(mount_at(container, arena_text("%s/look", site->home), PLACE "/look"));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        HAND_ON(mount_at(container, arena_text("%s/%s", site->home, tables[i]), arena_text(PLACE "/%s", tables[i])));
    /* The dynamic linker that is mounted reads /etc/ld.so.preload, whatever it is told, and the image's may be anything. */
    return mount_at(container, arena_text("%s/ld.so.preload", site->home), "/etc/ld.so.preload");
}

/* Whether a text has only these characters, and line ends. */
static int has_only(const char *text, const char *others)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    return strspn(text, arena_text("%s%s", letters, others)) == strlen(text);
}

static int has_control_in_lines(const char *text)
{
    for (; *text; text++)
        if (((unsigned char)*text < ' ' && *text != '\n') || *text == 127)
            return 1;
    return 0;
}

/* Whether a look says such a thing. */
static int is_valid(const struct site *site, const char *question, const char *name, const char *value)
{
    if (has_control_in_lines(value))
        return 0;
    if (is_same(name, "inside"))
        return is_same(value, "yes");
    if (is_same(question, "program")) {
        if (is_same(name, "program"))
            return strchr(value, '/') && *value != '-' && !strchr(value, '\n');
        if (is_same(name, "abi"))
            return is_abi_name(site, value);
        if (is_same(name, "variables"))
            return has_only(value, "_ ");
        if (is_same(name, "linked"))
            return is_same(value, "yes") || is_same(value, "no");
        return is_same(name, "names") && has_only(value, "_.+ -");
    }
    if (is_same(name, "leave"))
        return *value == '/';
    return has_word("LD_LIBRARY_PATH LD_PRELOAD MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_LIBRARY_PATH MPI_ADAPTER_MPI_RELEASE MPI_ADAPTER_MPI_VERSION "
                    "MPI_ADAPTER_NAMES MPI_ADAPTER_PRELOAD", name);
}

/* The tool runs what others made, so that it may have written anything: the answer has to have names with values that are right. */
static struct problem *check_answer(const struct container *container, const char *question, const struct list *answer)
{
    const char *names = "";
    int is_right = answer->count > 0 && answer->count % 2 == 0;
    for (size_t i = 0; is_right && i < answer->count; i += 2) {
        is_right = is_valid(container->job->site, question, answer->words[i], answer->words[i + 1]);
        names = arena_text("%s %s", names, answer->words[i]);
    }
    if (is_right && begins_with(names, " inside") && (!is_same(question, "program") || is_same(names, " inside program abi variables names linked")))
        return 0;
    return problem_of("%s gives an unexpected answer by %s; don't use that image, or see with -v what the tool itself writes", container->image_name,
                      container->tool);
}

/* Asks a question within the image: NAME, VALUE, NAME, VALUE.... What is wrong is said there. The answer is the image's
 * to spoil, so that of one without end no more is read than any answer has. */
static struct problem *look(struct container *container, const struct list *question, struct list *answer)
{
    struct asked asked = { .errors = ERRORS_USER, .most = LONGEST_ANSWER, .seconds = NO_LIMIT };
    struct list words = words_of(PLACE "/look " PLACE "/loader --library-path " PLACE " " PLACE "/mpi-adapter inside " PLACE), shown = { 0 };
    size_t kept = container->mount_count;
    int status;
    HAND_ON(mount_look(container));
    list_add(&words, arena_text("%zu", question->count));
    list_add_all(&words, question);
    asked.words = tool_line(container, 1, &words);
    container->mount_count = kept;
    for (size_t i = 0; i < asked.words.count; i++)
        list_add(&shown, shell_word(asked.words.words[i]));
    say_more(&container->job->messages, "looking into %s with %s", container->image_name, list_joined(&shown, " "));
    begin_step(arena_text("looking into %s with %s", container->image_name, container->tool));
    *answer = words_said_by(&asked, &status);
    end_step();
    if (status == 0)
        return check_answer(container, question->words[0], answer);
    /* It has said why. */
    if (answer->count > 0 && is_same(answer->words[0], "inside"))
        exit(1);
    if (container->image_kind == IMAGE_NAME && is_there(container->image_name))
        return problem_of("%s cannot start an image called %s; for the file or folder of this name, give ./%s", container->tool,
                          container->image_name, container->image_name);
    return problem_of("%s cannot start anything in %s; see what it says, or try it without mpi-adapter", container->tool, container->image_name);
}

/* Asks what the image says of the program. */
static struct problem *examine_in_image(struct container *container, const char *name)
{
    const struct site *site = container->job->site;
    struct list question = words_of("program"), answer;
    list_add(&question, given(container->job, "--from"));
    list_add(&question, name);
    for (size_t i = 0; i < site->pair_count; i++) {
        list_add(&question, said_in_pair(site->pairs[i], "application"));
        list_add(&question, said_in_pair(site->pairs[i], "application_sonames"));
    }
    HAND_ON(look(container, &question, &answer));
    container->program.path = answer.words[3];
    container->program.abi = answer.words[5];
    container->image_variables = answer.words[7];
    container->image_needs = answer.words[9];
    container->has_linked_mpi = is_same(answer.words[11], "yes");
    say_more(&container->job->messages, "%s has the program %s, compiled against %s", container->image_name, container->program.path,
             container->program.abi);
    return 0;
}

/* The MPI of this machine, as for a program of this machine's. */
static struct problem *choose_for_image(struct container *container)
{
    struct job *job = container->job;
    struct choice *choice = &container->choice;
    struct problem *why = 0;
    int is_chosen = 0, has_host;
    if (container->has_linked_mpi && is_same(wanted_host(job), container->program.abi))
        return problem_of("%s has its MPI linked in, so it needs none of this machine's; start %s with that MPI's launcher, or give another --to",
                          container->program.path, container->tool);
    if (!container->has_linked_mpi)
        HAND_ON(choose_natively(job, &container->program, wanted_host(job), 1, wanted_launcher(job), choice, &is_chosen, &why));
    if (!is_chosen)
        HAND_ON(choose_pair(job, &container->program, wanted_host(job), 1, wanted_launcher(job), why, choice, &has_host));
    if (*choice->host.behind)
        return problem_of("a container cannot use a pair on another pair; name the library of one MPI in MPI_ADAPTER_HOST_LIBRARY");
    explain_choice(job, &container->program, choice);
    return 0;
}

/* ---------------------------------------------------------------- the files of the host's MPI */

/* The C library starts with the program, and is the image's; its parts fit one another only. */
static int is_c_library(const char *name)
{
    static const char *const patterns[] = {
        "ld-linux*.so.*", "ld64.so.*", "libc.so.*", "libm.so.*", "libdl.so.*", "libpthread.so.*", "librt.so.*", "libresolv.so.*", "libutil.so.*",
        "libmvec.so.*", "libanl.so.*", "libBrokenLocale.so.*", "libthread_db.so.*", "libnss_*.so.2", "libnsl.so.1",
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (is_like(name, patterns[i]))
            return 1;
    return 0;
}

static int is_in(const char *folder, const char *file)
{
    return *folder && begins_with(file, arena_text("%s/", folder));
}

/* Notes a library for the image, and for what it opens. */
static void take_library(struct container *container, const char *name, const char *file)
{
    const char *pair = container->choice.pair->folder;
    if (list_has(&container->names, name) || is_c_library(name) || list_has(&container->left_out, name) || (pair && is_in(pair, file)))
        return;
    list_add(&container->names, name);
    list_add(&container->files, file);
}

/* Notes the libraries that the dynamic linker finds for a file, and for others that are preloaded. */
static void take_closure(struct container *container, const char *file, const char *preload)
{
    const char *path = library_path_of(container->job, container->choice.pair, &container->choice.host);
    const struct closure_found *found = trace(file, path, preload);
    for (size_t i = 0; i < found->names.count; i++)
        if (*found->paths.words[i] && !list_has(&container->plugins, found->paths.words[i]))
            take_library(container, found->names.words[i], found->paths.words[i]);
}

/* Takes what a library opens, under its own path. */
static struct problem *take_place(struct container *container, const char *path)
{
    static const char *const depths[] = { "", "/*", "/*/*" };
    const char *list = "", *folder = glob_escaped(path);
    if (!is_in(container->installation, path))
        HAND_ON(mount_at(container, path, path));
    for (int depth = 0; depth < 3; depth++) {
        struct list files = files_like(arena_text("%s%s/*.so*", folder, depths[depth]));
        for (size_t i = 0; i < files.count; i++) {
            const char *file = files.words[i];
            if (!is_file(file) || *link_text(file) || list_has(&container->plugins, file))
                continue;
            list_add(&container->plugins, file);
            /* LD_PRELOAD cannot hold any path. */
            if (strpbrk(file, " \t\n:"))
                take_closure(container, file, "");
            else
                list = with_entry(list, file);
        }
    }
    if (*list)
        take_closure(container, container->choice.host.library, list);
    return 0;
}

/* Takes what the table says that a library opens. */
static struct problem *take_opened(struct container *container, const char *name, const char *file)
{
    const char *real = real_path(file), *folder = up_to_last(real ? real : file, '/');
    for (size_t i = 0; i < container->opened.names.count; i++) {
        struct list words = words_said_of(&container->opened, container->opened.names.words[i], "opens");
        if (!begins_with(name, container->opened.names.words[i]))
            continue;
        for (size_t j = 0; j < words.count; j++) {
            const char *pattern = words.words[j];
            struct list places = files_like(*pattern == '/' ? pattern : arena_text("%s/%s", glob_escaped(folder), pattern));
            for (size_t k = 0; k < places.count; k++)
                if (real_path(places.words[k]))
                    HAND_ON(take_place(container, real_path(places.words[k])));
        }
    }
    return 0;
}

/* The folder of an MPI that shares its place with nothing: all of it. */
static struct problem *find_installation(struct container *container)
{
    const char *prefix = prefix_of_library(container->choice.host.library);
    container->installation = has_word("/usr /usr/local", prefix) || *prefix == 0 || begins_with(prefix, "/lib") ? "" : prefix;
    return *container->installation ? mount_at(container, prefix, prefix) : 0;
}

/* The path that a library of the host's has in the image. */
static const char *image_path(const struct container *container, const char *file)
{
    return is_in(container->installation, file) ? file : arena_text(IMAGE_TOP "/host/%s", base_name(file));
}

/* Mounts the noted libraries. Those of the installation have their paths already. */
static struct problem *mount_libraries(struct container *container)
{
    container->paths = words_of(IMAGE_TOP "/host");
    for (size_t i = 0; i < container->names.count; i++) {
        const char *file = container->files.words[i];
        if (is_in(container->installation, file))
            list_add_once(&container->paths, up_to_last(file, '/'));
        else
            HAND_ON(mount_at(container, real_path(file), arena_text(IMAGE_TOP "/host/%s", container->names.words[i])));
    }
    return 0;
}

/* Gathers the libraries of host_preload. */
static struct problem *gather_preloaded(struct container *container)
{
    struct host_mpi *host = &container->choice.host;
    HAND_ON(check_host_preload(container->job, container->choice.pair, host));
    struct list files = parts_of(host->preload);
    container->inner_preload = "";
    for (size_t i = 0; i < files.count; i++) {
        take_closure(container, files.words[i], "");
        take_library(container, base_name(files.words[i]), files.words[i]);
        container->inner_preload = with_entry(container->inner_preload, image_path(container, files.words[i]));
    }
    return 0;
}

/* Gathers the pair, and its libraries by the names by which the program needs them and the pair has not, too. */
static struct problem *gather_pair(struct container *container)
{
    const struct job *job = container->job;
    const struct pair *pair = container->choice.pair;
    struct list files = files_like(arena_text("%s/*.so*", glob_escaped(pair->folder))), names = words_of(container->image_needs);
    for (size_t i = 0; i < files.count; i++)
        take_closure(container, files.words[i], "");
    container->inner_pair = arena_text(IMAGE_TOP "/lib/mpi-adapter/%s", pair->called);
    HAND_ON(mount_at(container, pair->folder, container->inner_pair));
    for (size_t i = 0; i < names.count; i++) {
        int is_known;
        if (is_there(arena_text("%s/%s", pair->folder, names.words[i])))
            continue;
        const char *file = pair_file(job, pair, names.words[i], &is_known);
        HAND_ON(mount_at(container, real_path(arena_text("%s/%s", pair->folder, file)), arena_text(IMAGE_NAMES "/%s", names.words[i])));
    }
    const char *preloaded[] = { job->site->detour, job->site->guard };
    for (int i = 0; i < 2; i++)
        if (is_readable(preloaded[i]))
            HAND_ON(mount_at(container, preloaded[i], arena_text(IMAGE_TOP "/lib/mpi-adapter/%s", base_name(preloaded[i]))));
    return 0;
}

/* Gathers the host's MPI that was chosen, what that has to have preloaded, and the pair. */
static struct problem *gather(struct container *container)
{
    const char *library = container->choice.host.library;
    container->mount_count = 0;
    container->names = container->files = container->plugins = (struct list){ 0 };
    container->inner_pair = "";
    HAND_ON(find_installation(container));
    take_closure(container, library, "");
    take_library(container, base_name(library), library);
    HAND_ON(gather_preloaded(container));
    if (!container->choice.is_native)
        HAND_ON(gather_pair(container));
    for (size_t i = 0; i < container->names.count; i++)
        HAND_ON(take_opened(container, container->names.words[i], container->files.words[i]));
    HAND_ON(mount_libraries(container));
    container->inner_library = image_path(container, library);
    return 0;
}

/* Leaves out one of the host's that is too old for the image, which is to take its own. */
static struct problem *leave_out(struct container *container, const char *file)
{
    const char *name = base_name(file);
    if (!is_same(file, arena_text(IMAGE_TOP "/host/%s", name)) || list_has(&container->left_out, name))
        return problem_of("%s, which is this machine's, is older than %s needs; use an older image, or a newer MPI", file, container->program.path);
    list_add(&container->left_out, name);
    say_more(&container->job->messages, "%s is the image's own, as it is newer", name);
    return 0;
}

static void set_for_ranks(struct container *container, const char *name, const char *value)
{
    set_fact(&container->choice.environment, name, value);
    say_more(&container->job->messages, "ranks get %s=%s", name, value);
}

/* Gathers until what is mounted and what the image has fit each other; sets the environment of ranks. */
static struct problem *fit_host(struct container *container)
{
    struct job *job = container->job;
    struct list answer;
    for (int again = 1; again;) {
        struct list question = words_of("environment");
        again = 0;
        begin_step("looking for what the MPI needs");
        struct problem *problem = gather(container);
        end_step();
        HAND_ON(problem);
        const char *words[] = { container->image_name, container->program.abi, container->program.path,
                                *given(job, "--preload") ? "yes" : "no", said_in_pair(container->choice.pair, "host"), container->inner_library,
                                list_joined(&container->paths, ":"), list_joined(&container->plugins, ":"), container->inner_preload,
                                container->image_needs, container->inner_pair };
        size_t count = sizeof words / sizeof *words - (*container->inner_pair == 0);
        for (size_t i = 0; i < count; i++)
            list_add(&question, words[i]);
        HAND_ON(look(container, &question, &answer));
        for (size_t i = 2; i + 1 < answer.count; i += 2)
            if (is_same(answer.words[i], "leave")) {
                again = 1;
                HAND_ON(leave_out(container, answer.words[i + 1]));
            }
    }
    for (size_t i = 2; i + 1 < answer.count; i += 2)
        set_for_ranks(container, answer.words[i], answer.words[i + 1]);
    /* Each rank is in a namespace of users of its own there, and none may open what another one has in /proc, as UCX does for shared memory. */
    if (is_without_root(container) && *variable("UCX_POSIX_USE_PROC_LINK") == 0)
        set_for_ranks(container, "UCX_POSIX_USE_PROC_LINK", "n");
    return 0;
}

/* ---------------------------------------------------------------- ranks */

/* A tool that closes open files cuts the ranks off that meet by them, unless the launcher has another way. Apptainer hands on what ranks
 * inherit; the others start a container's processes elsewhere, without open files. */
static struct problem *meet_without_files(struct container *container)
{
    struct job *job = container->job;
    const char *variant = variant_of_launcher(job->site, container->choice.host.launcher, container->choice.host.launcher_kind);
    const char *words = of_launcher(job->site, variant, "closed"), *place;
    struct list list;
    if (container->tool_kind == APPTAINER)
        return 0;
    if (*words == 0)
        return problem_of("%s closes the open files by which %s connects its ranks; use Apptainer, or an MPI's own launcher with --launcher PATH",
                          container->tool, container->choice.host.launcher);
    if (is_same(words, "-"))
        return 0;
    if ((place = strstr(words, "RANKS")))
        words = arena_text("%.*s%d%s", (int)(place - words), words, job->ranks, place + strlen("RANKS"));
    list = words_of(words);
    list_add_all(&list, &job->launcher_arguments);
    job->launcher_arguments = list;
    return 0;
}

/* Folders in which the launcher's processes and the ranks meet, besides /dev/shm. The host's /tmp is Apptainer's of itself. */
static void share_meeting_folders(struct container *container)
{
    struct list names = words_of(of_launcher(container->job->site, container->choice.host.launcher_kind, "meets"));
    for (size_t i = 0; i < names.count; i++) {
        const char *folder = *variable(names.words[i]) ? variable(names.words[i]) : "/tmp";
        if (container->tool_kind == APPTAINER && is_same(folder, "/tmp"))
            continue;
        list_add(&container->shares, mount_option(container));
        list_add(&container->shares, arena_text("%s:%s", folder, folder));
    }
}

/* The words of a rank: variables that the launcher gives it are known when it starts only; where the image sets one, the image's counts. */
static struct list rank_words(struct container *container, const struct list *words)
{
    struct list line = { 0 }, tool;
    const struct list *names = &container->choice.environment.keys;
    share_meeting_folders(container);
    if (container->tool_kind != APPTAINER) {
        list_add(&line, container->job->site->program);
        list_add(&line, "contained");
        list_add(&line, arena_text("%s %s", container->image_variables, list_joined(names, " ")));
    }
    tool = tool_line(container, 0, words);
    list_add_all(&line, &tool);
    return line;
}

struct problem *act_container(struct job *job, int *status)
{
    struct container container = { .job = job, .program = { .abi = "" }, .tool = "", .image_variables = "", .image_needs = "" };
    struct list operands = { 0 }, words, arguments;
    struct start start = { .launcher = "" };
    (void)status;
    if (job->operands.count == 0)
        return usage_problem_of("no image is given");
    HAND_ON(find_image(&container, job->operands.words[0]));
    for (size_t i = 1; i < job->operands.count; i++)
        if (i > 1 || !is_same(job->operands.words[i], "--"))
            list_add(&operands, job->operands.words[i]);
    if (operands.count == 0)
        return usage_problem_of("no program is given");
    HAND_ON(require_pairs(job->site));
    HAND_ON(check_abi_options(job));
    HAND_ON(find_tool(&container));
    HAND_ON(examine_in_image(&container, operands.words[0]));
    HAND_ON(choose_for_image(&container));
    HAND_ON(read_table(arena_text("%s/opened", job->site->home), &container.opened));
    HAND_ON(fit_host(&container));
    HAND_ON(meet_without_files(&container));
    operands.words[0] = container.program.path;
    words = rank_words(&container, &operands);
    note_planned(job, &container.program, &container.choice);
    /* The tool has told the ranks all. */
    container.choice.environment = (struct facts){ { 0 }, { 0 } };
    HAND_ON(launcher_words(job, &container.program, &container.choice, &arguments));
    share_cores_of(job, &container.choice, job->ranks, &arguments);
    list_add(&start.words, container.choice.host.launcher);
    list_add_all(&start.words, &arguments);
    list_add_all(&start.words, &words);
    job->launcher = container.choice.host.launcher;
    job->launcher_kind = container.choice.host.launcher_kind;
    start.launcher = job->launcher;
    start.breaks = arena_text("%s --env --entrypoint --rootfs", mount_option(&container));
    return carry_out(job, &start);
}
