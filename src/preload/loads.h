/* Tells the runtime that the process has loaded a library. */
#ifndef HOPBINE_LOADS_H
#define HOPBINE_LOADS_H

/* Starts to tell, once the runtime is open. `before`: loads_so_far() before it was opened. */
void loads_begin(unsigned before);
unsigned loads_so_far(void);

#endif
