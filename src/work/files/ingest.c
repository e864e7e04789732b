#include "work/files/ingest.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/feed.h"
#include "collect/import/import.h"
#include "collect/store/session_file.h"
#include "core/obs/damage.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "work/files/data.h"
#include "work/files/files.h"
#include "work/files/ingest_mark.h"
#include "work/files/ingest_session.h"
#include "work/files/simulation.h"
#include "work/files/stored.h"

#define COMMIT_SECONDS 1.0 /* seconds of import that a kill may lose at most */

enum { MARK_FIRST, MARK_HEAD, MARK_OLD }; /* checksum marks of a feed */

struct ingest {
	struct session_file *file;
	const struct ingest_how *how;
	struct ingest_result *result;
	struct ingest_mark now, old; /* marks of this import and of the interrupted one */
	double committed_at;
	bool open;                   /* a transaction is open */
	bool ends;                   /* the current file ends in the middle of a row */
	/* The file that is being read. */
	struct session_writer *writer;
	bool passing;                /* rows up to old.bytes are in the session file already */
	size_t rows, held;           /* rows so far; rows that the session file had before */
};

static void
ingest_say(const struct ingest *x, char *sentence)
{
	if (x->how->say)
		x->how->say(x->how->ctx, sentence);
	free(sentence);
}

/* Says what the reader left out or put right. */
static void
say_notes(const struct ingest *x, const struct obs_table *t)
{
	for (size_t i = 0; i < t->n_notes && x->how->note; i++)
		x->how->note(x->how->ctx, obs_table_note_code(t, i), t->note[i]);
}

static bool
ingest_begin(struct ingest *x, struct err *e)
{
	x->open = x->open || session_file_begin(x->file, e);
	return x->open;
}

static bool
commit(struct ingest *x, struct err *e)
{
	bool ended = x->now.finished == x->how->n;

	if (!ingest_begin(x, e) ||
		!ingest_mark_write(x->file, x->how->path, x->how->n, x->how->exact, ended ? NULL : &x->now, e) ||
		!session_file_commit(x->file, e))
		return false;
	x->open = false;
	x->committed_at = clock_seconds();
	return true;
}

static void
drop_rows(struct ingest *x, struct obs_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		x->rows += t->obs[i]->n_rows;
		obs_drop_rows(t->obs[i]);
	}
}

static bool
refuse_changed(const struct feed *f, bool ended, struct err *e)
{
	if (ended)
		err_set(e, "%s ends before the place where its import was interrupted", f->name);
	else
		err_set(e, "%s has changed since its import was interrupted: it begins in the same way, and "
			"differs later", f->name);
	return err_hint(e, "the session file is unchanged; import into another one, or give the data another name");
}

/* Drops rows that the session file holds already. At the place of the interruption it compares the checksums and ends
 * x->passing. False and *e when the data differ from those of the interrupted import. */
static bool
pass_over(struct ingest *ingest, struct obs_table *table, const struct feed *f, struct err *e)
{
	uint64_t at = feed_at(f, f->p);

	if (f->over && !f->stopped && feed_at(f, f->end) < ingest->old.bytes)
		return refuse_changed(f, true, e);
	if (at < ingest->old.bytes) {
		drop_rows(ingest, table);
		return true;
	}
	if (feed_mark_sum(f, MARK_OLD) != ingest->old.sum)
		return refuse_changed(f, false, e);
	ingest->passing = false;
	if (!ingest_begin(ingest, e) || !session_writer_go_on(ingest->writer, ingest->old.id, ingest->old.n, e) ||
		(ingest->old.first_note &&
			!session_writer_forget_notes(ingest->writer, ingest->old.first_note, ingest->old.last_note, e)))
		return false;
	ingest->held = session_writer_rows(ingest->writer);
	return true;
}

/* Records in x->now how far the data have been read. */
static void
note_place(struct ingest *ingest, const struct obs_table *table, const struct feed *feed)
{
	struct ingest_mark *mark = &ingest->now;
	const char *p = feed->cut ? feed->cut : feed->p;

	mark->bytes = feed_at(feed, p);
	mark->sum = feed_sum(feed, p);
	session_writer_notes(ingest->writer, &mark->first_note, &mark->last_note);
	mark->first_sum = mark->bytes > INGEST_FIRST ? feed_mark_sum(feed, MARK_FIRST) : mark->sum;
	mark->head_sum = mark->bytes > INGEST_HEAD ? feed_mark_sum(feed, MARK_HEAD) : mark->sum;
	mark->rows = session_writer_rows(ingest->writer);
	mark->id = mem_resize(mark->id, table->n, sizeof *mark->id);
	for (mark->n = 0; mark->n < table->n; mark->n++)
		mark->id[mark->n] = session_writer_number(ingest->writer, mark->n);
}

static bool
store_rows(void *ctx, struct obs_table *table, const struct feed *feed, struct err *e)
{
	struct ingest *ingest = ctx;

	bool last = feed->over && !feed->stopped && feed->p == feed->end;

	/* Totals stay in memory until all of them are there, in the order of their times. */
	if (ingest->how->totals && !last)
		return true;
	if (ingest->how->totals && !obs_table_take_differences(table, feed->name, e))
		return false;
	if (last && !ingest->passing && !ingest->rows && !ingest->how->totals) {
		obs_table_mend(table, feed->name);
		obs_table_note_totals(table, feed->name);
	}
	if (ingest->passing && !pass_over(ingest, table, feed, e))
		return false;
	if (ingest->passing)
		return true;
	if (!ingest_begin(ingest, e) || !session_writer_write(ingest->writer, table, e))
		return false;
	drop_rows(ingest, table);
	if (feed->cut)
		note_place(ingest, table, feed);
	if (clock_seconds() - ingest->committed_at < COMMIT_SECONDS && !feed->stopped && !feed_would_wait(feed) &&
		!ingest->how->window)
		return true;
	note_place(ingest, table, feed);
	return commit(ingest, e);
}

static bool
order_rows(void *ctx, const struct obs_table *t, size_t observation, enum import_order how, struct err *e)
{
	struct ingest *x = ctx;

	(void)t;
	return ingest_begin(x, e) &&
		session_writer_order(
			x->writer, observation, how == IMPORT_UNTIMED ? SESSION_UNTIMED : SESSION_BY_TIME, e);
}

static bool
ingest_go_on(void *ctx, const struct feed *f)
{
	const struct ingest *x = ctx;
	struct data_progress p = data_progress(f, x->rows);

	return !x->how->go_on || x->how->go_on(x->how->ctx, &p);
}

/* Sets *so when the first bytes, at most `most`, are those of the interrupted import. False and *e when they cannot be
 * read. */
static bool
begins_so(const struct ingest *x, struct feed *f, uint64_t most, uint64_t sum, bool *so, struct err *e)
{
	uint64_t want = x->old.bytes < most ? x->old.bytes : most;

	while (!f->over && (uint64_t)(f->end - f->p) < want)
		if (!feed_more(f, e))
			return false;
	*so = (uint64_t)(f->end - f->p) >= want && feed_sum(f, f->p + want) == sum;
	return true;
}

/* Finds out whether the data are those of the interrupted import. If they are, rows that the session file holds will be
 * skipped; if not, they become observations of their own. False and *e when the data cannot be read. */
static bool
recognise(struct ingest *ingest, struct feed *feed, struct err *e)
{
	bool so = false;

	if (!ingest->old.bytes)
		return true;
	if (!begins_so(ingest, feed, INGEST_FIRST, ingest->old.first_sum, &so, e) ||
		(so && !begins_so(ingest, feed, INGEST_HEAD, ingest->old.head_sum, &so, e)))
		return false;
	ingest->passing = so;
	if (feed->stopped)
		return true;
	if (so)
		ingest_say(ingest,
			str_format("%s: %zu rows are already in the file; the import continues after them", feed->name,
				ingest->old.rows));
	else
		ingest_say(ingest, str_format("%s: these are not the data whose import was interrupted; the %zu rows "
				"imported then stay", feed->name, ingest->old.rows));
	return true;
}

static bool
ingest_read_data(struct ingest *ingest, struct feed *feed, struct err *e)
{
	struct import_drain drain = {.take = store_rows, .order = order_rows, .ctx = ingest};
	const struct import_how how = {.exact = ingest->how->exact, .near = SIZE_MAX, .drain = &drain,
		.drop_metrics = true, .counts = ingest->how->counts};
	struct obs_table *table = NULL;

	feed->watch = (struct feed_watch){.go_on = ingest_go_on, .ctx = ingest};
	feed->summing = true;
	feed->window = ingest->how->window;
	feed->mark[MARK_FIRST] = INGEST_FIRST;
	feed->mark[MARK_HEAD] = INGEST_HEAD;
	feed->mark[MARK_OLD] = ingest->old.bytes;
	if (!recognise(ingest, feed, e))
		return false;
	ingest->result->stopped = feed->stopped;
	if (feed->stopped) /* stopped before enough had arrived to recognise the data */
		return true;
	drain.begun = ingest->passing;
	table = import_read_feed(feed, &how, e);
	if (!table)
		return false;
	ingest->result->observations += table->n;
	ingest->result->stopped = feed->stopped;
	ingest->result->cut |= feed->cut != NULL;
	say_notes(ingest, table);
	obs_table_free(table);
	return true;
}

static bool
import_text(struct ingest *ingest, const char *path, struct err *e)
{
	int fd = file_open(path, e);
	struct feed f;
	bool good;

	if (fd < 0)
		return false;
	feed_open(&f, str_eq(path, "-") ? "stdin" : path, fd);
	ingest->writer = session_writer_new(ingest->file, NULL);
	ingest->rows = ingest->held = 0;
	good = ingest_read_data(ingest, &f, e);
	if (good) {
		ingest->result->rows += session_writer_rows(ingest->writer) - ingest->held;
		ingest->now.finished_rows += session_writer_rows(ingest->writer);
	}
	session_writer_free(ingest->writer);
	feed_close(&f);
	file_close(fd);
	return good;
}

/* Imports data that are not text: a session file, or a simulation. */
static bool
import_table(struct ingest *ingest, const char *path, struct err *e)
{
	struct obs_table *table = (ingest->how->totals ? data_read : data_open)(path, ingest->how->exact, e);
	bool good = table && (!ingest->how->totals || obs_table_take_differences(table, path, e)) &&
		ingest_begin(ingest, e) &&
		(simulation_is(path) ? stored_add(ingest->file, &table, 1, e)
				     : ingest_session(ingest->file, path, table, e));

	for (size_t i = 0; good && i < table->n; i++) {
		ingest->result->rows += table->obs[i]->n_rows;
		ingest->now.finished_rows += table->obs[i]->n_rows;
	}
	ingest->result->observations += good ? table->n : 0;
	if (good)
		say_notes(ingest, table);
	obs_table_free(table);
	return good;
}

static bool
import_one(struct ingest *ingest, const char *path, struct err *e)
{
	bool table = simulation_is(path) || (!str_eq(path, "-") && session_file_is(path));

	ingest->result->path = str_eq(path, "-") ? "stdin" : path;
	if (!(table ? import_table : import_text)(ingest, path, e))
		return false;
	if (ingest->result->stopped)
		return true;
	ingest_mark_free(&ingest->old);
	/* A file that ends in the middle of a row may grow later, so the import continues there; this can only be the
	 * last file. */
	if (ingest->result->cut && ingest->now.finished + 1 == ingest->how->n) {
		ingest->ends = true;
		return commit(ingest, e);
	}
	ingest->now = (struct ingest_mark){
		.finished = ingest->now.finished + 1, .finished_rows = ingest->now.finished_rows, .id = ingest->now.id};
	return ingest->now.finished < ingest->how->n && clock_seconds() - ingest->committed_at < COMMIT_SECONDS
		? true
		: commit(ingest, e);
}

/* Checks that every file can be opened, before anything is written. */
static bool
can_be_opened(const struct ingest_how *how, struct err *e)
{
	for (size_t i = 0; i < how->n; i++) {
		int fd;

		if (simulation_is(how->path[i]))
			continue;
		fd = file_open(how->path[i], e);
		if (fd < 0)
			return false;
		file_close(fd);
	}
	return true;
}

bool
ingest_all(struct session_file *file, const struct ingest_how *how, struct ingest_result *result, struct err *e)
{
	struct ingest x = {.file = file, .how = how, .result = result, .committed_at = clock_seconds()};
	bool good = can_be_opened(how, e);

	*result = (struct ingest_result){0};
	ingest_mark_read(file, how->path, how->n, how->exact, &x.old);
	x.now.finished = x.old.finished;
	x.now.finished_rows = x.old.finished_rows;
	if (x.old.finished)
		ingest_say(&x,
			str_format("%zu of %zu files, with %zu rows, are already in the session file", x.old.finished,
				how->n, x.old.finished_rows));
	good = good && session_file_bulk(file, true, e);
	while (good && x.now.finished < how->n && !result->stopped && !x.ends)
		good = import_one(&x, how->path[x.now.finished], e);
	if (x.open)
		session_file_rollback(file);
	session_file_bulk(file, false, good ? e : NULL);
	ingest_mark_free(&x.old);
	ingest_mark_free(&x.now);
	return good;
}
