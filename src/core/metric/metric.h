/* perf's metrics: expressions over counts, in the language of tools/perf/util/expr.y of Linux 6.12 (perf-list(1),
 * "METRICS").
 *
 *     (cpu@UOPS_EXECUTED.CORE\,cmask\=1@ / 2 if #SMT_on else X) / tma_info_core_clks
 *
 * All expressions of a machine form one set. A name in an expression is another metric of the set, or else an event. An
 * expression becomes a row of nodes, in which arguments come before what uses them. What the numbers depend on (events,
 * #constants, source_count(X), has_event(X)) is a leaf of the set, and the same leaf wherever it occurs. */
#ifndef CORE_METRIC_METRIC_H
#define CORE_METRIC_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

#define METRIC_TEXT_MAX 65536 /* bytes of an expression */
#define METRIC_DEPTH_MAX 200  /* nested parentheses and signs of one expression */
#define METRIC_NODES_MAX 8192 /* of one expression */
#define METRIC_NEEDS_MAX 2048 /* metrics that one metric needs, directly or through others */
#define METRIC_NONE ((size_t)-1)

enum metric_op {
	METRIC_NUMBER,
	METRIC_LEAF,
	METRIC_OTHER, /* OTHER: the value of another metric */
	METRIC_NEGATE,
	METRIC_ADD,
	METRIC_SUBTRACT,
	METRIC_TIMES,
	METRIC_DIVIDE,
	METRIC_REMAINDER,
	METRIC_LESS,
	METRIC_AT_MOST, /* of perfmon alone */
	METRIC_AND,
	METRIC_OR,
	METRIC_XOR, /* a > b is written as b < a, a >= b as b <= a; all give or take whole numbers */
	METRIC_MIN,
	METRIC_MAX,
	METRIC_RATIO, /* d_ratio(a, b): 0 if b is 0 */
	METRIC_IF,    /* arg[0] if arg[1] is not 0, else arg[2] */
};

struct metric_node {
	enum metric_op op;
	uint32_t arg[3];  /* numbers of nodes, lower than this one's; LEAF: the leaf; OTHER: the metric */
	uint32_t at, len; /* place in the expression */
	double number;    /* NUMBER */
};

enum metric_leaf_kind {
	METRIC_EVENT,
	METRIC_CONSTANT, /* "#smt_on", in lower case */
	METRIC_SOURCES,  /* source_count(EVENT): the number of PMUs that the count is the sum of */
	METRIC_HAS,      /* has_event(EVENT): 1 or 0 */
	METRIC_IS_CPU,   /* strcmp_cpuid_str(PATTERN): 1 or 0 */
};

struct metric_leaf {
	enum metric_leaf_kind kind;
	char *name; /* of the event, constant or pattern, without escapes and with '/' for '@' */
};

/* A leaf of one metric, and whether it occurs more than once in its formula with all other metrics put in. */
struct metric_use {
	uint32_t leaf;
	bool often;
};

struct metric {
	const char *name, *expr, *scope; /* owned by the caller of metric_set_new() */
	char *why;               /* why it is not understood: a sentence; NULL: it is understood. All below is then 0 */
	size_t at;               /* the byte of the expression that is to blame */
	uint32_t first, n;       /* its nodes; the last one is its value */
	struct metric_use *use;
	size_t n_uses;
	uint32_t *need; /* the metrics that it needs, each after those that it needs itself; the last is itself */
	size_t n_needs;
	bool whole_numbers; /* & | ^ or % occur, whose bounds are only an enclosure */
};

struct metric_set {
	struct metric *metric;
	size_t n;
	struct metric_leaf *leaf;
	size_t n_leaves, cap_leaves;
	struct metric_node *node;
	size_t n_nodes, cap_nodes;
};

/* What a set is made of. The texts must outlive the set. */
struct metric_text {
	const char *name, *expr;
	const char *scope; /* NULL: none. A name N in the expression is the metric "SCOPE/N/", if there is one */
};

/* Reads n expressions. One that is not understood, or that needs such a metric or itself, keeps its row and says why.
 * Of two metrics with one name, the first counts. Never NULL. */
struct metric_set *metric_set_new(const struct metric_text *, size_t n);
void metric_set_free(struct metric_set *);

/* Returns the number of the metric with this name, whatever its case; METRIC_NONE: none. */
size_t metric_set_find(const struct metric_set *, const char *name);

/* An interval that the truth lies in, and the value within it that was measured. NAN: unknown. */
struct metric_value {
	double low, value, high;
};

/* Why a metric has no number. */
enum metric_lack {
	METRIC_LACKS_NOTHING,
	METRIC_LACKS_LEAF,   /* this leaf is unknown */
	METRIC_DIVIDES_BY_0, /* a divisor is 0 or may be */
	METRIC_TOO_LARGE,    /* beyond the range of a double, or of whole numbers where it takes them */
	METRIC_NOT_UNDERSTOOD,
};

struct metric_result {
	struct metric_value value; /* all NAN if it lacks something */
	bool enclosure;            /* the truth lies in the interval, but may not reach its ends */
	size_t widest;             /* the leaf whose interval widens the result most; METRIC_NONE: all are exact */
	enum metric_lack lack;
	size_t lacks;                /* LEAF: its number; DIVIDES_BY_0: the node of the divisor; else METRIC_NONE */
	struct metric_value divisor; /* DIVIDES_BY_0: its value */
};

/* Computes one metric, or those of the set that are wanted (NULL: all), from the values of the leaves; all[i] is of
 * metric i, and zero if that is not wanted.
 *
 * Bounds: every operation rounds outward. Where a leaf occurs more than once, it counts once if the metric is monotone
 * in it over the whole box; this is decided by an enclosure of its slopes (Hansen and Walster, "Global Optimization
 * Using Interval Analysis", 2004, chapter 7). Otherwise the box is cut along such leaves into up to `pieces` parts. */
struct metric_result
metric_compute(const struct metric_set *, size_t metric, const struct metric_value *leaf, size_t pieces);
void metric_compute_all(const struct metric_set *, const bool *wanted, const struct metric_value *leaf, size_t pieces,
	struct metric_result *all);

/* Appends the expression with the measured value of each name in its place: "1200 / 300". */
void metric_substituted(const struct metric_set *, size_t metric, const struct metric_value *leaf, struct str *out);
/* Appends the name of a leaf as the expression has it: "source_count(X)". */
void metric_leaf_print(const struct metric_leaf *, struct str *out);
/* Appends why there is no number: "CYCLES is not counted", "divides by (A - B), which may be 0: -3 ... 5". */
void metric_lack_print(const struct metric_set *, size_t metric, const struct metric_result *, struct str *out);

#endif
