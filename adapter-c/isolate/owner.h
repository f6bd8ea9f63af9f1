/* SPDX-License-Identifier: BSD-3-Clause */
/* The owner of a loaded object. owner_move() is the one function that decides it, by these tables.
 *
 *   owner      whose the object is                                       what is done with its slots
 *   ---------  --------------------------------------------------------  --------------------------------------------------
 *   UNDECIDED  Nobody's yet: it was not looked at, or the object that    Nothing.
 *              was looked at in this place has been unloaded.
 *   ADAPTER    A library of this pair.                                   Fortran's sentinels lead to the process's addresses.
 *   PROGRAM    The program's or the system's.                            The same, and dlopen() and dlsym() lead to hooks. Of one
 *                                                                        that needs the application's MPI, MPI's symbols lead
 *                                                                        to the adapter where the host comes first.
 *   HOST       The host's library, or one that it needs or loads.        MPI's symbols lead to the host, dlopen() to hooks.
 *   TOOL       In MPI_ADAPTER_HOST_TOOLS, or needed by one that is.      The same, but MPI's symbols lead to tools first.
 *   ARRIVED    Linked against the host's libraries, but loaded by the    The same as those of a tool, for it may be one. Those
 *              program or preloaded: a tool, the host's bindings, or     of natives lead to the host through the layers.
 *              a native (isolate/natives.h).
 *   INNER      Loaded by a host that is itself an adapter.               Nothing: the inner adapter binds them. The proof
 *                                                                        looks at them.
 *
 *   binding    how far isolation has come with an object of the last four owners; of the others it is UNBOUND
 *   ---------  --------------------------------------------------------------------------------------------------------
 *   UNBOUND    The slots may lead to the adapter. Any thread that meets the object binds it.
 *   BOUND      The slots lead to the host. The proof looks at them again.
 *   NO_SLOTS   No slot could ever lead to the adapter, so that nobody looks at the object again.
 *
 *   from                         finding         to           why
 *   ---------------------------  --------------  -----------  ---------------------------------------------------------
 *   UNDECIDED, ADAPTER           FOUND_ADAPTER   ADAPTER      Its file is in the adapter's folder. It is never unloaded.
 *   UNDECIDED, PROGRAM           FOUND_PROGRAM   PROGRAM      It is neither linked against the host nor loaded by it.
 *   UNDECIDED, PROGRAM           FOUND_HOST      HOST         The host may need, or open, what the program loaded before.
 *   UNDECIDED, PROGRAM           FOUND_TOOL      TOOL         So may a tool.
 *   UNDECIDED, PROGRAM           FOUND_INNER     INNER BOUND  So may a host that is an adapter. That one has bound it.
 *   UNDECIDED                    FOUND_ARRIVED   ARRIVED      The first look sees what it is linked against, which never
 *                                                             changes. So a PROGRAM cannot turn into it.
 *   HOST, TOOL, ARRIVED UNBOUND  FOUND_HOST      HOST         Two threads met it. The one that knows who loaded it is right.
 *   HOST, TOOL, ARRIVED UNBOUND  FOUND_TOOL      TOOL         The same.
 *   ARRIVED UNBOUND              FOUND_ARRIVED   ARRIVED      Two threads met it, and neither knows more.
 *   HOST, TOOL, ARRIVED UNBOUND  FOUND_NO_SLOTS  = NO_SLOTS   Its relocations name nothing of the adapter's.
 *   HOST, TOOL, ARRIVED UNBOUND  FOUND_BOUND     = BOUND      Its slots were bound, and proved to be.
 *   HOST, TOOL, ARRIVED BOUND    FOUND_BOUND     = BOUND      Another library had taken slots, and they were bound again.
 *   all but ADAPTER              FOUND_GONE      UNDECIDED    It was unloaded. Another object may be at its address.
 *
 * "=" is the same owner. Every other step is refused: no object of the host's becomes the program's, and one that is BOUND has
 * the same owner until it is unloaded. An object that is loaded again has its former owner again (plan.c).
 * tests/units/lifetimes.bats reads this table. */
#ifndef OWNER_H
#define OWNER_H

enum owner { UNDECIDED, ADAPTER, PROGRAM, HOST, TOOL, ARRIVED, INNER };

enum binding { UNBOUND, BOUND, NO_SLOTS };

enum finding {
    FOUND_ADAPTER,
    FOUND_PROGRAM,
    FOUND_HOST,
    FOUND_TOOL,
    FOUND_ARRIVED,
    FOUND_INNER,
    FOUND_NO_SLOTS,
    FOUND_BOUND,
    FOUND_GONE
};

struct ownership {
    enum owner owner;
    enum binding binding;
};

/* Moves an object as the table says. Returns 0, and changes nothing, if the table has no such step. */
int owner_move(struct ownership *object, enum finding finding);

/* Returns the finding that leads from UNDECIDED to the owner, which is not UNDECIDED. */
enum finding owner_finding(enum owner owner);

/* Returns whether the object is the host's or a tool's. */
int owner_is_of_host(enum owner owner);

/* Returns whether this adapter binds the object's slots to the host. */
int owner_is_bound_here(enum owner owner);

/* Returns whether the object's calls go through the host's tools. */
int owner_calls_tools(enum owner owner);

#endif
