#include "work/timeline/metrics_feed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "work/files/files.h"
#include "work/files/keep.h"
#include "work/files/metric_text.h"
#include "work/files/recording.h"
#include "work/timeline/exported_metrics.h"

#define MOST_ROWS 1000
#define MOST_KEPT ((size_t)1 << 20)

struct metrics_feed {
	char *path, *kept, *to;
	struct exported_rows *rows; /* per observation: taken before first; read before end */
	size_t n, cap;
	uint64_t bytes;
	size_t waiting;
};

/* "TO<tab>BYTES ROWS ROWS…": takes what is kept of the destination. */
static bool
take_kept(struct metrics_feed *feed, const char *line)
{
	size_t length = strlen(feed->to);
	char *end;

	if (strncmp(line, feed->to, length) != 0 || line[length] != '\t')
		return false;
	feed->bytes = strtoull(line + length + 1, &end, 10);
	while (*end == ' ') {
		mem_grow(&feed->rows, &feed->cap, feed->n + 1, sizeof *feed->rows);
		feed->rows[feed->n++].first = strtoull(end + 1, &end, 10);
	}
	return true;
}

/* Returns the lines of FILE.sent; no file has none. NULL and *e on failure. */
static char *
read_kept(const struct metrics_feed *feed, struct err *e)
{
	size_t n;

	return access(feed->kept, F_OK) == 0 ? file_read(feed->kept, MOST_KEPT, &n, e) : mem_str("");
}

struct metrics_feed *
metrics_feed_new(const char *path, const char *to, struct err *e)
{
	struct metrics_feed *feed = mem_new(sizeof *feed);
	char *text;

	feed->path = mem_str(path);
	feed->kept = str_format("%s.sent", path);
	if (!to)
		return feed;
	feed->to = mem_str(to);
	text = read_kept(feed, e);
	if (!text) {
		metrics_feed_free(feed);
		return NULL;
	}
	for (char *line = text, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (take_kept(feed, line))
			break;
	}
	free(text);
	return feed;
}

void
metrics_feed_free(struct metrics_feed *feed)
{
	if (!feed)
		return;
	free(feed->path);
	free(feed->kept);
	free(feed->to);
	free(feed->rows);
	free(feed);
}

uint64_t
metrics_feed_bytes(const struct metrics_feed *feed)
{
	return feed->bytes;
}

size_t
metrics_feed_waiting(const struct metrics_feed *feed)
{
	return feed->waiting;
}

static bool
add_line(void *ctx, const struct metric_point *point, struct err *e)
{
	(void)e;
	metric_line_protocol(point, ctx);
	return true;
}

/* Decides which rows come next. False and *e: the file has fewer rows than were sent. */
static bool
choose_rows(struct metrics_feed *feed, const struct obs_table *table, bool *more, struct err *e)
{
	bool lost = feed->n > table->n;

	*more = false;
	feed->waiting = 0;
	for (size_t i = 0; i < table->n && !lost; i++) {
		size_t n = table->obs[i]->n_rows;

		if (i == feed->n) {
			mem_grow(&feed->rows, &feed->cap, feed->n + 1, sizeof *feed->rows);
			feed->rows[feed->n++] = (struct exported_rows){0};
		}
		lost = n < feed->rows[i].first;
		feed->rows[i].end = n - feed->rows[i].first > MOST_ROWS ? feed->rows[i].first + MOST_ROWS : n;
		*more |= feed->rows[i].end < n;
		feed->waiting += n - feed->rows[i].first;
	}
	if (!lost)
		return true;
	err_set(e, "%s has fewer rows than were sent to %s: it is another recording", feed->path,
		feed->to ? feed->to : "standard output");
	return err_hint(e, "remove %s to send it from the beginning", feed->kept);
}

bool
metrics_feed_read(struct metrics_feed *feed, struct str *out, bool *ended, struct err *e)
{
	/* asked first: rows that come after the end was read wait for the next time */
	char *end = recording_end(feed->path);
	struct recorded *recorded = recorded_open(feed->path, e);
	struct exported_metrics_to how = {.take = add_line, .ctx = out, .each_row = true};
	size_t undated;
	bool more = false, good = recorded && choose_rows(feed, recorded_table(recorded), &more, e);

	how.rows = feed->rows;
	if (good && feed->waiting)
		good = exported_metrics(feed->path, recorded_table(recorded), &how, &undated, e);
	*ended = good && end && !more;
	free(end);
	recorded_free(recorded);
	return good;
}

bool
metrics_feed_taken(struct metrics_feed *feed, uint64_t bytes, struct err *e)
{
	struct str text = {0};
	size_t length;
	char *others;
	bool good;

	feed->bytes = bytes;
	for (size_t i = 0; i < feed->n; i++)
		feed->rows[i].first = feed->rows[i].end;
	if (!feed->to)
		return true;
	others = read_kept(feed, e);
	good = others != NULL;
	length = strlen(feed->to);
	str_addf(&text, "%s\t%" PRIu64, feed->to, bytes);
	for (size_t i = 0; i < feed->n; i++)
		str_addf(&text, " %zu", feed->rows[i].first);
	str_addc(&text, '\n');
	for (const char *line = good ? others : ""; *line;) {
		size_t n = strcspn(line, "\n");

		if (strncmp(line, feed->to, length) != 0 || line[length] != '\t')
			str_addf(&text, "%.*s\n", (int)n, line);
		line += n + (line[n] == '\n');
	}
	free(others);
	good = good && keep_write(feed->kept, &text, e);
	str_free(&text);
	return good;
}
