/* Figures with labels, in two texts that time-series databases read.
 *
 *     InfluxDB's line protocol      hecate_event,event=cycles,observation=run counts=12i 1764374400500000000
 *     Prometheus' exposition format hecate_event_counts_total{event="cycles",observation="run"} 12
 *
 * Line protocol: https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/. A tag can neither be empty
 * nor contain a line break, and cannot end in a backslash: empty tags are left out, a line break becomes a blank, and
 * such backslashes are cut off.
 *
 * Exposition format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/. It has no times here, because
 * the textfile collector refuses them. Both formats leave out what is not a number. */
#ifndef WORK_FILES_METRIC_TEXT_H
#define WORK_FILES_METRIC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "base/str.h"

#define METRIC_LABELS 8
#define METRIC_FIELDS 10

struct metric_label {
	const char *key, *value; /* key: a word of lower-case letters and "_" */
};

struct metric_field {
	const char *key;     /* such a word */
	const char *help;    /* one line, for people */
	bool rises;          /* a sum, which Prometheus calls a counter */
	bool whole;          /* `count` is the value */
	double value;        /* NAN: unknown */
	int64_t count;
};

struct metric_point {
	const char *what;    /* measurement: a word */
	struct metric_label label[METRIC_LABELS];
	size_t n_labels;
	struct metric_field field[METRIC_FIELDS];
	size_t n_fields;
	bool timed;
	int64_t ns;          /* since 1970, if timed */
};

void metric_add_label(struct metric_point *, const char *key, const char *value); /* NULL: none */
void metric_add_value(struct metric_point *, const char *key, double value, bool rises, const char *help);

/* Appends a line; nothing if no field has a value. */
void metric_line_protocol(const struct metric_point *, struct str *out);

/* Samples by metric, because all samples of one stand together. */
struct metric_families {
	struct names name;
	struct str *text;    /* per metric: HELP, TYPE and samples */
	size_t cap;
};
void metric_families_add(struct metric_families *, const struct metric_point *);
/* Appends all metrics, and empties the set. */
void metric_families_write(struct metric_families *, struct str *out);

#endif
