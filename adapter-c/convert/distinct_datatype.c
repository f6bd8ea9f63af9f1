/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/distinct_datatype.h"

#if HAS_DATATYPE_STAND_INS
#include "layers/lock.h"

/* The duplicates of this life of MPI, each made when it is first asked for. More than are listed are not told apart. */
enum { MOST = 8 };
static struct {
    const struct predefined *entry;
    host_datatype host;
} duplicates[MOST];
static uint64_t listed; /* the life, and below that how many there are */
uint32_t all_duplicates_made;
LOCK(distinct_datatypes);

static int count_now(void)
{
    uint64_t now = __atomic_load_n(&listed, __ATOMIC_ACQUIRE);
    return now && now >> 32 == life() ? (int)now : 0;
}

static int place_of(const struct predefined *entry)
{
    int count = count_now(), i = 0;
    while (i < count && duplicates[i].entry != entry)
        i++;
    return i < count ? i : -1;
}

/* False if another thread has listed one, or there is no room. */
static int list(const struct predefined *entry, host_datatype made)
{
    take_lock(distinct_datatypes);
    int count = count_now(), is_new = place_of(entry) < 0 && count < MOST;
    if (is_new) {
        duplicates[count].entry = entry;
        duplicates[count].host = made;
        __atomic_store_n(&listed, (uint64_t)life() << 32 | (uint32_t)(count + 1), __ATOMIC_RELEASE);
    }
    release_lock(distinct_datatypes);
    return is_new;
}

/* A failure leaves what stands in. */
static host_datatype duplicate_of(const struct predefined *entry)
{
    host_datatype stand_in = HOST_DATATYPE_FROM(entry->instead), made;
    if (place_of(entry) < 0 && host.MPI_Type_dup(stand_in, &made) == 0) {
        host.MPI_Type_set_name(made, predefined_optional_name(entry->app));
        if (!list(entry, made))
            host.MPI_Type_free(&made);
    }
    int place = place_of(entry);
    return place < 0 ? stand_in : duplicates[place].host;
}

host_datatype distinct_duplicate(app_datatype datatype)
{
    for (int i = 0, count = count_now(); i < count; i++)
        if (duplicates[i].entry->app == APP_DATATYPE_BITS(datatype))
            return duplicates[i].host;
    return duplicate_of(predefined_stand_in(APP_DATATYPE_BITS(datatype)));
}

static void make_duplicate(const struct predefined *entry)
{
    predefined_set_duplicate(entry, (int32_t)HOST_DATATYPE_BITS(duplicate_of(entry)));
}

void make_duplicates_of(uint32_t life)
{
    predefined_each_stand_in(make_duplicate);
    __atomic_store_n(&all_duplicates_made, life, __ATOMIC_RELEASE);
}

/* Reductions in callbacks of MPI_Finalize go on with what stands in. */
void distinct_datatypes_end(void)
{
    take_lock(distinct_datatypes);
    int count = count_now();
    __atomic_store_n(&listed, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&all_duplicates_made, 0, __ATOMIC_RELEASE);
    release_lock(distinct_datatypes);
    for (int i = 0; i < count; i++) {
        predefined_set_duplicate(duplicates[i].entry, (int32_t)duplicates[i].entry->instead);
        host.MPI_Type_free(&duplicates[i].host);
    }
}

app_datatype distinct_datatype_to_app(host_datatype datatype)
{
    for (int i = 0, count = count_now(); i < count; i++)
        if (HOST_DATATYPE_BITS(duplicates[i].host) == HOST_DATATYPE_BITS(datatype))
            return APP_DATATYPE_FROM(duplicates[i].entry->app);
    return datatype_to_app(datatype);
}
#endif
