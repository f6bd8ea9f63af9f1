/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that headers of real implementations have been seen to do. */
#ifndef REALISTIC_MPI_H
#define REALISTIC_MPI_H

#include <stdint.h>

#define OMPI_MAJOR_VERSION 4
#define OMPI_MINOR_VERSION 9
#define OMPI_RELEASE_VERSION 2
#define MPI_VERSION 4
#define MPI_SUBVERSION 1
#define REALISTIC_PRIVATE 1
#define MPI_INCLUDED
#define MPI_Fint int
#define MPI_EXPORTED __attribute__((visibility("default")))
#define MPIX_GPU_AWARE_SUPPORT 1

/* Handles: addresses of objects, integers, incomplete structures. */
#define REALISTIC_GLOBAL(type, name) ((type)((void *)&(name)))
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Request;
typedef struct realistic_file *MPI_File;
typedef MPI_Request MPIO_Request;
extern struct ompi_predefined_t { void *word[2]; } ompi_mpi_comm_world, ompi_mpi_datatypes[3], ompi_mpi_lb;
#define MPI_COMM_WORLD REALISTIC_GLOBAL(MPI_Comm, ompi_mpi_comm_world)
#define MPI_INT REALISTIC_GLOBAL(MPI_Datatype, ompi_mpi_datatypes[0])
#define MPI_DOUBLE REALISTIC_GLOBAL(MPI_Datatype, ompi_mpi_datatypes[2])
#define MPI_C_INT MPI_INT
#if !OMPI_OMIT_MPI1_COMPAT_DECLS
#define MPI_LB REALISTIC_GLOBAL(MPI_Datatype, ompi_mpi_lb)
#endif
#define MPI_SUM (MPI_Op)(0x58000003)
#define MPI_MAX ((MPI_Op)0xd8000001)
#define MPI_REQUEST_NULL ((MPI_Request)0x2c000000)
#define MPI_FILE_NULL ((MPI_File)0)

/* Integers, addresses, variables, strings, functions. */
enum { MPI_TAG_UB, MPI_HOST, MPI_KEYVAL_INVALID = -1 };
enum QMPI_Functions_enum { MPI_BARRIER_T = 7 };
#define MPI_ANY_SOURCE -1
#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset)-54278278)
#define MPI_LARGE (1ll << 40)
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
extern int *const MPI_UNWEIGHTED MPI_EXPORTED;
extern int *realistic_empty;
#define MPI_WEIGHTS_EMPTY realistic_empty
#define MPI_KEY "a \"quoted\" \\ key"
#define MPI_NULL_COPY_FN ((MPI_Copy_function *)0)
#define MPI_DUP_FN MPIR_Dup_fn
#define MPI_Comm_c2f(comm) (MPI_Fint)(intptr_t)(comm)

typedef intptr_t MPI_Aint;
typedef long long MPI_Offset;
typedef unsigned int MPI_Count;
typedef enum { MPI_FIRST_CASE = 4 } MPI_Case;

struct realistic_status { int count_low; int MPI_SOURCE, MPI_TAG, MPI_ERROR; char cancelled; unsigned long count; };
typedef struct realistic_status MPI_Status;

typedef int (MPI_Copy_function)(MPI_Comm, int, void *, void *, void *, int *);
typedef MPI_Copy_function MPI_Copy_fn;
typedef void MPI_Handler_function(MPI_Comm *, int *, ...);

MPI_EXPORTED int MPIR_Dup_fn(MPI_Comm, int, void *, void *, void *, int *);
MPI_EXPORTED int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                          MPI_Comm comm);
int MPI_Group_range_incl(int n, int ranges[][3]) __attribute__((__deprecated__("not really")));
int MPI_Pcontrol(const int level, ...);
double MPI_Wtime(void);
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint disp);
int PMPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int PMPI_Group_range_incl(int n, int ranges[][3]);
int PMPI_Pcontrol(const int level, ...);
double PMPI_Wtime(void);
static inline int realistic_helper(int value) { return value; }

#endif
