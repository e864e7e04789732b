#include "cli/work_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"

void
work_sink_begin_file(struct work_sink *s, const char *path)
{
	*s = (struct work_sink){.path = path, .fd = -1};
}

void
work_sink_begin(struct work_sink *s, const struct options *o)
{
	work_sink_begin_file(s, o->output && !str_eq(o->output, "-") ? o->output : NULL);
}

/* Beside the target first, then renamed over it: a reader never sees half a file. */
static bool
open_beside(struct work_sink *s)
{
	if (s->beside)
		return true;
	s->beside = str_format("%s.%ld.part", s->path, (long)getpid());
	s->fd = open(s->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return s->fd >= 0;
}

static bool
write_all(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t some = write(fd, text, n);

		if (some < 0 && errno == EINTR)
			continue;
		if (some <= 0)
			return false;
		text += some;
		n -= (size_t)some;
	}
	return true;
}

static bool
put(struct work_sink *s, const struct str *text, struct err *e)
{
	if (s->path && (!open_beside(s) || !write_all(s->fd, str_text(text), text->n)))
		return err_set(e, "cannot write %s: %s", s->path, strerror(errno));
	if (!s->path && (fwrite(str_text(text), 1, text->n, stdout) != text->n || fflush(stdout) != 0))
		return err_set(e, "cannot write to standard output: %s", strerror(errno));
	return true;
}

bool
work_sink_drain(struct work_sink *s, struct str *text, struct err *e)
{
	bool good = put(s, text, e);

	str_clear(text);
	return good;
}

bool
work_sink_end(struct work_sink *s, const struct str *text, bool good, struct err *e)
{
	bool written = !good || put(s, text, e);

	if (s->fd >= 0 && close(s->fd) != 0 && good && written)
		written = err_set(e, "cannot write %s: %s", s->path, strerror(errno));
	if (s->fd >= 0 && good && written && rename(s->beside, s->path) != 0)
		written = err_set(e, "cannot write %s: %s", s->path, strerror(errno));
	if (s->fd >= 0 && !(good && written))
		unlink(s->beside);
	free(s->beside);
	s->beside = NULL;
	s->fd = -1;
	return written;
}
