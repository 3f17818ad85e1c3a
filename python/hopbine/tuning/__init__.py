"""Finding out by measurement which algorithm serves which size best, and whether any is faster than the MPI library."""
