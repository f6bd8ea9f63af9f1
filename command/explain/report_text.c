// SPDX-License-Identifier: BSD-3-Clause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../elf/allocate.h"
#include "../elf/text.h"
#include "report.h"

// Appends to a text.
__attribute__((format(printf, 2, 3)))
static void append_text(char **text, const char *format, ...)
{
    char *more, *both;
    va_list arguments;
    va_start(arguments, format);
    allocated(vasprintf(&more, format, arguments) < 0 ? NULL : more);
    va_end(arguments);
    allocated(asprintf(&both, "%s%s", *text, more) < 0 ? NULL : both);
    free(more);
    free(*text);
    *text = both;
}

// Prints a line, which it frees: one, whatever a name holds.
static void print(char *line)
{
    text_make_plain(line);
    puts(line);
    free(line);
}

static void print_fact(const char *key, const char *value)
{
    char *line = copy("");
    append_text(&line, "%-15s %s", key, value);
    print(line);
}

static void print_set(const char *key, unsigned set, const char *const *names, int count, const char *separator)
{
    char *line = copy("");
    append_text(&line, "%-15s ", key);
    for (int i = 0; i < count; i++)
        if (set & 1u << i)
            append_text(&line, "%s%s", names[i], set >> i > 1 ? separator : "");
    print(line);
}

static void print_release(const struct report *report)
{
    char *text = copy("");
    if (!report->release)
        append_text(&text, "not known");
    else if (report->oldest_release && strcmp(report->release, report->oldest_release) == 0)
        append_text(&text, "any since %s, the oldest one that is known", report->release);
    else
        append_text(&text, "%s or later, by %s, of those that are known", report->release, report->release_symbol);
    char *left = release_that_left(&report->program);
    if (left)
        append_text(&text, "; before %s, by the libraries that it needs", left);
    print_fact("release", text);
    free(left);
    free(text);
}

static void print_libraries(const struct program *program)
{
    puts("libraries now");
    for (size_t i = 0; i < program->libraries.count; i++) {
        const struct library *library = &program->libraries.libraries[i];
        if (!is_mpi_library(program, library))
            continue;
        char *line = copy("");
        append_text(&line, "  %-32s %s", base_name(library->name), library->path ? library->path : "not found");
        print(line);
    }
}

char *search_path_remark(const struct search_path *path)
{
    char *remark = copy(path->beats ? "beats LD_LIBRARY_PATH" : ""), *missing = missing_folders(path);
    if (*missing)
        append_text(&remark, "%snot there:%s", *remark ? "; " : "", missing);
    free(missing);
    return remark;
}

static void print_search_paths(const struct program *program)
{
    if (program->search_path_count)
        puts("search paths");
    for (size_t i = 0; i < program->search_path_count; i++) {
        const struct search_path *path = &program->search_paths[i];
        char *remark = search_path_remark(path), *line = copy("");
        append_text(&line, "  %s: DT_%s %s", path->file, path->beats ? "RPATH" : "RUNPATH", path->folders);
        if (*remark)
            append_text(&line, " (%s)", remark);
        print(line);
        free(remark);
    }
}

static void print_counts(const struct host *host)
{
    char *line = copy("   ");
    for (int how = 0; how < OUTCOMES; how++)
        append_text(&line, "%s %zu %s", how ? "," : "", host->counts[how], outcome_names[how]);
    print(line);
}

static void print_names(const char *text, const struct names *names)
{
    if (!names->count)
        return;
    char *line = copy(text);
    for (size_t i = 0; i < names->count; i++)
        append_text(&line, " %s", names->items[i]);
    print(line);
}

static void print_conflicts(const struct host *host)
{
    for (size_t i = 0; i < host->conflicts.count; i++) {
        char *line = copy("    both bring ");
        append_text(&line, "%s", host->conflicts.items[i]);
        print(line);
    }
}

char *missing_objects(const struct host *host, const struct program *program)
{
    char *names = copy("");
    for (size_t i = 0; i < program->import_count; i++)
        if (program->imports[i].object && host->outcomes[i] == OUTCOME_MISSING)
            append_text(&names, " %s", program->imports[i].symbol);
    return names;
}

static void print_missing_objects(const struct host *host, const struct program *program)
{
    char *names = missing_objects(host, program);
    if (*names) {
        char *line = copy("    missing objects:");
        append_text(&line, "%s", names);
        print(line);
    }
    free(names);
}

static void print_host(const struct host *host, const struct program *program)
{
    char *line = copy("");
    append_text(&line, "  %s: %s", base_name(host->folder), host->problem ? host->problem : host->library);
    print(line);
    if (host->problem)
        return;
    print_counts(host);
    print_names("    loaded with this MPI, by host_preload:", &host->host_preload);
    print_names("    taken from elsewhere by a fixed path, so mpi-adapter run preloads:", &host->preloaded);
    print_names("    not found, so stand-ins serve, but for what is missing:", &host->stand_ins);
    print_conflicts(host);
    print_missing_objects(host, program);
}

static void print_hosts(const struct report *report)
{
    puts("hosts");
    if (!report->host_count)
        printf("  no installed pair runs programs of %s\n", report->program.abi);
    for (size_t i = 0; i < report->host_count; i++)
        print_host(&report->hosts[i], &report->program);
}

// Prints a line of the table of procedures: a column for each host that can be used.
static void print_row(const struct report *report, char *line, const char *cell(const struct host *, size_t), size_t i)
{
    for (size_t host = 0; host < report->host_count; host++)
        if (!report->hosts[host].problem)
            append_text(&line, " %-22s", cell(&report->hosts[host], i));
    for (size_t length = strlen(line); length && line[length - 1] == ' ';)
        line[--length] = 0;
    print(line);
}

static const char *pair_of(const struct host *host, size_t unused)
{
    (void)unused;
    return base_name(host->folder);
}

static const char *outcome_of(const struct host *host, size_t i) { return outcome_names[host->outcomes[i]]; }

static void print_procedures(const struct report *report)
{
    const struct program *program = &report->program;
    if (!program->import_count) {
        print_fact("procedures", "none is imported; it may load MPI at run time");
        return;
    }
    char *line = copy("");
    append_text(&line, "%-34s", "procedures");
    print_row(report, line, pair_of, 0);
    for (size_t i = 0; i < program->import_count; i++) {
        if (program->imports[i].object)
            continue;
        line = copy("");
        append_text(&line, "  %-32s", program->imports[i].symbol);
        print_row(report, line, outcome_of, i);
    }
}

void report_text(const struct report *report)
{
    const struct program *program = &report->program;
    print_fact("program", program->name);
    if (strcmp(program->name, program->file) != 0)
        print_fact("runs", program->file);
    print_fact("built against", program->abi);
    for (size_t i = 0; i < program->native.count; i++)
        print_fact("native part", program->native.items[i]);
    if (program->native.count == 0)
        print_release(report);
    if (report->here)
        print_fact("runs here", report->here);
    for (size_t i = 0; i < report->brings.count; i++)
        print_fact("brings", report->brings.items[i]);
    print_set("languages", program->languages, language_names, LANGUAGES, " ");
    print_set("interfaces", program->interfaces, interface_names, INTERFACES, ", ");
    print_libraries(program);
    print_search_paths(program);
    print_names("settings without effect:", &report->idle_settings);
    print_hosts(report);
    print_procedures(report);
}
