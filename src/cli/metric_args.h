/* The metrics of -M: chosen, counted next to what else is counted, and printed. */
#ifndef CLI_METRIC_ARGS_H
#define CLI_METRIC_ARGS_H

#include <stdbool.h>

#include "event/table.h"
#include "work/files/files.h"

struct counter_list;
struct json_writer;
struct laws;
struct metric_laws;
struct obs_table;
struct options;
struct stack;
struct str;
struct table_metrics;

struct metric_args {
	const struct options *options;
	struct event_table table;
	struct table_metrics *metrics;
	bool *chosen; /* per metric */
	/* their events as the counters of a stack (metric_args_make_stack()); NULL: not made */
	struct stack *stack;
	struct text text;
	struct laws **files;       /* of laws; NULL: none */
	size_t n_files;
	struct metric_laws *laws;
};

/* Loads the metrics of a processor (NULL: this one's) and chooses those of -M. On failure prints a message and returns
 * false. Call metric_args_free() in either case. */
bool metric_args_load(const struct options *, const char *cpu, struct metric_args *);
void metric_args_free(struct metric_args *);

/* Makes the stack of the chosen metrics. On failure prints a message and returns false. */
bool metric_args_make_stack(struct metric_args *);

/* The counters of that stack, which must outlive the list. Added to `list`, if that is not NULL. */
struct counter_list *metric_args_counters(const struct metric_args *, struct counter_list *list);

/* Prints the values of the chosen metrics in each observation, and the laws that they break, as text, or into the open
 * document `json`. `here`: it was counted on this machine, so the machine's constants hold. */
void metric_args_print(
	const struct metric_args *, const struct obs_table *, bool here, struct str *text, struct json_writer *json);

#endif
