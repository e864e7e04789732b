/* Bars of stacks as text for people and as JSON for scripts (docs/json.md). */
#ifndef CLI_REPORT_STACK_H
#define CLI_REPORT_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "app/stack_count.h"
#include "app/stack_notes.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"

struct counting;
struct obs;
struct options;
struct str;

struct stack_observation {
	const struct obs *obs;
	const char *name;      /* the observation's; "#2", "#3" are added to equal ones */
	struct stack_bar *bar; /* one for each stack */
};

struct stack_report {
	struct stack **stack;
	char **file;
	size_t n_stacks;
	struct stack_observation *observation;
	size_t n_observations;
	const char **note; /* of the data */
	size_t n_notes;
};

void report_stack_text(const struct options *, const struct stack_report *, struct str *out);
void report_stack_json(const struct stack_report *, const struct counting *, struct str *out);
/* hecate stack --check: what a file says, without data. */
void report_stack_check(const struct options *, const struct stack_report *, struct str *out);

#endif
