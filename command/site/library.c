/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI library by its file: whose it is. */
#include <string.h>

#include "../elf/ask.h"
#include "arena.h"
#include "elf/file.h"
#include "file.h"
#include "site.h"
#include "texts.h"
#include "message.h"

int is_damaged(const char *file)
{
    return facts_of(file)->status == ELF_DAMAGED;
}

int is_own_machine(const struct site *site, const char *file)
{
    const struct elf_facts *facts = facts_of(file), *own = facts_of(site->program);
    return is_same(facts->class, own->class) && is_same(facts->machine, own->machine);
}

/* The machine, if it is another one, that a library is for. */
static const char *foreign_machine(const struct site *site, const char *file)
{
    const struct elf_facts *facts = facts_of(file);
    return *facts->machine && !is_own_machine(site, file) ? facts->machine : 0;
}

int has_names(const char *file, const struct list *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (!defines(file, names->words[i]))
            return 0;
    return 1;
}

int defines_mpi(const char *file)
{
    return defines(file, "PMPI_Init");
}

int has_mark(const char *file, const char *mark)
{
    const struct elf_facts *facts = facts_of(file);
    if (!has_text(mark, ".so"))
        return defines(file, mark) || imports(file, mark);
    for (size_t i = 0; i < facts->needed.count; i++)
        if (begins_with(facts->needed.words[i], mark))
            return 1;
    return 0;
}

int has_marks_of(const struct site *site, const char *file, const char *implementation)
{
    struct list marks = words_said_of(&site->implementations, implementation, "marks");
    for (size_t i = 0; i < marks.count; i++)
        if (has_mark(file, marks.words[i]))
            return 1;
    return 0;
}

/* The implementation whose marks a library has, or null. */
static const char *marked_implementation(const struct site *site, const char *file)
{
    const struct list *names = &site->implementations.names;
    for (size_t i = 0; i < names->count; i++)
        if (has_marks_of(site, file, names->words[i]))
            return names->words[i];
    return 0;
}

/* The one of the family's implementations that made a library, or null. */
static const char *likely_implementation(const struct site *site, const char *file, const char *family)
{
    struct list names = words_said_of(&site->families, family, "implementations");
    const char *marked = marked_implementation(site, file);
    if (marked)
        return list_has(&names, marked) ? marked : 0;
    for (size_t i = 0; i < names.count; i++)
        if (*of_implementation(site, names.words[i], "marks") == 0)
            return names.words[i];
    return 0;
}

int belongs_to_pair(const char *file)
{
    const char *real = real_path(file);
    return real && is_there(arena_text("%s/pair.conf", up_to_last(real, '/')));
}

/* The library that the compilers link programs with, by whatever name. */
static int is_for_linking(const char *file)
{
    const char *real = real_path(file);
    return real && is_there(arena_text("%s/mpi-abi.cmake", up_to_last(real, '/')));
}

/* A pair stands in for an MPI, and its programs run on another one. */
const char *whose_library(const struct site *site, const char *path, const char *family)
{
    const char *own = of_family(site, family, "implementations"), *file = real_path(path);
    if (*own == 0)
        return "";
    const char *host = said_in_folder(up_to_last(file ? file : path, '/'), "host");
    const char *of_host = *host ? of_family(site, host, "implementations") : "";
    if (*of_host)
        return up_to(of_host, ' ');
    const char *likely = likely_implementation(site, path, family);
    return likely ? likely : up_to(own, ' ');
}

/* Whether a library is of a maker who shares all with the implementation. */
static int is_of_maker(const struct site *site, const char *file, const char *implementation)
{
    const char *maker = of_implementation(site, implementation, "maker");
    return *maker && file_contains(file, up_to_last(maker, '='));
}

const char *prefix_variable(const struct site *site, const char *file, const char *implementation)
{
    const char *name = of_implementation(site, implementation, "maker_prefix");
    return *name && is_of_maker(site, file, implementation) ? name : 0;
}

const char *mpi_of_file(const struct site *site, const char *file, const char *family)
{
    const char *whose = whose_library(site, file, family), *release = "", *name;
    struct list symbols = words_of(said_of_all(&site->families, "release_symbol"));
    for (size_t i = 0; i < symbols.count && *release == 0; i++)
        release = symbol_text(file, symbols.words[i]);
    name = mpi_with_release(site, file, whose, release);
    return *name ? name : arena_text("%s%s%s", family, *release ? " " : "", release);
}

/* By symbols a maker's library tells the release of the implementation that it began as. */
const char *mpi_with_release(const struct site *site, const char *file, const char *whose, const char *release)
{
    const char *maker = of_implementation(site, whose, "maker"), *start = of_implementation(site, whose, "maker_release");
    const char *name = of_implementation(site, whose, "version");
    if (is_of_maker(site, file, whose)) {
        release = *start ? release_in(file, start) : "";
        name = strrchr(maker, '=') + 1;
    }
    return *name ? arena_text("%s%s%s", name, *release ? " " : "", release) : "";
}

const char *departs(const struct site *site, const char *file, const char *family)
{
    for (size_t i = 0; i < site->departures.count; i++) {
        const char *row = site->departures.words[i], *rest = behind(row, ' '), *instead = up_to(rest, ' ');
        const char *text = behind(rest, ' '), *maker = behind(text, '='), *which = strstr(maker, "; ");
        if (!is_same(up_to(row, ' '), family) || !file_contains(file, up_to(text, '=')) || belongs_to_pair(file))
            continue;
        if (!has_word(of_family(site, family, "needs"), facts_of(file)->soname) || !which)
            continue;
        return problem_of("%s is %.*s's, which numbers %s otherwise than %s; use its library of the ABI %s, with --to %s", file,
                          (int)(which - maker), maker, which + 2, called(site, family), instead, instead)->text;
    }
    return 0;
}

/* It is of an implementation that has this ABI, and not with the name of another family's; with a name that is nobody's, of a vendor's say, it
 * must have all that tells the family's libraries from others. */
int library_serves(const struct site *site, const char *file, const char *family)
{
    if (foreign_machine(site, file) || !defines_mpi(file) || is_for_linking(file))
        return 0;
    if (*of_family(site, family, "implementations") == 0)
        return 1;
    const char *soname = plain_name(facts_of(file)->soname);
    if (!has_word(of_family(site, family, "needs"), soname)) {
        struct list names = words_said_of(&site->families, family, "has");
        if (has_word(said_of_all(&site->families, "needs"), soname) || names.count == 0)
            return 0;
        if (!alias_of(site, soname, family) && earlier_release(site, family, soname))
            return 0;
        if (!has_names(file, &names))
            return 0;
    }
    return likely_implementation(site, file, family) && !departs(site, file, family);
}

const char *family_of_library(const struct site *site, const char *file)
{
    const struct list *families = &site->families.names;
    if (!defines_mpi(file))
        return 0;
    const char *family = abi_of_soname(site, facts_of(file)->soname);
    if (family && library_serves(site, file, family))
        return family;
    for (size_t i = 0; i < families->count; i++)
        if (library_serves(site, file, families->words[i]))
            return families->words[i];
    return "";
}

struct list other_libraries(const char *folder, const struct list *names)
{
    struct list files = files_like(arena_text("%s/libmpi*.so*", glob_escaped(folder))), others = { 0 };
    for (size_t i = 0; i < files.count; i++)
        if (is_file(files.words[i]) && !list_has(names, base_name(files.words[i])) && defines_mpi(files.words[i]))
            list_add(&others, files.words[i]);
    return others;
}

/* ---------------------------------------------------------------- releases with an ABI that is not served */

/* Returns what people call the releases that a library is of, by the marks of who made it and the name that it calls itself. */
static const char *earlier_library(const struct site *site, const char *file)
{
    const char *made = marked_implementation(site, file), *soname = plain_name(facts_of(file)->soname);
    for (size_t i = 0; made && i < site->families.names.count; i++) {
        const char *family = site->families.names.words[i];
        const char *releases = has_word(of_family(site, family, "implementations"), made) ? earlier_release(site, family, soname) : 0;
        if (releases)
            return library_serves(site, file, family) ? 0 : releases;
    }
    return 0;
}

const char *described_library(const struct site *site, const char *file)
{
    for (size_t i = 0; i < site->families.names.count; i++) {
        const char *how = departs(site, file, site->families.names.words[i]);
        if (how)
            return arena_text("%s (%s)", file, what_of(how) + strlen(file) + strlen(" is "));
    }
    const char *releases = earlier_library(site, file), *machine = foreign_machine(site, file);
    if (releases)
        return arena_text("%s (%s)", file, releases);
    return machine ? arena_text("%s (for %s)", file, machine) : file;
}

/* ---------------------------------------------------------------- where they are */

const char *library_in_folder(const struct site *site, const char *folder, const char *family, const struct list *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *file = arena_text("%s/%s", folder, names->words[i]);
        if (is_file(file) && library_serves(site, file, family))
            return file;
    }
    struct list others = other_libraries(folder, names);
    for (size_t i = 0; i < others.count; i++)
        if (library_serves(site, others.words[i], family))
            return others.words[i];
    return 0;
}

/* The folders of a prefix that may have its library. Those of the system's architectures are its own. */
static struct list folders_of_prefix(const char *prefix)
{
    static const char *const places[] = { "lib", "lib64", "lib/release" };
    struct list folders = { 0 }, more;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        list_add(&folders, arena_text("%s/%s", prefix, places[i]));
    if (*prefix == 0 || is_same(prefix, "/usr")) {
        more = files_like(arena_text("%s/lib/*-linux-gnu", prefix));
        list_add_all(&folders, &more);
    }
    return folders;
}

const char *library_in_prefix(const struct site *site, const char *prefix, const char *family, const struct list *names)
{
    struct list folders = folders_of_prefix(prefix);
    const char *file = 0;
    for (size_t i = 0; i < folders.count && !file; i++)
        file = library_in_folder(site, folders.words[i], family, names);
    return file;
}

const char *departs_in_prefix(const struct site *site, const char *prefix, const char *family, const struct list *names)
{
    struct list folders = folders_of_prefix(prefix);
    for (size_t i = 0; i < folders.count; i++)
        for (size_t j = 0; j < names->count; j++) {
            const char *file = arena_text("%s/%s", folders.words[i], names->words[j]);
            const char *how = is_file(file) ? departs(site, file, family) : 0;
            if (how)
                return how;
        }
    return 0;
}

/* The words of ID and ID_LIKE of this system. */
static struct list system_names(void)
{
    struct list lines = { 0 }, names = { 0 };
    if (read_lines("/etc/os-release", "", &lines))
        return names;
    for (size_t i = 0; i < lines.count; i++) {
        const char *value = begins_with(lines.words[i], "ID=") || begins_with(lines.words[i], "ID_LIKE=") ? behind(lines.words[i], '=') : "";
        list_split(&names, up_to(value + (*value == '"'), '"'));
    }
    return names;
}

const char *package_of_family(const struct site *site, const char *family)
{
    struct list system = system_names(), implementations = words_said_of(&site->families, family, "implementations");
    for (size_t i = 0; i < implementations.count; i++) {
        struct list packages = words_said_of(&site->implementations, implementations.words[i], "packages");
        for (size_t j = 0; j < packages.count; j++)
            if (list_has(&system, up_to(packages.words[j], '=')))
                return arena_text(", as package %s,", behind(packages.words[j], '='));
    }
    return "";
}
