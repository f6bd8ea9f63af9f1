-- SPDX-License-Identifier: BSD-3-Clause
-- Made by `make install`.
help([[
While this module is loaded, mpicc, mpicxx, mpifort and their other names compile
programs that run on every MPI, and mpiexec -n N starts them on the MPI that is there.

Load it after the modules of MPI implementations: these names must come first in PATH.
]])
whatis("Name: MPI-Adapter, compilers")
whatis("Version: @VERSION@")
whatis("Description: compiles programs that run on every MPI")
prepend_path("PATH", [[@HOME@/bin]])
prepend_path("PKG_CONFIG_PATH", [[@HOME@/lib/pkgconfig]])
setenv("MPI_HOME", [[@HOME@]])
