-- SPDX-License-Identifier: BSD-3-Clause
-- Made by `make install`.
help([[
Programs that were built for @APPLICATION@ run on @HOST@ while this module is loaded.
Start them with the launcher of the MPI that is there.

Load it after the modules of MPI implementations: the folder of the pair must
come first. mpi-adapter(1) and its `env` command tell what a program needs besides.
]])
whatis("Name: MPI-Adapter, @PAIR@")
whatis("Version: @VERSION@")
whatis("Description: runs programs built for @APPLICATION@ on @HOST@")
-- Two pairs at a time would take each other's libraries for the host's.
conflict("mpi-adapter")
prepend_path("LD_LIBRARY_PATH", [[@FOLDER@]])
