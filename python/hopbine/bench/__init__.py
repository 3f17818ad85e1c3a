"""Measuring collectives: hopbine's algorithms against the MPI library's own, in one run."""
