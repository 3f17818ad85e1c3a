/* The MPI library of the process, however it was loaded. */
#ifndef HOPBINE_LIBRARY_H
#define HOPBINE_LIBRARY_H

/* Looks for it, once. */
void find_library(void);
/* The MPI library's own symbol: next in line, or in a library that was loaded privately (as
 * Python's import does). */
void *real(const char *name);
/* Ends the process: function `name` was called, and no library has it. */
void fatal(const char *name);
/* The path of the library that a symbol lies in; "": none. */
const char *file_of(void *symbol);

#endif
