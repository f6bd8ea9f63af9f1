/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gotswap: rewrites the symbol slots of ELF objects that are already loaded
 * into the calling process.
 *
 * A slot is an 8-byte word of an object that the dynamic loader fills with
 * the address of a symbol: the target of a JUMP_SLOT, a GLOB_DAT or an
 * absolute-address relocation (R_X86_64_64, R_AARCH64_ABS64).  An object may
 * have several slots of one symbol, of symbols it imports and of symbols it
 * defines itself but refers to by name (because they may be interposed).
 * Symbol versions are not distinguished.
 *
 * Results.  Functions that return int return GOTSWAP_OK (0) or one of the
 * positive GOTSWAP_E codes; on failure gotswap_message() describes it.  A
 * failed function has changed nothing, and has not set its output arguments,
 * unless its description says otherwise.
 *
 * Ownership.  A handle belongs to the caller until gotswap_close().  It keeps
 * neither the object loaded nor its file open: the caller must not use it
 * after the object was unloaded, except to close it.  Strings handed out
 * belong to the library; each function says how long they live.
 *
 * Threads.  Functions may be called from several threads at a time, also with
 * the same handle; only gotswap_close() must be the last use of its handle.
 * Callbacks run without any lock held and may call this library, except for
 * that of gotswap_look().  A slot is replaced by one atomic store if it is
 * aligned, so that other threads calling through it meet either the old or the
 * new address.  A thread that is just resolving a lazily bound slot may store
 * the symbol's own address after us: swap before the object is in use, or check
 * afterwards.  The functions are not async-signal-safe.
 */
#ifndef GOTSWAP_H
#define GOTSWAP_H

#include <link.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define GOTSWAP_API __attribute__((visibility("default")))
#else
#define GOTSWAP_API
#endif

enum {
    GOTSWAP_OK = 0,
    GOTSWAP_ENOTLOADED, /* no such object in this process */
    GOTSWAP_EFILE,      /* the object's file cannot be read, was deleted or replaced */
    GOTSWAP_EELF,       /* the file is not a well-formed dynamic ELF object */
    GOTSWAP_EARCH,      /* the object is for another architecture */
    GOTSWAP_ENOSYM,     /* the object has no slot of this symbol */
    GOTSWAP_EPROT,      /* the protection of the slots' pages cannot be changed */
    GOTSWAP_EMEM,       /* out of memory */
    GOTSWAP_EINVAL      /* a wrong argument */
};

/* The kinds of slots. */
enum {
    GOTSWAP_JUMP_SLOT = 1, /* calls through the PLT */
    GOTSWAP_GLOB_DAT,      /* address in the GOT: -fno-plt calls, address taken */
    GOTSWAP_ABSOLUTE       /* address in data: function-pointer tables */
};

/* A loaded ELF object, opened for swapping. */
typedef struct gotswap_object gotswap_object;

/* One slot, as gotswap_iterate() and gotswap_each_word() show it. */
typedef struct gotswap_slot {
    const char *symbol; /* name without version; lives as long as the handle */
    void **slot;        /* the slot's address; not always aligned if ABSOLUTE */
    void *value;        /* its content */
    long addend;        /* value is the symbol's address plus this; nearly always 0 */
    int type;           /* GOTSWAP_JUMP_SLOT, GOTSWAP_GLOB_DAT or GOTSWAP_ABSOLUTE */
    int bound;          /* 0: a lazy slot not resolved yet, its value leads to the resolver */
    int imported;       /* the object does not define the symbol itself */
} gotswap_slot;

/*
 * Returns the last failure of the calling thread as one line without a newline,
 * or "" if there was none.  Valid until the thread's next failure or its end.
 */
GOTSWAP_API const char *gotswap_message(void);

/*
 * Opens the object called `name`: a path (anything with a '/'; symbolic links
 * are followed), a soname or the last component of a path, or NULL for the
 * executable.  Of several objects with the name, the one loaded first.
 */
GOTSWAP_API int gotswap_open(gotswap_object **out, const char *name);

/* Opens the object that has `address_inside` in its code or data. */
GOTSWAP_API int gotswap_open_address(gotswap_object **out, const void *address_inside);

/*
 * Opens the object that has `address_inside`, much cheaper: reads the loader's
 * memory instead of the object's file and /proc/self/maps, and assumes that the
 * slots' pages have the protection the loader gave them.  gotswap_path() then
 * returns the loader's name of the object, which may be relative.  The caller
 * holds the object by dlopen(), perhaps with RTLD_NOLOAD, from before this call
 * until after gotswap_close(), so that no thread loads or unloads it.
 */
GOTSWAP_API int gotswap_open_memory(gotswap_object **out, const void *address_inside);

/* Frees the handle and leaves the slots as they are.  NULL is allowed. */
GOTSWAP_API int gotswap_close(gotswap_object *object);

/* Returns the absolute path of the object's file; it lives as long as the handle. */
GOTSWAP_API const char *gotswap_path(const gotswap_object *object);

/* Returns the address of the object's first byte (its ELF header). */
GOTSWAP_API const void *gotswap_base(const gotswap_object *object);

/*
 * Writes `new_address` into every slot of `symbol`.  Sets *old_address, unless
 * it is NULL, to the address the symbol was bound to, or to NULL if no slot
 * tells: a lazy slot not resolved yet leads to the dynamic loader, which would
 * bind it again, and an address inside the executable's own PLT leads back to
 * the slot.  Use dlsym() for the original function then.
 * Returns GOTSWAP_ENOSYM if no slot has this name.
 */
GOTSWAP_API int gotswap_replace(gotswap_object *object, const char *symbol, void *new_address,
                                void **old_address);

/*
 * A callback for each slot: gets the symbol's name and the address that the
 * slot holds (its content minus the addend), and returns the new address, or
 * NULL to leave the slot.
 */
typedef void *(*gotswap_choose)(const char *symbol, void *current, void *context);

/*
 * Asks `choose` about each slot, then writes all the chosen addresses (plus the
 * relocation's addend, if it has one), making each range of pages writable at
 * most once.  Sets *replaced, unless it is NULL, to the number of slots for which
 * `choose` gave an address; slots that hold it already are counted, but not
 * written.  Writes either all slots or none.  GOTSWAP_EPROT can also mean that
 * all were written, but that the former protection could not be restored; the
 * message says so.
 */
GOTSWAP_API int gotswap_replace_each(gotswap_object *object, gotswap_choose choose, void *context,
                                     size_t *replaced);

/*
 * Restores the content that every slot had before this handle first replaced
 * it; a lazy slot that was not resolved then is unresolved again.  If several
 * handles swapped the same slots, restore in reverse order.
 */
GOTSWAP_API int gotswap_restore(gotswap_object *object);

/*
 * Shows every slot to `visit`.  A value other than 0 that `visit` returns stops
 * the iteration, which returns it; use negative values to tell them from the
 * codes above.  This also holds for gotswap_each_dependency(),
 * gotswap_each_loaded() and gotswap_each_word().
 */
GOTSWAP_API int gotswap_iterate(gotswap_object *object,
                                int (*visit)(const gotswap_slot *slot, void *context),
                                void *context);

/*
 * A callback for each object: gets its absolute path, which lives until the
 * callback returns, and the address of its first byte, which
 * gotswap_open_address() accepts.
 */
typedef int (*gotswap_visit)(const char *path, const void *base, void *context);

/*
 * Shows the object called `name` (as in gotswap_open()) and every loaded
 * object that it reaches by DT_NEEDED entries, breadth-first, each once.
 */
GOTSWAP_API int gotswap_each_dependency(const char *name, gotswap_visit visit, void *context);

/*
 * Shows every object that is loaded at the time of the call, in the order of
 * loading, the executable first.  The kernel's vdso, which has no file, and
 * objects in other namespaces (dlmopen) are left out.
 */
GOTSWAP_API int gotswap_each_loaded(gotswap_visit visit, void *context);

/*
 * Looking in place: the functions below read the loader's memory without a
 * copy, and no file, and so are as cheap as can be.  In return, all that a
 * gotswap_linked points to is the loader's, and lives as long as the object is
 * loaded.
 */

/* One object in the loader's list. */
typedef struct gotswap_linked {
    const char *name; /* the loader's, which may be relative; "" for the executable */
    const void *base; /* the first byte in memory */
    const void *end;
    ElfW(Addr) bias;          /* added to an address in the file gives the one in memory */
    const ElfW(Dyn) *dynamic; /* no two loaded objects share it; NULL if there is none */
    const char *strings;      /* the dynamic string table, or NULL */
    size_t strings_size;
} gotswap_linked;

/* The loader's list at one time, in the order of loading; lives until `use` returns. */
typedef struct gotswap_list {
    const gotswap_linked *objects;
    size_t count;
    unsigned long long loads; /* as gotswap_loads() */
} gotswap_list;

/*
 * Calls `use` once with the list, which is locked meanwhile: no object is
 * unloaded, and `use` may ask the loader for nothing (dlopen, dlclose, dlsym,
 * dladdr) nor open a handle.  An object that another thread is just loading may
 * be in the list before its slots are filled.
 */
GOTSWAP_API int gotswap_look(void (*use)(const gotswap_list *list, void *context), void *context);

/* Returns how many objects have been loaded so far, in all namespaces; unloading does not lower it. */
GOTSWAP_API unsigned long long gotswap_loads(void);

/* Returns the dynamic section of the last object in the loader's list. */
GOTSWAP_API const ElfW(Dyn) *gotswap_last(void);

/*
 * Returns the string of the entry with this index among those of the object's
 * dynamic section that have the tag (DT_NEEDED, DT_SONAME, DT_RUNPATH).  Returns
 * NULL if it has no such entry, and "" if the string lies outside of the object's
 * strings.
 */
GOTSWAP_API const char *gotswap_string(const gotswap_linked *object, long tag, size_t index);

/*
 * Shows every slot of the object, as gotswap_iterate() does, and with the type
 * 0 and the value NULL every other word that a relocation with a named symbol
 * fills: a copy of data, a place in thread-local storage.
 */
GOTSWAP_API int gotswap_each_word(const gotswap_linked *object,
                                  int (*visit)(const gotswap_slot *slot, void *context),
                                  void *context);

/*
 * Returns the address of a symbol that the object defines and exports, whatever
 * its version, or NULL.  Sets *is_fixed, unless it is NULL, to 1 if the object
 * refers to the symbol by no slot (it was linked with -Bsymbolic, or the symbol
 * is protected, STV_PROTECTED), else to 0.
 */
GOTSWAP_API void *gotswap_defined(const gotswap_linked *object, const char *symbol, int *is_fixed);

#ifdef __cplusplus
}
#endif

#endif
