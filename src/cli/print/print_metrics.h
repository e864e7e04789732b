/* Metrics of a machine, and their values in recorded data, as text and JSON. */
#ifndef CLI_PRINT_PRINT_METRICS_H
#define CLI_PRINT_PRINT_METRICS_H

#include <stdbool.h>
#include <stddef.h>

struct event_table;
struct json_writer;
struct metric_judgement;
struct metric_laws;
struct metric_result;
struct metric_value;
struct options;
struct str;
struct table_metrics;

struct metric_report {
	const struct options *options;
	const struct event_table *table;
	const struct table_metrics *metrics;
	const bool *chosen; /* per metric */
	const struct metric_laws *laws;
};

/* One observation: the values of the set's leaves and of all its metrics. */
struct metric_observation {
	const char *name;
	const struct metric_value *leaf;
	const struct metric_result *result;
};

/* The chosen metrics; in full if there are few. */
void print_metrics_list(const struct metric_report *, struct str *out);
/* Values, and the laws that they break or strain. */
void print_metrics_values(const struct metric_report *, const struct metric_observation *,
	const struct metric_judgement *, struct str *out);

/* A document: its head with the chosen metrics, observations, its end. */
void print_metrics_json_begin(const struct metric_report *, struct json_writer *);
void print_metrics_json_values(const struct metric_report *, const struct metric_observation *,
	const struct metric_judgement *, struct json_writer *);
void print_metrics_json_end(struct json_writer *);

#endif
