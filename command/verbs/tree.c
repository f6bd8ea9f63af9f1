/* SPDX-License-Identifier: BSD-3-Clause */
#include "tree.h"

#include <fcntl.h>
#include <unistd.h>

#include "arena.h"
#include "file.h"
#include "texts.h"

int open_tree(const char *name, struct tree *tree)
{
    tree->path = real_folder(*name == '/' ? name : arena_text("./%s", name));
    tree->folder = tree->path ? open(arena_text("%s/.", tree->path), O_RDONLY | O_DIRECTORY) : -1;
    return tree->folder >= 0;
}

struct problem *ask_tree(struct job *job, const struct tree *tree, const struct list *words, const struct list *input, struct answers *answers)
{
    struct list program = { 0 };
    list_add(&program, arena_text("%s/trees", job->site->home));
    list_add(&program, words->words[0]);
    list_add(&program, arena_text("%d", tree->folder));
    list_add(&program, tree->path);
    for (size_t i = 1; i < words->count; i++)
        list_add(&program, words->words[i]);
    HAND_ON(ask(&job->messages, &program, input, answers));
    if (answers->status != 0)
        return problem_of("the work on %s ended early; run 'mpi-adapter splice --undo %s'", tree->path, tree->path);
    return 0;
}

struct problem *ask_tree_for(struct job *job, const struct tree *tree, const char *verb, const char *word, struct answers *answers)
{
    static const struct list none;
    struct list words = { 0 };
    list_add(&words, verb);
    if (word)
        list_add(&words, word);
    return ask_tree(job, tree, &words, &none, answers);
}

struct problem *find_in_tree(struct job *job, const struct tree *tree, const struct list *words, struct list *found)
{
    static const struct list none;
    struct answers answers;
    HAND_ON(ask_tree(job, tree, words, &none, &answers));
    *found = answers_to(&answers, "found");
    return 0;
}

struct problem *find_tree_programs(struct job *job, const struct tree *tree, struct list *found)
{
    struct list words = words_of("programs");
    return find_in_tree(job, tree, &words, found);
}

struct splice splice_of(const struct answers *answers)
{
    return (struct splice){ answer_to(answers, "form"), answer_to(answers, "pair"), answer_to(answers, "host"), answers_to(answers, "path"),
                            answers_to(answers, "target"), answers_to(answers, "state") };
}
