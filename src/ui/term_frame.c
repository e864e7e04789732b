#include "ui/term_frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* False: the terminal is gone. */
static bool
term_frame_write_all(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t done = write(fd, text, n);

		if (done >= 0) {
			text += done;
			n -= (size_t)done;
		} else if (errno == EAGAIN) { /* another process has made the terminal non-blocking */
			struct pollfd p = {.fd = fd, .events = POLLOUT};

			(void)!poll(&p, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

void
term_frame_open(struct term_frame *frame)
{
	int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	*frame = (struct term_frame){.out = own >= 0 ? fdopen(own, "w") : NULL, .tty = -1, .memory = -1};
	if (!frame->out) {
		if (own >= 0)
			close(own);
		frame->out = stdout;
		return;
	}
	frame->memory = memfd_create("hecate-frame", MFD_CLOEXEC);
	frame->tty = frame->memory >= 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
}

void
term_frame_close(struct term_frame *f)
{
	if (f->tty >= 0)
		close(f->tty);
	if (f->memory >= 0)
		close(f->memory);
	if (f->out != stdout)
		fclose(f->out);
}

void
term_frame_begin(struct term_frame *f)
{
	if (f->tty >= 0)
		dup3(f->memory, fileno(f->out), O_CLOEXEC);
}

bool
term_frame_end(struct term_frame *frame)
{
	char part[16384];
	off_t n, at = 0;

	if (frame->tty < 0)
		return true;
	dup3(frame->tty, fileno(frame->out), O_CLOEXEC);
	n = lseek(frame->memory, 0, SEEK_END);
	while (at < n) {
		ssize_t got = pread(frame->memory, part, sizeof part, at);

		if (got <= 0 || !term_frame_write_all(frame->tty, part, (size_t)got))
			break;
		at += got;
	}
	if (n > 0 && ftruncate(frame->memory, 0) == 0)
		lseek(frame->memory, 0, SEEK_SET);
	return at >= n;
}
