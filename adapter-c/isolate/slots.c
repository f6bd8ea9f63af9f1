/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/slots.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "convert/facts.h"
#include "convert/say.h"
#include "gotswap.h"
#include "isolate/adapter_parts.h"
#include "isolate/host_copies.h"
#include "isolate/host_names.h"
#include "isolate/host_tools.h"
#include "isolate/fortran_sentinels.h"
#include "isolate/kept_slots.h"
#include "isolate/known_objects.h"
#include "isolate/natives.h"
#include "process/loader.h"

static void *host_handle;

void slots_start(void *handle)
{
    host_handle = handle;
}

/* Hot at start-up: asked of each slot, and true of few. */
int is_mpi(const char *symbol)
{
    while (*symbol == '_')
        symbol++;
    symbol += *symbol == 'P' || *symbol == 'p';
    return (*symbol == 'M' && strncmp(symbol, "MPI", 3) == 0) || (*symbol == 'm' && strncmp(symbol, "mpi", 3) == 0);
}

/* Libraries of the host's that have names of the application's. */
enum { NAMESAKES = 8 };
static void *namesakes[NAMESAKES];
static int namesake_count;

void slots_namesake(void *handle)
{
    if (namesake_count < NAMESAKES)
        namesakes[namesake_count++] = handle;
}

/* True of names, besides MPI's, that both sides may define. A start asks of thousands of names, mostly without a namesake. */
static inline int is_shared(const char *symbol)
{
    return namesake_count > 0 && begins_listed(application_prefixes, symbol);
}

static void *find_past_adapter(void *handle, const char *symbol)
{
    void *found = loader.dlsym(handle, symbol);
    return is_adapter(found) ? 0 : found;
}

void *slots_host_procedure(const char *symbol)
{
    void *found = find_past_adapter(host_handle, symbol);
    for (int i = 0; i < namesake_count && !found; i++)
        found = find_past_adapter(namesakes[i], symbol);
    return found;
}

void *slots_find(const char *path, const char *symbol)
{
    void *found = loader.dlsym(RTLD_DEFAULT, symbol);
    void *handle = found || !path[0] ? 0 : loader.dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle) {
        found = loader.dlsym(handle, symbol);
        loader.dlclose(handle);
    }
    return found;
}

/* The functions of the dynamic linker that have hooks. */
enum { DLOPEN, DLMOPEN, DLSYM, NONE };

static int hooked_function(const char *symbol)
{
    if (symbol[0] != 'd' || symbol[1] != 'l')
        return NONE;
    if (strcmp(symbol, "dlopen") == 0)
        return DLOPEN;
    if (strcmp(symbol, "dlmopen") == 0)
        return DLMOPEN;
    return strcmp(symbol, "dlsym") == 0 ? DLSYM : NONE;
}

static void *hook_of(const struct hooks *hooks, int function)
{
    switch (function) {
    case DLOPEN: return hooks->dlopen;
    case DLMOPEN: return hooks->dlmopen;
    default: return hooks->dlsym;
    }
}

static void *original_of(int function)
{
    return hook_of(&(struct hooks){ (void *)loader.dlopen, (void *)loader.dlmopen, (void *)loader.dlsym }, function);
}

static const struct further_hooks *further_hooks;

/* Returns the hooks that want the symbol, or null. */
static const struct further_hooks *find_hooks_for(const char *symbol)
{
    const struct further_hooks *hooks = __atomic_load_n(&further_hooks, __ATOMIC_ACQUIRE);
    while (hooks && !hooks->wants(symbol))
        hooks = hooks->next;
    return hooks;
}

void slots_want(struct further_hooks *hooks)
{
    hooks->next = __atomic_load_n(&further_hooks, __ATOMIC_ACQUIRE);
    __atomic_store_n(&further_hooks, hooks, __ATOMIC_RELEASE);
}

static int concerns_host(const gotswap_slot *slot, void *context)
{
    (void)context;
    return is_mpi(slot->symbol) || is_shared(slot->symbol) || is_adapter(slot->value) || hooked_function(slot->symbol) != NONE ||
           find_hooks_for(slot->symbol);
}

static int concerns_copies(const gotswap_slot *slot, void *context)
{
    return concerns_host(slot, context) || host_copies_define(slot->symbol);
}

int slots_are_host(const gotswap_linked *object)
{
    return gotswap_each_word(object, host_copies_exist ? concerns_copies : concerns_host, 0);
}

static int concerns_program(const gotswap_slot *slot, void *context)
{
    (void)context;
    return hooked_function(slot->symbol) != NONE;
}

static int concerns_mpi(const gotswap_slot *slot, void *context)
{
    (void)context;
    return is_mpi(slot->symbol);
}

int slots_are_mpi(const gotswap_linked *object)
{
    return gotswap_each_word(object, concerns_mpi, 0);
}

/* The libraries that define these functions mention them, too. */
int slots_are_program(const gotswap_linked *object)
{
    return (linked_mentions(object, "dlsym") || linked_mentions(object, "dlopen") || linked_mentions(object, "dlmopen")) &&
           gotswap_each_word(object, concerns_program, 0);
}

/* True if the dynamic linker has yet to fill the slot, which then leads into the object itself. */
static int is_lazy(const struct held *object, const void *current)
{
    return current >= object->base && current < object->end;
}

/* True if another library has put a function of its own into a slot of the dynamic linker's function. */
static int is_taken(const struct held *object, int function, const void *current)
{
    return current != original_of(function) && !is_lazy(object, current) && !is_adapter(current);
}

/* A library that takes dlopen() wants to see what is loaded, so the hook calls its function. Taken slots of the two others stay:
 * an object that dlmopen() loads is isolated when the host looks for a symbol in it, and the result of dlsym() depends on the
 * caller, so that a hook cannot stand in front of another function. */
static void *choose_hook(const struct held *object, const char *symbol, void *current)
{
    int function = hooked_function(symbol);
    if (is_taken(object, function, current)) {
        if (function != DLOPEN)
            return 0;
        __atomic_store_n((void **)&taken_dlopen, current, __ATOMIC_RELEASE);
    }
    return hook_of(object->is_native ? &native_hooks : &host_hooks, function);
}

/* Returns the host's address for a slot that leads to the adapter, or would once bound; null for one that is left. */
static void *choose_for_host(const char *symbol, void *current, void *context)
{
    const struct held *object = context;
    if (hooked_function(symbol) != NONE)
        return choose_hook(object, symbol, current);
    const struct further_hooks *further = find_hooks_for(symbol);
    if (further)
        return further->choose(symbol, current, !is_lazy(object, current), object->path);
    if (!is_mpi(symbol) && !is_adapter(current) && !(is_shared(symbol) && adapter_procedure(symbol)))
        return 0;
    if (natives_keep(current))
        return 0;
    void *found = object->is_native ? natives_procedure(symbol, object->path) : 0;
    if (found)
        return found;
    found = object->scope ? tools_find(symbol) : 0;
    if (!found && object->scope)
        found = loader.dlsym(object->scope, symbol);
    if (is_lazy(object, found) && !linked_definer(found))
        found = 0;
    return found && !is_adapter(found) ? found : slots_host_procedure(symbol);
}

static void *choose_for_host_or_copies(const char *symbol, void *current, void *context)
{
    void *found = choose_for_host(symbol, current, context);
    return found ? found : host_copies_lead(symbol, current, is_lazy(context, current));
}

int slots_bind(const struct held *object)
{
    gotswap_object *opened;
    size_t replaced = 0;
    if (gotswap_open_memory(&opened, object->base) != GOTSWAP_OK ||
        gotswap_replace_each(opened, host_copies_exist ? choose_for_host_or_copies : choose_for_host, (void *)object, &replaced) !=
            GOTSWAP_OK)
        give_up("cannot isolate %s: %s; run the program without the adapter on this machine", object->path, gotswap_message());
    gotswap_close(opened);
    return (int)replaced;
}

/* An object that was bound before, and the hooks for further slots of it. */
struct hooking {
    const struct further_hooks *hooks;
    const gotswap_object *object;
};

static void *choose_further(const char *symbol, void *current, void *context)
{
    const struct hooking *hooking = context;
    Dl_info found;
    if (!hooking->hooks->wants(symbol))
        return 0;
    /* A slot that the dynamic linker has yet to fill leads into the object itself. */
    int is_bound = dladdr(current, &found) && found.dli_fbase != gotswap_base(hooking->object);
    return hooking->hooks->choose(symbol, current, is_bound, gotswap_path(hooking->object));
}

int slots_hook(struct further_hooks *hooks, const void *inside)
{
    gotswap_object *opened;
    slots_want(hooks);
    if (gotswap_open_memory(&opened, inside) != GOTSWAP_OK)
        return 0;
    int is_done = gotswap_replace_each(opened, choose_further, &(struct hooking){ hooks, opened }, 0) == GOTSWAP_OK;
    gotswap_close(opened);
    return is_done;
}

static void *choose_sentinel(const char *symbol, void *current, void *context)
{
    return sentinels_find(symbol);
}

/* Leaves a slot that another library took, and one that has the host's hook. */
static void *choose_hook_for_program(const char *symbol, void *current, void *context)
{
    int function = hooked_function(symbol);
    if (function == NONE || is_taken(context, function, current) || current == hook_of(&host_hooks, function))
        return 0;
    return hook_of(&program_hooks, function);
}

int slots_host_is_first;
static const void *first_mpi; /* where the object begins whose MPI the dynamic linker finds first */

void slots_look_first(void)
{
    void *first = loader.dlsym(RTLD_DEFAULT, "PMPI_Init");
    Dl_info info;
    slots_host_is_first = first && !is_adapter(first);
    first_mpi = first && dladdr(first, &info) ? info.dli_fbase : 0;
}

/* Returns the path of the object that has the address; null unless that is an object of the host, or of a host below it, and no tool. */
static const char *host_object(const void *address)
{
    Dl_info info;
    struct link_map *map = 0;
    struct known_object known;
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || tools_have(map->l_name))
        return 0;
    int is_below = natives_are_below && info.dli_fbase == first_mpi;
    int is_of_host = is_below || (known_record(map->l_ld, &known) && owner_is_of_host(known.is.owner));
    return is_of_host ? map->l_name : 0;
}

/* Returns the adapter's address for a slot of MPI's that leads to the host, or would once bound; null for one that is left, as a
 * tool's. */
static void *choose_for_application(const char *symbol, void *current, void *context)
{
    if (!is_mpi(symbol))
        return 0;
    void *leads = is_lazy(context, current) ? loader.dlsym(RTLD_DEFAULT, symbol) : current;
    const char *path = leads && !is_adapter(leads) ? host_object(leads) : 0;
    void *found = path ? adapter_procedure(symbol) : 0;
    /* A library of the adapter's does without what it finds nowhere else. */
    if (path && !found && host_names_have(linked_file(path)) && !is_adapter(((const struct held *)context)->base))
        give_up("%s was compiled for %s and would call %s of %s, for which the pair has nothing; compile it for %s",
                ((const struct held *)context)->path, application_family, symbol, path, host_family);
    return found;
}

int slots_watch(const struct held *object)
{
    gotswap_object *opened;
    if (sentinels_are_left(object->base))
        return 1;
    if (gotswap_open_memory(&opened, object->base) != GOTSWAP_OK)
        return !sentinels_exist();
    int rc = gotswap_replace_each(opened, choose_sentinel, 0, 0);
    if (rc == GOTSWAP_OK && slots_host_is_first)
        rc = gotswap_replace_each(opened, choose_for_application, (void *)object, 0);
    if (!is_adapter(object->base))
        gotswap_replace_each(opened, choose_hook_for_program, (void *)object, 0);
    gotswap_close(opened);
    return rc == GOTSWAP_OK;
}

static void add_text(char **texts, size_t *texts_size, const char *text)
{
    size_t size = strlen(text) + 1;
    char *larger = realloc(*texts, *texts_size + size);
    if (!larger)
        give_up_memory("while proving isolation");
    memcpy(larger + *texts_size, text, size);
    *texts = larger;
    *texts_size += size;
}

/* An object that is looked at, and the result. */
struct looked {
    const gotswap_linked *object;
    struct leak *leak;
};

/* True if a slot leads to the adapter, or to the executable's copy of data of the adapter's. */
static int leads_to_application(const gotswap_slot *slot, const gotswap_linked *program)
{
    return (is_adapter(slot->value) && !natives_call(slot->symbol, slot->value)) ||
           (is_shared(slot->symbol) && linked_contains(program, slot->value));
}

/* Returns the object that has the address, or null. */
static const gotswap_linked *object_at(const gotswap_list *list, const void *address, size_t *index)
{
    for (*index = 0; *index < list->count; ++*index)
        if (linked_contains(&list->objects[*index], address))
            return &list->objects[*index];
    return 0;
}

/* Notes a slot of MPI's that another library filled: it leads to no object of the host's or of a tool's. */
static void look_for_stray(const gotswap_slot *slot, const struct looked *looked)
{
    struct leak *leak = looked->leak;
    struct known_object known;
    size_t index;
    if (!slot->value || (slot->value >= leak->host_begin && slot->value < leak->host_end) || natives_have(slot->value))
        return;
    const gotswap_linked *found = object_at(leak->list, slot->value, &index);
    const char *leads_to = "code of no library";
    if (found) {
        known_read(leak->list, index, &known);
        leads_to = *found->name ? found->name : "the program";
        if (owner_is_of_host(known.is.owner)) {
            leak->host_begin = found->base;
            leak->host_end = found->end;
            return;
        }
    }
    add_text(&leak->strays, &leak->strays_size, slot->symbol);
    add_text(&leak->strays, &leak->strays_size, looked->object->name);
    add_text(&leak->strays, &leak->strays_size, leads_to);
}

/* Keeps a slot of MPI's that is bound, and looks where it leads. */
static void keep_slot(const gotswap_slot *slot, const struct looked *looked)
{
    if (!slot->type || !slot->bound || !is_mpi(slot->symbol) || find_hooks_for(slot->symbol))
        return;
    if (!kept_slots_add(looked->leak->kept, slot))
        give_up_memory("while proving isolation");
    if (looked->leak->is_of_host)
        look_for_stray(slot, looked);
}

static int look_at_slot(const gotswap_slot *slot, void *context)
{
    const struct looked *looked = context;
    struct leak *leak = looked->leak;
    int function = hooked_function(slot->symbol);
    leak->slots++;
    if (function == DLOPEN)
        leak->is_taken |= slot->value != hook_of(&host_hooks, function) && slot->value != hook_of(&native_hooks, function);
    if (function == NONE && !leak->symbol && !find_hooks_for(slot->symbol) && leads_to_application(slot, &leak->list->objects[0])) {
        leak->symbol = strdup(slot->symbol);
        leak->path = strdup(looked->object->name);
    } else if (!slot->bound && (is_mpi(slot->symbol) || is_shared(slot->symbol))) {
        add_text(&leak->lazy, &leak->lazy_size, slot->symbol);
        add_text(&leak->lazy, &leak->lazy_size, looked->object->name);
    } else if (leak->kept) {
        keep_slot(slot, looked);
    }
    return 0;
}

/* Notes the first word that leads to a library of the program's although the host has a copy of its own. */
static int look_at_slot_and_copies(const gotswap_slot *slot, void *context)
{
    const struct looked *looked = context;
    struct leak *leak = looked->leak;
    const char *missed = leak->symbol ? 0 : host_copies_missed(slot->symbol, slot->value, slot->type);
    if (missed) {
        leak->symbol = strdup(slot->symbol);
        leak->path = strdup(looked->object->name);
        leak->leads_to = missed;
    }
    return look_at_slot(slot, context);
}

void slots_look(const gotswap_linked *object, struct leak *leak)
{
    struct looked looked = { object, leak };
    gotswap_each_word(object, host_copies_exist ? look_at_slot_and_copies : look_at_slot, &looked);
}

static void refuse_slot(const char *symbol, const char *path, const char *leads_to)
{
    give_up("%s of %s still leads to %s; run the program without the adapter on this machine", symbol, path[0] ? path : "the program", leads_to);
}

/* Refuses the strays whose names the host defines. Another name is none of its procedures. */
static void judge_strays(const struct leak *leak)
{
    const char *path, *owner;
    for (const char *symbol = leak->strays; symbol < leak->strays + leak->strays_size; symbol = owner + strlen(owner) + 1) {
        path = symbol + strlen(symbol) + 1;
        owner = path + strlen(path) + 1;
        if (slots_host_procedure(symbol))
            refuse_slot(symbol, path, owner);
    }
}

void slots_judge(struct leak *leak)
{
    const char *path;
    if (leak->symbol)
        refuse_slot(leak->symbol, leak->path ? leak->path : "an object", leak->leads_to ? leak->leads_to : "the adapter");
    for (const char *symbol = leak->lazy; symbol < leak->lazy + leak->lazy_size; symbol = path + strlen(path) + 1) {
        path = symbol + strlen(symbol) + 1;
        if (adapter_procedure(symbol))
            refuse_slot(symbol, path, "the adapter");
    }
    judge_strays(leak);
    free(leak->lazy);
    free(leak->strays);
}
