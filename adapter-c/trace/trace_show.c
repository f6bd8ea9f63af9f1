/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/trace_show.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "convert/error.h"
#include "convert/host_side.h"

enum { ITEMS = 8, CHARACTERS = 64, RESERVE = 8 };

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments;
    if (text->length + RESERVE >= text->room)
        return;
    unsigned room = text->room - text->length - RESERVE;
    va_start(arguments, format);
    int wanted = vsnprintf(text->at + text->length, room, format, arguments);
    va_end(arguments);
    if (wanted >= 0 && (unsigned)wanted < room) {
        text->length += (unsigned)wanted;
        return;
    }
    text->length += room - 1;
    memcpy(text->at + text->length, "...", 4);
    text->length += 3;
}

static intptr_t load_value(const void *from, size_t size)
{
    int32_t word = 0;
    int64_t value = 0;
    if (size == sizeof value)
        memcpy(&value, from, sizeof value);
    else
        memcpy(&word, from, sizeof word);
    return size == sizeof value ? (intptr_t)value : word;
}

static void show_character(struct text *text, unsigned char character)
{
    if (character == '"' || character == '\\')
        text_add(text, "\\%c", character);
    else if (character == '\n')
        text_add(text, "\\n");
    else if (character < ' ' || character == 0x7f)
        text_add(text, "\\x%02x", character);
    else
        text_add(text, "%c", character);
}

static void show_string(struct text *text, const char *string)
{
    size_t length = strnlen(string, CHARACTERS + 1), shown = length > CHARACTERS ? CHARACTERS : length;
    text_add(text, "\"");
    for (size_t i = 0; i < shown; i++)
        show_character(text, (unsigned char)string[i]);
    text_add(text, shown < length ? "\"..." : "\"");
}

static void show_strings(struct text *text, char *const *strings)
{
    text_add(text, "{");
    for (int i = 0; strings[i] && i < ITEMS; i++) {
        text_add(text, i ? ", " : "");
        show_string(text, strings[i]);
    }
    int more = 0;
    while (more < ITEMS && strings[more])
        more++;
    text_add(text, strings[more] ? ", ...}" : "}");
}

/* A sum of named constants. */
static void show_flags(struct text *text, const struct trace_parameter *parameter, intptr_t value)
{
    intptr_t rest = value;
    const char *between = "";
    for (int bit = 0; bit < 31; bit++) {
        const char *name = value & 1l << bit ? trace_name(parameter->kind, 1l << bit) : 0;
        if (!name)
            continue;
        text_add(text, "%s%s", between, name);
        between = "|";
        rest &= ~(1l << bit);
    }
    if (rest || value == 0)
        text_add(text, rest ? "%s0x%lx" : "%s0", between, (unsigned long)rest);
}

/* Shows an error code by its name; or by the name of its class, with the number; or by the number. */
static void show_error(struct text *text, const struct trace_parameter *parameter, intptr_t code)
{
    const char *name = trace_name(parameter->kind, code);
    host_code class = 0;
    if (name) {
        text_add(text, "%s", name);
        return;
    }
    if (ask_class((host_code)code, &class) == 0)
        name = trace_name(parameter->kind, class);
    if (name)
        text_add(text, "%s (%ld)", name, (long)code);
    else
        text_add(text, "%ld", (long)code);
}

static void show_value(struct text *text, const struct trace_parameter *parameter, intptr_t value);

static void show_status(struct text *text, const host_status *status)
{
    if (status == (const host_status *)HOST_MPI_STATUS_IGNORE) {
        text_add(text, "MPI_STATUS_IGNORE");
        return;
    }
    if (!status) {
        text_add(text, "NULL");
        return;
    }
    const int32_t fields[] = { status->MPI_SOURCE, status->MPI_TAG, status->MPI_ERROR };
    for (int i = 0; i < (text->with_errors ? 3 : 2); i++) {
        const struct trace_parameter *field = &trace_status_fields[i];
        text_add(text, "%s%s=", i ? ", " : "{", trace_names + field->name);
        show_value(text, field, fields[i]);
    }
    text_add(text, "}");
}

static void show_named(struct text *text, const struct trace_parameter *parameter, intptr_t value)
{
    const char *name = trace_name(parameter->kind, value);
    if (name)
        text_add(text, "%s", name);
    else if (parameter->show == SHOW_NUMBER)
        text_add(text, "%ld", (long)value);
    else
        text_add(text, "0x%lx", parameter->size == 4 ? (unsigned long)(uint32_t)value : (unsigned long)value);
}

static void show_value(struct text *text, const struct trace_parameter *parameter, intptr_t value)
{
    double real;
    int is_address = parameter->show >= SHOW_ADDRESS && parameter->show < SHOW_STATUS;
    const char *name = is_address ? trace_name(parameter->kind, value) : 0;
    if (name || (is_address && !value)) {
        text_add(text, "%s", name ? name : "NULL");
        return;
    }
    switch (parameter->show) {
    case SHOW_FLAGS: show_flags(text, parameter, value); break;
    case SHOW_ERROR: show_error(text, parameter, value); break;
    case SHOW_STRING: show_string(text, (const char *)value); break;
    case SHOW_STRINGS: show_strings(text, (char *const *)value); break;
    case SHOW_STATUS: show_status(text, (const host_status *)value); break;
    case SHOW_DOUBLE:
        memcpy(&real, &value, sizeof real);
        text_add(text, "%.9f", real);
        break;
    default: show_named(text, parameter, value);
    }
}

/* The length of an array, or a negative number if it is not known. */
static intptr_t extent_of(const struct trace_procedure *procedure, const struct trace_parameter *parameter,
                          const intptr_t *arguments)
{
    host_comm comm = HOST_MPI_COMM_NULL;
    if (parameter->extent >= 0) {
        const struct trace_parameter *extent = &trace_parameters[procedure->first + parameter->extent];
        intptr_t value = arguments[parameter->extent];
        return extent->passed == TRACE_VALUE ? value : value ? load_value((const void *)value, extent->size) : -1;
    }
    if (parameter->extent == EXTENT_UNKNOWN || procedure->comm < 0)
        return -1;
    comm = HOST_COMM_FROM(arguments[procedure->comm]);
    if (HOST_COMM_BITS(comm) == HOST_COMM_BITS(HOST_MPI_COMM_NULL))
        return -1;
    return trace_extent(parameter->extent, procedure->places, arguments);
}

static void show_item(struct text *text, const struct trace_parameter *parameter, const char *item)
{
    if (parameter->show == SHOW_STATUS)
        show_status(text, (const host_status *)(const void *)item);
    else if (parameter->show == SHOW_STRING) /* of an array of strings */
        show_value(text, parameter, (intptr_t)item);
    else
        show_value(text, parameter, load_value(item, parameter->size));
}

static void show_array(struct text *text, const struct trace_parameter *parameter, const char *array, intptr_t count)
{
    size_t size = parameter->show == SHOW_STATUS ? sizeof(host_status) : parameter->size;
    intptr_t shown = count > ITEMS ? ITEMS : count;
    text_add(text, "[");
    for (intptr_t i = 0; i < shown; i++) {
        text_add(text, i ? ", " : "");
        show_item(text, parameter, array + (size_t)i * size);
    }
    if (shown < count)
        text_add(text, ", ... (%ld)", (long)count);
    text_add(text, "]");
}

static void show_argument(struct text *text, const struct trace_procedure *procedure,
                          const struct trace_parameter *parameter, const intptr_t *arguments, intptr_t argument)
{
    const char *name = parameter->passed == TRACE_VALUE ? 0 : trace_name(parameter->kind, argument);
    text_add(text, "%s=", trace_names + parameter->name);
    if (parameter->passed == TRACE_VALUE) {
        show_value(text, parameter, argument);
        return;
    }
    if (parameter->passed == TRACE_POINTED && argument) {
        show_value(text, parameter, load_value((const void *)argument, parameter->size));
        return;
    }
    intptr_t count = argument && !name ? extent_of(procedure, parameter, arguments) : -1;
    if (count >= 0)
        show_array(text, parameter, (const char *)argument, count);
    else if (name && (parameter->show == SHOW_STATUS || parameter->show == SHOW_ERROR))
        text_add(text, "%s", name);
    else
        text_add(text, argument ? "0x%lx" : "NULL", (unsigned long)argument);
}

/* Buffers are shown as what goes in: where they are, not what they hold. */
static int is_shown(const struct trace_parameter *parameter, int direction)
{
    if (parameter->passed == TRACE_VALUE && (parameter->show == SHOW_ADDRESS || parameter->show == SHOW_SIZED))
        return direction == TRACE_IN;
    return (parameter->direction & direction) != 0;
}

/* Shows the parameters of a direction, with `before` ahead of the first one. */
static void show_parameters(struct text *text, const struct trace_procedure *procedure, const intptr_t *arguments,
                            int direction, const char *before)
{
    const char *between = before;
    for (int i = 0; i < procedure->count; i++) {
        const struct trace_parameter *parameter = &trace_parameters[procedure->first + i];
        if (!is_shown(parameter, direction))
            continue;
        text_add(text, "%s", between);
        show_argument(text, procedure, parameter, arguments, arguments[i]);
        between = ", ";
    }
}

void show_arguments(struct text *text, const struct trace_procedure *procedure, const intptr_t *arguments)
{
    show_parameters(text, procedure, arguments, TRACE_IN, "");
}

void show_results(struct text *text, const struct trace_procedure *procedure, const intptr_t *arguments,
                  intptr_t result)
{
    int failed = procedure->result.show == SHOW_ERROR && result != HOST_MPI_SUCCESS;
    host_code class = HOST_MPI_SUCCESS;
    if (failed)
        ask_class((host_code)result, &class);
    text->with_errors = class == HOST_MPI_ERR_IN_STATUS;
    text_add(text, " = ");
    show_value(text, &procedure->result, result);
    if (!failed || text->with_errors)
        show_parameters(text, procedure, arguments, TRACE_OUT, " -> ");
}
