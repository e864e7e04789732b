#include "cli/writing.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/print/print.h"

/* What cannot be written goes nowhere: the text must not grow. */
static void
drain(void *ctx, struct str *text)
{
	struct writing *w = ctx;

	if (!w->failed)
		w->failed = !writing_sink_drain(&w->sink, text, &w->e);
	str_clear(text);
}

void
writing_begin(struct writing *w, const struct options *o)
{
	*w = (struct writing){.drain = {.drain = drain}};
	w->drain.ctx = w;
	w->json = (struct json_writer){.out = &w->text, .drain = &w->drain};
	writing_sink_begin(&w->sink, o);
}

void
writing_drain(struct writing *w)
{
	if (w->text.n > JSON_DRAIN)
		drain(w, &w->text);
}

bool
writing_end(struct writing *w, bool good)
{
	bool written = writing_sink_end(&w->sink, &w->text, good && !w->failed, &w->e) && !w->failed;

	str_free(&w->text);
	if (!written)
		print_failure(&w->e);
	return written && good;
}

/* The path must outlive it. */
static void
writing_sink_begin_file(struct writing_sink *s, const char *path)
{
	*s = (struct writing_sink){.path = path, .target = {.fd = -1}};
	signal(SIGXFSZ, SIG_IGN); /* writing fails instead, and is reported */
}

void
writing_sink_begin(struct writing_sink *s, const struct options *o)
{
	writing_sink_begin_file(s, o->output && !str_eq(o->output, "-") ? o->output : NULL);
}

/* What to do about an error of writing; NULL: its name says it. */
static const char *
remedy(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return "its folder must exist";
	case EISDIR:
		return "name a file in that folder";
	case EACCES:
	case EPERM:
	case EROFS:
		return "name a file where you may write";
	case EFBIG:
		return "a limit of the shell, which ulimit -f shows and raises, or of the file system";
	case ENOSPC:
	case EDQUOT:
		return "make room, or write to another place";
	default:
		return NULL;
	}
}

static bool
cannot_write(const char *where, struct err *e)
{
	const char *hint = remedy(errno);

	err_set(e, "cannot write %s: %s", where, strerror(errno));
	return hint ? err_hint(e, "%s", hint) : false;
}

bool
writing_can(const char *path, struct err *e)
{
	struct output_file f;
	bool good;
	int error;

	if (!path || str_eq(path, "-") || output_file_is_straight(path))
		return true;
	good = output_file_open(&f, path);
	error = errno;
	output_file_close(&f, false);
	errno = error;
	return good || cannot_write(path, e);
}

/* Bytes of a sequence at s that sets a colour of ours: ESC [ 0 m, ESC [ 1;31 m; 0: another text. One that hides text is
 * none. */
static size_t
own_color(const char *s)
{
	size_t n = strspn(s + 2, "0123;");

	return s[0] == '\033' && s[1] == '[' && n < 5 && s[2 + n] == 'm' ? n + 3 : 0;
}

/* A terminal must not obey what a file of others holds. */
static void
make_visible(struct str *out, const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end) {
		const char *p = s;
		size_t color;

		while (p < end && *p != '\n' && *p != '\t' && *p != '\033')
			p++;
		utf8_add_visible(out, s, (size_t)(p - s));
		color = p < end && *p == '\033' ? own_color(p) : 0;
		s = p < end ? p + (color ? color : 1) : p;
		if (color || (p < end && *p != '\033'))
			str_addn(out, p, (size_t)(s - p));
		else
			utf8_add_visible(out, p, (size_t)(s - p));
	}
}

static bool
writing_put(struct writing_sink *s, const struct str *text, struct err *e)
{
	struct str shown = {0};
	bool good;

	if (s->path && s->target.fd < 0 && !output_file_open(&s->target, s->path))
		return cannot_write(s->path, e);
	if (s->path)
		return output_file_write(&s->target, str_text(text), text->n) || cannot_write(s->path, e);
	if (isatty(STDOUT_FILENO)) {
		make_visible(&shown, str_text(text), text->n);
		text = &shown;
	}
	good = fwrite(str_text(text), 1, text->n, stdout) == text->n && fflush(stdout) == 0;
	str_free(&shown);
	return good || cannot_write("to standard output", e);
}

bool
writing_sink_drain(struct writing_sink *s, struct str *text, struct err *e)
{
	bool good = writing_put(s, text, e);

	str_clear(text);
	return good;
}

bool
writing_sink_end(struct writing_sink *s, const struct str *text, bool good, struct err *e)
{
	bool written = !good || writing_put(s, text, e);

	if (!output_file_close(&s->target, good && written) && written)
		written = cannot_write(s->path, e);
	return written;
}

bool
writing_file(const char *path, const struct str *text, struct err *e)
{
	struct writing_sink sink;

	writing_sink_begin_file(&sink, path);
	return writing_sink_end(&sink, text, true, e);
}

bool
writing_is_stream(const struct options *o)
{
	return !o->output || str_eq(o->output, "-") || output_file_is_straight(o->output);
}

bool
writing_flush(struct str *text, struct err *e)
{
	return writing_sink_drain(&(struct writing_sink){.target = {.fd = -1}}, text, e);
}

bool
writing_text(const struct options *o, const struct str *text)
{
	struct writing_sink sink;
	struct err e = {0};

	writing_sink_begin(&sink, o);
	return writing_sink_end(&sink, text, true, &e) || print_failed(&e);
}
