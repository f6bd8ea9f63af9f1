/* SPDX-License-Identifier: BSD-3-Clause */
#include "write.h"

#include <ctype.h>
#include <string.h>

#include "arena.h"

/* The line that is written at the moment. */
struct writing {
    struct line *line;
    const struct host_launcher *host;
    const struct list *variables;
    struct written *written;
    struct list options;
    const struct items *part;           /* of the program whose options these are, or of none */
    const struct list *settings;        /* what its ranks are told anyhow: NAME=VALUE */
};

static const struct items no_items;
static const struct list no_settings;

int is_of_line(const struct dialect *dialect, const char *meaning)
{
    struct list own = { 0 };
    list_split(&own, fact_of(dialect, "programs"));
    return !list_has(&own, "all") && !has_meaning(&own, meaning);
}

/* Returns a word of a form with its first TEXT replaced by a value. */
static const char *filled(const char *word, const char *text, const char *value)
{
    const char *at = strstr(word, text);
    if (!at)
        return word;
    return strcmp(word, text) == 0 ? value : arena_text("%.*s%s%s", (int)(at - word), word, value, at + strlen(text));
}

/* Adds the words of an option. Of one whose value begins with ':', the value goes to the one that is there. Returns a problem if that has
 * another value already. */
static struct problem *put_option(struct writing *writing, const struct list *words)
{
    struct list *options = &writing->options;
    if (words->count == 0)
        return 0;
    if (words->words[0][0] == '%') {
        list_add(&writing->written->variables, words->words[0] + 1);
        return 0;
    }
    for (size_t i = 0; words->count == 2 && i + 1 < options->count; i++) {
        const char **value = &options->words[i + 1];
        if (strcmp(options->words[i], words->words[0]) != 0)
            continue;
        if (words->words[1][0] == ':') {
            *value = arena_text("%s%s", *value, words->words[1]);
            return 0;
        }
        if (**value == ':') {
            *value = arena_text("%s%s", words->words[1], *value);
            return 0;
        }
        if (joins_values(writing->host->dialect, words->words[0]) && strcmp(*value, words->words[1]) != 0)
            return problem_of("%s of %s cannot be both %s and %s; leave out one of the options of '%s' that say so", words->words[0],
                              writing->host->path, *value, words->words[1],
                              list_text(&writing->line->words, 0, writing->line->words.count));
    }
    list_add_all(options, words);
    return 0;
}

/* Returns NAME=VALUE of what may be a name alone, which stands for the value that is here; null if it has none. */
static const char *with_value(const struct writing *writing, const char *variable)
{
    size_t length = strlen(variable);
    if (strchr(variable, '='))
        return variable;
    for (size_t i = 0; i < writing->variables->count; i++) {
        const char *known = writing->variables->words[i];
        if (strncmp(known, variable, length) == 0 && known[length] == '=')
            return known;
    }
    return 0;
}

/* Words of a form whose option's value is two words, for which some tables have NAME=VALUE. */
static void split_pair(const struct dialect *dialect, struct list *words)
{
    const char *sign = words->count == 2 ? strchr(words->words[1], '=') : 0;
    struct list pair = { 0 };
    if (!sign || words_behind(dialect, words->words[0]) != 2)
        return;
    list_add(&pair, words->words[0]);
    list_add(&pair, arena_text("%.*s", (int)(sign - words->words[1]), words->words[1]));
    list_add(&pair, sign + 1);
    *words = pair;
}

/* Returns whether ranks are told this variable by a setting, which has what the line says of it. */
static int is_set(const struct writing *writing, const char *variable)
{
    size_t length = strcspn(variable, "=");
    for (size_t i = 0; i < writing->settings->count; i++) {
        const char *setting = writing->settings->words[i];
        if (strncmp(setting, variable, length) == 0 && setting[length] == '=')
            return 1;
    }
    return 0;
}

static struct problem *put_item(struct writing *writing, const char *meaning, const char *value)
{
    const struct form *form = form_of(writing->host->dialect, meaning);
    struct list words = { 0 };
    int has_name = 0;
    if (strcmp(meaning, "variable") == 0 || strcmp(meaning, "shared_variable") == 0) {
        const char *found = with_value(writing, value);
        if (is_set(writing, value))
            return 0;
        if (!found) {
            list_add(&writing->line->notes, arena_text("%s is not set, and no rank gets it", value));
            return 0;
        }
        value = found;
    }
    const char *sign = strchr(value, '='), *name = arena_text("%.*s", (int)strcspn(value, "="), value);
    for (size_t i = 0; i < form->words.count; i++)
        has_name |= strstr(form->words.words[i], "NAME") != 0;
    for (size_t i = 0; i < form->words.count; i++) {
        const char *word = form->words.words[i];
        if (strstr(word, "NAME"))
            list_add(&words, strstr(word, "VALUE") ? filled(word, "NAME=VALUE", value) : filled(word, "NAME", name));
        else
            list_add(&words, filled(word, "VALUE", has_name && sign ? sign + 1 : value));
    }
    split_pair(writing->host->dialect, &words);
    return put_option(writing, &words);
}

static const char *advice_for(const struct meanings *meanings, const char *meaning)
{
    const char *kind = arena_text("%.*s", (int)strcspn(meaning, ":"), meaning), *advice = 0;
    for (size_t i = 0; i < meanings->advised.count; i++)
        if (strcmp(meanings->advised.words[i], meaning) == 0)
            return meanings->advice.words[i];
        else if (strcmp(meanings->advised.words[i], kind) == 0)
            advice = meanings->advice.words[i];
    return advice;
}

/* A list of NAME and NAME=VALUE with commas between: ranks get these variables alone, if ALL is not among them. Some launchers take names
 * only, and some cannot keep variables from ranks. */
static struct problem *put_variables(struct writing *writing, const struct item *item)
{
    const struct dialect *dialect = writing->host->dialect;
    const char *kind = form_of(dialect, "shared_variable") ? "shared_variable" : "variable", *names = "";
    struct list words = { 0 };
    list_split_at(&words, item->value, ',');
    int is_all = list_has(&words, "ALL"), restricts = !is_all && form_of(dialect, "variables"), has_kind = form_of(dialect, kind) != 0;
    if (list_has(&words, "NONE")) {
        if (!form_of(dialect, "no_variables"))
            return refuse_option(writing->line, item->text, writing->host->path, advice_for(&writing->line->dialects->meanings, "no_variables"));
        HAND_ON(put_item(writing, "no_variables", ""));
    }
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.words[i];
        if (strcmp(word, "ALL") == 0 || strcmp(word, "NONE") == 0)
            continue;
        if (restricts)
            names = arena_text("%s%s%.*s", names, *names ? "," : "", (int)strcspn(word, has_kind ? "=" : ""), word);
        if (has_kind && !strchr(word, '=') && gives_value(&writing->line->items, word))
            continue;
        if (has_kind && (strchr(word, '=') || !(restricts || is_all)))
            HAND_ON(put_item(writing, kind, word));
        else if (!has_kind && !restricts)
            return refuse_option(writing->line, item->text, writing->host->path, 0);
    }
    return *names ? put_item(writing, "variables", names) : 0;
}

static struct problem *write_item(struct writing *writing, const struct item *item)
{
    const struct dialect *dialect = writing->host->dialect;
    const struct meanings *meanings = &writing->line->dialects->meanings;
    const char *meaning = item->meaning;
    if (!form_of(dialect, meaning) && strncmp(meaning, "shared_", 7) == 0)
        meaning += 7;
    if (strcmp(meaning, "own_setting") == 0)
        list_add(&writing->line->without_effect, item->text);
    else if (has_meaning(&meanings->dispensable, meaning))
        list_add(&writing->line->notes, arena_text("the option %s is left out, as %s doesn't need it", item->text, writing->host->path));
    else if (strcmp(meaning, "bind:core") == 0 && value_said("cores", writing->part, &writing->line->items))
        return 0;
    else if (strcmp(meaning, "variables") == 0)
        return put_variables(writing, item);
    else if (form_of(dialect, meaning))
        return put_item(writing, meaning, item->value);
    else if (strcmp(meaning, "all_variables") != 0 && strcmp(meaning, "no_share") != 0)
        return refuse_option(writing->line, item->text, writing->host->path, advice_for(meanings, meaning));
    return 0;
}

static struct problem *write_items(struct writing *writing, const struct items *items, int of_line)
{
    for (size_t i = 0; i < items->count; i++)
        if (is_of_line(writing->host->dialect, items->all[i].meaning) == of_line)
            HAND_ON(write_item(writing, &items->all[i]));
    return 0;
}

/* Returns whether an item of the program is like this one, but for its value if `is_other`. */
static int has_item(const struct items *items, size_t count, const struct item *item, int is_other)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(items->all[i].meaning, item->meaning) == 0 && (strcmp(items->all[i].value, item->value) != 0) == is_other)
            return 1;
    return 0;
}

/* Makes the items of one program items of all, where the host's launcher has them for all alone: other programs must say the same. */
static struct problem *share_items_of(struct line *line, const struct part *part, const struct host_launcher *host)
{
    size_t known = line->items.count;
    for (size_t i = 0; i < part->items.count; i++) {
        const struct item *item = &part->items.all[i];
        if (!is_of_line(host->dialect, item->meaning) || has_item(&line->items, line->items.count, item, 0))
            continue;
        if (strcmp(item->meaning, "own_setting") != 0 && has_item(&line->items, known, item, 1))
            return problem_of("the programs of '%s' differ in %s; %s has that for all programs; give it once",
                              list_text(&line->words, 0, line->words.count), item->text, host->path);
        add_item(&line->items, item->meaning, item->value, item->text);
    }
    return 0;
}

/* Tells the launcher the variables of one program's ranks, by the words that it has for them. */
static void put_settings(struct writing *writing, const struct list *settings)
{
    struct list pattern = { 0 };
    list_split(&pattern, fact_of(writing->host->dialect, "one"));
    for (size_t i = 0; i < settings->count; i++)
        for (size_t j = 0; j < pattern.count; j++) {
            const char *setting = settings->words[i], *word = pattern.words[j], *sign = strchr(setting, '=');
            if (strcmp(word, "NAME=VALUE") == 0)
                word = setting;
            else if (strcmp(word, "NAME") == 0)
                word = arena_text("%.*s", (int)(sign - setting), setting);
            else if (strcmp(word, "VALUE") == 0)
                word = sign + 1;
            list_add(&writing->written->words, word);
        }
}

static struct problem *write_part(struct writing *writing, const struct part *part)
{
    writing->options = (struct list){ 0 };
    writing->part = &part->items;
    writing->settings = &part->settings;
    HAND_ON(write_items(writing, &writing->line->items, 0));
    HAND_ON(write_items(writing, &part->items, 0));
    put_settings(writing, &part->settings);
    list_add_all(&writing->written->words, &writing->options);
    list_add_all(&writing->written->words, &part->command);
    return 0;
}

struct problem *write_line(struct line *line, const struct host_launcher *host, const struct list *variables, struct written *written)
{
    struct writing writing = { line, host, variables, written, { 0 }, &no_items, &no_settings };
    const char *apart = fact_of(host->dialect, "apart");
    for (size_t i = 0; i < line->count; i++)
        HAND_ON(share_items_of(line, &line->parts[i], host));
    HAND_ON(write_items(&writing, &line->items, 1));
    list_add_all(&written->words, &writing.options);
    if (line->count > 1 && !*apart)
        return problem_of("%s can start only one program; give an MPI's own launcher by --to", host->path);
    for (size_t i = 0; i < line->count; i++) {
        if (i > 0)
            list_add(&written->words, apart);
        HAND_ON(write_part(&writing, &line->parts[i]));
    }
    return 0;
}
