/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi.h"

#include <string.h>

#include "../elf/ask.h"
#include "arena.h"
#include "file.h"
#include "spawn.h"
#include "texts.h"

enum { LARGEST_HEADER = 4 << 20 };

/* The folders that mpicc gives after an option: -I, -L. */
static struct list shown_folders(const struct site_mpi *mpi, const char *option)
{
    struct list folders = { 0 };
    for (size_t i = 0; i < mpi->shows.count; i++)
        if (begins_with(mpi->shows.words[i], arena_text("%s/", option)))
            list_add(&folders, mpi->shows.words[i] + strlen(option));
    return folders;
}

/* The words of what a compiler says it calls. */
static struct list shown_by(const char *compiler)
{
    struct asked asked = { .most = 65536 };
    if (begins_with_null(compiler))
        return (struct list){ 0 };
    list_add(&asked.words, compiler);
    list_add(&asked.words, "-show");
    return words_of(up_to(said_by(&asked, 0), '\n'));
}

/* Finds where a compiler of its family may be, or the compiler itself. */
static struct problem *find_compiler(const char *given, struct site_mpi *mpi)
{
    static const char *const names[] = { "mpicc", "mpigcc", "mpiicx", "mpiicc" };
    const char *file = find_in_path(given);
    if (has_control(given))
        return problem_of("the name of %s has a control character; rename it", given);
    if (is_folder(given)) {
        mpi->prefix = real_folder(given);
        if (!mpi->prefix)
            return problem_of("%s cannot be entered; check its permissions", given);
        for (size_t i = 0; i < sizeof names / sizeof *names && *mpi->compiler == 0; i++) {
            const char *compiler = arena_text("%s/bin/%s", mpi->prefix, names[i]);
            if (is_startable(compiler))
                mpi->compiler = compiler;
        }
    } else if (file && is_file(file) && is_startable(file)) {
        mpi->compiler = with_real_folder(file);
        mpi->prefix = up_to_last(up_to_last(mpi->compiler, '/'), '/');
        mpi->prefix = *mpi->prefix ? mpi->prefix : "/";
    } else
        return problem_of("%s is neither a folder nor a compiler; give the prefix of an MPI installation, or its mpicc", given);
    if (*mpi->compiler)
        mpi->shows = shown_by(mpi->compiler);
    /* A program that says nothing may be a compiler by its name. */
    if (!is_folder(given) && mpi->shows.count == 0 && !has_text(base_name(mpi->compiler), "mpi"))
        return problem_of("%s is not an MPI compiler: -show does not tell what it calls; give the prefix of an MPI installation, or its mpicc", given);
    return 0;
}

static void find_header(struct site_mpi *mpi)
{
    struct list folders = shown_folders(mpi, "-I");
    list_add(&folders, arena_text("%s/include", is_same(mpi->prefix, "/") ? "" : mpi->prefix));
    for (size_t i = 0; i < folders.count && *mpi->header == 0; i++) {
        const char *file = arena_text("%s/mpi.h", folders.words[i]);
        if (is_file(file) && is_readable(file))
            mpi->header = file;
    }
}

/* Returns what mpi.h defines a macro as, without quotes; "" if it does not. No mpi.h has as many bytes, and a sparse file would have no end. */
static const char *header_macro(const struct site_mpi *mpi, const char *name)
{
    static const char white[] = " \t";
    struct list lines = { 0 };
    list_split_at(&lines, beginning_of(mpi->header, LARGEST_HEADER), '\n');
    for (size_t i = 0; i < lines.count; i++) {
        const char *at = lines.words[i] + strspn(lines.words[i], white);
        if (*at++ != '#')
            continue;
        at += strspn(at, white);
        if (!begins_with(at, "define"))
            continue;
        at += strlen("define");
        size_t space = strspn(at, white);
        if (space == 0 || !begins_with(at + space, name))
            continue;
        at += space + strlen(name);
        if ((space = strspn(at, white)) == 0)
            continue;
        at += space;
        at += *at == '"';
        const char *value = arena_text("%.*s", (int)strcspn(at, "\" \t\r"), at);
        if (*value)
            return value;
    }
    return "";
}

/* The release of an implementation that mpi.h is of, by its macros; or "". */
static const char *header_release(const struct site *site, const struct site_mpi *mpi, const char *implementation)
{
    struct list macros = words_said_of(&site->implementations, implementation, "release"), parts = { 0 };
    for (size_t i = 0; i < macros.count; i++) {
        const char *value = header_macro(mpi, macros.words[i]);
        if (*value == 0)
            return "";
        list_add(&parts, value);
    }
    return list_joined(&parts, ".");
}

/* The last macro=vendor of those that mpi.h has of one implementation; or "". */
static const char *header_vendor(const struct site *site, const struct site_mpi *mpi, const char *implementation)
{
    struct list words = words_said_of(&site->implementations, implementation, "vendors");
    const char *vendor = "";
    for (size_t i = 0; i < words.count; i++)
        if (*header_macro(mpi, up_to(words.words[i], '=')))
            vendor = words.words[i];
    return vendor;
}

/* The implementation that mpi.h belongs to; or "". */
static const char *implementation_of_header(const struct site *site, const struct site_mpi *mpi)
{
    const struct list *names = &site->implementations.names;
    for (size_t i = 0; *mpi->header && i < names->count; i++)
        if (*header_release(site, mpi, names->words[i]) || *header_vendor(site, mpi, names->words[i]))
            return names->words[i];
    return "";
}

/* Returns what people call the ABIs of hosts: "A 4 or later, or of B". */
static const char *host_abis(const struct site *site)
{
    struct list hosts = { 0 }, texts = { 0 };
    for (size_t i = 0; i < site->pair_count; i++)
        list_add_once(&hosts, said_in_pair(site->pairs[i], "host"));
    for (size_t i = 0; i < site->families.names.count; i++) {
        const char *name = site->families.names.words[i], *since = of_family(site, name, "since");
        if (list_has(&hosts, name))
            list_add(&texts, arena_text("%s%s%s%s", called(site, name), *since ? " " : "", since, *since ? " or later" : ""));
    }
    return joined(", or of ", &texts);
}

/* Why none of the folders has a library that can be used. */
static struct problem *no_library(const struct site *site, const struct site_mpi *mpi, const struct list *folders)
{
    static const struct list none;
    for (size_t i = 0; i < folders->count; i++) {
        struct list others = other_libraries(folders->words[i], &none);
        if (others.count > 0)
            return problem_of("%s is an MPI library of an unknown ABI; give an MPI with the ABI of %s", described_library(site, others.words[0]),
                              host_abis(site));
    }
    for (size_t i = 0; i < folders->count; i++) {
        struct list files = files_like(arena_text("%s/libmpi*.a", glob_escaped(folders->words[i])));
        for (size_t j = 0; j < files.count; j++)
            if (has_stem(site, arena_text("%s.so", up_to_last(base_name(files.words[j]), '.'))))
                return problem_of("%s has only static libraries (%s), which no adapter can load; build that MPI with --enable-shared", mpi->prefix,
                                  files.words[j]);
    }
    return problem_of("no MPI library is in %s; give the prefix of an MPI installation, or its mpicc", mpi->prefix);
}

/* Lists those that may hold its library: mpicc's own, the prefix's, and for an installation among the system's, the compiler's. */
static struct list library_folders(const struct site_mpi *mpi)
{
    const char *prefix = is_same(mpi->prefix, "/") ? "" : mpi->prefix;
    struct list folders = shown_folders(mpi, "-L");
    list_add(&folders, arena_text("%s/lib", prefix));
    list_add(&folders, arena_text("%s/lib64", prefix));
    list_add(&folders, arena_text("%s/lib/release", prefix));
    if (*prefix == 0 || is_same(prefix, "/usr")) {
        struct list more = files_like(arena_text("%s/lib/*-linux-gnu", prefix));
        list_add_all(&folders, &more);
    }
    return folders;
}

/* The library of that ABI or, without one, of the first that a pair runs on. */
static struct problem *find_library_of(const struct site *site, const char *abi, struct site_mpi *mpi)
{
    struct list folders = library_folders(mpi);
    mpi->implementation = implementation_of_header(site, mpi);
    for (size_t i = 0; i < site->pair_count; i++) {
        struct list names = words_of(said_in_pair(site->pairs[i], "host_libraries"));
        mpi->family = said_in_pair(site->pairs[i], "host");
        if ((*abi && !is_same(abi, mpi->family)) ||
            (*mpi->implementation && !has_word(of_family(site, mpi->family, "implementations"), mpi->implementation)))
            continue;
        for (size_t j = 0; j < folders.count; j++)
            if ((mpi->library = library_in_folder(site, folders.words[j], mpi->family, &names)))
                return 0;
    }
    if (*abi)
        return problem_of("no MPI library of the ABI %s is in %s; give the prefix of an MPI that has it, or leave out --host-abi", abi, mpi->prefix);
    return no_library(site, mpi, &folders);
}

/* By the macros of mpi.h. */
static void read_header(const struct site *site, struct site_mpi *mpi)
{
    const char *whose = whose_library(site, mpi->library, mpi->family);
    mpi->product = mpi->family;
    mpi->name = base_name(mpi->prefix);
    /* For an ABI that several implementations have, another one's header may be in the prefix. */
    if (is_shared(site, mpi->family) && !is_same(whose, mpi->implementation)) {
        mpi->product = of_implementation(site, whose, "version");
        return;
    }
    if (*mpi->implementation == 0)
        return;
    mpi->release = header_release(site, mpi, mpi->implementation);
    if (*mpi->release) {
        mpi->name = mpi->release;
        mpi->product = arena_text("%s %s", of_implementation(site, mpi->implementation, "version"), mpi->release);
    }
    const char *vendor = header_vendor(site, mpi, mpi->implementation);
    if (*vendor == 0)
        return;
    const char *release = header_macro(mpi, up_to(vendor, '='));
    vendor = behind(vendor, '=');
    mpi->name = arena_text("%s-%s", in_small_letters(vendor), release);
    mpi->product = *mpi->release ? arena_text("%s %s (%s)", vendor, release, mpi->product) : arena_text("%s %s", vendor, release);
}

struct problem *find_site_mpi(const struct site *site, const char *given, const char *abi, struct site_mpi *mpi)
{
    *mpi = (struct site_mpi){ "", "", "", "", "", "", "", "", "", { 0 } };
    HAND_ON(find_compiler(given, mpi));
    find_header(mpi);
    HAND_ON(find_library_of(site, abi, mpi));
    read_header(site, mpi);
    return 0;
}

/* A compiler mpicc.X has a launcher mpiexec.X, and so has a link to it. */
static void add_launchers_of(const char *file, struct list *names)
{
    for (int depth = 0; depth < 40; depth++) {
        const char *name = base_name(file), *target = link_text(file);
        if (begins_with(name, "mpicc."))
            list_add(names, arena_text("%s/mpiexec%s", up_to_last(file, '/'), name + strlen("mpicc")));
        if (*target == 0)
            return;
        file = *target == '/' ? target : arena_text("%s/%s", up_to_last(file, '/'), target);
    }
}

struct list site_launchers(const struct site_mpi *mpi, const char *launchers)
{
    const char *folder = *mpi->compiler ? up_to_last(mpi->compiler, '/') : arena_text("%s/bin", is_same(mpi->prefix, "/") ? "" : mpi->prefix);
    struct list names = { 0 }, words = words_of(arena_text("%s mpirun", launchers));
    if (*mpi->compiler)
        add_launchers_of(mpi->compiler, &names);
    for (size_t i = 0; i < words.count; i++)
        list_add(&names, arena_text("%s/%s", folder, words.words[i]));
    return names;
}
