// SPDX-License-Identifier: BSD-3-Clause
#include "elf-closure.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "allocate.h"
#include "elf/file.h"
#include "elf/search.h"

// A file may ask for anything, and each library that it is given may ask for more. A comparison of names is a step; a place that is looked
// at costs about a thousand.
enum { MOST_OBJECTS = 4096, MOST_STEPS = 1 << 30, STEPS_OF_PLACE = 1024, MOST_TEXT = 64 << 20 };

struct need {
    char *name;
    bool optional;
};

struct object {
    char *name;             // by which it was asked for
    struct elf_asker asker; // its texts are this object's own; without a path it was not found
    const char *soname;     // or NULL
    struct need *needs;
    size_t need_count;
    dev_t device;
    ino_t inode;
};

struct search {
    struct object *objects[MOST_OBJECTS];
    size_t count;
    struct elf_search where;
    char root[PATH_MAX];
    size_t steps, text;     // comparisons, and characters of names that were kept
    const char *limit;      // which limit was exceeded, or NULL
};

static bool count_steps(struct search *search, size_t count)
{
    search->steps += count;
    if (search->steps > MOST_STEPS)
        search->limit = "its libraries are looked for in too many places";
    return !search->limit;
}

// ---------------------------------------------------------------- objects

static void note_need(struct object *object, const char *name, bool optional)
{
    object->needs = grown(object->needs, object->need_count, sizeof *object->needs);
    object->needs[object->need_count++] = (struct need){ copy(name), optional };
}

static void set_text(const char **place, const char *text)
{
    free((char *)*place);
    *place = copy(text);
}

static void note_dynamic(struct elf_file *f, const Elf64_Dyn *entry, void *context)
{
    struct object *object = context;
    switch (entry->d_tag) {
    case DT_SONAME: set_text(&object->soname, elf_entry_text(f, entry)); break;
    case DT_RPATH: set_text(&object->asker.rpath, elf_entry_text(f, entry)); break;
    case DT_RUNPATH: set_text(&object->asker.runpath, elf_entry_text(f, entry)); break;
    case DT_NEEDED:
    case DT_FILTER: note_need(object, elf_entry_text(f, entry), false); break;
    case DT_AUXILIARY: note_need(object, elf_entry_text(f, entry), true); break;
    case DT_FLAGS_1: object->asker.no_default = entry->d_un.d_val & DF_1_NODEFLIB; break;
    default: break;
    }
}

static void note_identity(struct object *object, const struct elf_file *f)
{
    struct stat status;
    if (fstat(f->fd, &status) == 0) {
        object->device = status.st_dev;
        object->inode = status.st_ino;
    }
}

static void read_object(struct search *search, struct object *object, struct elf_file *f, const char *path)
{
    object->asker.path = copy(path);
    note_identity(object, f);
    elf_each_entry(f, note_dynamic, object);
    search->text += f->entry_text;
    if (f->limit || search->text > MOST_TEXT)
        search->limit = f->limit ? f->limit : "it and its libraries need too many names";
}

// A library that is searched for.
struct wanted {
    struct search *search;
    struct object *object;
};

// Reads the library of a path, if it is one for the program's machine; the loader goes on searching where it is not. Past the limit, the
// search is to end.
static bool take_object(const char *path, void *context)
{
    const struct wanted *wanted = context;
    struct search *search = wanted->search;
    struct elf_file f;
    if (!count_steps(search, STEPS_OF_PLACE))
        return true;
    if (access(path, R_OK) != 0)
        return false;
    bool taken = elf_open(&f, path) == ELF_YES && f.header.e_type == ET_DYN &&
                 f.header.e_machine == search->where.machine && f.header.e_ident[EI_CLASS] == search->where.class;
    if (taken)
        read_object(search, wanted->object, &f, path);
    elf_close(&f);
    return taken;
}

// ---------------------------------------------------------------- the closure

static bool is_known(const struct search *search, const char *name)
{
    for (size_t i = 0; i < search->count; i++) {
        const struct object *object = search->objects[i];
        if (strcmp(object->name, name) == 0 || (object->asker.path && strcmp(object->asker.path, name) == 0) ||
            (object->soname && strcmp(object->soname, name) == 0))
            return true;
    }
    return false;
}

static bool is_same_file(const struct search *search, const struct object *object)
{
    for (size_t i = 0; object->asker.path && i < search->count; i++)
        if (search->objects[i]->asker.path && search->objects[i]->inode == object->inode &&
            search->objects[i]->device == object->device)
            return true;
    return false;
}

static void free_object(struct object *object)
{
    for (size_t i = 0; i < object->need_count; i++)
        free(object->needs[i].name);
    free(object->needs);
    free(object->name);
    free((char *)object->asker.path);
    free((char *)object->soname);
    free((char *)object->asker.rpath);
    free((char *)object->asker.runpath);
    free(object);
}

static void ask_for(struct search *search, const struct object *by, const char *name, bool optional)
{
    if (!*name || !count_steps(search, search->count) || is_known(search, name))
        return;
    if (search->count == MOST_OBJECTS) {
        search->limit = "it needs more than 4096 libraries";
        return;
    }
    struct object *object = allocated(calloc(1, sizeof *object));
    object->name = copy(name);
    object->asker.by = &by->asker;
    if (elf_find(&search->where, &by->asker, name, take_object, &(struct wanted){ search, object }) ? is_same_file(search, object) : optional)
        free_object(object);
    else
        search->objects[search->count++] = object;
}

// An LD_PRELOAD is separated by colons and blanks.
static void ask_for_preloads(struct search *search, const char *preload)
{
    char name[PATH_MAX];
    for (size_t length; *preload; preload += length + (preload[length] != 0)) {
        length = strcspn(preload, ": ");
        if (length > 0 && length < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)length, preload);
            ask_for(search, search->objects[0], name, true);
        }
    }
}

// The first object is the program.
static void give_libraries(struct search *search, struct closure *closure)
{
    closure->libraries = allocated(calloc(search->count, sizeof *closure->libraries));
    for (struct object **object = search->objects + 1; object < search->objects + search->count; object++) {
        closure->libraries[closure->count++] = (struct library){ (*object)->name, (char *)(*object)->asker.path };
        (*object)->name = NULL;
        (*object)->asker.path = NULL;
    }
}

// A loader of another place has its libraries there: /opt/glibc/lib/ld.so.
static void set_root(struct search *search, const char *interpreter)
{
    const char *end = interpreter ? strstr(interpreter, "/lib") : NULL;
    if (end && end - interpreter < PATH_MAX)
        snprintf(search->root, sizeof search->root, "%.*s", (int)(end - interpreter), interpreter);
    if (strcmp(search->root, "/usr") == 0)
        search->root[0] = 0;
}

static int read_program(struct search *search, const char *path, const char **problem)
{
    struct elf_file f;
    const char *interpreter = NULL;
    char *real = realpath(path, NULL);
    int code = elf_open(&f, path);
    if (code == ELF_YES && !elf_interpreter(&f, &interpreter))
        code = elf_fail(&f, ELF_DAMAGED, "interpreter name is cut short");
    if (code == ELF_YES) {
        search->where.machine = f.header.e_machine;
        search->where.class = f.header.e_ident[EI_CLASS];
        set_root(search, interpreter);
        read_object(search, search->objects[0], &f, real ? real : path);
        search->where.program = search->objects[0]->asker.path;
    }
    *problem = f.problem;
    elf_close(&f);
    free(real);
    return code;
}

static void walk_objects(struct search *search, const char *preload)
{
    ask_for_preloads(search, preload);
    for (size_t i = 0; i < search->count && !search->limit; i++) {
        const struct object *object = search->objects[i];
        for (size_t j = 0; j < object->need_count && !search->limit; j++)
            ask_for(search, object, object->needs[j].name, object->needs[j].optional);
    }
}

int closure_read(struct closure *closure, const char *path, const char *library_path, const char *preload)
{
    static struct search search;
    *closure = (struct closure){ .count = 0 };
    search = (struct search){ .where = { .library_path = library_path, .root = search.root } };
    search.objects[search.count++] = allocated(calloc(1, sizeof(struct object)));
    search.objects[0]->name = copy("");
    int code = read_program(&search, path, &closure->problem);
    if (code == ELF_YES) {
        walk_objects(&search, preload ? preload : "");
        give_libraries(&search, closure);
        elf_search_end(&search.where);
    }
    if (code == ELF_YES && search.limit) {
        closure->problem = search.limit;
        code = ELF_DAMAGED;
    }
    while (search.count > 0)
        free_object(search.objects[--search.count]);
    return code;
}

void closure_free(struct closure *closure)
{
    for (size_t i = 0; i < closure->count; i++) {
        free(closure->libraries[i].name);
        free(closure->libraries[i].path);
    }
    free(closure->libraries);
    closure->libraries = NULL;
    closure->count = 0;
}
