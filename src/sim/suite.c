#include "sim/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "text/diag.h"
#include "text/lex.h"
#include "text/source.h"

/* The result of an expansion: each text is one alternative. */
struct texts {
	char **item;
	size_t n, cap;
};

static void
texts_free(struct texts *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->item[i]);
	free(t->item);
	*t = (struct texts){0};
}

static void
texts_add(struct texts *t, char *text)
{
	mem_grow(&t->item, &t->cap, t->n + 1, sizeof *t->item);
	t->item[t->n++] = text;
}

/* Combines each text of `t` with each of `more` after it. False: too many. */
static bool
suite_multiply(struct texts *texts, const struct texts *more, struct err *e)
{
	struct texts all = {0};

	if (texts->n * more->n > SIM_SUITE_MOST)
		return err_set(e, "more than %u workloads", SIM_SUITE_MOST);
	for (size_t i = 0; i < texts->n; i++)
		for (size_t k = 0; k < more->n; k++)
			texts_add(&all, str_format("%s%s", texts->item[i], more->item[k]));
	texts_free(texts);
	*texts = all;
	return true;
}

static bool
suite_append(struct texts *t, const char *s, size_t n)
{
	for (size_t i = 0; i < t->n; i++) {
		char *longer = str_format("%s%.*s", t->item[i], (int)n, s);

		free(t->item[i]);
		t->item[i] = longer;
	}
	return true;
}

static bool expand_choice(const char **at, const char *end, unsigned depth, struct texts *out, struct err *e);

/* Expands up to the end; inside of {…}, up to the comma or closing brace. */
static bool
expand(const char **at, const char *end, unsigned depth, struct texts *out, struct err *e)
{
	texts_add(out, mem_str(""));
	while (*at < end) {
		size_t n = 0;

		while (*at + n < end && !strchr(depth ? "{}," : "{}", (*at)[n]))
			n++;
		suite_append(out, *at, n);
		*at += n;
		if (*at == end || **at == ',' || (**at == '}' && depth))
			break;
		if (**at == '}')
			return err_set(e, "a } closes nothing"),
				err_hint(e, "write alternatives in braces: stride={8,64}");
		if (!expand_choice(at, end, depth + 1, out, e))
			return false;
	}
	return true;
}

/* Expands {…} at *at, which afterwards is the place after the closing brace. False and *e on failure. */
static bool
expand_choice(const char **at, const char *end, unsigned depth, struct texts *out, struct err *e)
{
	struct texts all = {0}, one;
	const char *open = *at;
	bool good = true, closed = false;

	if (depth > SIM_SUITE_NEST)
		return err_set(e, "braces in more than %d braces", SIM_SUITE_NEST);
	for (++*at; good && !closed; ++*at) {
		one = (struct texts){0};
		good = expand(at, end, depth, &one, e);
		if (good && *at == end)
			good = err_set(e, "a { has no }"), err_hint(e, "write alternatives in braces: stride={8,64}");
		if (good && all.n + one.n > SIM_SUITE_MOST)
			good = err_set(e, "more than %u workloads", SIM_SUITE_MOST);
		for (size_t i = 0; i < one.n; i++)
			texts_add(&all, one.item[i]);
		free(one.item);
		if (!good && *at == end)
			*at = open;
		if (!good)
			break;
		closed = **at == '}';
	}
	good = good && suite_multiply(out, &all, e);
	texts_free(&all);
	return good;
}

/* On failure *at is where the text is wrong. */
static bool
suite_add_text(struct sim_suite *suite, const char **at, size_t n, int line, struct err *e)
{
	struct texts all = {0};
	bool good = expand(at, *at + n, 0, &all, e);

	if (good && suite->n + all.n > SIM_SUITE_MOST)
		good = err_set(e, "more than %u workloads", SIM_SUITE_MOST);
	for (size_t i = 0; i < all.n && good; i++) {
		mem_grow(&suite->workload, &suite->cap, suite->n + 1, sizeof *suite->workload);
		mem_grow(&suite->line, &suite->cap_lines, suite->n + 1, sizeof *suite->line);
		suite->line[suite->n] = line;
		suite->workload[suite->n++] = all.item[i];
		all.item[i] = NULL;
	}
	texts_free(&all);
	return good;
}

bool
sim_suite_add(struct sim_suite *s, const char *text, int line, struct err *e)
{
	return suite_add_text(s, &text, strlen(text), line, e);
}

bool
sim_suite_parse(struct sim_suite *suite, const char *path, const char *text, size_t len, struct err *e)
{
	struct diags diags = {0};
	struct source source;
	struct lexer x;
	bool good;

	source_init(&source, mem_str(path), mem_strn(text, len), len);
	lex_begin_lines(&x, &source, LEX_LINES, &diags);
	for (good = true; good && x.now.kind != TOKEN_END;) {
		struct place at = {0};
		const char *from;

		if (lex_is(&x, '\n')) {
			lex_next(&x);
			continue;
		}
		at = lex_take_line(&x, x.now.at);
		from = source.text + at.at;
		good = suite_add_text(suite, &from, at.len, source_line(&source, at.at), e);
		if (!good)
			err_at(e, &(struct place){&source, (uint32_t)(from - source.text), 1});
	}
	good = good && diags_good(&diags, e);
	diags_free(&diags);
	source_free(&source);
	if (!good || suite->n)
		return good;
	err_set(e, "%s names no workload", path);
	return err_hint(e, "each line is a workload, for instance: linear:footprint={250M,1G},stride=64");
}

void
sim_suite_free(struct sim_suite *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->workload[i]);
	free(s->workload);
	free(s->line);
	*s = (struct sim_suite){0};
}
