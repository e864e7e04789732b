#include "base/journal.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/pipe.h"
#include "base/str.h"

static const char *
path(void)
{
	const char *name = getenv("HECATE_LOG");

	return name && *name ? name : NULL;
}

/* The file is opened for each line: the program has no variable that all of its processes and rooms could share. */
void
journal_line(const char *who, const char *fmt, ...)
{
	const char *file = path();
	int fd = file ? open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666) : -1;
	struct str text = {0}, line = {0};
	va_list ap;

	if (fd < 0)
		return;
	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	log_line(&line, "%.6f %d %-8s %s", clock_seconds(), (int)getpid(), who, str_text(&text));
	pipe_write(fd, str_text(&line), line.n);
	close(fd);
	str_free(&text);
	str_free(&line);
}
