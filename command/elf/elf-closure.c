// SPDX-License-Identifier: BSD-3-Clause
// As ld.so(8) of the GNU C library searches, but for the variants of
// libraries for newer processors (glibc-hwcaps).
#include "elf-closure.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "allocate.h"
#include "elf/file.h"
#include "process/loader_cache.h"

// A file may ask for anything, and each library that it is given may ask for more. A comparison of names is a step; a place that is looked
// at costs about a thousand.
enum { MOST_OBJECTS = 4096, MOST_STEPS = 1 << 30, STEPS_OF_PLACE = 1024, MOST_TEXT = 64 << 20 };

struct need {
    char *name;
    bool optional;
};

struct object {
    char *name;             // by which it was asked for
    char *path;             // NULL: not found
    char *soname;           // or NULL
    char *rpath, *runpath;  // or NULL
    bool no_default;        // DF_1_NODEFLIB
    struct need *needs;
    size_t need_count;
    const struct object *asked_by;
    dev_t device;
    ino_t inode;
};

struct search {
    struct object *objects[MOST_OBJECTS];
    size_t count;
    const char *library_path;
    char root[PATH_MAX];    // what the program's own loader takes for /
    char triplet[64];       // of Debian's folders
    unsigned char class;
    Elf64_Half machine;
    struct loader_cache cache;
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

static void set_text(char **place, const char *text)
{
    free(*place);
    *place = copy(text);
}

static void note_dynamic(struct elf_file *f, const Elf64_Dyn *entry, void *context)
{
    struct object *object = context;
    switch (entry->d_tag) {
    case DT_SONAME: set_text(&object->soname, elf_entry_text(f, entry)); break;
    case DT_RPATH: set_text(&object->rpath, elf_entry_text(f, entry)); break;
    case DT_RUNPATH: set_text(&object->runpath, elf_entry_text(f, entry)); break;
    case DT_NEEDED:
    case DT_FILTER: note_need(object, elf_entry_text(f, entry), false); break;
    case DT_AUXILIARY: note_need(object, elf_entry_text(f, entry), true); break;
    case DT_FLAGS_1: object->no_default = entry->d_un.d_val & DF_1_NODEFLIB; break;
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
    object->path = copy(path);
    note_identity(object, f);
    elf_each_entry(f, note_dynamic, object);
    search->text += f->entry_text;
    if (f->limit || search->text > MOST_TEXT)
        search->limit = f->limit ? f->limit : "it and its libraries need too many names";
}

// Reads the library of a path, if it is one for the program's machine; the
// loader goes on searching where it is not.
static bool take_object(struct search *search, struct object *object, const char *path)
{
    struct elf_file f;
    if (!count_steps(search, STEPS_OF_PLACE) || access(path, R_OK) != 0)
        return false;
    bool taken = elf_open(&f, path) == ELF_YES && f.header.e_type == ET_DYN &&
                 f.header.e_machine == search->machine && f.header.e_ident[EI_CLASS] == search->class;
    if (taken)
        read_object(search, object, &f, path);
    elf_close(&f);
    return taken;
}

// ---------------------------------------------------------------- folders

static const char *library_folder(const struct search *search)
{
    static char folder[80];
    struct stat status;
    snprintf(folder, sizeof folder, "/lib/%s", search->triplet);
    if (stat(folder, &status) == 0)
        return folder + 1;
    return search->class == ELFCLASS64 ? "lib64" : "lib";
}

// Returns the text that replaces a token such as $ORIGIN or ${ORIGIN} at the beginning of a text, and sets the token's length; or NULL.
static const char *token_value(const struct search *search, const char *origin, const char *text, size_t *length)
{
    const char *platform = (const char *)getauxval(AT_PLATFORM);
    const struct { const char *name, *value; } tokens[] = {
        { "ORIGIN", origin }, { "LIB", library_folder(search) }, { "PLATFORM", platform ? platform : "" },
    };
    bool braces = text[1] == '{';
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        size_t size = strlen(tokens[i].name);
        if (strncmp(text + 1 + braces, tokens[i].name, size) != 0 || (braces && text[2 + size] != '}'))
            continue;
        *length = 1 + size + 2 * braces;
        return tokens[i].value;
    }
    return NULL;
}

// Writes text[0..length) with its tokens replaced; false if it is too long.
static bool expand_path(const struct search *search, const struct object *of, const char *text, size_t length,
                        char result[PATH_MAX])
{
    char origin[PATH_MAX] = "";
    const char *slash = of->path ? strrchr(of->path, '/') : NULL;
    size_t used = 0;
    if (slash)
        snprintf(origin, sizeof origin, "%.*s", slash == of->path ? 1 : (int)(slash - of->path), of->path);
    for (size_t i = 0, size; i < length; i += size) {
        const char *value = text[i] == '$' ? token_value(search, origin, text + i, &size) : NULL;
        int written;
        if (value) {
            written = snprintf(result + used, PATH_MAX - used, "%s", value);
        } else {
            size = 1;
            written = snprintf(result + used, PATH_MAX - used, "%c", text[i]);
        }
        used += (size_t)written;
        if (used >= PATH_MAX)
            return false;
    }
    result[used] = 0;
    return true;
}

static bool take_from(struct search *search, struct object *object, const char *folder)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", *folder ? folder : ".", object->name) < (int)sizeof path &&
           take_object(search, object, path);
}

// Searches the folders of a list that belongs to an object.
static bool take_from_list(struct search *search, struct object *object, const char *list, const struct object *of)
{
    char folder[PATH_MAX];
    if (!list || !*list)
        return false;
    for (;; list++) {
        size_t length = strcspn(list, ":;");
        if (expand_path(search, of, list, length, folder) && take_from(search, object, folder))
            return true;
        list += length;
        if (!*list)
            return false;
    }
}

// DT_RPATH of who asks, of who asked for that one, and so on; of none if who
// asks has a DT_RUNPATH.
static bool take_by_rpath(struct search *search, struct object *object)
{
    if (object->asked_by->runpath)
        return false;
    for (const struct object *of = object->asked_by; of; of = of->asked_by)
        if (!of->runpath && take_from_list(search, object, of->rpath, of))
            return true;
    return false;
}

static bool take_from_cache(struct search *search, struct object *object)
{
    const char *path;
    for (size_t i = 0; (path = loader_cache_find(&search->cache, object->name, &i));)
        if (take_object(search, object, path))
            return true;
    return false;
}

static bool take_by_default(struct search *search, struct object *object)
{
    static const char *const folders[] = {
        "lib/%s", "usr/lib/%s", "lib64", "usr/lib64", "lib", "usr/lib",
    };
    char place[128], folder[PATH_MAX + 128];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(place, sizeof place, folders[i], search->triplet);
        snprintf(folder, sizeof folder, "%s/%s", search->root, place);
        if (take_from(search, object, folder))
            return true;
    }
    return false;
}

static bool find_object(struct search *search, struct object *object)
{
    const struct object *by = object->asked_by, *program = search->objects[0];
    char path[PATH_MAX];
    if (strchr(object->name, '/'))
        return expand_path(search, by, object->name, strlen(object->name), path) && take_object(search, object, path);
    return take_by_rpath(search, object) || take_from_list(search, object, search->library_path, program) ||
           take_from_list(search, object, by->runpath, by) ||
           (!by->no_default && (take_from_cache(search, object) || take_by_default(search, object)));
}

// ---------------------------------------------------------------- the closure

static bool is_known(const struct search *search, const char *name)
{
    for (size_t i = 0; i < search->count; i++) {
        const struct object *object = search->objects[i];
        if (strcmp(object->name, name) == 0 || (object->path && strcmp(object->path, name) == 0) ||
            (object->soname && strcmp(object->soname, name) == 0))
            return true;
    }
    return false;
}

static bool is_same_file(const struct search *search, const struct object *object)
{
    for (size_t i = 0; object->path && i < search->count; i++)
        if (search->objects[i]->path && search->objects[i]->inode == object->inode &&
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
    free(object->path);
    free(object->soname);
    free(object->rpath);
    free(object->runpath);
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
    object->asked_by = by;
    if (find_object(search, object) ? is_same_file(search, object) : optional)
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
        closure->libraries[closure->count++] = (struct library){ (*object)->name, (*object)->path };
        (*object)->name = (*object)->path = NULL;
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
        search->machine = f.header.e_machine;
        search->class = f.header.e_ident[EI_CLASS];
        snprintf(search->triplet, sizeof search->triplet, "%s-linux-gnu",
                 elf_machine_name(search->machine) ? elf_machine_name(search->machine) : "unknown");
        set_root(search, interpreter);
        read_object(search, search->objects[0], &f, real ? real : path);
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
    search = (struct search){ .library_path = library_path };
    search.objects[search.count++] = allocated(calloc(1, sizeof(struct object)));
    search.objects[0]->name = copy("");
    int code = read_program(&search, path, &closure->problem);
    if (code == ELF_YES) {
        loader_cache_open(&search.cache, search.root);
        walk_objects(&search, preload ? preload : "");
        give_libraries(&search, closure);
        loader_cache_close(&search.cache);
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
