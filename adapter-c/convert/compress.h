/* SPDX-License-Identifier: BSD-3-Clause */
/* The host's pointers as 32-bit integers, for applications whose handles are integers.
 *
 * A region is 16 MiB of address space. The first region in which the adapter sees an object of the host's at a multiple of
 * 16 is number 0, the next one is number 1, and so on up to 1023. A region has 2^20 units of 16 bytes, and the object at
 * unit u of region r has the handle 0xc0000000 + (r + 1) * 2^20 - 1 - u: the sum of a pointer and of 16 times its handle is
 * the region's origin, the same for all of its objects. One table has the origins by pointers, another one by handles, so
 * converting takes one look-up either way, wherever the objects lie. No table of live handles exists, no handle is ever
 * freed, and equal pointers have equal handles.
 *
 * Objects at odd multiples of 8, of which hosts keep whole lists, have regions of their own, which save a lock and 110
 * instructions of MPI_Rput with MPI_Wait, and of MPI_Mprobe with MPI_Mrecv: numbers from 0 up to 255, handles from
 * 0xb0000000 on, origins that are odd multiples of 8, and a table by pointers that is looked at out of line. Their handles
 * lead to them as others do.
 *
 * A region's origin may be chosen such that one of its objects has the handle that the application knows it by
 * (compress_predefined), and a predefined handle may find an origin of its own (expand_predefined), in its class alone: as
 * one of another class it leads nowhere. Such objects cost no more than others.
 *
 * Some hosts have 32-bit integers behind their pointers, whose upper halves are then all ones or zero: all such pointers
 * but multiples of 16 below 4 GiB, which are addresses. The integers with the same upper 6 bits are a range. The first one
 * that the adapter sees in a class of handles gets the handles from 0x90000000 on, the next one those from 0x94000000 on,
 * and so on up to 8, each with the integers' lower 26 bits. One class's ranges are nothing to another's. These handles cost
 * no lock either.
 *
 * A pointer in a 1025th region, or an odd one in a 257th, an integer of a 9th range that is no address in a region, or an
 * address that is no multiple of 8 gets a number: 0x80000000 for the first such pointer, then the next, up to 200 million.
 * A pointer keeps its number for good. These handles cost a lock.
 *
 * The tables are read without a lock or a barrier. That is right where loads and stores may pass one another, too: an
 * origin is one word, which is written once, and who reads 0 in its place takes the slow path, which looks again under the
 * lock that origins are written under. */
#ifndef COMPRESS_H
#define COMPRESS_H

#include <string.h>

#include "convert/types.h"

#define COMPRESS_REGION_LOG2 24
#define COMPRESS_REGIONS 1024
#define COMPRESS_FIRST 0xc0000000u
#define COMPRESS_ODD_REGIONS 256
#define COMPRESS_ODD_FIRST (COMPRESS_FIRST - ((uint32_t)COMPRESS_ODD_REGIONS << (COMPRESS_REGION_LOG2 - 4)))
#define COMPRESS_RANGES 8
#define COMPRESS_RANGE_LOG2 26
#define COMPRESS_INTEGERS (COMPRESS_ODD_FIRST - ((uint32_t)COMPRESS_RANGES << COMPRESS_RANGE_LOG2))

/* Origins by bits 24 to 39 of a pointer, and by the upper 16 bits of a handle; 0 where there is none. A pointer
 * that differs from a region's in upper bits alone is too far from the origin. */
#define COMPRESS_PLACES 65536
extern HIDDEN intptr_t compress_origins[COMPRESS_PLACES];
extern HIDDEN intptr_t expand_origins[2][COMPRESS_PLACES]; /* [1] has expand_predefined()'s, too */

/* Prepares the tables. To be called once, before any other function of this header. */
void compress_prepare(void);

/* Lets the application's handle of an object lead to it, in the class that expands as `with_predefined`. Does nothing if the
 * pointer is no multiple of 16, or the handle's place is taken. 2^16 other handles or more lie between this handle and those of
 * other predefined objects. */
void expand_predefined(intptr_t pointer, int32_t handle);

/* Does the same in both directions: a neighbor of the object gets a neighbor of the handle. 2^20 other handles or more lie
 * between this handle and those of other predefined objects. Returns non-zero if memory runs out. */
int compress_predefined(intptr_t pointer, int32_t handle);

/* Returns the handle of a pointer that the table has no origin for: an object at an odd multiple of 8, an integer in disguise, or
 * the first object of its region. Returns 0 if memory runs out. */
COLD int32_t compress_elsewhere(intptr_t pointer, int handle_class);

/* Returns the pointer of a handle of the class for which expand_handle() finds none; 0 if there is no such handle. */
COLD intptr_t expand_slow(int32_t handle, int handle_class);

/* Loads an origin. Any processor that this is compiled for loads a word as a whole, and no compiler splits this load. An
 * atomic load would be kept apart from the addition that follows. */
INLINE intptr_t origin_of(const intptr_t *origins, uint64_t place)
{
#if defined __SANITIZE_THREAD__
    return __atomic_load_n(&origins[place], __ATOMIC_RELAXED);
#else
    return origins[place];
#endif
}

/* Returns the handle of the pointer that lies at an address; a part of the pointer is loaded from there by itself. A result with
 * upper bits is no handle: the pointer is not aligned as the table's, or its region has no origin. */
INLINE uint64_t compressed_by(const intptr_t *origins, const intptr_t *at)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a number's lower bytes come first");
    uint16_t place;
    memcpy(&place, (const char *)at + COMPRESS_REGION_LOG2 / 8, sizeof place);
    uint64_t distance = (uint64_t)origin_of(origins, place) - (uint64_t)*at;
    return distance >> 4 | distance << 60;
}

/* Does the same for objects at multiples of 16. */
INLINE uint64_t compressed_at(const intptr_t *at)
{
    return compressed_by(compress_origins, at);
}

/* Returns whether the result of compressed_at() is a handle. */
INLINE int is_compressed(uint64_t handle)
{
    return handle >> 32 == 0;
}

/* Returns the handle of a pointer of the class. */
INLINE int32_t compress_pointer(intptr_t pointer, const int handle_class)
{
    uint64_t handle = compressed_at(&pointer);
    return likely(is_compressed(handle)) ? (int32_t)handle : compress_elsewhere(pointer, handle_class);
}

/* Sixteen times a handle, below zero. On x86-64 it takes one instruction, of which no compiler thinks. */
#if defined __x86_64__
#define HANDLE_DISTANCE(handle, distance) \
    __asm__("imulq $-16, %1, %0" : "=r"(distance) : "0"((uint64_t)(handle)) : "cc")
#else
#define HANDLE_DISTANCE(handle, distance) ((distance) = -((intptr_t)(handle) << 4))
#endif

/* Returns the pointer of a handle, if is_pointer() is true of the result: else the handle has no region. `with_predefined`
 * is 1 for the one class in which the handles of expand_predefined() have regions. */
INLINE intptr_t expand_handle(int32_t handle, const int with_predefined)
{
    uint64_t number = (uint32_t)handle;
    intptr_t distance;
    HANDLE_DISTANCE(number, distance);
    return distance + origin_of(expand_origins[with_predefined], number >> 16);
}

/* Returns whether the result of expand_handle() is a pointer. */
INLINE int is_pointer(intptr_t expanded)
{
    return expanded >= 0;
}

/* Returns the handle of which expand_handle() made this result that is no pointer, so that no register has to hold the handle. */
INLINE int32_t unexpanded(intptr_t expanded)
{
    return (int32_t)(-(uint64_t)expanded >> 4);
}

#endif
