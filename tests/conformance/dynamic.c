/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* Processes that are spawned and connected: names, ports, parents, and what fails. */
#include "handlers.h"

static void names(void)
{
    char port[MPI_MAX_PORT_NAME] = "as it was";
    MPI_Info info;
    MPI_Comm made;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ompi_global_scope", "false");
    SEE("lookup_name of none", MPI_Lookup_name("none", MPI_INFO_NULL, port), note(" %s", port));
    SEE("unpublish_name of none", MPI_Unpublish_name("none", info, "port"));
    SEE("comm_connect to no port", MPI_Comm_connect("no port", MPI_INFO_NULL, 0, MPI_COMM_SELF, &made));
    SEE("comm_connect from a bad root", MPI_Comm_connect("no port", MPI_INFO_NULL, 5, MPI_COMM_SELF, &made));
    SEE("comm_accept on the null communicator", MPI_Comm_accept("no port", MPI_INFO_NULL, 0, MPI_COMM_NULL, &made));
    SEE("close_port of no port", MPI_Close_port("no port"));
    MPI_Info_free(&info);
}

static void parents(void)
{
    MPI_Comm made = MPI_COMM_NULL;
    int *size, flag = 77;
    SEE("comm_get_parent", MPI_Comm_get_parent(&made), note(" %s", made == MPI_COMM_NULL ? "null" : "made"));
    SEE("MPI_UNIVERSE_SIZE", MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &size, &flag),
        note(" %s", !flag ? "no" : *size >= 1 ? "one or more" : "none"));
    SEE("MPI_APPNUM", MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &size, &flag),
        note(" %s", !flag ? "no" : *size == 0 ? "0" : "another"));
    SEE("comm_disconnect of the null communicator", MPI_Comm_disconnect(&made));
    SEE("comm_disconnect of the world", (__extension__({ made = MPI_COMM_WORLD; MPI_Comm_disconnect(&made); })));
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    SEE("comm_disconnect", MPI_Comm_disconnect(&made), note(" %s", made == MPI_COMM_NULL ? "null" : "not null"));
    if (!host_is("openmpi"))
        SEE("comm_join of no socket", MPI_Comm_join(-1, &made));
}

static void spawns(void)
{
    MPI_Comm made;
    int codes[2] = { 77, 77 };
    SEE("spawn of a negative number", MPI_Comm_spawn("true", MPI_ARGV_NULL, -1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made, codes));
    SEE("spawn from a bad root", MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 5, MPI_COMM_SELF, &made, codes));
    SEE("spawn on the null communicator", MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_NULL, &made, codes));
    SEE("spawn of no command", MPI_Comm_spawn(0, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made, codes));
    /* Open MPI's launcher ends the program. */
    if (host_is("openmpi"))
        return;
    SEE("spawn of what is not there", MPI_Comm_spawn("./no such program", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made, codes),
        note(" %s", codes[0] == MPI_SUCCESS ? "MPI_SUCCESS" : codes[0] == 77 ? "untouched" : class_of(codes[0])));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    observe_ranks();
    set_all(on_comm);
    parents();
    names();
    spawns();
    MPI_Comm_free(&duplicate);
    MPI_Finalize();
    return 0;
}
