/* SPDX-License-Identifier: BSD-3-Clause */
#include "program.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "arena.h"
#include "elf/file.h"
#include "file.h"
#include "texts.h"

/* ---------------------------------------------------------------- the file */

struct problem *find_program(const char *name, struct program *program)
{
    const char *path = find_in_path(name);
    if (!path && !strchr(name, '/') && is_file(arena_text("./%s", name)) && is_startable(arena_text("./%s", name)))
        return problem_of("%s: no such program in PATH; the one of this folder is ./%s", name, name);
    if (!path)
        return problem_of("%s: no such program; check its name and PATH", name);
    if (is_folder(path))
        return problem_of("%s is a folder; give the program itself", name);
    if (!is_file(path))
        return problem_of("%s is not a regular file; give a program file", name);
    if (!is_startable(path))
        return problem_of("%s is not executable; make it so with 'chmod +x'", name);
    program->path = program->subject = path;
    return 0;
}

/* Refuses files that people take for programs, and says how they are meant: a script without a first line that names its interpreter, and a
 * library. */
static struct problem *refuse_no_program(const struct job *job, const char *name)
{
    const char *path = find_in_path(name), *starter;
    if (!path || !is_file(path) || !is_readable(path))
        return 0;
    if (is_same(facts_of(path)->linkage, "library") && *facts_of(path)->interpreter == 0)
        return problem_of("%s is a library and no program; 'mpi-adapter explain %s' tells what becomes of its calls", path, shell_word(path));
    if (facts_of(path)->status == ELF_FOREIGN && !is_script(path) && (starter = starter_of_script(job, path)))
        return problem_of("%s does not name its interpreter in a first line with '#!'; start it as '%s %s'", path, starter, shell_word(path));
    return 0;
}

/* The program that a script's first line names, past env's own arguments. */
static struct problem *interpreter_of(const char *script, const char **interpreter)
{
    const char *line = up_to(beginning_of(script, 4096), '\n'), *name = "";
    if (!begins_with(line, "#!"))
        return problem_of("%s is neither an ELF program nor a script; give a program, or start the script with a '#!' line", script);
    struct list words = words_of(line + 2);
    if (words.count > 0 && !is_same(base_name(words.words[0]), "env"))
        name = words.words[0];
    for (size_t i = 1; i < words.count && *name == 0; i++)
        if (*words.words[i] != '-' && !strchr(words.words[i], '='))
            name = words.words[i];
    *interpreter = find_in_path(name);
    if (!*interpreter || !is_startable(*interpreter))
        return problem_of("%s: its interpreter '%s' is missing; install it or correct the first line of the script", script,
                          *name ? name : line + 2);
    return 0;
}

/* Follows scripts until an ELF file. */
struct problem *find_subject(struct job *job, struct program *program)
{
    for (int depth = 0; depth < 4; depth++) {
        const char *subject = program->subject, *interpreter;
        if (!is_readable(subject))
            return problem_of("%s cannot be read; ask for permission to read it", subject);
        int status = facts_of(subject)->status;
        if (status == ELF_YES)
            return 0;
        if (status != ELF_FOREIGN)
            return problem_of("%s is a damaged ELF file; copy or build it again", subject);
        HAND_ON(interpreter_of(subject, &interpreter));
        if (is_launcher_name(job->site, interpreter))
            return problem_of("%s is a script for the launcher %s, which starts ranks itself; start it with 'mpi-adapter shell %s'", subject,
                              interpreter, subject);
        program->subject = interpreter;
        program->is_script = 1;
    }
    return problem_of("%s: more than 4 scripts interpret each other; give the program that they start", program->path);
}

struct problem *require_own_machine(const struct job *job, const struct program *program, const char *what)
{
    const struct elf_facts *facts = facts_of(program->subject), *own = facts_of(job->site->program);
    if (is_own_machine(job->site, program->subject))
        return 0;
    return problem_of("%s is a %s-bit %s %s, the adapter is for %s-bit %s; give a %s of this architecture", program->subject, facts->class,
                      facts->machine, what, own->class, own->machine, what);
}

/* Notes a library or a dynamic linker that the program needs. If an MPI's own launcher can start it, the refusal says why nothing else can,
 * and the ABI is that MPI's. */
static struct problem *note_refusal(struct job *job, struct program *program, const char *name)
{
    const char *family, *text = refused_library(job->site, name, &family), *advice = text ? strstr(text, "; ") : 0;
    if (!text)
        return 0;
    struct problem *problem = problem_of("%s needs %s, %.*s; %s", program->subject, name, advice ? (int)(advice - text) : (int)strlen(text),
                                         text, advice ? advice + 2 : "");
    if (is_same(family, "-"))
        return problem;
    program->refusal = problem->text;
    program->abi = family;
    return 0;
}

struct problem *refusal_of(const struct program *program)
{
    return program->refusal ? problem_again(program->refusal) : 0;
}

/* A program that the dynamic linker cannot adapt can be started by the launcher of an MPI that is linked in. */
static struct problem *refuse_unless_linked(struct job *job, struct program *program, struct problem *problem)
{
    if (needs_of(job, program->subject)->status == ELF_YES && knows_mpi(job, &program->other_names, program->subject))
        return problem;
    program->refusal = problem->text;
    take_linked_mpi(job, program, program->subject);
    return program->linked ? 0 : problem;
}

/* Refuses a program that the kernel starts with privilege: the dynamic linker heeds nothing of its environment then. Root has all
 * capabilities anyway. */
static struct problem *refuse_privileged(struct job *job, struct program *program)
{
    const char *subject = program->subject;
    struct stat status;
    if (stat(subject, &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)))
        return refuse_unless_linked(job, program, problem_of("%s is set-user-ID or set-group-ID, so the dynamic loader ignores the adapter; "
                                                             "run a copy without that bit", subject));
    if (geteuid() != 0 && getxattr(subject, "security.capability", 0, 0) > 0)
        return refuse_unless_linked(job, program, problem_of("%s has capabilities, so the dynamic loader ignores the adapter; "
                                                             "run a copy, which has none", subject));
    return 0;
}

struct problem *require_runnable_elf(struct job *job, struct program *program)
{
    const char *subject = program->subject;
    const struct elf_facts *facts = facts_of(subject);
    HAND_ON(require_own_machine(job, program, "program"));
    if (is_same(facts->linkage, "static"))
        return refuse_unless_linked(job, program, problem_of("%s is statically linked, so its MPI cannot be replaced; link it dynamically", subject));
    if (!is_same(facts->linkage, "dynamic"))
        return problem_of("%s is not a program but another kind of ELF file; give a program", subject);
    HAND_ON(note_refusal(job, program, base_name(facts->interpreter)));
    HAND_ON(refuse_privileged(job, program));
    if (!is_startable(facts->interpreter))
        return problem_of("%s: its dynamic loader '%s' is missing; install it or build the program for this system", subject,
                          facts->interpreter);
    return 0;
}

/* ---------------------------------------------------------------- what it refers to */

static int refers_to_any(const char *file, const char *starts)
{
    struct list list = words_of(starts);
    return refers_by(file, &list);
}

/* Whether a file refers to data of the family's own. */
static int refers_to(const struct job *job, const char *file, const char *family)
{
    return refers_to_any(file, of_family(job->site, family, "objects"));
}

/* The same for whatever this family has and others do not: by the table's `symbols`, too. */
static int refers_to_own(const struct job *job, const char *file, const char *family)
{
    struct list starts = words_said_of(&job->site->families, family, "objects");
    struct list words = words_said_of(&job->site->families, family, "symbols");
    for (size_t i = 0; i < words.count; i++) {
        struct list patterns = comma_parts_of(behind(words.words[i], '='));
        for (size_t j = 0; j < patterns.count; j++)
            list_add(&starts, ends_with(patterns.words[j], "*") ? up_to_last(patterns.words[j], '*') : patterns.words[j]);
    }
    return refers_by(file, &starts);
}

/* Whether it imports procedures of MPI, in C or Fortran. */
static int calls_mpi(const char *file)
{
    return refers_to_any(file, "MPI_ PMPI_ mpi_init mpi_comm_rank_ mpi_comm_rank_f08");
}

/* The name up to .so. */
static const char *stem_of(const char *name)
{
    const char *end = strstr(name, ".so");
    return end ? arena_text("%.*s", (int)(end - name), name) : name;
}

/* Whether the program needs a library that only this family's implementations have, in whatever version. */
static int needs_stem_of(const struct job *job, const struct closure_found *found, const char *family)
{
    struct list others = { 0 }, own = { 0 };
    for (size_t i = 0; i < job->site->families.names.count; i++) {
        const char *name = job->site->families.names.words[i];
        struct list needs = words_said_of(&job->site->families, name, "needs");
        for (size_t j = 0; j < needs.count; j++)
            list_add(is_same(name, family) ? &own : &others, stem_of(needs.words[j]));
    }
    for (size_t i = 0; i < found->names.count; i++) {
        const char *stem = stem_of(plain_name(found->names.words[i]));
        if (list_has(&own, stem) && !list_has(&others, stem))
            return 1;
    }
    return 0;
}

static int needs_library(const char *file, const char *name)
{
    return list_has(&facts_of(file)->needed, name);
}

/* Whether the file, or a library of its own that needs NAME, shows that it was built for the family; NAME itself may be missing, or another
 * implementation's. */
static int was_built_for(const struct job *job, const char *file, const char *family, const char *name)
{
    const struct closure_found *found = needs_of(job, file);
    if (refers_to(job, file, family) || needs_stem_of(job, found, family))
        return 1;
    for (size_t i = 0; i < found->paths.count; i++) {
        const char *path = found->paths.words[i];
        if (*path && needs_library(path, name) && refers_to(job, path, family))
            return 1;
    }
    return 0;
}

/* Whether the table names symbols of the family's for C: its handles are data, to which programs refer. */
static int has_data_for_c(const struct job *job, const char *family)
{
    return has_text(arena_text(" %s", of_family(job->site, family, "symbols")), " c=");
}

/* Whether a file calls a procedure of MPI in C that takes a handle, or makes one. */
static int passes_handles(const char *file)
{
    static const char without[] = "Init Init_thread Finalize Initialized Finalized Is_thread_main Query_thread Wtime Wtick Get_version "
                                  "Get_library_version Get_processor_name Get_address Pcontrol";
    const struct symbols *symbols = symbols_of(file);
    for (size_t i = 0; i < symbols->imported.count; i++) {
        const char *name = symbols->imported.words[i] + (*symbols->imported.words[i] == 'P');
        if (begins_with(name, "MPI_") && !has_word(without, name + strlen("MPI_")))
            return 1;
    }
    return 0;
}

/* Whether a file passes handles that are numbers: it refers to no data of the families whose library may have this name, too. */
static int passes_numbers(const struct job *job, const char *file, const char *family, const char *name)
{
    int has_others = 0;
    if (has_data_for_c(job, family) || !passes_handles(file))
        return 0;
    for (size_t i = 0; i < job->site->families.names.count; i++) {
        const char *other = job->site->families.names.words[i];
        if (is_same(other, family) || !(alias_of(job->site, name, other) || has_word(of_family(job->site, other, "needs"), name)))
            continue;
        if (!has_data_for_c(job, other) || was_built_for(job, file, other, name))
            return 0;
        has_others = 1;
    }
    return has_others;
}

/* Whether the program needs a library that the table has under a key for those that need NAME. */
static int has_beside(const struct job *job, const char *file, const char *key, const char *family, const char *name)
{
    const struct closure_found *found = needs_of(job, file);
    struct list words = words_said_of(&job->site->families, family, key);
    for (size_t i = 0; i < words.count; i++) {
        if (!is_same(up_to(words.words[i], '='), name))
            continue;
        for (size_t j = 0; j < found->names.count; j++)
            if (begins_with(found->names.words[j], behind(words.words[i], '=')))
                return 1;
    }
    return 0;
}

static int user_says(const struct job *job, const char *family)
{
    return is_same(given(job, "--from"), family);
}

/* Returns whose a contested name is in a family, for people, or "". */
static const char *maker_of_name(const struct job *job, const char *family, const char *name)
{
    const char *text = of_family(job->site, family, "contested_by");
    return begins_with(text, arena_text("%s=", name)) ? behind(text, '=') : "";
}

/* Whether a name that an earlier release had, too, is a maker's of this ABI here: what the program needs besides tells, or the user.
 * `releases` is what people call the earlier ones. */
static struct problem *is_alias_of_today(const struct job *job, const char *file, const char *family, const char *name, const char *releases,
                                         int *is_alias)
{
    *is_alias = alias_of(job->site, name, family) && !has_beside(job, file, "earlier_beside", family, name);
    if (!*is_alias || has_beside(job, file, "beside", family, name) || user_says(job, family))
        return 0;
    for (size_t i = 0; i < job->site->families.names.count; i++) {
        const char *other = job->site->families.names.words[i], *maker = maker_of_name(job, other, name);
        if (*maker)
            return problem_of("%s needs %s, and nothing tells whether it is %s's, that of an MPI made of a later %s, or %s's; "
                              "if it is one of the latter, say so with --from %s or --from %s", file, name, releases, called(job->site, family),
                              maker, family, other);
    }
    return problem_of("%s needs %s, and nothing tells whether it is %s's or that of an MPI made of a later %s; "
                      "if it is the latter, say so with --from %s", file, name, releases, called(job->site, family), family);
}

/* Whether the table has the name among those that another family's library has, too. */
static int contests(const struct job *job, const char *family, const char *name)
{
    struct list words = words_said_of(&job->site->families, family, "contested");
    for (size_t i = 0; i < words.count; i++)
        if (is_same(up_to(words.words[i], '='), name))
            return 1;
    return 0;
}

int is_contested(struct job *job, const struct program *program, const char *file, const char *name, const char **found)
{
    (void)program;
    for (size_t i = 0; i < job->site->families.names.count; i++) {
        const char *family = job->site->families.names.words[i];
        if (!contests(job, family, plain_name(name)) ||
            !(user_says(job, family) || was_built_for(job, file, family, name) || passes_numbers(job, file, family, name)))
            continue;
        *found = family;
        return 1;
    }
    return 0;
}

/* An earlier release may have called its library what another family's is called: what the program refers to tells them apart. */
static struct problem *reject_earlier_release(struct job *job, const char *file, const char *name)
{
    const struct site *site = job->site;
    const char *owner;
    if (is_contested(job, 0, file, name, &owner))
        return 0;
    for (size_t i = 0; i < site->families.names.count; i++) {
        const char *family = site->families.names.words[i], *plain = plain_name(name), *since = of_family(site, family, "since");
        const char *releases = contests(job, family, plain) ? 0 : earlier_release(site, family, plain);
        int is_alias;
        if (!releases)
            continue;
        HAND_ON(is_alias_of_today(job, file, family, name, releases, &is_alias));
        if (is_alias || !(was_built_for(job, file, family, name) || alias_of(site, name, family)))
            continue;
        return problem_of("%s was built with %s, whose ABI no pair supports; use a program built with %s%s%s%s", file, releases,
                          called(site, family), *since ? " " : "", since, *since ? " or later" : "");
    }
    return 0;
}

/* ---------------------------------------------------------------- names that are nobody's */

/* The name by which a file, which calls MPI, needs its library, and that library if it is found, where the name is nobody's: a vendor's, or
 * a renamed copy's; or null. */
static const char *unnamed_library(const struct job *job, const char *subject, const char **file)
{
    const struct closure_found *found = needs_of(job, subject);
    *file = "";
    if (!calls_mpi(subject))
        return 0;
    for (size_t i = 0; i < found->names.count; i++) {
        const char *name = found->names.words[i], *path = found->paths.words[i];
        if (*path ? defines_mpi(path) : is_like(name, "lib*mpi*.so*")) {
            *file = path;
            return name;
        }
    }
    return 0;
}

/* The families of which something that the program, or a library of its own that needs NAME, refers to is alone. */
static struct list fingerprints(const struct job *job, const char *subject, const char *name)
{
    const struct closure_found *found = needs_of(job, subject);
    struct list families = { 0 };
    for (size_t i = 0; i < job->site->families.names.count; i++) {
        const char *family = job->site->families.names.words[i];
        int is_own = needs_library(subject, name) && refers_to_own(job, subject, family);
        for (size_t j = 0; j < found->paths.count && !is_own; j++) {
            const char *path = found->paths.words[j];
            is_own = *path && needs_library(path, name) && refers_to_own(job, path, family);
        }
        if (is_own)
            list_add(&families, family);
    }
    return families;
}

/* The families whose program it may be: in C, those whose handles are data have left their mark; and some have no Fortran. */
static struct list candidates(const struct job *job, const char *subject)
{
    struct list families = { 0 };
    for (size_t i = 0; i < job->site->families.names.count; i++) {
        const char *family = job->site->families.names.words[i];
        if (*of_family(job->site, family, "implementations") == 0)
            continue;
        if (has_data_for_c(job, family) && refers_to_any(subject, "MPI_ PMPI_"))
            continue;
        if (*of_family(job->site, family, "fortran_library") == 0 && refers_to_any(subject, "mpi_"))
            continue;
        list_add(&families, family);
    }
    return families;
}

/* The ABI is the family of the user's choice among those found. */
static struct problem *choose_unknown(struct job *job, struct program *program, const char *name, const struct list *found)
{
    struct list options = { 0 };
    const char *from = given(job, "--from");
    if (*from) {
        program->abi = from;
        if (list_has(found, from))
            return 0;
        if (!job->from_is_assumed)
            return problem_of("%s was compiled against %s, not %s; give --from %s or leave it out", program->path,
                              found->count > 0 ? list_joined(found, " ") : "another MPI", from, found->count > 0 ? found->words[0] : "ABI");
    }
    for (size_t i = 0; i < found->count; i++)
        list_add(&options, arena_text("--from %s", found->words[i]));
    return problem_of("%s needs %s, an MPI library of an unknown ABI, and may be a program of %s; say which with %s", program->subject, name,
                      joined(" or ", found), joined(" or ", &options));
}

/* Whether two libraries may be of one MPI: libxmpi.so.1 and libxmpi_mpifh.so.1. */
static int is_called_alike(const char *one, const char *other)
{
    const char *name = arena_text("%.*s", (int)strcspn(one, "._-"), one), *second = arena_text("%.*s", (int)strcspn(other, "._-"), other);
    return is_like(one, "lib*mpi*.so*") && (begins_with(name, second) || begins_with(second, name));
}

/* Whether a file is here by a name without a version for the linker's sake: another MPI's than the program's it may be. */
static int is_for_linking(const char *file, const char *name)
{
    const char *soname = facts_of(file)->soname;
    return ends_with(name, ".so") && *soname && !is_same(soname, name);
}

/* The program needs its MPI by a name that is nobody's: what it refers to tells whose program it is, and the library itself, if that is
 * there. A known name of an unknown version is another ABI's; without a version, it is anybody's. */
static struct problem *settle_unknown_name(struct job *job, struct program *program)
{
    const struct closure_found *traced = needs_of(job, program->subject);
    const char *file, *name = unnamed_library(job, program->subject, &file), *from = given(job, "--from");
    if (!name || (!ends_with(name, ".so") && has_stem(job->site, name) && *from == 0))
        return 0;
    struct list found = fingerprints(job, program->subject, name);
    const char *family = *file && !is_for_linking(file, name) ? family_of_library(job->site, file) : "";
    if (family && *family)
        list_add_once(&found, family);
    if (found.count == 1 && (*from == 0 || is_same(from, found.words[0]))) {
        program->abi = found.words[0];
        say(&job->messages, "%s needs %s, not a known name of an MPI library; taking it for a program of %s, as what it refers to tells",
            program->subject, name, called(job->site, program->abi));
    } else {
        if (found.count == 0)
            found = candidates(job, program->subject);
        HAND_ON(choose_unknown(job, program, name, &found));
    }
    list_add(&program->other_names, name);
    for (size_t i = 0; i < traced->names.count; i++)
        if (is_called_alike(traced->names.words[i], name) && !abi_of_soname(job->site, traced->names.words[i]))
            list_add_once(&program->other_names, traced->names.words[i]);
    return 0;
}

/* Whether implementations of the family call this library of its otherwise. */
static int has_other_names(const struct job *job, const char *family, const char *name)
{
    const char *libraries = of_family(job->site, family, "libraries");
    if (strchr(libraries, ' ') && has_word(libraries, name))
        return 1;
    struct list words = words_said_of(&job->site->families, family, "fortran_library");
    for (size_t i = 0; i < words.count; i++) {
        struct list names = comma_parts_of(words.words[i]);
        if (names.count > 1 && list_has(&names, name))
            return 1;
    }
    return 0;
}

int is_runtime(const struct job *job, const char *name, const char *family)
{
    return has_word(of_family(job->site, family, "runtime"), plain_name(name));
}

/* Notes what names the program has for libraries of its family's that no pair has, or that an MPI of its own family may not have. */
static void note_other_names(const struct job *job, struct program *program)
{
    const struct closure_found *found = needs_of(job, program->subject);
    for (size_t i = 0; i < found->names.count; i++) {
        const char *name = found->names.words[i], *path = found->paths.words[i];
        if (!alias_of(job->site, name, program->abi) && !(*path == 0 && has_other_names(job, program->abi, name)))
            continue;
        if (unbundled(name) && is_runtime(job, name, program->abi))
            continue;
        list_add_once(&program->other_names, name);
        note_bundle(program, name, path);
    }
}

void note_bundle(struct program *program, const char *name, const char *file)
{
    if (unbundled(name) && *file && defines_mpi(file) && real_path(file))
        list_add_once(&program->bundles, real_path(file));
}

void lead_part_to_pair(const struct job *job, struct program *program, const char *abi)
{
    program->abi = abi;
    program->other_names = (struct list){ 0 };
    if (program->subject)
        note_other_names(job, program);
}

/* Earlier releases may have called a library for Fortran as a maker calls one of today: the library for C tells. */
static struct problem *reject_beside_earlier(struct job *job, struct program *program, const char *name)
{
    const struct closure_found *found = needs_of(job, program->subject);
    if (has_word(of_family(job->site, program->abi, "needs"), name) || !alias_of(job->site, name, program->abi))
        return 0;
    for (size_t i = 0; i < found->names.count; i++)
        HAND_ON(reject_earlier_release(job, program->subject, found->names.words[i]));
    return 0;
}

int is_for_c(const struct job *job, const char *name, const char *family)
{
    const char *plain = plain_name(name);
    return has_word(of_family(job->site, family, "libraries"), plain) || has_word(of_family(job->site, family, "soname"), plain);
}

/* Whether it is the family's library for C, or for Fortran. */
static int is_of_mpi(const struct job *job, const char *name, const char *family)
{
    const char *abi = abi_of_soname(job->site, name);
    return is_for_c(job, name, family) || (abi && is_same(abi, family) && !is_runtime(job, name, family));
}

/* Whether a file refers to MPI in any language. That is evidence only if it needs an MPI's library: others have names with mpi_, too. */
static int refers_to_mpi(const char *file)
{
    return refers_to_any(file, "MPI_ PMPI_ MPIX_ mpi_ pmpi_ _ZN3MPI");
}

/* The first file, of the program and its libraries but MPI's own, that needs a library itself and calls MPI; or null. */
static const char *caller_of(const struct job *job, const char *subject, const char *name)
{
    const struct closure_found *found = needs_of(job, subject);
    if (needs_library(subject, name) && refers_to_mpi(subject))
        return subject;
    for (size_t i = 0; i < found->names.count; i++) {
        const char *path = found->paths.words[i];
        if (*path && !abi_of_soname(job->site, found->names.words[i]) && needs_library(path, name) && refers_to_mpi(path))
            return path;
    }
    return 0;
}

/* Notes that a file of the process was compiled for another MPI than the program. */
static struct problem *note_part(struct job *job, struct program *program, const char *file, const char *name, const char *abi)
{
    const struct site *site = job->site;
    if (is_same(file, program->subject))
        return problem_of("%s needs %s of %s, and libraries of %s, too; link it with one MPI, or say with --from which one it was compiled against",
                          file, name, called(site, abi), called(site, program->abi));
    list_add_once(&program->part_abis, program->abi);
    list_add_once(&program->part_abis, abi);
    return 0;
}

/* Notes the files of each part: those that need its library for C themselves, and call MPI. */
static void note_files_of_parts(const struct job *job, struct program *program)
{
    const struct closure_found *found = needs_of(job, program->subject);
    program->part_files = arena_memory(program->part_abis.count * sizeof *program->part_files);
    list_add(&program->part_files[0], program->path);
    for (size_t i = 0; i < found->paths.count; i++) {
        const char *path = found->paths.words[i];
        if (*path == 0 || abi_of_soname(job->site, found->names.words[i]) || !refers_to_mpi(path))
            continue;
        for (size_t part = 0; part < program->part_abis.count; part++)
            for (size_t j = 0; j < found->names.count; j++)
                if (is_of_mpi(job, found->names.words[j], program->part_abis.words[part]) && needs_library(path, found->names.words[j]))
                    list_add_once(&program->part_files[part], path);
    }
}

const char *own_abi(const struct program *program)
{
    return program->part_abis.count > 0 ? program->part_abis.words[0] : program->abi;
}

struct list files_of_other_parts(const struct program *program)
{
    struct list files = { 0 };
    for (size_t part = 0; part < program->part_abis.count; part++)
        if (!is_same(program->part_abis.words[part], program->abi))
            list_add_all(&files, &program->part_files[part]);
    return files;
}

/* A program and its libraries may need two families' libraries for C. The user may say that only one of them is called. */
static struct problem *find_parts(struct job *job, struct program *program)
{
    const struct site *site = job->site;
    const char *subject = program->subject;
    const struct closure_found *found = needs_of(job, subject);
    if (user_says(job, program->abi) && !job->from_is_assumed)
        return 0;
    for (size_t i = 0; i < found->names.count; i++)
        for (size_t j = 0; j < site->families.names.count; j++) {
            const char *name = found->names.words[i], *family = site->families.names.words[j], *file;
            if (is_same(family, program->abi) || !is_of_mpi(job, name, family) || !(file = caller_of(job, subject, name)) ||
                alias_of(site, name, program->abi))
                continue;
            if (user_says(job, family) && !job->from_is_assumed && is_same(file, subject)) {
                program->abi = family;
                return 0;
            }
            HAND_ON(note_part(job, program, file, name, family));
        }
    if (program->part_abis.count > 0)
        note_files_of_parts(job, program);
    return 0;
}

/* A file with the marks of another implementation than the library's name tells of. A copy relocation makes the program define the symbol
 * that is a mark, instead of importing it. */
static struct problem *reject_unknown_release(const struct job *job, const struct program *program)
{
    const char *own = of_family(job->site, program->abi, "implementations");
    const struct list *names = &job->site->implementations.names;
    for (size_t i = 0; *own && i < names->count; i++) {
        const char *version = of_implementation(job->site, names->words[i], "version");
        if (!has_word(own, names->words[i]) && has_marks_of(job->site, program->subject, names->words[i]))
            return problem_of("%s was built with a release of %s whose ABI is not known; use a program built with a current %s",
                              program->subject, version, version);
    }
    return 0;
}

/* A library of the program's own may have an MPI linked in, whatever else the program needs. If it does not show that MPI to others, the
 * process has two. */
static void settle_private_mpi(struct job *job, struct program *program)
{
    const char *file = library_with_linked_mpi(job, program->subject), *abi = file ? abi_linked_in(job, file) : 0;
    if (abi && *program->abi && !(is_same(abi, program->abi) && defines_mpi(file)))
        program->refusal = problem_of("%s needs an MPI library, and %s has another MPI linked in; link both with one shared library",
                                      program->path, file)->text;
    else if (abi)
        take_linked_mpi(job, program, file);
}

/* Takes the ABI from the libraries that the program needs, itself or through others. The nearest one counts: the dynamic linker lists them
 * breadth first. */
static struct problem *detect_abi(struct job *job, struct program *program)
{
    const struct closure_found *found = needs_of(job, program->subject);
    const char *other = 0;
    if (program->linked)
        return 0;
    if (found->status != ELF_YES)
        return problem_of("%s is a damaged ELF file; copy or build it again", program->subject);
    for (size_t i = 0; i < found->names.count; i++)
        HAND_ON(note_refusal(job, program, found->names.words[i]));
    for (size_t i = 0; i < found->names.count; i++) {
        const char *name = found->names.words[i], *abi;
        HAND_ON(reject_earlier_release(job, program->subject, name));
        if (is_contested(job, program, program->subject, name, &abi) ||
            ((abi = abi_of_soname(job->site, name)) && !is_runtime(job, name, abi))) {
            program->abi = abi;
            HAND_ON(reject_beside_earlier(job, program, name));
            HAND_ON(find_parts(job, program));
            note_other_names(job, program);
            settle_private_mpi(job, program);
            return reject_unknown_release(job, program);
        }
        if (!other && has_stem(job->site, name))
            other = name;
    }
    if (*program->abi)
        return 0;
    settle_private_mpi(job, program);
    if (*program->abi)
        return 0;
    HAND_ON(settle_unknown_name(job, program));
    for (size_t i = 0; i < found->names.count && *program->abi == 0; i++) {
        const char *abi = abi_of_soname(job->site, found->names.words[i]);
        program->abi = abi ? abi : "";
    }
    if (*program->abi)
        return 0;
    if (other)
        return problem_of("%s needs %s, an MPI library of no known ABI; use a program built with a current %s", program->subject, other,
                          called_families(job->site));
    take_linked_mpi(job, program, program->subject);
    return 0;
}

/* By --from, by its needs or, for what loads MPI only at run time (python3 and mpi4py), by the files that it will load, or because every
 * installed pair serves the same one. */
static struct problem *settle_own_abi(struct job *job, struct program *program)
{
    const char *from = given(job, "--from");
    int is_found = 0;
    HAND_ON(detect_abi(job, program));
    if (*from && *program->abi && !is_same(from, program->abi) && !job->from_is_assumed)
        return problem_of("%s was compiled against %s, not %s; give --from %s or leave it out", program->path, program->abi, from, program->abi);
    if (*program->abi)
        return 0;
    program->abi_is_late = 1;
    if (job->from_is_assumed)
        HAND_ON(loads_one_abi(job, program, &is_found));
    else if (*from == 0)
        HAND_ON(settle_late_abi(job, program, &is_found));
    if (!is_found && *from) {
        program->abi = from;
        HAND_ON(find_late_names(job, program));
    }
    if (program->late.linked && *program->abi && is_same(abi_linked_in(job, program->late.linked), program->abi))
        take_linked_mpi(job, program, program->late.linked);
    if (is_found || *from)
        return 0;
    if (!program->is_script && !imports(program->subject, "dlopen"))
        return problem_of("%s uses no MPI; give an MPI program, or --from ABI if it starts one", program->subject);
    program->abi = only_application(job->site);
    if (!program->abi)
        return problem_of("%s names no MPI library itself; say with --from ABI which one it was built for", program->path);
    program->abi_is_guess = 1;
    say_more(&job->messages, "%s names no MPI library; taking it for %s, the only ABI that a pair supports", program->path, program->abi);
    return 0;
}

/* Adds the parts that the user names: what is opened late tells of none. */
static struct problem *add_told_parts(struct job *job, struct program *program)
{
    struct list found = program->part_abis, *files = arena_memory((found.count + job->from_parts.count + 1) * sizeof *files);
    for (size_t i = 0; i < found.count; i++)
        files[i] = program->part_files[i];
    if (found.count == 0) {
        const char *late = late_file_of(program, program->abi);
        list_add(&program->part_abis, program->abi);
        list_add(&files[0], *late ? late : program->path);
    }
    for (size_t i = 0; i < job->from_parts.count; i++)
        list_add_once(&program->part_abis, job->from_parts.words[i]);
    program->part_files = files;
    if (program->part_abis.count > job->from_parts.count)
        return problem_of("%s was compiled against %s, which --from does not name; add it there", program->path, own_abi(program));
    return 0;
}

struct problem *settle_abi(struct job *job, struct program *program)
{
    struct problem *problem = settle_own_abi(job, program);
    if (job->from_parts.count == 0)
        return problem;
    /* The user tells of a program that names no MPI itself. */
    if (problem && !program->abi_is_late)
        return problem;
    if (problem || program->abi_is_guess || program->abi_is_usual || *program->abi == 0) {
        program->abi = job->from_parts.words[0];
        program->abi_is_late = 1;
        program->abi_is_guess = program->abi_is_usual = 0;
    }
    return add_told_parts(job, program);
}

/* ---------------------------------------------------------------- libraries that depart */

/* Whether the dynamic linker, with this LD_LIBRARY_PATH, leads the program to a library that has the name of its ABI's and other numbers.
 * Returns how it departs, or null. */
static const char *find_departing(const struct job *job, const struct program *program, const char *library_path, const char **name,
                                  const char **file)
{
    const struct closure_found *found = trace(program->subject, library_path, "");
    for (size_t i = 0; found->status == ELF_YES && i < found->names.count; i++) {
        *name = found->names.words[i], *file = found->paths.words[i];
        if (**file == 0 || !has_word(of_family(job->site, program->abi, "libraries"), *name))
            continue;
        const char *how = departs(job->site, *file, program->abi);
        if (how)
            return what_of(how);
    }
    return 0;
}

/* Whether the dynamic linker finds the file for any program, without a RUNPATH. */
static int is_found_by_all(const struct job *job, const char *name, const char *file)
{
    const char *found = traced_file(trace(job->site->program, "", name), name);
    return found && is_same(found, file);
}

/* Such a program has either ABI's numbers: nothing but --from tells whose mpi.h it was compiled with. */
static struct problem *settle_departing(struct job *job, struct program *program)
{
    const char *abi = program->abi, *wrapper = up_to(of_family(job->site, abi, "wrappers"), ' '), *name, *file, *how;
    if (*given(job, "--from"))
        return 0;
    if ((how = find_departing(job, program, "", &name, &file))) {
        if (!is_found_by_all(job, name, file)) {
            program->refusal = problem_of("the path in %s leads to its MPI, and %s; compile it again with %s, or give --from %s if its mpi.h "
                                          "was the standard's", program->path, how, wrapper, abi)->text;
            return 0;
        }
    } else if (!(how = find_departing(job, program, job->library_path, &name, &file)))
        return 0;
    say(&job->messages, "%s, and the loader finds it for %s; compile that again with %s if its mpi.h was that MPI's, or else give --from %s", how,
        program->path, wrapper, abi);
    return 0;
}

struct problem *examine_program(struct job *job, const char *name, struct program *program)
{
    program->abi = "";
    HAND_ON(refuse_no_program(job, name));
    HAND_ON(find_program(name, program));
    HAND_ON(find_subject(job, program));
    HAND_ON(require_runnable_elf(job, program));
    HAND_ON(settle_abi(job, program));
    HAND_ON(settle_departing(job, program));
    say_more(&job->messages, "program %s, compiled against %s", program->path, program->abi);
    return 0;
}

/* ---------------------------------------------------------------- programs among words */

const char *startable_file(const char *folder, const char *word)
{
    const char *file;
    if (*folder && strchr(word, '/') && *word != '/')
        file = arena_text("%s/%s", folder, word);
    else {
        file = find_in_path(word);
        if (!file && !strchr(word, '/'))
            file = arena_text("%s/%s", *folder ? folder : ".", word);
    }
    return file && is_file(file) && is_startable(file) ? file : 0;
}

int stands_bare(const char *word)
{
    return !strchr(word, '/') && !find_in_path(word);
}

int knows_mpi(struct job *job, const struct list *other_names, const char *file)
{
    const struct closure_found *found = needs_of(job, file);
    const char *sonames = known_sonames(job->site), *family;
    for (size_t i = 0; i < found->names.count; i++) {
        const char *name = found->names.words[i];
        if (has_word(sonames, name) || list_has(other_names, name) || has_stem(job->site, name) || abi_of_soname(job->site, name) ||
            refused_library(job->site, name, &family))
            return 1;
    }
    return unnamed_library(job, file, &file) != 0;
}

int is_tool_of_mpi(struct job *job, const char *file)
{
    static const char starts[] = "MPI_ PMPI_ MPIX_ mpi_ pmpi_ _ZN3MPI";
    const struct closure_found *found = needs_of(job, file);
    if (refers_to_any(file, starts) || file_with_linked_mpi(job, file))
        return 0;
    for (size_t i = 0; i < found->names.count; i++)
        if (*found->paths.words[i] && !abi_of_soname(job->site, found->names.words[i]) && refers_to_any(found->paths.words[i], starts))
            return 0;
    return 1;
}

int uses_mpi(struct job *job, const char *file)
{
    const struct elf_facts *facts = facts_of(file);
    static const struct list none;
    if (facts->status != ELF_YES || (!is_same(facts->linkage, "dynamic") && !is_same(facts->linkage, "static")))
        return 0;
    if (is_same(facts->linkage, "dynamic") && needs_of(job, file)->status == ELF_YES && knows_mpi(job, &none, file))
        return 1;
    return file_with_linked_mpi(job, file) != 0;
}

/* Whether the word is one of the options that the table has under a key; sets *value to its value. */
static int is_option(const struct job *job, const struct list *line, const char *kind, const char *key, size_t at, const char **value)
{
    const char *word = line->words[at];
    if (!has_word(of_launcher(job->site, kind, key), single_dash(word)))
        return 0;
    *value = strchr(word, '=') ? behind(word, '=') : at + 1 < line->count ? line->words[at + 1] : "";
    return 1;
}

struct places find_program_in(struct job *job, const struct list *line, const char *kind, size_t from, size_t to)
{
    struct places places = { -1, -1, -1, "" };
    for (size_t i = from; i < to && i < line->count; i++) {
        const char *word = line->words[i], *value, *file;
        int count;
        if (places.command < 0 && *word == '-') {
            if (is_option(job, line, kind, "files", i, &value))
                places.file = (long)i;
            if (is_option(job, line, kind, "folder", i, &value))
                places.folder = value;
            value_words(job->site, kind, word, &count);
            i += (size_t)count;
        } else if (places.file < 0 && (file = startable_file(places.folder, word))) {
            if (uses_mpi(job, file)) {
                if (places.command < 0)
                    places.command = (long)i;
                places.program = (long)i;
                return places;
            }
            if (!stands_bare(word) && places.command < 0)
                places.command = (long)i;
        }
    }
    return places;
}

struct problem *examine_started(struct job *job, const struct list *words, struct program *program)
{
    struct places places = find_program_in(job, words, job->launcher_kind, 0, words->count);
    for (size_t i = 1; i < words->count; i++)
        list_add(&program->words, words->words[i]);
    if (places.program <= 0)
        return examine_program(job, words->words[0], program);
    HAND_ON(find_program(words->words[0], program));
    const char *first = program->path;
    program->is_started_by_other = 1;
    HAND_ON(examine_program(job, words->words[places.program], program));
    program->path = first;
    return 0;
}
