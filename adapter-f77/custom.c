/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures whose Fortran arguments no template expresses. */
#include <limits.h>

#include "fortran.h"
#include "fortran_prototypes.h"

/* Completion of several requests, MPI-4.1 section 3.7.5: indices count from 1. Requests that a call did not complete are left alone,
 * because callbacks and other threads may store new ones there meanwhile; after an error, more may have changed. */
INLINE void store_request(MPI_Fint *requests, const app_request *its, int index)
{
    set_inout(&requests[index], request_to_fortran(its[index]));
}

void fortran_MPI_Waitany(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *status, MPI_Fint *ierror)
{
    app_request local[FORTRAN_LOCAL], *its = request_stage_fortran(local, requests, *count);
    int its_index = APP_MPI_UNDEFINED;
    int rc = unlikely(IS_LACKING(its, requests)) ? raise_error(APP_MPI_ERR_NO_MEM)
                                                 : CALL(MPI_Waitany)(*count, its, &its_index, status_from_fortran(status));
    if (its_index >= 0)
        store_request(requests, its, its_index);
    request_unstage_fortran(its, local);
    set_index(index, rc, its_index);
    set_ierror(ierror, rc);
}

void fortran_MPI_Testany(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *ierror)
{
    app_request local[FORTRAN_LOCAL], *its = request_stage_fortran(local, requests, *count);
    int its_index = APP_MPI_UNDEFINED, done;
    int rc = unlikely(IS_LACKING(its, requests)) ? raise_error(APP_MPI_ERR_NO_MEM)
                                                 : CALL(MPI_Testany)(*count, its, &its_index, &done, status_from_fortran(status));
    if (its_index >= 0)
        store_request(requests, its, its_index);
    request_unstage_fortran(its, local);
    set_index(index, rc, its_index);
    if (rc == 0)
        *flag = logical_to_fortran(done);
    set_ierror(ierror, rc);
}

void fortran_MPI_Testall(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *flag, MPI_Fint *statuses, MPI_Fint *ierror)
{
    const int number = *count;
    app_request local[FORTRAN_LOCAL], *its = request_stage_inout(local, requests, number);
    int done = 0, rc = unlikely(IS_LACKING(its, requests)) ? raise_error(APP_MPI_ERR_NO_MEM)
                                                           : CALL(MPI_Testall)(number, its, &done, statuses_from_fortran(statuses));
    request_restore_inout(requests, its, local, done || rc != 0 ? number : 0);
    if (rc == 0)
        *flag = logical_to_fortran(done);
    set_ierror(ierror, rc);
}

typedef app_code complete_some(int incount, app_request *requests, int *outcount, int *indices, app_status *statuses);

/* `call` completes some of the requests, which are stored then: all where it failed, as it may have completed any. */
static inline int some_from_fortran(complete_some *call, int count, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices, MPI_Fint *statuses)
{
    app_request local[FORTRAN_LOCAL], *its = request_stage_fortran(local, requests, count);
    int rc = unlikely(IS_LACKING(its, requests)) ? raise_error(APP_MPI_ERR_NO_MEM)
                                                 : call(count, its, outcount, indices, statuses_from_fortran(statuses));
    for (int i = 0; rc == 0 && i < *outcount; i++)
        store_request(requests, its, indices[i]);
    for (int i = 0; rc != 0 && its && i < count; i++)
        store_request(requests, its, i);
    request_unstage_fortran(its, local);
    return rc;
}

/* Fortran counts from 1. */
static inline void set_indices(MPI_Fint *indices, int rc, int number)
{
    if (rc == 0 || rc == APP_MPI_ERR_IN_STATUS)
        for (int i = 0; i < number; i++)
            indices[i]++;
}

void fortran_MPI_Waitsome(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices, MPI_Fint *statuses, MPI_Fint *ierror)
{
    int rc = some_from_fortran(CALL(MPI_Waitsome), *incount, requests, outcount, indices, statuses);
    set_indices(indices, rc, *outcount);
    set_ierror(ierror, rc);
}

void fortran_MPI_Testsome(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices, MPI_Fint *statuses, MPI_Fint *ierror)
{
    int rc = some_from_fortran(CALL(MPI_Testsome), *incount, requests, outcount, indices, statuses);
    set_indices(indices, rc, *outcount);
    set_ierror(ierror, rc);
}

void fortran_MPI_Request_get_status_some(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices, MPI_Fint *statuses,
                                         MPI_Fint *ierror)
{
    /* gcc takes an array for unset of which nothing is set where there are no requests. */
    app_request local[FORTRAN_LOCAL] = {APP_MPI_REQUEST_NULL}, *its = request_stage_fortran(local, requests, *incount);
    int rc = unlikely(IS_LACKING(its, requests))
                 ? raise_error(APP_MPI_ERR_NO_MEM)
                 : CALL(MPI_Request_get_status_some)(*incount, its, outcount, indices, statuses_from_fortran(statuses));
    request_unstage_fortran(its, local);
    set_indices(indices, rc, *outcount);
    set_ierror(ierror, rc);
}

/* MPI-4.1 section 8.5.5: there are as many LOGICALs as the topology has dimensions. */
void fortran_MPI_Cart_sub(MPI_Fint *comm, MPI_Fint *remain_dims, MPI_Fint *newcomm, MPI_Fint *ierror)
{
    int dimensions = 0, rc = CALL(MPI_Cartdim_get)(comm_from_fortran(*comm), &dimensions);
    if (rc == 0) {
        int local[FORTRAN_LOCAL], *its = logicals_from_fortran(local, remain_dims, dimensions);
        app_comm made;
        rc = IS_LACKING(its, remain_dims) ? raise_comm(comm_from_fortran(*comm), APP_MPI_ERR_NO_MEM)
                                          : CALL(MPI_Cart_sub)(comm_from_fortran(*comm), its, &made);
        fortran_unstage(its, local);
        if (rc == 0)
            *newcomm = comm_to_fortran(made);
    }
    set_ierror(ierror, rc);
}

/* MPI-4.1 section 5.1.13: as many datatypes are written as the envelope says. */
void fortran_MPI_Type_get_contents(MPI_Fint *datatype, MPI_Fint *max_integers, MPI_Fint *max_addresses,
                                   MPI_Fint *max_datatypes, MPI_Fint *integers, MPI_Aint *addresses,
                                   MPI_Fint *datatypes, MPI_Fint *ierror)
{
    int numbers[4], rc = CALL(MPI_Type_get_envelope)(datatype_from_fortran(*datatype), &numbers[0], &numbers[1],
                                                     &numbers[2], &numbers[3]);
    if (rc == 0) {
        app_datatype local[FORTRAN_LOCAL], *its = stage_room(local, *max_datatypes, sizeof *its);
        rc = !its ? raise_error(APP_MPI_ERR_NO_MEM)
                  : CALL(MPI_Type_get_contents)(datatype_from_fortran(*datatype), *max_integers, *max_addresses,
                                                *max_datatypes, integers, addresses, its);
        for (int i = 0; rc == 0 && i < numbers[2]; i++)
            datatypes[i] = datatype_to_fortran(its[i]);
        unstage(its, local);
    }
    set_ierror(ierror, rc);
}

void fortran_MPI_Type_get_contents_c(MPI_Fint *datatype, MPI_Count *max_integers, MPI_Count *max_addresses,
                                     MPI_Count *max_large_counts, MPI_Count *max_datatypes, MPI_Fint *integers,
                                     MPI_Aint *addresses, MPI_Count *large_counts, MPI_Fint *datatypes,
                                     MPI_Fint *ierror)
{
    MPI_Count numbers[4];
    int combiner, rc = CALL(MPI_Type_get_envelope_c)(datatype_from_fortran(*datatype), &numbers[0], &numbers[1],
                                                     &numbers[2], &numbers[3], &combiner);
    if (rc == 0) {
        app_datatype local[FORTRAN_LOCAL], *its = stage_room(local, (int)*max_datatypes, sizeof *its);
        rc = !its ? raise_error(APP_MPI_ERR_NO_MEM)
                  : CALL(MPI_Type_get_contents_c)(datatype_from_fortran(*datatype), *max_integers, *max_addresses,
                                                  *max_large_counts, *max_datatypes, integers, addresses, large_counts, its);
        for (MPI_Count i = 0; rc == 0 && i < numbers[3]; i++)
            datatypes[i] = datatype_to_fortran(its[i]);
        unstage(its, local);
    }
    set_ierror(ierror, rc);
}

/* MPI-4.1 section 4.1.5; of Open MPI's C they are macros. */
#if APP_FORTRAN_CALLS_TOOLS
MPI_Aint fortran_MPI_Aint_add(MPI_Aint *base, MPI_Aint *disp) { return MPI_Aint_add(*base, *disp); }
MPI_Aint fortran_MPI_Aint_diff(MPI_Aint *addr1, MPI_Aint *addr2) { return MPI_Aint_diff(*addr1, *addr2); }
#else
MPI_Aint fortran_MPI_Aint_add(MPI_Aint *base, MPI_Aint *disp) { return *base + *disp; }
MPI_Aint fortran_MPI_Aint_diff(MPI_Aint *addr1, MPI_Aint *addr2) { return *addr1 - *addr2; }
#endif

/* MPI-4.1 section 15.2.4; there is no ierror. */
void fortran_MPI_Pcontrol(MPI_Fint *level)
{
    CALL(MPI_Pcontrol)(*level);
}

/* MPI-4.1 section 3.6: mpif.h's subroutine does not return the buffer's address. */
void fortran_MPI_Buffer_detach(MPI_Aint *buffer, MPI_Fint *size, MPI_Fint *ierror)
{
    void *address;
    set_ierror(ierror, CALL(MPI_Buffer_detach)(&address, size));
}

void fortran_f08_MPI_Buffer_detach(MPI_Aint *buffer, MPI_Fint *size, MPI_Fint *ierror)
{
    set_ierror(ierror, CALL(MPI_Buffer_detach)(buffer, size));
}

void fortran_MPI_Buffer_detach_c(MPI_Aint *buffer, MPI_Count *size, MPI_Fint *ierror)
{
    set_ierror(ierror, CALL(MPI_Buffer_detach_c)(buffer, size));
}

/* ---------------------------------------------------------------- strings with a length */

/* Returns how many characters the caller asks for, but no more than its variable holds: huge(0) is a way to ask for all of them. */
static int within(MPI_Fint asked, size_t variable)
{
    int most = variable < INT_MAX ? (int)variable : INT_MAX - 1;
    return asked > most ? most : asked;
}

/* Some MPI takes a value that is longer than its room for an error, where it shall be cut, and some leaves the flag alone if there is
 * no room. A pair's C library mends both; where there is none, the room is made for all of it, and for one character at least. */
#ifdef FORTRAN_ALONE
static int room_for_value(app_info info, const char *key, int room)
{
    int length = 0, found = 0;
    if (room < 0 || !key || MPI_Info_get_valuelen(info, key, &length, &found) != 0 || !found)
        return room;
    return length > room ? length : room > 0 ? room : 1;
}
#else
static int room_for_value(app_info info, const char *key, int room)
{
    return room;
}
#endif

/* MPI_Info_get of MPI-3.1 section 9: `valuelen` characters at most, without C's terminator. */
void fortran_MPI_Info_get(MPI_Fint *info, char *key, MPI_Fint *valuelen, char *value, MPI_Fint *flag,
                          MPI_Fint *ierror, size_t key_length, size_t value_length)
{
    char local_key[FORTRAN_TEXT], *its_key = string_from_fortran(local_key, key, key_length);
    app_info its_info = info_from_fortran(*info);
    int asked = within(*valuelen, value_length), room = room_for_value(its_info, its_key, asked);
    char local[FORTRAN_TEXT], *text = stage_room(room < FORTRAN_TEXT ? local : 0, room + 1, 1);
    int found = 0, rc = its_key && text ? CALL(MPI_Info_get)(its_info, its_key, room, text, &found) : raise_error(APP_MPI_ERR_NO_MEM);
    if (rc == 0) {
        *flag = logical_to_fortran(found);
        if (found) {
            if (room > asked)
                text[asked] = 0;
            string_to_fortran(value, value_length, text);
        }
    }
    unstage(text, local);
    fortran_unstage(its_key, local_key);
    set_ierror(ierror, rc);
}

/* Returns the length for C of a string whose length the caller gives and learns: C counts the terminator, Fortran does not. */
static int room_for_c(MPI_Fint length)
{
    return length > 0 ? length + 1 : 0;
}

/* MPI-4.1 section 10. */
void fortran_MPI_Info_get_string(MPI_Fint *info, char *key, MPI_Fint *buflen, char *value, MPI_Fint *flag,
                                 MPI_Fint *ierror, size_t key_length, size_t value_length)
{
    char local_key[FORTRAN_TEXT], *its_key = string_from_fortran(local_key, key, key_length);
    int given = *buflen, room = room_for_c(within(given, value_length)), found = 0;
    char local[FORTRAN_TEXT], *text = stage_room(room <= FORTRAN_TEXT ? local : 0, room, 1);
    int rc = its_key && text ? CALL(MPI_Info_get_string)(info_from_fortran(*info), its_key, &room, text, &found) : raise_error(APP_MPI_ERR_NO_MEM);
    if (rc == 0) {
        *flag = logical_to_fortran(found);
        if (found && given > 0)
            string_to_fortran(value, value_length, text);
        if (found)
            *buflen = room - 1;
    }
    unstage(text, local);
    fortran_unstage(its_key, local_key);
    set_ierror(ierror, rc);
}

/* MPI-4.1 section 11.3.2: `pset_len` becomes what the whole name takes. MPICH says that only if it is asked with no room, and Open MPI 5
 * writes to a null pointer then. */
void fortran_MPI_Session_get_nth_pset(MPI_Fint *session, MPI_Fint *info, MPI_Fint *n, MPI_Fint *pset_len,
                                      char *pset_name, MPI_Fint *ierror, size_t pset_name_length)
{
    const app_session its_session = session_from_fortran(*session);
    const app_info its_info = info_from_fortran(*info);
    int given = *pset_len, room = room_for_c(within(given, pset_name_length)), whole = 0;
    char local[FORTRAN_TEXT], *text = stage_room(room <= FORTRAN_TEXT ? local : 0, room, 1);
    int rc = text ? CALL(MPI_Session_get_nth_pset)(its_session, its_info, *n, &whole, text)
                  : raise_session(its_session, APP_MPI_ERR_NO_MEM);
    if (rc == 0 && room > 0)
        rc = CALL(MPI_Session_get_nth_pset)(its_session, its_info, *n, &room, text);
    if (rc == 0) {
        if (room > 0)
            string_to_fortran(pset_name, pset_name_length, text);
        *pset_len = whole - 1;
    }
    unstage(text, local);
    set_ierror(ierror, rc);
}
