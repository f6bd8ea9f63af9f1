/* SPDX-License-Identifier: BSD-3-Clause */
/* A part that gives statuses as integers, and takes those of others. PART is the name of the function that returns it. With MAIN, the
 * program, of which the library's part is library_part(). Usage: status [either|fortran]; fortran if the program has Fortran code. Prints
 * what is wrong. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 8, MANY = 20000, SIZE_OF_MANY = 400 };
enum kind { RECEIVED, EMPTY, LARGE, CANCELLED, FAILED, KINDS };

struct part {
    void (*give)(enum kind kind, int *integers);
    const char *(*take)(enum kind kind, const int *integers);
    void (*give_many)(int *integers);                       /* the first of many */
    void (*give_size)(int source, int size, int *integers); /* MPI_ERROR and MPI_TAG are 0 */
    int (*has_size)(int source, int size, const int *integers);
    int count;                                              /* of integers */
};

#define WRONG(condition) do { if (condition) return #condition; } while (0)

static void receive(MPI_Status *status)
{
    int values[3] = { 1, 2, 3 }, room[3];
    MPI_Request request;
    MPI_Irecv(room, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
    MPI_Send(values, 3, MPI_INT, 0, 5, MPI_COMM_SELF);
    MPI_Waitall(1, &request, status);
}

static void cancel(MPI_Status *status)
{
    int value;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, status);
}

/* The code of a failed call, as a call that completes several requests stores it. */
static int code_of_failure(void)
{
    int value = 0, code;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    code = MPI_Send(&value, 1, MPI_INT, 77, 0, comm);
    MPI_Comm_free(&comm);
    return code;
}

static void give(enum kind kind, int *integers)
{
    MPI_Request none = MPI_REQUEST_NULL;
    MPI_Status status;
    memset(&status, kind == RECEIVED ? 0x5a : 0, sizeof status); /* few calls set MPI_ERROR */
    if (kind == RECEIVED)
        receive(&status);
    if (kind == EMPTY)
        MPI_Wait(&none, &status);
    if (kind == LARGE)
        MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)5 << 31);
    if (kind == CANCELLED)
        cancel(&status);
    if (kind == FAILED)
        status.MPI_ERROR = code_of_failure();
    MPI_Status_c2f(&status, integers);
}

static const char *take(enum kind kind, const int *integers)
{
    int count = -1, cancelled = 0, error_class = 0;
    MPI_Count bytes = 0;
    MPI_Status status;
    memset(&status, 0x55, sizeof status);
    WRONG(MPI_Status_f2c(integers, &status) != MPI_SUCCESS);
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    WRONG(cancelled != (kind == CANCELLED));
    WRONG(kind == RECEIVED && (count != 3 || status.MPI_SOURCE != 0 || status.MPI_TAG != 5));
    WRONG(kind == EMPTY && (count != 0 || status.MPI_SOURCE != MPI_ANY_SOURCE || status.MPI_TAG != MPI_ANY_TAG || status.MPI_ERROR != MPI_SUCCESS));
    WRONG(kind == LARGE && bytes != (MPI_Count)5 << 31);
    WRONG(kind == FAILED && (MPI_Error_class(status.MPI_ERROR, &error_class) != MPI_SUCCESS || error_class != MPI_ERR_RANK));
    return 0;
}

static void give_size(int source, int size, int *integers)
{
    MPI_Status status;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = source;
    MPI_Status_set_elements(&status, MPI_BYTE, size);
    MPI_Status_c2f(&status, integers);
}

static int has_size(int source, int size, const int *integers)
{
    int bytes = -1;
    MPI_Status status;
    MPI_Status_f2c(integers, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    return status.MPI_SOURCE == source && bytes == size;
}

static void give_many(int *integers)
{
    int more[MOST];
    give_size(0, SIZE_OF_MANY, integers);
    for (int i = 1; i < MANY; i++)
        give_size(0, SIZE_OF_MANY + i, more);
}

const struct part *PART(void);
const struct part *PART(void)
{
    static const struct part part = { give, take, give_many, give_size, has_size, sizeof(MPI_Status) / sizeof(int) };
    return &part;
}

#ifdef MAIN
const struct part *library_part(void);

/* An array that ends where memory does. */
static int *new_array(int count)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory + page, page, PROT_NONE);
    return (int *)(void *)(memory + page) - count;
}

static int differs(const char *who, enum kind kind, const struct part *giver, const struct part *taker)
{
    int *given = new_array(giver->count), *copied = new_array(giver->count);
    giver->give(kind, given);
    memcpy(copied, given, (size_t)giver->count * sizeof *copied);
    for (int i = 0; i < 2; i++) {
        const char *failure = taker->take(kind, i ? copied : given);
        if (failure)
            return printf("%s, kind %d: %s\n", who, (int)kind, failure);
    }
    return 0;
}

static int is_of_open_mpi(const struct part *part, const struct part *own)
{
#ifdef OPEN_MPI
    return part == own;
#else
    return part != own;
#endif
}

/* Some integers are 4 bytes from rank 0 in MPICH, and nothing from rank 4 in Open MPI. */
static void give_same(const struct part *giver, const struct part *own, int *integers)
{
    int source = is_of_open_mpi(giver, own) ? 4 : 0;
    giver->give_size(source, 4 - source, integers);
}

static int has_same(const struct part *taker, const struct part *giver, const struct part *own, const int *integers)
{
    int source = is_of_open_mpi(giver, own) ? 4 : 0;
    return taker->has_size(source, 4 - source, integers);
}

/* Both give them: where they did so, the last one counts. */
static int again(const struct part *own, const struct part *library)
{
    int *given = new_array(MOST), *same = new_array(own->count);
    give_same(own, own, given);
    give_same(library, own, given);
    if (!has_same(own, library, own, given) || !has_same(library, library, own, given))
        return puts("the library's is taken for the program's");
    give_same(own, own, same);
    return has_same(own, own, own, same) && has_same(library, own, own, same) ? 0 : puts("the program's is taken for the library's");
}

/* Both have given them, and these are a copy. */
static const char *either(const struct part *own, const struct part *library)
{
    int given[MOST] = { 0 }, copied[MOST];
    give_same(own, own, given);
    memcpy(copied, given, sizeof copied);
    give_same(library, own, given);
    return library->has_size(4, 0, copied) ? "taken for one of them" : "taken for the other";
}

/* The library has given them. The program fills an array, as Fortran code does. */
static const char *fortran(const struct part *own, const struct part *library)
{
    int given[MOST] = { 0 }, filled[MOST] = { 0 };
    give_same(library, own, given);
    memcpy(filled, given, 5 * sizeof *given);
    if (!has_same(own, own, own, filled))
        return "the program's own was taken for the library's";
    return has_same(own, library, own, given) ? "right" : "the library's was taken for the program's own";
}

static int many(const struct part *own, const struct part *library)
{
    int given[MOST] = { 0 };
    own->give_many(given);
    return own->has_size(0, SIZE_OF_MANY, given) && library->has_size(0, SIZE_OF_MANY, given) ? 0 : puts("the first of many is lost");
}

int main(int argc, char **argv)
{
    const struct part *own = PART(), *library = library_part();
    const char *what = argc > 1 ? argv[1] : "";
    int wrong = 0;
    setvbuf(stdout, 0, _IOLBF, 0);
    MPI_Init(0, 0);
    if (strcmp(what, "either") == 0)
        puts(either(own, library));
    if (strcmp(what, "fortran") == 0)
        puts(fortran(own, library));
    for (int kind = 0; kind < KINDS && !*what; kind++)
        wrong += differs("program to library", kind, own, library) + differs("library to program", kind, library, own) +
                 differs("library to itself", kind, library, library) + differs("program to itself", kind, own, own);
    if (!*what)
        wrong += many(own, library) + many(library, own) + again(own, library);
    MPI_Finalize();
    if (!*what)
        puts(wrong ? "wrong" : "right");
    return 0;
}
#endif
