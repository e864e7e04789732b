/* Documents about events: what may be counted, and how right the counts are. */
#include "documents.h"

static const struct shape_row ADDED[] = {
	KEY("per", TEXT, "the cause"),
	KEY("low high", NUMBER, "counts too many for each"),
};
static const struct shape added = DESCRIBED(ADDED);

static const struct shape_row ENTRY[] = {
	KEY("events", TEXTS, "all names of the event"),
	KEY("class", TEXT_OR_NULL, "what it stands for, such as `inst_retired`"),
	KEY_ONE_OF("verdict", TEXT, NULL,
		"deterministic", "constant", "correctable", "noisy", "else", "repeatable", "unknown"),
	KEY("letters", TEXT, "sources of error, such as `hpEF`"),
	KEY_OF("adds", OBJECTS, added, NULL),
	KEY("note", TEXT_OR_NULL, "what a user must know"),
	KEY("source", TEXT, "where this is known from"),
	KEY("measured", BOOLEAN, "by `hecate determinism` on this machine, and not published"),
	KEY("counts", BOOLEAN, "no later entry for the same event takes its place"),
};
static const struct shape entry = DESCRIBED(ENTRY);

static const struct shape_row PAGE[] = {
	KEY("cpu", TEXT, "the processor's name"),
	KEY("aliases", TEXTS, "other names"),
	KEY("vendor", TEXT_OR_NULL, "null: any"),
	KEY("family", INTEGER_OR_NULL, "null: any"),
	KEY("models", INTEGERS, "none: any"),
	KEY_OF("events", OBJECTS, entry, NULL),
};
static const struct shape page = DESCRIBED(PAGE);

static const struct shape_row TRUST[] = {
	KEY("schema", TEXT, NULL),
	KEY_OF("pages", OBJECTS, page, "one for each processor"),
};
const struct shape document_trust = DESCRIBED(TRUST);

static const struct shape_row COUNTABLE[] = {
	KEY_ONE_OF("what", TEXT, NULL, "software events", "tracepoints", "page-fault example", "kernel side", "timers",
		"core PMU", "uncore, CXL", "whole machine"),
	KEY_ONE_OF("level", TEXT, NULL, "good", "partly", "no"),
	KEY("amount", TEXT, "how much exists, for people; may be empty"),
	KEY("why", TEXT, "may be empty"),
	KEY("remedy", TEXT, "a helpful step; may be empty"),
};
static const struct shape countable = DESCRIBED(COUNTABLE);

static const struct shape_row KNOWN[] = {
	KEY("processor", TEXT, "vendor, family and model, or a name"),
	KEY("why", TEXT_OR_NULL, "why nothing can be said; empty if something can"),
	KEY("remedy", TEXT_OR_NULL, "what would help; empty if nothing is needed"),
	KEY_OF("pages", OBJECTS, page, "none, or one"),
};
static const struct shape known = DESCRIBED(KNOWN);

static const struct shape_row DOCTOR[] = {
	KEY("schema", TEXT, NULL),
	KEY("machine", TEXT, "what this machine is, for people"),
	KEY_OF("items", OBJECTS, countable, "what may be counted"),
	KEY_OF("trust", OBJECT, known, "what is known of this processor's events"),
};
const struct shape document_doctor = DESCRIBED(DOCTOR);

/* --- metrics --- */

static const struct shape_row METRIC[] = {
	KEY("name text groups", TEXT, "as its source has them; groups are separated by `;`"),
	KEY("pmu", TEXT, "of its kind of cores; empty: there is one"),
	KEY("formula threshold", TEXT, "in perf's language; empty: none"),
	KEY("unit", TEXT, "of the value; may be empty"),
	KEY("scale", NUMBER, "the formula's value times this is in `unit`"),
	KEY("source", TEXT, NULL),
	KEY("problem", TEXT_OR_NULL, "why the formula is not understood"),
	KEY("events", TEXTS, "with all other metrics put in"),
	KEY("constants", TEXTS, "likewise: `#smt_on`, `source_count(EVENT)`"),
};
static const struct shape metric = DESCRIBED(METRIC);

static const struct shape_row METRIC_VALUE[] = {
	KEY("metric", TEXT, "its name"),
	KEY("value low high", NUMBER_OR_NULL, "the value and its bounds; null: it has none"),
	KEY("enclosure", BOOLEAN, "the bounds hold, but narrower ones may exist"),
	KEY("widest", TEXT_OR_NULL, "the event whose interval widens the bounds most; null: all are exact"),
	KEY("above_threshold", "boolean|null", "null: it has no threshold, or the bounds leave it open"),
	KEY("substituted", TEXT, "the formula with counts for names"),
	KEY("lacks", TEXT_OR_NULL, "why there is no value"),
};
static const struct shape metric_value = DESCRIBED(METRIC_VALUE);

static const struct shape_row METRIC_LAW[] = {
	KEY("text relation source", TEXT, "as of `hecate laws`"),
	KEY_ONE_OF("state", TEXT, NULL, "broken", "strained"),
	KEY("off", NUMBER_OR_NULL, "by so much at least, in the relation's unit; null: strained"),
	KEY("blame", TEXT_OR_NULL, "events without which it is not broken, with their errata"),
};
static const struct shape metric_law = DESCRIBED(METRIC_LAW);

static const struct shape_row METRIC_OBSERVATION[] = {
	KEY("name", TEXT, NULL),
	KEY_OF("values", OBJECTS, metric_value, NULL),
	KEY("laws_judged", INTEGER, "[laws](laws.md) between metrics whose counts are known"),
	KEY_OF("laws", OBJECTS, metric_law, "those that they break or strain"),
};
const struct shape shared_metrics = DESCRIBED(METRIC_OBSERVATION);

static const struct shape_row METRICS[] = {
	KEY("schema", TEXT, NULL),
	KEY("cpu", TEXT, "the processor, as perf identifies it; may be empty"),
	KEY_OF("metrics", OBJECTS, metric, "those that were asked for"),
	KEY_OF("observations", OBJECTS, shared_metrics, "of the data; none without data"),
};
const struct shape document_metrics = DESCRIBED(METRICS);

/* --- differences --- */

/* What is said of a quantity. */
#define DIFF_FOUND \
	KEY("unit", TEXT, "`s`, `ns`, `Hz`; empty: a plain count"), \
	KEY_ONE_OF("answer", TEXT, NULL, "undecided", "equal", "more", "less"), \
	KEY("absolute", BOOLEAN, "`change`, `low` and `high` are differences, because A has none; else shares of A"), \
	KEY("exact", BOOLEAN, "an exact counter, equal in all runs of A, and in all of B: a difference of 1 decides"), \
	KEY("exact_by", TEXT_OR_NULL, "the source by which a book of trust calls the counter exact; null: none does"), \
	KEY("constant", BOOLEAN, "equal in all runs of A, and in all of B"), \
	KEY("a b", NUMBER_OR_NULL, "medians"), \
	KEY("change low high", NUMBER_OR_NULL, "0.03: 3 % more in B; null: no bound, or not counted"), \
	KEY("above_threshold", BOOLEAN, "surely"), \
	KEY("more_pairs", INTEGER, "about so many more runs of each would decide; 0: decided, or it cannot be said")

static const struct shape_row DIFF_STATED[] = {
	KEY("mean", NUMBER_OR_NULL, NULL),
	KEY("spread", NUMBER_OR_NULL, "standard error of the mean; null: not stated"),
	KEY("grain", NUMBER, "half a unit of the mean's last digit"),
	KEY("of_runs", BOOLEAN, "`spread` is the standard deviation of the runs"),
	KEY("runs", INTEGER, "that the mean is of; 0: not known"),
};
static const struct shape diff_stated = DESCRIBED(DIFF_STATED);

static const struct shape_row DIFF_QUANTITY[] = {
	KEY("name", TEXT, "`wall time` is the first, for commands"),
	DIFF_FOUND,
	KEY("values", "array(number|null)", "of the runs, in the order of `order`"),
	KEY_OF("stated", OBJECTS, diff_stated, "means of A and of B that the data state instead of runs; empty: runs"),
};
static const struct shape diff_quantity = DESCRIBED(DIFF_QUANTITY);

static const struct shape_row DIFF_PART[] = {
	KEY("name", TEXT, "`running`, `waiting for storage` …: time of all tasks; or a part of a stack"),
	DIFF_FOUND,
};
static const struct shape diff_part = DESCRIBED(DIFF_PART);

static const struct shape_row DIFF_AROUND[] = {
	KEY_ONE_OF("name", TEXT, NULL, "steal", "others", "frequency", "throttled", "environment",
		"directory"),
	KEY("unit", TEXT, "`share`: of the processors' time; `B`: bytes added to the environment, and of $PWD"),
	KEY("values", "array(number|null)", "of the runs; null: not known"),
};
static const struct shape diff_around = DESCRIBED(DIFF_AROUND);

static const struct shape_row DIFF[] = {
	KEY("schema", TEXT, NULL),
	KEY("commands", TEXTS, "A and B"),
	KEY("confidence", NUMBER, "of all answers together"),
	KEY("threshold", NUMBER, "a share of A"),
	KEY("recorded", BOOLEAN, "the runs were recorded, and their order was not drawn"),
	KEY("runs", INTEGERS, "of A and of B"),
	KEY("randomised", TEXTS, "`order`, `environment` (its size), `directory` (the length of $PWD)"),
	KEY("seconds", NUMBER, "that the blocks took"),
	KEY("interrupted", BOOLEAN, "by the user"),
	KEY("failed", INTEGERS, "runs of A and of B whose blocks were left out"),
	KEY("warm_up_runs", INTEGER, "first runs that took longer than the others"),
	KEY("drift", NUMBER_OR_NULL, "the last third over the first, less 1; null: none seen"),
	KEY("carry_over", NUMBER_OR_NULL, "a run after one of B over one after A, less 1; null: none seen"),
	KEY("steal others", NUMBER, "share of the processors' time that the host took, and other programs"),
	KEY_OF("around", OBJECTS, diff_around, "what may have disturbed each run; empty: recorded runs"),
	KEY_OF("why", OBJECTS, diff_part, "where tasks' time went in further runs; empty: not recorded"),
	KEY_OF("stack", OBJECTS, diff_part, "the whole of `--stack` and its parts; empty: no stack was given"),
	KEY("order", TEXTS, "`A` or `B` for each run"),
	KEY_OF("quantities", OBJECTS, diff_quantity, NULL),
};
const struct shape document_diff = DESCRIBED(DIFF);

/* --- events ------------------------------------------------------------------------------------------------------ */

static const struct shape_row PMU_COUNT[] = {
	KEY("pmu source", TEXT, NULL),
	KEY("events", INTEGER, NULL),
};
static const struct shape pmu_count = DESCRIBED(PMU_COUNT);

static const struct shape_row LISTED[] = {
	KEY("name", TEXT, NULL),
	KEY("pmu", TEXT, "or what the PMU's boxes share, such as `uncore_cha`"),
	KEY("topic text", TEXT, "of the source; may be empty"),
	KEY("code", TEXT_OR_NULL, "terms of the PMU; null: not known in full"),
	KEY_ONE_OF("source", TEXT, "the first one that knows it", "sysfs", "perf", "HECATE_EVENTS", "libpfm4"),
	KEY("sources", TEXTS, "all that give it this code"),
	KEY("unit", TEXT, "empty: a plain count"),
	KEY("scale", NUMBER, "units of one count"),
	KEY("counters", TEXT, "those that can hold it; empty: not said"),
	KEY("errata", TEXT, "the vendor's numbers; empty: none known"),
	KEY("taken_alone", BOOLEAN, "it must be the only one of its kind in a set"),
	KEY("deprecated", BOOLEAN, NULL),
	KEY("trust", TEXT_OR_NULL, "the verdict of hecate-trust(5)"),
	KEY("health", TEXT_OR_NULL,
		"counts, one at once, reads 0 or never counts, when it was counted here last; null: it was not"),
	KEY("health_text", TEXT_OR_NULL, "the same with its meaning, the day and the kernel"),
	KEY("other_code", TEXT_OR_NULL, "the code that another source gives it; then the name is refused"),
	KEY("other_source", TEXT_OR_NULL, "that source"),
	KEY("same_code", TEXTS, "other names of its code"),
};
static const struct shape listed = DESCRIBED(LISTED);

static const struct shape_row TRIED[] = {
	KEY("name", TEXT, NULL),
	KEY("health", TEXT_OR_NULL, "as of `events`; null: it does not open"),
	KEY("count", INTEGER, "in 10 ms of work"),
	KEY("why remedy", TEXT_OR_NULL, "why it does not open, and what to do"),
};
static const struct shape tried = DESCRIBED(TRIED);

static const struct shape_row EVENTS[] = {
	KEY("schema", TEXT, NULL),
	KEY("cpu", TEXT, "the processor as perf identifies it; empty: not known"),
	KEY("metrics", INTEGER, "number of metrics that the sources know"),
	KEY_OF("pmus", OBJECTS, pmu_count, NULL),
	KEY_OF("events", OBJECTS, listed,
		"those that fit; none without a pattern, `--pmu` or `--code`, and with `--try`"),
	KEY_OF("tried", OBJECTS, tried, "with `--try`; otherwise none"),
};
const struct shape document_events = DESCRIBED(EVENTS);

/* --- determinism ------------------------------------------------------------------------------------------------- */

static const struct shape_row CAUSE[] = {
	KEY("by", TEXT,
		"`interrupts`, `page-faults`, `overcounted instructions`, `uncounted instructions`, `expectation`"),
	KEY("slope low high", NUMBER_OR_NULL, "counts for each occurrence, or run, and their interval"),
	KEY_IF("per", TEXT, "`occurrence`; `run`, if the number of occurrences was not measured"),
	KEY_IF("occurrences", NUMBER_OR_NULL, "mean number in a run; 1 with `per` `run`"),
	KEY_IF("upper_bound", BOOLEAN, "the occurrences are those of all CPUs"),
	KEY_IF("assumed", BOOLEAN, "the data agree with the slope, and do not determine it"),
	KEY_IF("subtracted", BOOLEAN, "it is part of the adjustment"),
};
static const struct shape cause = DESCRIBED(CAUSE);

static const struct shape_row JUDGED[] = {
	KEY("machine event test", TEXT, "as in the data; empty where it has no such column"),
	KEY("counter", TEXT_OR_NULL, "the counter's code and name, if known"),
	KEY("runs", INTEGER, "runs with a count"),
	KEY("expected", NUMBER_OR_NULL, "the right count"),
	KEY_IF("expected_each_rep", NUMBER_OR_NULL,
		"the right count if each repetition of a string instruction counts"),
	KEY_IF("method", TEXT_OR_NULL, "of `-- CMD`: how the instructions were counted"),
	KEY("mean spread", NUMBER_OR_NULL, "mean of the counts; largest minus smallest"),
	KEY("adjusted adjusted_spread", NUMBER_OR_NULL, "the same without what is explained"),
	KEY_IF("middle middle_distance", NUMBER_OR_NULL,
		"middle one of the adjusted counts, and the largest distance from it"),
	KEY("offset", NUMBER_OR_NULL, "`mean` minus `expected`"),
	KEY("adjusted_offset", NUMBER_OR_NULL, "`adjusted` minus `expected`"),
	KEY("letters", TEXT_OR_NULL, "`hpD`: measured, and known of the event"),
	KEY("measured_letters", TEXT_OR_NULL, "found in these runs alone"),
	KEY_ONE_OF("verdict", TEXT_OR_NULL, "null with `-- CMD`", "deterministic", "constant overcount", "correctable",
		"noisy", "counts something else", "repeatable", "unknown"),
	KEY_OF("explained", OBJECTS, cause, "causes of the error"),
	KEY("note", TEXT_OR_NULL, "on these runs"),
	KEY_IF("known", TEXT_OR_NULL, "what a book of facts says of the event"),
};
static const struct shape judged = DESCRIBED(JUDGED);

static const struct shape_row MISCOUNTED[] = {
	KEY("part class", TEXT, NULL),
	KEY("per", TEXT,
		"`iteration`, `page fault`, `exception`, `masked exception`, `system call`, `element`"),
	KEY("slope low high", NUMBER_OR_NULL, "counts too many for each, with an interval"),
	KEY("constant constant_low constant_high", NUMBER_OR_NULL, "counts too many in each run of the part"),
	KEY("letter", TEXT, NULL),
};
static const struct shape miscounted = DESCRIBED(MISCOUNTED);

static const struct shape_row SEARCHED[] = {
	KEY("event", TEXT, NULL),
	KEY("multiplexed", BOOLEAN, "it shares its counter even alone: counts are estimates"),
	KEY("kernel", BOOLEAN, "it counts the kernel's work too, though its name does not say so"),
	KEY("silent", BOOLEAN, "it counts nothing"),
	KEY("searched whole", BOOLEAN, "its parts were searched; to the end"),
	KEY("base", NUMBER_OR_NULL, "count without any part, minus expected"),
	KEY("rest rest_width", NUMBER_OR_NULL, "error of all parts together minus those of each; half-width"),
	KEY_OF("parts", OBJECTS, miscounted, "parts that the event miscounts"),
};
static const struct shape searched = DESCRIBED(SEARCHED);

static const struct shape_row DETERMINISM[] = {
	KEY("schema", TEXT, NULL),
	KEY("notes", TEXTS, "what is odd about the data"),
	KEY_OF("results", OBJECTS, judged, "one for each machine, event and test, in the order of the data"),
	KEY_IF("stored not_stored", TEXT_OR_NULL, "without DATA: the file that has the results; why there is none"),
	KEY_IF("cpu", INTEGER, "without DATA: all runs were pinned to it; -1: unknown"),
	KEY_IF("runs", INTEGER, "without DATA: of all sets of parts"),
	KEY_IF("cut", BOOLEAN, "without DATA: it was stopped, or a run failed"),
	KEY_IF("remarks", TEXTS, "without DATA: what cannot be counted or was left out; a disturbed machine"),
	KEY_OF_IF("events", OBJECTS, searched, "without DATA: those that can be counted"),
};
const struct shape document_determinism = DESCRIBED(DETERMINISM);

/* --- overflows --------------------------------------------------------------------------------------------------- */

static const struct shape_row SKID[] = {
	KEY("precise period", INTEGER, "`precise_ip` of perf_event_open(2); counts to the next overflow"),
	KEY("overflows", INTEGER, "stops"),
	KEY("min median max", NUMBER_OR_NULL, "counts from the overflow to the stop"),
	KEY("missed", INTEGER, "periods without a stop"),
	KEY("throttled lost", INTEGER, "records of the kernel: it switched the event off; it had no room"),
	KEY("ended", BOOLEAN, "the command ended before stops or time ran out"),
};
static const struct shape skid = DESCRIBED(SKID);

static const struct shape_row OVERFLOWING[] = {
	KEY("event", TEXT, "as asked for"),
	KEY("measured", BOOLEAN, "it overflows here"),
	KEY("why remedy", TEXT_OR_NULL, "if it was not measured"),
	KEY("user_only", BOOLEAN, "the kernel side was left out, though the name does not say so"),
	KEY("total", INTEGER_OR_NULL, "count of a run without overflows"),
	KEY_OF("skid", OBJECTS, skid, "one for each level of precision and period"),
};
static const struct shape overflowing = DESCRIBED(OVERFLOWING);

static const struct shape_row ARRIVAL[] = {
	KEY("outcome", TEXT, "`exact`, `passed`, `late`, `short`, `given up`"),
	KEY("overflow stopped", INTEGER,
		"counts at which the overflow was set (0: single steps), and at which it stopped"),
	KEY("steps", INTEGER, "instructions from there"),
	KEY("before count", INTEGER, "before and after the last step"),
	KEY("after after_place", TEXT_OR_NULL, "address of the last instruction executed; symbol and file"),
	KEY("next next_place", TEXT_OR_NULL, "the same of the one after it"),
	KEY("instructions", INTEGER_OR_NULL, "that retire before the stop, by single steps"),
};
static const struct shape arrival = DESCRIBED(ARRIVAL);

static const struct shape_row DIRECT[] = {
	KEY("next next_place", TEXT_OR_NULL, NULL),
};
static const struct shape direct = DESCRIBED(DIRECT);

static const struct shape_row STOP[] = {
	KEY("count", INTEGER, "as asked for"),
	KEY("same_place", BOOLEAN, "all runs stopped at the same instruction"),
	KEY_OF("runs", OBJECTS, arrival, NULL),
	KEY_OF("direct", OBJECT_OR_NULL, direct, "of a run whose overflow was set at the count itself"),
};
static const struct shape stop = DESCRIBED(STOP);

static const struct shape_row OVERFLOW[] = {
	KEY("schema", TEXT, NULL),
	KEY("machine test", TEXT, "name of this machine; base name of the command"),
	KEY("cpu", INTEGER, "all runs were pinned to it; -1: none"),
	KEY("fixed_addresses", BOOLEAN, "addresses were not randomised"),
	KEY("threads processes", INTEGER, "that a run of the command started; they are not followed"),
	KEY("signal", INTEGER_OR_NULL, "by which the command died"),
	KEY("cut slow", BOOLEAN, "a signal to hecate ended the runs; a run took too long"),
	KEY_OF("events", OBJECTS, overflowing, NULL),
	KEY_OF("stop", OBJECT_OR_NULL, stop, "with `--stop-at`"),
};
const struct shape document_overflow = DESCRIBED(OVERFLOW);
