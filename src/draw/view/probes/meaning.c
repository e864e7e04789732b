/* What the curve of a probe means, how sure that is, and where the probe comes from. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "core/curve/knee.h"
#include "draw/view/probes/probes.h"
#include "draw/view/view_table.h"
#include "explorer/state/state_probes.h"

enum { LABEL_W = 9, CODE_X = 4, TIGHT_ROWS = 8 /* room for the evidence alone */ };

/* A dim word, and a text after it that goes on in the next line. */
static void
labelled(struct page *p, const char *word, enum role role, const char *text)
{
	struct line l = page_line(p);

	line_add(&l, ROLE_DIM, 0, "%s", word);
	page_hanging(p, LABEL_W + 1, role, text);
}

static const struct knee *
rising_knee(const struct knees *k)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->knee[i].kind == KNEE_JUMP && k->knee[i].after > k->knee[i].before)
			return &k->knee[i];
	return NULL;
}

/* The slope of the longest trend. */
static double
main_slope(const struct knees *k)
{
	const struct knee_trend *longest = k->n_trends ? k->trend : NULL;

	for (size_t i = 1; i < k->n_trends; i++)
		if (k->trend[i].last - k->trend[i].first > longest->last - longest->first)
			longest = &k->trend[i];
	return longest ? longest->slope : NAN;
}

static void
add_knee_words(const struct probe *probe, const struct probe_measured *measured, struct str *out)
{
	const struct knee *knee = rising_knee(measured->knees);
	char x[PROBE_TEXT], next[PROBE_TEXT], before[NUMBER_TEXT], after[NUMBER_TEXT];

	if (!knee)
		return;
	probe_x_text(x, probe, knee->x);
	probe_x_text(next, probe, (double)probe_next_x(probe, (uint64_t)knee->x));
	number_digits(before, knee->before, 3, false);
	number_digits(after, knee->after, 3, false);
	if (probe->block && !probe_is_pair(probe))
		str_addf(out, "Two loads that miss overlap only while all between them fits. With %s instructions "
			"between them they still do. With %s the second one must wait: a pass takes %.0f %% longer.", x,
			next, 100 * (knee->after / knee->before - 1));
	else if (probe->footprint)
		str_addf(out, "Up to %s a %s takes %s cycles, beyond %s.", x, probe->of_code ? "line" : "load", before,
			after);
	else
		str_addf(out, "Up to x = %s the curve is at %s, from %s on at %s (%s).", x, before, next, after,
			probe_y_words(probe));
	if (probe->counts)
		str_addf(out, " The probe itself takes %u more.", probe->counts);
}

static void
meaning_add_words(const struct probe *probe, const struct probe_measured *measured, struct str *out)
{
	char number[NUMBER_TEXT];

	switch (probe->value) {
	case PROBE_KNEE:
		add_knee_words(probe, measured, out);
		break;
	case PROBE_SLOPE:
		str_addf(out, "Each further instruction adds %s cycles to a pass: they wait for each other.",
			number_digits(number, main_slope(measured->knees), 3, false));
		break;
	case PROBE_RATE:
		str_addf(out, "Each further instruction adds %s cycles to a pass, and none waits for another.",
			number_digits(number, main_slope(measured->knees), 3, false));
		break;
	case PROBE_LEVEL:
		str_addf(out, "It is the height of plateau %u of the curve%s.", probe->level,
			probe_is_pair(probe) ? ", the time of one code without that of another" : "");
		break;
	case PROBE_RATIO:
		str_addf(out, "One code takes %s times as long as the other, which differs in this feature alone.",
			number_digits(number, measured->answer.value, 3, false));
		break;
	}
}

/* The finding in bold: "128 entries". */
static void
add_finding(struct page *page, const struct probe *probe, const struct probe_measured *measured)
{
	bool has_unit = str_eq(probe->unit, "bytes") || str_eq(probe->unit, "cycles");
	struct line l = page_line(page);
	char value[PROBE_TEXT];

	line_add(&l, probe_role(measured->trust), CELL_BOLD, "%s ", probe_mark(measured->trust));
	if (!measured->answer.found) {
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s",
			!measured->knees ? "being measured" : !measured->whole ? "stopped"
				: probe->value == PROBE_KNEE ? "no knee" : "not measured");
		return;
	}
	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s%s%s", probe_value_text(value, probe, measured->answer.value),
		has_unit ? "" : " ", has_unit ? "" : probe->unit);
	line_gap(&l, 2);
	if (page->r.h > TIGHT_ROWS)
		page_hanging(page, l.x - page->r.x, ROLE_DIM, probe->text);
	else
		line_add(&l, ROLE_DIM, 0, "%s", probe->text);
}

static void
add_silence(struct page *p, const struct probe_measured *m)
{
	if (!m->whole)
		page_words(p, ROLE_TEXT, "It was stopped before the curve shows an answer. Enter measures it again.");
	else if (m->knees->few)
		page_words(p, ROLE_TEXT, "There are too few points to tell a knee from noise.");
	else
		page_words(p, ROLE_TEXT,
			"One trend explains the curve. Either the feature is larger than the range of x, or something "
			"else is full first.");
}

/* What makes the answer a lower bound, or doubtful. */
static void
add_doubt(struct page *page, const struct probe *probe, const struct probe_measured *measured)
{
	const struct probe_book *book = page->s->data.probes;
	const char *doubt = probe_answer_doubt(probe, &measured->answer), *hidden_by = measured->answer.hidden_by;
	char value[PROBE_TEXT], *text;

	if (hidden_by) {
		text = str_format("what %s measures (%s) may be full then, too", hidden_by,
			probe_found_text(value, book->entry[probe_book_find(book, hidden_by)].probe,
				&probe_book_curve(book, measured->machine, hidden_by)->answer));
		labelled(page, "at least", ROLE_BORDERLINE, text);
		free(text);
	}
	if (doubt)
		labelled(page, "doubt", ROLE_BORDERLINE, doubt);
}

/* Interval, noise and step, points. */
static void
add_evidence(struct page *page, const struct probe *probe, const struct probe_measured *measured)
{
	const struct knee *knee = rising_knee(measured->knees);
	char low[PROBE_TEXT], high[PROBE_TEXT];
	double level = measured->knees->n_trends ? fabs(measured->curve.point[measured->curve.n / 2].mean) : NAN;
	struct str text = {0};

	if (measured->answer.found && !probe_answer_at_least(&measured->answer)) {
		str_addf(&text, "%s to %s at 99 %%", probe_value_text(low, probe, measured->answer.low),
			probe_value_text(high, probe, measured->answer.high));
		labelled(page, "interval", ROLE_TEXT, str_text(&text));
		str_clear(&text);
	}
	if (level > 0 && !measured->knees->few) {
		str_addf(&text, "%.2g %%", 100 * measured->knees->noise / level);
		if (knee)
			str_addf(&text, ", step %.0f %%", 100 * (knee->after / knee->before - 1));
		if (measured->scatter > 0)
			str_addf(&text, ", mean %.2g %% above the least", 100 * measured->scatter);
		labelled(page, "noise", ROLE_TEXT, str_text(&text));
		str_clear(&text);
	}
	str_addf(&text, "%zu, x from %s to %s%s", measured->curve.n,
		probe_x_text(low, probe, measured->curve.point[0].x),
		probe_x_text(high, probe, measured->curve.point[measured->curve.n - 1].x),
		measured->whole ? "" : "; it was stopped");
	labelled(page, "points", ROLE_TEXT, str_text(&text));
	str_free(&text);
}

static void
add_known(struct page *page, const struct probe_entry *entry, const struct probe_measured *measured)
{
	const struct expected *expected = &entry->known;
	char value[PROBE_TEXT];
	struct line l;

	if (isnan(expected->low) || !measured->answer.found)
		return;
	l = page_line(page);
	line_add(&l, ROLE_DIM, 0, "known");
	line_to(&l, LABEL_W + 1);
	line_add(&l, ROLE_TEXT, 0, "%s%s", probe_known_text(value, entry), expected->doubtful ? ", doubtful" : "");
	line_gap(&l, 2);
	if (expected_agrees(expected, &measured->answer))
		line_add(&l, ROLE_FEASIBLE, 0, "✓ agrees");
	else
		line_add(&l, ROLE_INFEASIBLE, 0, "✗ differs by %+.0f %%",
			100 *
				(measured->answer.value /
						(measured->answer.value < expected->low ? expected->low
											: expected->high) -
					1));
}

static void
add_other(struct page *page, const struct probe_entry *entry)
{
	const struct probe_book *book = page->s->data.probes;
	const struct probe_measured *measured = state_probe_curve(page->s, true);
	char value[PROBE_TEXT];
	struct line l;

	if (!page->s->view.probes.beside || !book->other)
		return;
	page_blank(page);
	l = page_line(page);
	line_add(&l, ROLE_TEXT, CELL_BOLD, "Same probe on %s", book->other);
	line_gap(&l, 2);
	if (measured && measured->answer.found)
		line_add(&l, ROLE_TEXT, 0, "%s ", probe_found_text(value, entry->probe, &measured->answer));
	line_add(&l, probe_role(measured ? measured->trust : PROBE_NOT_RUN), 0, "%s",
		probe_mark(measured ? measured->trust : PROBE_NOT_RUN));
	if (!measured || !measured->answer.found)
		line_add(&l, ROLE_DIM, 0, " %s", probe_trust_name(measured ? measured->trust : PROBE_NOT_RUN));
}

static void
add_measured(struct page *page, const struct probe_entry *entry, const struct probe_measured *measured)
{
	struct str words = {0};

	add_finding(page, entry->probe, measured);
	if (measured->knees)
		add_doubt(page, entry->probe, measured);
	if (measured->answer.found)
		meaning_add_words(entry->probe, measured, &words);
	if (words.n)
		page_words(page, ROLE_TEXT, str_text(&words));
	str_free(&words);
	if (measured->knees && !measured->answer.found)
		add_silence(page, measured);
	page_blank(page);
	if (measured->knees)
		add_evidence(page, entry->probe, measured);
	add_known(page, entry, measured);
	for (size_t i = 0; i < measured->curve.n_notes; i++)
		labelled(page, "note", ROLE_TEXT, measured->curve.note[i]);
}

/* A curve of no installed probe: its knees, without what they mean. */
static void
add_knees(struct page *page, const struct probe_measured *measured)
{
	char x[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT], before[NUMBER_TEXT], after[NUMBER_TEXT];

	for (size_t i = 0; i < measured->knees->n; i++) {
		const struct knee *knee = &measured->knees->knee[i];
		char *text = str_format("at %s (%s to %s): from %s to %s", number_digits(x, knee->x, 4, false),
			number_digits(low, knee->low, 4, false), number_digits(high, knee->high, 4, false),
			number_digits(before, knee->before, 3, false), number_digits(after, knee->after, 3, false));

		labelled(page, knee_kind_name(knee->kind), ROLE_TEXT, text);
		free(text);
	}
	if (measured->knees->n == 0)
		page_words(page, ROLE_TEXT, measured->knees->few ? "There are too few points to tell a knee from noise."
						       : "One trend explains the curve.");
	page_blank(page);
	page_words(page, ROLE_DIM, "No installed probe has this name, so nothing is known of what it measures.");
	for (size_t i = 0; i < measured->curve.n_notes; i++)
		labelled(page, "note", ROLE_TEXT, measured->curve.note[i]);
}

void
draw_meaning(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct probe_entry *entry = state_probe(state);
	const struct probe_measured *measured = state_probe_curve(state, false);
	struct page p = {.s = state, .g = grid, .r = r, .skip = state->view.cursor[PANE_MEANING]};

	(void)focus;
	if (entry && entry->probe) {
		if (measured)
			add_measured(&p, entry, measured);
		else
			page_words(&p, ROLE_TEXT, entry->probe->text);
		if (*entry->probe->says)
			labelled(&p, "counts", ROLE_DIM, entry->probe->says);
		add_other(&p, entry);
	} else if (entry && measured && measured->knees) {
		add_knees(&p, measured);
	} else if (entry) {
		page_words(&p, ROLE_DIM, entry->fault ? entry->fault : "No installed probe has this name.");
	}
	drawn->layout.rows[PANE_MEANING] = page_rows(&p);
}

void
title_meaning(const struct state *s, struct str *title, struct str *info)
{
	(void)s;
	(void)info;
	str_add(title, "What it means");
}

/* --- whence ------------------------------------------------------------------------------------------------------ */

static const char *
place_words(const struct probe_insn *insn)
{
	switch (insn->place) {
	case PROBE_NOWHERE:
		return "";
	case PROBE_NEAR:
		return "a line that the first level has";
	case PROBE_FAR:
		return "the next line of a chain that no cache has";
	case PROBE_FRESH:
		return "a line that no cache has";
	case PROBE_SAME:
		return "the line of the load before";
	case PROBE_CHASE:
		return "the next line of the footprint";
	}
	return "";
}

/* The code of a pass with few instructions in the fill. */
static void
add_code(struct page *page, const struct probe *probe, const struct probe_fill *fill)
{
	struct probe_code code = {0};

	probe_code_write(&code, probe, fill, CODE_X);
	for (size_t i = 0; i < code.n; i++) {
		struct line l = page_line(page);

		line_add(&l, ROLE_ACCENT, 0, "%s", probe_op_name(code.insn[i].op));
		line_to(&l, LABEL_W + 1);
		if (code.insn[i].chain)
			line_add(&l, ROLE_TEXT, 0, "chain %u  ", code.insn[i].chain);
		line_add(&l, ROLE_DIM, 0, "%s", place_words(&code.insn[i]));
	}
	probe_code_free(&code);
}

static void
add_whence(struct page *page, const struct probe_entry *entry)
{
	const struct probe *probe = entry->probe;
	char first[PROBE_TEXT], last[PROBE_TEXT], step[PROBE_TEXT];
	struct str text = {0};

	page_words(page, ROLE_TEXT, probe->text);
	page_blank(page);
	str_addf(&text, "from %s to %s", probe_x_text(first, probe, (double)probe->first),
		probe_x_text(last, probe, (double)probe->last));
	if (probe->step)
		str_addf(&text, " in steps of %s", probe_x_text(step, probe, (double)probe->step));
	else
		str_add(&text, ", each twice the one before");
	labelled(page, "x", ROLE_TEXT, str_text(&text));
	str_free(&text);
	if (*probe->parameter)
		labelled(page, "item", ROLE_TEXT, probe->parameter);
	if (*probe->says)
		labelled(page, "counts", ROLE_TEXT, probe->says);
	page_blank(page);
	page_head(page, "A pass", probe->footprint ? "over and over" : "with 4 instructions in the fill");
	add_code(page, probe, &probe->fill);
	if (probe_is_pair(probe)) {
		page_blank(page);
		page_head(page, "Against", "the curve is the time of the one over that of the other");
		add_code(page, probe, &probe->against);
	}
	page_blank(page);
	page_words(page, ROLE_DIM,
		"A pass is repeated, and its time over that of a shorter group of passes is a point of the curve. Its "
		"file is NAME.probe, among the probes.");
}

static int
draw_probe_popup(const struct state *s, struct grid *g, struct rect screen, int first)
{
	const struct probe_entry *e = state_probe(s);
	struct page p = {.s = s, .g = g, .skip = first};

	p.r = draw_popup(g, screen, 84, screen.h - 4, e ? e->name : "Probe", "[ ] others");
	if (e && e->probe)
		add_whence(&p, e);
	else if (e)
		page_words(&p, ROLE_TEXT, e->fault ? e->fault : "No installed probe has this name.");
	return page_rows(&p);
}

const struct popup_draw popup_draw_probe = {.text = draw_probe_popup};
