/* What a snapshot says of each core, kind or destination (hecate net --by), as text and as JSON. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_net_page.h"
#include "cli/print/text_table.h"
#include "core/network/breakdown.h"
#include "core/network/network.h"
#include "core/network/state.h"
#include "work/timeline/column_owners.h"

#define FEW 16             /* rows without -v */
#define COLUMNS_MOST 16    /* of stalls; more destinations only in JSON */

bool
print_net_wants_by(const struct net_report *report, enum net_by *by)
{
	static const char *const word[] = {
		[NET_BY_CORE] = "core", [NET_BY_KIND] = "kind", [NET_BY_DESTINATION] = "destination"};
	const struct net_options *own = report->options->own;

	for (size_t i = 0; own->by && i < sizeof word / sizeof *word; i++)
		if (str_eq(own->by, word[i])) {
			*by = (enum net_by)i;
			return true;
		}
	return false;
}

/* Appends the name of a row for people. */
static void
add_item_name(
	const struct network *net, const struct column_owners *owners, enum net_by by, size_t item, struct str *out)
{
	const char *name = by == NET_BY_CORE ? column_owners_name(owners, SCOPE_CORE, item) : NULL;

	if (name)
		print_visible(out, name);
	else if (by == NET_BY_CORE)
		str_addf(out, "core %zu", item);
	else
		print_visible(out, by == NET_BY_KIND ? net->kind[item].name : network_module_text(net, item));
}

static const char *
known_text(char number[NUMBER_TEXT + 1], struct net_known v, bool count, bool ascii)
{
	if (!v.known)
		return "?";
	number[0] = '>';
	if (count)
		number_count(number + 1, v.sum, ascii);
	else
		number_digits(number + 1, v.sum, 4, ascii);
	return v.unknown ? number : number + 1;
}

static void
add_row(struct text_table *table, const struct print_net_page *page, const struct column_owners *owners,
	enum net_by by, const struct net_breakdown *b, size_t row)
{
	const struct net_breakdown_row *r = &b->row[row];
	char number[NUMBER_TEXT + 1];
	struct str name = {0};

	add_item_name(page->r->net, owners, by, r->item, &name);
	text_table_row(table, "  %s", str_text(&name));
	text_table_add(table, known_text(number, r->requests, true, page->ascii));
	text_table_add(table, known_text(number, r->queue, false, page->ascii));
	text_table_add(table, number_count(number, r->stall, page->ascii));
	if (b->stall > 0)
		text_table_addf(table, "%.1f %%", 100 * r->stall / b->stall);
	else
		text_table_skip(table, 1);
	for (size_t i = 0; i < b->n_columns && i < COLUMNS_MOST; i++)
		text_table_add(table, number_count(number, r->part[i], page->ascii));
	str_free(&name);
}

/* Columns without any stalls are not shown. */
static bool
has_stalls_in(const struct net_breakdown *b, size_t column)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->row[i].part[column] > 0)
			return true;
	return false;
}

void
print_net_add_by(struct print_net_page *page, const struct column_owners *owners, enum net_by by)
{
	static const char *const title[] = {"core", "kind", "destination"};
	struct text_column column[5 + COLUMNS_MOST] = {{.title = NULL}, {.title = "requests", .right = true},
		{.title = "queue", .right = true}, {.title = "stalls", .right = true},
		{.title = "of all", .right = true}};
	const struct network *net = page->r->net;
	struct net_breakdown *b = net_breakdown_new(page->state, page->r->weight, by);
	size_t n = 5, shown = page->r->options->verbose || b->n < FEW ? b->n : FEW;
	struct text_table *table;
	char number[NUMBER_TEXT], *first = str_format("  %s", title[by]);

	column[0].title = first;
	for (size_t i = 0; i < b->n_columns && i < COLUMNS_MOST; i++)
		column[n++] = (struct text_column){.right = true, .hidden = !has_stalls_in(b, i),
			.title = by == NET_BY_DESTINATION ? net->kind[b->column[i]].name
							  : network_module_text(net, b->column[i])};
	str_addf(page->out, "\nby %s: requests, how many wait on average, and stalls by %s%s\n", title[by],
		by == NET_BY_DESTINATION ? "kind" : "destination", b->in_ns ? ", in ns" : "");
	table = text_table_new(column, n, page->ascii);
	for (size_t i = 0; i < shown; i++)
		add_row(table, page, owners, by, b, i);
	text_table_end(table, page->out);
	if (shown < b->n)
		str_addf(page->out, "  %zu more (-v)\n", b->n - shown);
	if (b->elsewhere > 0)
		str_addf(page->out, "  %s more stalls are no core's\n",
			number_count(number, b->elsewhere, page->ascii));
	net_breakdown_free(b);
	free(first);
}

static void
write_known(struct json_writer *w, const char *key, struct net_known v)
{
	json_num(w, key, v.known ? v.sum : NAN);
}

void
print_net_write_by(const struct net_report *report, const struct net_state *state, const struct column_owners *owners,
	enum net_by by)
{
	static const char *const key[] = {"core", "kind", "destination"};
	struct net_breakdown *b = net_breakdown_new(state, report->weight, by);
	struct json_writer *w = report->json;

	json_open(w, "by", '[');
	for (size_t i = 0; i < b->n; i++) {
		const struct net_breakdown_row *row = &b->row[i];

		json_open(w, NULL, '{');
		json_str(w, "what", key[by]);
		json_str(w, "name", by == NET_BY_CORE ? column_owners_name(owners, SCOPE_CORE, row->item)
			: by == NET_BY_KIND           ? report->net->kind[row->item].name
						      : report->net->module[row->item].name);
		write_known(w, "requests", row->requests);
		json_int(w, "requests_unknown", (int64_t)row->requests.unknown);
		write_known(w, "queue", row->queue);
		json_int(w, "queue_unknown", (int64_t)row->queue.unknown);
		json_num(w, "stall", row->stall);
		json_bool(w, "in_ns", b->in_ns);
		json_open(w, "parts", '[');
		for (size_t k = 0; k < b->n_columns; k++) {
			json_open(w, NULL, '{');
			json_str(w, "name", by == NET_BY_DESTINATION ? report->net->kind[b->column[k]].name
								    : report->net->module[b->column[k]].name);
			json_num(w, "stall", row->part[k]);
			json_close(w, '}');
		}
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
	net_breakdown_free(b);
}
