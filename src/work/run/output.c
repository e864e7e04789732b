#include "work/run/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#define TAIL_BYTES ((size_t)256 * 1024)

struct output {
	int fd;
	size_t seen;
};

struct output *
output_new(struct err *e)
{
	const char *dir = getenv("TMPDIR");
	char *path = str_format("%s/hecate-output-XXXXXX", dir && *dir ? dir : "/tmp");
	int fd = mkostemp(path, O_CLOEXEC | O_APPEND);
	struct output *output = NULL;

	if (fd >= 0) {
		unlink(path);
		output = mem_new(sizeof *output);
		output->fd = fd;
	} else {
		err_set(e, "cannot make a temporary file %s for the command's output: %s", path, strerror(errno));
		err_hint(e, "set TMPDIR to a folder with room");
	}
	free(path);
	return output;
}

void
output_free(struct output *o)
{
	if (!o)
		return;
	close(o->fd);
	free(o);
}

int
output_fd(const struct output *o)
{
	return o->fd;
}

void
output_read(struct output *output, struct str *text, size_t *total)
{
	struct stat st;
	size_t size, from;
	char *tail;
	ssize_t n;

	if (fstat(output->fd, &st) != 0 || (size_t)st.st_size == output->seen)
		return;
	size = (size_t)st.st_size;
	from = size > TAIL_BYTES ? size - TAIL_BYTES : 0;
	tail = mem_new(size - from);
	n = pread(output->fd, tail, size - from, (off_t)from);
	if (n >= 0) {
		str_clear(text);
		str_addn(text, tail, (size_t)n);
		output->seen = *total = size;
	}
	free(tail);
}

bool
output_save(const char *path, const struct str *text, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool good = fd >= 0;

	for (size_t at = 0; good && at < text->n;) {
		ssize_t n = write(fd, text->s + at, text->n - at);

		good = n > 0 || (n < 0 && errno == EINTR);
		at += n > 0 ? (size_t)n : 0;
	}
	if (!good)
		err_set(e, "cannot write %s here: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return good;
}
