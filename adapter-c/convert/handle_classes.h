/* SPDX-License-Identifier: BSD-3-Clause */
/* The classes of MPI's handles: HANDLE_CLASSES(X) makes X(COMM, comm) of each, and CLASS_COMM or comm_number is its number. */
#ifndef HANDLE_CLASSES_H
#define HANDLE_CLASSES_H

#define HANDLE_CLASSES(X)                                                                          \
    X(COMM, comm) X(DATATYPE, datatype) X(ERRHANDLER, errhandler) X(FILE, file) X(GROUP, group)    \
    X(INFO, info) X(MESSAGE, message) X(OP, op) X(REQUEST, request) X(SESSION, session) X(WIN, win)

enum handle_class {
#define CLASS_NUMBER(NAME, name) CLASS_##NAME,
    HANDLE_CLASSES(CLASS_NUMBER)
#undef CLASS_NUMBER
    CLASS_COUNT,
#define CLASS_NAME(NAME, name) name##_number = CLASS_##NAME,
    HANDLE_CLASSES(CLASS_NAME)
#undef CLASS_NAME
};

/* Bits that are no handle's, of no class, on either side: a variable that has them was not written. */
enum { NO_HANDLE = 1 };

#endif
