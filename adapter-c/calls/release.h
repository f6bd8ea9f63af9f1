/* SPDX-License-Identifier: BSD-3-Clause */
/* The release of its own MPI that the program is told: by a setting, or else the one that is installed, or else the newest
 * with its ABI. Nothing in a program tells it, but for what it imports. */
#ifndef RELEASE_H
#define RELEASE_H

struct release {
    char name[32]; /* 4.1.4 */
    int version;   /* of MPI: 100 * major + minor */
    const char *maker; /* what a maker's library that is installed says it is, or null */
};

/* Returns that release, which it finds once. `imported` is the version of MPI that the program's imports need: the
 * release's is not older, and equals it if no release is set or installed. For families with an identity alone. */
const struct release *release_told(int imported);

#endif
