#define VERSION_OLDEST 300
#define VERSION_NEWEST 301

static const char version_names[] =
    "libalpha.so.4\0"
    "mpi_comm_compare\0"
    "mpi_comm_get_name\0"
    "mpi_comm_get_name_cptr\0"
    "mpi_finalize\0"
    "mpi_fortran_bottom\0"
    "mpi_group_translate_ranks\0"
    "mpi_isend\0"
    "mpi_isend_c\0"
    "mpi_recv\0"
    "mpi_type_create_struct\0"
    "";

static const struct version_symbol version_symbols[] = {
    { 0, 301 },
    { 14, 301 },
    { 31, 301 },
    { 49, 301 },
    { 72, 301 },
    { 85, 301 },
    { 104, 301 },
    { 130, 301 },
    { 140, 301 },
    { 152, 301 },
    { 161, 301 },
};
