#include "work/phases/series_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "text/aexpr.h"
#include "text/diag.h"
#include "text/lex.h"
#include "text/source.h"

struct series_text {
	struct arena *arena;
	struct aexpr *expression;
};

struct columns {
	const struct obs_table *table;
};

static bool
series_find_column(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	const struct obs_table *table = ((const struct columns *)ctx)->table;
	size_t at = 0;
	const char *near;

	while (at < table->n_columns && !str_eq(table->column[at], name))
		at++;
	if (at == table->n_columns)
		at = columns_find_event(table, name);
	if (at == table->n_columns) {
		near = near_name(name, (const char *const *)table->column, table->n_columns);
		*hint = near ? str_format("nearest: %s", near) : NULL;
		return false;
	}
	*index = (uint32_t)at;
	*unit = (struct unit){0};
	return true;
}

struct series_text *
series_text_new(const char *expression, const struct obs_table *table, struct err *e)
{
	struct series_text *text = mem_new(sizeof *text);
	struct columns columns = {table};
	const struct aexpr_names names = {series_find_column, &columns};
	struct source source = {0};
	struct diags diags = {0};
	struct lexer lexer;
	struct err none;
	bool good;

	text->arena = arena_new();
	source_init(&source, mem_str("--series"), mem_str(expression), strlen(expression));
	lex_begin(&lexer, &source, &diags);
	text->expression = aexpr_parse(&lexer, text->arena);
	if (text->expression && lexer.now.kind != TOKEN_END) {
		struct place at = lex_place(&lexer);

		diag_add(&diags, DIAG_ERROR, &at,
			"names with other characters than letters, digits, _ and . need quotes",
			"the expression goes on after its end");
	}
	good = text->expression && !diags.errors && aexpr_bind(text->expression, &source, &names, &diags);
	if (!good) {
		diags_good(&diags, e ? e : &none);
		series_text_free(text);
		text = NULL;
	}
	diags_free(&diags);
	source_free(&source);
	return text;
}

void
series_text_free(struct series_text *text)
{
	if (!text)
		return;
	arena_free(text->arena);
	free(text);
}

double
series_text_value(const struct series_text *text, const double *column)
{
	return aexpr_value(text->expression, column);
}

/* One array for each scenario. The first row of the file closes an empty one. */
#define SCENARIO(id, name, asks) \
	NULL \
	} \
	; \
	static const char *const series_of_##id[] = {
#define SERIES(...) __VA_ARGS__, NULL,
__attribute__((unused)) static const char *const series_of_none[] = {
#include "work/phases/scenarios.def"
	NULL,
};
#undef SCENARIO
#undef SERIES

const struct scenario scenarios[] = {
#define SCENARIO(id, name, asks) {name, asks, series_of_##id},
#define SERIES(...)
#include "work/phases/scenarios.def"
#undef SCENARIO
#undef SERIES
	{0},
};

const struct scenario *
scenario_find(const char *name)
{
	for (size_t i = 0; scenarios[i].name; i++)
		if (str_eq(scenarios[i].name, name))
			return &scenarios[i];
	return NULL;
}

size_t
scenario_fit(const struct scenario *scenario, const struct obs_table *table, const char **called,
	const char **expression, size_t n)
{
	size_t found = 0;

	for (const char *const *at = scenario->series; *at && found < n; at++) {
		const char *name = *at++;
		bool fits = false;

		for (; *at; at++) {
			struct series_text *text = fits ? NULL : series_text_new(*at, table, NULL);

			if (text) {
				called[found] = name;
				expression[found++] = *at;
				fits = true;
			}
			series_text_free(text);
		}
	}
	return found;
}
