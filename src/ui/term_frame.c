#include "ui/term_frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"

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

/* The number of a colour at a sequence of ncurses, "\033[38;5;Nm" or "\033[48;5;Nm"; *n is its length. -1: another
 * text. */
static int
color_at(const char *s, size_t *n)
{
	char *end;
	long number;

	if (strncmp(s, "\033[38;5;", 7) != 0 && strncmp(s, "\033[48;5;", 7) != 0)
		return -1;
	number = strtol(s + 7, &end, 10);
	*n = (size_t)(end - s) + 1;
	return *end == 'm' && number >= 0 && number < 256 ? (int)number : -1;
}

/* Adds the frame to `out`, with the colours of its own. */
static void
paint(const struct term_frame *frame, const char *text, size_t size, struct str *out)
{
	size_t from = 0;

	for (size_t at = 0; frame->n_own && at < size; at++) {
		size_t n = 0;
		int own = text[at] == '\033' ? color_at(text + at, &n) - frame->first_own : -1;

		if (own < 0 || own >= frame->n_own)
			continue;
		str_addn(out, text + from, at - from);
		str_addf(out, "\033[%c8;2;%u;%u;%um", text[at + 2], frame->own[own] >> 16 & 255,
			frame->own[own] >> 8 & 255, frame->own[own] & 255);
		from = at + n;
		at = from - 1;
	}
	str_addn(out, text + from, size - from);
}

bool
term_frame_can_paint(const struct term_frame *f)
{
	return f->tty >= 0;
}

bool
term_frame_end(struct term_frame *frame)
{
	struct str made = {0}, sent = {0};
	char part[16384];
	off_t n, at = 0;
	bool good;

	if (frame->tty < 0)
		return true;
	dup3(frame->tty, fileno(frame->out), O_CLOEXEC);
	n = lseek(frame->memory, 0, SEEK_END);
	while (at < n) {
		ssize_t got = pread(frame->memory, part, sizeof part, at);

		if (got <= 0)
			break;
		str_addn(&made, part, (size_t)got);
		at += got;
	}
	paint(frame, str_text(&made), made.n, &sent);
	good = at >= n && term_frame_write_all(frame->tty, str_text(&sent), sent.n);
	str_free(&made);
	str_free(&sent);
	if (n > 0 && ftruncate(frame->memory, 0) == 0)
		lseek(frame->memory, 0, SEEK_SET);
	return good;
}
