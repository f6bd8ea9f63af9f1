#define VERSION_OLDEST 301
#define VERSION_NEWEST 400

static const char version_names[] =
    "mpi_recv_c\0"
    "mpi_type_create_struct_c\0"
    "mpi_win_fence\0"
    "";

static const struct version_symbol version_symbols[] = {
    { 0, 400 },
    { 11, 400 },
    { 36, 400 },
};
