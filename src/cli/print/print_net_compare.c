/* Two recordings on one network (hecate net --compare), as text and as JSON. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_net.h"
#include "cli/print/print_net_page.h"
#include "cli/print/text_table.h"
#include "work/timeline/network_compare.h"

#define FEW 24 /* counters without -v; components are always shown */

static const struct text_column columns[] = {
	{.title = "  "}, {.title = "A", .right = true}, {.title = "B", .right = true},
	{.title = "B/A in all", .right = true}, {.title = "B/A", .right = true}, {.title = "99 %"},
};

static void
add_number(struct text_table *table, double v, bool count, bool ascii)
{
	char number[NUMBER_TEXT];

	if (isnan(v))
		text_table_add(table, "?");
	else if (isinf(v))
		text_table_add(table, ascii ? "inf" : "∞");
	else
		text_table_add(table, count && v >= 1000 ? number_count(number, v, ascii)
			: number_digits(number, v, 4, ascii));
}

static void
print_net_compare_add_row(struct text_table *table, const struct network *net, const struct compared *one, bool ascii)
{
	char low[NUMBER_TEXT], high[NUMBER_TEXT];
	struct str name = {0};

	compared_name(net, one, &name);
	text_table_row(table, "  %s", str_text(&name));
	add_number(table, one->total[0], true, ascii);
	add_number(table, one->total[1], true, ascii);
	add_number(table, one->plain, false, ascii);
	add_number(table, one->ratio.ratio, false, ascii);
	if (isnan(one->ratio.low))
		text_table_add(table, "");
	else
		text_table_addf(table, "%s%s%s%s", number_digits(low, one->ratio.low, 4, ascii), ascii ? " - " : " – ",
			isinf(one->ratio.high) ? "?" : number_digits(high, one->ratio.high, 4, ascii),
			compared_differs(one) ? "" : "  may be equal");
	str_free(&name);
}

/* Prints the quantities of one sort, by their distance from 1. Returns how many were left out. */
static size_t
add_table(const struct net_report *report, const struct network_compare *c, bool counters, struct str *out)
{
	size_t n, shown;
	const struct compared **list = network_compare_sorted(c, counters, &n);
	bool ascii = print_ascii(report->options);
	struct text_table *table;

	shown = counters && !report->options->verbose && n > FEW ? FEW : n;
	if (n)
		str_add(out, counters ? "\ncounters, greatest difference first\n"
			: "\ncomponents and figures, greatest difference first\n");
	table = text_table_new(columns, sizeof columns / sizeof *columns, ascii);
	for (size_t i = 0; i < shown; i++)
		print_net_compare_add_row(table, report->net, list[i], ascii);
	if (n)
		text_table_end(table, out);
	else
		text_table_free(table);
	free(list);
	return n - shown;
}

void
print_net_compare(
	const struct net_report *report, const struct network_compare *c, const char *const name[2], struct str *out)
{
	bool rates = c->seconds[0] > 0 && c->seconds[1] > 0;
	size_t hidden;

	str_addf(out, "network %s: B compared with A\n", report->net->name);
	for (int side = 0; side < 2; side++) {
		str_addf(out, "  %c  ", 'A' + side);
		print_visible(out, name[side]);
		str_addf(out, ", %zu row%s", c->rows[side], plural_s(c->rows[side]));
		if (c->seconds[side] > 0)
			str_addf(out, ", %.4g s", c->seconds[side]);
		str_addc(out, '\n');
	}
	str_addf(out, "B/A: %s; queues, delays and figures: of means over the rows\n",
		rates ? "of rates per second" : "of means over the rows, because a length is not known");
	if (c->n_bounded)
		str_addf(out, "the %zu intervals hold together at 99 %%\n", c->n_bounded);
	else
		str_addf(out, "no intervals: they need %zu rows of both (-I when counting)\n",
			SERIES_FEWEST_FOR_BOUNDS);
	add_table(report, c, false, out);
	hidden = add_table(report, c, true, out);
	if (hidden)
		str_addf(out, "  %zu more (-v)\n", hidden);
}

static void
write_side(struct json_writer *w, const struct network_compare *c, const char *name, int side)
{
	json_open(w, NULL, '{');
	json_str(w, "name", name);
	json_int(w, "rows", (int64_t)c->rows[side]);
	json_num(w, "seconds", c->seconds[side]);
	json_close(w, '}');
}

static void
write_compared(struct json_writer *w, const struct network *net, const struct compared *one)
{
	bool component = one->what != COMPARED_COUNTER && one->what != COMPARED_FIGURE;
	struct str unit = {0};

	unit_text(one->unit, &unit);
	json_open(w, NULL, '{');
	json_str(w, "what", compared_word(one->what));
	json_str(w, "name", one->what == COMPARED_COUNTER ? net->counter[one->number].name
		: one->what == COMPARED_FIGURE ? net->total[one->number].text : net->module[one->module].name);
	json_str(w, "kind", component ? net->kind[one->kind].name : NULL);
	json_str(w, "destination", one->what == COMPARED_STALL ? net->module[one->number].name : NULL);
	json_str(w, "unit", one->what == COMPARED_STALL || one->what == COMPARED_QUEUE ? NULL : str_text(&unit));
	json_bool(w, "adds", one->adds);
	json_num(w, "a", one->total[0]);
	json_num(w, "b", one->total[1]);
	json_num(w, "in_all", one->plain);
	json_num(w, "ratio", one->ratio.ratio);
	json_num(w, "low", one->ratio.low);
	json_num(w, "high", isinf(one->ratio.high) ? NAN : one->ratio.high);
	json_close(w, '}');
	str_free(&unit);
}

void
print_net_compare_json(
	const struct net_report *report, const struct network_compare *c, const char *const name[2])
{
	struct json_writer *w = report->json;

	json_open(w, "comparison", '{');
	json_open(w, "sides", '[');
	for (int side = 0; side < 2; side++)
		write_side(w, c, name[side], side);
	json_close(w, ']');
	json_num(w, "confidence", COMPARED_CONFIDENCE);
	json_int(w, "bounded", (int64_t)c->n_bounded);
	json_open(w, "ratios", '[');
	for (size_t i = 0; i < c->n; i++)
		write_compared(w, report->net, &c->list[i]);
	json_close(w, ']');
	json_close(w, '}');
}
