# SPDX-License-Identifier: BSD-3-Clause
# Makes CMake's FindMPI find the standard ABI: cmake -C .../lib/mpi-adapter/abi/mpi-abi.cmake SOURCES
get_filename_component(mpi_adapter_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
# Otherwise the cache keeps what an earlier run found of another MPI.
get_cmake_property(mpi_adapter_cached CACHE_VARIABLES)
if(NOT "${MPI_C_COMPILER}" STREQUAL "${mpi_adapter_prefix}/bin/mpicc_abi")
    foreach(mpi_adapter_name ${mpi_adapter_cached})
        if(mpi_adapter_name MATCHES "^MPI(EXEC)?_")
            unset(${mpi_adapter_name} CACHE)
        endif()
    endforeach()
endif()
set(MPI_C_COMPILER "${mpi_adapter_prefix}/bin/mpicc_abi" CACHE FILEPATH "Compiles C for MPI's standard ABI")
set(MPI_CXX_COMPILER "${mpi_adapter_prefix}/bin/mpicxx_abi" CACHE FILEPATH "Compiles C++ for MPI's standard ABI")
set(MPI_Fortran_COMPILER "${mpi_adapter_prefix}/bin/mpifort_abi" CACHE FILEPATH "Compiles Fortran for MPI's standard ABI")
# The standard ABI has no C++ bindings.
set(MPI_CXX_SKIP_MPICXX ON CACHE BOOL "No C++ bindings of MPI-2")
set(MPIEXEC_EXECUTABLE "${mpi_adapter_prefix}/bin/mpiexec_abi" CACHE FILEPATH "Starts programs on the MPI that is there")
