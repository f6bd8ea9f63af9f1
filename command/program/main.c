/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the modules that need an MPI among those that a program of an interpreter may load, for the command, until this is part of it.
 *
 *     imports [LIBRARY_PATH]
 *
 * Pairs of keys and values on the standard input tell of the interpreter and the program: what the table of interpreters says, in `modules`,
 * `sources`, `usual` and `imports`, its syntax; `folder`, each where packages are; `library`, each name or pattern of an MPI library; and
 * `script`, a file, `text`, or `name`, of a package. Answers are `module`, each that needs an MPI; `named`, each MPI library that the text
 * names, if no module does; and `cut`, if there is more than was looked at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "packages.h"
#include "words.h"

/* More than Debian's largest stacks import; all of it takes a tenth of a second. */
enum { MOST_MODULES = 1000, MOST_SOURCES = 4000, MOST_BYTES = 32 << 20 };

static void take(struct packages *packages, struct list *names, const char *key, const char *value)
{
    if (strcmp(key, "modules") == 0)
        list_split(&packages->modules, value);
    else if (strcmp(key, "sources") == 0)
        list_split(&packages->sources, value);
    else if (strcmp(key, "usual") == 0)
        list_split(&packages->usual, value);
    else if (strcmp(key, "imports") == 0) {
        packages->syntax.is_python = strcmp(value, "python") == 0;
        if (!packages->syntax.is_python && regcomp(&packages->syntax.pattern, value, REG_EXTENDED) != 0)
            give_up("'%s' is no pattern; install mpi-adapter again", value);
    } else if (strcmp(key, "folder") == 0)
        list_add(&packages->folders, value);
    else if (strcmp(key, "library") == 0)
        list_add(&packages->libraries, value);
    else if (strcmp(key, "script") == 0)
        add_imports_of(packages, value, names, &packages->strings);
    else if (strcmp(key, "text") == 0)
        add_imports(&packages->syntax, value, names, &packages->strings);
    else if (strcmp(key, "name") == 0)
        list_add(names, value);
}

int main(int argc, char **argv)
{
    struct packages packages = { .modules_left = MOST_MODULES, .sources_left = MOST_SOURCES, .bytes_left = MOST_BYTES };
    struct list names = { 0 };
    const char *script = 0;
    char *key, *value;
    packages.library_path = argc > 1 ? argv[1] : 0;
    while ((key = next_word()) && (value = next_word())) {
        take(&packages, &names, key, arena_text("%s", value));
        if (strcmp(key, "script") == 0)
            script = arena_text("%s", value);
        free(key);
        free(value);
    }
    look_at_packages(&packages, &names);
    if (packages.found.count == 0)
        look_at_strings(&packages, script && strrchr(script, '/') ? arena_text("%.*s", (int)(strrchr(script, '/') - script), script) : 0);
    for (size_t i = 0; i < packages.found.count; i++)
        answer("module", "%s", packages.found.words[i]);
    for (size_t i = 0; i < packages.named.count; i++)
        answer("named", "%s", packages.named.words[i]);
    if (packages.is_cut_short && packages.found.count == 0)
        answer("cut", "yes");
    return fflush(stdout) == 0 ? 0 : 1;
}
