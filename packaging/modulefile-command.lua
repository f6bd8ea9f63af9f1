-- SPDX-License-Identifier: BSD-3-Clause
-- Made by `make install`.
help([[
The mpi-adapter command, which runs programs on another MPI than the one that they
were built for. mpi-adapter(1) explains it.
]])
whatis("Name: MPI-Adapter")
whatis("Version: @VERSION@")
whatis("Description: the mpi-adapter command, which runs programs on another MPI")
conflict("mpi-adapter")
prepend_path("PATH", [[@PREFIX@/bin]])
-- Without this variable, man finds the manual by PATH.
if os.getenv("MANPATH") then
    prepend_path("MANPATH", [[@PREFIX@/share/man]])
end
