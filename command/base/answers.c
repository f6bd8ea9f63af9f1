/* SPDX-License-Identifier: BSD-3-Clause */
#include "answers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena.h"
#include "memory.h"
#include "texts.h"

/* Opens what a process of its own writes these words to: who reads them may read none, or write first. */
static int reader_of(const struct list *words)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t writer = words->count > 0 ? fork() : -1;
    if (writer == 0) {
        FILE *file = fdopen(ends[1], "w");
        close(ends[0]);
        for (size_t i = 0; file && i < words->count; i++)
            fwrite(words->words[i], 1, strlen(words->words[i]) + 1, file);
        _exit(file && fclose(file) == 0 ? 0 : 1);
    }
    close(ends[1]);
    return ends[0];
}

static char *read_all(int input, size_t *length)
{
    char *text = 0;
    size_t room = 0;
    ssize_t more;
    *length = 0;
    do {
        if (room - *length < 4096) {
            room = 2 * room + 8192;
            text = reallocated(text, room);
        }
        more = read(input, text + *length, room - *length);
        *length += more > 0 ? (size_t)more : 0;
    } while (more > 0 || (more < 0 && errno == EINTR));
    return text;
}

/* Notes each pair; what is for the user is said. */
static struct problem *take_answers(struct messages *messages, const char *text, size_t length, struct answers *answers)
{
    struct problem *problem = 0;
    struct list words = { 0 };
    for (size_t at = 0; at < length; at += strlen(text + at) + 1)
        list_add(&words, arena_text("%s", text + at));
    for (size_t i = 0; i + 1 < words.count; i += 2) {
        const char *key = words.words[i], *value = words.words[i + 1];
        if (is_same(key, "said"))
            say_problem(messages, problem_again(value));
        else if (is_same(key, "note")) {
            if (messages->is_verbose)
                say_problem(messages, problem_again(value));
        } else if (is_same(key, "problem") || is_same(key, "usage")) {
            problem = problem_again(value);
            problem->is_usage = is_same(key, "usage");
        } else {
            list_add(&answers->keys, key);
            list_add(&answers->values, value);
        }
    }
    return problem;
}

struct problem *ask(struct messages *messages, const struct list *program, const struct list *input, struct answers *answers)
{
    int words = reader_of(input), ends[2], status;
    size_t length;
    *answers = (struct answers){ .status = -1 };
    if (words < 0 || pipe2(ends, O_CLOEXEC) != 0)
        return problem_of("%s cannot be started; free memory and try again", program->words[0]);
    pid_t process = fork();
    if (process == 0) {
        dup2(words, 0);
        dup2(ends[1], 1);
        execv(program->words[0], (char **)program->words);
        _exit(127);
    }
    close(words);
    close(ends[1]);
    char *text = read_all(ends[0], &length);
    close(ends[0]);
    if (length > 0 && text[length - 1] != 0)
        length = 0;
    struct problem *problem = take_answers(messages, text, length, answers);
    free(text);
    pid_t ended;
    while ((ended = waitpid(process, &status, 0)) < 0 && errno == EINTR)
        continue;
    if (process > 0 && ended == process && WIFEXITED(status))
        answers->status = WEXITSTATUS(status);
    while (waitpid(-1, 0, WNOHANG) > 0)
        continue;
    return problem;
}

const char *answer_to(const struct answers *answers, const char *key)
{
    const char *value = "";
    for (size_t i = 0; i < answers->keys.count; i++)
        if (is_same(answers->keys.words[i], key))
            value = answers->values.words[i];
    return value;
}

struct list answers_to(const struct answers *answers, const char *key)
{
    struct list values = { 0 };
    for (size_t i = 0; i < answers->keys.count; i++)
        if (is_same(answers->keys.words[i], key))
            list_add(&values, answers->values.words[i]);
    return values;
}
