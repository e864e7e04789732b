
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "core/stack/stack.h"
#include "draw/heat_map.h"
#include "work/slices/skp.h"

/* --- text -------------------------------------------------------------------------------------------------------- */

static const char *
part_name(const struct skp *k, size_t part)
{
	return k->slices->stack->part[part].name;
}

static char *
cluster_name(const struct skp *k, const struct skp_round *r, size_t cluster)
{
	if (r->cluster[cluster].outlier)
		return mem_str("none");
	return str_format("%d-%zu", r == &k->first ? 1 : 2, r->first + cluster);
}

/* "mcf-like_1 to 8, art-like_3" */
static char *
slices_text(const struct skp *skp, const struct skp_cluster *cluster)
{
	struct str all = {0};
	size_t run;

	for (size_t i = 0; i < cluster->n; i += run) {
		char *name;

		run = slices_run(skp->slices, cluster->slice + i, cluster->n - i);
		name = slices_run_name(skp->slices, cluster->slice + i, run);
		str_addf(&all, "%s%s", i ? ", " : "", name);
		free(name);
	}
	return str_take(&all);
}

/* "LoadMemBound 45 %, DTlbStall 6 %" */
static char *
keys_text(const struct skp *k, const struct skp_round *r, const struct skp_cluster *c)
{
	struct str all = {0};

	for (size_t i = 0; i < c->n_keys; i++)
		str_addf(&all, "%s%s %.0f %%", i ? ", " : "", part_name(k, r->part[c->key[i]]),
			100 * c->mean[c->key[i]]);
	return all.n ? str_take(&all) : mem_str("-");
}

static void
wrapped(const struct options *o, struct str *out, size_t indent, const char *text)
{
	print_wrapped(out, text, indent, 2, print_width(o), print_ascii(o));
}

static void
add_list(const struct options *o, struct str *out, const char *before, const struct skp *k, const size_t *part,
	size_t n)
{
	struct str all = {0};

	str_add(&all, before);
	for (size_t i = 0; i < n; i++)
		str_addf(&all, "%s%s", i ? ", " : " ", part_name(k, part[i]));
	if (n)
		wrapped(o, out, 0, str_text(&all));
	str_free(&all);
}

static void
heading(const struct options *options, const struct skp *skp, const struct skp_round *round, struct str *out)
{
	static const char *const from[] = {[SKP_EPS_GIVEN] = "given",
		[SKP_EPS_KNEE] = "the knee of the sorted distances",
		[SKP_EPS_LARGEST] = "the largest distance: no knee", [SKP_EPS_MINOR] = "what is minor; the knee is at"};
	struct str line = {0};
	bool first = round == &skp->first;

	str_addf(&line, "round %d: %s, %zu slices; MinPts %zu, eps %.3g (%s", first ? 1 : 2,
		first ? "the top parts" : part_name(skp, round->parent), round->n, skp->min_points, round->eps,
		from[round->from]);
	if (round->from == SKP_EPS_MINOR)
		str_addf(&line, " %.3g", round->knee);
	str_addc(&line, ')');
	wrapped(options, out, 0, str_text(&line));
	str_free(&line);
}

static void
clusters_text(const struct options *options, const struct skp *skp, const struct skp_round *r, struct str *out)
{
	struct text_column column[] = {
		{.title = "cluster"}, {.title = "slices", .right = true}, {.title = "key points"}};
	struct text_table *table = text_table_new(column, 3, print_ascii(options));
	size_t n = r->n_clusters + r->n_outliers;
	char *none;

	for (size_t c = 0; c < n; c++) {
		char *name = cluster_name(skp, r, c), *keys = keys_text(skp, r, &r->cluster[c]),
		     *slices = slices_text(skp, &r->cluster[c]);

		text_table_row(table, "%s", name);
		text_table_addf(table, "%zu", r->cluster[c].n);
		text_table_add(table, keys);
		wrapped(options, text_table_below(table), 17, slices);
		free(name);
		free(keys);
		free(slices);
	}
	text_table_end(table, out);
	if (r->n_clusters)
		return;
	none = str_format("no cluster: no slice has %zu slices within eps, itself included; a larger --eps or a "
		"smaller --min-points finds some", skp->min_points);
	wrapped(options, out, 0, none);
	free(none);
}

static void
excluded_text(const struct options *o, const struct skp *k, const struct skp_round *r, struct str *out)
{
	size_t *part = mem_new_array(r->n_parts, sizeof *part);
	char *before = str_format("excluded, below %.3g %% in each cluster:", 100 * k->minor);

	for (size_t i = 0; i < r->n_excluded; i++)
		part[i] = r->part[r->excluded[i]];
	add_list(o, out, before, k, part, r->n_excluded);
	free(before);
	free(part);
}

static void
map_text(const struct options *o, const struct skp *k, size_t round, struct str *out)
{
	struct heat_map *m = heat_map_of_skp(k, round, !o->verbose);
	int w = (int)print_width(o), h = heat_map_height(m, w);
	struct grid *g = grid_new(w, h, print_ascii(o));

	heat_map_draw(m, g, (struct rect){0, 0, w, h}, 0);
	print_grid(g, out);
	grid_free(g);
	heat_map_free(m);
}

static void
round_text(const struct options *options, const struct skp *skp, size_t round, struct str *out)
{
	const struct skp_round *skp_round = round ? &skp->second[round - 1] : &skp->first;

	heading(options, skp, skp_round, out);
	str_addc(out, '\n');
	clusters_text(options, skp, skp_round, out);
	str_addc(out, '\n');
	map_text(options, skp, round, out);
	if (skp_round->n_excluded || (!round && skp->n_idle + skp->n_few))
		str_addc(out, '\n');
	excluded_text(options, skp, skp_round, out);
	if (!round) {
		add_list(options, out, "lead no cluster:", skp, skp->idle, skp->n_idle);
		add_list(options, out, "lead too few slices for a second round:", skp, skp->few, skp->n_few);
	}
	str_addc(out, '\n');
}

/* Adds names to a list of words that it does not have yet. */
static void
add_new_words(struct str *all, const char *words)
{
	char **word = str_split(words, ' ', NULL);

	for (size_t i = 0; word[i]; i++) {
		char *padded = str_format(" %s ", word[i]);

		if (!strstr(str_text(all), padded))
			str_addf(all, "%s ", word[i]);
		free(padded);
	}
	str_split_free(word);
}

static void
next_text(const struct options *options, const struct skp *skp, const char *on, struct str *out)
{
	size_t n;
	struct skp_weight *w = skp_weights(skp, &n);
	struct text_column column[] = {
		{.title = "part"}, {.title = "of all slots %", .right = true}, {.title = "probes"}};
	struct text_table *table = text_table_new(column, 3, print_ascii(options));
	struct str all = {0};

	str_add(&all, " ");
	for (size_t i = 0; i < n; i++) {
		const char *probes = skp_probes(part_name(skp, w[i].part));

		text_table_row(table, "%s", part_name(skp, w[i].part));
		text_table_addf(table, "%.1f", 100 * w[i].share);
		text_table_add(table, probes ? probes : "-");
		if (probes)
			add_new_words(&all, probes);
	}
	if (n) {
		str_add(out, "probes to run next\n\n");
		text_table_end(table, out);
	} else {
		str_add(out, "no part takes enough slots to be worth a probe\n");
		text_table_free(table);
	}
	if (all.n > 1)
		str_addf(out, "\nhecate probe%s--on %s\n", str_text(&all), on ? on : "MACHINE");
	str_free(&all);
	free(w);
}

void
print_slices_text(const struct options *o, const struct skp *k, const char *on, struct str *out)
{
	const struct stack *s = k->slices->stack;
	char *head = str_format("%zu slices by %s%s%s", k->slices->n, s->name, *s->text ? ": " : "", s->text);

	print_visible(out, head);
	str_add(out, "\n\n");
	free(head);
	for (size_t i = 0; i <= k->n_second; i++)
		round_text(o, k, i, out);
	next_text(o, k, on, out);
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

static void
names_json(struct json_writer *w, const char *key, const struct skp *k, const size_t *part, size_t n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		json_str(w, NULL, part_name(k, part[i]));
	json_close(w, ']');
}

static void
cluster_json(struct json_writer *writer, const struct skp *skp, const struct skp_round *r, size_t number)
{
	const struct skp_cluster *cluster = &r->cluster[number];
	char *name = cluster->outlier ? NULL : cluster_name(skp, r, number);

	json_open(writer, NULL, '{');
	json_str(writer, "cluster", name);
	json_open(writer, "key_points", '[');
	for (size_t i = 0; i < cluster->n_keys; i++)
		json_str(writer, NULL, part_name(skp, r->part[cluster->key[i]]));
	json_close(writer, ']');
	json_open(writer, "mean", '{');
	for (size_t p = 0; p < r->n_parts; p++)
		json_num(writer, part_name(skp, r->part[p]), cluster->mean[p]);
	json_close(writer, '}');
	json_open(writer, "slices", '[');
	for (size_t i = 0; i < cluster->n; i++)
		json_str(writer, NULL, skp->slices->names.name[cluster->slice[i]]);
	json_close(writer, ']');
	json_close(writer, '}');
	free(name);
}

static void
round_json(struct json_writer *writer, const struct skp *skp, const struct skp_round *round)
{
	static const char *const from[] = {[SKP_EPS_GIVEN] = "given", [SKP_EPS_KNEE] = "knee",
		[SKP_EPS_LARGEST] = "largest", [SKP_EPS_MINOR] = "minor"};

	json_open(writer, NULL, '{');
	json_int(writer, "round", round == &skp->first ? 1 : 2);
	json_str(writer, "of", round == &skp->first ? NULL : part_name(skp, round->parent));
	names_json(writer, "parts", skp, round->part, round->n_parts);
	json_num(writer, "eps", round->eps);
	json_str(writer, "eps_from", from[round->from]);
	json_num(writer, "knee", round->from == SKP_EPS_GIVEN ? NAN : round->knee);
	json_open(writer, "clusters", '[');
	for (size_t c = 0; c < round->n_clusters; c++)
		cluster_json(writer, skp, round, c);
	json_close(writer, ']');
	json_open(writer, "outliers", '[');
	for (size_t c = 0; c < round->n_outliers; c++)
		cluster_json(writer, skp, round, round->n_clusters + c);
	json_close(writer, ']');
	json_open(writer, "excluded", '[');
	for (size_t i = 0; i < round->n_excluded; i++)
		json_str(writer, NULL, part_name(skp, round->part[round->excluded[i]]));
	json_close(writer, ']');
	json_close(writer, '}');
}

static void
next_json(struct json_writer *writer, const struct skp *skp)
{
	size_t n;
	struct skp_weight *weight = skp_weights(skp, &n);

	json_open(writer, "next", '[');
	for (size_t i = 0; i < n; i++) {
		const char *probes = skp_probes(part_name(skp, weight[i].part));
		char **probe = str_split(probes ? probes : "", ' ', NULL);

		json_open(writer, NULL, '{');
		json_str(writer, "part", part_name(skp, weight[i].part));
		json_num(writer, "share", weight[i].share);
		json_open(writer, "probes", '[');
		for (size_t j = 0; probe[j] && *probe[j]; j++)
			json_str(writer, NULL, probe[j]);
		json_close(writer, ']');
		json_close(writer, '}');
		str_split_free(probe);
	}
	json_close(writer, ']');
	free(weight);
}

static void
slices_json(struct json_writer *writer, const struct slices *slices)
{
	json_open(writer, "slices", '[');
	for (size_t i = 0; i < slices->n; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "name", slices->names.name[i]);
		json_open(writer, "shares", '{');
		for (size_t p = 0; p < slices->stack->n_parts; p++)
			if (!slices->stack->part[p].implied)
				json_num(writer, slices->stack->part[p].name, slices_share(slices, i, p));
		json_close(writer, '}');
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_int(writer, "left_out", (int64_t)slices->left_out);
	json_bool(writer, "cut", slices->cut);
}

void
print_slices_json(const struct skp *skp, struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	json_str(writer, "schema", "hecate.slices/1");
	json_str(writer, "stack", skp->slices->stack->name);
	json_int(writer, "min_points", (int64_t)skp->min_points);
	json_num(writer, "minor", skp->minor);
	slices_json(writer, skp->slices);
	json_open(writer, "rounds", '[');
	for (size_t i = 0; i <= skp->n_second; i++)
		round_json(writer, skp, i ? &skp->second[i - 1] : &skp->first);
	json_close(writer, ']');
	names_json(writer, "lead_nothing", skp, skp->idle, skp->n_idle);
	names_json(writer, "lead_too_few", skp, skp->few, skp->n_few);
	next_json(writer, skp);
	json_close(writer, '}');
}
