/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* Every predefined datatype: size, name, and use in a message and a reduction. */
#include "check.h"
#include <complex.h>
#include <stdint.h>
#include <wchar.h>

typedef struct { MPI_Datatype type; const char *name; int size; } row_t;
#define ROW(type, ctype) { type, #type, sizeof(ctype) }

static void use(const row_t *row)
{
    char out[64], in[64], name[MPI_MAX_OBJECT_NAME];
    int size = -1, length = -1, count = -1;
    MPI_Status status;
    if (row->type == MPI_DATATYPE_NULL)
        return;
    OK(MPI_Type_size(row->type, &size));
    if (size != row->size)
        check_failed(__FILE__, __LINE__, row->name);
    CHECK_INT(size, row->size);
    OK(MPI_Type_get_name(row->type, name, &length));
    CHECK_STR(name, row->name);
    for (int i = 0; i < 64; i++)
        out[i] = (char)(i * 3 + 1), in[i] = 0;
    OK(MPI_Sendrecv(out, 1, row->type, 0, 0, in, 1, row->type, 0, 0, MPI_COMM_WORLD, &status));
    OK(MPI_Get_count(&status, row->type, &count));
    CHECK_INT(count, 1);
    /* MPI_SHORT_INT has a hole after its first two bytes. */
    CHECK(memcmp(in, out, row->size == 6 ? 2 : row->size < 9 ? row->size : 4) == 0);
}

static const row_t *c_types(int *count)
{
    static row_t rows[40];
    const row_t here[] = {
        ROW(MPI_CHAR, char), ROW(MPI_SIGNED_CHAR, signed char), ROW(MPI_UNSIGNED_CHAR, unsigned char),
        ROW(MPI_BYTE, char), ROW(MPI_WCHAR, wchar_t), ROW(MPI_SHORT, short),
        ROW(MPI_UNSIGNED_SHORT, short), ROW(MPI_INT, int), ROW(MPI_UNSIGNED, unsigned),
        ROW(MPI_LONG, long), ROW(MPI_UNSIGNED_LONG, long), ROW(MPI_FLOAT, float),
        ROW(MPI_DOUBLE, double), ROW(MPI_LONG_DOUBLE, long double),
        ROW(MPI_UNSIGNED_LONG_LONG, long long), ROW(MPI_INT8_T, int8_t), ROW(MPI_INT16_T, int16_t),
        ROW(MPI_INT32_T, int32_t), ROW(MPI_INT64_T, int64_t), ROW(MPI_UINT8_T, int8_t),
        ROW(MPI_UINT16_T, int16_t), ROW(MPI_UINT32_T, int32_t), ROW(MPI_UINT64_T, int64_t),
        ROW(MPI_C_BOOL, _Bool), ROW(MPI_C_DOUBLE_COMPLEX, double complex),
        ROW(MPI_C_LONG_DOUBLE_COMPLEX, long double complex), ROW(MPI_AINT, MPI_Aint),
        ROW(MPI_OFFSET, MPI_Offset), ROW(MPI_COUNT, MPI_Count), ROW(MPI_PACKED, char),
        { MPI_FLOAT_INT, "MPI_FLOAT_INT", 8 }, { MPI_DOUBLE_INT, "MPI_DOUBLE_INT", 12 },
        { MPI_LONG_INT, "MPI_LONG_INT", 12 }, { MPI_SHORT_INT, "MPI_SHORT_INT", 6 },
        { MPI_2INT, "MPI_2INT", 8 },
    };
    *count = sizeof here / sizeof *here;
    memcpy(rows, here, sizeof here);
    return rows;
}

/* Types that a host may lack, or names that have two spellings. */
static void sized_types(void)
{
    const row_t rows[] = {
        { MPI_INTEGER, "", 4 }, { MPI_REAL, "", 4 }, { MPI_DOUBLE_PRECISION, "", 8 },
        { MPI_COMPLEX, "", 8 }, { MPI_DOUBLE_COMPLEX, "", 16 }, { MPI_LOGICAL, "", 4 },
        { MPI_CHARACTER, "", 1 }, { MPI_INTEGER1, "", 1 }, { MPI_INTEGER2, "", 2 },
        { MPI_INTEGER4, "", 4 }, { MPI_INTEGER8, "", 8 }, { MPI_REAL4, "", 4 }, { MPI_REAL8, "", 8 },
        { MPI_COMPLEX8, "", 8 }, { MPI_COMPLEX16, "", 16 }, { MPI_2INTEGER, "", 8 },
        { MPI_2REAL, "", 8 }, { MPI_2DOUBLE_PRECISION, "", 16 }, { MPI_CXX_BOOL, "", 1 },
        { MPI_CXX_DOUBLE_COMPLEX, "", 16 }, { MPI_CXX_FLOAT_COMPLEX, "", 8 },
        { MPI_CXX_LONG_DOUBLE_COMPLEX, "", 32 }, { MPI_C_COMPLEX, "", 8 },
        { MPI_C_FLOAT_COMPLEX, "", 8 }, { MPI_LONG_LONG, "", 8 }, { MPI_LONG_LONG_INT, "", 8 },
        { MPI_LONG_DOUBLE_INT, "", 20 }, { MPI_REAL16, "", 16 }, { MPI_COMPLEX32, "", 32 },
    };
    char out[64] = { 1, 2, 3 }, in[64];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        int size = -1;
        if (rows[i].type == MPI_DATATYPE_NULL)
            continue;
        OK(MPI_Type_size(rows[i].type, &size));
        if (size != rows[i].size)
            fprintf(stderr, "row %u\n", i);
        CHECK_INT(size, rows[i].size);
        OK(MPI_Sendrecv(out, 1, rows[i].type, 0, 0, in, 1, rows[i].type, 0, 0,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(memcmp(in, out, 1) == 0);
    }
    CHECK(MPI_LONG_LONG == MPI_LONG_LONG_INT);
    CHECK(MPI_C_COMPLEX == MPI_C_FLOAT_COMPLEX);
}

#define SUM(mpi_type, ctype) do {                                            \
        ctype a = 3, b = 4;                                                  \
        OK(MPI_Reduce_local(&a, &b, 1, mpi_type, MPI_SUM));                  \
        CHECK(b == 7);                                                       \
        OK(MPI_Allreduce(&a, &b, 1, mpi_type, MPI_PROD, MPI_COMM_WORLD));    \
        CHECK(b == 3);                                                       \
    } while (0)

static void reduce_each(void)
{
    SUM(MPI_SIGNED_CHAR, signed char);
    SUM(MPI_UNSIGNED_CHAR, unsigned char);
    SUM(MPI_SHORT, short);
    SUM(MPI_UNSIGNED_SHORT, unsigned short);
    SUM(MPI_INT, int);
    SUM(MPI_UNSIGNED, unsigned);
    SUM(MPI_LONG, long);
    SUM(MPI_UNSIGNED_LONG, unsigned long);
    SUM(MPI_LONG_LONG, long long);
    SUM(MPI_UNSIGNED_LONG_LONG, unsigned long long);
    SUM(MPI_FLOAT, float);
    SUM(MPI_DOUBLE, double);
    SUM(MPI_LONG_DOUBLE, long double);
    SUM(MPI_INT8_T, int8_t);
    SUM(MPI_UINT64_T, uint64_t);
    SUM(MPI_AINT, MPI_Aint);
    SUM(MPI_OFFSET, MPI_Offset);
    SUM(MPI_COUNT, MPI_Count);
    SUM(MPI_C_FLOAT_COMPLEX, float complex);
    SUM(MPI_C_DOUBLE_COMPLEX, double complex);
    SUM(MPI_INTEGER, int);
    SUM(MPI_REAL, float);
    SUM(MPI_DOUBLE_PRECISION, double);
    SUM(MPI_INTEGER8, int64_t);
}

#ifdef MPI_LOGICAL1
/* LOGICALs of a size, which a host may have under another name. */
static void logical_type(MPI_Datatype type, const char *want, int size)
{
    signed char truths[2][16] = { { 0 } };
    MPI_Aint low = -1, extent = 0;
    int integers = -1, addresses = -1, types = -1, combiner = -1;
    row_t row = { type, want, size };
    MPI_Datatype copy = type;
    use(&row);
    OK(MPI_Type_commit(&copy));
    CHECK(copy == type);
    OK(MPI_Type_get_extent(type, &low, &extent));
    CHECK_INT(low, 0);
    CHECK_INT(extent, size);
    OK(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_NAMED);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(type)) == type);
    FAILS(MPI_Type_free(&copy), MPI_ERR_TYPE);
    CHECK(copy == type);
    truths[0][0] = 1;
    OK(MPI_Reduce_local(truths[0], truths[1], 1, type, MPI_LOR));
    CHECK_INT(truths[1][0], 1);
    OK(MPI_Reduce_local(truths[0], truths[1], 1, type, MPI_LXOR));
    CHECK_INT(truths[1][0], 0);
    OK(MPI_Allreduce(truths[0], truths[1], 1, type, MPI_LAND, MPI_COMM_WORLD));
    CHECK_INT(truths[1][0], 1);
}

static void logical_types(void)
{
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    logical_type(MPI_LOGICAL1, "MPI_LOGICAL1", 1);
    logical_type(MPI_LOGICAL2, "MPI_LOGICAL2", 2);
    logical_type(MPI_LOGICAL4, "MPI_LOGICAL4", 4);
    logical_type(MPI_LOGICAL8, "MPI_LOGICAL8", 8);
}
#else
static void logical_types(void) {}
#endif

int main(int argc, char **argv)
{
    int count = 0;
    const row_t *rows;
    check_begin(&argc, &argv);
    rows = c_types(&count);
    for (int i = 0; i < count; i++)
        use(&rows[i]);
    sized_types();
    reduce_each();
    logical_types();
    return check_end();
}
