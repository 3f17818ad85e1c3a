/* Whether all ranks of a job run under hopbine: the preload library finds it out for the
 * runtime. */
#ifndef HOPBINE_MPI_PRESENCE_H
#define HOPBINE_MPI_PRESENCE_H

enum presence { PRESENCE_UNKNOWN = -1, PRESENCE_SOME = 0, PRESENCE_ALL = 1 };

#endif
