/* Bars of stacks, as text for people and as JSON for scripts (docs/json.md). */
#ifndef CLI_PRINT_PRINT_STACK_H
#define CLI_PRINT_PRINT_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "work/timeline/stack_count.h"
#include "work/timeline/stack_notes.h"

struct bar_axis;
struct counting;
struct obs;
struct options;
struct json_writer;
struct str;
struct text_table;

struct stack_observation {
	const struct obs *obs;
	const char *name;      /* name of the observation; "#2", "#3" are appended to equal ones */
	struct stack_bar *bar; /* one per stack */
};

struct stack_report {
	struct stack **stack;
	char **file;
	size_t n_stacks;
	struct stack_observation *observation;
	size_t n_observations;
	const char **note; /* number of tables */
	size_t n_notes;
	struct obs_table *const *table; /* the data; what is counted here is the last one */
	size_t n_tables;
};

void print_stack_text(const struct options *, const struct stack_report *, struct str *out);
void print_stack_json(const struct stack_report *, const struct counting *, struct json_writer *);
/* hecate stack --check: describes a stack file without data. */
void print_stack_check(const struct options *, const struct stack_report *, struct str *out);

/* Pieces of the text. A bar shows the parts of a part instead of the part itself, and ends its line. print_stack_part()
 * begins a row with a part's name. Before it stands its sign in the bar, "R██ ", or blanks if the bar has its parts. */
void print_stack_bar(struct str *out, const struct stack_bar *, const struct bar_axis *, int columns, bool ascii);
void print_stack_part(struct text_table *, const struct stack *, size_t part, bool ascii);

#endif
