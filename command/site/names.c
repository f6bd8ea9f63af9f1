/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables' words on families, implementations and their libraries. No code names one of them. */
#include <regex.h>
#include <string.h>

#include "arena.h"
#include "site.h"
#include "suggest.h"
#include "texts.h"

const char *of_family(const struct site *site, const char *family, const char *key)
{
    return said_of(&site->families, family, key);
}

const char *of_implementation(const struct site *site, const char *name, const char *key)
{
    return said_of(&site->implementations, name, key);
}

const char *called(const struct site *site, const char *family)
{
    const char *name = of_family(site, family, "called");
    return *name ? name : family;
}

const char *called_families(const struct site *site)
{
    struct list texts = { 0 };
    for (size_t i = 0; i < site->families.names.count; i++)
        list_add(&texts, called(site, site->families.names.words[i]));
    return joined(" or ", &texts);
}

int is_shared(const struct site *site, const char *family)
{
    return strchr(of_family(site, family, "implementations"), ' ') != 0;
}

/* ---------------------------------------------------------------- ABIs */

const char *abi_of_soname(const struct site *site, const char *name)
{
    const struct list *families = &site->families.names;
    name = plain_name(name);
    for (size_t i = 0; i < site->pair_count; i++)
        if (has_word(said_in_pair(site->pairs[i], "application_sonames"), name))
            return said_in_pair(site->pairs[i], "application");
    for (size_t i = 0; i < families->count; i++)
        if (has_word(of_family(site, families->words[i], "needs"), name))
            return families->words[i];
    for (size_t i = 0; i < families->count; i++)
        if (alias_of(site, name, families->words[i]))
            return families->words[i];
    return 0;
}

const char *known_sonames(const struct site *site)
{
    struct list texts = { 0 };
    list_add(&texts, said_of_all(&site->families, "needs"));
    for (size_t i = 0; i < site->pair_count; i++)
        list_add(&texts, said_in_pair(site->pairs[i], "application_sonames"));
    return list_joined(&texts, " ");
}

static struct list known_abis(const struct site *site)
{
    struct list known = { 0 };
    for (size_t i = 0; i < site->families.names.count; i++)
        list_add_once(&known, site->families.names.words[i]);
    for (size_t i = 0; i < site->pair_count; i++) {
        list_add_once(&known, said_in_pair(site->pairs[i], "application"));
        list_add_once(&known, said_in_pair(site->pairs[i], "host"));
    }
    list_sort(&known);
    return known;
}

int is_abi_name(const struct site *site, const char *name)
{
    struct list known = known_abis(site);
    return list_has(&known, name);
}

struct problem *check_abi_name(const struct site *site, const char *option, const char **full, const char *origin, const char **meant)
{
    struct list known = known_abis(site);
    const char *name = up_to(*full, '@'), *advice;
    *meant = 0;
    if (list_has(&known, name))
        return 0;
    for (size_t i = 0; i < site->families.names.count; i++) {
        const char *family = site->families.names.words[i];
        if (!has_word(of_family(site, family, "meant"), name))
            continue;
        if (is_same(option, "--to") && !origin)
            *meant = name;
        *full = arena_text("%s%s", family, *full + strlen(name));
        return 0;
    }
    advice = did_you_mean(name, &known);
    if (!advice)
        advice = arena_text("give %s one of: %s", origin ? "it" : option, list_joined(&known, " "));
    if (origin)
        return problem_of("unknown ABI '%s', which %s names; %s", name, origin, advice);
    return problem_of("unknown ABI '%s'; %s", name, advice);
}

const char *only_application(const struct site *site)
{
    const char *only = site->pair_count > 0 ? said_in_pair(site->pairs[0], "application") : 0;
    for (size_t i = 1; i < site->pair_count; i++)
        if (!is_same(said_in_pair(site->pairs[i], "application"), only))
            return 0;
    return only;
}

/* ---------------------------------------------------------------- libraries */

/* auditwheel puts eight digits of a checksum ahead of the first dot, and may keep the whole version: libmpi-617ed1d0.so.40,
 * libmpi-d26c8c51.so.12.3.1. */
const char *unbundled(const char *name)
{
    static regex_t bundled;
    static int is_ready;
    regmatch_t parts[3];
    if (!is_ready)
        is_ready = regcomp(&bundled, "^(lib[^./]*)-[0-9a-f]{8}(\\.so(\\.[0-9]+)?)(\\.[0-9]+)*$", REG_EXTENDED) == 0;
    if (regexec(&bundled, name, 3, parts, 0) != 0)
        return 0;
    return arena_text("%.*s%.*s", (int)parts[1].rm_eo, name, (int)(parts[2].rm_eo - parts[2].rm_so), name + parts[2].rm_so);
}

const char *plain_name(const char *name)
{
    const char *plain = unbundled(name);
    return plain ? plain : name;
}

const char *alias_of(const struct site *site, const char *name, const char *family)
{
    struct list words = words_of(of_family(site, family, "alias"));
    list_split(&words, of_family(site, family, "contested"));
    list_split(&words, of_family(site, family, "renamed"));
    for (size_t i = 0; i < words.count; i++)
        if (is_like(name, up_to(words.words[i], '=')))
            return behind(words.words[i], '=');
    const char *before = unbundled(name);
    if (!before)
        return 0;
    return has_word(of_family(site, family, "needs"), before) ? before : alias_of(site, before, family);
}

const char *library_of_today(const struct site *site, const char *name, const char *family)
{
    for (const char *other; (other = alias_of(site, name, family));)
        name = other;
    return name;
}

int is_earlier_name(const struct site *site, const char *name, const char *family)
{
    char *renamed = arena_text("%s", of_family(site, family, "renamed"));
    for (char *sign = renamed; (sign = strchr(sign, '='));)
        *sign = ' ';
    while (name && !has_word(renamed, name))
        name = alias_of(site, name, family);
    return name && alias_of(site, name, family);
}

const char *refused_library(const struct site *site, const char *name, const char **family)
{
    name = plain_name(name);
    for (size_t i = 0; i < site->refused.count; i++) {
        const char *library = up_to(site->refused.words[i], ' '), *rest = behind(site->refused.words[i], ' ');
        if (!is_like(name, library))
            continue;
        *family = up_to(rest, ' ');
        return behind(rest, ' ');
    }
    return 0;
}

int has_stem(const struct site *site, const char *name)
{
    struct list libraries = words_of(said_of_all(&site->families, "libraries"));
    for (size_t i = 0; i < libraries.count; i++) {
        const char *version = strstr(libraries.words[i], ".so.");
        size_t length = version ? (size_t)(version - libraries.words[i]) : strlen(libraries.words[i]);
        if (begins_with(name, arena_text("%.*s.so", (int)length, libraries.words[i])))
            return 1;
    }
    return 0;
}

const char *earlier_release(const struct site *site, const char *family, const char *names)
{
    struct list words = words_said_of(&site->families, family, "earlier");
    for (size_t i = 0; i < words.count; i++) {
        const char *releases = behind(words.words[i], '='), *to = strchr(releases, '-');
        if (!has_word(names, up_to(words.words[i], '=')))
            continue;
        if (to)
            releases = arena_text("%.*s to %s", (int)(to - releases), releases, to + 1);
        return arena_text("%s %s", called(site, family), releases);
    }
    return 0;
}

/* ---------------------------------------------------------------- launchers */

const char *of_launcher(const struct site *site, const char *kind, const char *key)
{
    const struct dialect *dialect = dialect_of(&site->launchers, kind);
    return dialect ? fact_of(dialect, key) : "";
}

int is_batch(const struct site *site, const char *kind)
{
    return *of_launcher(site, kind, "batch") != 0;
}

int is_called(const struct site *site, const char *file, const char *kind)
{
    struct list words = words_of(of_launcher(site, kind, "commands"));
    for (size_t i = 0; i < words.count; i++)
        if (is_like(base_name(file), words.words[i]))
            return 1;
    return 0;
}

const char *batch_of_name(const struct site *site, const char *file)
{
    for (size_t i = 0; i < site->launchers.count; i++) {
        const char *kind = site->launchers.all[i].name;
        if (is_batch(site, kind) && is_called(site, file, kind))
            return kind;
    }
    return 0;
}

int is_launcher_name(const struct site *site, const char *file)
{
    for (size_t i = 0; i < site->launchers.count; i++)
        if (is_called(site, file, site->launchers.all[i].name))
            return 1;
    return 0;
}

int value_words(const struct site *site, const char *kind, const char *option, int *count)
{
    const struct dialect *dialect = dialect_of(&site->launchers, kind);
    *count = dialect ? words_behind(dialect, option) : 0;
    if (!dialect)
        return 0;
    return words_behind(dialect, single_dash(option)) > 0 || (knows_option(dialect, single_dash(option)) && !has_option(dialect, single_dash(option)));
}

const char *instead_of(const struct site *site, const char *kind, const char *option)
{
    struct list words = words_of(of_launcher(site, kind, "instead"));
    for (size_t i = 0; i < words.count; i++)
        if (is_same(up_to(words.words[i], '='), single_dash(option)))
            return behind(words.words[i], '=');
    return 0;
}

int is_launcher_option(const struct site *site, const char *option)
{
    int count;
    for (size_t i = 0; i < site->launchers.count; i++) {
        const char *kind = site->launchers.all[i].name;
        if (*of_launcher(site, kind, "commands") && (value_words(site, kind, option, &count) || instead_of(site, kind, option)))
            return 1;
    }
    return 0;
}

int is_launcher_kind(const struct site *site, const char *kind)
{
    const struct list *names = &site->implementations.names;
    for (size_t i = 0; i < names->count; i++)
        if (is_same(of_implementation(site, names->words[i], "launcher"), kind))
            return 1;
    return 0;
}

const char *launcher_of_abi(const struct site *site, const char *abi)
{
    const char *name = of_family(site, abi, "implementations");
    return *name && !is_shared(site, abi) ? of_implementation(site, name, "launcher") : 0;
}

const char *family_of_launcher(const struct site *site, const char *kind)
{
    for (size_t i = 0; i < site->families.names.count; i++) {
        const char *family = site->families.names.words[i], *own = launcher_of_abi(site, family);
        if (own && is_same(own, kind))
            return family;
    }
    return 0;
}

const char *launcher_fact(const struct site *site, const char *kind, const char *key)
{
    const struct list *names = &site->implementations.names;
    for (size_t i = 0; i < names->count; i++)
        if (is_same(of_implementation(site, names->words[i], "launcher"), kind))
            return of_implementation(site, names->words[i], key);
    return "";
}

const char *kind_of_text(const struct site *site, const char *text)
{
    const struct list *names = &site->implementations.names;
    for (size_t i = 0; i < names->count; i++) {
        struct list texts = comma_parts_of(of_implementation(site, names->words[i], "says"));
        for (size_t j = 0; j < texts.count; j++)
            if (has_text(text, texts.words[j]))
                return of_implementation(site, names->words[i], "launcher");
    }
    return 0;
}
