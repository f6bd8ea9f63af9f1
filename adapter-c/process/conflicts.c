/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/conflicts.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert/types.h"
#include "elf/search.h"
#include "process/needed.h"

/* A list of texts that grows. */
struct texts {
    char **all;
    size_t count;
};

/* A file of either side, as far as it was read. */
struct library {
    char *path;
    char *rpath, *runpath;
    int no_default;
    struct texts needed, of, versions, defined; /* versions[i] is needed of the library of[i] */
};

/* A library that the host's MPI needs. */
struct node {
    char *name;
    struct library host;
    struct library program; /* the program's file, if that is another than the host's */
    int is_loaded;          /* the program's is */
    int is_needed;          /* by a library of the host's that is used */
    int is_used;            /* the host's file is, be it beside the program's */
    char *version, *needed_by; /* what the program's lacks; or what it needs itself, and would not get */
};

struct walk {
    const struct both_sides *sides;
    struct elf_search search; /* for what the host's libraries need */
    struct node **nodes; /* in the order in which they are found */
    size_t count;
    struct node **ended; /* in the order in which what they need was found, too */
    size_t ended_count;
    int is_short;
};

/* ---- memory ---- */

static void *grow_array(struct walk *walk, void *items, size_t count, size_t size)
{
    void *larger = count & (count - 1) ? items : realloc(items, (count ? 2 * count : 1) * size);
    walk->is_short |= !larger;
    return larger;
}

static char *copy_text(struct walk *walk, const char *text)
{
    char *copied = strdup(text);
    walk->is_short |= !copied;
    return copied;
}

static void add_text(struct walk *walk, struct texts *texts, const char *text)
{
    char **larger = grow_array(walk, texts->all, texts->count, sizeof *larger), *copied = copy_text(walk, text);
    if (larger)
        texts->all = larger;
    if (larger && copied)
        texts->all[texts->count++] = copied;
    else
        free(copied);
}

static int has_text(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++)
        if (strcmp(texts->all[i], text) == 0)
            return 1;
    return 0;
}

static void free_texts(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->all[i]);
    free(texts->all);
}

static void free_library(struct library *library)
{
    free(library->path);
    free(library->rpath);
    free(library->runpath);
    free_texts(&library->needed);
    free_texts(&library->of);
    free_texts(&library->versions);
    free_texts(&library->defined);
}

static void free_node(struct node *node)
{
    free_library(&node->host);
    free_library(&node->program);
    free(node->name);
    free(node->version);
    free(node->needed_by);
    free(node);
}

/* ---- files ---- */

struct noting {
    struct walk *walk;
    struct library *library;
};

static void note_fact(enum library_fact fact, const char *text, const char *of, void *context)
{
    struct noting *reading = context;
    struct library *library = reading->library;
    if (fact == FACT_NEEDED)
        add_text(reading->walk, &library->needed, text);
    else if (fact == FACT_RPATH && !library->rpath)
        library->rpath = copy_text(reading->walk, text);
    else if (fact == FACT_RUNPATH && !library->runpath)
        library->runpath = copy_text(reading->walk, text);
    else if (fact == FACT_NO_DEFAULT)
        library->no_default = 1;
    else if (fact == FACT_VERSION_DEFINED)
        add_text(reading->walk, &library->defined, text);
    else if (fact == FACT_VERSION_NEEDED) {
        add_text(reading->walk, &library->versions, text);
        add_text(reading->walk, &library->of, of);
    }
}

static void read_library(struct walk *walk, struct library *library, const char *path)
{
    library->path = copy_text(walk, path);
    library_facts(path, note_fact, &(struct noting){ walk, library });
}

static void ignore_fact(enum library_fact fact, const char *text, const char *of, void *context)
{
    (void)fact, (void)text, (void)of, (void)context;
}

static int is_same_file(const char *one, const char *other)
{
    struct stat first, second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* ---- folders ---- */

/* True if the `length` characters at `part` are one of the parts of a list. */
static int has_part(const char *list, const char *part, size_t length)
{
    for (size_t listed; *list; list += listed + (list[listed] == ':')) {
        listed = strcspn(list, ":");
        if (listed == length && strncmp(list, part, length) == 0)
            return 1;
    }
    return 0;
}

/* Folders of a list are searched alike in any process. */
static const struct elf_search anywhere;

/* Takes a library's path. The dynamic linker passes over libraries of other machines. */
static bool take_library(const char *path, void *taken)
{
    return access(path, R_OK) == 0 && library_facts(path, ignore_fact, 0) && snprintf(taken, PATH_MAX, "%s", path) < PATH_MAX;
}

/* Looks in each folder of a list that belongs to the library `of`. */
static int find_in(const char *folders, const char *of, const char *name, char path[PATH_MAX])
{
    return elf_find_in(&anywhere, folders, of, name, take_library, path);
}

char *conflicts_expanded(const char *folders, const char *of)
{
    char folder[PATH_MAX], *list = strdup(""), *longer;
    for (size_t length; list && *folders; folders += length + (folders[length] != 0)) {
        length = strcspn(folders, ":");
        if (length == 0 || !elf_expand(&anywhere, of, folders, length, folder))
            continue;
        if (asprintf(&longer, "%s%s%s", list, *list ? ":" : "", folder) < 0)
            longer = 0;
        free(list);
        list = longer;
    }
    return list;
}

/* A library, and who needs it, and who needs that one: their DT_RPATHs are searched for it. */
static struct elf_asker asker_of(const struct library *library, const struct elf_asker *by)
{
    return (struct elf_asker){ library->path, library->rpath, library->runpath, library->no_default, by };
}

static int find_for_host(struct walk *walk, const struct elf_asker *by, const char *name, char path[PATH_MAX])
{
    return elf_find(&walk->search, by, name, take_library, path);
}

static const char *find_loaded(const struct both_sides *sides, const char *name)
{
    for (size_t i = 0; i < sides->loaded_count; i++)
        if (strcmp(sides->loaded[i].name, name) == 0)
            return sides->loaded[i].path;
    return 0;
}

/* ---- the walk ---- */

static struct node *find_node(const struct walk *walk, const char *name)
{
    for (size_t i = 0; i < walk->count; i++)
        if (strcmp(walk->nodes[i]->name, name) == 0)
            return walk->nodes[i];
    return 0;
}

/* Notes the program's file of this name, if that is another than the host's. */
static void find_program_file(struct walk *walk, struct node *node)
{
    char path[PATH_MAX];
    const char *found = find_loaded(walk->sides, node->name);
    node->is_loaded = found != 0;
    if (!found && find_in(walk->sides->program_folders, "", node->name, path))
        found = path;
    if (found && !is_same_file(found, node->host.path))
        read_library(walk, &node->program, found);
}

static struct node *add_node(struct walk *walk, const char *name, const char *path)
{
    struct node **nodes = grow_array(walk, walk->nodes, walk->count, sizeof *nodes), *node = calloc(1, sizeof *node);
    walk->is_short |= !node;
    if (nodes)
        walk->nodes = nodes;
    if (!nodes || !node || !(node->name = copy_text(walk, name))) {
        free(node);
        return 0;
    }
    walk->nodes[walk->count++] = node;
    read_library(walk, &node->host, path);
    if (!walk->is_short)
        find_program_file(walk, node);
    return node;
}

static void end_node(struct walk *walk, struct node *node)
{
    struct node **ended = grow_array(walk, walk->ended, walk->ended_count, sizeof *ended);
    if (!ended)
        return;
    walk->ended = ended;
    walk->ended[walk->ended_count++] = node;
}

static void walk_needed(struct walk *walk, const struct library *needing, const struct elf_asker *by)
{
    char path[PATH_MAX];
    struct elf_asker asker = asker_of(needing, by);
    for (size_t i = 0; i < needing->needed.count && !walk->is_short; i++) {
        const char *name = needing->needed.all[i];
        if (find_node(walk, name) || has_part(walk->sides->left_out, name, strlen(name)) || !find_for_host(walk, &asker, name, path))
            continue;
        struct node *node = add_node(walk, name, path);
        if (!node || walk->is_short)
            return;
        walk_needed(walk, &node->host, &asker);
        end_node(walk, node);
    }
}

/* ---- the rules ---- */

/* Libraries without versions that there can be only one of in a process, by the beginning of their names. UCX replaces functions of
 * the process that allocate and map memory, and its plugins register with the first of its libraries as they are loaded. So do libnl's
 * other libraries with libnl-3. */
static const char *const only_one[] = { "libucm.so.", "libucs.so.", "libuct.so.", "libucp.so.", "libnl-" };

static int is_only_one(const char *name)
{
    for (size_t i = 0; i < sizeof only_one / sizeof *only_one; i++)
        if (strncmp(name, only_one[i], strlen(only_one[i])) == 0)
            return 1;
    return 0;
}

static int has_versions(const struct node *node)
{
    return node->program.defined.count > 0 && node->host.defined.count > 0;
}

/* Notes a version that a library of the host's needs and the program's library does not define. */
static void check_versions(struct walk *walk, const struct library *library)
{
    for (size_t i = 0; i < library->versions.count && i < library->of.count; i++) {
        struct node *node = find_node(walk, library->of.all[i]);
        if (!node || !node->program.path || node->version || !has_versions(node) ||
            has_text(&node->program.defined, library->versions.all[i]))
            continue;
        node->version = copy_text(walk, library->versions.all[i]);
        node->needed_by = copy_text(walk, library->path);
    }
}

/* Notes for a library of the program's what it needs of another one of which the host's is to be loaded, and which that lacks: the two
 * would not fit each other, and both are to be the host's. Returns whether there is any. */
static int check_own_needs(struct walk *walk, struct node *node)
{
    const struct library *program = &node->program;
    if (!program->path || node->version || (node->is_loaded && !has_versions(node)))
        return 0;
    for (size_t i = 0; i < program->versions.count && i < program->of.count; i++) {
        const struct node *other = find_node(walk, program->of.all[i]);
        if (!other || !other->version || has_text(&other->host.defined, program->versions.all[i]))
            continue;
        node->version = copy_text(walk, program->versions.all[i]);
        node->needed_by = copy_text(walk, program->path);
        return 1;
    }
    return 0;
}

/* The program's file is in the place of the host's as long as nobody needs a version that it lacks. Then nobody loads the host's, and
 * what that needs does not count. */
static int uses_host(const struct node *node)
{
    return !node->program.path || !has_versions(node) || node->version;
}

/* Marks what a used library of the host's needs. Returns 1 if one more library is used. */
static int mark_needed(struct walk *walk, const struct library *library)
{
    int is_changed = 0;
    for (size_t i = 0; i < library->needed.count; i++) {
        struct node *node = find_node(walk, library->needed.all[i]);
        if (!node)
            continue;
        node->is_needed = 1;
        if (node->is_used || !uses_host(node))
            continue;
        node->is_used = is_changed = 1;
        check_versions(walk, &node->host);
    }
    return is_changed;
}

/* Every library of the host's that is used may need versions that make more of them used, and so may a library of the program's. */
static void check_needs(struct walk *walk, const struct library *root)
{
    int is_changed;
    check_versions(walk, root);
    do {
        is_changed = mark_needed(walk, root);
        for (size_t i = 0; i < walk->count; i++)
            if (walk->nodes[i]->is_used)
                is_changed |= mark_needed(walk, &walk->nodes[i]->host);
        for (size_t i = 0; i < walk->count; i++)
            is_changed |= check_own_needs(walk, walk->nodes[i]);
    } while (is_changed && !walk->is_short);
}

static int needs_version(const struct library *library, const char *of, const char *version)
{
    for (size_t i = 0; i < library->versions.count && i < library->of.count; i++)
        if (strcmp(library->versions.all[i], version) == 0 && strcmp(library->of.all[i], of) == 0)
            return 1;
    return 0;
}

/* Returns whether this file of the program's needs a version that the host's library lacks. */
static int needs_more_than_host(struct walk *walk, const char *path, const struct node *node)
{
    struct library library = { .path = 0 };
    int needs_more = 0;
    read_library(walk, &library, path);
    for (size_t i = 0; i < node->program.defined.count && !needs_more; i++)
        needs_more = !has_text(&node->host.defined, node->program.defined.all[i]) &&
                     needs_version(&library, node->name, node->program.defined.all[i]);
    free_library(&library);
    return needs_more;
}

/* Versions that a library defines for others of its own release, as libibverbs does, are no loss if the program has loaded none of those. */
static int host_serves_both(struct walk *walk, const struct node *node)
{
    if (!has_versions(node) || needs_more_than_host(walk, walk->sides->program, node))
        return 0;
    for (size_t i = 0; i < walk->sides->loaded_count && !walk->is_short; i++) {
        const struct node *other = find_node(walk, walk->sides->loaded[i].name);
        if (!(other && other->version) && needs_more_than_host(walk, walk->sides->loaded[i].path, node))
            return 0;
    }
    return 1;
}

static enum conflict_kind kind_of(const struct node *node)
{
    if (!node->is_loaded)
        return CONFLICT_FIRST;
    if (has_versions(node))
        return CONFLICT_REFUSED;
    return is_only_one(node->name) ? CONFLICT_ONE : CONFLICT_APART;
}

static void judge_node(struct walk *walk, const struct node *node, void (*visit)(const struct conflict *conflict, void *context),
                       void *context)
{
    if (!node->program.path || !node->is_needed || !uses_host(node))
        return;
    struct conflict conflict = {
        .kind = kind_of(node), .name = node->name, .program = node->program.path, .host = node->host.path, .version = node->version,
        .needed_by = node->needed_by,
    };
    if (conflict.kind == CONFLICT_REFUSED)
        conflict.host_serves_both = host_serves_both(walk, node);
    visit(&conflict, context);
}

static struct walk begin_walk(const struct both_sides *sides)
{
    return (struct walk){ .sides = sides,
                          .search = { .root = sides->root, .library_path = sides->host_folders, .program = "", .defaults = sides->system_folders } };
}

static void end_walk(struct walk *walk, struct library *root)
{
    for (size_t i = 0; i < walk->count; i++)
        free_node(walk->nodes[i]);
    free(walk->nodes);
    free(walk->ended);
    free_library(root);
    elf_search_end(&walk->search);
}

int conflicts_find(const char *library, const struct both_sides *sides,
                   void (*visit)(const struct conflict *conflict, void *context), void *context)
{
    struct walk walk = begin_walk(sides);
    struct library root = { .path = 0 };
    read_library(&walk, &root, library);
    if (!walk.is_short)
        walk_needed(&walk, &root, 0);
    check_needs(&walk, &root);
    for (size_t i = 0; i < walk.ended_count && !walk.is_short; i++)
        judge_node(&walk, walk.ended[i], visit, context);
    end_walk(&walk, &root);
    return !walk.is_short;
}

int conflicts_host_file(const char *name, const char *library, const struct both_sides *sides, char *path)
{
    struct walk walk = begin_walk(sides);
    struct library root = { .path = 0 };
    read_library(&walk, &root, library);
    struct elf_asker asker = asker_of(&root, 0);
    int is_found = !walk.is_short && find_for_host(&walk, &asker, name, path);
    end_walk(&walk, &root);
    return is_found;
}

/* ---- where either side's libraries are ---- */

int conflicts_of_system(const char *folder, size_t length)
{
    const char *end = folder + length;
    folder += length > 5 && strncmp(folder, "/usr/", 5) == 0 ? 4 : 0;
    if (end - folder < 4 || strncmp(folder, "/lib", 4) != 0)
        return 0;
    folder += 4;
    while (folder < end && strchr("x3264", *folder))
        folder++;
    size_t left = (size_t)(end - folder);
    return left == 0 || (*folder == '/' && !memchr(folder + 1, '/', left - 1) && memmem(folder, left, "-linux-", 7));
}

static int has_libraries(const char *folder)
{
    DIR *open = opendir(folder);
    const struct dirent *entry = 0;
    while (open && (entry = readdir(open)) && !(strncmp(entry->d_name, "lib", 3) == 0 && strstr(entry->d_name, ".so.")))
        ;
    if (open)
        closedir(open);
    return entry != 0;
}

char *conflicts_environment(const char *library_path, const char *adapter_folder)
{
    char folder[PATH_MAX], *list = calloc(1, library_path ? strlen(library_path) + 2 : 1), *end = list;
    size_t own = strlen(adapter_folder);
    for (size_t length; list && library_path && *library_path; library_path += length + (library_path[length] == ':')) {
        length = strcspn(library_path, ":");
        if (length == 0 || length >= PATH_MAX || conflicts_of_system(library_path, length) ||
            (own > 0 && length >= own && strncmp(library_path, adapter_folder, own) == 0 &&
             (length == own || library_path[own] == '/')))
            continue;
        snprintf(folder, sizeof folder, "%.*s", (int)length, library_path);
        if (has_libraries(folder))
            end += sprintf(end, "%s%s", end == list ? "" : ":", folder);
    }
    return list;
}

/* True if the folder of the file at this path is in a list. */
static int is_in_folders(const char *folders, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash > path && has_part(folders, path, (size_t)(slash - path));
}

int conflicts_find_host(const char *library, const char *environment, const char *system_folders, const char *root, char *path,
                        int *is_in_environment)
{
    struct both_sides sides = {
        .program_folders = "", .host_folders = "", .system_folders = system_folders, .left_out = "", .root = root,
    };
    char of_system[PATH_MAX];
    const char *slash = strrchr(library, '/');
    int is_of_system = conflicts_host_file(slash ? slash + 1 : library, "", &sides, of_system);
    int is_there = slash ? snprintf(path, PATH_MAX, "%s", library) < PATH_MAX : find_in(environment, "", library, path);
    *is_in_environment = is_there && is_in_folders(environment, path) && !(is_of_system && is_same_file(path, of_system));
    if (is_of_system && !slash && !*is_in_environment)
        return snprintf(path, PATH_MAX, "%s", of_system) < PATH_MAX;
    return is_there;
}
