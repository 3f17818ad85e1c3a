! Heat in a rod: explicit steps on a distributed grid, the residual summed over all ranks in every step.
!   mpiexec -n 8 ./heat
program heat
  use mpi
  implicit none
  integer, parameter :: points = 512, steps = 200
  integer :: rank, ranks, error, step, i, left, right
  double precision :: u(0:points + 1), next(points), change, total, setup(2)
  double precision, allocatable :: profile(:)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  setup = 0
  if (rank == 0) setup = [0.25d0, 100.0d0]
  call MPI_Bcast(setup, 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)

  left = merge(MPI_PROC_NULL, rank - 1, rank == 0)
  right = merge(MPI_PROC_NULL, rank + 1, rank == ranks - 1)
  u = 0
  if (rank == 0) u(0) = setup(2)
  do step = 1, steps
    call MPI_Sendrecv(u(1), 1, MPI_DOUBLE_PRECISION, left, 0, u(points + 1), 1, MPI_DOUBLE_PRECISION, right, 0, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Sendrecv(u(points), 1, MPI_DOUBLE_PRECISION, right, 0, u(0), 1, MPI_DOUBLE_PRECISION, left, 0, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    if (rank == 0) u(0) = setup(2)
    next = u(1:points) + setup(1) * (u(0:points - 1) - 2 * u(1:points) + u(2:points + 1))
    change = sum((next - u(1:points))**2)
    u(1:points) = next
    call MPI_Allreduce(MPI_IN_PLACE, change, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end do
  allocate (profile(ranks))
  total = sum(u(1:points))
  call MPI_Allgather(total, 1, MPI_DOUBLE_PRECISION, profile, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
  if (rank == 0) then
    print '(a, es14.6)', 'change in the last step', change
    do i = 1, min(ranks, 4)
      print '(a, i0, a, es14.6)', 'heat on part ', i, ': ', profile(i)
    end do
  end if
  call MPI_Finalize(error)
end program heat
