/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of a process: it is compiled for one MPI, and knows nothing of that of other parts. Parts tell each other of objects by integers. */
#ifndef PART_H
#define PART_H

/* A part gives another one predefined handles, those that it has made, a keyval, and errors. */
#define GIVEN(X)                                                                                   \
    X(WORLD) X(SELF) X(COMM_NULL) X(COMM) X(INT) X(DOUBLE) X(DATATYPE_NULL) X(PAIR) X(SUM) X(OP_NULL) X(LARGER) X(GROUP_EMPTY) X(GROUP) \
    X(INFO_NULL) X(INFO) X(ERRORS_RETURN) X(HANDLER) X(REQUEST_NULL) X(RECEIVE) X(NO_FILE) X(OPENED) X(WIN) X(KEYVAL) X(ADDED_CLASS) X(ADDED_CODE) X(FAILURE)

enum given {
#define GIVEN_NUMBER(name) name,
    GIVEN(GIVEN_NUMBER)
    GIVEN_COUNT,
    COMM_OF_WORLD /* for a thread */
};

struct part {
    void (*begin)(void); /* MPI_Init_thread */
    void (*end)(void);
    int (*phase)(void);                        /* 0 before MPI_Init, 1, 2 after MPI_Finalize; and the level of threads times 10 */
    int (*give)(int what);                     /* the integer of an object */
    const char *(*take)(int what, int number); /* uses another part's; returns what is wrong with it, or null */
    int (*work)(void);                         /* calls MPI for itself; returns whether all is right */
    void (*begin_threads)(void);               /* MPI_Init_thread for MPI_THREAD_MULTIPLE */
    int (*threads_are_multiple)(void);         /* what MPI_Query_thread says */
    const char *(*work_in_thread)(int comm);   /* calls MPI on a communicator of another part's, while others call MPI; as take() */
};

#endif
