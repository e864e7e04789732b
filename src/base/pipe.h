/* Writing to a process that may have exited. */
#ifndef BASE_PIPE_H
#define BASE_PIPE_H

#include <stddef.h>
#include <sys/types.h>

/* Like write(2), but goes on after a signal and raises no SIGPIPE. If the reader is gone, it returns -1 with EPIPE,
 * whatever the process's disposition of SIGPIPE is. Write at most PIPE_BUF bytes to a pipe at a time: then either all
 * or none are written. */
ssize_t pipe_write(int fd, const void *bytes, size_t n);

#endif
