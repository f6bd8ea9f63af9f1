/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an empty value of an info object, which the launcher gave, in each way, and once more after the end of MPI. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int wrong;

static void expect(const char *what, int right)
{
    if (!right)
        printf("%s is wrong\n", what);
    wrong += !right;
}

/* Returns whether the host has such a value. */
static int read_empty(const char *when)
{
    char text[16] = "untouched";
    int length = -1, found = -1, room = sizeof text;
    printf("%s\n", when);
    MPI_Info_get_valuelen(MPI_INFO_ENV, "argv", &length, &found);
    if (found == 0)
        return 0;
    expect("the length", found == 1 && length == 0);
    found = -1;
    MPI_Info_get(MPI_INFO_ENV, "argv", 0, text, &found);
    expect("a value without room", found == 1 && !*text);
    strcpy(text, "untouched");
    found = -1;
    MPI_Info_get(MPI_INFO_ENV, "argv", 9, text, &found);
    expect("a value", found == 1 && !*text);
    strcpy(text, "untouched");
    found = -1;
    MPI_Info_get_string(MPI_INFO_ENV, "argv", &room, text, &found);
    expect("a string", found == 1 && !*text && room == 1);
    found = -1;
    MPI_Info_get(MPI_INFO_ENV, "absent", 0, text, &found);
    expect("an absent value", found == 0);
    return 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int is_there = read_empty("while MPI runs");
    MPI_Finalize();
    if (is_there)
        read_empty("after its end");
    else
        printf("the host gives no argv\n");
    return wrong;
}
