/// The library's functions of MPI 4 with counts of type MPI_Count. They are weak: libraries of MPI
/// 3 have none, and a runtime must load there too. Only a program that calls one needs them.
#pragma once
#include <mpi.h>

#pragma weak PMPI_Allgather_c
#pragma weak PMPI_Allgatherv_c
#pragma weak PMPI_Allreduce_c
#pragma weak PMPI_Alltoall_c
#pragma weak PMPI_Alltoallv_c
#pragma weak PMPI_Bcast_c
#pragma weak PMPI_Exscan_c
#pragma weak PMPI_Gather_c
#pragma weak PMPI_Gatherv_c
#pragma weak PMPI_Iallgather_c
#pragma weak PMPI_Iallgatherv_c
#pragma weak PMPI_Iallreduce_c
#pragma weak PMPI_Ialltoall_c
#pragma weak PMPI_Ialltoallv_c
#pragma weak PMPI_Ibcast_c
#pragma weak PMPI_Iexscan_c
#pragma weak PMPI_Igather_c
#pragma weak PMPI_Igatherv_c
#pragma weak PMPI_Ineighbor_allgather_c
#pragma weak PMPI_Ineighbor_allgatherv_c
#pragma weak PMPI_Ineighbor_alltoall_c
#pragma weak PMPI_Ineighbor_alltoallv_c
#pragma weak PMPI_Ireduce_c
#pragma weak PMPI_Ireduce_scatter_block_c
#pragma weak PMPI_Ireduce_scatter_c
#pragma weak PMPI_Iscan_c
#pragma weak PMPI_Iscatter_c
#pragma weak PMPI_Iscatterv_c
#pragma weak PMPI_Neighbor_allgather_c
#pragma weak PMPI_Neighbor_allgatherv_c
#pragma weak PMPI_Neighbor_alltoall_c
#pragma weak PMPI_Neighbor_alltoallv_c
#pragma weak PMPI_Reduce_c
#pragma weak PMPI_Reduce_scatter_block_c
#pragma weak PMPI_Reduce_scatter_c
#pragma weak PMPI_Scan_c
#pragma weak PMPI_Scatter_c
#pragma weak PMPI_Scatterv_c
