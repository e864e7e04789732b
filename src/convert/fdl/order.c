/* Labels and jumps. FLOW is cut into sections at its labels:
 *
 * 	      do Lookup;                    section 0, where every µpath begins
 * 	      switch S { Hit => next end; … };
 * 	miss: incr misses;                  section 1: reached by falling through from section 0
 * 	end:  done;                         section 2: reached by a jump from 0, and from 1 by falling through
 *
 * A jump leads only to the beginning of a section. So the sections form a graph, and its circles are those of the flow.
 * If all edges lead down the text already, nothing changes. Otherwise the sections are sorted so that all edges do. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"
#include "base/str.h"
#include "convert/fdl/fdl_flow.h"
#include "text/diag.h"

#define CIRCLE_SHOWN 8

struct section {
	struct udd_stmt *target;        /* its label; NULL: section 0 */
	struct udd_stmt *first, **end;  /* statements after the label; the pointer to what follows the last one */
	bool falls;                     /* its end can be reached from its beginning */
	bool reached;                   /* its beginning can be reached from that of FLOW */
	size_t first_edge;
};

struct edge {
	size_t to;
	uint32_t at, len; /* place of the jump; len 0: the edge is a fall through */
};

struct sections {
	const struct fdl_flow *flow;
	struct diags *diags;
	struct names names;    /* of labels; label i belongs to section at[i] */
	size_t *at;
	size_t cap_at;
	struct section *section;
	size_t n, cap;
	struct edge *edge;     /* those of section i begin at first_edge */
	size_t n_edges, cap_edges;
};

static void
add_section(struct sections *k, struct udd_stmt *target)
{
	mem_grow(&k->section, &k->cap, k->n + 1, sizeof *k->section);
	k->section[k->n++] = (struct section){.target = target};
}

static void
name_section(struct sections *sections, const struct udd_stmt *target)
{
	const struct udd_word *w = &target->word[0];
	size_t known = sections->names.n, i = names_add(&sections->names, w->text, strlen(w->text));
	struct place at = fdl_place(sections->flow, w->at, w->len);
	const struct source *source = at.source;
	char *hint;

	if (i == known) {
		mem_grow(&sections->at, &sections->cap_at, i + 1, sizeof *sections->at);
		sections->at[i] = sections->n - 1;
		return;
	}
	w = &sections->section[sections->at[i]].target->word[0];
	hint = str_format(
		"the first is at %s:%d:%d", source->name, source_line(source, w->at), source_column(source, w->at));
	diag_add(sections->diags, DIAG_ERROR, &at, hint, "label %.80s is defined twice", w->text);
	free(hint);
}

static void
order_cut(struct sections *sections, struct udd_stmt *body)
{
	add_section(sections, NULL);
	for (struct udd_stmt *stmt = body; stmt; stmt = stmt->next) {
		struct section *here = &sections->section[sections->n - 1];

		if (stmt->kind == STMT_TARGET) {
			add_section(sections, stmt);
			name_section(sections, stmt);
			continue;
		}
		if (!here->first)
			here->first = stmt;
		here->end = &stmt->next;
	}
}

/* Finds the section of a label; false after a diagnostic. */
static bool
find_target(struct sections *sections, const struct udd_word *w, size_t *to)
{
	size_t i = names_find(&sections->names, w->text, strlen(w->text));
	struct place at = fdl_place(sections->flow, w->at, w->len);
	char *hint;

	if (i != NAMES_NONE) {
		*to = sections->at[i];
		return true;
	}
	hint = diags_full(sections->diags, DIAG_ERROR) ? NULL
		: near_hint(w->text, (const char *const *)sections->names.name, sections->names.n);
	diag_add(sections->diags, DIAG_ERROR, &at, hint, "no label %.80s", w->text);
	free(hint);
	return false;
}

static void
order_add_edge(struct sections *k, size_t to, uint32_t at, uint32_t len)
{
	mem_grow(&k->edge, &k->cap_edges, k->n_edges + 1, sizeof *k->edge);
	k->edge[k->n_edges++] = (struct edge){to, at, len};
}

static void
warn_dead(struct sections *k, const struct udd_stmt *s)
{
	struct place at = fdl_place(k->flow, s->at, s->len);

	diag_add(k->diags, DIAG_WARNING, &at, "what comes before it leads elsewhere or ends the µpath in every case",
		"no µpath gets here");
}

/* Visits statements up to `end` (NULL: of the block), which a µpath reaches if `live`. Returns whether a µpath reaches
 * their end. */
static bool
visit(struct sections *sections, const struct udd_stmt *stmt, const struct udd_stmt *end, bool live)
{
	bool warned = !live;

	for (; stmt != end; stmt = stmt->next) {
		size_t to;
		bool falls = false;

		if (!live && !warned) {
			warn_dead(sections, stmt);
			warned = true;
		}
		if (stmt->kind == STMT_JUMP) {
			if (find_target(sections, &stmt->word[0], &to) && live)
				order_add_edge(sections, to, stmt->at, stmt->word[0].at + stmt->word[0].len - stmt->at);
			live = false;
		} else if (stmt->kind == STMT_SWITCH) {
			for (const struct udd_case *udd_case = stmt->cases; udd_case; udd_case = udd_case->next)
				falls |= visit(sections, udd_case->body, NULL, live);
			live = live && falls;
		} else if (stmt->kind == STMT_DONE) {
			live = false;
		}
	}
	return live;
}

static void
find_edges(struct sections *k)
{
	for (size_t i = 0; i < k->n; i++) {
		struct section *s = &k->section[i];

		s->first_edge = k->n_edges;
		s->falls = visit(k, s->first, i + 1 < k->n && s->first ? k->section[i + 1].target : NULL, true);
		if (s->falls && i + 1 < k->n)
			order_add_edge(k, i + 1, 0, 0);
	}
}

static size_t
edges_end(const struct sections *k, size_t i)
{
	return i + 1 < k->n ? k->section[i + 1].first_edge : k->n_edges;
}

static void
find_reached(struct sections *sections)
{
	size_t *todo = mem_new_array(sections->n, sizeof *todo), n = 1;

	sections->section[0].reached = true;
	while (n) {
		size_t i = todo[--n];

		for (size_t e = sections->section[i].first_edge; e < edges_end(sections, i); e++) {
			struct section *to = &sections->section[sections->edge[e].to];

			if (to->reached)
				continue;
			to->reached = true;
			todo[n++] = sections->edge[e].to;
		}
	}
	free(todo);
	for (size_t i = 1; i < sections->n; i++) {
		const struct udd_word *word = &sections->section[i].target->word[0];
		struct place at = fdl_place(sections->flow, word->at, word->len);

		if (!sections->section[i].reached)
			diag_add(sections->diags, DIAG_WARNING, &at, NULL, "no µpath reaches label %.80s", word->text);
	}
}

static const char *
section_name(const struct sections *k, size_t i)
{
	return k->section[i].target ? k->section[i].target->word[0].text : "the beginning of FLOW";
}

/* For each unsorted section, finds an edge that comes from another unsorted section, and that section. missing[i] is
 * the number of such edges to section i: above 0 if it is unsorted, 0 if it is sorted. */
static void
find_ways_back(const struct sections *k, const size_t *missing, size_t *edge, size_t *from)
{
	for (size_t i = 0; i < k->n; i++)
		for (size_t e = k->section[i].first_edge; missing[i] && e < edges_end(k, i); e++) {
			edge[k->edge[e].to] = e;
			from[k->edge[e].to] = i;
		}
}

/* Reports a circle of jumps. Every way back from an unsorted section leads into one. The message lists the circle in
 * the direction of the flow, and points to one of its jumps that leads up the text. */
static bool
complain_circle(struct sections *sections, const size_t *missing)
{
	size_t *step = mem_new_array(sections->n, sizeof *step), *way = mem_new_array(sections->n, sizeof *way),
		*edge = mem_new_array(sections->n, sizeof *edge);
	size_t *from = mem_new_array(sections->n, sizeof *from), n = 0, i = 0;
	struct place at = {0};
	struct str text = {0};

	find_ways_back(sections, missing, edge, from);
	while (!missing[i])
		i++;
	for (; !step[i]; i = from[i]) {
		way[n++] = i;
		step[i] = n;
	}
	str_add(&text, section_name(sections, i));
	for (size_t q = n; q >= step[i]; q--) {
		size_t here = way[q - 1];

		if (n - q < CIRCLE_SHOWN)
			str_addf(&text, " → %s", section_name(sections, here));
		else if (n - q == CIRCLE_SHOWN)
			str_addf(&text, " → … → %s", section_name(sections, i));
		if (!at.source && from[here] >= here)
			at = fdl_place(sections->flow, sections->edge[edge[here]].at, sections->edge[edge[here]].len);
	}
	diag_add(sections->diags, DIAG_ERROR, &at, "a µpath goes through each place at most once",
		"jumps form a circle: %s", str_text(&text));
	str_free(&text);
	free(step);
	free(way);
	free(edge);
	free(from);
	return false;
}

/* Sorts the sections so that every edge leads forward, and keeps the order of the text where possible. False after a
 * diagnostic when there is no such order. */
static bool
sort(struct sections *sections, size_t *order)
{
	size_t *missing = mem_new_array(sections->n, sizeof *missing),
	       *ready = mem_new_array(sections->n, sizeof *ready), n_ready = 0, n = 0;
	bool good;

	for (size_t e = 0; e < sections->n_edges; e++)
		missing[sections->edge[e].to]++;
	for (size_t i = sections->n; i-- > 0;)
		if (!missing[i])
			ready[n_ready++] = i; /* section 0 comes first, because no jump leads to it */
	while (n_ready) {
		size_t i = ready[--n_ready];

		order[n++] = i;
		for (size_t e = edges_end(sections, i); e-- > sections->section[i].first_edge;)
			if (--missing[sections->edge[e].to] == 0)
				ready[n_ready++] = sections->edge[e].to;
	}
	good = n == sections->n || complain_circle(sections, missing);
	free(missing);
	free(ready);
	return good;
}

static struct udd_stmt *
new_end(struct sections *k, struct arena *arena, size_t from)
{
	const struct udd_word *w = from + 1 < k->n ? &k->section[from + 1].target->word[0] : &k->flow->where;
	struct udd_stmt *s = arena_alloc(arena, sizeof *s);

	s->kind = from + 1 < k->n ? STMT_JUMP : STMT_DONE;
	s->word = arena_copy(arena, w, sizeof *w);
	s->n_words = s->kind == STMT_JUMP;
	s->at = w->at;
	s->len = w->len;
	return s;
}

/* Links the statements again, section by section in the given order. */
static struct udd_stmt *
put_together(struct sections *sections, struct arena *arena, const size_t *order)
{
	struct udd_stmt *body = NULL, **tail = &body;

	for (size_t i = 0; i < sections->n; i++) {
		struct section *section = &sections->section[order[i]];

		if (section->target) {
			*tail = section->target;
			tail = &section->target->next;
		}
		if (section->first) {
			*tail = section->first;
			tail = section->end;
		}
		if (section->falls &&
			(i + 1 < sections->n ? order[i + 1] != order[i] + 1 : order[i] + 1 != sections->n)) {
			*tail = new_end(sections, arena, order[i]);
			tail = &(*tail)->next;
		}
	}
	*tail = NULL;
	return body;
}

static bool
leads_down(const struct sections *k)
{
	for (size_t i = 0; i < k->n; i++)
		for (size_t e = k->section[i].first_edge; e < edges_end(k, i); e++)
			if (k->edge[e].to <= i)
				return false;
	return true;
}

bool
fdl_order(struct fdl_flow *flow, struct arena *arena, struct diags *diags)
{
	struct sections k = {.flow = flow, .diags = diags};
	size_t errors = diags->errors, *order;

	order_cut(&k, flow->body);
	find_edges(&k);
	if (diags->errors == errors)
		find_reached(&k);
	order = mem_new_array(k.n, sizeof *order);
	if (diags->errors == errors && sort(&k, order) && !leads_down(&k))
		flow->body = put_together(&k, arena, order);
	if (diags->errors == errors && k.section[k.n - 1].falls && k.section[k.n - 1].reached) {
		struct place at = fdl_place(flow, flow->where.at, flow->where.len);

		diag_add(diags, DIAG_WARNING, &at, "write done; before its '}'",
			"a µpath reaches the end of FLOW, which counts as done");
	}
	free(order);
	names_free(&k.names);
	free(k.at);
	free(k.section);
	free(k.edge);
	return diags->errors == errors;
}
