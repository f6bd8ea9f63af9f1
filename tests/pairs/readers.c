/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints which ABI each reader of readers.tsv takes a library for, by what its MPI_Get_library_version says: lines "FAMILY TEXT READER".
 *   readers FAMILY TABLE [TEXTS]
 * of a program of the family's. The host says each text of TEXTS in turn, by a tool that answers what is in the variable LIBRARY_TEXT;
 * without TEXTS it says its own. Compiled with -DNATIVE, no MPI is asked: the readers see the texts as they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef NATIVE
#include <mpi.h>
#endif

enum { ROOM = 8192, FIELDS = 6 };

static int split(char *line, char *fields[], int most)
{
    int count = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *field = line; field && count < most; count++) {
        fields[count] = field;
        field = strchr(field, '\t');
        if (field)
            *field++ = 0;
    }
    return count;
}

static int fits(char *const fields[], const char *text)
{
    const char *found = strstr(text, fields[3]);
    if (!found || (strcmp(fields[2], "begins") == 0 && found != text))
        return 0;
    return strcmp(fields[4], "-") == 0 || strstr(text, fields[4]);
}

static int is_asked(char *const fields[], const char *family)
{
    return strcmp(fields[1], "any") == 0 || strcmp(fields[1], family) == 0;
}

static void read_by_all(const char *family, const char *path, int number, const char *text)
{
    char line[512], reader[80] = "", *fields[FIELDS];
    int is_known = 1;
    FILE *table = fopen(path, "r");
    if (!table)
        exit(2);
    while (fgets(line, sizeof line, table)) {
        if (line[0] == '#' || split(line, fields, FIELDS) != FIELDS || !is_asked(fields, family))
            continue;
        if (strcmp(reader, fields[0]) != 0) {
            if (!is_known)
                printf("unknown %d %s\n", number, reader);
            snprintf(reader, sizeof reader, "%s", fields[0]);
            is_known = 0;
        }
        if (!is_known && fits(fields, text)) {
            printf("%s %d %s\n", fields[5], number, reader);
            is_known = 1;
        }
    }
    if (!is_known)
        printf("unknown %d %s\n", number, reader);
    fclose(table);
}

/* \n and \t as in C. */
static void unescape(char *text)
{
    char *to = text;
    for (; *text; text++)
        *to++ = *text != '\\' ? *text : *++text == 'n' ? '\n' : '\t';
    *to = 0;
}

static void ask(char *text)
{
#ifndef NATIVE
    static char said[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    setenv("LIBRARY_TEXT", text, 1);
    MPI_Get_library_version(said, &length);
    snprintf(text, ROOM, "%s", said);
#else
    (void)text;
#endif
}

int main(int argc, char **argv)
{
    static char line[ROOM];
    char *fields[2];
    int number = 0;
    FILE *texts = argc > 3 ? fopen(argv[3], "r") : 0;
    if (!texts) {
        ask(line);
        read_by_all(argv[1], argv[2], 0, line);
    }
    while (texts && fgets(line, sizeof line, texts)) {
        if (line[0] == '#' || split(line, fields, 2) != 2)
            continue;
        unescape(fields[1]);
        memmove(line, fields[1], strlen(fields[1]) + 1);
        ask(line);
        read_by_all(argv[1], argv[2], ++number, line);
    }
    return 0;
}
