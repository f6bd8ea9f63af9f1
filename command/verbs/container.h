/* SPDX-License-Identifier: BSD-3-Clause */
/* Places in an image: where things are in an image. */
#ifndef CONTAINER_H
#define CONTAINER_H

/* All is mounted there that is not known by its own path. */
#define IMAGE_TOP "/opt/mpi-adapter"

/* The pair's libraries by the names that the program needs and the pair has not. */
#define IMAGE_NAMES IMAGE_TOP "/names"

#endif
