#%Module1.0
# SPDX-License-Identifier: BSD-3-Clause
# Made by `make install`.
proc ModulesHelp { } {
    puts stderr "Programs that were built for @APPLICATION@ run on @HOST@ while this module is loaded."
    puts stderr "Start them with the launcher of the MPI that is there."
    puts stderr ""
    puts stderr "Load it after the modules of MPI implementations: the folder of the pair must"
    puts stderr "come first. mpi-adapter(1) and its `env` command tell what a program needs besides."
}
module-whatis "MPI-Adapter @VERSION@: runs programs built for @APPLICATION@ on @HOST@"
# Two pairs at a time would take each other's libraries for the host's.
conflict mpi-adapter
prepend-path LD_LIBRARY_PATH {@FOLDER@}
if {{@PREFIX@} ne "/usr"} {
    prepend-path PATH {@PREFIX@/bin}
    if {[info exists env(MANPATH)]} {
        prepend-path MANPATH {@PREFIX@/share/man}
    }
}
set folder {@FOLDER@}
# R's own script puts folders ahead in LD_LIBRARY_PATH, unless this names what is to be there.
if {([module-info mode load] || [module-info mode unload]) && ![catch {exec R RHOME 2> /dev/null} home] && [string match /* $home]} {
    if {![info exists env(R_LD_LIBRARY_PATH)] || $env(R_LD_LIBRARY_PATH) eq "$folder:$home/lib"} {
        prepend-path R_LD_LIBRARY_PATH $home/lib
    }
    prepend-path R_LD_LIBRARY_PATH $folder
}
