/* Writes any diagram as an FDL file. A node that several edges lead to gets a label, and `next` leads there. Every
 * other node is written in place:
 *
 * 	    switch Tlb {
 * 	        Hit =>
 * 	            incr hit;
 * 	            next L1;
 * 	        Miss => next L1;
 * 	    };
 * 	L1:
 * 	    done;
 *
 * Labels come in the order of the diagram, so `next` always leads down the text. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "convert/fdl/graph.h"
#include "convert/fdl/print.h"
#include "convert/fdl/words.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"

#define INDENT 4
#define DEPTH_MAX 12                   /* switches within each other; deeper ones get a label */
#define WORDS_SHOWN 8
#define TEXT_MAX ((size_t)12 << 20)    /* bytes: the text must be readable again */

enum { SPACE_ACTIONS, SPACE_COUNTERS, SPACE_PROPERTIES, SPACE_VALUES }; /* values of property p: SPACE_VALUES + p */

struct writer {
	const struct udd_diagram *d;
	const struct fdl_graph *g;
	struct fdl_words words;
	uint32_t *arrivals; /* per node: number of edges that lead there */
	uint32_t *label;    /* per node: number of its label, 0 for none */
	uint32_t n_labels;
	struct str *out;
};

static void
write_indent(struct writer *w, int depth)
{
	str_addf(w->out, "%*s", depth * INDENT, "");
}

static const char *
property_word(struct writer *writer, uint32_t p)
{
	char *name;
	const char *word;

	if (p < writer->d->n_properties)
		return fdl_word(&writer->words, SPACE_PROPERTIES, writer->d->property[p]);
	if (writer->d->n_roots > 1 && p + 1 == writer->g->n_properties)
		return fdl_word_for(&writer->words, SPACE_PROPERTIES, "a path", "Request");
	name = str_format("choice %zu", p - writer->d->n_properties + 1);
	word = fdl_word_for(&writer->words, SPACE_PROPERTIES, name, name);
	free(name);
	return word;
}

/* Properties of the same name count as one. They belong to different roots, and a µpath has only one root. */
static size_t
value_space(struct writer *w, uint32_t p)
{
	for (uint32_t q = 0; p < w->d->n_properties && q < p; q++)
		if (str_eq(w->d->property[q], w->d->property[p]))
			return SPACE_VALUES + q;
	return SPACE_VALUES + p;
}

static const char *
value_word(struct writer *w, uint32_t p, const char *text)
{
	return fdl_word_for(&w->words, value_space(w, p), text, str_eq(text, "(other)") ? "Other" : text);
}

static void
number_label(struct writer *w, uint32_t node)
{
	if (!w->label[node])
		w->label[node] = ++w->n_labels;
}

/* Gives a label to each node that several edges lead to, except ends: `done` is written at each of them. */
static void
find_labels(struct writer *w)
{
	for (size_t e = 0; e < w->g->n_edges; e++)
		w->arrivals[w->g->edge[e].to]++;
	for (uint32_t n = 0; n < w->g->n_nodes; n++)
		if (w->arrivals[n] > 1 && w->g->node[n].kind != FDL_DONE)
			number_label(w, n);
}

/* Gives labels to switches that contain too many levels. Nodes come in topological order, so going backwards visits
 * those inside first. */
static void
cut_deep(struct writer *writer)
{
	int *height = mem_new_array(writer->g->n_nodes, sizeof *height);

	for (uint32_t n = (uint32_t)writer->g->n_nodes; n-- > 0;) {
		const struct fdl_node *node = &writer->g->node[n];
		int below = 0;

		for (uint32_t e = node->first_edge; e < node->first_edge + node->n_edges; e++) {
			uint32_t to = writer->g->edge[e].to;

			if (!writer->label[to] && height[to] > below)
				below = height[to];
		}
		height[n] = below + (node->kind == FDL_SWITCH);
		if (height[n] >= DEPTH_MAX && node->kind == FDL_SWITCH && n > 0)
			number_label(writer, n);
	}
	free(height);
}

static void write_from(struct writer *, uint32_t node, int depth);

/* Writes what an edge leads to: in place, or as a jump to its label. */
static void
write_follow(struct writer *w, uint32_t to, int depth)
{
	if (!w->label[to]) {
		write_from(w, to, depth);
		return;
	}
	write_indent(w, depth);
	str_addf(w->out, "next L%u;\n", w->label[to]);
}

static void
write_switch(struct writer *w, const struct fdl_node *v, int depth)
{
	write_indent(w, depth);
	str_addf(w->out, "switch %s {\n", property_word(w, v->property));
	for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges; e++) {
		write_indent(w, depth + 1);
		str_addf(w->out, "%s =>\n", value_word(w, v->property, w->g->edge[e].text));
		write_follow(w, w->g->edge[e].to, depth + 2);
	}
	write_indent(w, depth);
	str_add(w->out, "};\n");
}

/* Writes from a node on, up to the next node with a label. */
static void
write_from(struct writer *writer, uint32_t node, int depth)
{
	for (;;) {
		const struct fdl_node *fdl_node = &writer->g->node[node];

		switch (fdl_node->kind) {
		case FDL_ACTION:
			write_indent(writer, depth);
			str_addf(writer->out, "do %s;\n",
				fdl_word(&writer->words, SPACE_ACTIONS, writer->d->event[fdl_node->name]));
			break;
		case FDL_COUNTER:
			for (uint32_t i = 0; i < fdl_node->amount && writer->out->n < TEXT_MAX; i++) {
				write_indent(writer, depth);
				str_addf(writer->out, "incr %s;\n", fdl_word(&writer->words, SPACE_COUNTERS,
					writer->d->model->counter[fdl_node->name].name));
			}
			break;
		case FDL_SWITCH:
			write_switch(writer, fdl_node, depth);
			return;
		case FDL_DONE:
			write_indent(writer, depth);
			str_add(writer->out, "done;\n");
			return;
		case FDL_PASS:
		case FDL_IMPOSSIBLE:
			break;
		}
		node = writer->g->edge[fdl_node->first_edge].to;
		if (writer->label[node]) {
			write_follow(writer, node, depth);
			return;
		}
	}
}

static void
write_flow(struct writer *w)
{
	str_add(w->out, "FLOW {\n");
	if (!w->label[0])
		write_from(w, 0, 1);
	for (uint32_t n = 0; n < w->g->n_nodes && w->out->n < TEXT_MAX; n++)
		if (w->label[n]) {
			str_addf(w->out, "\nL%u:\n", w->label[n]);
			write_from(w, n, 1);
		}
	str_add(w->out, "}\n");
}

static void
write_actions(struct writer *writer)
{
	size_t n = 0;

	for (uint32_t i = 0; i < writer->g->n_nodes; i++) {
		size_t known = writer->words.given.n;
		const char *word;

		if (writer->g->node[i].kind != FDL_ACTION)
			continue;
		word = fdl_word(&writer->words, SPACE_ACTIONS, writer->d->event[writer->g->node[i].name]);
		if (writer->words.given.n == known)
			continue;
		str_addf(writer->out, "%s    %s;\n", n++ ? "" : "ACTIONS {\n", word);
	}
	if (n)
		str_add(writer->out, "}\n\n");
}

/* --- what is lost ---------------------------------------------------------------------------------------------- */

static void __attribute__((format(printf, 2, 3)))
lose(struct fdl_lost *l, const char *format, ...)
{
	struct str t = {0};
	va_list ap;

	va_start(ap, format);
	str_addv(&t, format, ap);
	va_end(ap);
	mem_grow(&l->text, &l->cap, l->n + 1, sizeof *l->text);
	l->text[l->n++] = str_take(&t);
}

void
fdl_lost_free(struct fdl_lost *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->text[i]);
	free(l->text);
	*l = (struct fdl_lost){0};
}

static void
lose_features(const struct udd_diagram *d, struct fdl_lost *l)
{
	struct str on = {0};

	for (size_t i = 0; i < d->model->n_features; i++)
		if (fset_has(&d->on, i))
			str_addf(&on, "%s%s", on.n ? ", " : "", d->model->feature[i].name);
	if (d->model->n_features)
		lose(l, "features: this is the model with %s", on.n ? str_text(&on) : "none of them");
	str_free(&on);
}

/* Lists counters whose event is not simply named after them. */
static void
lose_events(const struct udd_model *model, struct fdl_lost *lost)
{
	for (size_t i = 0; i < model->n_counters; i++) {
		const struct udd_counter *counter = &model->counter[i];
		struct str t = {0};

		if (counter->n_events == 1 && str_eq(counter->event[0].name, counter->name) &&
			!counter->event[0].filter)
			continue;
		for (size_t k = 0; k < counter->n_events; k++)
			str_addf(&t, "%s%s%s%s", k ? " + " : "", counter->event[k].name,
				counter->event[k].filter ? " if " : "",
				counter->event[k].filter ? counter->event[k].filter : "");
		lose(lost, "events: %s counts %s", counter->name, str_text(&t));
		str_free(&t);
	}
}

static void
lose_order(const struct udd_diagram *d, struct fdl_lost *l)
{
	size_t forks = 0;

	for (size_t n = 0; n < d->n_nodes; n++)
		forks += d->node[n].kind == UDD_FORK;
	if (forks)
		lose(l, "both: parts without an order are written in the order of the text (%zu place%s)", forks,
			plural_s(forks));
	if (d->n_before)
		lose(l, "before: %zu happens-before edge%s", d->n_before, plural_s(d->n_before));
}

static void
lose_decisions(const struct udd_diagram *diagram, bool pruned, struct fdl_lost *lost)
{
	size_t choices = 0, defaults = 0;

	for (size_t n = 0; n < diagram->n_nodes; n++)
		choices += diagram->node[n].kind == UDD_DECISION && diagram->node[n].property == UDD_NO_PROPERTY;
	for (size_t e = 0; e < diagram->n_edges; e++)
		defaults += diagram->edge[e].fallback;
	if (choices)
		lose(lost, "choose and repeat: %zu decision%s got a property, choice_1 and so on", choices,
			plural_s(choices));
	if (defaults)
		lose(lost, "default: there is a case for each value that it takes (%zu place%s)", defaults,
			plural_s(defaults));
	if (diagram->n_roots > 1)
		lose(lost, "paths: the property Request decides between %zu", diagram->n_roots);
	if (pruned)
		lose(lost, "impossible: decisions that would lead there are resolved");
}

static void
lose_amounts(const struct udd_diagram *d, struct fdl_lost *l)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_nodes; i++)
		n += d->node[i].kind == UDD_COUNT && d->node[i].amount > 1;
	if (n)
		lose(l, "amounts: incr is repeated as often as a counter rises (%zu place%s)", n, plural_s(n));
}

/* Lists words that differ from their names. Things without a name in the model have keys with a blank or a parenthesis,
 * which no name contains. */
static void
lose_words(struct writer *writer, struct fdl_lost *lost)
{
	struct names shown = {0};
	struct str t = {0};

	for (size_t i = 0; i < writer->words.given.n; i++) {
		const char *name = strchr(writer->words.given.name[i], ' ') + 1;
		size_t known = shown.n;

		if (str_eq(name, writer->words.word[i]) || strpbrk(name, " (") || names_add(&shown, name,
			strlen(name)) < known)
			continue;
		if (known < WORDS_SHOWN)
			str_addf(&t, "%s%s for %s", known ? ", " : "", writer->words.word[i], name);
	}
	if (shown.n > WORDS_SHOWN)
		str_addf(&t, ", and %zu more", shown.n - WORDS_SHOWN);
	if (shown.n)
		lose(lost, "words: %s", str_text(&t));
	names_free(&shown);
	str_free(&t);
}

/* Writes one line of a comment. Names must not be able to end it. */
static void
write_comment(struct str *out, const char *text)
{
	str_add(out, "# ");
	for (; *text; text++)
		str_addc(out, *text == '\n' || *text == '\r' ? ' ' : *text);
	str_addc(out, '\n');
}

bool
fdl_write_diagram(const struct udd_diagram *diagram, struct fdl_lost *lost, struct str *out, struct err *e)
{
	struct fdl_graph *whole = fdl_graph_new(diagram), *pruned = whole->impossible ? fdl_graph_prune(whole) : NULL;
	const struct fdl_graph *graph = whole->impossible ? pruned : whole;
	struct str body = {0};
	struct writer w = {.d = diagram, .g = graph, .words = {.spelling = &fdl_spelling}, .out = &body};
	bool good = false;

	if (!graph) {
		err_set(e, "%s has too many states of its properties to be written without what is impossible",
			diagram->model->name);
		err_hint(e, "switch features off");
		goto out;
	}
	w.arrivals = mem_new_array(graph->n_nodes, sizeof *w.arrivals);
	w.label = mem_new_array(graph->n_nodes, sizeof *w.label);
	find_labels(&w);
	cut_deep(&w);
	w.n_labels = 0;
	for (uint32_t n = 0; n < graph->n_nodes; n++)
		if (w.label[n])
			w.label[n] = ++w.n_labels;
	write_actions(&w);
	write_flow(&w);
	good = body.n < TEXT_MAX;
	if (!good) {
		err_set(e, "%s comes to more than %zu MB of FDL", diagram->model->name, TEXT_MAX >> 20);
		err_hint(e, "amounts are written out: count in larger units, or switch features off");
	}
	lose_features(diagram, lost);
	lose_decisions(diagram, pruned != NULL, lost);
	lose_amounts(diagram, lost);
	lose_order(diagram, lost);
	lose_events(diagram->model, lost);
	lose_words(&w, lost);
	write_comment(out, diagram->model->name);
	if (*diagram->model->text)
		write_comment(out, diagram->model->text);
	if (lost->n)
		str_add(out, "#\n# FDL has no words for all of it:\n");
	for (size_t i = 0; i < lost->n; i++)
		write_comment(out, lost->text[i]);
	str_addc(out, '\n');
	str_addn(out, str_text(&body), body.n);
	free(w.arrivals);
	free(w.label);
out:
	fdl_words_free(&w.words);
	str_free(&body);
	fdl_graph_free(whole);
	fdl_graph_free(pruned);
	return good;
}
