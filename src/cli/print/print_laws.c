#include "cli/print/print_laws.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "cli/writing.h"
#include "core/laws/judge.h"
#include "core/obs/obs.h"
#include "draw/cell.h"
#include "work/files/laws_told.h"

/* Appends what an event's vendor says, for each event of the law that has a text. */
static void
laws_add_says(struct str *out, const struct laws *laws, const struct law *law, int indent)
{
	for (size_t i = 0; i < law->form.n; i++) {
		const struct law_event *event = &laws->event[law->form.term[i].event];

		if (*event->says)
			str_addf(out, "%*s%s: %s (%s)\n", indent, "", event->name, event->says, event->says_source);
	}
	if (*law->note)
		str_addf(out, "%*s%s\n", indent, "", law->note);
}

static void
list_laws(struct laws_print *print, const struct laws *laws)
{
	bool ascii = print_ascii(print->options);
	struct str *out = &print->out->text;

	str_addf(out, "%s  ", laws->name);
	print_lines(out, laws->text, ascii);
	str_addc(out, '\n');
	for (size_t i = 0; i < laws->n; i++) {
		const struct law *law = &laws->law[i];

		if (i && laws->law[i - 1].relation == law->relation)
			continue; /* the other part of a chain */
		str_addf(out, "  %s\n      ", law->text);
		print_relation(out, law->relation, ascii);
		str_addf(out, "\n      source: %s\n", law->source);
		laws_add_says(out, laws, law, 6);
	}
	str_addc(out, '\n');
}

static void
json_laws(struct json_writer *json, const struct laws *laws)
{
	for (size_t i = 0; i < laws->n; i++) {
		json_open(json, NULL, '{');
		json_str(json, "laws", laws->name);
		json_str(json, "text", laws->law[i].text);
		json_str(json, "relation", laws->law[i].relation);
		json_str(json, "source", laws->law[i].source);
		json_close(json, '}');
	}
}

void
print_laws_begin(struct laws_print *print, struct laws *const *laws, size_t n)
{
	struct json_writer *json = &print->out->json;

	print->laws = laws;
	print->n_laws = n;
	print->tally = mem_new_array(n, sizeof *print->tally);
	for (size_t i = 0; i < n; i++)
		print->tally[i] = mem_new_array(laws[i]->n, sizeof **print->tally);
	if (!print->options->json) {
		for (size_t i = 0; i < n && print->options->list; i++)
			list_laws(print, laws[i]);
		return;
	}
	json_open(json, NULL, '{');
	json_str(json, "schema", "hecate.laws/1");
	json_num(json, "confidence", print->options->confidence);
	json_open(json, "laws", '[');
	for (size_t i = 0; i < n && print->options->list; i++)
		json_laws(json, laws[i]);
	json_close(json, ']');
	json_open(json, "observations", '[');
}

void
print_laws_observation(struct laws_print *print, const struct obs *obs)
{
	struct json_writer *json = &print->out->json;

	print->obs = obs;
	print->holds = print->strained = print->broken = print->lines = 0;
	if (!print->options->json)
		return;
	json_open(json, NULL, '{');
	json_str(json, "name", obs->name);
	json_str(json, "source", obs->source);
	json_open(json, "findings", '[');
}

static void
laws_add_finding(struct laws_print *print, const struct laws *laws, const struct law_finding *finding)
{
	const struct law *law = &laws->law[finding->law];
	bool ascii = print_ascii(print->options), broken = finding->sum.state == LAW_BROKEN;
	struct str *out = &print->out->text;

	str_addf(out, "  %s %-8s  %s\n    ", glyph_text(broken ? GLYPH_INFEASIBLE : GLYPH_BORDERLINE, ascii),
		law_state_words[finding->sum.state], law->text);
	print_relation(out, law->relation, ascii);
	str_add(out, ": ");
	law_add_difference(laws, law, &finding->sum, ascii, out);
	str_addc(out, '\n');
	laws_add_says(out, laws, law, 4);
}

static void
laws_add_blame(struct laws_print *print, const struct laws *laws, const struct laws_judgement *judgement)
{
	struct str *out = &print->out->text;

	if (!judgement->n_broken)
		return;
	if (!judgement->n_blames) {
		str_addf(out, "  no %d events together explain it\n", LAW_BLAMED);
		return;
	}
	str_add(out, judgement->blame->n == 1 ? "  to blame: " : "  to blame, together: ");
	law_add_blame(laws, judgement, out);
	str_addf(out, " (without %s every law holds)\n", judgement->blame->n == 1 ? "it" : "them");
}

static void
json_finding(struct json_writer *json, const struct laws *laws, const struct law_finding *finding)
{
	const struct law *law = &laws->law[finding->law];
	const struct law_sum *sum = &finding->sum;
	const struct law_event *lacks = law_lacked_event(laws, law);

	json_open(json, NULL, '{');
	json_str(json, "laws", laws->name);
	json_str(json, "text", law->text);
	json_str(json, "relation", law->relation);
	json_str(json, "source", law->source);
	json_str(json, "state", law_state_words[sum->state]);
	json_num(json, "left", sum->left);
	json_num(json, "right", sum->right);
	json_num(json, "least", sum->least);
	json_num(json, "most", sum->most);
	json_str(json, "why", sum->why);
	json_str(json, "lacks", lacks ? lacks->name : NULL);
	json_str(json, "note", *law->note ? law->note : NULL);
	json_open(json, "says", '[');
	for (size_t i = 0; i < law->form.n; i++) {
		const struct law_event *event = &laws->event[law->form.term[i].event];

		if (*event->says) {
			json_open(json, NULL, '{');
			json_str(json, "event", event->name);
			json_str(json, "text", event->says);
			json_str(json, "source", event->says_source);
			json_close(json, '}');
		}
	}
	json_close(json, ']');
	json_open(json, "blame", '[');
}

static void
json_findings(struct laws_print *print, const struct laws *laws, const struct laws_judgement *judgement)
{
	struct json_writer *json = &print->out->json;

	for (size_t i = 0; i < judgement->n; i++) {
		json_finding(json, laws, &judgement->finding[i]);
		for (size_t b = 0; b < judgement->n_blames && judgement->finding[i].sum.state == LAW_BROKEN; b++) {
			json_open(json, NULL, '{');
			json_open(json, "events", '[');
			for (size_t k = 0; k < judgement->blame[b].n; k++)
				json_str(json, NULL, laws->event[judgement->blame[b].event[k]].name);
			json_close(json, ']');
			json_close(json, '}');
		}
		json_close(json, ']');
		json_close(json, '}');
	}
}

/* Counts each relation once, in the worst state of its laws: findings are in the order of their states. */
static void
count_states(struct laws_print *print, size_t which, const struct laws_judgement *judgement)
{
	const struct laws *laws = print->laws[which];
	bool *seen = mem_new_array(laws->n, sizeof *seen);

	for (size_t i = 0; i < judgement->n; i++) {
		size_t law = judgement->finding[i].law;

		while (law && laws->law[law - 1].relation == laws->law[law].relation)
			law--;
		if (!seen[law])
			print->tally[which][law].n[judgement->finding[i].sum.state]++;
		seen[law] = true;
	}
	free(seen);
}

void
print_laws_judgement(struct laws_print *print, size_t which, const struct laws_judgement *judgement)
{
	const struct laws *laws = print->laws[which];

	count_states(print, which, judgement);
	print->broken += judgement->n_broken;
	print->strained += judgement->n_strained;
	print->holds += judgement->n - judgement->n_broken - judgement->n_strained;
	if (print->options->json) {
		json_findings(print, laws, judgement);
		return;
	}
	if (print->short_text && !judgement->n_broken && !judgement->n_strained)
		return;
	if (!print->lines++) {
		print_visible(&print->out->text, print->obs->name);
		str_addc(&print->out->text, '\n');
	}
	for (size_t i = 0; i < judgement->n_broken + judgement->n_strained; i++)
		laws_add_finding(print, laws, &judgement->finding[i]);
	laws_add_blame(print, laws, judgement);
}

void
print_laws_observation_end(struct laws_print *print)
{
	struct json_writer *json = &print->out->json;
	size_t all = print->holds + print->strained + print->broken;

	print->observations++;
	print->n_judged += all > 0;
	print->n_broken += print->broken > 0;
	if (print->options->json) {
		json_close(json, ']');
		json_close(json, '}');
	} else if (print->short_text && !print->lines) {
		return;
	} else if (!all) {
		str_add(&print->out->text, "  no law has all its events in the data; hecate laws --list shows them\n");
	} else {
		str_addf(&print->out->text, "  %zu law%s: %zu broken, %zu strained, %zu hold\n", all, plural_s(all),
			print->broken, print->strained, print->holds);
	}
}

/* Returns in how many observations the law was judged. */
static size_t
law_asked_of(const struct law_tally *tally)
{
	return tally->n[LAW_BROKEN] + tally->n[LAW_STRAINED] + tally->n[LAW_HOLDS];
}

static void
json_tally(struct laws_print *print, const struct laws *laws, const struct law *law, const struct law_tally *tally)
{
	struct json_writer *json = &print->out->json;

	json_open(json, NULL, '{');
	json_str(json, "laws", laws->name);
	json_str(json, "text", law->text);
	json_str(json, "relation", law->relation);
	json_int(json, "broken", (long long)tally->n[LAW_BROKEN]);
	json_int(json, "strained", (long long)tally->n[LAW_STRAINED]);
	json_int(json, "holds", (long long)tally->n[LAW_HOLDS]);
	json_int(json, "not_asked", (long long)(print->observations - law_asked_of(tally)));
	json_close(json, '}');
}

#define TALLY_INDENT 38 /* where the law begins, and 2 */

static void
add_tally(struct laws_print *print)
{
	static const struct text_column column[] = {{.title = "broken", .right = true},
		{.title = "strained", .right = true}, {.title = "holds", .right = true},
		{.title = "not asked", .right = true}, {.title = "law"}};
	bool ascii = print_ascii(print->options);
	size_t nowhere = 0;
	struct text_table *table = text_table_new(column, sizeof column / sizeof *column, ascii);

	for (size_t i = 0; i < print->n_laws; i++)
		for (size_t k = 0; k < print->laws[i]->n; k++) {
			const struct law *law = &print->laws[i]->law[k];
			const size_t *n = print->tally[i][k].n;

			if (!law_asked_of(&print->tally[i][k])) {
				/* a chain is one relation, which its first law counts */
				nowhere += !k || print->laws[i]->law[k - 1].relation != law->relation;
				continue;
			}
			text_table_row(table, "%zu", n[LAW_BROKEN]);
			text_table_addf(table, "%zu", n[LAW_STRAINED]);
			text_table_addf(table, "%zu", n[LAW_HOLDS]);
			text_table_addf(table, "%zu", print->observations - law_asked_of(&print->tally[i][k]));
			text_table_add(table, law->text);
			str_addf(text_table_below(table), "%*s", TALLY_INDENT, "");
			print_relation(text_table_below(table), law->relation, ascii);
			str_addc(text_table_below(table), '\n');
		}
	text_table_end(table, &print->out->text);
	str_addf(&print->out->text, "%zu law%s not asked of any observation\n", nowhere, plural_s(nowhere));
}

void
print_laws_end(struct laws_print *print, size_t unread)
{
	struct json_writer *json = &print->out->json;

	if (print->options->json) {
		json_close(json, ']');
		json_int(json, "unread", (long long)unread);
		json_open(json, "tally", '[');
		for (size_t i = 0; i < print->n_laws; i++)
			for (size_t k = 0; k < print->laws[i]->n; k++) {
				const struct law_tally *tally = &print->tally[i][k];

				if (law_asked_of(tally))
					json_tally(print, print->laws[i], &print->laws[i]->law[k], tally);
			}
		json_close(json, ']');
		json_close(json, '}');
	} else if (print->observations > 1) {
		str_addf(&print->out->text, "\n%zu observations, %zu of them with laws: %zu broken\n",
			print->observations, print->n_judged, print->n_broken);
		add_tally(print);
	}
	for (size_t i = 0; i < print->n_laws; i++)
		free(print->tally[i]);
	free(print->tally);
}

void
print_laws_told(const struct options *options, const struct laws_told *told, struct str *out)
{
	bool ascii = print_ascii(options);
	struct str line = {0};

	if (!told || !told->n)
		return;
	str_addf(out, "\nlaws: %zu broken, %zu strained of %zu whose events the data have; "
		"hecate laws DATA says more\n", told->n_broken, told->n - told->n_broken, told->judged);
	for (size_t i = 0; i < told->n; i++) {
		bool broken = told->told[i].state == LAW_BROKEN;

		str_clear(&line);
		law_told_add(&told->told[i], &line);
		str_addf(out, "  %s %-8s  ", glyph_text(broken ? GLYPH_INFEASIBLE : GLYPH_BORDERLINE, ascii),
			law_state_words[told->told[i].state]);
		print_lines(out, str_text(&line), ascii);
		str_addc(out, '\n');
	}
	str_free(&line);
}

void
print_laws_told_json(const struct laws_told *told, struct json_writer *json)
{
	if (!told) {
		json_null(json, "laws");
		return;
	}
	json_open(json, "laws", '{');
	json_int(json, "judged", (long long)told->judged);
	json_int(json, "broken", (long long)told->n_broken);
	json_int(json, "strained", (long long)(told->n - told->n_broken));
	json_open(json, "told", '[');
	for (size_t i = 0; i < told->n; i++) {
		const struct law_told *one = &told->told[i];

		json_open(json, NULL, '{');
		json_str(json, "laws", one->file);
		json_str(json, "text", one->law->text);
		json_str(json, "relation", one->law->relation);
		json_str(json, "source", one->law->source);
		json_str(json, "state", law_state_words[one->state]);
		json_int(json, "broken", (long long)one->broken);
		json_int(json, "strained", (long long)one->strained);
		json_str(json, "observation", one->where);
		json_str(json, "difference", one->difference);
		json_str(json, "blame", *one->blame ? one->blame : NULL);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}
