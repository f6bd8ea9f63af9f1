/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with as much of MPICH in it as detour.so looks for, which says so when it runs. Options leave things out, or damage them. */
#include <stdio.h>

int before(void);

const char *volatile text = "The function was called before initializing or after finalizing MPICH";

#ifndef OTHER_ABI
int MPIR_CVAR_NOTHING;
#endif
int *MPI_UNWEIGHTED;
#ifndef RELEASE
#define RELEASE "9.8.7"
#endif
const char MPII_Version_string[] = RELEASE;

#ifdef FORTRAN
void mpi_barrier_(int *comm, int *error) { *error = *comm; }
void mpi_barrier_f08_(int *comm, int *error) { *error = *comm; }
#endif

#ifdef LONELY
/* Nothing but short functions. */
#define SHORT_FUNCTION(name) ".globl " #name "\n.type " #name ", @function\n" #name ": .byte 0xe9\n.long before - . - 4\n.size " #name ", 5\n"
__asm__(".text\n" SHORT_FUNCTION(MPID_Init) SHORT_FUNCTION(PMPI_Init) SHORT_FUNCTION(PMPI_Nothing));
int MPID_Init(int), MPI_Init(int *, char ***), PMPI_Nothing(int);
__asm__(".globl MPI_Init\n.set MPI_Init, PMPI_Init\n");
#else

#ifndef UNKNOWN
int MPID_Init(int count) { return puts(count ? "begins" : "begins with nothing") < 0 || before(); }
#endif

int PMPI_Init(int *count, char ***words) { return puts(count || words ? "inside" : "inside without words") < 0 || before(); }
int MPI_Init(int *count, char ***words) __attribute__((weak, alias("PMPI_Init")));

int PMPI_Nothing(int which) { return puts(which ? "something" : "nothing") < 0 || before(); }
#endif

#ifdef OWN
/* The program's wrapper of a procedure, and the library's procedure. */
int PMPI_Wtick(void) { return puts("library's") < 0 || before(); }
int MPI_Wtick(void) { return puts("own") < 0; }
#endif

#ifdef SHORT
__asm__(".text\n.globl PMPI_Barrier\n.type PMPI_Barrier, @function\nPMPI_Barrier: jmp PMPI_Nothing\n.size PMPI_Barrier, 2\n");
#endif
#ifdef CLONE
__asm__(".text\n.type PMPI_Barrier.constprop.0, @function\nPMPI_Barrier.constprop.0: jmp PMPI_Nothing\n.size PMPI_Barrier.constprop.0, 5\n");
#endif
#ifdef FOLDED
int PMPI_Comm_free(int which) __attribute__((alias("PMPI_Nothing")));
int PMPI_Comm_size(int which) __attribute__((alias("PMPI_Nothing")));
#endif
int before(void) { return !text; }

int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] == 'n')
        PMPI_Nothing(1);
#ifndef UNKNOWN
    if (argc > 1 && argv[1][0] == 's')
        MPID_Init(1);
#endif
#ifdef OWN
    return MPI_Wtick();
#else
    return MPI_Init(&argc, &argv);
#endif
}
