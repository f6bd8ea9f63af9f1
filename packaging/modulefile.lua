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
if [[@PREFIX@]] ~= "/usr" then
    prepend_path("PATH", [[@PREFIX@/bin]])
    if os.getenv("MANPATH") then
        prepend_path("MANPATH", [[@PREFIX@/share/man]])
    end
end
local folder = [[@FOLDER@]]
-- R's own script puts folders ahead in LD_LIBRARY_PATH, unless this names what is to be there.
if mode() == "load" or mode() == "unload" then
    local home = capture("R RHOME 2> /dev/null"):gsub("%s+$", "")
    local libraries, now = pathJoin(home, "lib"), os.getenv("R_LD_LIBRARY_PATH")
    if home:sub(1, 1) == "/" then
        if not now or now == folder .. ":" .. libraries then
            prepend_path("R_LD_LIBRARY_PATH", libraries)
        end
        prepend_path("R_LD_LIBRARY_PATH", folder)
    end
end
