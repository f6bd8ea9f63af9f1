/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads /proc/self/maps. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char maps_path[] = "/proc/self/maps";

uintptr_t gotswap_page_size(void)
{
    return (uintptr_t)getpagesize();
}

/* The whole file with a null byte behind it; the kernel hands it out in parts. */
static int read_text(int fd, char **text)
{
    size_t size = 32768;
    size_t used = 0;
    char *buffer = malloc(size);
    while (buffer) {
        ssize_t got = read(fd, buffer + used, size - used - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            buffer[used] = '\0';
            *text = buffer;
            return got == 0 ? 0 : errno;
        }
        used += (size_t)got;
        if (size - used < 2) {
            char *larger = realloc(buffer, size *= 2);
            if (!larger)
                free(buffer);
            buffer = larger;
        }
    }
    *text = NULL;
    return ENOMEM;
}

/* Parses "start-end rwxp offset device inode   path", whose line end is a null byte. */
static bool parse_line(char *line, struct region *region)
{
    char *at;
    region->start = strtoul(line, &at, 16);
    if (*at++ != '-')
        return false;
    region->end = strtoul(at, &at, 16);
    if (strnlen(at, 6) < 6)
        return false;
    region->prot = (at[1] == 'r' ? PROT_READ : 0) | (at[2] == 'w' ? PROT_WRITE : 0) |
                   (at[3] == 'x' ? PROT_EXEC : 0);
    region->offset = strtoull(at + 5, &at, 16);
    for (int field = 0; field < 2; field++) { /* device and inode */
        at += strspn(at, " ");
        at += strcspn(at, " ");
    }
    region->path = at + strspn(at, " ");
    return true;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; (text = strchr(text, '\n')); text++)
        lines++;
    return lines;
}

static int parse_text(struct maps *maps)
{
    maps->regions = malloc((count_lines(maps->text) + 1) * sizeof *maps->regions);
    if (!maps->regions)
        return gotswap_fail_memory();
    char *next;
    for (char *line = maps->text; (next = strchr(line, '\n')); line = next + 1) {
        *next = '\0';
        if (!parse_line(line, &maps->regions[maps->count]))
            return gotswap_fail(GOTSWAP_EFILE, "%s: not understood: %s", maps_path, line);
        maps->count++;
    }
    return GOTSWAP_OK;
}

int gotswap_maps_read(struct maps *maps)
{
    *maps = (struct maps){0};
    int fd = open(maps_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return gotswap_fail(GOTSWAP_EFILE, "%s: %s", maps_path, strerror(errno));
    int error = read_text(fd, &maps->text);
    close(fd);
    int code = GOTSWAP_OK;
    if (error == ENOMEM)
        code = gotswap_fail_memory();
    else if (error)
        code = gotswap_fail(GOTSWAP_EFILE, "%s: %s", maps_path, strerror(error));
    else
        code = parse_text(maps);
    if (code)
        gotswap_maps_free(maps);
    return code;
}

void gotswap_maps_free(struct maps *maps)
{
    free(maps->regions);
    free(maps->text);
    *maps = (struct maps){0};
}

const struct region *gotswap_maps_find(const struct maps *maps, uintptr_t address)
{
    size_t low = 0;
    size_t high = maps->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (maps->regions[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == maps->count || address < maps->regions[low].start)
        return NULL;
    return &maps->regions[low];
}
