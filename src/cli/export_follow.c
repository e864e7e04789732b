#include "cli/export_follow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "work/files/metric_text.h"
#include "work/files/post.h"
#include "work/files/recording.h"
#include "work/timeline/exported_metrics.h"
#include "work/timeline/metrics_feed.h"

#define POST_BYTES ((size_t)1 << 20) /* of one request */
#define LONGEST_WAIT 30.0            /* seconds between two tries while a server is away */

struct following {
	const struct options *options;
	struct signals signals;
	const char *to;  /* NULL: standard output */
	bool address;
	int fd;          /* the file or pipe; -1: an address */
	bool regular;    /* a file that can be cut back to what is kept of it */
	bool away;       /* said that the server is away */
	double wait;     /* seconds until the next look */
};

/* Opens the destination. A file that was not begun by such an export is left alone. */
static bool
open_destination(struct following *f, uint64_t had, struct err *e)
{
	struct stat st;

	f->fd = -1;
	f->address = f->to && post_is_address(f->to);
	if (f->address)
		return true;
	f->fd = f->to ? open(f->to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : STDOUT_FILENO;
	if (f->fd < 0 || fstat(f->fd, &st) < 0)
		return err_set(e, "cannot write %s: %s", f->to ? f->to : "standard output", strerror(errno));
	f->regular = f->to && S_ISREG(st.st_mode);
	if (!f->regular || (uint64_t)st.st_size <= had)
		return true;
	if (had == 0) {
		err_set(e, "%s exists, and this session was not sent to it", f->to);
		return err_hint(e, "give another name, or remove it");
	}
	/* what an interrupted export wrote without keeping that it did */
	return ftruncate(f->fd, (off_t)had) == 0 || err_set(e, "cannot shorten %s: %s", f->to, strerror(errno));
}

static bool
write_all(const struct following *f, const struct str *text, struct err *e)
{
	for (size_t at = 0; at < text->n;) {
		ssize_t n = write(f->fd, text->s + at, text->n - at);

		if (n < 0 && errno != EINTR)
			return err_set(e, "cannot write %s: %s", f->to ? f->to : "standard output", strerror(errno));
		at += n > 0 ? (size_t)n : 0;
	}
	return !f->regular || fdatasync(f->fd) == 0 || err_set(e, "cannot write %s: %s", f->to, strerror(errno));
}

/* Posts the lines in requests that a server takes. */
static enum post_answer
post_lines(const struct following *f, const struct str *text, struct err *e)
{
	enum post_answer answer = POST_TAKEN;

	for (size_t at = 0; at < text->n && answer == POST_TAKEN;) {
		size_t n = text->n - at;

		if (n > POST_BYTES)
			for (n = POST_BYTES; n > 1 && text->s[at + n - 1] != '\n';)
				n--;
		answer = post_text(f->to, text->s + at, n, e);
		at += n;
	}
	return answer;
}

/* Sends a text. *taken: it is there. False and *e: it never will be. */
static bool
send_text(struct following *f, const struct str *text, size_t rows, bool *taken, struct err *e)
{
	enum post_answer answer;

	if (!f->address)
		return *taken = write_all(f, text, e);
	answer = post_lines(f, text, e);
	*taken = answer == POST_TAKEN;
	if (answer == POST_REFUSED)
		return false;
	if (*taken && f->away)
		log_line(NULL, "%s answers again", f->to);
	if (!*taken && !f->away)
		log_line(NULL, "%s; %zu rows wait in %s", e->what, rows, f->options->arg[0]);
	f->away = !*taken;
	f->wait = *taken ? 0 : f->wait < 1 ? 1 : f->wait * 2 < LONGEST_WAIT ? f->wait * 2 : LONGEST_WAIT;
	return true;
}

/* Waits for the next look. False: a signal arrived. */
static bool
wait_for_next(const struct following *f)
{
	double seconds = f->wait > 0 ? f->wait : (double)(f->options->interval ? f->options->interval : 1000) / 1000;
	struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

	ppoll(NULL, 0, &t, &f->signals.during);
	return !signals_caught();
}

/* Sends rows as they come. */
static bool
follow_rows(struct following *f, struct err *e)
{
	struct metrics_feed *feed = metrics_feed_new(f->options->arg[0], f->to, e);
	uint64_t bytes = feed ? metrics_feed_bytes(feed) : 0;
	struct str text = {0};
	bool good = feed && open_destination(f, bytes, e), ended = false, taken = true;

	while (good) {
		str_clear(&text);
		good = metrics_feed_read(feed, &text, &ended, e) &&
			(!text.n || send_text(f, &text, metrics_feed_waiting(feed), &taken, e));
		if (good && text.n && taken)
			good = metrics_feed_taken(feed, bytes += f->regular ? text.n : 1, e);
		if (!good || (ended && taken) || ((!text.n || !taken) && !wait_for_next(f)) || signals_interrupted())
			break;
	}
	if (good && f->away)
		log_line(NULL, "%zu rows were not sent; the same command sends them", metrics_feed_waiting(feed));
	str_free(&text);
	metrics_feed_free(feed);
	return good;
}

static bool
add_to_family(void *ctx, const struct metric_point *point, struct err *e)
{
	(void)e;
	metric_families_add(ctx, point);
	return true;
}

/* Writes the sums anew, as often as the interval says. */
static bool
follow_sums(struct following *f, struct err *e)
{
	bool good = true, ended = false, taken = true;

	f->address = post_is_address(f->to);
	while (good) {
		char *end = recording_end(f->options->arg[0]);
		struct recorded *recorded = recorded_open(f->options->arg[0], e);
		struct metric_families families = {0};
		struct exported_metrics_to how = {.take = add_to_family, .ctx = &families};
		struct str text = {0};
		size_t undated;

		ended = end != NULL;
		good = recorded && exported_metrics(f->options->arg[0], recorded_table(recorded), &how, &undated, e);
		metric_families_write(&families, &text);
		if (good)
			good = f->address ? send_text(f, &text, 0, &taken, e) : writing_file(f->to, &text, e);
		str_free(&text);
		recorded_free(recorded);
		free(end);
		if (!good || (ended && taken) || !wait_for_next(f))
			break;
	}
	return good;
}

int
export_follow(const struct options *options)
{
	const struct export_options *own = options->own;
	struct following f = {.options = options, .to = options->output, .fd = -1};
	struct err e = {0};
	bool good = false;

	if (f.to && str_eq(f.to, "-"))
		f.to = NULL;
	if (!own->line_protocol && !own->prometheus) {
		err_set(&e, "--follow needs --line-protocol or --prometheus");
		err_hint(&e, "the session file itself has all rows");
	} else if (own->prometheus && !f.to) {
		err_set(&e, "--follow --prometheus writes the sums anew each time, so it needs a file or an address");
		err_hint(&e, "-o FILE, or -o http://SERVER/PATH");
	} else {
		signals_block(&f.signals);
		good = own->prometheus ? follow_sums(&f, &e) : follow_rows(&f, &e);
		signals_release(&f.signals);
	}
	if (f.to && f.fd >= 0)
		close(f.fd);
	if (!good)
		return print_failure(&e);
	signals_obey();
	return 0;
}
