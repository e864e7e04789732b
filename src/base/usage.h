/* What this process takes for itself. */
#ifndef BASE_USAGE_H
#define BASE_USAGE_H

/* Seconds of the processor since it began, user's and system's. */
double usage_seconds(void);
/* Bytes of memory that it shares with no file: resident pages without the shared ones (statm of proc(5)); NAN: not
 * told. */
double usage_memory(void);

#endif
