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

/* Operations that need requests of our own (built_request.c). */
int built_MPI_Isendrecv(const void *sendbuf, int sendcount, host_datatype sendtype, int dest, int sendtag,
                        void *recvbuf, int recvcount, host_datatype recvtype, int source, int recvtag,
                        host_comm comm, host_request *request);
int built_MPI_Isendrecv_replace(void *buf, int count, host_datatype datatype, int dest, int sendtag,
                                int source, int recvtag, host_comm comm, host_request *request);
int built_MPI_Allgather_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                             int recvcount, host_datatype recvtype, host_comm comm, host_info info,
                             host_request *request);
int built_MPI_Allgatherv_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                              const int *recvcounts, const int *displs, host_datatype recvtype,
                              host_comm comm, host_info info, host_request *request);
int built_MPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count, host_datatype datatype,
                             host_op op, host_comm comm, host_info info, host_request *request);
int built_MPI_Alltoall_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                            int recvcount, host_datatype recvtype, host_comm comm, host_info info,
                            host_request *request);
int built_MPI_Alltoallv_init(const void *sendbuf, const int *sendcounts, const int *sdispls,
                             host_datatype sendtype, void *recvbuf, const int *recvcounts,
                             const int *rdispls, host_datatype recvtype, host_comm comm, host_info info,
                             host_request *request);
int built_MPI_Alltoallw_init(const void *sendbuf, const int *sendcounts, const int *sdispls,
                             const host_datatype *sendtypes, void *recvbuf, const int *recvcounts,
                             const int *rdispls, const host_datatype *recvtypes, host_comm comm,
                             host_info info, host_request *request);
int built_MPI_Barrier_init(host_comm comm, host_info info, host_request *request);
int built_MPI_Bcast_init(void *buffer, int count, host_datatype datatype, int root, host_comm comm,
                         host_info info, host_request *request);
int built_MPI_Exscan_init(const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op,
                          host_comm comm, host_info info, host_request *request);
int built_MPI_Gather_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                          int recvcount, host_datatype recvtype, int root, host_comm comm, host_info info,
                          host_request *request);
int built_MPI_Gatherv_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                           const int *recvcounts, const int *displs, host_datatype recvtype, int root,
                           host_comm comm, host_info info, host_request *request);
int built_MPI_Neighbor_allgather_init(const void *sendbuf, int sendcount, host_datatype sendtype,
                                      void *recvbuf, int recvcount, host_datatype recvtype, host_comm comm,
                                      host_info info, host_request *request);
int built_MPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount, host_datatype sendtype,
                                       void *recvbuf, const int *recvcounts, const int *displs,
                                       host_datatype recvtype, host_comm comm, host_info info,
                                       host_request *request);
int built_MPI_Neighbor_alltoall_init(const void *sendbuf, int sendcount, host_datatype sendtype,
                                     void *recvbuf, int recvcount, host_datatype recvtype, host_comm comm,
                                     host_info info, host_request *request);
int built_MPI_Neighbor_alltoallv_init(const void *sendbuf, const int *sendcounts, const int *sdispls,
                                      host_datatype sendtype, void *recvbuf, const int *recvcounts,
                                      const int *rdispls, host_datatype recvtype, host_comm comm,
                                      host_info info, host_request *request);
int built_MPI_Neighbor_alltoallw_init(const void *sendbuf, const int *sendcounts, const MPI_Aint *sdispls,
                                      const host_datatype *sendtypes, void *recvbuf, const int *recvcounts,
                                      const MPI_Aint *rdispls, const host_datatype *recvtypes,
                                      host_comm comm, host_info info, host_request *request);
int built_MPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op,
                          int root, host_comm comm, host_info info, host_request *request);
int built_MPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int recvcount,
                                        host_datatype datatype, host_op op, host_comm comm, host_info info,
                                        host_request *request);
int built_MPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf, const int *recvcounts,
                                  host_datatype datatype, host_op op, host_comm comm, host_info info,
                                  host_request *request);
int built_MPI_Scan_init(const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op,
                        host_comm comm, host_info info, host_request *request);
int built_MPI_Scatter_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                           int recvcount, host_datatype recvtype, int root, host_comm comm, host_info info,
                           host_request *request);
int built_MPI_Scatterv_init(const void *sendbuf, const int *sendcounts, const int *displs,
                            host_datatype sendtype, void *recvbuf, int recvcount, host_datatype recvtype,
                            int root, host_comm comm, host_info info, host_request *request);

#endif
