/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/host_tools.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/facts.h"
#include "convert/host_side.h"
#include "convert/host_symbols.h"
#include "layers/layers.h"
#include "convert/say.h"
#include "isolate/adapter_parts.h"
#include "isolate/host_names.h"
#include "isolate/natives.h"
#include "process/environment.h"
#include "process/linked.h"
#include "process/names.h"
#include "process/loader.h"

enum { TOOLS = 16 };
static struct tool {
    void *handle;
    const char *path;
} tools[TOOLS];
static int tool_count;
static void *host_handle;

/* Returns the procedure of this name that the tool, or a library it brings along, defines; or null. */
static void *find_in_tool(const struct tool *tool, const char *symbol)
{
    void *found = loader.dlsym(tool->handle, symbol);
    return found && !is_adapter(found) && found != loader.dlsym(host_handle, symbol) ? found : 0;
}

void *tools_find(const char *symbol)
{
    void *found = 0;
    if (tool_count == 0 || strncmp(symbol, "MPI", 3) != 0)
        return 0;
    for (int i = 0; i < tool_count && !found; i++)
        found = find_in_tool(&tools[i], symbol);
    return found;
}

static void add_tool(void *handle)
{
    const struct link_map *map = linked_map(handle);
    if (tool_count == TOOLS)
        give_up("MPI_ADAPTER_HOST_TOOLS names more than %d tools for %s; name fewer", TOOLS, host_family);
    tools[tool_count++] = (struct tool){ handle, map ? map->l_name : "" };
}

/* A tool's object, and whether it was made for the application's ABI. */
struct tool_object {
    const struct link_map *map;
    int is_application;
};

static void look_at_tool(const gotswap_list *list, void *context)
{
    struct tool_object *tool_object = context;
    for (size_t i = 0; i < list->count; i++)
        if (tool_object->map && list->objects[i].dynamic == tool_object->map->l_ld)
            tool_object->is_application = needs_application(&list->objects[i]);
}

static void load_tool(const char *file)
{
    void *handle = loader.dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (!handle)
        give_up("cannot load a tool of MPI_ADAPTER_HOST_TOOLS (%s); name tools made for %s there", dlerror(), host_family);
    struct tool_object object = { linked_map(handle), 0 };
    linked_look(look_at_tool, &object);
    if (object.is_application)
        give_up("%s in MPI_ADAPTER_HOST_TOOLS is made for %s, not for %s; preload it instead", file, application_family, host_family);
    add_tool(handle);
}

void tools_load(void *handle, int host_is_adapter)
{
    const char *list = host_is_adapter ? 0 : environment_setting("MPI_ADAPTER_HOST_TOOLS");
    char file[PATH_MAX];
    host_handle = handle;
    while (list && *list) {
        size_t length = strcspn(list, ":");
        if (length >= sizeof file)
            give_up("a name in MPI_ADAPTER_HOST_TOOLS is too long; name tools by shorter paths");
        snprintf(file, sizeof file, "%.*s", (int)length, list);
        if (length > 0)
            load_tool(file);
        list += length + (list[length] == ':');
    }
}

/* Calls `visit` with each of the host's procedures until it returns something else than 0. */
static int each_procedure(int (*visit)(const char *name, const void *context), const void *context)
{
    const char *name = host_procedure_names;
    for (int i = 0; i < HOST_PROCEDURES; i++, name += strlen(name) + 1)
        if (visit(name, context))
            return 1;
    return 0;
}

static int is_defined_at(const char *name, const void *context)
{
    const struct tool *tool = context;
    void *found = loader.dlsym(tool->handle, name);
    return found && linked_definer(found) == linked_map(tool->handle);
}

static int was_asked_to_adopt; /* so that a library of the host's ABI may come before the adapter */

void tools_adopt(const char *path)
{
    struct tool tool = { host_names_have(linked_file(path)) ? 0 : loader.dlopen(path, RTLD_LAZY | RTLD_NOLOAD), path };
    was_asked_to_adopt = 1;
    for (int i = 0; i < tool_count; i++)
        if (tools[i].handle == tool.handle)
            return;
    if (tool.handle && each_procedure(is_defined_at, &tool))
        add_tool(tool.handle);
}

/* Ends the process if what the program would call by this name is the host's or a tool's. Beside natives, the host may come first: the
 * application's parts are led to the adapter. */
static int refuse_first(const char *name, const void *context)
{
    void *first = loader.dlsym(RTLD_DEFAULT, name);
    Dl_info info;
    (void)context;
    if (!first || is_adapter(first) || !adapter_procedure(name) ||
        (first != tools_find(name) && (natives_anywhere || first != loader.dlsym(host_handle, name))))
        return 0;
    give_up("%s is made for %s but comes before the adapter, so that the program would call its %s; do not preload it, "
            "but name it in MPI_ADAPTER_HOST_TOOLS if it is a tool", dladdr(first, &info) ? info.dli_fname : "a library",
            host_family, name);
}

int tools_have(const char *path)
{
    int i = 0;
    while (i < tool_count && strcmp(tools[i].path, path) != 0)
        i++;
    return i < tool_count;
}

const void *tools_check(void)
{
    const void *first = loader.dlsym(RTLD_DEFAULT, "PMPI_Init");
    if (was_asked_to_adopt || !is_adapter(first))
        each_procedure(refuse_first, 0);
    return is_adapter(first) ? 0 : first;
}

void tools_apply(void)
{
    LAYER_PART_OF_ALL(part);
    const char *name = host_procedure_names;
    if (tool_count > 0)
        layer_keep_from_tools();
    for (int i = 0; i < HOST_PROCEDURES && tool_count > 0; i++, name += strlen(name) + 1) {
        mpi_function *found = layer_host_lacks(i) ? 0 : (mpi_function *)tools_find(name);
        if (found)
            layer_install(LAYER_HOST_TOOL, &part.head, LAYER_LINKS(part), &(struct override){ found, &part.link[i], i }, 1);
    }
}

void tools_each(void (*visit)(const char *path, void *handle, const void *context), const void *context)
{
    for (int i = 0; i < tool_count; i++)
        visit(tools[i].path, tools[i].handle, context);
}
