#include "collect/import/feed.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/str.h"
#include "collect/import/import.h"

#define PATIENCE_MS 100  /* while nothing arrives, feed_watch.go_on is called this often */
#define GATHER_SECONDS 0.1 /* a slow pipe is read this often, rather than for each few bytes */

void
feed_open(struct feed *f, const char *name, int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);
	struct stat st;

	*f = (struct feed){.name = name, .fd = fd};
	checksum_begin(&f->sum);
	if (at < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= at)
		return;
	f->next = (uint64_t)at;
	f->size = (uint64_t)(st.st_size - at);
}

void
feed_close(struct feed *f)
{
	free(f->buf);
	f->buf = NULL;
}

uint64_t
feed_at(const struct feed *f, const char *p)
{
	return f->before + (uint64_t)(p - f->buf);
}

uint64_t
feed_sum(const struct feed *f, const char *p)
{
	struct checksum sum = f->sum;

	if (p > f->buf)
		checksum_add(&sum, f->buf, (size_t)(p - f->buf));
	return checksum_value(&sum);
}

uint64_t
feed_mark_sum(const struct feed *f, size_t i)
{
	return f->mark[i] < f->before ? f->mark_sum[i] : feed_sum(f, f->buf + (f->mark[i] - f->before));
}

/* Returns the next mark in [at, end), or `end` without one. */
static uint64_t
next_mark(const struct feed *f, uint64_t at, uint64_t end)
{
	for (size_t i = 0; i < FEED_MARKS; i++)
		if (f->mark[i] >= at && f->mark[i] < end)
			end = f->mark[i];
	return end;
}

/* Adds the window's text before p, which has been read, to the checksum. */
static void
add_to_sum(struct feed *f)
{
	uint64_t end = feed_at(f, f->p), at = f->before, next;

	for (; at < end; at = next) {
		for (size_t i = 0; i < FEED_MARKS; i++)
			if (f->mark[i] == at)
				f->mark_sum[i] = checksum_value(&f->sum);
		next = next_mark(f, at + 1, end);
		checksum_add(&f->sum, f->buf + (at - f->before), (size_t)(next - at));
	}
}

/* Drops the text before p and makes room for `more` bytes after the rest. */
static char *
feed_make_room(struct feed *feed, size_t more)
{
	size_t keep = (size_t)(feed->end - feed->p), need = keep + more + FEED_SLACK;

	if (feed->summing && feed->buf)
		add_to_sum(feed);
	feed->before += feed->buf ? (uint64_t)(feed->p - feed->buf) : 0;
	if (need > feed->cap) {
		char *grown = mem_new(need);

		if (keep)
			memcpy(grown, feed->p, keep);
		free(feed->buf);
		feed->buf = grown;
		feed->cap = need;
	} else if (keep) {
		memmove(feed->buf, feed->p, keep);
	}
	feed->p = feed->buf;
	feed->end = feed->buf + keep;
	return feed->buf + keep;
}

static bool
asked_to_stop(struct feed *f)
{
	f->stopped |= f->watch.go_on && !f->watch.go_on(f->watch.ctx, f);
	return f->stopped;
}

/* Waits until there is something to read. Returns false when go_on() asked to stop. */
static bool
wait_for_text(struct feed *feed)
{
	struct pollfd p = {.fd = feed->fd, .events = POLLIN};
	double begin = clock_seconds();
	int got;

	for (feed->waiting = 0; (got = poll(&p, 1, PATIENCE_MS)) == 0 || (got < 0 && errno == EINTR);) {
		feed->budget = (struct budget){0};
		feed->waiting = clock_seconds() - begin;
		if (asked_to_stop(feed))
			return false;
	}
	feed->waiting = 0;
	return true;
}

/* Returns true when something can be read within so many seconds. */
static bool
has_text(const struct feed *f, double seconds)
{
	struct pollfd p = {.fd = f->fd, .events = POLLIN};

	return poll(&p, 1, seconds > 0 ? (int)(seconds * 1000) : 0) > 0;
}

bool
feed_would_wait(const struct feed *f)
{
	return f->fd >= 0 && !f->size && !has_text(f, 0);
}

static bool
feed_read_descriptor(struct feed *feed, char *to, size_t most, size_t *n, struct err *e)
{
	double begin = clock_seconds();

	for (*n = 0; *n < most;) {
		ssize_t got;

		if (*n ? !has_text(feed, begin + GATHER_SECONDS - clock_seconds()) : !wait_for_text(feed))
			break;
		if (!*n)
			begin = clock_seconds();
		got = read(feed->fd, to + *n, most - *n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(e, "cannot read %s: %s", feed->name, strerror(errno));
		if (got == 0) {
			feed->over = true;
			break;
		}
		*n += (size_t)got;
	}
	return true;
}

/* A window of a regular file is read in pieces of this size, in parallel. */
#define PIECE ((size_t)1 << 20)
#define PIECES_MOST 64

struct pieces {
	const struct feed *f;
	char *to;
	size_t piece, most;
	size_t got[PIECES_MOST];
	int error[PIECES_MOST];
};

static void
read_piece(void *ctx, size_t i)
{
	struct pieces *pieces = ctx;
	size_t first = i * pieces->piece,
	       want = pieces->most - first < pieces->piece ? pieces->most - first : pieces->piece;

	for (pieces->got[i] = 0, pieces->error[i] = 0; pieces->got[i] < want;) {
		ssize_t got = pread(pieces->f->fd, pieces->to + first + pieces->got[i], want - pieces->got[i],
			(off_t)(pieces->f->next + first + pieces->got[i]));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			pieces->error[i] = errno;
		if (got <= 0)
			return;
		pieces->got[i] += (size_t)got;
	}
}

static bool
read_file(struct feed *feed, char *to, size_t most, size_t *n, struct err *e)
{
	struct pieces x = {.f = feed,
		.to = to,
		.most = most,
		.piece = most / PIECES_MOST < PIECE ? PIECE : most / PIECES_MOST + 1};
	struct parallel how = {.each = read_piece, .ctx = &x};
	size_t pieces = (most + x.piece - 1) / x.piece;

	parallel_each(&how, pieces);
	*n = 0;
	for (size_t i = 0; i < pieces && *n == i * x.piece; i++) {
		if (x.error[i])
			return err_set(e, "cannot read %s: %s", feed->name, strerror(x.error[i]));
		*n += x.got[i];
	}
	feed->over = *n == 0;
	feed->next += *n;
	return true;
}

static void
feed_take_text(struct feed *f, char *to, size_t most, size_t *n)
{
	*n = f->left < most ? f->left : most;
	if (f->piece && *n > f->piece)
		*n = f->piece;
	if (*n)
		memcpy(to, f->text, *n);
	f->text += *n;
	f->left -= *n;
	f->over = f->left == 0;
}

bool
feed_more(struct feed *feed, struct err *e)
{
	size_t window = feed->window ? feed->window : FEED_WINDOW * parallel_threads(),
	       keep = (size_t)(feed->end - feed->p), want = keep < window / 2 ? window : 2 * keep + 1, n = 0;
	char *to;

	if (keep > FEED_LONGEST) {
		err_set(e, "a line is longer than %zu MB", FEED_LONGEST >> 20);
		err_hint(e, "is this a text file with a row in each line?");
		return err_place(e, feed->name, 0, 0);
	}
	if (budget_examine(&feed->budget, feed_at(feed, feed->end)))
		return budget_refuse(&feed->budget, feed->name, e);
	if (feed->fd < 0 && want > keep + feed->left)
		want = keep + feed->left;
	to = feed_make_room(feed, want - keep);
	if (feed->fd < 0)
		feed_take_text(feed, to, want - keep, &n);
	else if (!(feed->size ? read_file : feed_read_descriptor)(feed, to, want - keep, &n, e))
		return err_place(e, feed->name, 0, 0);
	memset(to + n, 0, FEED_SLACK);
	feed->end = to + n;
	feed->over |= asked_to_stop(feed);
	return true;
}

char *
feed_own_name(const char *file)
{
	const char *base = strrchr(file, '/'), *dot;

	base = base ? base + 1 : file;
	if (!*base || str_eq(base, "-"))
		return mem_str("stdin");
	dot = strrchr(base, '.');
	return mem_strn(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

bool
feed_more_rows(struct feed *f, const struct import_how *how, struct obs_table *t, struct err *e)
{
	const struct import_drain *d = how->drain;

	/* whatever has arrived is handed over before waiting */
	if (d && feed_would_wait(f) && !d->take(d->ctx, t, f, e))
		return false;
	if (!feed_more(f, e))
		return false;
	return !d || (f->over && f->p == f->end) || d->take(d->ctx, t, f, e);
}

struct obs_table *
feed_read_text(feed_reader *read, const char *name, const char *text, size_t n, size_t piece,
	const struct import_how *how, struct err *e)
{
	struct feed f = {.name = name, .fd = -1, .text = text, .left = n, .piece = piece, .size = n};
	struct obs_table *t;

	checksum_begin(&f.sum);
	t = read(&f, how, e);
	feed_close(&f);
	return t;
}
