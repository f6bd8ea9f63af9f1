-- SPDX-License-Identifier: BSD-3-Clause
-- Made by `make install`.
help([[
Job scripts that were written for @APPLICATION@ run on @HOST@ while this module is loaded,
as in `mpi-adapter shell`: mpirun, srun and other launchers in them take the options
of the program's own MPI, and start what this machine has.

Load it after the modules of MPI implementations: the folder of these launchers must
come first.
]])
whatis("Name: MPI-Adapter, job scripts of @PAIR@")
whatis("Version: @VERSION@")
whatis("Description: runs job scripts for @APPLICATION@ on @HOST@")
conflict("mpi-adapter")
setenv("MPI_ADAPTER_FROM", "@FROM@")
setenv("MPI_ADAPTER_HOST", "@TO@")
prepend_path("PATH", [[@SHIMS@]])
