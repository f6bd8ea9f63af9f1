/* SPDX-License-Identifier: BSD-3-Clause */
#include "ask.h"

#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "elf-closure.h"
#include "elf-conflicts.h"
#include "elf-contains.h"
#include "elf-unbound.h"
#include "elf-unmet.h"
#include "elf-versions.h"
#include "elf/file.h"
#include "look.h"
#include "texts.h"

/* ---------------------------------------------------------------- answers that are kept */

enum { BUCKETS = 256 };

/* A question, as one text, and its answer. */
struct kept {
    struct kept *next;
    const char *question;
    const void *answer;
};

static struct kept **bucket_of(const char *question)
{
    static struct kept *buckets[BUCKETS];
    unsigned hash = 5381;
    for (const char *at = question; *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    return &buckets[hash % BUCKETS];
}

static const void *kept_answer(const char *question)
{
    for (const struct kept *kept = *bucket_of(question); kept; kept = kept->next)
        if (strcmp(kept->question, question) == 0)
            return kept->answer;
    return 0;
}

static const void *keep(const char *question, const void *answer)
{
    struct kept **bucket = bucket_of(question), *kept = arena_memory(sizeof *kept);
    *kept = (struct kept){ *bucket, question, answer };
    *bucket = kept;
    return answer;
}

/* ---------------------------------------------------------------- facts */

static void note_entry(struct elf_file *file, const Elf64_Dyn *entry, void *context)
{
    struct elf_facts *facts = context;
    if (entry->d_tag == DT_SONAME)
        facts->soname = arena_text("%s", elf_entry_text(file, entry));
    else if (entry->d_tag == DT_NEEDED)
        list_add(&facts->needed, arena_text("%s", elf_entry_text(file, entry)));
}

/* A library has no interpreter either, but is not marked as a position-independent executable. */
static const char *linkage_of(const struct elf_file *file)
{
    if (file->has_interpreter)
        return "dynamic";
    if (file->header.e_type == ET_DYN && !(file->dynamic.flags_1 & DF_1_PIE))
        return "library";
    return file->header.e_type == ET_REL || file->header.e_type == ET_CORE ? "none" : "static";
}

static int read_facts(struct elf_file *file, struct elf_facts *facts)
{
    const char *interpreter = 0;
    const char *machine = elf_machine_name(file->header.e_machine);
    facts->class = file->is_64 ? "64" : "32";
    facts->machine = machine ? machine : arena_text("%u", (unsigned)file->header.e_machine);
    if (!elf_interpreter(file, &interpreter) || file->cut_short)
        return ELF_DAMAGED;
    facts->linkage = linkage_of(file);
    facts->interpreter = interpreter ? arena_text("%s", interpreter) : "";
    return elf_each_entry(file, note_entry, facts) ? ELF_YES : ELF_DAMAGED;
}

const struct elf_facts *facts_of(const char *path)
{
    const char *question = arena_text("facts %s", path);
    const void *known = kept_answer(question);
    struct elf_facts *facts = arena_memory(sizeof *facts);
    struct elf_file file;
    if (known)
        return known;
    *facts = (struct elf_facts){ .class = "", .machine = "", .linkage = "", .interpreter = "", .soname = "" };
    facts->status = elf_open(&file, path);
    if (facts->status == ELF_YES)
        facts->status = read_facts(&file, facts);
    elf_close(&file);
    return keep(question, facts);
}

/* ---------------------------------------------------------------- what is loaded */

const struct closure_found *trace(const char *path, const char *library_path, const char *preload)
{
    const char *question = arena_text("trace %s\n%s\n%s", library_path, preload, path);
    const void *known = kept_answer(question);
    if (known)
        return known;
    struct closure_found *found = arena_memory(sizeof *found);
    struct closure closure;
    found->status = closure_read(&closure, path, library_path, preload);
    for (size_t i = 0; i < closure.count; i++) {
        const struct library *library = &closure.libraries[i];
        list_add(&found->names, arena_text("%s", base_name(library->name)));
        list_add(&found->paths, library->path ? arena_text("%s", library->path) : "");
    }
    closure_free(&closure);
    return keep(question, found);
}

const char *traced_file(const struct closure_found *found, const char *name)
{
    for (size_t i = 0; i < found->names.count; i++)
        if (is_same(found->names.words[i], name) && *found->paths.words[i])
            return found->paths.words[i];
    return 0;
}

const char *traced_missing(const struct closure_found *found)
{
    for (size_t i = 0; i < found->names.count; i++)
        if (*found->paths.words[i] == 0)
            return found->names.words[i];
    return 0;
}

/* ---------------------------------------------------------------- symbols */

static bool note_symbol(void *context, const Elf64_Sym *symbol, const char *name)
{
    struct symbols *symbols = context;
    list_add(symbol->st_shndx != SHN_UNDEF ? &symbols->defined : &symbols->imported, arena_text("%s", name));
    return true;
}

const struct symbols *symbols_of(const char *path)
{
    const char *question = arena_text("symbols %s", path);
    const void *known = kept_answer(question);
    if (known)
        return known;
    struct symbols *symbols = arena_memory(sizeof *symbols);
    struct elf_file file;
    symbols->status = elf_open(&file, path);
    if (symbols->status == ELF_YES)
        symbols->status = elf_each_symbol(&file, note_symbol, symbols);
    elf_close(&file);
    return keep(question, symbols);
}

int defines(const char *file, const char *symbol)
{
    return list_has(&symbols_of(file)->defined, symbol);
}

int imports(const char *file, const char *symbol)
{
    return list_has(&symbols_of(file)->imported, symbol);
}

static int has_any_start(const struct list *names, const struct list *starts)
{
    for (size_t i = 0; i < names->count; i++)
        for (size_t j = 0; j < starts->count; j++)
            if (begins_with(names->words[i], starts->words[j]))
                return 1;
    return 0;
}

int refers_by(const char *file, const struct list *starts)
{
    const struct symbols *symbols = symbols_of(file);
    return has_any_start(&symbols->imported, starts) || has_any_start(&symbols->defined, starts);
}

/* ---------------------------------------------------------------- texts */

static int answer_contains(const char *path, const char *text, const char *called, int contains(struct elf_file *, const char *))
{
    const char *question = arena_text("%s %s\n%s", called, text, path);
    const int *known = kept_answer(question);
    if (known)
        return *known;
    int *answer = arena_memory(sizeof *answer);
    struct elf_file file;
    *answer = elf_open(&file, path) == ELF_YES && contains(&file, text) == ELF_YES;
    elf_close(&file);
    keep(question, answer);
    return *answer;
}

int file_contains(const char *path, const char *text)
{
    return answer_contains(path, text, "contains", elf_contains);
}

int library_contains(const char *path, const char *text)
{
    return answer_contains(path, text, "contains loaded", elf_contains_loaded);
}

const char *release_in(const char *path, const char *start)
{
    struct elf_file file;
    char release[RELEASE_ROOM];
    int is_found = elf_open(&file, path) == ELF_YES && elf_only_release(&file, start, release) == ELF_YES;
    elf_close(&file);
    return is_found ? arena_text("%s", release) : "";
}

struct text_question {
    struct elf_file file;
    const char *name, *text;
};

static bool note_text(void *context, const Elf64_Sym *symbol, const char *name)
{
    struct text_question *question = context;
    const char *text = is_same(name, question->name) ? elf_symbol_text(&question->file, symbol) : 0;
    if (text)
        question->text = arena_text("%s", text);
    return !text;
}

const char *symbol_text(const char *path, const char *symbol)
{
    struct text_question question = { .name = symbol, .text = "" };
    if (elf_open(&question.file, path) == ELF_YES)
        elf_each_symbol(&question.file, note_text, &question);
    elf_close(&question.file);
    return question.text;
}

/* ---------------------------------------------------------------- an MPI that is linked in */

int is_in_system_folder(const char *file)
{
    return inside_is_in_system_folder(file);
}

const struct linked_mpi *linked_mpi_of(const char *path, const char *pair)
{
    const char *question = arena_text("linked %s\n%s", pair, path);
    const void *known = kept_answer(question);
    struct linked_mpi *linked = arena_memory(sizeof *linked);
    struct look look;
    if (known)
        return known;
    look_inside(&look, path, *pair ? pair : 0);
    *linked = (struct linked_mpi){ .is_replaceable = look.mpi != 0, .release = arena_text("%s", look.release) };
    for (int i = 0; i < INSIDE_INTERFACES; i++)
        if (look.interfaces & 1u << i)
            list_add(&linked->interfaces, look_interface(i));
    linked->problem = arena_text("%s", look.problem);
    return keep(question, linked);
}

/* ---------------------------------------------------------------- versions */

static struct unmet *unmet_to_fill;

static void note_unmet(const char *by, const char *library, const char *version)
{
    list_add(&unmet_to_fill->by, arena_text("%s", by));
    list_add(&unmet_to_fill->libraries, arena_text("%s", library));
    list_add(&unmet_to_fill->versions, arena_text("%s", version));
}

/* The newest first; those of one version as they were found. */
static struct unmet sorted(const struct unmet *unmet)
{
    struct unmet order = { { 0 }, { 0 }, { 0 } };
    struct list versions = unmet->versions;
    for (size_t i = 0; i < versions.count; i++) {
        size_t best = versions.count;
        for (size_t j = 0; j < versions.count; j++)
            if (versions.words[j] && (best == versions.count || strverscmp(versions.words[j], versions.words[best]) > 0))
                best = j;
        list_add(&order.by, unmet->by.words[best]);
        list_add(&order.libraries, unmet->libraries.words[best]);
        list_add(&order.versions, versions.words[best]);
        versions.words[best] = 0;
    }
    return order;
}

struct unmet unmet_versions(const char *path, const char *library_path, const char *preload)
{
    struct unmet unmet = { { 0 }, { 0 }, { 0 } };
    struct closure closure;
    unmet_to_fill = &unmet;
    if (closure_read(&closure, path, library_path, preload) == ELF_YES)
        each_unmet(&closure, path, note_unmet);
    closure_free(&closure);
    return sorted(&unmet);
}

const char *newest_version(const char *path, const char *version)
{
    const char *mark = version, *newest = "";
    while ((mark = strchr(mark, '_')) && strspn(mark + 1, "0123456789") == 0)
        mark++;
    const char *kind = mark ? arena_text("%.*s_", (int)(mark - version), version) : arena_text("%s_", version);
    struct versions versions;
    versions_read(&versions, path);
    for (size_t i = 0; i < versions.count; i++) {
        const char *name = versions.all[i].name;
        if (!versions.all[i].library && begins_with(name, kind) && strspn(name + strlen(kind), "0123456789") > 0 &&
            (*newest == 0 || strverscmp(name, newest) > 0))
            newest = arena_text("%s", name);
    }
    versions_free(&versions);
    return newest;
}

static struct list unbound;

static void note_unbound(const char *by, const char *symbol)
{
    (void)by;
    list_add_once(&unbound, arena_text("%s", symbol));
}

struct list unbound_symbols(const char *path, const char *library_path, const char *preload, const char *starts)
{
    struct closure closure;
    unbound = (struct list){ 0 };
    if (closure_read(&closure, path, library_path, preload) == ELF_YES)
        each_unbound(&closure, path, starts, note_unbound);
    closure_free(&closure);
    return unbound;
}

/* ---------------------------------------------------------------- conflicts */

static void note_conflict(const struct conflict *conflict, void *context)
{
    static const char *const kinds[] = {
        [CONFLICT_FIRST] = "first", [CONFLICT_APART] = "apart", [CONFLICT_ONE] = "preload", [CONFLICT_REFUSED] = "refused",
    };
    struct conflicts_found *found = context;
    char *text = conflict_text(conflict);
    list_add(&found->kinds, conflict->kind == CONFLICT_REFUSED && conflict->host_serves_both ? "preload" : kinds[conflict->kind]);
    list_add(&found->files, arena_text("%s", conflict->host));
    list_add(&found->texts, arena_text("%s", text));
    free(text);
}

struct conflicts_found conflicts_of(const char *path, const char *library_path, const char *preload, const char *pair, const char *host)
{
    struct conflicts_found found = { { 0 }, { 0 }, { 0 } };
    each_conflict(path, library_path, preload, pair, host, note_conflict, &found);
    return found;
}
