/* SPDX-License-Identifier: BSD-3-Clause */
#include "suggest.h"

#include <string.h>

#include "arena.h"
#include "texts.h"

int is_within(int edits, const char *word, const char *name)
{
    while (*word && *word == *name)
        word++, name++;
    if (*word == *name)
        return 1;
    if (edits == 0)
        return 0;
    return (*name && is_within(edits - 1, word, name + 1)) || (*word && is_within(edits - 1, word + 1, name)) ||
           (*word && *name && is_within(edits - 1, word + 1, name + 1)) ||
           (*word && word[1] && word[0] == name[1] && word[1] == name[0] && is_within(edits - 1, word + 2, name + 2));
}

/* Returns what is compared: neither dashes nor the prefix of our variables. */
static const char *compared_part(const char *word)
{
    static const char prefix[] = "MPI_ADAPTER_";
    word += strspn(word, "-");
    word += begins_with(word, prefix) ? sizeof prefix - 1 : 0;
    return in_small_letters(word);
}

const char *did_you_mean(const char *word, const struct list *names)
{
    const char *compared = compared_part(word);
    size_t length = strlen(compared);
    int most = length < 2 ? -1 : length == 2 ? 0 : length < 5 ? 1 : 2;
    struct list near = { 0 };
    for (int edits = 0; edits <= most && near.count == 0; edits++)
        for (size_t i = 0; i < names->count; i++)
            if (is_within(edits, compared, compared_part(names->words[i])))
                list_add_once(&near, arena_text("'%s'", names->words[i]));
    return near.count == 1 || near.count == 2 ? arena_text("did you mean %s?", joined(" or ", &near)) : 0;
}
