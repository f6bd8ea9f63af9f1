// SPDX-License-Identifier: BSD-3-Clause
// explain: what an MPI program was built against, and what would become of its
// calls on each host.  The command mpi-adapter finds the program, the pairs and
// their hosts, and says so in options; nothing of any file runs.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../elf/allocate.h"
#include "../elf/elf-contains.h"
#include "report.h"

static int usage(void)
{
    fputs("usage: explain [--json | --records] --program NAME --file FILE --abi ABI --sonames \"NAME...\"\n"
          "               --symbols \"INTERFACE=PATTERN,...\" --left \"NAME=RELEASE...\" --library-path PATH --preload LIST\n"
          "               [--idle \"NAME...\"] [--here TEXT] [--brings TEXT]... [--native FILE]...\n"
          "               [--pair FOLDER --host FAMILY\n"
          "                               --problem TEXT | --library FILE --library-path PATH\n"
          "                                                [--host-preload LIST --preload LIST]]...\n", stderr);
    return EXIT_USAGE;
}

// ---------------------------------------------------------------- what the command says

struct options {
    void (*report)(const struct report *);
    const char *library_path, *preload;
};

static struct host *new_host(struct report *report, const char *folder)
{
    report->hosts = grown(report->hosts, report->host_count, sizeof *report->hosts);
    report->hosts[report->host_count] = (struct host){ .folder = folder };
    return &report->hosts[report->host_count++];
}

// Adds the items of a list, in its order.
static void add_items(struct names *names, const char *text, const char *separators)
{
    char *items = copy(text), *place = items;
    for (char *item; (item = strsep(&place, separators));)
        if (*item)
            names_add(names, item);
    free(items);
}

static void add_words(struct names *names, const char *text)
{
    add_items(names, text, " \t\n");
    names_sort(names);
}

static bool add_symbols(const char *text)
{
    char *words = copy(text), *place = words;
    bool known = true;
    for (char *word; (word = strsep(&place, " "));)
        known = known && (!*word || interface_add(word));
    free(words);
    return known;
}

// Options after --pair are of that one.
static bool read_options(struct report *report, struct options *options, int argc, char **argv)
{
    static const struct option known[] = {
        { "json", no_argument, NULL, 'j' },
        { "records", no_argument, NULL, 'r' },
        { "program", required_argument, NULL, 'n' },
        { "file", required_argument, NULL, 'f' },
        { "abi", required_argument, NULL, 'a' },
        { "sonames", required_argument, NULL, 's' },
        { "symbols", required_argument, NULL, 'y' },
        { "left", required_argument, NULL, 'o' },
        { "library-path", required_argument, NULL, 'L' },
        { "preload", required_argument, NULL, 'e' },
        { "idle", required_argument, NULL, 'i' },
        { "here", required_argument, NULL, 'H' },
        { "brings", required_argument, NULL, 'b' },
        { "native", required_argument, NULL, 'N' },
        { "host-preload", required_argument, NULL, 'E' },
        { "pair", required_argument, NULL, 'P' },
        { "host", required_argument, NULL, 'h' },
        { "problem", required_argument, NULL, 'p' },
        { "library", required_argument, NULL, 'l' },
        { NULL, 0, NULL, 0 },
    };
    struct host none = { .folder = NULL }, *host = &none;
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (option) {
        case 'j': options->report = report_json; break;
        case 'r': options->report = report_records; break;
        case 'n': report->program.name = optarg; break;
        case 'f': report->program.file = optarg; break;
        case 'a': report->program.abi = optarg; break;
        case 's': add_words(&report->program.mpi_sonames, optarg); break;
        case 'y': if (!add_symbols(optarg)) return false; break;
        case 'o': report->program.left = optarg; break;
        case 'L': *(host == &none ? &options->library_path : &host->library_path) = optarg; break;
        case 'e': *(host == &none ? &options->preload : &host->preload) = optarg; break;
        case 'i': add_words(&report->idle_settings, optarg); break;
        case 'H': report->here = optarg; break;
        case 'b': names_add(&report->brings, optarg); break;
        case 'N': names_add(&report->program.native, optarg); break;
        case 'E': add_items(&host->host_preload, optarg, ":"); break;
        case 'P': host = new_host(report, optarg); break;
        case 'h': host->family = optarg; break;
        case 'p': host->problem = optarg; break;
        case 'l': host->library = optarg; break;
        default: return false;
        }
    }
    return optind == argc;
}

static bool is_complete(const struct report *report, const struct options *options)
{
    bool complete = report->program.name && report->program.file && report->program.abi && options->library_path &&
                    options->preload;
    for (size_t i = 0; i < report->host_count; i++) {
        const struct host *host = &report->hosts[i];
        complete = complete && host->family && (host->problem || (host->library && host->library_path));
    }
    return complete;
}

// ---------------------------------------------------------------- the release

// The application's releases are the same in every pair's list.
static const struct host *host_with_list(const struct report *report)
{
    for (size_t i = 0; i < report->host_count; i++)
        if (report->hosts[i].procedure_count)
            return &report->hosts[i];
    return NULL;
}

static void find_release(struct report *report)
{
    const struct host *host = host_with_list(report);
    const struct procedure *first = host ? find_procedure(host, "MPI_Init") : NULL;
    report->oldest_release = first ? first->since : NULL;
    for (size_t i = 0; host && i < report->program.import_count; i++) {
        const struct import *import = &report->program.imports[i];
        const struct procedure *procedure = find_procedure(host, import->procedure);
        if (!procedure || strcmp(procedure->since, "-") == 0 ||
            (report->release && strverscmp(procedure->since, report->release) <= 0))
            continue;
        report->release = procedure->since;
        report->release_symbol = import->symbol;
    }
}

// ---------------------------------------------------------------- the whole

static int finish_report(struct report *report)
{
    for (size_t i = 0; i < report->host_count; i++)
        host_free(&report->hosts[i]);
    free(report->hosts);
    names_free(&report->brings);
    names_free(&report->idle_settings);
    program_free(&report->program);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return ELF_YES;
    fputs("mpi-adapter: the answer cannot be written; free space where it goes\n", stderr);
    return 1;
}

int main(int argc, char **argv)
{
    struct report report = { .hosts = NULL };
    struct options options = { .report = report_text };
    if (!read_options(&report, &options, argc, argv) || !is_complete(&report, &options))
        return usage();
    program_read(&report.program, options.library_path);
    for (size_t i = 0; i < report.host_count; i++)
        host_read(&report.hosts[i], &report.program, options.preload);
    find_release(&report);
    options.report(&report);
    return finish_report(&report);
}
