/* SPDX-License-Identifier: BSD-3-Clause */
/* The release of its own MPI that the program is told: by a setting, or else the one that is installed, or else the newest with its
 * ABI. Nothing in a program tells it, but for what it imports. */
#ifndef RELEASE_H
#define RELEASE_H

struct release {
    char name[32]; /* 4.1.4 */
    int version;   /* of MPI: 100 * major + minor */
};

/* Returns it; it is found once. Its version of MPI is no older than `imported`, that of which the program's imports tell, and is that
 * where the release is neither set nor installed. Only for families with an identity. */
const struct release *release_told(int imported);

#endif
