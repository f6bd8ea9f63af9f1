/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter check: whether programs run here, on what, and what to do if not. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arena.h"
#include "elf/file.h"
#include "file.h"
#include "json.h"
#include "progress.h"
#include "spawn.h"
#include "texts.h"
#include "verbs.h"

/* Tells what becomes of the program's calls on a pair, of those that need more than conversion. Data that the program refers to and that is
 * missing ends it, as the dynamic linker ends it. */
static struct problem *find_calls(struct job *job, const struct program *program, const struct choice *choice, struct finding *finding)
{
    const struct site *site = job->site;
    const char *explain = arena_text("%s/explain", site->home), *path = library_path_of(job, choice->pair, &choice->host), *preload;
    struct asked asked = { .most = 16 << 20 };
    if (!is_startable(explain) || !is_readable(arena_text("%s/procedures.conf", choice->pair->folder)))
        return 0;
    preload = has_fact(&choice->environment, "LD_PRELOAD") ? fact(&choice->environment, "LD_PRELOAD") : job->preload;
    const char *words[] = { explain, "--records", "--program", program->path, "--file", program->subject, "--abi", program->abi,
                            "--sonames", arena_text("%s %s", known_sonames(site), list_joined(&program->other_names, " ")), "--symbols", said_of_all(&site->families, "symbols"),
                            "--left", of_family(site, program->abi, "left"), "--library-path", job->library_path,
                            "--preload", job->preload, "--pair", choice->pair->folder, "--host", said_in_pair(choice->pair, "host"),
                            "--library", choice->host.library, "--library-path", with_stand_ins(job, program, choice->pair, path),
                            "--preload", preload };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        list_add(&asked.words, words[i]);
    struct list others = files_of_other_parts(program);
    for (size_t i = 0; i < others.count; i++) {
        list_add(&asked.words, "--native");
        list_add(&asked.words, others.words[i]);
    }
    int status;
    struct list records = words_said_by(&asked, &status);
    for (size_t i = 0; i + 1 < records.count; i += 2) {
        const char *outcome = records.words[i], *name = records.words[i + 1];
        if (is_same(outcome, "missing objects"))
            return problem_of("the pair %s has no %s, which %s refers to; run it on the MPI that it was compiled with", choice->pair->called, name,
                              program->path);
        if (is_same(outcome, "missing"))
            list_add(&finding->missing, name);
        else if (is_same(outcome, "built"))
            list_add(&finding->built, name);
    }
    return 0;
}

/* Whether the program attaches buffers, and its libraries' names do not tell whose MPI_BSEND_OVERHEAD it was compiled with. */
static int buffers_may_be_small(const struct job *job, const struct program *program, struct list *overhead)
{
    struct list starts = words_of("MPI_Buffer_attach PMPI_Buffer_attach mpi_buffer_attach");
    *overhead = words_said_of(&job->site->families, program->abi, "overhead");
    return overhead->count == 2 && program->other_names.count > 0 && program->subject && refers_by(program->subject, &starts);
}

/* A program runs on another MPI, too: what --to takes, and what that is called. */
static void add_other(struct job *job, const struct program *program, const char *to, struct finding *finding)
{
    struct job trial = *job;
    struct program again = *program;
    struct choice choice;
    const char *file;
    trial.messages = (struct messages){ .are_kept = 1 };
    trial.given = (struct facts){ { 0 }, { 0 } };
    for (size_t i = 0; i < job->given.keys.count; i++)
        set_fact(&trial.given, job->given.keys.words[i], job->given.values.words[i]);
    set_fact(&trial.given, "--to", to);
    if (choose_host(&trial, &again, 1, wanted_launcher(&trial), &choice))
        return;
    if (choice.is_native && !program->linked && (own_file(&trial, &again, &file) || (*file && misses_procedures(&trial, &again, &choice, file))))
        return;
    list_add(&finding->others, arena_text("%s %s", to, called_mpi(job, program, &choice)));
}

static void find_others(struct job *job, const struct program *program, const struct choice *choice, struct finding *finding)
{
    struct list seen = { 0 };
    if (*given(job, "--to"))
        return;
    list_add(&seen, said_in_pair(mpi_of_choice(choice)->pair, "host"));
    for (size_t i = 0; i < program->part_abis.count; i++)
        if (!list_has(&seen, program->part_abis.words[i])) {
            list_add(&seen, program->part_abis.words[i]);
            add_other(job, program, program->part_abis.words[i], finding);
        }
    if (!list_has(&seen, program->abi)) {
        list_add(&seen, program->abi);
        add_other(job, program, program->abi, finding);
    }
    for (size_t i = 0; i < job->site->pair_count; i++) {
        const char *to = host_of_pair(job->site->pairs[i]);
        if (!is_same(said_in_pair(job->site->pairs[i], "application"), program->abi) || list_has(&seen, to))
            continue;
        list_add(&seen, to);
        add_other(job, program, to, finding);
    }
}

/* Finds out as much as can be: what is not known when a problem is returned stays "". */
static struct problem *examine(struct job *job, const struct list *words, struct finding *finding)
{
    struct program program = { .abi = "" };
    struct choice choice;
    struct list overhead;
    const char *file = words->words[0];
    for (size_t i = 1; i < words->count; i++)
        list_add(&program.words, words->words[i]);
    /* A file of this folder needs no ./ here, as nothing starts it. */
    const char *here = arena_text("./%s", file);
    HAND_ON(examine_program(job, stands_bare(file) && is_file(here) ? here : file, &program));
    finding->program = program.path;
    finding->abi = own_abi(&program);
    finding->abi_is_guess = program.abi_is_guess;
    finding->linked = program.linked;
    finding->linked_name = program.linked ? program.linked_name : "";
    finding->linked_into = program.linked && !is_same(program.linked_file, program.path) ? program.linked_file : "";
    finding->part_abis = program.part_abis;
    finding->part_files = program.part_files;
    HAND_ON(choose_host(job, &program, 1, wanted_launcher(job), &choice));
    HAND_ON(check_libraries_of_program(job, &program, &choice));
    struct list arguments = words_of(setting(job->site, "launcher_arguments"));
    tell_root(job, &arguments, choice.host.launcher, choice.host.launcher_kind);
    finding->host = said_in_pair(mpi_of_choice(&choice)->pair, "host");
    finding->called = called_mpi(job, &program, &choice);
    finding->library = choice.is_native && program.linked ? "" : mpi_of_choice(&choice)->host.library;
    finding->launcher = choice.host.launcher;
    if (!choice.is_native) {
        finding->pair = choice.pair->called;
        finding->inner_pair = choice.inner ? choice.inner->pair->called : "";
        finding->pairs_library = choice.host.library;
        HAND_ON(find_calls(job, &program, &choice, finding));
    } else if (!program.linked && buffers_may_be_small(job, &program, &overhead))
        list_add(&finding->differs, arena_text("MPI_BSEND_OVERHEAD is %s in some headers of %s and %s in others, so attached buffers may be too "
                                               "small without a pair", overhead.words[0], called(job->site, program.abi), overhead.words[1]));
    find_others(job, &program, &choice, finding);
    return 0;
}

/* Returns the ABI of the first library of an MPI that a file names, whether or not it can be started; "" without one. */
static const char *abi_needed(const struct job *job, const char *file)
{
    const char *path = stands_bare(file) ? file : find_in_path(file), *abi = 0;
    const struct list none = { 0 }, *names = path && is_file(path) ? &facts_of(path)->needed : &none;
    for (size_t i = 0; i < names->count && !abi; i++)
        abi = abi_of_soname(job->site, names->words[i]);
    return abi ? abi : "";
}

void find_out(struct job *job, const struct list *words, struct finding *finding)
{
    struct job own = *job;
    *finding = (struct finding){ .program = words->words[0], .arguments = "", .abi = "", .called = "", .host = "", .library = "", .launcher = "", .pair = "", .inner_pair = "",
                                  .linked_name = "", .linked_into = "" };
    own.messages = (struct messages){ .are_kept = 1 };
    own.line_host = own.line_library = own.line_native = own.line_adapted = "";
    finding->problem = examine(&own, words, finding);
    if (finding->problem && *finding->abi == 0)
        finding->abi = abi_needed(job, finding->program);
    for (size_t i = 1; i < words->count; i++)
        finding->arguments = arena_text("%s %s", finding->arguments, shell_word(words->words[i]));
    for (size_t i = 0; i < own.messages.texts.count; i++)
        list_add(&finding->said, shown_problem(own.messages.texts.words[i]));
}

/* ---------------------------------------------------------------- the answer */

const char *verdict(const struct finding *finding)
{
    if (finding->problem)
        return arena_text("no, %s", what_of(finding->problem->text));
    if (*finding->pair)
        return arena_text("yes, on %s by %s%s%s", finding->called, finding->pair, *finding->inner_pair ? " and " : "", finding->inner_pair);
    return arena_text("yes, on %s, %swithout a pair", finding->called, finding->linked ? "which is linked in, " : "");
}

const char *other_verdict(const char *other)
{
    return arena_text("on %s with --to %s", behind(other, ' '), up_to(other, ' '));
}

/* The first of the words, and how many more there are. */
static const char *some_of(const struct list *words)
{
    if (words->count <= 4)
        return joined(" and ", words);
    return arena_text("%s and %zu more", list_text(words, 0, 4), words->count - 4);
}

/* Returns what a user may notice there. */
static struct list differences(const struct finding *finding)
{
    struct list items = { 0 };
    if (finding->built.count > 0)
        list_add(&items, arena_text("the MPI lacks %s, and others do the work", some_of(&finding->built)));
    list_add_all(&items, &finding->differs);
    list_add_all(&items, &finding->said);
    return items;
}

static const char *what_to_do(const struct job *job, const struct finding *finding)
{
    const char *to = given(job, "--to"), *from = job->from_parts.count > 0 ? list_joined(&job->from_parts, ",") : given(job, "--from");
    if (finding->problem)
        return advice_of(finding->problem->text);
    return arena_text("mpi-adapter run -n N%s%s%s%s %s%s", *to ? " --to " : "", to, *from ? " --from " : "", from, shell_word(finding->program),
                      finding->arguments);
}

/* Tells the MPI that is linked in, and what becomes of it. */
static const char *linked_text(const struct finding *finding)
{
    const struct list *interfaces = &finding->linked->interfaces;
    return arena_text("%s%s%s%s%s%s%s", finding->linked_name, interfaces->count > 0 ? " (" : "", list_joined(interfaces, ", "),
                      interfaces->count > 0 ? ")" : "", *finding->linked_into ? ", into " : "", plain(finding->linked_into),
                      *finding->pair ? "; its calls are led to the pair" : "");
}

static void put_verdict(const struct job *job, const struct finding *finding)
{
    struct list items = differences(finding);
    put("%s\n", plain(arena_text("%s%s", finding->program, finding->arguments)));
    put_field(13, "runs here:", verdict(finding));
    for (size_t i = 0; i < finding->others.count; i++)
        put_field(13, "or:", other_verdict(finding->others.words[i]));
    if (*finding->abi)
        put_field(13, "built for:", finding->abi);
    for (size_t part = 1; part < finding->part_abis.count; part++)
        put_field(13, "with parts:", arena_text("%s, built for %s", finding->part_files[part].count > 0 ? some_of(&finding->part_files[part]) : "opened late", finding->part_abis.words[part]));
    if (finding->linked)
        put_field(13, "linked in:", linked_text(finding));
    if (*finding->library)
        put_field(13, "library:", finding->library);
    if (*finding->launcher)
        put_field(13, "launcher:", finding->launcher);
    for (size_t i = 0; i < items.count; i++)
        put_field(13, "may differ:", items.words[i]);
    if (finding->missing.count > 0)
        put_field(13, "missing:", arena_text("%s: calls of these fail", some_of(&finding->missing)));
    put_field(13, "to do:", what_to_do(job, finding));
}

/* An array of the files of each part, where there are several. */
static const char *json_parts(const struct finding *finding)
{
    struct list parts = { 0 };
    for (size_t part = 0; part < finding->part_abis.count; part++) {
        struct list members = { 0 };
        json_add(&members, "abi", json_string(finding->part_abis.words[part]));
        json_add(&members, "files", json_strings(&finding->part_files[part]));
        list_add(&parts, json_members(&members));
    }
    return arena_text("[%s]", list_joined(&parts, ", "));
}

static const char *json_verdict(const struct job *job, const struct finding *finding)
{
    static const struct list none;
    struct list members = { 0 }, items = differences(finding), others = { 0 };
    for (size_t i = 0; i < finding->others.count; i++)
        list_add(&others, up_to(finding->others.words[i], ' '));
    json_add(&members, "program", json_string(finding->program));
    json_add(&members, "runs", finding->problem ? "false" : "true");
    json_add(&members, "abi", json_value(finding->abi));
    json_add(&members, "pair", json_value(finding->pair));
    json_add(&members, "host", json_value(finding->host));
    json_add(&members, "library", json_value(finding->library));
    json_add(&members, "launcher", json_value(finding->launcher));
    json_add(&members, "may_differ", json_strings(&items));
    json_add(&members, "also_on", json_strings(&others));
    json_add(&members, "missing", json_strings(&finding->missing));
    json_add(&members, "linked_in", json_value(finding->linked_name));
    json_add(&members, "linked_into", json_value(finding->linked_into));
    json_add(&members, "linked_interfaces", json_strings(finding->linked ? &finding->linked->interfaces : &none));
    json_add(&members, "parts", json_parts(finding));
    json_add(&members, "problem", json_value(finding->problem ? what_of(finding->problem->text) : ""));
    json_add(&members, "to_do", json_string(what_to_do(job, finding)));
    return json_members(&members);
}

/* The answers in JSON, and the exit status. */
struct answers {
    struct list objects;
    int status;
};

static void put_answer(struct job *job, const struct finding *finding, struct answers *answers)
{
    int status = !finding->problem ? 0 : *finding->abi ? 1 : 2;
    answers->status = status > answers->status ? status : answers->status;
    if (*given(job, "--json"))
        list_add(&answers->objects, arena_text("\n  %s", json_verdict(job, finding)));
    else
        put_verdict(job, finding);
}

static void check_words(struct job *job, const struct list *words, struct answers *answers)
{
    struct finding finding;
    find_out(job, words, &finding);
    put_answer(job, &finding, answers);
}

static void check_one(struct job *job, const char *file, struct answers *answers)
{
    struct list words = { 0 };
    list_add(&words, file);
    check_words(job, &words, answers);
}

/* Checks the programs in a folder, and in the folders in it, that need MPI. Links to folders are not followed. Returns how many these
 * are. */
static size_t check_programs_in(struct job *job, const char *folder, struct answers *answers)
{
    struct dirent **entries;
    int count = scandir(*folder ? folder : "/", &entries, 0, alphasort);
    size_t found = 0;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name, *path = arena_text("%s/%s", folder, name);
        struct stat status;
        if (is_same(name, ".") || is_same(name, "..") || lstat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode))
            found += check_programs_in(job, path, answers);
        else if (is_file(path) && is_startable(path) && uses_mpi(job, path) && !is_tool_of_mpi(job, path)) {
            check_one(job, path, answers);
            found++;
        }
    }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    if (count >= 0)
        free(entries);
    return found;
}

/* Checks the interpreters of an environment in a folder, by the packages there that load MPI. Returns how many have such. */
static size_t check_interpreters_in(struct job *job, const char *folder, struct answers *answers)
{
    struct list files = interpreters_in(job, folder);
    size_t found = 0;
    for (size_t i = 0; i < files.count; i++) {
        struct list words = { 0 };
        struct finding finding;
        list_add(&words, files.words[i]);
        find_out(job, &words, &finding);
        if (*finding.abi == 0 || finding.abi_is_guess)
            continue;
        put_answer(job, &finding, answers);
        found++;
    }
    return found;
}

static struct problem *check_folder(struct job *job, const char *folder, struct answers *answers)
{
    size_t length = strlen(folder);
    begin_step(arena_text("looking for programs in %s", folder));
    size_t found = check_programs_in(job, folder[length - 1] == '/' ? arena_text("%.*s", (int)length - 1, folder) : folder, answers);
    end_step();
    found += check_interpreters_in(job, folder, answers);
    return found > 0 ? 0 : problem_of("no file in %s is a program that uses MPI; give programs, or another folder", folder);
}

/* Whether an operand is an interpreter, and those behind it are a script and its arguments, not programs. */
static int starts_script(const struct job *job, const struct list *operands, size_t at)
{
    const char *next = at + 1 < operands->count ? operands->words[at + 1] : "";
    return *next && is_interpreter(job, operands->words[at]) && is_file(next) && facts_of(next)->status == ELF_FOREIGN;
}

struct problem *act_check(struct job *job, int *status)
{
    struct answers answers = { { 0 }, 0 };
    if (job->operands.count == 0)
        return usage_problem_of("no program is given");
    HAND_ON(require_pairs(job->site));
    HAND_ON(check_abi_options(job));
    for (size_t i = 0; i < job->operands.count; i++) {
        if (is_folder(job->operands.words[i]))
            HAND_ON(check_folder(job, job->operands.words[i], &answers));
        else if (starts_script(job, &job->operands, i)) {
            struct list words = { 0 };
            for (; i < job->operands.count; i++)
                list_add(&words, job->operands.words[i]);
            check_words(job, &words, &answers);
        } else
            check_one(job, job->operands.words[i], &answers);
    }
    if (*given(job, "--json"))
        put("{\"mpi_adapter\": \"%s\", \"programs\": [%s\n]}\n", job->site->version, list_joined(&answers.objects, ","));
    *status = answers.status;
    return 0;
}
