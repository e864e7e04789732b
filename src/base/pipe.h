/* Writing to a process that may have gone. */
#ifndef BASE_PIPE_H
#define BASE_PIPE_H

#include <stddef.h>
#include <sys/types.h>

/* write(2), which is tried again when a signal interrupts it, and without SIGPIPE: where nobody reads any more it is -1
 * with EPIPE, whatever the process does with that signal otherwise. For at most PIPE_BUF bytes to a pipe: all are
 * written, or none. */
ssize_t pipe_write(int fd, const void *bytes, size_t n);

#endif
