// SPDX-License-Identifier: BSD-3-Clause
#include "program.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../elf/allocate.h"
#include "elf/file.h"
#include "../elf/text.h"

const char *const language_names[LANGUAGES] = {
    [LANGUAGE_C] = "C",
    [LANGUAGE_CXX] = "C++",
    [LANGUAGE_FORTRAN] = "Fortran",
};

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool fits_one(const char *name, const char *const *patterns)
{
    for (; *patterns; patterns++)
        if (fnmatch(*patterns, name, 0) == 0)
            return true;
    return false;
}

// Whether two libraries have the same name but for their versions.
static bool are_releases(const char *name, const char *other)
{
    const char *end = strstr(name, ".so");
    size_t length = end ? (size_t)(end - name) + strlen(".so") : 0;
    return length && strncmp(name, other, length) == 0;
}

static bool look_for_entry(void *found, const Elf64_Sym *symbol, const char *name)
{
    *(bool *)found = symbol->st_shndx != SHN_UNDEF && (strcmp(name, "PMPI_Init") == 0 || strcmp(name, "pmpi_init_") == 0);
    return !*(bool *)found;
}

// Whether a library has MPI's own entry points, for C or for Fortran: a tool has no PMPI_ ones.
static bool exports_mpi(const char *path)
{
    struct elf_file f;
    bool found = false;
    if (elf_open(&f, path) == ELF_YES)
        elf_each_symbol(&f, look_for_entry, &found);
    elf_close(&f);
    return found;
}

// One of a family's by its name, whatever its version, or by what it exports. One that is missing is told by what
// MPI's are usually called.
bool is_mpi_library(const struct program *program, const struct library *library)
{
    static const char *const patterns[] = { "libmpi*.so*", NULL };
    const char *name = base_name(library->name);
    for (size_t i = 0; i < program->mpi_sonames.count; i++)
        if (are_releases(program->mpi_sonames.items[i], name))
            return true;
    return library->path ? exports_mpi(library->path) : fits_one(name, patterns);
}

// ---------------------------------------------------------------- imports

// The notes on a file, and whether it imports anything of MPI.
struct reading {
    struct program *program;
    bool uses_mpi;
};

static bool note_name(struct reading *reading, const char *name, bool is_object, bool is_copied)
{
    struct program *program = reading->program;
    unsigned interfaces = interfaces_of(name);
    if (!interfaces)
        return true;
    reading->uses_mpi = true;
    program->interfaces |= interfaces;
    program->imports = grown(program->imports, program->import_count, sizeof *program->imports);
    program->imports[program->import_count++] = (struct import){ copy(name), procedure_of(name), is_object, is_copied };
    return true;
}

static bool note_import(void *context, const Elf64_Sym *symbol, const char *name)
{
    return symbol->st_shndx != SHN_UNDEF || note_name(context, name, ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT, false);
}

// Data that the program has a copy of is a library's.
static bool note_copy(void *context, const Elf64_Sym *symbol, const char *name)
{
    (void)symbol;
    return note_name(context, name, true, true);
}

static void note_search_path(struct elf_file *f, const Elf64_Dyn *entry, void *context)
{
    struct program *program = context;
    if (entry->d_tag != DT_RPATH && entry->d_tag != DT_RUNPATH)
        return;
    program->search_paths = grown(program->search_paths, program->search_path_count, sizeof *program->search_paths);
    program->search_paths[program->search_path_count++] = (struct search_path){
        f->path, entry->d_tag == DT_RPATH, copy(elf_entry_text(f, entry)),
    };
}

static bool is_native(const struct program *program, const char *path)
{
    for (size_t i = 0; i < program->native.count; i++)
        if (strcmp(program->native.items[i], path) == 0)
            return true;
    return false;
}

static void read_file(struct program *program, const char *path)
{
    struct elf_file f;
    struct reading reading = { program, path == program->file };
    if (elf_open(&f, path) == ELF_YES) {
        if (!is_native(program, path) &&
            (elf_each_symbol(&f, note_import, &reading) == ELF_DAMAGED || elf_each_copied(&f, note_copy, &reading) == ELF_DAMAGED)) {
            char *name = copy(path);
            text_make_plain(name);
            fprintf(stderr, "mpi-adapter: not all calls of %s are known, as %s; build it again\n", name, f.problem);
            free(name);
        }
        elf_each_entry(&f, note_search_path, program);
    }
    elf_close(&f);
    if (reading.uses_mpi)
        names_add(&program->files, path);
}

// An object first: a file that does not know what a symbol is imports it as a function is.
static int compare_imports(const void *a, const void *b)
{
    const struct import *first = a, *second = b;
    int order = strcmp(first->symbol, second->symbol);
    return order ? order : second->object - first->object;
}

static void free_import(struct import *import)
{
    free(import->symbol);
    free(import->procedure);
}

// Sorts the imports, and keeps each symbol once.
static void settle_imports(struct program *program)
{
    size_t kept = 0;
    if (program->import_count)
        qsort(program->imports, program->import_count, sizeof *program->imports, compare_imports);
    for (size_t i = 0; i < program->import_count; i++) {
        if (kept && strcmp(program->imports[kept - 1].symbol, program->imports[i].symbol) == 0) {
            program->imports[kept - 1].copied |= program->imports[i].copied;
            free_import(&program->imports[i]);
        } else
            program->imports[kept++] = program->imports[i];
    }
    program->import_count = kept;
}

// ---------------------------------------------------------------- languages

static void note_languages(struct program *program)
{
    static const char *const fortran[] = { "libgfortran.so*", "libifcore.so*", "libflang*.so*", "libnvf.so*", NULL };
    static const char *const cxx[] = { "libstdc++.so*", "libc++.so*", NULL };
    unsigned languages = 0;
    for (size_t i = 0; i < program->libraries.count; i++) {
        const char *name = base_name(program->libraries.libraries[i].name);
        languages |= (unsigned)fits_one(name, fortran) << LANGUAGE_FORTRAN | (unsigned)fits_one(name, cxx) << LANGUAGE_CXX;
    }
    if (program->interfaces & (1u << INTERFACE_MPI_F08 | 1u << INTERFACE_MPIF))
        languages |= 1u << LANGUAGE_FORTRAN;
    if (program->interfaces & 1u << INTERFACE_CXX)
        languages |= 1u << LANGUAGE_CXX;
    if (!(languages & 1u << LANGUAGE_FORTRAN) || program->interfaces & 1u << INTERFACE_C)
        languages |= 1u << LANGUAGE_C;
    program->languages = languages;
}

// ---------------------------------------------------------------- the whole

void program_read(struct program *program, const char *library_path)
{
    closure_read(&program->libraries, program->file, library_path, "");
    read_file(program, program->file);
    for (size_t i = 0; i < program->libraries.count; i++) {
        const struct library *library = &program->libraries.libraries[i];
        if (library->path && !is_mpi_library(program, library))
            read_file(program, library->path);
    }
    names_sort(&program->files);
    settle_imports(program);
    note_languages(program);
}

void program_free(struct program *program)
{
    while (program->import_count)
        free_import(&program->imports[--program->import_count]);
    while (program->search_path_count)
        free(program->search_paths[--program->search_path_count].folders);
    free(program->imports);
    free(program->search_paths);
    names_free(&program->mpi_sonames);
    names_free(&program->native);
    names_free(&program->files);
    closure_free(&program->libraries);
}

// ---------------------------------------------------------------- questions

struct left {
    const char *words;  // LIBRARY=RELEASE...
    char *release;      // the first one's that is needed
};

static void compare_left(struct elf_file *f, const Elf64_Dyn *entry, void *context)
{
    struct left *left = context;
    if (entry->d_tag != DT_NEEDED)
        return;
    char *words = copy(left->words), *place = words;
    for (char *word; !left->release && (word = strsep(&place, " "));) {
        const char *library = strsep(&word, "=");
        if (word && strcmp(library, elf_entry_text(f, entry)) == 0)
            left->release = copy(word);
    }
    free(words);
}

char *release_that_left(const struct program *program)
{
    struct left left = { program->left ? program->left : "", NULL };
    struct elf_file f;
    if (elf_open(&f, program->file) == ELF_YES && f.dynamic.present)
        elf_each_entry(&f, compare_left, &left);
    elf_close(&f);
    return left.release;
}

char *missing_folders(const struct search_path *path)
{
    char *missing = copy(""), *rest = copy(path->folders), *place = rest;
    struct stat status;
    for (char *folder; (folder = strsep(&place, ":"));) {
        char *more;
        if (!*folder || strchr(folder, '$') || (stat(folder, &status) == 0 && S_ISDIR(status.st_mode)))
            continue;
        allocated(asprintf(&more, "%s %s", missing, folder) < 0 ? NULL : more);
        free(missing);
        missing = more;
    }
    free(rest);
    return missing;
}
