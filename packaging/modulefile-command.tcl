#%Module1.0
# SPDX-License-Identifier: BSD-3-Clause
# Made by `make install`.
proc ModulesHelp { } {
    puts stderr "The mpi-adapter command, which runs programs on another MPI than the one that they"
    puts stderr "were built for. mpi-adapter(1) explains it."
}
module-whatis "MPI-Adapter @VERSION@: the mpi-adapter command, which runs programs on another MPI"
conflict mpi-adapter
prepend-path PATH {@PREFIX@/bin}
# Without this variable, man finds the manual by PATH.
if {[info exists env(MANPATH)]} {
    prepend-path MANPATH {@PREFIX@/share/man}
}
