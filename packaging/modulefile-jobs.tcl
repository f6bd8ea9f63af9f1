#%Module1.0
# SPDX-License-Identifier: BSD-3-Clause
# Made by `make install`.
proc ModulesHelp { } {
    puts stderr "Job scripts that were written for @APPLICATION@ run on @HOST@ while this module is loaded,"
    puts stderr "as in `mpi-adapter shell`: mpirun, srun and other launchers in them take the options"
    puts stderr "of the program's own MPI, and start what this machine has."
    puts stderr ""
    puts stderr "Load it after the modules of MPI implementations: the folder of these launchers must"
    puts stderr "come first."
}
module-whatis "MPI-Adapter @VERSION@: runs job scripts for @APPLICATION@ on @HOST@"
conflict mpi-adapter
setenv MPI_ADAPTER_FROM @FROM@
setenv MPI_ADAPTER_HOST @TO@
prepend-path PATH {@SHIMS@}
