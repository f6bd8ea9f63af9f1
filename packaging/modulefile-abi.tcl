#%Module1.0
# SPDX-License-Identifier: BSD-3-Clause
# Made by `make install`.
proc ModulesHelp { } {
    puts stderr "While this module is loaded, mpicc, mpicxx, mpifort and their other names compile"
    puts stderr "programs that run on every MPI, and mpiexec -n N starts them on the MPI that is there."
    puts stderr ""
    puts stderr "Load it after the modules of MPI implementations: these names must come first in PATH."
}
module-whatis "MPI-Adapter @VERSION@: compiles programs that run on every MPI"
prepend-path PATH {@HOME@/bin}
prepend-path PKG_CONFIG_PATH {@HOME@/lib/pkgconfig}
setenv MPI_HOME {@HOME@}
