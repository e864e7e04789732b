#include "collect/import/perf_sheet.h"

#include <stdlib.h>

#include "base/str.h"
#include "core/obs/obs.h"

struct notebook {
	const char *name;
	struct obs_table *table;
};

void
perf_findings_count(struct perf_tally *t, size_t line)
{
	if (t->n++ == 0)
		t->line = line;
}

void
perf_findings_lose(struct perf_findings *f, size_t line)
{
	if (f->lost.n < PERF_LOST_SHOWN)
		f->lost_line[f->lost.n] = line;
	perf_findings_count(&f->lost, line);
	f->lines++;
}

void
perf_findings_free(struct perf_findings *f)
{
	names_free(&f->unsupported);
	names_free(&f->scaled_events);
	names_free(&f->late_events);
	names_free(&f->below_zero_events);
	names_free(&f->inexact);
	names_free(&f->starved);
	names_free(&f->wide);
}

/* Adds the note "FILE:LINE: text: names (3 of them, this being the first)". */
static void
perf_findings_note(
	const struct notebook *r, enum obs_note kind, const struct perf_tally *t, const char *text, const char *names)
{
	struct str s = {0};

	if (!t->n)
		return;
	str_addf(&s, "%s:%zu: %s%s%s", r->name, t->line, text, names ? ": " : "", names ? names : "");
	if (t->n > 1)
		str_addf(&s, " (%zu of them, this being the first)", t->n);
	obs_table_note(r->table, kind, str_take(&s));
}

/* Adds the note "FILE:4: 2 of 12 lines hold a number and could not be read: lines 4, 9". */
static void
note_lost(const struct notebook *notebook, const struct perf_findings *findings)
{
	struct str s = {0};

	if (!findings->lost.n)
		return;
	str_addf(&s, "%s:%zu: %zu of %zu lines that hold a number could not be read: line%s", notebook->name,
		findings->lost.line, findings->lost.n, findings->lines, findings->lost.n > 1 ? "s" : "");
	for (size_t i = 0; i < findings->lost.n && i < PERF_LOST_SHOWN; i++)
		str_addf(&s, "%s %zu", i ? "," : "", findings->lost_line[i]);
	if (findings->lost.n > PERF_LOST_SHOWN)
		str_add(&s, " and more");
	obs_table_note(notebook->table, OBS_NOTE_LOST, str_take(&s));
}

/* Returns "a, b, c and 7 more"; the caller frees it. */
static char *
list_of(const struct names *names)
{
	struct str s = {0};
	size_t shown = names->n > 8 ? 7 : names->n;

	for (size_t i = 0; i < shown; i++)
		str_addf(&s, "%s%s", i ? ", " : "", names->name[i]);
	if (shown < names->n)
		str_addf(&s, " and %zu more", names->n - shown);
	return str_take(&s);
}

static void
note_names(const struct notebook *r, enum obs_note kind, const struct names *names, const char *before)
{
	char *list;

	if (!names->n)
		return;
	list = list_of(names);
	obs_table_note(r->table, kind, str_format("%s: %s: %s", r->name, before, list));
	free(list);
}

/* Events that were enabled and never counted, though others ran. */
static void
note_starved(const struct notebook *notebook, const struct names *names)
{
	char *list;

	if (!names->n)
		return;
	list = list_of(names);
	obs_table_note(notebook->table, OBS_NOTE_UNCOUNTED,
		str_format("%s: never had a counter: %s. %s", notebook->name, list, names->n > 1
			? "A group that needs more counters than there are never runs: split it. The NMI watchdog may "
			  "hold one (as root, echo 0 >/proc/sys/kernel/nmi_watchdog frees it)"
			: "Perhaps the run was too short for its turn, or never was on its kind of core"));
	free(list);
}

void
perf_findings_add_notes(const struct perf_findings *f, const char *name, bool exact, struct obs_table *table)
{
	const struct notebook r = {name, table};
	char *late = list_of(&f->late_events), *scaled = list_of(&f->scaled_events),
	     *below = list_of(&f->below_zero_events);
	char *how = str_format("counts scaled up from as little as %.2f %% of the time are estimates", f->least * 100);

	perf_findings_note(&r, OBS_NOTE_LOST, &f->foreign, "this line is no record of perf stat: skipped", NULL);
	note_lost(&r, f);
	perf_findings_note(&r, OBS_NOTE_PREFIX,
		&f->prefix, "each line has the same kind of prefix, as in logs and mails: left out", NULL);
	perf_findings_note(&r, OBS_NOTE_JOINED,
		&f->wrapped, "this line is the end of the one above it, which was wrapped: both are read as one",
		NULL);
	perf_findings_note(&r, OBS_NOTE_CUT,
		&f->unended, "this table has no \"seconds time elapsed\": perf was killed or the text is cut, so "
		"events may be missing", NULL);
	perf_findings_note(&r, OBS_NOTE_SHARE, &f->above, "a share of time above 100 %: taken as 100 %", NULL);
	perf_findings_note(&r, OBS_NOTE_UNCOUNTED, &f->nan, "nan is not a count: taken as not counted", NULL);
	perf_findings_note(&r, OBS_NOTE_NO_COUNT, &f->metric, "a derived metric is not a count: left out", NULL);
	perf_findings_note(
		&r, OBS_NOTE_NO_COUNT, &f->summary, "a total of the intervals is not a sample: left out", NULL);
	perf_findings_note(&r, OBS_NOTE_CUT,
		&f->cut, "the last line is incomplete and is left out: is the file still being written?", NULL);
	perf_findings_note(
		&r, OBS_NOTE_PART, &f->again, "another run of perf stat begins: it gets observations of its own", NULL);
	perf_findings_note(&r, OBS_NOTE_PART,
		&f->back, "times start again: what follows is taken as another run, with observations of its own",
		NULL);
	perf_findings_note(&r, OBS_NOTE_TWICE, &f->twice,
		exact ? "an event is counted again in the same interval: one of the counts is kept"
		      : "an event is counted again in the same interval: it becomes a sample of its own, not added up",
		NULL);
	perf_findings_note(&r, OBS_NOTE_LATE,
		&f->late, "the events change between intervals: earlier rows have no count of these", late);
	perf_findings_note(&r, OBS_NOTE_SCALED, &f->scaled, how, scaled);
	perf_findings_note(&r, OBS_NOTE_OVERFLOW, &f->below_zero,
		"more than a counter can hold: it fell below 0 and was printed as a 64-bit number; left out",
		below);
	perf_findings_note(&r, OBS_NOTE_MEAN, &f->mean, "a mean of several runs: its spread becomes its error", NULL);
	note_starved(&r, &f->starved);
	note_names(&r, OBS_NOTE_UNSUPPORTED, &f->unsupported, "not supported where this was recorded");
	note_names(&r, OBS_NOTE_WIDE, &f->wide,
		"left out, because their decimals and the largest counts do not fit into 64 bits together");
	note_names(&r, OBS_NOTE_INEXACT, &f->inexact, "left out, because they are no exact totals");
	free(late);
	free(below);
	free(scaled);
	free(how);
}
