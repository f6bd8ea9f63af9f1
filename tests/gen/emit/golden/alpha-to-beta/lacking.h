/* Procedures of newer MPI versions, built of what every host has. They stand in the host's table where
 * its own are missing. */
#ifndef LACKING_H
#define LACKING_H

#include "host.h"


#endif
