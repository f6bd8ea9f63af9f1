// SPDX-License-Identifier: BSD-3-Clause
// Text from files, as it may be shown to people.
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

// Returns how many bytes the character at `text` has, which is not its end; one for a byte that belongs to no character of UTF-8. Sets
// *shown to whether it may be shown: it is no control character (of Latin 1, too) and no mark that changes the direction of what follows.
size_t text_character(const char *text, bool *shown);

// Puts '?' for each character that may not be shown, so that the text is one line of UTF-8, no longer than before.
void text_make_plain(char *text);

#endif
