/* Documents about machines: simulated ones, what probes find, and what is known of events. */
#include "documents.h"

#define INTERVAL_TEXT "the answer and its interval at 99 %; null: none, or no bound"
static const struct shape_row INTERVAL[] = {
	KEY("value low high", NUMBER_OR_NULL, INTERVAL_TEXT),
};
const struct shape shared_interval = DESCRIBED(INTERVAL);

/* --- session files ----------------------------------------------------------------------------------------------- */

static const struct shape_row IMPORT[] = {
	KEY("schema", TEXT, NULL),
	KEY("file", TEXT, "the session file, as it was given"),
	KEY("observations rows", INTEGER, "how many were added"),
	KEY("cut", BOOLEAN, "the data end in the middle of a line, which was left out"),
	KEY_OF("warnings", OBJECTS, shared_warning, "what the readers left out or put right; codes are below"),
};
const struct shape document_import = DESCRIBED(IMPORT);

static const struct shape_row SAMPLE[] = {
	KEY("time", NUMBER_OR_NULL, "since the start; of a total: how long it took"),
	KEY("counts", "array(number|string|null)",
		"exact; a text beyond 2^53; null: not counted"),
	KEY_IF("running", NUMBERS, "share of the interval, if counts were scaled up"),
	KEY_IF("error", NUMBERS, "standard error of each count, if the source states some"),
};
static const struct shape sample = DESCRIBED(SAMPLE);

static const struct shape_row CODE[] = {
	KEY("counter", TEXT_OR_NULL, "name of the counter that it adds to"),
	KEY("event", TEXT_OR_NULL, "its full name"),
	KEY("filter", TEXT_OR_NULL, "of a tracepoint"),
	KEY("pmu", TEXT_OR_NULL, "the PMU's name in sysfs, if it needs one"),
	KEY("type", "integer|null", "fields of perf_event_attr, in hexadecimal from `config` on"),
	KEY("config", TEXT_OR_NULL, NULL),
	KEY("config1", TEXT_OR_NULL, NULL),
	KEY("config2", TEXT_OR_NULL, NULL),
	KEY("user", "boolean|null", "user code was counted"),
	KEY("kernel", "boolean|null", "the kernel's side was counted"),
};
static const struct shape event_code = DESCRIBED(CODE);

static const struct shape_row COUNTED_ON[] = {
	KEY("hecate", TEXT_OR_NULL, "the version that counted"),
	KEY("hypervisor", TEXT_OR_NULL, "`KVM guest`; null: none is known"),
	KEY("kernel", TEXT_OR_NULL, "its release"),
	KEY("build", TEXT_OR_NULL, "its version, with the date of the build"),
	KEY("architecture", TEXT_OR_NULL, NULL),
	KEY("processor", TEXT_OR_NULL, "model name"),
	KEY("stepping", TEXT_OR_NULL, NULL),
	KEY("microcode", TEXT_OR_NULL, "its revision"),
	KEY("processors", "integer|null", "how many were online"),
	KEY_OF("events", OBJECTS, event_code, "of perf, as they were opened; files of the kernel have none"),
};
static const struct shape counted_on = DESCRIBED(COUNTED_ON);

static const struct shape_row RECORDED[] = {
	KEY("name", TEXT, "unique in the file"),
	KEY("source", TEXT, "the file, or the command line"),
	KEY("exact", BOOLEAN, "its rows are exact totals"),
	KEY("tasks", NUMBER, "tasks that ran while rows were read; each tears a row by 1"),
	KEY("rotation_period", NUMBER, "seconds in which counters took their turns; 0: none, or not known"),
	KEY("locked_period", NUMBER, "seconds: the program's period, if it keeps step with that; else 0"),
	KEY("command", "array(string)|null", "what was run while it was recorded"),
	KEY("started", TEXT_OR_NULL, "when its first row was written, UTC: `2026-01-31T12:00:00Z`"),
	KEY("cpu", TEXT_OR_NULL, "the processor that was counted: `GenuineIntel family 6 model 60`"),
	KEY("machine", "integer|null", "where in `machines`, from 0"),
	KEY("health", TEXTS, "of each counter: `live`, `suspiciously zero`, `dead`, `unsupported`, `absent`"),
	KEY_OF("rows", OBJECTS, sample, NULL),
};
static const struct shape recorded = DESCRIBED(RECORDED);

static const struct shape_row EXPORT[] = {
	KEY("schema", TEXT, NULL),
	KEY("file", TEXT, "the session file, as it was given"),
	KEY("model", TEXT_OR_NULL, "name of the model, network or stack that it brings"),
	KEY("kind", TEXT_OR_NULL, "what that is: `model`, `network`, `stack`"),
	KEY("counters", TEXTS, "the columns of all observations"),
	KEY("notes", TEXTS, "remarks of the data's readers"),
	KEY_OF("machines", OBJECTS, counted_on, "those that observations were counted on"),
	KEY_OF("observations", OBJECTS, recorded, "in the order of recording"),
};
const struct shape document_export = DESCRIBED(EXPORT);

/* --- the simulated machine --------------------------------------------------------------------------------------- */

static const struct shape_row INSTRUCTION[] = {
	KEY("address", INTEGER, NULL),
	KEY("text", TEXT, "what it does, as far as the core knows"),
	KEY("uops", INTEGER, "how many µops of it committed"),
	KEY("cycles", NUMBER, "sum of its parts"),
	KEY("parts", "object(number)", "cycles by component"),
};
static const struct shape instruction = DESCRIBED(INSTRUCTION);

static const struct shape_row INSTRUCTIONS[] = {
	KEY("schema machine", TEXT, NULL),
	KEY("program", TEXT, "name and parameters, or `trace`"),
	KEY("uops cycles", INTEGER, "µops that committed, and cycles, after the warm-up"),
	KEY("parts", "object(number)", "cycles by component, over all instructions"),
	KEY_OF("instructions", OBJECTS, instruction, "the one with most cycles first"),
};
const struct shape document_instructions = DESCRIBED(INSTRUCTIONS);

static const struct shape_row REVEAL[] = {
	KEY("schema", TEXT, NULL),
	KEY("file", TEXT, "the session file"),
	KEY("machine", TEXT, "as it was asked for"),
	KEY("sealed", BOOLEAN, "the file had its features only as a seal"),
	KEY("observations", INTEGER, "of this machine"),
	KEY("planted", TEXTS, "the features that it has"),
	KEY("searched", BOOLEAN, "the answer is what a search requires; else that of `--plant`"),
	KEY("answer", TEXTS, "the features named"),
	KEY("false", TEXTS, "of these, those that it has not"),
	KEY("missed", TEXTS, "those that the model could have, and that are not named"),
	KEY("open", TEXTS, "of these, those that some survivors have and others have not"),
	KEY("exact", BOOLEAN, "nothing is false or missed"),
	KEY_IF("hidden", TEXTS, "of `planted`, those that no data can show"),
	KEY_IF("complete", BOOLEAN, "of a search: it classified every set"),
	KEY_IF("survives", BOOLEAN, "of a search: no observation refutes just the planted features"),
	KEY_IF("survivors", INTEGER, "of a search: models tested that survive"),
};
const struct shape document_reveal = DESCRIBED(REVEAL);

static const struct shape_row STORAGE[] = {
	KEY("power5 fmt sfmt tea", INTEGER, NULL),
};
static const struct shape storage = DESCRIBED(STORAGE);

static const struct shape_row CACHE[] = {
	KEY("accesses hits misses", INTEGER, NULL),
};
static const struct shape cache = DESCRIBED(CACHE);

static const struct shape_row CACHES[] = {
	KEY_OF("l1i l1d l2 l3 prefetches", OBJECT, cache, NULL),
};
static const struct shape caches = DESCRIBED(CACHES);

static const struct shape_row RUN[] = {
	KEY("program", TEXT, "name and parameters, or `trace`"),
	KEY("instructions uops cycles", INTEGER, "what retired, and how long it took"),
	KEY("ipc", NUMBER_OR_NULL, "instructions per cycle"),
	KEY("loads stores branches conditional_branches", INTEGER, "of what retired; an atomic is a load and a store"),
	KEY("mispredictions", INTEGER, "branches that retired and were mispredicted"),
	KEY("walk_cycles", INTEGER, "cycles of page-table walks, summed over walkers"),
	KEY_OF("caches", OBJECT, caches, "on wrong paths, too; a perfect structure has none"),
	KEY("events", "object(integer)",
		"all events of a [pipeline](simulated-machine.md#events-of-a-pipeline)"),
};
static const struct shape run = DESCRIBED(RUN);

static const struct shape_row SIM[] = {
	KEY("schema machine", TEXT, NULL),
	KEY("changes", TEXT_OR_NULL, "those of `--set`, with `; ` between them"),
	KEY("cut", BOOLEAN, "it was stopped: totals are those of complete samples"),
	KEY_IF("instructions cycles", INTEGER, "of the only run; missing if there are several"),
	KEY_IF("ipc", NUMBER_OR_NULL, "of the only run"),
	KEY_IF("branches mispredictions", INTEGER, "of the only run"),
	KEY_IF("l1i_hits l1i_misses l1d_hits l1d_misses l2_hits l2_misses l3_hits l3_misses", INTEGER,
		"of the only run"),
	KEY_OF("storage_bits", OBJECT, storage, "bits that each method of accounting needs on this machine"),
	KEY_OF("runs", OBJECTS, run, "one for each program, or of the trace"),
};
const struct shape document_sim = DESCRIBED(SIM);

static const struct shape_row MARKS[] = {
	KEY("event", NUMBER, NULL),
	KEY_IF("rob_full resolved rob_empty data_returns second_load second_returns refilled", NUMBER, NULL),
};
static const struct shape marks = DESCRIBED(MARKS);

static const struct shape_row COSTS[] = {
	KEY("truth fmt sfmt power5 tea naive", NUMBER, NULL),
};
static const struct shape costs = DESCRIBED(COSTS);

static const struct shape_row DIAGRAM[] = {
	KEY("program", TEXT, "as it was asked for"),
	KEY("events", INTEGER, "occurrences of which the series are means"),
	KEY("first_cycle", INTEGER, "the cycle of the first values; the event is in cycle 0"),
	KEY("uops_per_cycle", NUMBER, "µops dispatched in a cycle before the event"),
	KEY("lost_cycles", NUMBER, "dispatch slots that stay empty after it, in cycles"),
	KEY_OF("marks", OBJECT, marks, "cycles"),
	KEY_OF("cycles_per_event", OBJECT, costs, "the penalty, and what each method counts"),
	KEY("issued dispatched committed", NUMBERS, "µops of the right path in each cycle"),
	KEY("rob rob_wrong_path", NUMBERS, "µops in the reorder buffer, and those of a wrong path among them"),
	KEY("counted_fmt counted_power5", NUMBERS, "share of the events for which the method counts the cycle"),
};
static const struct shape diagram = DESCRIBED(DIAGRAM);

static const struct shape_row INTERVALS[] = {
	KEY("schema machine", TEXT, NULL),
	KEY("changes", TEXT_OR_NULL, "those of `--set`, with `; ` between them"),
	KEY_OF("intervals", OBJECTS, diagram, "one for each program"),
};
const struct shape document_intervals = DESCRIBED(INTERVALS);

/* --- probes ------------------------------------------------------------------------------------------------------ */

static const struct shape_row KNEE[] = {
	KEY_ONE_OF("kind", TEXT, NULL, "jump", "bend"),
	KEY("x", NUMBER, "the last x on the old trend; of a bend: where trends meet"),
	KEY("low high", NUMBER, "interval of the place at 99 %; of a ramp, its ends"),
	KEY("before after", NUMBER, "the trends at `x`"),
};
static const struct shape knee = DESCRIBED(KNEE);

static const struct shape_row TREND[] = {
	KEY("first last", NUMBER, "x"),
	KEY("from to", NUMBER, "the level there"),
	KEY("slope", NUMBER, NULL),
};
static const struct shape trend = DESCRIBED(TREND);

static const struct shape_row EXPECTED[] = {
	KEY("low high", NUMBER_OR_NULL, "equal for one number"),
	KEY("doubtful", BOOLEAN, NULL),
	KEY("source", TEXT, NULL),
	KEY("agrees", BOOLEAN, "it agrees with the answer"),
};
static const struct shape expected = DESCRIBED(EXPECTED);

static const struct shape_row CURVE[] = {
	KEY("curve", TEXT, "the file"),
	KEY("x y", TEXT_OR_NULL, "names of the columns"),
	KEY("points", INTEGER, "points with a number, each x once"),
	KEY_OF("knees", OBJECTS, knee, "where the curve changes, ascending by `x`"),
	KEY_OF("trends", OBJECTS, trend, "the straight pieces between knees"),
	KEY("minor", INTEGER, "changes that are clear, but too small to matter"),
	KEY("noise", NUMBER_OR_NULL, "standard deviation of the points; null with too few"),
	KEY("notes", TEXTS, "rows that were left out, sorted or joined; what disturbed a probe"),
};
static const struct shape curve = DESCRIBED(CURVE);

static const struct shape_row ANSWER[] = {
	KEY("probe measures", TEXT, "name of the probe; what it measures"),
	KEY("parameter", TEXT_OR_NULL, "the item of a `.machine` file"),
	KEY("unit", TEXT, "of `value`"),
	ROWS_OF(shared_interval),
	KEY("at_least", BOOLEAN, "the answer is a lower bound"),
	KEY("hidden_by", TEXT_OR_NULL, "the probe of what may be full there, too"),
	KEY("doubt", TEXT_OR_NULL, "why the answer may be wrong"),
	KEY_OF_IF("expected", OBJECT, expected, "on this processor, if a file says what to expect"),
};

/* The same where a curve may be that of no probe. */
static const struct shape_row ANSWER_IF[] = {
	KEY_IF("probe measures", TEXT, "name of the probe; what it measures"),
	KEY_IF("parameter", TEXT_OR_NULL, "the item of a `.machine` file"),
	KEY_IF("unit", TEXT, "of `value`"),
	KEY_IF("value low high", NUMBER_OR_NULL, INTERVAL_TEXT),
	KEY_IF("at_least", BOOLEAN, "the answer is a lower bound"),
	KEY_IF("hidden_by", TEXT_OR_NULL, "the probe of what may be full there, too"),
	KEY_IF("doubt", TEXT_OR_NULL, "why the answer may be wrong"),
};
static const struct shape answer = DESCRIBED(ANSWER), answer_if = DESCRIBED(ANSWER_IF);

static const struct shape_row PROBE[] = {
	KEY("schema", TEXT, NULL),
	ROWS_OF(curve),
	ROWS_OF(answer_if),
};
const struct shape document_probe = DESCRIBED(PROBE);

static const struct shape_row COUNT[] = {
	KEY("x", NUMBER, NULL),
	KEY("time", NUMBER, "of a pass; of a pair: the point of the curve"),
	KEY("count", NUMBER_OR_NULL, "of a pass of the fill, or of each load; null: stopped before"),
};
static const struct shape count = DESCRIBED(COUNT);

static const struct shape_row COUNTED_EVENT[] = {
	KEY("event", TEXT, NULL),
	KEY_OF("points", OBJECTS, count, NULL),
	KEY("notes", TEXTS, "what limits the counts"),
};
static const struct shape counted_event = DESCRIBED(COUNTED_EVENT);

static const struct shape_row PROBED[] = {
	ROWS_OF(answer),
	ROWS_OF(curve),
	KEY_OF_IF("counts", OBJECTS, counted_event, "with `-e`"),
};
static const struct shape probed = DESCRIBED(PROBED);

static const struct shape_row PROBES[] = {
	KEY("schema", TEXT, NULL),
	KEY("on", TEXT, "the machine, as given"),
	KEY_OF("results", OBJECTS, probed, "one for each probe"),
	KEY("cut", BOOLEAN, "it was stopped: results are missing, the last may have fewer points"),
};
const struct shape document_probes = DESCRIBED(PROBES);

static const struct shape_row COMBINATION[] = {
	KEY("instructions", TEXT, "`ld+nop`"),
	ROWS_OF(shared_interval),
	KEY("full", TEXT, "what is full then"),
};
static const struct shape combination = DESCRIBED(COMBINATION);

static const struct shape_row CONDITION[] = {
	KEY("instruction", TEXT, NULL),
	ROWS_OF(shared_interval),
	KEY("shares", BOOLEAN, "they share entries"),
};
static const struct shape condition = DESCRIBED(CONDITION);

static const struct shape_row ROB[] = {
	KEY("schema", TEXT, NULL),
	KEY("on", TEXT, "the machine, as given"),
	KEY("entries", NUMBER_OR_NULL, "of the reorder buffer; null: never full"),
	KEY("compressed", BOOLEAN, "more instructions fit than it has entries"),
	KEY_OF("combinations", OBJECTS, combination, "the first stage"),
	KEY("left", NUMBER_OR_NULL, "entries that the prefill of the later stages leaves"),
	KEY_OF("conditions", OBJECTS, condition, "the second stage"),
	KEY("groups", NUMBERS, "the third stage: groups of a jump and 1, 2, … nops that fit"),
	KEY("per_entry", NUMBER_OR_NULL, "instructions that share an entry"),
	KEY("cut", BOOLEAN, "it was stopped, and the rest is missing"),
};
const struct shape document_rob_compression = DESCRIBED(ROB);

/* --- slices and calibration -------------------------------------------------------------------------------------- */

static const struct shape_row SLICE[] = {
	KEY("name", TEXT, NULL),
	KEY("shares", "object(number)", "of each part of the stack"),
};
static const struct shape slice = DESCRIBED(SLICE);

static const struct shape_row CLUSTER[] = {
	KEY("cluster", TEXT_OR_NULL, "its name, such as `2-0`; null: outliers"),
	KEY("key_points", TEXTS, "largest first"),
	KEY("mean", "object(number)", "share of each column"),
	KEY("slices", TEXTS, NULL),
};
static const struct shape cluster = DESCRIBED(CLUSTER);

static const struct shape_row ROUND[] = {
	KEY("round", INTEGER, "1 or 2"),
	KEY("of", TEXT_OR_NULL, "the top part that the second round divides"),
	KEY("parts", TEXTS, "its columns"),
	KEY("eps", NUMBER, "radius of a neighbourhood"),
	KEY("eps_from", TEXT, "`given`, `knee`, `largest` (distance: no knee) or `minor` (the knee is below it)"),
	KEY("knee", NUMBER_OR_NULL, "the knee, or the largest distance; null: not looked for"),
	KEY_OF("clusters", OBJECTS, cluster, NULL),
	KEY_OF("outliers", OBJECTS, cluster, "slices in no cluster, grouped if they follow each other"),
	KEY("excluded", TEXTS, "columns that are minor everywhere"),
};
static const struct shape round_of = DESCRIBED(ROUND);

static const struct shape_row NEXT[] = {
	KEY("part", TEXT, NULL),
	KEY("share", NUMBER, "of all slices"),
	KEY("probes", TEXTS, "to be run next"),
};
static const struct shape next = DESCRIBED(NEXT);

static const struct shape_row SLICES[] = {
	KEY("schema stack", TEXT, NULL),
	KEY("min_points", INTEGER, "MinPts of DBSCAN"),
	KEY("minor", NUMBER, "share of the whole below which a part is minor"),
	KEY_OF("slices", OBJECTS, slice, NULL),
	KEY("left_out", INTEGER, "rows without a share of some part"),
	KEY("cut", BOOLEAN, "a simulation was stopped: slices are missing"),
	KEY_OF("rounds", OBJECTS, round_of, "the first, then the second ones, those with the most slices first"),
	KEY("lead_nothing", TEXTS, "top parts that lead no slice"),
	KEY("lead_too_few", TEXTS, "top parts that lead too few slices for a second round"),
	KEY_OF("next", OBJECTS, next, "key points, largest first"),
};
const struct shape document_slices = DESCRIBED(SLICES);

static const struct shape_row COMPARED[] = {
	KEY("probe unit", TEXT, NULL),
	KEY_OF("truth before after", OBJECT, shared_interval, "its answers"),
	KEY("error_before error_after", NUMBER_OR_NULL, "relative to the truth; 1 or -1: only one shows the feature"),
	KEY("differs", BOOLEAN, "the answers differed before"),
	KEY("remains", BOOLEAN, "they still differ after"),
	KEY("contradicts", TEXT_OR_NULL, "the probe that would differ if this one agreed"),
};
static const struct shape compared = DESCRIBED(COMPARED);

static const struct shape_row TIE[] = {
	KEY("name", TEXT, NULL),
	KEY("after", TEXT, "the value that explains as much"),
	KEY("probe", TEXT_OR_NULL, "an installed probe that tells both apart"),
	KEY_OF_IF("with_fault with_tie", OBJECT, shared_interval, "its answers on the two machines"),
};
static const struct shape tie = DESCRIBED(TIE);

static const struct shape_row FAULT[] = {
	KEY("name", TEXT, "as in a `.machine` file: `rob`, `latency mul`, `l1 size`, `fma_split`"),
	KEY_ONE_OF("kind", TEXT, NULL, "parameter", "feature"),
	KEY("before after", TEXT, "its values, for people"),
	KEY("explains", TEXTS, "the probes that agree because of it"),
	KEY("doubt", TEXT_OR_NULL, "a probe that depends on it and still differs"),
	KEY_OF("ties", OBJECTS, tie, "knobs that explain as much in its place"),
};
static const struct shape fault = DESCRIBED(FAULT);

static const struct shape_row UNPROBED[] = {
	KEY("name", TEXT, NULL),
	KEY("value", TEXT, "on the machine that fits"),
	KEY("partly", BOOLEAN, "another value that was tried does show"),
	KEY("unseen", TEXTS, "other values that change the answer of no probe"),
};
static const struct shape unprobed = DESCRIBED(UNPROBED);

static const struct shape_row STAGE[] = {
	KEY("cpi", NUMBER_OR_NULL, "cycles per instruction"),
	KEY_IF("front_end", NUMBER_OR_NULL, "the part that goes with foreseen branches and code that always hits"),
	KEY_IF("gain", NUMBER_OR_NULL, "CPI without the feature over CPI with it, less 1"),
};
static const struct shape stage = DESCRIBED(STAGE);

static const struct shape_row PROGRAM[] = {
	KEY("program", TEXT, "its name"),
	KEY_OF("before features truth", OBJECT, stage, NULL),
	KEY_OF_IF("parameters", OBJECT, stage, "missing without `--program` and `--suite`"),
};
static const struct shape program = DESCRIBED(PROGRAM);

static const struct shape_row MEANS[] = {
	KEY("before", NUMBER_OR_NULL, NULL),
	KEY_IF("parameters", NUMBER_OR_NULL, NULL),
	KEY("features", NUMBER_OR_NULL, NULL),
};
static const struct shape means = DESCRIBED(MEANS);

static const struct shape_row CALIBRATION[] = {
	KEY("schema", TEXT, NULL),
	KEY("machine truth", TEXT, "as given"),
	KEY_OF("probes", OBJECTS, compared, "those that both have"),
	KEY_OF("faults", OBJECTS, fault, "items and features that differ, parameters first"),
	KEY("items items_probed", INTEGER, "how many were turned; how many of them probes show"),
	KEY("items_cut", BOOLEAN, "it was stopped: these are the items until then"),
	KEY_OF("not_probed", OBJECTS, unprobed, "the other items"),
	KEY("never_turned", TEXTS, "what calibration does not try"),
	KEY("error_before error_after", NUMBER_OR_NULL,
		"mean of the relative errors of all probes, without their signs"),
	KEY("tried", INTEGER, "machines that were tried to find this"),
	KEY("cut", BOOLEAN, "it was stopped: what was done so far"),
	KEY_IF("refused", BOOLEAN, "programs come out worse after than before, and `-o` writes nothing"),
	KEY_IF("doubted", BOOLEAN, "programs still differ after: a fault may stand for the cause"),
	KEY_IF("gain", TEXT_OR_NULL, "the feature whose gain is compared"),
	KEY_OF_IF("programs", OBJECTS, program, NULL),
	KEY_OF_IF("cpi_error front_end_error gain_error", OBJECT, means, "means of the errors without their signs"),
};
const struct shape document_calibration = DESCRIBED(CALIBRATION);
