#define VERSION_OLDEST 300
#define VERSION_NEWEST 301

static const struct version_symbol version_symbols[] = {
    { "libalpha.so.4", 301 },
    { "mpi_comm_compare", 301 },
    { "mpi_comm_get_name", 301 },
    { "mpi_comm_get_name_cptr", 301 },
    { "mpi_finalize", 301 },
    { "mpi_fortran_bottom", 301 },
    { "mpi_group_translate_ranks", 301 },
    { "mpi_isend", 301 },
    { "mpi_isend_c", 301 },
    { "mpi_recv", 301 },
    { "mpi_type_create_struct", 301 },
};
