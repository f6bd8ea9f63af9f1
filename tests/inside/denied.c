/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded ahead of detour.so: the system calls named by DENIED fail, as a kernel or a policy may have it: mem, for writing through
 * /proc/self/mem, and protect, for changing code. Says which way was tried. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_denied(const char *what)
{
    const char *denied = getenv("DENIED");
    return denied && strstr(denied, what);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = va_arg(arguments, int);
    va_end(arguments);
    if (strcmp(path, "/proc/self/mem") == 0 && is_denied("mem")) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int mprotect(void *at, size_t size, int protection)
{
    if (protection == (PROT_READ | PROT_WRITE | PROT_EXEC) || (protection == (PROT_READ | PROT_WRITE) && is_denied("protect"))) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_mprotect, at, size, protection);
}
