/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts whose library has the name of an ABI and not its numbers. */
#ifndef DEPARTURE_H
#define DEPARTURE_H

/* Gives up if the table abi-tables/departures has the maker of the host's library. If nothing tells who made it, asks it for the
 * integers of some predefined handles, and gives up if these are not the ABI's. `path` is the library. To be called before the host is
 * initialized, and not if the host is an adapter, which passes the version text of its own host on. */
void departure_refuse(const char *path);

#endif
