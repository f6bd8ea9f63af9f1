/* Procedures of newer MPI versions, built of what every host has. They stand in the host's table where
 * its own are missing. */
#ifndef BUILT_H
#define BUILT_H

#include "host.h"


#endif
