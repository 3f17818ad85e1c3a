"""Finding out by measurement which algorithm serves which size best.

And whether any is faster than the MPI library.
"""
