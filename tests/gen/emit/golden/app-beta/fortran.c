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

/* abi-tables/procedures:5 */
ENTRY void entry_mpi_finalize(MPI_Fint *ierror)
{
    int rc = CALL(MPI_Finalize)();
    set_ierror(ierror, rc);
}
__asm__(
    ".weak mpi_finalize_\n.set mpi_finalize_, entry_mpi_finalize\n"
    ".globl pmpi_finalize_\n.set pmpi_finalize_, entry_mpi_finalize\n"
    );

/* abi-tables/procedures:6, by templates/fortran.tpl: group1 [handle in scalar], n [value in scalar], ranks1 [value in array], group2 [handle in scalar], ranks2 [value out array] */
ENTRY void entry_mpi_group_translate_ranks(MPI_Fint *group1, MPI_Fint *n, MPI_Fint *ranks1, MPI_Fint *group2, MPI_Fint *ranks2, MPI_Fint *ierror)
{
    int rc = CALL(MPI_Group_translate_ranks)(group_from_fortran(*group1), *n, ranks1, group_from_fortran(*group2), ranks2);
    set_ierror(ierror, rc);
}
__asm__(
    ".weak mpi_group_translate_ranks_\n.set mpi_group_translate_ranks_, entry_mpi_group_translate_ranks\n"
    ".globl pmpi_group_translate_ranks_\n.set pmpi_group_translate_ranks_, entry_mpi_group_translate_ranks\n"
    );

/* abi-tables/procedures:7, by templates/fortran.tpl: buf [buffer in scalar], count [value in scalar], datatype [handle in scalar], dest [value in scalar], tag [value in scalar], comm [handle in scalar], request [handle out scalar] */
ENTRY void entry_mpi_isend(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    app_request its_request;
    int rc = CALL(MPI_Isend)(buffer_from_fortran(buf), *count, datatype_from_fortran(*datatype), *dest, *tag, comm_from_fortran(*comm), &its_request);
    set_ierror(ierror, rc);
    if (likely(rc == 0)) {
        *request = request_to_fortran(its_request);
    }
}
__asm__(
    ".weak mpi_isend_\n.set mpi_isend_, entry_mpi_isend\n"
    ".globl pmpi_isend_\n.set pmpi_isend_, entry_mpi_isend\n"
    );
static COLD void entry_mpi_isend_f08ts_section(struct descriptor *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    struct section its_buf;
    open_section(&its_buf, buf, count, datatype);
    const int failed = its_buf.failed;
    if (unlikely(failed)) {
        set_ierror(ierror, raise_comm(comm_from_fortran(*comm), section_failed("MPI_Isend", failed)));
    } else {
        entry_mpi_isend(its_buf.address, its_buf.count, its_buf.datatype, dest, tag, comm, request, ierror);
    }
    close_section(&its_buf);
}
/* Arrays of several dimensions: looking at these takes registers that the entry point would have to save. */
static __attribute__((noinline)) void entry_mpi_isend_f08ts_shaped(struct descriptor *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    if (likely(is_plain(buf)))
        entry_mpi_isend(buf->base, count, datatype, dest, tag, comm, request, ierror);
    else
        entry_mpi_isend_f08ts_section(buf, count, datatype, dest, tag, comm, request, ierror);
}
ENTRY void entry_mpi_isend_f08ts(struct descriptor *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *request, MPI_Fint *ierror)
{
    if (likely(is_flat(buf)))
        entry_mpi_isend(buf->base, count, datatype, dest, tag, comm, request, ierror);
    else
        entry_mpi_isend_f08ts_shaped(buf, count, datatype, dest, tag, comm, request, ierror);
}
__asm__(
    ".weak mpi_isend_f08ts_\n.set mpi_isend_f08ts_, entry_mpi_isend_f08ts\n"
    ".globl pmpir_isend_f08ts_\n.set pmpir_isend_f08ts_, entry_mpi_isend_f08ts\n"
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
    const int failed = its_buf.failed;
    if (unlikely(failed)) {
        set_ierror(ierror, raise_comm(comm_from_fortran(*comm), section_failed("MPI_Isend", failed)));
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

/* abi-tables/procedures:8, by templates/fortran.tpl: buf [buffer out scalar], count [value in scalar], datatype [handle in scalar], source [value in scalar], tag [value in scalar], comm [handle in scalar], status [status out scalar] */
ENTRY void entry_mpi_recv(void *buf, MPI_Fint *count, MPI_Fint *datatype, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *ierror)
{
    int rc = CALL(MPI_Recv)(buffer_from_fortran(buf), *count, datatype_from_fortran(*datatype), *source, *tag, comm_from_fortran(*comm), status_from_fortran(status));
    set_ierror(ierror, rc);
}
__asm__(
    ".weak mpi_recv_\n.set mpi_recv_, entry_mpi_recv\n"
    ".globl pmpi_recv_\n.set pmpi_recv_, entry_mpi_recv\n"
    );

/* abi-tables/procedures:9, by templates/fortran.tpl: count [value in scalar], lengths [value in array], displs [value in array], types [handle in array], newtype [handle out scalar] */
ENTRY void entry_mpi_type_create_struct(MPI_Fint *count, MPI_Fint *lengths, MPI_Aint *displs, MPI_Fint *types, MPI_Fint *newtype, MPI_Fint *ierror)
{
    app_datatype local_types[FORTRAN_LOCAL], *its_types = datatype_stage_fortran(local_types, types, *count);
    app_datatype its_newtype;
    int rc = unlikely(IS_LACKING(its_types, types)) ? raise_error(APP_MPI_ERR_NO_MEM) : CALL(MPI_Type_create_struct)(*count, lengths, displs, its_types, &its_newtype);
    set_ierror(ierror, rc);
    datatype_unstage_fortran(its_types, local_types);
    if (likely(rc == 0)) {
        *newtype = datatype_to_fortran(its_newtype);
    }
}
__asm__(
    ".weak mpi_type_create_struct_\n.set mpi_type_create_struct_, entry_mpi_type_create_struct\n"
    ".globl pmpi_type_create_struct_\n.set pmpi_type_create_struct_, entry_mpi_type_create_struct\n"
    );
