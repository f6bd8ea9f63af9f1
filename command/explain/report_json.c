// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>

#include "json.h"
#include "report.h"

static void write_set(struct json *json, const char *key, unsigned set, const char *const *names, int count)
{
    json_array(json, key, JSON_INLINE);
    for (int i = 0; i < count; i++)
        if (set & 1u << i)
            json_text(json, NULL, names[i]);
    json_end(json);
}

static void write_libraries(struct json *json, const struct program *program)
{
    json_object(json, "libraries", JSON_INLINE);
    for (size_t i = 0; i < program->libraries.count; i++) {
        const struct library *library = &program->libraries.libraries[i];
        if (is_mpi_library(program, library))
            json_text(json, base_name(library->name), library->path ? library->path : "");
    }
    json_end(json);
}

static void write_search_paths(struct json *json, const struct program *program)
{
    json_array(json, "search_paths", JSON_INLINE);
    for (size_t i = 0; i < program->search_path_count; i++) {
        const struct search_path *path = &program->search_paths[i];
        char *remark = search_path_remark(path);
        json_object(json, NULL, JSON_INLINE);
        json_text(json, "file", path->file);
        json_text(json, "kind", path->beats ? "rpath" : "runpath");
        json_text(json, "folders", path->folders);
        json_text(json, "remark", remark);
        json_end(json);
        free(remark);
    }
    json_end(json);
}

static void write_names(struct json *json, const char *key, const struct names *names)
{
    json_array(json, key, JSON_INLINE);
    for (size_t i = 0; i < names->count; i++)
        json_text(json, NULL, names->items[i]);
    json_end(json);
}

static void write_calls(struct json *json, const struct host *host, const struct program *program)
{
    json_text(json, "library", host->library);
    write_names(json, "host_preload", &host->host_preload);
    write_names(json, "preloaded", &host->preloaded);
    write_names(json, "stand_ins", &host->stand_ins);
    write_names(json, "conflicts", &host->conflicts);
    json_array(json, "missing_objects", JSON_INLINE);
    for (size_t i = 0; i < program->import_count; i++)
        if (program->imports[i].object && host->outcomes[i] == OUTCOME_MISSING)
            json_text(json, NULL, program->imports[i].symbol);
    json_end(json);
    json_object(json, "procedures", JSON_INLINE);
    for (size_t i = 0; i < program->import_count; i++)
        if (!program->imports[i].object)
            json_text(json, program->imports[i].symbol, outcome_names[host->outcomes[i]]);
    json_end(json);
}

static void write_host(struct json *json, const struct host *host, const struct program *program)
{
    json_object(json, NULL, JSON_INLINE);
    json_text(json, "pair", base_name(host->folder));
    json_text(json, "host", host->family);
    if (host->problem)
        json_text(json, "problem", host->problem);
    else
        write_calls(json, host, program);
    json_end(json);
}

void report_json(const struct report *report)
{
    struct json json = { .out = stdout };
    const struct program *program = &report->program;
    json_object(&json, NULL, JSON_LINES);
    json_text(&json, "program", program->name);
    json_text(&json, "file", program->file);
    json_text(&json, "abi", program->abi);
    write_names(&json, "native_files", &program->native);
    json_text(&json, "release_at_least", report->release && program->native.count == 0 ? report->release : "");
    json_text(&json, "runs_here", report->here ? report->here : "");
    write_names(&json, "brings", &report->brings);
    write_set(&json, "languages", program->languages, language_names, LANGUAGES);
    write_set(&json, "interfaces", program->interfaces, interface_names, INTERFACES);
    write_libraries(&json, program);
    write_search_paths(&json, program);
    write_names(&json, "settings_without_effect", &report->idle_settings);
    json_array(&json, "hosts", JSON_LINES);
    for (size_t i = 0; i < report->host_count; i++)
        write_host(&json, &report->hosts[i], program);
    json_end(&json);
    json_end(&json);
}
