/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints for programs in Fortran, whose handles cross as integers. */
#include "support.h"

void f_ok(int code, int line)
{
    if (code != MPI_SUCCESS)
        say("a call fails: %s", class_name(code));
}
void f_at(int step)
{
    at(step);
}
void f_fill(void *memory, int size, int seed)
{
    fill(memory, size, seed);
}
void f_fill_ints(int *numbers, int count, int seed)
{
    fill_ints(numbers, count, seed);
}
void f_say_bytes(const char *label, void *memory, int size)
{
    say("%s: %08x", label, digest(memory, size));
}
void f_say_ints(const char *label, int *numbers, int count)
{
    say_ints(label, numbers, count);
}
void f_say_number(const char *label, int number)
{
    say("%s: %d", label, number);
}
void f_say_address(const char *label, MPI_Aint number)
{
    say("%s: %lld", label, (long long)number);
}
void f_say_text(const char *text, int length)
{
    say("'%s' of %d", text, length);
}
int f_avoids(const char *check)
{
    return avoids(check);
}
/* Completes a request of Fortran's in C. Its handle stays in Fortran as it was; returns whether C has a null one. */
void f_wait(MPI_Fint *request, int *left)
{
    MPI_Request in_c = MPI_Request_f2c(*request);
    OK(MPI_Wait(&in_c, MPI_STATUS_IGNORE));
    *request = MPI_Request_c2f(in_c);
    *left = in_c != MPI_REQUEST_NULL;
}
void f_say_comm(const char *label, MPI_Fint comm)
{
    say_comm(label, MPI_Comm_f2c(comm));
}
void f_say_type(const char *label, MPI_Fint type)
{
    say_type(label, MPI_Type_f2c(type));
}
void f_say_group(const char *label, MPI_Fint group)
{
    say_group(label, MPI_Group_f2c(group));
}
void f_say_info(const char *label, MPI_Fint info)
{
    say_info(label, MPI_Info_f2c(info));
}
void f_say_win(const char *label, MPI_Fint win)
{
    MPI_Group group;
    OK(MPI_Win_get_group(MPI_Win_f2c(win), &group));
    say_group(label, group);
    OK(MPI_Group_free(&group));
}
void f_say_win_name(const char *label, MPI_Fint win)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = -1;
    OK(MPI_Win_get_name(MPI_Win_f2c(win), name, &length));
    say("%s: '%s' of %d", label, name, length);
}
void f_say_file(const char *label, MPI_Fint file)
{
    MPI_Group group;
    MPI_Offset size = -1;
    OK(MPI_File_get_group(MPI_File_f2c(file), &group));
    say_group(label, group);
    OK(MPI_Group_free(&group));
    OK(MPI_File_get_size(MPI_File_f2c(file), &size));
    say("%s: %lld bytes", label, (long long)size);
}
#ifdef WITH_LARGE
void f_say_session(const char *label, MPI_Fint session)
{
    say("%s: %s", label, MPI_Session_f2c(session) == MPI_SESSION_NULL ? "null" : "a session");
}
#endif
