#include "collect/events/perf_codes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/events/format.h"
#include "event/table.h"
#include "text/notation.h"

#define TOGETHER 100 /* events of one call of perf */
#define ALONE_MOST 400 /* events that are asked about one by one, in all */

/* An event whose code may have been cut. */
struct cut_code {
	struct event_row *row;
	uint64_t field[FORMAT_FIELDS]; /* as the list has it */
	uint64_t wide[FORMAT_FIELDS];  /* bits that the list may lack */
	bool done;
};

struct term {
	const char *name;
	uint64_t value;
	const struct format *format;
};

struct codes {
	struct event_table *table;
	const char *sysfs;
	struct cut_code *cut;
	size_t n, cap;
	struct names looked_up; /* "PMU/TERM" */
	struct format *format;  /* of each; without bits: there is none */
	size_t cap_formats;
	struct str key;
};

/* Where the PMU, or its first box, has a term. */
static const struct format *
codes_format(struct codes *codes, const char *pmu, const char *term)
{
	size_t n = codes->looked_up.n, i;
	char text[FORMAT_TEXT], *box;

	str_clear(&codes->key);
	str_add(&codes->key, pmu);
	str_addc(&codes->key, '/');
	str_add(&codes->key, term);
	i = names_add(&codes->looked_up, codes->key.s, codes->key.n);
	if (i < n)
		return &codes->format[i];
	mem_grow(&codes->format, &codes->cap_formats, n + 1, sizeof *codes->format);
	box = str_format("%s_0", pmu);
	if (format_find(codes->sysfs, pmu, term, &codes->format[i], text) <= 0 &&
		format_find(codes->sysfs, box, term, &codes->format[i], text) <= 0)
		codes->format[i] = (struct format){0};
	free(box);
	return &codes->format[i];
}

/* Calls `take` for each term of a row's code. False if a term is not placed by the PMU's formats. */
static bool
each_term(struct codes *codes, const struct event_row *row, void (*take)(void *, const struct term *), void *ctx)
{
	char *copy = mem_str(row->code), *rest = copy, *name;
	bool good = true;

	while (good && (name = strsep(&rest, ","))) {
		char *equals = strchr(name, '=');
		struct term term = {.name = name, .value = 1};

		if (equals)
			*equals = '\0';
		term.format = codes_format(codes, row->pmu, name);
		good = (!equals || notation_read_code(equals + 1, &term.value)) && term.format->width;
		if (good)
			take(ctx, &term);
	}
	free(copy);
	return good;
}

static void
take_cut(void *ctx, const struct term *term)
{
	struct cut_code *cut = ctx;

	format_place(term->format, term->value, cut->field);
	if (term->format->width > 32)
		format_place(term->format, UINT64_MAX >> (64 - term->format->width) & ~(uint64_t)UINT32_MAX, cut->wide);
}

static void
find_cut(struct codes *codes)
{
	for (size_t i = 0; i < codes->table->n; i++) {
		struct cut_code cut = {.row = &codes->table->row[i]};

		if (cut.row->source != EVENT_FROM_PERF || !each_term(codes, cut.row, take_cut, &cut) ||
			!(cut.wide[0] | cut.wide[1] | cut.wide[2] | cut.wide[3]))
			continue;
		mem_grow(&codes->cut, &codes->cap, codes->n + 1, sizeof cut);
		codes->cut[codes->n++] = cut;
	}
}

/* Does a value of the list need more than 32 bits? */
static bool
has_wide_value(const struct event_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		for (const char *s = table->row[i].code; (s = strstr(s, "=0x")); s += 3)
			if (strspn(s + 3, "0123456789abcdefABCDEF") > 8)
				return true;
	return false;
}

struct rewriting {
	const uint64_t *field;
	struct str out;
};

static void
take_full(void *ctx, const struct term *term)
{
	struct rewriting *rewriting = ctx;

	str_addf(&rewriting->out, "%s%s=0x%" PRIx64, rewriting->out.n ? "," : "", term->name,
		format_take(term->format, rewriting->field));
}

/* Takes an attribute for the event, if all bits that the list has agree. */
static bool
accept(struct codes *codes, struct cut_code *cut, const uint64_t field[FORMAT_FIELDS])
{
	struct rewriting rewriting = {.field = field};

	for (int i = 0; i < FORMAT_FIELDS; i++)
		if ((field[i] ^ cut->field[i]) & ~cut->wide[i])
			return false;
	if (each_term(codes, cut->row, take_full, &rewriting)) {
		cut->row->code = event_table_text(codes->table, str_text(&rewriting.out));
		cut->row->form = "";
		cut->done = true;
	}
	str_free(&rewriting.out);
	return cut->done;
}

/* Reads the next perf_event_attr of perf's text; NULL: there is none. */
static const char *
next_attr(const char *text, uint64_t field[FORMAT_FIELDS])
{
	const char *at = strstr(text, "perf_event_attr:\n"), *end;

	memset(field, 0, FORMAT_FIELDS * sizeof *field);
	if (!at)
		return NULL;
	at += strlen("perf_event_attr:\n");
	end = strstr(at, "\n---");
	while (at && *at == ' ' && (!end || at < end)) {
		static const char *const key[FORMAT_FIELDS] = {
			"  config ", "  { bp_addr, config1 } ", "  { bp_len, config2 } ", "  config3 "};

		for (int i = 0; i < FORMAT_FIELDS; i++)
			if (str_starts(at, key[i]))
				field[i] = strtoull(at + strlen(key[i]), NULL, 0);
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return end ? end : at ? at : text + strlen(text);
}

static size_t
count_attrs(const char *text)
{
	uint64_t field[FORMAT_FIELDS];
	size_t n = 0;

	while ((text = next_attr(text, field)))
		n++;
	return n;
}

/* Asks about n events from `first` on. perf opens those of one PMU in the order in which they are given. If it opens
 * more, because a PMU has several boxes or an event is tried twice, or fewer, only a single event's attributes are
 * certain. */
static void
ask_about(struct codes *codes, size_t first, size_t n, perf_codes_ask *ask, void *ctx)
{
	struct str names = {0}, out = {0};
	uint64_t field[FORMAT_FIELDS];

	for (size_t i = first; i < first + n; i++)
		str_addf(&names, "%s%s/%s/", names.n ? "," : "", codes->cut[i].row->pmu, codes->cut[i].row->name);
	if (ask(ctx, str_text(&names), &out) && (n == 1 || count_attrs(str_text(&out)) == n)) {
		const char *text = str_text(&out);

		for (size_t i = first; i < first + n && (text = next_attr(text, field)); i++)
			accept(codes, &codes->cut[i], field);
	}
	str_free(&names);
	str_free(&out);
}

static int
compare_pmus(const void *a, const void *b)
{
	const struct cut_code *x = a, *y = b;

	return strcmp(x->row->pmu, y->row->pmu);
}

void
perf_codes_complete(struct event_table *table, const char *sysfs, perf_codes_ask *ask, void *ctx)
{
	struct codes codes = {.table = table, .sysfs = sysfs};
	size_t alone = 0;

	if (has_wide_value(table))
		return;
	find_cut(&codes);
	if (codes.n)
		qsort(codes.cut, codes.n, sizeof *codes.cut, compare_pmus);
	for (size_t i = 0, n; i < codes.n; i += n) {
		for (n = 1; n < TOGETHER && i + n < codes.n && !compare_pmus(&codes.cut[i], &codes.cut[i + n]); n++)
			;
		ask_about(&codes, i, n, ask, ctx);
	}
	for (size_t i = 0; i < codes.n; i++) {
		if (!codes.cut[i].done && alone++ < ALONE_MOST)
			ask_about(&codes, i, 1, ask, ctx);
		if (!codes.cut[i].done)
			codes.cut[i].row->code = codes.cut[i].row->form = "";
	}
	free(codes.cut);
	free(codes.format);
	names_free(&codes.looked_up);
	str_free(&codes.key);
}
