/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines "key = value", of settings and of pairs, and variables of the environment. */
#ifndef SETTING_H
#define SETTING_H

#include "problem.h"

/* Splits a line "key = value", or "key.HOST = value"; both are "" for a comment. */
struct problem *split_setting(const char *place, const char *line, const char *advice, const char **key, const char **value);

/* Returns a variable of the environment, "" if it is not set. */
const char *variable(const char *name);

#endif
