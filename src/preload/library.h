/* The MPI library of the process, however it was loaded. */
#ifndef HOPBINE_LIBRARY_H
#define HOPBINE_LIBRARY_H

/* Finds the MPI library, once. */
void find_library(void);
/* Returns the MPI library's own symbol: the next one in the search order, or that of a library
 * loaded privately (as Python's import does). */
void *real(const char *name);
/* Ends the process: the program called `name`, which no library has. */
void fatal(const char *name);
/* Which runtime serves programs of the MPI library: "openmpi", "mpich" or "abi". */
const char *family_of_library(void);
/* Path of the library that a symbol lies in; "" for none. */
const char *file_of(void *symbol);

#endif
