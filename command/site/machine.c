/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "file.h"
#include "launcher.h"
#include "setting.h"
#include "spawn.h"
#include "texts.h"

void note_mpi_library(const struct site *site, struct machine *machine, const char *path)
{
    const char *file = real_path(path), *family;
    if (!file || list_has(&machine->seen, file))
        return;
    list_add(&machine->seen, file);
    if (belongs_to_pair(file) || !(family = family_of_library(site, file)))
        return;
    /* By its folder's own name, as launchers find their installation by it. */
    list_add(&machine->libraries, with_real_folder(path));
    list_add(&machine->families, family);
}

static void note_folder(const struct site *site, struct machine *machine, const char *folder)
{
    struct list names = words_of(said_of_all(&site->families, "libraries")), others;
    for (size_t i = 0; i < names.count; i++) {
        const char *file = arena_text("%s/%s", folder, names.words[i]);
        if (is_file(file))
            note_mpi_library(site, machine, file);
    }
    others = other_libraries(folder, &names);
    for (size_t i = 0; i < others.count; i++)
        note_mpi_library(site, machine, others.words[i]);
}

void note_mpi_prefix(const struct site *site, struct machine *machine, const char *prefix)
{
    note_folder(site, machine, arena_text("%s/lib", prefix));
    note_folder(site, machine, arena_text("%s/lib64", prefix));
    note_folder(site, machine, arena_text("%s/lib/release", prefix));
}

/* The folders that the dynamic linker searches by default. */
static void note_default_libraries(const struct site *site, struct machine *machine)
{
    struct asked asked = { .most = 16 << 20 };
    struct list names = words_of(said_of_all(&site->families, "libraries")), lines = { 0 };
    list_split(&asked.words, "ldconfig -p");
    list_add(&asked.set, arena_text("PATH=%s:/sbin:/usr/sbin", variable("PATH")));
    list_split_at(&lines, said_by(&asked, 0), '\n');
    for (size_t i = 0; i < lines.count; i++) {
        const char *name = lines.words[i] + strspn(lines.words[i], " \t"), *file = strstr(name, " => ");
        name = up_to(name, ' ');
        if (file && (list_has(&names, name) || is_like(name, "libmpi*.so*")))
            note_mpi_library(site, machine, file + 4);
    }
}

static void note_all(const struct site *site, struct machine *machine, const char *list, void note(const struct site *, struct machine *, const char *))
{
    struct list items = parts_of(list);
    for (size_t i = 0; i < items.count; i++)
        note(site, machine, items.words[i]);
}

void find_mpis(const struct site *site, const char *library_path, struct machine *machine)
{
    static const char *const commands[] = { "mpicc", "mpiexec", "mpirun" };
    static const char *const places[] = { "/usr/lib64/*mpi*", "/opt/*mpi*", "/opt/*mpi*/*", "/opt/intel/oneapi/mpi/latest", "/usr/local" };
    struct list names = words_of("MPI_HOME MPI_ROOT MPI_DIR");
    if (*setting(site, "host_library") == '/')
        note_mpi_library(site, machine, setting(site, "host_library"));
    note_all(site, machine, setting(site, "host_prefixes"), note_mpi_prefix);
    for (size_t i = 0; i < site->pair_count; i++)
        if (*said_in_pair(site->pairs[i], "host_library"))
            note_mpi_library(site, machine, said_in_pair(site->pairs[i], "host_library"));
    note_all(site, machine, library_path, note_folder);
    for (size_t i = 0; i < site->implementations.names.count; i++)
        list_split(&names, of_implementation(site, site->implementations.names.words[i], "installed"));
    for (size_t i = 0; i < names.count; i++)
        if (*variable(names.words[i]) == '/')
            note_mpi_prefix(site, machine, variable(names.words[i]));
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *file = find_in_path(commands[i]), *real = file ? real_path(file) : 0, *bin = 0;
        for (const char *at = real; at && (at = strstr(at, "/bin/")); at++)
            bin = at;
        if (bin)
            note_mpi_prefix(site, machine, arena_text("%.*s", (int)(bin - real), real));
    }
    note_default_libraries(site, machine);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct list folders = files_like(places[i]);
        for (size_t j = 0; j < folders.count; j++)
            if (is_folder(folders.words[j]))
                note_mpi_prefix(site, machine, folders.words[j]);
    }
}

/* ---------------------------------------------------------------- launchers */

static void note_launcher(const struct site *site, struct machine *machine, const char *path)
{
    const char *file = is_file(path) && is_startable(path) ? real_path(path) : 0;
    if (!file || list_has(&machine->seen, file))
        return;
    list_add(&machine->seen, file);
    list_add(&machine->launchers, path);
    list_add(&machine->kinds, kind_of_launcher(site, path));
}

void find_launchers(const struct site *site, struct machine *machine)
{
    static const char *const patterns[] = { "mpiexec", "mpiexec.*", "mpirun", "mpirun.*", "orterun", "prterun", "srun" };
    struct list folders = parts_of(arena_text("%s:%s", setting(site, "launcher"), variable("PATH")));
    for (size_t i = 0; i < folders.count; i++) {
        for (size_t j = 0; j < sizeof patterns / sizeof *patterns; j++) {
            struct list files = files_like(arena_text("%s/%s", glob_escaped(folders.words[i]), patterns[j]));
            for (size_t k = 0; k < files.count; k++)
                note_launcher(site, machine, files.words[k]);
        }
        note_launcher(site, machine, folders.words[i]);
    }
}

const char *prefix_of_library(const char *library)
{
    const char *folder = up_to_last(library, '/');
    if (is_same(base_name(folder), "release"))
        folder = up_to_last(folder, '/');
    if (is_like(base_name(folder), "*-linux-gnu"))
        folder = up_to_last(folder, '/');
    return up_to_last(folder, '/');
}

const char *launcher_of_library(const struct site *site, const struct machine *machine, const char *library, const char *family)
{
    const char *whose = whose_library(site, library, family), *kind = of_implementation(site, whose, "launcher");
    struct list names = words_said_of(&site->implementations, whose, "launchers");
    if (*whose == 0)
        return 0;
    list_add(&names, "mpirun");
    for (size_t i = 0; i < names.count; i++) {
        const char *file = arena_text("%s/bin/%s", prefix_of_library(library), names.words[i]);
        if (is_startable(file) && is_same(kind_of_launcher(site, file), kind))
            return file;
    }
    for (size_t i = 0; i < machine->launchers.count; i++)
        if (is_same(machine->kinds.words[i], kind))
            return machine->launchers.words[i];
    return 0;
}
