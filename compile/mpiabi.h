/* SPDX-License-Identifier: BSD-3-Clause */
/* The guard of the MPI Forum's mpi.h, and of MPICH's and Open MPI's for the standard ABI, by which programs know which mpi.h
   they have. */
#define MPI_H_ABI

/* Fortran's handles and statuses. No library of the standard ABI has these procedures, for it does not know
   what an INTEGER is; nearly everywhere it is an int, and then the ABI has what they do under other names. A
   program that defines MPI_ADAPTER_NO_FORTRAN goes without them. */
#ifndef MPI_ADAPTER_NO_FORTRAN
#if defined(MPI_ADAPTER_INLINE)
#elif defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define MPI_ADAPTER_INLINE static inline
#else
#define MPI_ADAPTER_INLINE static __inline__
#endif

#define MPI_ADAPTER_CONVERT(MPI, Class, Handle) \
    MPI_ADAPTER_INLINE MPI_Fint MPI##_##Class##_c2f(Handle handle) { return MPI##_##Class##_toint(handle); } \
    MPI_ADAPTER_INLINE Handle MPI##_##Class##_f2c(MPI_Fint handle) { return MPI##_##Class##_fromint(handle); }
#define MPI_ADAPTER_CONVERT_ALL(MPI) \
    MPI_ADAPTER_CONVERT(MPI, Comm, MPI_Comm) \
    MPI_ADAPTER_CONVERT(MPI, Errhandler, MPI_Errhandler) \
    MPI_ADAPTER_CONVERT(MPI, File, MPI_File) \
    MPI_ADAPTER_CONVERT(MPI, Group, MPI_Group) \
    MPI_ADAPTER_CONVERT(MPI, Info, MPI_Info) \
    MPI_ADAPTER_CONVERT(MPI, Message, MPI_Message) \
    MPI_ADAPTER_CONVERT(MPI, Op, MPI_Op) \
    MPI_ADAPTER_CONVERT(MPI, Request, MPI_Request) \
    MPI_ADAPTER_CONVERT(MPI, Session, MPI_Session) \
    MPI_ADAPTER_CONVERT(MPI, Type, MPI_Datatype) \
    MPI_ADAPTER_CONVERT(MPI, Win, MPI_Win) \
    MPI_ADAPTER_INLINE int MPI##_Status_c2f(const MPI_Status *from, MPI_Fint *to) \
    { *(MPI_Status *)(void *)to = *from; return MPI_SUCCESS; } \
    MPI_ADAPTER_INLINE int MPI##_Status_f2c(const MPI_Fint *from, MPI_Status *to) \
    { *to = *(const MPI_Status *)(const void *)from; return MPI_SUCCESS; } \
    MPI_ADAPTER_INLINE int MPI##_Status_c2f08(const MPI_Status *from, MPI_F08_status *to) \
    { *to = *from; return MPI_SUCCESS; } \
    MPI_ADAPTER_INLINE int MPI##_Status_f082c(const MPI_F08_status *from, MPI_Status *to) \
    { *to = *from; return MPI_SUCCESS; } \
    MPI_ADAPTER_INLINE int MPI##_Status_f2f08(const MPI_Fint *from, MPI_F08_status *to) \
    { return MPI##_Status_f2c(from, to); } \
    MPI_ADAPTER_INLINE int MPI##_Status_f082f(const MPI_F08_status *from, MPI_Fint *to) \
    { return MPI##_Status_c2f(from, to); }
MPI_ADAPTER_CONVERT_ALL(MPI)
MPI_ADAPTER_CONVERT_ALL(PMPI)
#undef MPI_ADAPTER_CONVERT_ALL
#undef MPI_ADAPTER_CONVERT
#undef MPI_ADAPTER_INLINE
#endif

/* Names of old programs. */
#ifdef MPI_ADAPTER_REMOVED
#include "mpi_removed.h"
#endif
