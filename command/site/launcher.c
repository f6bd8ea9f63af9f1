/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <string.h>

#include "../elf/ask.h"
#include "arena.h"
#include "file.h"
#include "setting.h"
#include "spawn.h"
#include "texts.h"

const char UNASKED[] = "unasked";

enum { MOST = 65536 };

/* Returns what a launcher answers to --version; with `unset`, without that variable. This command, which a script of that name may start, answers
 * that it was asked. */
static const char *launcher_says(const char *file, const char *unset)
{
    static struct facts said;
    const char *key = unset ? arena_text("%s\n%s", file, unset) : file;
    if (!has_fact(&said, key)) {
        struct asked asked = { .unset = unset, .errors = ERRORS_ANSWER, .most = MOST };
        list_add(&asked.words, file);
        list_add(&asked.words, "--version");
        list_add(&asked.set, "MPI_ADAPTER_ASKED=1");
        set_fact(&said, key, said_by(&asked, 0));
    }
    return fact(&said, key);
}

static const char *script_text(const char *file)
{
    return is_script(file) ? beginning_of(file, MOST) : "";
}

static int has_any_text(const char *text, const struct list *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        if (has_text(text, parts->words[i]))
            return 1;
    return 0;
}

static int has_any_of(const char *file, const struct list *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        if (file_contains(file, texts->words[i]))
            return 1;
    return 0;
}

/* Whether an ELF file needs a library that only this implementation has, or holds what its launchers say. */
static int is_launcher_of(const struct site *site, const char *file, const char *implementation, const struct list *texts)
{
    struct list marks = words_said_of(&site->implementations, implementation, "marks");
    for (size_t i = 0; i < marks.count; i++)
        if (has_text(marks.words[i], ".so") && has_mark(file, marks.words[i]))
            return 1;
    return has_any_of(file, texts);
}

/* By the libraries that it needs or what is written in it; null if nothing tells, or several kinds are named. */
static const char *kind_of_file(const struct site *site, const char *file)
{
    const struct list *names = &site->implementations.names;
    const char *text = script_text(file), *found = 0;
    for (size_t i = 0; i < names->count; i++) {
        struct list texts = comma_parts_of(of_implementation(site, names->words[i], "says"));
        const char *kind = of_implementation(site, names->words[i], "launcher");
        if (texts.count == 0)
            continue;
        if (!(*text ? has_any_text(text, &texts) : is_launcher_of(site, file, names->words[i], &texts)))
            continue;
        if (found && !is_same(found, kind))
            return 0;
        found = kind;
    }
    return found;
}

/* A batch system's has a name that nothing else has, and not all of them tell their version. */
const char *kind_of_launcher(const struct site *site, const char *file)
{
    const char *kind = batch_of_name(site, file);
    if (kind)
        return kind;
    if (begins_with_null(file))
        return "";
    if ((kind = kind_of_file(site, file)))
        return kind;
    if (!site->may_start)
        return UNASKED;
    const char *text = launcher_says(file, 0);
    if ((kind = kind_of_text(site, text)))
        return kind;
    /* Libraries of a program's there may keep it from starting. */
    if (*variable("LD_LIBRARY_PATH") && (kind = kind_of_text(site, launcher_says(file, "LD_LIBRARY_PATH"))))
        return kind;
    /* If Slurm is not set up, srun does not even print its version. */
    return begins_with(text, "slurm") || begins_with(text, "srun:") ? "slurm" : "";
}

const char *variant_of_launcher(const struct site *site, const char *file, const char *kind)
{
    for (size_t i = 0; i < site->launchers.count; i++) {
        const struct dialect *dialect = &site->launchers.all[i];
        if (!is_variant(dialect) || !is_same(fact_of(dialect, "like"), kind))
            continue;
        struct list says = comma_parts_of(fact_of(dialect, "says"));
        const char *script = script_text(file);
        if (*script ? has_any_text(script, &says) : has_any_of(file, &says))
            return dialect->name;
        /* A file that tells which launcher it is, is not asked. */
        if (site->may_start && !kind_of_file(site, file) && has_any_text(launcher_says(file, 0), &says))
            return dialect->name;
    }
    return kind;
}

/* Whether what is called as a launcher starts this command: a launcher of `shell` in another place, or a script. */
static int leads_back(const struct site *site, const char *file)
{
    const char *text = script_text(file);
    if (*text == 0)
        return 0;
    if (!site->may_start)
        return has_text(text, "mpi-adapter");
    /* Launchers of batch systems do not all tell their version. */
    if (!has_text(text, "mpi-adapter") && (batch_of_name(site, file) || kind_of_file(site, file)))
        return 0;
    return has_text(launcher_says(file, 0), "mpi-adapter was asked");
}

const char *nth_launcher(const struct site *site, const char *name, size_t nth)
{
    struct list files = all_in_path(name);
    if (strchr(name, '/'))
        return nth == 0 ? find_in_path(name) : 0;
    for (size_t i = 0; i < files.count; i++)
        if (!leads_back(site, files.words[i]) && nth-- == 0)
            return files.words[i];
    return 0;
}

const char *find_launcher(const struct site *site, const char *name)
{
    return nth_launcher(site, name, 0);
}
