/* SPDX-License-Identifier: BSD-3-Clause */
/* Types that mean the same on both sides of an adapter, and macros for all its files. */
#ifndef TYPES_H
#define TYPES_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#define COLD __attribute__((cold, noinline))
#define INLINE static inline __attribute__((always_inline))

/* Error codes and classes of either side, as large as an int. With -Werror=enum-conversion, which adapter-c.mk adds where the
 * compiler has it, one side's does not compile in the place of the other's. An int that a procedure wrote is neither. */
typedef enum app_code { APP_CODE_FIRST = INT_MIN, APP_CODE_LAST = INT_MAX } app_code;
typedef enum host_code { HOST_CODE_FIRST = INT_MIN, HOST_CODE_LAST = INT_MAX } host_code;

/* How a side represents a class of handles: APP_COMM_REPRESENTATION, HOST_COMM_REPRESENTATION, ... are
 * OBJECT, INT or POINTER (convert/codec.h). JOIN() makes a macro of it, or one of these numbers. */
#define JOIN(left, right) JOIN_EXPANDED(left, right)
#define JOIN_EXPANDED(left, right) left##right
#define REPRESENTED_OBJECT 1
#define REPRESENTED_INT 2
#define REPRESENTED_POINTER 3

#define HIDDEN __attribute__((visibility("hidden")))
#define EXPORTED __attribute__((visibility("default")))

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;
typedef int64_t MPI_Offset;
typedef int32_t MPI_Fint;
typedef void mpi_function(void);

/* No conversion yields this number: it stands for a value that the other side does not have. */
#define INVALID_VALUE (-0x7fffffff - 1)

/* Yields an address where there is never memory, in the place of one of the program's that is a constant of the host's: programs
 * pass buffers of no elements by any address, such as 1, Open MPI's MPI_IN_PLACE. Access faults, as it would at that address.
 * NOWHERE(NOWHERE(address)) is `address`. */
#define NOWHERE(address) ((void *)((uintptr_t)(address) ^ (uintptr_t)1 << 54))

/* Added to the host's keyvals, so that none equals a constant of the application. */
#define NUMBERED_BIAS 0x10000000u

/* The application's predefined handles are addresses of such objects, if its ABI makes them data. The word is the host's handle,
 * or has it in its lower half (convert/predefined.h).
 * Executables may hold a copy of it (a copy relocation). */
struct app_object {
    intptr_t word;
};


/* A host's integer handle as the application's pointer. All 32 upper bits are set, so it is
 * negative, which no address is: decoding takes one test and no memory access. */
#define DYNAMIC_OBJECT(type, bits) ((type)(intptr_t)((uint64_t)0xffffffff00000000u | (uint32_t)(bits)))

#endif
