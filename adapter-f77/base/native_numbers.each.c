/* SPDX-License-Identifier: BSD-3-Clause */
#include "native_numbers.h"

#include <string.h>

#include "convert/codec.h"
#include "fortran.h"
#include "isolate/natives.h"
#include "start/load.h"

/* The host has no numbers from this on. Numbers below are no handles in an application whose handles are integers. */
enum { FIRST_INTEGER = 1 << 26 };

static int is_predefined(int handle_class, intptr_t bits)
{
    int i = 1;
    while (i < predefined_count && (predefined_handles[i].handle_class != handle_class || predefined_handles[i].host != bits))
        i++;
    return i < predefined_count;
}

/* A predefined handle has the integer that the host's Fortran knows, unless the application's MPI_Comm_f2c is a macro, which converts
 * nothing. Any other that crosses has the application's. */
static int has_host_number(int handle_class, int app_representation, intptr_t bits, int is_binding)
{
    int is_macro = app_representation == REPRESENTED_INT;
    return !bits || ((!is_macro || is_binding || natives_have_bindings) && is_predefined(handle_class, bits));
}

/* True of an integer of the application's. Dynamic handles are negative, or lie around a predefined one's number (convert/compress.h), as
 * their objects lie around it. Each side has small numbers of its own for the predefined ones of a class. -1 is no handle. */
static int is_of_application(int handle_class, int app_representation, MPI_Fint number)
{
    int is_same = app_representation == REPRESENTED_POINTER; /* in both languages */
    if (number < 0 || number >= FIRST_INTEGER)
        return number != -1;
    if (app_representation == REPRESENTED_INT)
        return 0;
    for (int i = 1; i < predefined_count; i++)
        if (predefined_handles[i].handle_class == handle_class &&
            (is_same ? predefined_handles[i].app : predefined_handles[i].fortran) == number)
            return 1;
    return 0;
}

/* Returns what follows the class's name, and _, or null. */
static const char *after(const char *name, const char *class_name)
{
    size_t length = strlen(class_name);
    return strncmp(name, class_name, length) == 0 && name[length] == '_' ? name + length + 1 : 0;
}

/* each
 * class
 * comm
 * datatype
 * errhandler
 * file
 * group
 * info
 * message
 * op
 * request
 * session
 * win
 */
static int is_app_$class(MPI_Fint number)
{
    return is_of_application(CLASS_${CLASS}, JOIN(REPRESENTED_, APP_${CLASS}_REPRESENTATION), number);
}

intptr_t host_${class}_f2c(MPI_Fint number)
{
    static intptr_t (*f2c)(MPI_Fint);
    if (!f2c)
        f2c = (intptr_t (*)(MPI_Fint))load_extension("MPI_${Class}_f2c");
    return f2c(number);
}

MPI_Fint host_${class}_c2f(intptr_t bits)
{
    static MPI_Fint (*c2f)(intptr_t);
    if (!c2f)
        c2f = (MPI_Fint (*)(intptr_t))load_extension("MPI_${Class}_c2f");
    return c2f(bits);
}

static MPI_Fint number_of_$class(intptr_t bits, int is_binding)
{
    if (!has_host_number(CLASS_${CLASS}, JOIN(REPRESENTED_, APP_${CLASS}_REPRESENTATION), bits, is_binding))
        return ${class}_to_fortran(${class}_to_app(HOST_${CLASS}_FROM(bits)));
    return host_${class}_c2f(bits);
}

static MPI_Fint native_${class}_c2f(intptr_t bits)
{
    return natives_are_below ? host_${class}_c2f(bits) : number_of_$class(bits, 0);
}

static MPI_Fint binding_${class}_c2f(intptr_t bits) { return number_of_$class(bits, 1); }

static intptr_t native_${class}_f2c(MPI_Fint number)
{
    return is_app_$class(number) && !natives_are_below ? HOST_${CLASS}_BITS(${class}_to_host(${class}_from_fortran(number))) : host_${class}_f2c(number);
}

static void *procedure_of_$class(const char *name, int is_binding)
{
    const char *verb = JOIN(REPRESENTED_, HOST_${CLASS}_REPRESENTATION) == REPRESENTED_INT ? 0 : after(name, "${Class}");
    if (!verb)
        return 0;
    if (strcmp(verb, "c2f") == 0 || strcmp(verb, "toint") == 0)
        return is_binding ? (void *)binding_${class}_c2f : (void *)native_${class}_c2f;
    return strcmp(verb, "f2c") == 0 || strcmp(verb, "fromint") == 0 ? (void *)native_${class}_f2c : 0;
}

static int is_native_$class(MPI_Fint number)
{
    return JOIN(REPRESENTED_, HOST_${CLASS}_REPRESENTATION) != REPRESENTED_INT && number >= 0 && !is_app_$class(number);
}

/* end */
void *native_number_procedure(const char *name, int is_binding)
{
    void *found;
#define FIND_PROCEDURE(CLASS, class) \
    if ((found = procedure_of_##class(name, is_binding))) \
        return found;
    HANDLE_CLASSES(FIND_PROCEDURE)
    return 0;
}

int is_native_number(int handle_class, int32_t number)
{
#define IS_NATIVE(CLASS, class) case CLASS_##CLASS: return is_native_##class(number);
    if (natives_exist)
        switch (handle_class) {
            HANDLE_CLASSES(IS_NATIVE)
        }
    return 0;
}

intptr_t native_handle(int handle_class, int32_t number)
{
#define NATIVE_HANDLE(CLASS, class) case CLASS_##CLASS: return host_##class##_f2c(number);
    if (is_native_number(handle_class, number))
        switch (handle_class) {
            HANDLE_CLASSES(NATIVE_HANDLE)
        }
    return 0;
}
