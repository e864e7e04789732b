#include "work/catalogue.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/fuzzy.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/name.h"
#include "work/machine.h"
#include "work/side_process.h"

/* --- the tree ---------------------------------------------------------------------------------------------------- */

static const char *
topic_of(const struct event_row *row)
{
	return *row->topic ? row->topic : "other";
}

static const char *
pmu_of(const struct event_row *row)
{
	return *row->pmu ? row->pmu : "any core";
}

/* Cores come first, then PMUs and topics by name; rows of a topic keep the table's order. */
static int
by_place(const void *a, const void *b)
{
	const struct event_row *x = *(const struct event_row *const *)a, *y = *(const struct event_row *const *)b;
	int order = event_pmu_is_core(y->pmu) - event_pmu_is_core(x->pmu);

	order = order ? order : strcmp(pmu_of(x), pmu_of(y));
	order = order ? order : strcmp(topic_of(x), topic_of(y));
	return order ? order : (x > y) - (x < y);
}

static size_t
add_node(struct catalogue *c, unsigned depth, const char *name, size_t row)
{
	c->node[c->n] = (struct catalogue_node){.depth = depth, .name = name, .row = row};
	return c->n++;
}

/* Sets what is below the groups that end before node `end`. */
static void
close_group(struct catalogue *c, size_t at)
{
	struct catalogue_node *group = &c->node[at];

	group->below = c->n - at - 1;
	for (size_t i = at + 1; i < c->n; i++)
		group->events += c->node[i].row != CATALOGUE_GROUP;
}

static void
make_tree(struct catalogue *c)
{
	const struct event_table *table = &c->table;
	const struct event_row **order = mem_new_array(table->n, sizeof *order), *last = NULL;
	size_t pmu = 0, topic = 0;

	c->node = mem_new_array(3 * table->n, sizeof *c->node);
	c->node_of = mem_new_array(table->n, sizeof *c->node_of);
	for (size_t i = 0; i < table->n; i++)
		order[i] = &table->row[i];
	if (table->n)
		qsort(order, table->n, sizeof *order, by_place);
	for (size_t i = 0; i < table->n; i++) {
		bool other = last && !str_eq(pmu_of(last), pmu_of(order[i]));
		bool next = other || (last && !str_eq(topic_of(last), topic_of(order[i])));

		if (next)
			close_group(c, topic);
		if (other)
			close_group(c, pmu);
		if (!last || other)
			pmu = add_node(c, 0, pmu_of(order[i]), CATALOGUE_GROUP);
		if (!last || next)
			topic = add_node(c, 1, topic_of(order[i]), CATALOGUE_GROUP);
		last = order[i];
		c->node_of[last - table->row] = add_node(c, 2, last->name, (size_t)(last - table->row));
	}
	if (last) {
		close_group(c, topic);
		close_group(c, pmu);
	}
	free(order);
}

static void
make_lower(struct catalogue *c)
{
	struct str all = {0};

	c->lower_at = mem_new_array(c->table.n, sizeof *c->lower_at);
	for (size_t i = 0; i < c->table.n; i++) {
		c->lower_at[i] = all.n;
		str_addf(&all, "%s\n%s", c->table.row[i].name, c->table.row[i].text);
		str_addn(&all, "", 1);
	}
	c->lower = mem_copy(str_text(&all), all.n + 1);
	for (size_t i = 0; i < all.n; i++)
		c->lower[i] = (char)tolower((unsigned char)c->lower[i]);
	str_free(&all);
}

void
catalogue_arrange(struct catalogue *c)
{
	event_table_sort(&c->table);
	make_tree(c);
	make_lower(c);
}

struct catalogue *
catalogue_of(struct event_table *table)
{
	struct catalogue *c = mem_new(sizeof *c);

	c->table = *table;
	*table = (struct event_table){0};
	catalogue_arrange(c);
	return c;
}

void
catalogue_free(struct catalogue *c)
{
	if (!c)
		return;
	side_process_free(c->process);
	event_table_free(&c->table);
	if (c->health)
		health_free(c->health);
	free(c->health);
	free(c->node);
	free(c->node_of);
	free(c->lower);
	free(c->lower_at);
	free(c->failed);
	free(c);
}

/* --- finding ----------------------------------------------------------------------------------------------------- */

enum { WORDS_MOST = 8, BY_LETTERS = 1, BY_TEXT = 2, BY_NAME = 3 };

struct hit {
	int way, score;
	size_t length, node;
};

static int
better_first(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	int order = y->way - x->way;

	order = order ? order : y->score - x->score;
	order = order ? order : (x->length > y->length) - (x->length < y->length);
	return order ? order : (x->node > y->node) - (x->node < y->node);
}

/* Do the letters of the pattern, without blanks, stand in the first n bytes of the text in this order? */
static bool
has_letters(const char *pattern, const char *text, size_t n)
{
	const char *end = text + n;

	for (; *pattern; pattern++) {
		if (*pattern == ' ')
			continue;
		text = memchr(text, *pattern, (size_t)(end - text));
		if (!text)
			return false;
		text++;
	}
	return true;
}

/* How the row fits the words: BY_…; 0: it does not. `pattern` is all words in lower case. */
static int
how_it_fits(const char *pattern, char *const *word, size_t n_words, const char *text)
{
	size_t name = strcspn(text, "\n");
	int way = BY_NAME;

	for (size_t i = 0; i < n_words && way; i++) {
		const char *at = strstr(text, word[i]);

		if (!at)
			way = 0;
		else if (at >= text + name)
			way = BY_TEXT;
	}
	return way ? way : has_letters(pattern, text, name) ? BY_LETTERS : 0;
}

size_t *
catalogue_find(const struct catalogue *c, const char *words, size_t *n)
{
	struct hit *hit = mem_new_array(c->table.n, sizeof *hit);
	char *pattern = mem_str(words), *split = mem_str(words), *word[WORDS_MOST], *rest = split, *w;
	size_t n_words = 0, *out = mem_new_array(c->table.n, sizeof *out);

	*n = 0;
	for (char *p = pattern; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	memcpy(split, pattern, strlen(pattern));
	while ((w = strsep(&rest, " ")) != NULL)
		if (*w && n_words < WORDS_MOST)
			word[n_words++] = w;
	for (size_t i = 0; i < c->table.n && n_words; i++) {
		int way = how_it_fits(pattern, word, n_words, c->lower + c->lower_at[i]);

		if (way)
			hit[(*n)++] = (struct hit){way, fuzzy_score(pattern, c->table.row[i].name),
				strlen(c->table.row[i].name), c->node_of[i]};
	}
	if (*n)
		qsort(hit, *n, sizeof *hit, better_first);
	for (size_t i = 0; i < *n; i++)
		out[i] = hit[i].node;
	free(pattern);
	free(split);
	free(hit);
	return out;
}

/* --- one event --------------------------------------------------------------------------------------------------- */

void
catalogue_read_health(struct catalogue *c)
{
	if (!c->health)
		c->health = mem_new(sizeof *c->health);
	health_free(c->health);
	machine_health(c->health);
	if (!*c->table.cpu)
		machine_cpu(c->table.cpu);
}

const struct health_entry *
catalogue_health(const struct catalogue *c, const struct event_row *row)
{
	return c->health ? health_find(c->health, c->table.cpu, row->name, row->pmu, row->code) : NULL;
}

void
catalogue_event(const struct event_row *row, struct str *out)
{
	if (*row->pmu && *row->code)
		str_addf(out, "%s/%s/", row->pmu, row->code);
	else
		str_add(out, row->name);
}

void
catalogue_same_code(const struct catalogue *c, const struct event_row *row, struct str *out)
{
	enum { LISTED = 6 };
	size_t n, *same = event_table_same_code(&c->table, row, &n);

	for (size_t i = 0; i < n && i < LISTED; i++)
		str_addf(out, "%s%s", i ? ", " : "", c->table.row[same[i]].name);
	if (n > LISTED)
		str_addf(out, " and %zu more", n - LISTED);
	free(same);
}
