/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "detour.h"

/* ---------------------------------------------------------------- functions of the MPI inside */

/* Whether a name is one of the profiling interface: PMPI_Send, pmpi_send_. */
static bool is_profiled(const char *text)
{
    return strncmp(text, "PMPI", 4) == 0 || strncmp(text, "pmpi", 4) == 0;
}

static void add_entry(struct plan *plan, const char *text, struct name *name, const Elf64_Sym *symbol)
{
    if (plan->count == plan->room) {
        plan->room = plan->room ? 2 * plan->room : 1024;
        plan->entries = allocate(plan->entries, plan->room * sizeof *plan->entries);
    }
    plan->entries[plan->count++] = (struct entry){ .text = text, .name = name, .size = symbol->st_size,
                                                    .address = plan->program->base + symbol->st_value };
}

/* A compiler's copy of a procedure, which callers enter without the procedure's own entry. */
static void refuse_clone(const struct plan *plan, const char *text)
{
    static const char *const marks[] = { ".constprop.", ".isra.", ".part." };
    char procedure[128];
    size_t length = strcspn(text, ".");
    for (size_t i = 0; text[length] && length < sizeof procedure && i < sizeof marks / sizeof *marks; i++)
        if (strstr(text + length, marks[i])) {
            memcpy(procedure, text, length);
            procedure[length] = 0;
            if (pair_name(plan->pair, procedure))
                refuse_program("%s has %s linked in, a copy that the compiler made of a procedure of MPI; link it without -flto",
                        plan->program->path, text);
        }
}

static bool note_symbol(void *context, const Elf64_Sym *symbol, const char *text)
{
    struct plan *plan = context;
    int type = ELF64_ST_TYPE(symbol->st_info);
    if (symbol->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT && type != STT_GNU_IFUNC))
        return true;
    struct name *name = pair_name(plan->pair, text);
    bool is_function = type != STT_OBJECT;
    if (is_function && !name)
        refuse_clone(plan, text);
    if (is_function && strcmp(text, plan->inside->mpi->start) == 0)
        add_entry(plan, text, NULL, symbol);
    else if (is_function && ((name && !name->is_data) || strncmp(text, "PMPI_", 5) == 0))
        add_entry(plan, text, name, symbol);
    if (name && name->is_data != is_function) {
        name->address = plan->program->base + symbol->st_value;
        name->size = symbol->st_size;
        name->is_provided = name->is_data || strcasestr(text, "_fn");
    }
    return true;
}

/* Whether the function is the program's own: a wrapper by the name of a procedure, whose profiling name leads elsewhere. The library has
 * both names at one address. */
static bool is_of_program(const struct plan *plan, const struct entry *entry)
{
    char profiled[128];
    size_t length = strlen(entry->text);
    if (!entry->name || strncasecmp(entry->text, "mpi", 3) != 0 || length + 2 > sizeof profiled)
        return false;
    profiled[0] = entry->text[0] == 'M' ? 'P' : 'p';
    memcpy(profiled + 1, entry->text, length + 1);
    const struct name *name = pair_name(plan->pair, profiled);
    return name && name->address != entry->address;
}

/* No function is told by more of its code. */
enum { MOST_CODE = 16 };

/* Returns the first bytes of a function. */
static const unsigned char *code_of(const struct plan *plan, const struct entry *entry)
{
    uint64_t size = entry->size < MOST_CODE ? entry->size : MOST_CODE;
    if (!program_segment(plan->program, entry->address, entry->size, PF_X))
        refuse_program("%s has no code at %s; link it again", plan->program->path, entry->text);
    const unsigned char *code = size ? program_code(plan->program, entry->address, size) : (const unsigned char *)"";
    if (!code)
        refuse_program("%s cannot be read; copy it again", plan->program->path);
    return code;
}

/* Whether the program's function stays as it is. It is the pair's then. */
static bool stays(const struct plan *plan, struct entry *entry)
{
    const unsigned char *code = code_of(plan, entry);
    entry->kept = code_kept(code, entry->size);
    if (!entry->name || entry->size > MOST_CODE || !code_only_returns(code, entry->size))
        return false;
    entry->name->is_provided = true;
    return true;
}

static void check_entry(const struct plan *plan, const struct entry *entry)
{
    if (entry->size < entry->kept + CODE_NEAR || entry->address % CODE_ALIGN)
        refuse_program("%s has a %s linked in that is too short for a jump; link it with the shared library of its MPI", plan->program->path,
                entry->text);
}

static void leave_others(struct plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (!is_of_program(plan, &plan->entries[i]) && !stays(plan, &plan->entries[i]))
            plan->entries[kept++] = plan->entries[i];
    plan->count = kept;
    for (size_t i = 0; i < plan->count; i++)
        check_entry(plan, &plan->entries[i]);
}

void plan_read(struct plan *plan)
{
    enum elf_result result = program_each_symbol(plan->program, note_symbol, plan);
    if (result != ELF_YES)
        refuse_program("the symbols of %s cannot be read, as %s; link it again", plan->program->path, plan->program->file.problem);
    leave_others(plan);
}

/* ---------------------------------------------------------------- targets */

/* By addresses; of several names of one address, those of the profiling interface come first. */
static int compare_entries(const void *a, const void *b)
{
    const struct entry *one = a, *other = b;
    if (one->address != other->address)
        return one->address < other->address ? -1 : 1;
    return is_profiled(other->text) - is_profiled(one->text);
}

/* Whether two names are one procedure's: with and without profiling, and as Fortran compilers spell it. */
static bool are_alike(const char *one, const char *other)
{
    size_t length;
    one += is_profiled(one);
    other += is_profiled(other);
    length = strlen(one) < strlen(other) ? strlen(one) : strlen(other);
    while (length && one[length - 1] == '_')
        length--;
    return strncasecmp(one, other, length) == 0 && one[length + strspn(one + length, "_")] == 0 &&
           other[length + strspn(other + length, "_")] == 0;
}

/* Leaves one entry for each address. */
static void merge_entries(struct plan *plan)
{
    size_t kept = 0;
    qsort(plan->entries, plan->count, sizeof *plan->entries, compare_entries);
    for (size_t i = 0; i < plan->count; i++) {
        struct entry *entry = &plan->entries[i], *last = kept ? &plan->entries[kept - 1] : NULL;
        if (!last || last->address != entry->address) {
            plan->entries[kept++] = *entry;
            continue;
        }
        if (last->target != entry->target && !are_alike(last->text, entry->text))
            refuse_program("%s has %s and %s folded into one function; link it without --icf", plan->program->path, last->text, entry->text);
    }
    plan->count = kept;
}

static void find_targets(struct plan *plan, uintptr_t address_of(const struct pair *, const struct name *))
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->entries[i].name)
            plan->entries[i].target = address_of(plan->pair, plan->entries[i].name);
}

/* ---------------------------------------------------------------- code */

/* Room in the bodies of functions that nobody enters any more, for jumps that do not fit into a short function. */
struct spare {
    uintptr_t at, end;
    size_t next; /* the entry whose body comes next */
};

static size_t jump_size(const struct entry *entry)
{
    return entry->target ? CODE_FAR : CODE_TELL;
}

static bool fits(const struct entry *entry)
{
    return entry->size >= entry->kept + jump_size(entry);
}

/* Returns an address for so many bytes, or 0. */
static uintptr_t take_spare(const struct plan *plan, struct spare *spare, size_t size)
{
    while (spare->end - spare->at < size) {
        if (spare->next == plan->count)
            return 0;
        const struct entry *entry = &plan->entries[spare->next++];
        spare->at = entry->address + entry->kept + (fits(entry) ? jump_size(entry) : CODE_NEAR);
        spare->at = (spare->at + CODE_ALIGN - 1) & -(uintptr_t)CODE_ALIGN;
        spare->end = entry->address + entry->size;
        if (!fits(entry) || spare->at > spare->end)
            spare->at = spare->end;
    }
    spare->at += size;
    return spare->at - size;
}

static struct patch *add_patch(struct plan *plan, uintptr_t at, size_t size)
{
    struct patch *patch = &plan->patches[plan->patch_count++];
    *patch = (struct patch){ .at = at, .size = size };
    return patch;
}

/* A text that is told has to stay with the code. */
static void write_jump(const struct plan *plan, unsigned char *code, const struct entry *entry)
{
    if (entry->target)
        code_far(code, entry->target);
    else
        code_tell(code, plan->program->is_file ? entry->text : strdup(entry->text), (uintptr_t)refuse_call);
}

static void add_short(struct plan *plan, struct spare *spare, const struct entry *entry)
{
    uintptr_t from = entry->address + entry->kept, jump = take_spare(plan, spare, jump_size(entry));
    if (jump)
        write_jump(plan, add_patch(plan, jump, jump_size(entry))->bytes, entry);
    if (!jump || !code_near(add_patch(plan, from, CODE_NEAR)->bytes, from, jump))
        refuse_program("%s has a %s linked in that is too short, and no room for a longer jump near it; link it with the shared library of its MPI",
                plan->program->path, entry->text);
}

static int compare_patches(const void *a, const void *b)
{
    const struct patch *one = a, *other = b;
    return one->at < other->at ? -1 : one->at > other->at;
}

void plan_make(struct plan *plan, uintptr_t address_of(const struct pair *, const struct name *))
{
    struct spare spare = { 0 };
    find_targets(plan, address_of);
    merge_entries(plan);
    plan->patches = allocate(NULL, 2 * plan->count * sizeof *plan->patches);
    for (size_t i = 0; i < plan->count; i++) {
        const struct entry *entry = &plan->entries[i];
        if (i + 1 < plan->count && entry->address + entry->size > entry[1].address)
            refuse_program("%s has %s and %s linked in, which overlap; link it again", plan->program->path, entry->text, entry[1].text);
        if (fits(entry))
            write_jump(plan, add_patch(plan, entry->address + entry->kept, jump_size(entry))->bytes, entry);
        else
            add_short(plan, &spare, entry);
    }
    qsort(plan->patches, plan->patch_count, sizeof *plan->patches, compare_patches);
}

void plan_free(struct plan *plan)
{
    free(plan->entries);
    free(plan->patches);
}
