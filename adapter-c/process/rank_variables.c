/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/rank_variables.h"

/* Texts lie within, as a pointer would have to be relocated at each start. */
struct rank_variable {
    unsigned char launcher, fact;
    char name[30];
};

#include "rank_table.h"

enum { LAUNCHERS = sizeof launchers / sizeof *launchers, VARIABLES = sizeof variables / sizeof *variables };

/* RANK_MARK has words NAME=VALUE: the variables that the adapter has set, and what named the job at that time. Values that are not
 * there are a launcher's own. */
#define SOCKET_MARK ".socket"
#define TAKEN_MARK "taken"

/* ---- text ---- */

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

/* Returns what follows `start` in a text, or null if the text begins otherwise. */
static const char *text_after(const char *text, const char *start)
{
    while (*start && *text == *start)
        text++, start++;
    return *start ? 0 : text;
}

static int is_same(const char *one, const char *other)
{
    const char *rest = text_after(one, other);
    return rest && !*rest;
}

/* Returns what a number at the start of a text is, or -1, and where it ends. */
static int number_at(const char *text, const char **end)
{
    int number = 0, digits = 0;
    for (; *text >= '0' && *text <= '9' && digits < 9; text++, digits++)
        number = 10 * number + (*text - '0');
    *end = text;
    return digits ? number : -1;
}

/* Returns the number that a list like 2(x3),1 has for a node, or -1. A number alone holds for all nodes. */
static int number_of_node(const char *list, int node)
{
    int number = number_at(list, &list), times;
    if (number >= 0 && !*list)
        return number;
    while (number >= 0 && node >= 0) {
        const char *repeated = text_after(list, "(x");
        times = repeated ? number_at(repeated, &list) : 1;
        if (times < 0 || (repeated && *list++ != ')'))
            return -1;
        if (node < times)
            return number;
        node -= times;
        number = *list == ',' ? number_at(list + 1, &list) : -1;
    }
    return -1;
}

/* ---- what launchers tell ---- */

const struct rank_launcher *rank_launcher_at(int number)
{
    return number >= 0 && number < LAUNCHERS ? &launchers[number] : 0;
}

const char *rank_variable_in(char *const *environment, const char *name)
{
    for (; environment && *environment; environment++) {
        const char *value = text_after(*environment, name);
        if (value && *value == '=')
            return value + 1;
    }
    return 0;
}

const char *rank_variable_of(enum rank_fact fact, int number)
{
    for (int i = 0; i < VARIABLES; i++)
        if (variables[i].fact == fact && number-- == 0)
            return variables[i].name;
    return 0;
}

/* Returns the value with which the mark has a variable, up to a space, or null. */
static const char *value_marked(const char *mark, const char *name)
{
    while (mark && *mark) {
        const char *value = text_after(mark, name);
        if (value && *value == '=')
            return value + 1;
        while (*mark && *mark != ' ')
            mark++;
        mark += *mark == ' ';
    }
    return 0;
}

static int is_marked(const char *mark, const char *name, const char *value)
{
    const char *word = value_marked(mark, name), *rest = word ? text_after(word, value) : 0;
    return rest && (*rest == ' ' || !*rest);
}

/* True if the launcher has started a job since the adapter set its variables. */
static int has_new_job(char *const *environment, const char *mark, int launcher)
{
    for (int i = 0; i < VARIABLES; i++)
        if (variables[i].launcher == launcher && variables[i].fact == RANK_JOB) {
            const char *value = rank_variable_in(environment, variables[i].name);
            if (value && !is_marked(mark, variables[i].name, value))
                return 1;
        }
    return 0;
}

/* Returns the value that somebody else than the adapter gave a variable of a launcher, or null. */
static const char *value_of_others(char *const *environment, const struct rank_variable *variable)
{
    const char *value = rank_variable_in(environment, variable->name), *mark = value ? rank_variable_in(environment, RANK_MARK) : 0;
    return is_marked(mark, variable->name, value) && !has_new_job(environment, mark, variable->launcher) ? 0 : value;
}

/* Returns the first variable by which a launcher tells a fact, or null. */
static const struct rank_variable *find_variable(int launcher, enum rank_fact fact)
{
    for (int i = 0; i < VARIABLES; i++)
        if (variables[i].launcher == launcher && variables[i].fact == fact)
            return &variables[i];
    return 0;
}

int rank_told(char *const *environment, int launcher, enum rank_fact fact)
{
    const struct rank_variable *variable = find_variable(launcher, fact);
    const char *value = variable ? value_of_others(environment, variable) : 0, *end;
    if (!value)
        return -1;
    if (fact == RANK_LOCAL_SIZE)
        return number_of_node(value, rank_told(environment, launcher, RANK_NODE));
    int number = number_at(value, &end);
    return *end ? -1 : number;
}

/* True if the launcher tells of this rank, of a job of this size unless that is -1. */
static int is_of_rank(char *const *environment, int launcher, int rank, int size)
{
    int own = rank_told(environment, launcher, RANK_SIZE);
    return rank_told(environment, launcher, RANK_RANK) == rank && (own < 0 || size < 0 || own == size);
}

/* Returns the launcher that started the process: the host's, if it tells a rank, or else the first that does; -1 if none. A batch
 * script has a rank of one kind, and no size. */
static int find_launcher(char *const *environment, const char *host)
{
    int found = -1;
    for (int i = LAUNCHERS - 1; i >= 0; i--) {
        int is_whole = rank_told(environment, i, RANK_RANK) >= 0 &&
                       (!find_variable(i, RANK_SIZE) || rank_told(environment, i, RANK_SIZE) > 0);
        if (is_whole && (found < 0 || !is_same(launchers[found].name, host)))
            found = i;
    }
    return found;
}

/* Reads what is known of the process: from its launcher, and others that tell of the same rank, as that of a batch system does
 * beside what a library for starting processes tells. Returns the launcher, or -1. */
static int read_launch_facts(char *const *environment, const char *host, int facts[RANK_JOB])
{
    int launcher = find_launcher(environment, host);
    for (int fact = 0; fact < RANK_JOB; fact++)
        facts[fact] = launcher >= 0 ? rank_told(environment, launcher, (enum rank_fact)fact) : -1;
    for (int i = 0; launcher >= 0 && i < LAUNCHERS; i++)
        for (int fact = RANK_SIZE; fact < RANK_JOB && is_of_rank(environment, i, facts[RANK_RANK], facts[RANK_SIZE]); fact++)
            if (facts[fact] < 0)
                facts[fact] = rank_told(environment, i, (enum rank_fact)fact);
    return launcher;
}

/* ---- who is to start alone ---- */

static unsigned long socket_named(const char *value)
{
    const char *end;
    int descriptor = number_at(value, &end);
    return descriptor >= 0 && !*end ? rank_socket_at(descriptor) : 0;
}

static unsigned long socket_marked(const char *mark, const char *name)
{
    unsigned long number = 0;
    for (; mark && *mark; mark++) {
        const char *value = text_after(mark, name);
        value = value ? text_after(value, SOCKET_MARK "=") : 0;
        for (; value && *value >= '0' && *value <= '9'; value++)
            number = 10 * number + (unsigned long)(*value - '0');
    }
    return number;
}

/* True if what names a job says that it is not the one in which the mark was made. */
static int names_other_job(char *const *environment, const char *mark, const struct rank_variable *variable)
{
    const char *value = rank_variable_in(environment, variable->name);
    unsigned long socket = value && variable->fact == RANK_SOCKET ? socket_named(value) : 0;
    if (value && variable->fact == RANK_JOB)
        return !is_marked(mark, variable->name, value);
    return socket > 0 && socket != socket_marked(mark, variable->name);
}

/* True if the mark has what names the launcher's job. */
static int has_marked_job(const char *mark, int launcher)
{
    for (int i = 0; i < VARIABLES; i++)
        if (variables[i].launcher == launcher && variables[i].fact == RANK_JOB && value_marked(mark, variables[i].name))
            return 1;
    return 0;
}

/* True if this process belongs to the job in which the mark was made, and to no job that was started within. */
static int is_in_marked_job(char *const *environment, const char *mark)
{
    int has_job = 0;
    for (int i = 0; i < LAUNCHERS; i++) {
        int is_marked_job = has_marked_job(mark, i);
        has_job |= is_marked_job;
        if (!is_marked_job && rank_told(environment, i, RANK_RANK) >= 0)
            return 0;
    }
    for (int i = 0; i < VARIABLES; i++)
        if (names_other_job(environment, mark, &variables[i]))
            return 0;
    return has_job;
}

/* True if a list begins with this name; commas are between. */
static int is_first_in(const char *list, const char *name)
{
    const char *rest = text_after(list, name);
    return rest && (*rest == ',' || !*rest);
}

const char *rank_removed(char *const *environment, const char *told)
{
    const char *mark = rank_variable_in(environment, RANK_MARK), *removed = 0;
    for (int i = 0; mark && i < VARIABLES; i++) {
        int tells_place = variables[i].fact == RANK_RANK || variables[i].fact == RANK_SIZE;
        if (!tells_place || !is_first_in(told, launchers[variables[i].launcher].name))
            continue;
        if (rank_variable_in(environment, variables[i].name))
            return 0;
        if (variables[i].fact == RANK_RANK && value_marked(mark, variables[i].name))
            removed = variables[i].name;
    }
    return removed && is_in_marked_job(environment, mark) ? removed : 0;
}

int rank_is_taken(char *const *environment)
{
    return value_marked(rank_variable_in(environment, RANK_MARK), TAKEN_MARK) != 0;
}

int rank_mark_taken(char *text, size_t size, char *const *environment)
{
    const char *mark = rank_variable_in(environment, RANK_MARK);
    static const char word[] = " " TAKEN_MARK "=1";
    size_t length = mark ? length_of(mark) : 0;
    if (length == 0 || length + sizeof word > size)
        return 0;
    for (size_t i = 0; i < length; i++)
        text[i] = mark[i];
    for (size_t i = 0; i < sizeof word; i++)
        text[length + i] = word[i];
    return 1;
}

/* ---- the plan ---- */

/* True if the list has the name, with commas between. */
static int is_in(const char *list, const char *name)
{
    while (*list) {
        if (is_first_in(list, name))
            return 1;
        while (*list && *list != ',')
            list++;
        list += *list == ',';
    }
    return 0;
}

static void put_text(struct rank_plan *plan, const char *text)
{
    for (; *text && *text != ' ' && plan->used + 1 < sizeof plan->text; text++)
        plan->text[plan->used++] = *text;
}

static void put_number(struct rank_plan *plan, int number)
{
    if (number > 9)
        put_number(plan, number / 10);
    put_text(plan, (char[]){ (char)('0' + number % 10), 0 });
}

/* Begins a word, if there is room for one; returns it, or null. */
static char *begin_word(struct rank_plan *plan)
{
    if (plan->count >= RANK_WORDS || plan->used + 256 > sizeof plan->text)
        return 0;
    return plan->words[plan->count++] = plan->text + plan->used;
}

static void end_word(struct rank_plan *plan)
{
    plan->text[plan->used++] = 0;
}

static void plan_value(struct rank_plan *plan, const char *name, int value)
{
    if (!begin_word(plan))
        return;
    put_text(plan, name);
    if (value >= 0) {
        put_text(plan, "=");
        put_number(plan, value);
    }
    end_word(plan);
}

/* Adds a word to the mark. */
static void put_word(struct rank_plan *plan, const char *name, const char *value)
{
    if (plan->used + length_of(name) + length_of(value) + 4 > sizeof plan->text)
        return;
    put_text(plan, name);
    put_text(plan, "=");
    put_text(plan, value);
    plan->text[plan->used++] = ' ';
}

/* Adds a word with the number of the socket that a variable names. */
static void put_socket(struct rank_plan *plan, const char *name, const char *value)
{
    char text[24] = "";
    size_t at = sizeof text - 1;
    for (unsigned long number = socket_named(value); number > 0; number /= 10)
        text[--at] = (char)('0' + number % 10);
    if (!text[at] || plan->used + length_of(name) + sizeof SOCKET_MARK + sizeof text + 4 > sizeof plan->text)
        return;
    put_text(plan, name);
    put_word(plan, SOCKET_MARK, text + at);
}

/* True if some launcher tells ranks their place by it. In the mark, such a variable is one that the adapter has set. */
static int tells_place(const char *name)
{
    for (int i = 0; i < VARIABLES; i++)
        if (variables[i].fact < RANK_JOB && is_same(variables[i].name, name))
            return 1;
    return 0;
}

/* Plans the mark. It has what was planned, what was marked of other launchers than those in `told`, and what names the jobs. */
static void plan_mark(struct rank_plan *plan, char *const *environment, const char *told)
{
    const char *mark = rank_variable_in(environment, RANK_MARK);
    int count = plan->count;
    char *word = begin_word(plan), *text;
    if (!word)
        return;
    put_text(plan, RANK_MARK "=");
    text = plan->text + plan->used;
    for (int i = 0; i < count; i++) {
        put_text(plan, plan->words[i]);
        plan->text[plan->used++] = ' ';
    }
    for (int i = 0; i < VARIABLES; i++) {
        const char *value = rank_variable_in(environment, variables[i].name);
        int is_meant = is_in(told, launchers[variables[i].launcher].name);
        int is_job = variables[i].fact == RANK_JOB && count > 0 && (is_meant || !tells_place(variables[i].name));
        if (value && (is_job || (!is_meant && variables[i].fact < RANK_JOB && is_marked(mark, variables[i].name, value))))
            put_word(plan, variables[i].name, value);
        if (value && variables[i].fact == RANK_SOCKET && count > 0)
            put_socket(plan, variables[i].name, value);
    }
    int is_empty = text == plan->text + plan->used;
    plan->used -= is_empty ? sizeof "=" - 1 : 1; /* the sign, or the last space */
    end_word(plan);
    plan->count -= is_empty && !mark;
}

/* True if all that is known of the process stands in variables of a launcher with a job: an outer one's, which was handed on. */
static int is_of_outer_job(char *const *environment, int launcher)
{
    int has_job = 0;
    for (int i = 0; i < VARIABLES; i++)
        if (variables[i].launcher == launcher) {
            const char *value = value_of_others(environment, &variables[i]);
            if (!value && variables[i].fact < RANK_JOB)
                return 0;
            has_job |= value && variables[i].fact == RANK_JOB;
        }
    return has_job;
}

/* Plans the variables of one launcher, in whose place the adapter stands. */
static void plan_launcher(struct rank_plan *plan, char *const *environment, int launcher, const int facts[RANK_JOB])
{
    int is_outer = is_of_outer_job(environment, launcher);
    for (int i = 0; i < VARIABLES; i++) {
        const struct rank_variable *variable = &variables[i];
        if (variable->launcher != launcher || variable->fact >= RANK_JOB)
            continue;
        if (facts[variable->fact] >= 0 && (is_outer || !value_of_others(environment, variable)))
            plan_value(plan, variable->name, facts[variable->fact]);
    }
}

static int is_planned(const struct rank_plan *plan, const char *name)
{
    for (int i = 0; i < plan->count; i++) {
        const char *rest = text_after(plan->words[i], name);
        if (rest && *rest == '=')
            return 1;
    }
    return 0;
}

/* Removes what the adapter set for an outer rank and is not known of this one. */
static void plan_removals(struct rank_plan *plan, char *const *environment, const char *told)
{
    for (int i = 0; i < VARIABLES; i++)
        if (variables[i].fact < RANK_JOB && is_in(told, launchers[variables[i].launcher].name) &&
            rank_variable_in(environment, variables[i].name) && !value_of_others(environment, &variables[i]) &&
            !is_planned(plan, variables[i].name))
            plan_value(plan, variables[i].name, -1);
}

void rank_plan_make(struct rank_plan *plan, char *const *environment, const char *told, const char *host)
{
    int facts[RANK_JOB], started_by = *told ? read_launch_facts(environment, host, facts) : -1;
    plan->count = 0;
    plan->used = 0;
    if (!*told)
        return;
    for (int i = 0; started_by >= 0 && i < LAUNCHERS; i++)
        if (i != started_by && is_in(told, launchers[i].name))
            plan_launcher(plan, environment, i, facts);
    plan_mark(plan, environment, told);
    plan_removals(plan, environment, told);
}
