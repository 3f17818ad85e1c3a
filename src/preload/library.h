/* The MPI library of the process, however it was loaded. */
#ifndef HOPBINE_LIBRARY_H
#define HOPBINE_LIBRARY_H

/* Error classes of Open MPI, the only library without some of these functions. */
enum { MPI_ERR_COUNT = 2, MPI_ERR_OTHER = 16 };

/* Finds the MPI library, once. */
void find_library(void);
/* Returns the MPI library's own symbol: the next one in the search order, or that of a library
 * loaded privately (as Python's import does). */
void *real(const char *name);
/* The handle of the MPI library that is loaded, whatever its name is: NULL where none is. `mode` is
 * RTLD_LOCAL, or RTLD_GLOBAL to offer its symbols to all others. */
void *loaded_library(int mode);
/* Which runtime serves programs of the MPI library: "openmpi", "mpich" or "abi". "": its handles
 * are of an ABI that hopbine does not know, such as MPItrampoline's. */
const char *family_of_library(void);
/* Whether a function is the MPI library's own. After find_library. */
int in_library(const void *symbol);
/* Path of the library that a symbol lies in; "" for none. */
const char *file_of(const void *symbol);

/* Whether the next MPI_X in the search order is a profiling tool's. The tool gets the call first
 * and calls PMPI_X, which is intercepted. MPI libraries with MPI_X and PMPI_X in two files are no
 * tools. */
int is_tool(void *next, const char *symbol);
/* What a function is kept as until the type that it is called by is known. */
typedef void (*any_function)(void);
/* The MPI library's own function, or `missing` where it has none; ends the process where that is
 * NULL too. `tool`: set to whether a tool's comes first; NULL: nobody asks. */
any_function found_or(const char *name, any_function missing, int *tool);
/* A persistent collective of an MPI library before MPI 4: Open MPI 4.1 has them under names of its
 * own. In others what hopbine does not serve is an error. */
any_function extension(const char *name);

#endif
