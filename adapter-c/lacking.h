/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures of newer MPI versions, built in the host's types from what every host has. They
 * stand in the host's table where its own are missing. */
#ifndef LACKING_H
#define LACKING_H

#include "host.h"

int built_MPI_Allgather_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                             int recvcount, host_datatype recvtype, host_comm comm, host_info info,
                             host_request *request);
int built_MPI_Allgatherv_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                              const int *recvcounts, const int *displs, host_datatype recvtype,
                              host_comm comm, host_info info, host_request *request);
int built_MPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
                          host_op op, host_comm comm);
int built_MPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count, host_datatype datatype,
                             host_op op, host_comm comm, host_info info, host_request *request);
int built_MPI_Allreduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
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
int built_MPI_Buffer_flush(void);
int built_MPI_Comm_create_from_group(host_group group, const char *stringtag, host_info info,
                                     host_errhandler errhandler, host_comm *newcomm);
int built_MPI_Comm_idup_with_info(host_comm comm, host_info info, host_comm *newcomm, host_request *request);
int built_MPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
                       host_op op, host_comm comm);
int built_MPI_Exscan_init(const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op,
                          host_comm comm, host_info info, host_request *request);
int built_MPI_Exscan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
                            host_op op, host_comm comm, host_info info, host_request *request);
int built_MPI_Gather_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                          int recvcount, host_datatype recvtype, int root, host_comm comm, host_info info,
                          host_request *request);
int built_MPI_Gatherv_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                           const int *recvcounts, const int *displs, host_datatype recvtype, int root,
                           host_comm comm, host_info info, host_request *request);
int built_MPI_Get_count_c(const host_status *status, host_datatype datatype, MPI_Count *count);
int built_MPI_Get_elements_c(const host_status *status, host_datatype datatype, MPI_Count *count);
int built_MPI_Get_hw_resource_info(host_info *hw_info);
int built_MPI_Group_from_session_pset(host_session session, const char *pset_name, host_group *newgroup);
int built_MPI_Iallreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
                           host_op op, host_comm comm, host_request *request);
int built_MPI_Iexscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
                        host_op op, host_comm comm, host_request *request);
int built_MPI_Info_create_env(int argc, char **argv, host_info *info);
int built_MPI_Info_get_string(host_info info, const char *key, int *buflen, char *value, int *flag);
int built_MPI_Intercomm_create_from_groups(host_group local_group, int local_leader, host_group remote_group,
                                           int remote_leader, const char *stringtag, host_info info,
                                           host_errhandler errhandler, host_comm *newintercomm);
int built_MPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
                        host_op op, int root, host_comm comm, host_request *request);
int built_MPI_Iscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
                      host_op op, host_comm comm, host_request *request);
int built_MPI_Isendrecv(const void *sendbuf, int sendcount, host_datatype sendtype, int dest, int sendtag,
                        void *recvbuf, int recvcount, host_datatype recvtype, int source, int recvtag,
                        host_comm comm, host_request *request);
int built_MPI_Isendrecv_replace(void *buf, int count, host_datatype datatype, int dest, int sendtag,
                                int source, int recvtag, host_comm comm, host_request *request);
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
int built_MPI_Op_create_c(mpi_function *user_fn, int commute, host_op *op);
int built_MPI_Pack_c(const void *inbuf, MPI_Count incount, host_datatype datatype, void *outbuf,
                     MPI_Count outsize, MPI_Count *position, host_comm comm);
int built_MPI_Pack_size_c(MPI_Count incount, host_datatype datatype, host_comm comm, MPI_Count *size);
int built_MPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
                       host_op op, int root, host_comm comm);
int built_MPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op,
                          int root, host_comm comm, host_info info, host_request *request);
int built_MPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
                            host_op op, int root, host_comm comm, host_info info, host_request *request);
int built_MPI_Reduce_local_c(const void *inbuf, void *inoutbuf, MPI_Count count, host_datatype datatype,
                             host_op op);
int built_MPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int recvcount,
                                        host_datatype datatype, host_op op, host_comm comm, host_info info,
                                        host_request *request);
int built_MPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf, const int *recvcounts,
                                  host_datatype datatype, host_op op, host_comm comm, host_info info,
                                  host_request *request);
int built_MPI_Register_datarep_c(const char *name, mpi_function *read, mpi_function *write, mpi_function *extent,
                                 void *state);
int built_MPI_Remove_error_class(int errorclass);
int built_MPI_Remove_error_code(int errorcode);
int built_MPI_Remove_error_string(int errorcode);
int built_MPI_Request_get_status_all(int count, const host_request *array_of_requests, int *flag,
                                     host_status *array_of_statuses);
int built_MPI_Request_get_status_any(int count, const host_request *array_of_requests, int *index, int *flag,
                                     host_status *status);
int built_MPI_Request_get_status_some(int incount, const host_request *array_of_requests, int *outcount,
                                      int *array_of_indices, host_status *array_of_statuses);
int built_MPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype, host_op op,
                     host_comm comm);
int built_MPI_Scan_init(const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op,
                        host_comm comm, host_info info, host_request *request);
int built_MPI_Scan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype,
                          host_op op, host_comm comm, host_info info, host_request *request);
int built_MPI_Scatter_init(const void *sendbuf, int sendcount, host_datatype sendtype, void *recvbuf,
                           int recvcount, host_datatype recvtype, int root, host_comm comm, host_info info,
                           host_request *request);
int built_MPI_Scatterv_init(const void *sendbuf, const int *sendcounts, const int *displs,
                            host_datatype sendtype, void *recvbuf, int recvcount, host_datatype recvtype,
                            int root, host_comm comm, host_info info, host_request *request);
int built_MPI_Session_call_errhandler(host_session session, int errorcode);
int built_MPI_Session_create_errhandler(mpi_function *session_errhandler_fn, host_errhandler *errhandler);
int built_MPI_Session_finalize(host_session *session);
int built_MPI_Session_get_errhandler(host_session session, host_errhandler *errhandler);
int built_MPI_Session_get_info(host_session session, host_info *info_used);
int built_MPI_Session_get_nth_pset(host_session session, host_info info, int n, int *pset_len,
                                   char *pset_name);
int built_MPI_Session_get_num_psets(host_session session, host_info info, int *npset_names);
int built_MPI_Session_get_pset_info(host_session session, const char *pset_name, host_info *info);
int built_MPI_Session_init(host_info info, host_errhandler errhandler, host_session *session);
int built_MPI_Session_set_errhandler(host_session session, host_errhandler errhandler);
int built_MPI_Status_set_elements_c(host_status *status, host_datatype datatype, MPI_Count count);
int built_MPI_T_category_get_events(int cat_index, int len, int *indices);
int built_MPI_T_category_get_num_events(int cat_index, int *num_events);
int built_MPI_T_event_callback_get_info(void *event_registration, int cb_safety, host_info *info_used);
int built_MPI_T_event_callback_set_info(void *event_registration, int cb_safety, host_info info);
int built_MPI_T_event_copy(void *event_instance, void *buffer);
int built_MPI_T_event_get_index(const char *name, int *event_index);
int built_MPI_T_event_get_info(int event_index, char *name, int *name_len, int *verbosity,
                               host_datatype *array_of_datatypes, MPI_Aint *array_of_displacements,
                               int *num_elements, void **enumtype, host_info *info, char *desc,
                               int *desc_len, int *bind);
int built_MPI_T_event_get_num(int *num_events);
int built_MPI_T_event_get_source(void *event_instance, int *source_index);
int built_MPI_T_event_get_timestamp(void *event_instance, MPI_Count *event_timestamp);
int built_MPI_T_event_handle_alloc(int event_index, void *obj_handle, host_info info,
                                   void **event_registration);
int built_MPI_T_event_handle_free(void *event_registration, void *user_data, mpi_function *free_cb_function);
int built_MPI_T_event_handle_get_info(void *event_registration, host_info *info_used);
int built_MPI_T_event_handle_set_info(void *event_registration, host_info info);
int built_MPI_T_event_read(void *event_instance, int element_index, void *buffer);
int built_MPI_T_event_register_callback(void *event_registration, int cb_safety, host_info info,
                                        void *user_data, mpi_function *event_cb_function);
int built_MPI_T_event_set_dropped_handler(void *event_registration, mpi_function *dropped_cb_function);
int built_MPI_T_source_get_info(int source_index, char *name, int *name_len, char *desc, int *desc_len,
                                int *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks,
                                host_info *info);
int built_MPI_T_source_get_num(int *num_sources);
int built_MPI_T_source_get_timestamp(int source_index, MPI_Count *timestamp);
int built_MPI_Type_contiguous_c(MPI_Count count, host_datatype oldtype, host_datatype *newtype);
int built_MPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count *array_of_gsizes,
                                   const int *array_of_distribs, const int *array_of_dargs,
                                   const int *array_of_psizes, int order, host_datatype oldtype,
                                   host_datatype *newtype);
int built_MPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength,
                                           const MPI_Count *array_of_displacements, host_datatype oldtype,
                                           host_datatype *newtype);
int built_MPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count *array_of_blocklengths,
                                     const MPI_Count *array_of_displacements, host_datatype oldtype,
                                     host_datatype *newtype);
int built_MPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                                    host_datatype oldtype, host_datatype *newtype);
int built_MPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength,
                                          const MPI_Count *array_of_displacements, host_datatype oldtype,
                                          host_datatype *newtype);
int built_MPI_Type_create_resized_c(host_datatype oldtype, MPI_Count lb, MPI_Count extent,
                                    host_datatype *newtype);
int built_MPI_Type_create_struct_c(MPI_Count count, const MPI_Count *array_of_blocklengths,
                                   const MPI_Count *array_of_displacements,
                                   const host_datatype *array_of_types, host_datatype *newtype);
int built_MPI_Type_create_subarray_c(int ndims, const MPI_Count *array_of_sizes,
                                     const MPI_Count *array_of_subsizes, const MPI_Count *array_of_starts,
                                     int order, host_datatype oldtype, host_datatype *newtype);
int built_MPI_Type_get_contents_c(host_datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                                  MPI_Count max_large_counts, MPI_Count max_datatypes,
                                  int *array_of_integers, MPI_Aint *array_of_addresses,
                                  MPI_Count *array_of_large_counts, host_datatype *array_of_datatypes);
int built_MPI_Type_get_envelope_c(host_datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses,
                                  MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner);
int built_MPI_Type_get_value_index(host_datatype value_type, host_datatype index_type,
                                   host_datatype *pair_type);
int built_MPI_Type_indexed_c(MPI_Count count, const MPI_Count *array_of_blocklengths,
                             const MPI_Count *array_of_displacements, host_datatype oldtype,
                             host_datatype *newtype);
int built_MPI_Type_size_c(host_datatype datatype, MPI_Count *size);
int built_MPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, host_datatype oldtype,
                            host_datatype *newtype);
int built_MPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf,
                       MPI_Count outcount, host_datatype datatype, host_comm comm);

#endif
