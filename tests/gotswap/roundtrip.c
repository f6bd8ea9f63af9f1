/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Swaps and restores the slots of the object that contains call_direct().
 * Arguments: "bound" to call everything once before, "fresh" not to; the number
 * of slots of callee that must be unresolved then; "original" if the former
 * address of callee must be known, "unknown" if it must not, "any" otherwise.
 */
#define _GNU_SOURCE
#include "caller.h"
#include "check.h"

#include <dlfcn.h>
#include <string.h>

enum { MOST = 512 };

struct state {
    void *values[MOST];
    int bound[MOST];
    size_t count;
    size_t unresolved;
};

static int two(void)
{
    return 2;
}

static int note(const gotswap_slot *slot, void *context)
{
    struct state *state = context;
    CHECK(state->count < MOST);
    /* The program's own calls may resolve other slots at any time. */
    if (strcmp(slot->symbol, "callee") != 0 && strcmp(slot->symbol, "own") != 0)
        return 0;
    state->values[state->count] = slot->value;
    state->bound[state->count++] = slot->bound;
    if (strcmp(slot->symbol, "callee") == 0)
        state->unresolved += !slot->bound;
    return 0;
}

/* The protection of each page of the object, as /proc/self/maps shows it. */
static char *protections(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[8192];
    while (fgets(line, sizeof line, maps)) {
        unsigned long start;
        unsigned long end;
        char protection[5];
        if (!strstr(line, path) || sscanf(line, "%lx-%lx %4s", &start, &end, protection) != 3)
            continue;
        for (; start < end; start += 4096)
            fprintf(out, "%lx %s\n", start, protection);
    }
    fclose(maps);
    fclose(out);
    CHECK(size > 0);
    return text;
}

static void call_all(int expected)
{
    CHECK(call_direct() == expected);
    CHECK(call_table() == expected);
#ifdef LIBRARY
    CHECK(call_own() == expected);
    CHECK(call_packed() == expected);
#else
    CHECK(call_own() == 1);
#endif
}

/* An executable's own functions cannot be interposed, so they have no slots. */
static void replace_own(gotswap_object *object)
{
#ifdef LIBRARY
    CHECK(gotswap_replace(object, "own", (void *)two, NULL) == GOTSWAP_OK);
#else
    CHECK(gotswap_replace(object, "own", (void *)two, NULL) == GOTSWAP_ENOSYM);
#endif
}

static void same_state(gotswap_object *object, const struct state *before)
{
    struct state after = {0};
    CHECK(gotswap_iterate(object, note, &after) == 0);
    CHECK(after.count == before->count);
    CHECK(memcmp(after.values, before->values, sizeof after.values) == 0);
    CHECK(memcmp(after.bound, before->bound, sizeof after.bound) == 0);
}

int main(int argc, char **argv)
{
    gotswap_object *object = NULL;
    Dl_info info;
    void *old = (void *)&object;
    CHECK(argc == 4);
    if (strcmp(argv[1], "bound") == 0)
        call_all(1);
    CHECK(dladdr((void *)call_direct, &info));
    CHECK(gotswap_open_address(&object, info.dli_fbase) == 0);
    char *before = protections(gotswap_path(object));

    struct state state = {0};
    CHECK(gotswap_iterate(object, note, &state) == 0);
    CHECK(state.unresolved == strtoul(argv[2], NULL, 10));

    CHECK(gotswap_replace(object, "callee", (void *)two, &old) == 0);
    if (strcmp(argv[3], "original") == 0)
        CHECK(old && ((int (*)(void))old)() == 1);
    if (strcmp(argv[3], "unknown") == 0)
        CHECK(old == NULL);
    replace_own(object);
    call_all(2);
    char *between = protections(gotswap_path(object));
    CHECK(strcmp(before, between) == 0);

    CHECK(gotswap_restore(object) == 0);
    same_state(object, &state);
    call_all(1);
    char *after = protections(gotswap_path(object));
    CHECK(strcmp(before, after) == 0);
    free(before);
    free(between);
    free(after);
    CHECK(gotswap_close(object) == 0);
    return 0;
}
