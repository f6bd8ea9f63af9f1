/* SPDX-License-Identifier: BSD-3-Clause */
/* Launch lines: read by the table, and written for another launcher. Words end with null bytes. */
#include "fuzz.h"

#include "arena.h"
#include "line.h"
#include "settle.h"
#include "write.h"

static void translate(struct line *line, const struct host_launcher *host)
{
    struct placement placement = { 0 };
    struct written written = { 0 };
    struct list variables = { 0 };
    list_add(&variables, "HOME=/");
    if (parse_line(line))
        return;
    parse_environment(line, host->dialect);
    if (!settle_line(line, host, &variables, &placement))
        (void)write_line(line, host, &variables, &written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dialects dialects = { 0 };
    struct line line = { .dialects = &dialects, .cores = 4 };
    struct host_launcher host = { .path = "/bin/launcher" };
    const char *text = arena_text("%.*s", 0, "");
    if (size > 2 && !read_dialects(FUZZ_TABLES "/launchers", &dialects)) {
        line.dialect = &dialects.all[data[0] % dialects.count];
        host.dialect = &dialects.all[data[1] % dialects.count];
        list_add(&line.words, "launcher");
        for (size_t at = 2, length; at < size; at += length + 1) {
            length = 0;
            while (at + length < size && data[at + length] && data[at + length] != '\n')
                length++;
            text = arena_text("%.*s", (int)length, (const char *)data + at);
            list_add(&line.words, text);
        }
        translate(&line, &host);
    }
    arena_empty();
    return 0;
}
