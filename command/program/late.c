/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI that an interpreter or a script will load: found in the files that it would read, by the table of interpreters. Nothing of them
 * runs. */
#include <string.h>
#include <strings.h>

#include "../elf/ask.h"
#include "../site/setting.h"
#include "arena.h"
#include "elf/file.h"
#include "file.h"
#include "packages.h"
#include "program.h"
#include "texts.h"

/* More than Debian's largest stacks import; all of it takes a tenth of a second. */
enum { MOST_MODULES = 1000, MOST_SOURCES = 4000, MOST_BYTES = 32 << 20, MOST_LINES = 2000 };

static const char *said(const struct job *job, const char *interpreter, const char *key)
{
    return said_of(&job->site->interpreters, interpreter, key);
}

/* The interpreter of which a file has the name, or null. */
static const char *interpreter_of_name(const struct job *job, const char *file)
{
    const struct list *names = &job->site->interpreters.names;
    for (size_t i = 0; i < names->count; i++) {
        struct list commands = words_of(said(job, names->words[i], "commands"));
        for (size_t j = 0; j < commands.count; j++)
            if (is_like(base_name(file), commands.words[j]))
                return names->words[i];
    }
    return 0;
}

int is_interpreter(const struct job *job, const char *file)
{
    return interpreter_of_name(job, file) != 0;
}

const char *starter_of_script(const struct job *job, const char *file)
{
    const struct list *names = &job->site->interpreters.names;
    for (size_t i = 0; i < names->count; i++) {
        struct list scripts = words_of(said(job, names->words[i], "scripts")), commands = words_of(said(job, names->words[i], "commands"));
        for (size_t j = 0; j < scripts.count; j++)
            for (size_t k = 0; k < commands.count && is_like(base_name(file), scripts.words[j]); k++)
                if (find_in_path(commands.words[k]))
                    return commands.words[k];
    }
    return 0;
}

struct list interpreters_in(const struct job *job, const char *folder)
{
    const struct list *names = &job->site->interpreters.names;
    struct list found = { 0 };
    for (size_t i = 0; i < names->count; i++) {
        struct list commands = words_of(said(job, names->words[i], "commands"));
        const char *first = 0;
        for (size_t j = 0; j < commands.count && !first; j++) {
            struct list files = files_like(arena_text("%s/bin/%s", glob_escaped(folder), commands.words[j]));
            for (size_t k = 0; k < files.count && !first; k++)
                first = is_file(files.words[k]) && is_startable(files.words[k]) ? files.words[k] : 0;
        }
        if (first)
            list_add(&found, first);
    }
    return found;
}

/* ---------------------------------------------------------------- what files need */

static void add_late_abi(struct late *late, const char *abi, const char *file)
{
    if (list_has(&late->abis, abi))
        return;
    list_add(&late->abis, abi);
    list_add(&late->files, file);
}

const char *late_file_of(const struct program *program, const char *abi)
{
    const struct late *late = &program->late;
    for (size_t i = 0; i < late->abis.count; i++)
        if (is_same(late->abis.words[i], abi))
            return late->files.words[i];
    return "";
}

/* Libraries of an MPI that a wheel brings. */
static void note_bundles(struct job *job, struct late *late, const struct closure_found *found)
{
    for (size_t i = 0; i < found->names.count; i++) {
        const char *name = found->names.words[i], *plain = unbundled(name), *file = found->paths.words[i];
        const char *abi = plain && *file ? abi_of_soname(job->site, plain) : 0;
        if (!abi || is_runtime(job, name, abi))
            continue;
        list_add(&late->bundle_abis, abi);
        list_add(&late->bundle_names, name);
        list_add(&late->bundle_files, file);
    }
}

/* Notes the ABI if an MPI library is among what a file needs. */
static void note_late_abi(struct job *job, struct program *program, const char *file)
{
    const struct closure_found *found = needs_of(job, file);
    if (found->status != ELF_YES)
        return;
    note_bundles(job, &program->late, found);
    for (size_t i = 0; i < found->names.count; i++) {
        const char *name = found->names.words[i], *abi;
        if (is_contested(job, program, file, name, &abi))
            list_add(&program->other_names, name);
        else
            abi = abi_of_soname(job->site, name);
        if (!abi)
            continue;
        add_late_abi(&program->late, abi, file);
        return;
    }
}

/* Takes the bundles of the program's ABI, which are replaced. */
static void take_bundles(struct program *program)
{
    const struct late *late = &program->late;
    for (size_t i = 0; i < late->bundle_abis.count; i++) {
        if (!is_same(late->bundle_abis.words[i], program->abi))
            continue;
        list_add_once(&program->other_names, late->bundle_names.words[i]);
        note_bundle(program, late->bundle_names.words[i], late->bundle_files.words[i]);
    }
}

/* ---------------------------------------------------------------- packages */

/* Adds the folders below BASE that patterns name, with NAME for @. */
static void add_folders(struct late *late, const char *base, const char *patterns, const char *name)
{
    struct list list = words_of(patterns);
    for (size_t i = 0; i < list.count; i++) {
        const char *pattern = list.words[i], *place = strchr(pattern, '@');
        if (place)
            pattern = arena_text("%.*s%s%s", (int)(place - pattern), pattern, name, place + 1);
        struct list folders = files_like(arena_text("%s%s%s", glob_escaped(base), ends_with(base, "/") ? "" : "/", pattern));
        for (size_t j = 0; j < folders.count; j++)
            if (is_folder(folders.words[j]))
                list_add(&late->folders, folders.words[j]);
    }
}

/* Adds the packages of an environment of the interpreter's; sets *is_apart to whether it has no others. */
static void add_environment(struct job *job, struct late *late, const char *interpreter, const char *prefix, const char *name, int *is_apart)
{
    const char *apart = said(job, interpreter, "apart"), *file = up_to(apart, ' '), *line = behind(apart, ' ');
    struct list lines = { 0 };
    if (*file == 0 || !is_there(arena_text("%s/%s", prefix, file)))
        return;
    add_folders(late, prefix, said(job, interpreter, "folders"), name);
    *is_apart = 1;
    if (read_lines(arena_text("%s/%s", prefix, file), "", &lines))
        return;
    for (size_t i = 0; i < lines.count; i++)
        if (strcasecmp(lines.words[i], line) == 0)
            *is_apart = 0;
}

/* The prefix of an interpreter, by its folder's own name, which may be a link: so an interpreter finds its environment. */
static const char *prefix_of_interpreter(const char *file)
{
    const char *folder = up_to_last(file, '/'), *name = base_name(folder);
    if (*folder != '/' || is_same(name, ".") || is_same(name, ".."))
        return real_folder(arena_text("%s/..", folder));
    return real_folder(arena_text("%s/", up_to_last(folder, '/')));
}

/* Sets the folders of packages to those of the interpreter FILE, in the order in which it looks. */
static void find_late_folders(struct job *job, struct late *late, const char *interpreter, const char *file, const char *script)
{
    const char *real = real_path(file), *prefix = prefix_of_interpreter(file);
    struct list variables = words_of(said(job, interpreter, "variables"));
    int is_apart = 0;
    late->folders = (struct list){ 0 };
    if (*said(job, interpreter, "beside"))
        list_add(&late->folders, strchr(script, '/') ? arena_text("%s/", up_to_last(script, '/')) : ".");
    for (size_t i = 0; i < variables.count; i++) {
        struct list folders = parts_of(variable(variables.words[i]));
        for (size_t j = 0; j < folders.count; j++)
            if (is_folder(folders.words[j]))
                list_add(&late->folders, folders.words[j]);
    }
    if (!real || !prefix)
        return;
    add_environment(job, late, interpreter, prefix, base_name(real), &is_apart);
    if (is_apart)
        return;
    if (*variable("HOME"))
        add_folders(late, variable("HOME"), said(job, interpreter, "home"), base_name(real));
    add_folders(late, prefix, said(job, interpreter, "folders"), base_name(real));
    add_folders(late, arena_text("%s/", up_to_last(up_to_last(real, '/'), '/')), said(job, interpreter, "folders"), base_name(real));
}

/* Names and patterns that MPI libraries have. */
static void name_libraries(struct job *job, struct program *program)
{
    static const char *const keys[] = { "alias", "contested", "renamed" };
    struct list *libraries = &program->late.libraries;
    if (libraries->count > 0)
        return;
    list_split(libraries, known_sonames(job->site));
    list_add_all(libraries, &program->other_names);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct list words = words_of(said_of_all(&job->site->families, keys[i]));
        for (size_t j = 0; j < words.count; j++)
            list_add(libraries, up_to(words.words[j], '='));
    }
}

/* Holds what an interpreter is asked to load. */
struct asked_for {
    const char *interpreter, *script;   /* the script, or "" */
    struct list texts, names;           /* code; packages */
};

static struct problem *set_syntax(struct packages *packages, const char *imports)
{
    packages->syntax.is_python = is_same(imports, "python");
    if (!packages->syntax.is_python && regcomp(&packages->syntax.pattern, imports, REG_EXTENDED) != 0)
        return problem_of("'%s' is no pattern; install mpi-adapter again", imports);
    return 0;
}

/* Looks at what the packages load that a script or a text imports: where the interpreter finds each first, and at those that these import,
 * until some that are equally far from the program need an MPI. */
static struct problem *look_at_imports(struct job *job, struct program *program, const struct asked_for *asked)
{
    struct late *late = &program->late;
    struct packages packages = { .modules_left = MOST_MODULES, .sources_left = MOST_SOURCES, .bytes_left = MOST_BYTES };
    struct list names = { 0 };
    list_split(&packages.modules, said(job, asked->interpreter, "modules"));
    list_split(&packages.sources, said(job, asked->interpreter, "sources"));
    list_split(&packages.usual, said(job, asked->interpreter, "usual"));
    HAND_ON(set_syntax(&packages, said(job, asked->interpreter, "imports")));
    packages.folders = late->folders;
    packages.libraries = late->libraries;
    packages.library_path = job->library_path;
    if (*asked->script)
        add_imports_of(&packages, asked->script, &names, &packages.strings);
    for (size_t i = 0; i < asked->texts.count; i++)
        add_imports(&packages.syntax, asked->texts.words[i], &names, &packages.strings);
    list_add_all(&names, &asked->names);
    look_at_packages(&packages, &names);
    if (packages.found.count == 0)
        look_at_strings(&packages, strchr(asked->script, '/') ? up_to_last(asked->script, '/') : 0);
    for (size_t i = 0; i < packages.found.count; i++)
        note_late_abi(job, program, packages.found.words[i]);
    for (size_t i = 0; i < packages.named.count; i++) {
        const char *abi = abi_of_soname(job->site, packages.named.words[i]);
        if (abi)
            add_late_abi(late, abi, *asked->script ? asked->script : asked->interpreter);
    }
    late->is_cut_short |= packages.is_cut_short && packages.found.count == 0;
    return 0;
}

/* The first word that is a file, "" without one; --file=NAME is one, too. */
static const char *script_among(const struct list *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->words[i];
        if (*word == '-' && strchr(word, '='))
            word = behind(word, '=');
        if (is_file(word) && is_readable(word))
            return word;
    }
    return "";
}

/* Finds what this interpreter will load with these words. */
static struct problem *interpreter_loads(struct job *job, struct program *program, const char *interpreter, const char *file,
                                         const struct list *words)
{
    struct late *late = &program->late;
    struct asked_for asked = { .interpreter = interpreter, .script = script_among(words) };
    const char *option = "", *options = said(job, interpreter, "module");
    late->interpreter = interpreter;
    find_late_folders(job, late, interpreter, file, asked.script);
    name_libraries(job, program);
    for (size_t i = 0; i < words->count; i++) {
        if (*asked.script == 0)
            list_add(&asked.texts, words->words[i]);
        if (has_word(options, option))
            list_add(&asked.names, up_to(words->words[i], '.'));
        option = words->words[i];
    }
    HAND_ON(look_at_imports(job, program, &asked));
    if (late->abis.count == 0) {
        list_add(&late->guesses, interpreter);
        list_add(&late->guesses, file);
        list_add(&late->guesses, asked.script);
    }
    return 0;
}

/* Counts, as nothing else tells, the packages that load MPI in most programs of the interpreters. */
static struct problem *guess_late_abi(struct job *job, struct program *program)
{
    struct late *late = &program->late;
    for (size_t i = 0; i + 2 < late->guesses.count && late->abis.count == 0; i += 3) {
        const char *const *guess = &late->guesses.words[i];
        struct asked_for asked = { .interpreter = guess[0], .script = "", .names = words_of(said(job, guess[0], "usual")) };
        find_late_folders(job, late, guess[0], guess[1], guess[2]);
        HAND_ON(look_at_imports(job, program, &asked));
        late->is_usual = late->abis.count > 0;
    }
    return 0;
}

/* ---------------------------------------------------------------- scripts of shells */

/* Notes the ABI if an MPI is linked into a command, whatever others load. */
static void note_linked_mpi(struct job *job, struct program *program, const char *file)
{
    const struct elf_facts *facts = facts_of(file);
    int is_program = facts->status == ELF_YES && !is_same(facts->linkage, "library");
    const char *linked = is_program && !program->late.linked ? file_with_linked_mpi(job, file) : 0;
    const char *abi = linked ? abi_linked_in(job, linked) : 0;
    if (!abi)
        return;
    add_late_abi(&program->late, abi, linked);
    program->late.linked = linked;
}

/* Looks at the first command among the words of one line. */
static struct problem *look_at_command(struct job *job, struct program *program, const struct list *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *file = find_in_path(words->words[i]), *interpreter;
        if (!file || !is_file(file) || !is_startable(file) || list_has(&program->late.seen, file))
            continue;
        if ((interpreter = interpreter_of_name(job, file))) {
            struct list rest = { 0 };
            for (size_t j = i + 1; j < words->count; j++)
                list_add(&rest, words->words[j]);
            return interpreter_loads(job, program, interpreter, file, &rest);
        }
        list_add(&program->late.seen, file);
        note_late_abi(job, program, file);
        note_linked_mpi(job, program, file);
    }
    return 0;
}

/* Finds what the commands of a script's lines will load. */
static struct problem *shell_script_loads(struct job *job, struct program *program, const char *file)
{
    struct list lines = { 0 };
    if (read_lines(file, "", &lines))
        return 0;
    for (size_t i = 0; i < lines.count && i < MOST_LINES; i++) {
        char *line = arena_text("%s", lines.words[i]);
        if (*line == '#')
            continue;
        for (char *at = line; (at = strpbrk(at, "\"';&|()"));)
            *at = ' ';
        struct list words = words_of(line);
        HAND_ON(look_at_command(job, program, &words));
    }
    return 0;
}

/* Finds what the program, which is a script or starts commands, will load with its words. */
static struct problem *others_load(struct job *job, struct program *program)
{
    if (program->is_script)
        HAND_ON(shell_script_loads(job, program, program->path));
    HAND_ON(look_at_command(job, program, &program->words));
    const char *script = script_among(&program->words);
    return *script && is_script(script) ? shell_script_loads(job, program, script) : 0;
}

struct problem *find_late_abis(struct job *job, struct program *program)
{
    const char *interpreter;
    program->late = (struct late){ .interpreter = "", .libraries = program->late.libraries };
    if (job->site->interpreters.names.count == 0)
        return 0;
    if ((interpreter = interpreter_of_name(job, program->path)))
        HAND_ON(interpreter_loads(job, program, interpreter, program->path, &program->words));
    else if ((interpreter = interpreter_of_name(job, program->subject))) {
        struct list words = { 0 };
        list_add(&words, program->path);
        list_add_all(&words, &program->words);
        HAND_ON(interpreter_loads(job, program, interpreter, program->subject, &words));
    } else
        HAND_ON(others_load(job, program));
    return guess_late_abi(job, program);
}

/* ---------------------------------------------------------------- packages with a module for each ABI */

/* Whether the files that were found are modules of one package, which chooses one of them at run time: NAME.ABI.SUFFIX. */
static int are_alternatives(const struct late *late)
{
    const char *first = 0;
    for (size_t i = 0; i < late->abis.count; i++) {
        const char *file = late->files.words[i], *part = arena_text(".%s.", late->abis.words[i]), *last = 0;
        if (!has_text(base_name(file), part))
            return 0;
        for (const char *at = file; (at = strstr(at, part)); at++)
            last = at;
        const char *other = arena_text("%.*s.%s", (int)(last - file), file, last + strlen(part));
        if (first && !is_same(other, first))
            return 0;
        first = other;
    }
    return 1;
}

/* The ABI of the library that such a package finds first by itself, or null; sets *file to that library. */
static const char *abi_of_loaded(struct job *job, const struct late *late, const char **file)
{
    struct list names = words_of(said(job, late->interpreter, "finds"));
    for (size_t i = 0; i < names.count; i++) {
        *file = traced_file(trace(job->site->program, job->library_path, names.words[i]), names.words[i]);
        const char *abi = *file && facts_of(*file)->status == ELF_YES ? abi_of_soname(job->site, facts_of(*file)->soname) : 0;
        if (abi && list_has(&late->abis, abi))
            return abi;
    }
    return 0;
}

/* The names by which a module needs its MPI, which is of the ABI that was chosen, and the dynamic linker finds no library. */
static void note_missing_names(struct job *job, struct program *program, const char *file)
{
    const struct closure_found *found = needs_of(job, file);
    for (size_t i = 0; found->status == ELF_YES && i < found->names.count; i++) {
        const char *abi = *found->paths.words[i] ? 0 : abi_of_soname(job->site, found->names.words[i]);
        if (abi && is_same(abi, program->abi))
            list_add_once(&program->other_names, found->names.words[i]);
    }
}

/* The same of names that a pair has no library of. */
static void note_missing_aliases(struct job *job, struct program *program, const char *file)
{
    const struct closure_found *found = needs_of(job, file);
    for (size_t i = 0; found->status == ELF_YES && i < found->names.count; i++)
        if (*found->paths.words[i] == 0 && alias_of(job->site, found->names.words[i], program->abi))
            list_add_once(&program->other_names, found->names.words[i]);
}

/* Returns what the package's own variable says, in the words of the tables. */
static const char *abi_said(struct job *job, const struct late *late, const char *value)
{
    char *said_text = arena_text("%s", in_small_letters(value)), *end = said_text;
    struct list spells = words_of(said(job, late->interpreter, "spells"));
    for (const char *at = said_text; *at; at++)
        if (!strchr(" _-", *at))
            *end++ = *at;
    *end = 0;
    for (size_t i = 0; i < spells.count; i++)
        if (is_same(up_to(spells.words[i], '='), said_text))
            return behind(spells.words[i], '=');
    return said_text;
}

/* Takes the ABI that the package will take: that of its own variable; else that of the MPI which the user, or the line's launcher, means;
 * else that of the library which it finds. Ranks are told, unless the variable says it. Returns 0 where these are no alternatives of one
 * package. */
static int choose_module(struct job *job, struct program *program)
{
    const struct late *late = &program->late;
    const char *name = said(job, late->interpreter, "chooses"), *host = up_to(wanted_host(job), '@'), *abi, *reason, *file;
    if (*name == 0 || !are_alternatives(late))
        return 0;
    const char *value = variable(name), *of_launcher = *job->launcher_kind ? family_of_launcher(job->site, job->launcher_kind) : 0;
    if (*value && *abi_said(job, late, value)) {
        abi = abi_said(job, late, value);
        reason = arena_text("as %s says", name);
    } else if (list_has(&late->abis, host)) {
        abi = host;
        reason = "as that MPI is chosen";
    } else if (of_launcher && list_has(&late->abis, of_launcher)) {
        abi = of_launcher;
        reason = arena_text("as %s starts those", job->launcher);
    } else if ((abi = abi_of_loaded(job, late, &file)))
        reason = arena_text("as it finds %s", file);
    else
        return 0;
    if (!list_has(&late->abis, abi))
        return 0;
    program->abi = abi;
    program->chosen_module = *value ? 0 : arena_text("%s=%s", name, abi);
    const char *module = late_file_of(program, abi);
    note_missing_names(job, program, module);
    say_more(&job->messages, "%s has a module for each of %s; taking that of %s, %s", up_to_last(module, '/'),
             list_joined(&late->abis, " "), abi, reason);
    return 1;
}

struct problem *settle_late_abi(struct job *job, struct program *program, int *is_found)
{
    struct late *late = &program->late;
    struct list texts = { 0 };
    *is_found = 0;
    HAND_ON(find_late_abis(job, program));
    if (late->abis.count == 0) {
        if (late->is_cut_short)
            say_more(&job->messages, "%s may import more than is looked at, and nothing of that needs an MPI", program->path);
        return 0;
    }
    *is_found = 1;
    if (late->abis.count == 1) {
        const char *file = late->files.words[0];
        program->abi = late->abis.words[0];
        take_bundles(program);
        note_missing_aliases(job, program, file);
        program->abi_is_usual = late->is_usual;
        if (late->is_usual)
            say(&job->messages, "nothing tells which MPI %s loads, so it is taken for that of %s, as %s needs; "
                                "if it is another, say so with --from ABI", program->path, program->abi, file);
        else
            say_more(&job->messages, "%s names no MPI library; %s needs that of %s", program->path, file, program->abi);
        return 0;
    }
    if (choose_module(job, program))
        return 0;
    for (size_t i = 0; i < late->abis.count; i++)
        list_add(&texts, arena_text("%s, as %s needs", late->abis.words[i], late->files.words[i]));
    return problem_of("%s may load the MPI of %s; say with --from ABI which one it will be", program->path, joined(", or ", &texts));
}

struct problem *loads_one_abi(struct job *job, struct program *program, int *is_found)
{
    *is_found = 0;
    HAND_ON(find_late_abis(job, program));
    return program->late.abis.count == 1 && !program->late.is_usual ? settle_late_abi(job, program, is_found) : 0;
}

struct problem *find_late_names(struct job *job, struct program *program)
{
    /* loads_one_abi() has looked if the ABI is assumed. */
    if (!job->from_is_assumed)
        HAND_ON(find_late_abis(job, program));
    take_bundles(program);
    const char *file = late_file_of(program, program->abi);
    if (*file)
        note_missing_aliases(job, program, file);
    return 0;
}
