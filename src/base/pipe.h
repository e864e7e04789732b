/* Writing to a process that may have exited. */
#ifndef BASE_PIPE_H
#define BASE_PIPE_H

#include <stddef.h>
#include <sys/types.h>

/* write(2) that goes on after a signal and raises no SIGPIPE. When nobody reads any more it returns -1 with EPIPE,
 * whatever the process does with that signal elsewhere. Write at most PIPE_BUF bytes to a pipe: then all are written,
 * or none. */
ssize_t pipe_write(int fd, const void *bytes, size_t n);

#endif
