/* A staged array of no elements is not initialized, nor read. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include "fortran.h"
#include "fortran_prototypes.h"
#include "section.h"

/* abi-tables/procedures:4, by templates/fortran.tpl: comm [handle in scalar], comm_name [written_string out], resultlen [value out scalar] */
ENTRY void entry_mpi_comm_get_name(MPI_Fint *comm, char *comm_name, MPI_Fint *resultlen, MPI_Fint *ierror, size_t comm_name_length)
{
    char its_comm_name[APP_MPI_MAX_OBJECT_NAME + 1];
    int rc = CALL(MPI_Comm_get_name)(comm_from_fortran(*comm), its_comm_name, resultlen);
    set_ierror(ierror, rc);
    if (likely(rc == 0)) {
        string_to_fortran(comm_name, comm_name_length, its_comm_name);
    }
}
__asm__(
    ".weak mpi_comm_get_name_\n.set mpi_comm_get_name_, entry_mpi_comm_get_name\n"
    ".weak mpi_comm_get_name_f08_\n.set mpi_comm_get_name_f08_, entry_mpi_comm_get_name\n"
    ".globl pmpi_comm_get_name_\n.set pmpi_comm_get_name_, entry_mpi_comm_get_name\n"
    ".globl pmpir_comm_get_name_f08_\n.set pmpir_comm_get_name_f08_, entry_mpi_comm_get_name\n"
    );

/* abi-tables/procedures:7, by templates/fortran.tpl: buf [buffer in scalar], count [value in scalar], datatype [handle in scalar], dest [value in scalar], tag [value in scalar], comm [handle in scalar], request [handle out scalar] */
ENTRY void entry_mpi_isend_c(void *buf, MPI_Count *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    app_request its_request;
    int rc = CALL(MPI_Isend_c)(buffer_from_fortran(buf), *count, datatype_from_fortran(*datatype), *dest, *tag, comm_from_fortran(*comm), &its_request);
    set_ierror(ierror, rc);
    if (likely(rc == 0)) {
        *request = request_to_fortran(its_request);
    }
}
static COLD void entry_mpi_isend_c_f08ts_section(struct descriptor *buf, MPI_Count *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    struct section its_buf;
    open_large_section(&its_buf, buf, count, datatype);
    if (unlikely(its_buf.failed)) {
        section_failed("MPI_Isend");
        set_ierror(ierror, raise_comm(comm_from_fortran(*comm), APP_MPI_ERR_BUFFER));
    } else {
        entry_mpi_isend_c(its_buf.address, its_buf.large_count, its_buf.datatype, dest, tag, comm, request, ierror);
    }
    close_section(&its_buf);
}
/* Arrays of several dimensions: looking at these takes registers that the entry point would have to save. */
static __attribute__((noinline)) void entry_mpi_isend_c_f08ts_shaped(struct descriptor *buf, MPI_Count *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    if (likely(is_plain(buf)))
        entry_mpi_isend_c(buf->base, count, datatype, dest, tag, comm, request, ierror);
    else
        entry_mpi_isend_c_f08ts_section(buf, count, datatype, dest, tag, comm, request, ierror);
}
ENTRY void entry_mpi_isend_c_f08ts(struct descriptor *buf, MPI_Count *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    if (likely(is_flat(buf)))
        entry_mpi_isend_c(buf->base, count, datatype, dest, tag, comm, request, ierror);
    else
        entry_mpi_isend_c_f08ts_shaped(buf, count, datatype, dest, tag, comm, request, ierror);
}
__asm__(
    ".weak mpi_isend_c_f08ts_\n.set mpi_isend_c_f08ts_, entry_mpi_isend_c_f08ts\n"
    ".globl pmpir_isend_c_f08ts_\n.set pmpir_isend_c_f08ts_, entry_mpi_isend_c_f08ts\n"
    );
