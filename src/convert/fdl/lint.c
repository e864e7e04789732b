/* Warns about what looks like a mistake. The model has a meaning in spite of it, so nothing here is an error. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"
#include "base/str.h"
#include "convert/fdl/fdl_flow.h"
#include "text/diag.h"

struct lint {
	const struct fdl_flow *flow;
	struct diags *diags;
	struct names declared;  /* actions, in the order of ACTIONS */
	bool *done;             /* per declared action: FLOW does it */
	struct names missing;   /* actions that FLOW does without a declaration; each is reported once */
	struct names counters;  /* counters that FLOW raises */
};

static void
lint_warn(struct lint *l, const struct udd_word *w, const char *hint, const char *before, const char *after)
{
	struct place at = fdl_place(l->flow, w->at, w->len);

	diag_add(l->diags, DIAG_WARNING, &at, hint, "%s%.80s%s", before, w->text, after);
}

static void
check_action(struct lint *lint, const struct udd_word *w)
{
	size_t i = names_find(&lint->declared, w->text, strlen(w->text)), known = lint->missing.n;
	char *hint;

	if (i != NAMES_NONE) {
		lint->done[i] = true;
		return;
	}
	if (!lint->flow->has_actions || names_add(&lint->missing, w->text, strlen(w->text)) != known)
		return;
	hint = diags_full(lint->diags, DIAG_WARNING) ? NULL
		: near_hint(w->text, (const char *const *)lint->declared.name, lint->declared.n);
	lint_warn(lint, w, hint, "action ", " is not declared in ACTIONS");
	free(hint);
}

static void
check_statements(struct lint *l, const struct udd_stmt *s)
{
	for (; s; s = s->next) {
		if (s->kind == STMT_EVENT)
			check_action(l, &s->word[0]);
		else if (s->kind == STMT_COUNT)
			names_add(&l->counters, s->word[0].text, strlen(s->word[0].text));
		else if (s->kind == STMT_SWITCH)
			for (const struct udd_case *c = s->cases; c; c = c->next)
				check_statements(l, c->body);
	}
}

static void
declare_actions(struct lint *l)
{
	for (size_t i = 0; i < l->flow->n_actions; i++) {
		const struct udd_word *w = &l->flow->action[i];
		size_t known = l->declared.n;

		if (names_add(&l->declared, w->text, strlen(w->text)) != known)
			lint_warn(l, w, NULL, "action ", " is declared twice");
	}
	l->done = mem_new_array(l->declared.n, sizeof *l->done);
}

/* Warns about each declared action that FLOW does not do, once, at its first declaration. */
static void
warn_idle_actions(struct lint *l)
{
	for (size_t i = 0; i < l->flow->n_actions; i++) {
		const struct udd_word *w = &l->flow->action[i];
		size_t at = names_find(&l->declared, w->text, strlen(w->text));

		if (!l->done[at])
			lint_warn(l, w, NULL, "action ", " is declared, but FLOW never does it");
		l->done[at] = true;
	}
}

static bool
is_raised(const struct lint *l, const struct udd_word *w)
{
	return names_find(&l->counters, w->text, strlen(w->text)) != NAMES_NONE;
}

/* A total whose events FLOW does not raise one by one only says how it may be counted, so that is no mistake. */
static void
check_group(struct lint *lint, const struct fdl_group *group, struct names *totals)
{
	size_t known = totals->n, raised = 0;

	if (names_add(totals, group->total.text, strlen(group->total.text)) != known)
		lint_warn(lint, &group->total, NULL, "", " is the total of two groups");
	for (size_t i = 0; i < group->n; i++)
		raised += is_raised(lint, &group->part[i]);
	if (!is_raised(lint, &group->total))
		lint_warn(lint, &group->total, NULL,
			raised ? "FLOW raises parts of " : "FLOW raises nothing of the group ",
			raised ? " and never the total itself" : "");
	else
		for (size_t i = 0; i < group->n && raised; i++)
			if (!is_raised(lint, &group->part[i]))
				lint_warn(lint, &group->part[i], NULL, "FLOW never raises ",
					", a part of a group whose total and other parts it raises");
}

void
fdl_lint(const struct fdl_flow *flow, struct diags *diags)
{
	struct lint l = {.flow = flow, .diags = diags};
	struct names totals = {0};

	declare_actions(&l);
	check_statements(&l, flow->body);
	warn_idle_actions(&l);
	for (size_t i = 0; i < flow->n_groups; i++)
		check_group(&l, &flow->group[i], &totals);
	names_free(&totals);
	names_free(&l.declared);
	names_free(&l.missing);
	names_free(&l.counters);
	free(l.done);
}
