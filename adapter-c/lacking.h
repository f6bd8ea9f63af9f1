/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures of newer MPI versions, built in the host's types from what every host has. They
 * stand in the host's table where its own are missing. */
#ifndef LACKING_H
#define LACKING_H

#include "host.h"

int built_MPI_Buffer_flush(void);
int built_MPI_Get_hw_resource_info(host_info *hw_info);
int built_MPI_Remove_error_class(int errorclass);
int built_MPI_Remove_error_code(int errorcode);
int built_MPI_Remove_error_string(int errorcode);
int built_MPI_Request_get_status_all(int count, const host_request *requests, int *flag, host_status *statuses);
int built_MPI_Request_get_status_any(int count, const host_request *requests, int *index, int *flag,
                                     host_status *status);
int built_MPI_Request_get_status_some(int count, const host_request *requests, int *outcount, int *indices,
                                      host_status *statuses);
int built_MPI_Status_set_elements_c(host_status *status, host_datatype datatype, MPI_Count count);
int built_MPI_Type_get_value_index(host_datatype value_type, host_datatype index_type, host_datatype *pair_type);

#endif
