#define VERSION_OLDEST 301
#define VERSION_NEWEST 400

static const struct version_symbol version_symbols[] = {
    { "mpi_recv_c", 400 },
    { "mpi_type_create_struct_c", 400 },
    { "mpi_win_fence", 400 },
};
