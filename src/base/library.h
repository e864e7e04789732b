/* Functions of shared libraries that are loaded when they are first needed. */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* Sets the pointer to a function at `function`, of what dlopen(3) gave. POSIX lets dlsym(3) give functions as pointers
 * to data. False and NULL: the library lacks it. */
static inline bool
library_find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	memcpy(function, &found, sizeof found);
	return found != NULL;
}

#endif
