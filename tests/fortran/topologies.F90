! SPDX-License-Identifier: BSD-3-Clause
!
! Virtual topologies: Cartesian grids with arrays of LOGICALs, graphs, distributed graphs with and
! without weights, and collectives among neighbours.
! ranks: 3
#include "check.h"
program topologies
  use checks
  USE_MPI
  implicit none
  MPIF_H
  integer :: ierr

  call check_begin()
  call cartesian()
  call subgrids()
  call mapping()
  call graphs()
  call adjacent_graphs()
  call whole_graphs()
  call unweighted_graphs()
  call neighbours()
  call neighbours_with_vectors()
  call neighbours_later()
  call check_end('topologies')

contains

  subroutine cartesian()
    HANDLE(MPI_Comm) :: grid
    integer :: dims(2), coords(2), rank, low, high, status, ndims
    logical :: periods(2)
    dims = 0
    call MPI_Dims_create(6, 2, dims, ierr); OK
    TRUE(all(dims == [3, 2]))
    dims = [3, 1]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid, ierr); OK
    call MPI_Topo_test(grid, status, ierr); OK
    IS(status, MPI_CART)
    call MPI_Topo_test(MPI_COMM_WORLD, status, ierr); OK
    IS(status, MPI_UNDEFINED)
    call MPI_Cartdim_get(grid, ndims, ierr); OK
    IS(ndims, 2)
    dims = 0; coords = -1
    call MPI_Cart_get(grid, 2, dims, periods, coords, ierr); OK
    TRUE(all(dims == [3, 1]))
    IS(periods(1), .true.)
    IS(periods(2), .false.)
    TRUE(all(coords == [me, 0]))
    call MPI_Cart_coords(grid, 2, 2, coords, ierr); OK
    TRUE(all(coords == [2, 0]))
    call MPI_Cart_rank(grid, [-1, 0], rank, ierr); OK
    IS(rank, 2)
    call MPI_Cart_shift(grid, 0, 1, low, high, ierr); OK
    IS(low, modulo(me - 1, 3))
    IS(high, modulo(me + 1, 3))
    call MPI_Cart_shift(grid, 1, 1, low, high, ierr); OK
    IS(low, MPI_PROC_NULL)
    IS(high, MPI_PROC_NULL)
    call MPI_Comm_free(grid, ierr); OK
  end subroutine

  subroutine subgrids()
    HANDLE(MPI_Comm) :: grid
    HANDLE(MPI_Comm) :: line
    integer :: size, dims(1), coords(1)
    logical :: periods(1)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [1, 3], [.false., .true.], .true., grid, ierr); OK
    call MPI_Cart_sub(grid, [.false., .true.], line, ierr); OK
    call MPI_Comm_size(line, size, ierr); OK
    IS(size, 3)
    call MPI_Cart_get(line, 1, dims, periods, coords, ierr); OK
    IS(dims(1), 3)
    IS(periods(1), .true.)
    call MPI_Comm_free(line, ierr); OK
    call MPI_Cart_sub(grid, [.true., .false.], line, ierr); OK
    call MPI_Comm_size(line, size, ierr); OK
    IS(size, 1)
    call MPI_Comm_free(line, ierr); OK
    call MPI_Comm_free(grid, ierr); OK
    ! Too few places: some process gets no grid.
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [2], [.false.], .false., grid, ierr); OK
    TRUE((grid == MPI_COMM_NULL) .eqv. me == 2)
    if (me < 2) call MPI_Comm_free(grid, ierr)
  end subroutine

  subroutine mapping()
    integer :: rank
    call MPI_Cart_map(MPI_COMM_WORLD, 1, [3], [.true.], rank, ierr); OK
    TRUE(rank >= 0 .and. rank < 3)
    call MPI_Graph_map(MPI_COMM_WORLD, 3, [1, 2, 2], [1, 0], rank, ierr); OK
    TRUE(rank >= 0 .and. rank < 3)
  end subroutine

  subroutine graphs()
    HANDLE(MPI_Comm) :: graph
    integer :: nodes, edges, index(3), ends(4), count, status
    call MPI_Graph_create(MPI_COMM_WORLD, 3, [2, 3, 4], [1, 2, 0, 0], .false., graph, ierr); OK
    call MPI_Topo_test(graph, status, ierr); OK
    IS(status, MPI_GRAPH)
    call MPI_Graphdims_get(graph, nodes, edges, ierr); OK
    IS(nodes, 3)
    IS(edges, 4)
    call MPI_Graph_get(graph, 3, 4, index, ends, ierr); OK
    TRUE(all(index == [2, 3, 4]))
    TRUE(all(ends == [1, 2, 0, 0]))
    call MPI_Graph_neighbors_count(graph, 0, count, ierr); OK
    IS(count, 2)
    call MPI_Graph_neighbors(graph, 0, 2, ends, ierr); OK
    TRUE(all(ends(1:2) == [1, 2]))
    call MPI_Comm_free(graph, ierr); OK
  end subroutine

  ! A ring: every process hears from the one before it, and speaks to the next.
  subroutine adjacent_graphs()
    HANDLE(MPI_Comm) :: graph
    integer :: in, out, from(1), to(1), weight_in(1), weight_out(1), status
    logical :: weighted
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [modulo(me - 1, 3)], [10 + me], 1, [modulo(me + 1, 3)], &
      [20 + me], MPI_INFO_NULL, .false., graph, ierr); OK
    call MPI_Topo_test(graph, status, ierr); OK
    IS(status, MPI_DIST_GRAPH)
    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierr); OK
    IS(in, 1)
    IS(out, 1)
    IS(weighted, .true.)
    call MPI_Dist_graph_neighbors(graph, 1, from, weight_in, 1, to, weight_out, ierr); OK
    IS(from(1), modulo(me - 1, 3))
    IS(to(1), modulo(me + 1, 3))
    IS(weight_in(1), 10 + me)
    IS(weight_out(1), 20 + me)
    call MPI_Comm_free(graph, ierr); OK
  end subroutine

  subroutine whole_graphs()
    HANDLE(MPI_Comm) :: graph
    integer :: in, out, from(3), to(3), weight_in(3), weight_out(3)
    logical :: weighted
    ! Rank 0 knows all edges: 0 -> 1, 0 -> 2, 1 -> 2.
    call MPI_Dist_graph_create(MPI_COMM_WORLD, merge(2, 0, me == 0), [0, 1], [2, 1], [1, 2, 2], [5, 6, 7], &
      MPI_INFO_NULL, .false., graph, ierr); OK
    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierr); OK
    IS(in, me)
    IS(out, 2 - me)
    IS(weighted, .true.)
    call MPI_Dist_graph_neighbors(graph, in, from, weight_in, out, to, weight_out, ierr); OK
    if (me == 2) then
      IS(sum(weight_in(1:2)), 13)
    else if (me == 0) then
      IS(sum(weight_out(1:2)), 11)
    end if
    call MPI_Comm_free(graph, ierr); OK
  end subroutine

  subroutine unweighted_graphs()
    HANDLE(MPI_Comm) :: graph
    integer :: in, out, from(1), to(1)
    logical :: weighted
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [modulo(me - 1, 3)], MPI_UNWEIGHTED, 1, [modulo(me + 1, 3)], &
      MPI_UNWEIGHTED, MPI_INFO_NULL, .true., graph, ierr); OK
    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierr); OK
    IS(weighted, .false.)
    call MPI_Dist_graph_neighbors(graph, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, ierr); OK
    IS(in, 1)
    call MPI_Comm_free(graph, ierr); OK
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [me], [1], [modulo(me + 1, 3)], MPI_UNWEIGHTED, MPI_INFO_NULL, &
      .false., graph, ierr); OK
    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierr); OK
    IS(weighted, .false.)
    call MPI_Comm_free(graph, ierr); OK
    ! Nobody has neighbours, but all of them have weights.
    if (known_fault('weights-empty')) return
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, from, MPI_WEIGHTS_EMPTY, 0, to, &
      MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., graph, ierr); OK
    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierr); OK
    IS(weighted, .true.)
    call MPI_Comm_free(graph, ierr); OK
  end subroutine

  subroutine ring(comm)
    HANDLE(MPI_Comm) :: comm
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [3], [.true.], .false., comm, ierr); OK
  end subroutine

  subroutine neighbours()
    HANDLE(MPI_Comm) :: comm
    integer :: out(2), in(2), left, right
    call ring(comm)
    left = modulo(me - 1, 3)
    right = modulo(me + 1, 3)
    call MPI_Neighbor_allgather(me, 1, MPI_INTEGER, in, 1, MPI_INTEGER, comm, ierr); OK
    TRUE(all(in == [left, right]))
    out = [100, 200] + me
    call MPI_Neighbor_alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, comm, ierr); OK
    TRUE(all(in == [200 + left, 100 + right]))
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  subroutine neighbours_with_vectors()
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Datatype) :: types(2)
    integer :: out(2), in(3), left, right, counts(2), displacements(2)
    integer(kind=MPI_ADDRESS_KIND) :: bytes(2)
    call ring(comm)
    left = modulo(me - 1, 3)
    right = modulo(me + 1, 3)
    counts = 1
    displacements = [2, 0]
    in = -1
    call MPI_Neighbor_allgatherv(me, 1, MPI_INTEGER, in, counts, displacements, MPI_INTEGER, comm, ierr); OK
    TRUE(all(in == [right, -1, left]))
    out = [100, 200] + me
    in = -1
    call MPI_Neighbor_alltoallv(out, counts, [0, 1], MPI_INTEGER, in, counts, displacements, MPI_INTEGER, comm, ierr); OK
    TRUE(all(in == [100 + right, -1, 200 + left]))
    types = MPI_INTEGER
    bytes = [8, 0]
    if (.not. known_fault('neighbor-alltoallw')) then
      in = -1
      call MPI_Neighbor_alltoallw(out, counts, [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], types, in, counts, bytes, &
        types, comm, ierr); OK
      TRUE(all(in == [100 + right, -1, 200 + left]))
    end if
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  subroutine neighbours_later()
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Datatype) :: types(2)
    HANDLE(MPI_Request) :: requests(5)
    integer :: left, right, counts(2), zero(2), requested
    integer ASYNCHRONOUS_ATTRIBUTE :: mine, out(2), in(2), a(2), b(2), c(2), d(2)
    integer(kind=MPI_ADDRESS_KIND) :: bytes(2)
    call ring(comm)
    left = modulo(me - 1, 3)
    right = modulo(me + 1, 3)
    counts = 1
    zero = [0, 1]
    types = MPI_INTEGER
    bytes = [0, 4]
    mine = me
    out = [100, 200] + me
    call MPI_Ineighbor_allgather(mine, 1, MPI_INTEGER, in, 1, MPI_INTEGER, comm, requests(1), ierr); OK
    call MPI_Ineighbor_allgatherv(mine, 1, MPI_INTEGER, a, counts, zero, MPI_INTEGER, comm, requests(2), ierr); OK
    call MPI_Ineighbor_alltoall(out, 1, MPI_INTEGER, b, 1, MPI_INTEGER, comm, requests(3), ierr); OK
    call MPI_Ineighbor_alltoallv(out, counts, zero, MPI_INTEGER, c, counts, zero, MPI_INTEGER, comm, requests(4), ierr); OK
    requested = 4
    d = [200 + left, 100 + right]
    if (.not. known_fault('neighbor-alltoallw')) then
      d = -1
      requested = 5
      call MPI_Ineighbor_alltoallw(out, counts, bytes, types, d, counts, bytes, types, comm, requests(5), ierr); OK
    end if
    call MPI_Waitall(requested, requests, MPI_STATUSES_IGNORE, ierr); OK
    TRUE(all(in == [left, right]))
    TRUE(all(a == [left, right]))
    TRUE(all(b == [200 + left, 100 + right]))
    TRUE(all(c == b))
    TRUE(all(d == b))
    call MPI_Comm_free(comm, ierr); OK
  end subroutine
end program
