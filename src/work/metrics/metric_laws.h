/* Laws between metrics (core/laws/laws.h), against counts.
 *
 * A law of a file that names a metric; each metric in percent lies between 0 and 100; the level-1 nodes of a top-down
 * tree are all slots, and those of level 2 are all of their parent (Yasin, A top-down method for performance analysis,
 * ISPASS 2014; deeper nodes overlap). Left minus right side is an expression over the counts, with the bounds of
 * metrics (core/metric/metric.h): what both sides have in common counts once. A law is broken if the interval cannot
 * meet it, strained if only the middle breaks it. */
#ifndef WORK_METRICS_METRIC_LAWS_H
#define WORK_METRICS_METRIC_LAWS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/laws/judge.h"

struct metric_constants;
struct metric_set;
struct obs_table;
struct table_metrics;

struct metric_law {
	char *text, *relation;
	const char *source;
	char *name, *expr; /* in the set: left minus right side, ≤ 0, or 0 */
	const char *scope; /* kind of cores of its metrics; NULL: none */
	double size;       /* of its constants, for rounding */
	bool equality, metrics_alone; /* `metrics_alone`: no term is an event */
	bool *names;       /* per metric of the table: it is a term */
};

struct metric_laws {
	const struct table_metrics *metrics;
	struct metric_set *set;   /* the table's metrics, then the laws */
	struct metric_law *law;
	size_t n, cap;
};

/* The metrics must outlive them, and the files of laws too. */
struct metric_laws *metric_laws_new(const struct table_metrics *, struct laws *const *, size_t n_files);
void metric_laws_free(struct metric_laws *);

struct metric_law_finding {
	size_t law;
	enum law_state state;  /* broken or strained */
	double least;          /* BROKEN: it is off by so much at least, in the law's unit */
	/* "A, or B (erratum SKL091)": each event, or pair of events, without which neither it is broken nor another law
	 * with such an event; NULL: strained, or there is none */
	char *blame;
	size_t group;          /* private */
};

struct metric_judgement {
	struct metric_law_finding *finding; /* of laws that are broken, then strained */
	size_t n, n_broken, judged;         /* judged: laws whose counts are known */
};

/* Judges the laws that name a chosen metric in one observation, at this confidence for all together. */
struct metric_judgement *metric_laws_judge(const struct metric_laws *, const bool *chosen, const struct obs_table *,
	size_t observation, const struct metric_constants *, double confidence);
void metric_judgement_free(struct metric_judgement *);

#endif
