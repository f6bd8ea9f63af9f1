/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into launchers and what they start on other hosts: this machine has the name that FALSE_HOST says, and node1 is its address,
 * by which what Hydra starts meets it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static void put_name(char *name, size_t size)
{
    const char *text = getenv("FALSE_HOST");
    snprintf(name, size, "%s", text ? text : "node1");
}

int gethostname(char *name, size_t size)
{
    put_name(name, size);
    return 0;
}

int uname(struct utsname *facts)
{
    long result = syscall(SYS_uname, facts);
    put_name(facts->nodename, sizeof facts->nodename);
    return (int)result;
}

static const char *address_of(const char *name)
{
    return name && strcmp(name, "node1") == 0 ? "127.0.0.1" : name;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(RTLD_NEXT, "getaddrinfo");
    return next(address_of(name), service, hints, found);
}

struct hostent *gethostbyname(const char *name)
{
    struct hostent *(*next)(const char *) = (struct hostent *(*)(const char *))dlsym(RTLD_NEXT, "gethostbyname");
    return next(address_of(name));
}
