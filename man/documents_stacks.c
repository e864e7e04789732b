/* Documents about stacks and networks. */
#include "documents.h"

/* --- the profile of a specification ------------------------------------------------------------------------------ */

static const struct shape_row PROGRAM[] = {
	KEY("name", TEXT, "of its observation"),
	KEY("text", TEXT, NULL),
	KEY("argv", TEXTS, NULL),
	KEY("cores", INTEGERS, NULL),
	KEY("memory", TEXT_OR_NULL, "`bind`, `prefer`, `interleave`"),
	KEY("nodes", INTEGERS, NULL),
	KEY("background", BOOLEAN, NULL),
	KEY("begun", NUMBER_OR_NULL, "since the beginning; null: never"),
	KEY("seconds", NUMBER_OR_NULL, "how long it ran"),
	KEY("exit signal", INTEGER_OR_NULL, "as in `command`"),
};
static const struct shape program = DESCRIBED(PROGRAM);

static const struct shape_row LIMIT[] = {
	KEY("taken", NUMBER_OR_NULL, NULL),
	KEY("limit", NUMBER_OR_NULL, "null: none"),
	KEY("kept", "boolean|null", NULL),
};
static const struct shape limit = DESCRIBED(LIMIT);

static const struct shape_row PROFILE[] = {
	KEY("name text", TEXT, "of the specification"),
	KEY_ONE_OF("mode", TEXT, NULL, "continuous", "aggregated"),
	KEY("seconds", NUMBER, "how long it took"),
	KEY("ended_by", TEXT, "`end` (of its programs), `duration`, `interrupt`"),
	KEY_OF("programs", OBJECTS, program, "one for each process"),
	KEY("granularity", NUMBER_OR_NULL, "seconds asked for; null where it is aggregated"),
	KEY("looks missed", INTEGER, "samples; ticks too late for their own row"),
	KEY("interval longest", NUMBER_OR_NULL, "seconds between two samples, on average and at most"),
	KEY_OF("processor", OBJECT, limit, "hecate's own use of one CPU, from 0 to 1"),
	KEY_OF("own_memory", OBJECT, limit, "hecate's own, in bytes"),
	KEY("not_told", TEXTS, "words of `report` for which this document has nothing"),
};
static const struct shape profile = DESCRIBED(PROFILE);

static const struct shape_row PROFILED[] = {
	ROWS_OF(shared_counted),
	KEY_OF_IF("profile", OBJECT, profile, "with `--spec`, instead of these three"),
};
static const struct shape profiled = DESCRIBED(PROFILED);

/* --- stacks ------------------------------------------------------------------------------------------------------ */

static const struct shape_row WHOLE[] = {
	KEY("name text unit formula", TEXT, NULL),
};
static const struct shape whole = DESCRIBED(WHOLE);

static const struct shape_row COUNTER[] = {
	KEY("name text", TEXT, NULL),
	KEY("events", "array(array(string))", "choices; the events of a choice add up"),
	KEY("unresolved", TEXT_OR_NULL, "why no event is known"),
	KEY("per unit", TEXT, NULL),
};
static const struct shape counter = DESCRIBED(COUNTER);

static const struct shape_row CONSTANT[] = {
	KEY("name", TEXT, NULL),
	KEY("text", TEXT, "the source"),
	KEY("value", NUMBER, "in base units"),
	KEY("unit", TEXT, NULL),
};
static const struct shape constant = DESCRIBED(CONSTANT);

static const struct shape_row TREE[] = {
	KEY("family", TEXT, NULL),
	KEY("source", TEXT_OR_NULL, "of its formulas"),
};
static const struct shape tree = DESCRIBED(TREE);

static const struct shape_row PART[] = {
	KEY("name text", TEXT, NULL),
	KEY("key", TEXT, "the letter in bars; may be empty"),
	KEY("parent", TEXT_OR_NULL, "a part's name; null: the whole"),
	KEY("rest", BOOLEAN, "it is what is left over"),
	KEY("formula", TEXT_OR_NULL, "null for a remainder"),
	KEY_IF("above", NUMBER_OR_NULL, "of a tree: its limit, a share of the whole; null: none"),
	KEY_IF("alone", BOOLEAN, "of a tree: the limit holds whatever its parent is"),
	KEY_IF("or", TEXT_OR_NULL, "of a tree: the part that makes it worth a look as well"),
	KEY_IF("title means next helps", TEXT_OR_NULL, "of a tree: advice"),
};
static const struct shape part = DESCRIBED(PART);

static const struct shape_row A_STACK[] = {
	KEY("name text", TEXT, NULL),
	KEY("file", TEXT, "where it came from"),
	KEY("per", TEXT, "what has a bar: `task`, `thread`, `core`, `slice`, `channel`, `socket`, `device`, `system`"),
	KEY("reference", BOOLEAN, "its bars are the truth; others are compared with them"),
	KEY("machines", TEXTS, "processors that it is written for; none: any"),
	KEY_OF("whole", OBJECT, whole, "what the parts add up to"),
	KEY("figure", TEXT_OR_NULL, "what the figure is (`CPI`)"),
	KEY_OF("tree", OBJECT_OR_NULL, tree, "of a [tree](stack-language.md#trees)"),
	KEY_OF("counters", OBJECTS, counter, NULL),
	KEY_OF("constants", OBJECTS, constant, NULL),
	KEY_OF("parts", OBJECTS, part, NULL),
};
static const struct shape a_stack = DESCRIBED(A_STACK);

static const struct shape_row AMOUNT[] = {
	KEY("name", TEXT, NULL),
	KEY("parent", TEXT_OR_NULL, NULL),
	KEY("value", NUMBER_OR_NULL, "never below 0; null: not known"),
	KEY("raw", NUMBER_OR_NULL, "what the formula gives, or the parent minus its other parts; may be below 0"),
	KEY("share", NUMBER_OR_NULL, "of the whole"),
	KEY("figure", NUMBER_OR_NULL, "its share of the figure"),
	KEY("over", NUMBER_OR_NULL, "by how much its own parts exceed it"),
	KEY("negative", BOOLEAN, "`raw` is below 0: an error"),
	KEY("raw_share raw_figure", NUMBER_OR_NULL, "as `share` and `figure`, of `raw`"),
	KEY("gain", NUMBER_OR_NULL, "the whole, over the whole without the part"),
	KEY("error", NUMBER_OR_NULL, "its `raw_share` minus the reference's"),
	KEY_IF("flagged", BOOLEAN, "of a tree: above its limit, and its parent is worth a look"),
	KEY_IF("share_low share_high", NUMBER_OR_NULL, "of a tree: bounds of `raw_share`; null: a divisor may be 0"),
	KEY_IF("enclosure", BOOLEAN, "of a tree: narrower bounds may exist"),
	KEY_IF("widest", TEXT_OR_NULL, "of a tree: the event that widens them most; null: all counts are exact"),
	KEY_IF("lacks", TEXTS, "of a tree: events that it needs and that have no count"),
	KEY_IF("contradiction", TEXT_OR_NULL, "of a tree: raw counts that contradict each other"),
};
static const struct shape amount = DESCRIBED(AMOUNT);

static const struct shape_row WORST[] = {
	KEY("part", TEXT, NULL),
	KEY("error", NUMBER, NULL),
};
static const struct shape worst = DESCRIBED(WORST);

static const struct shape_row LACK[] = {
	KEY("counter why", TEXT, NULL),
};
static const struct shape lack = DESCRIBED(LACK);

static const struct shape_row BAR[] = {
	KEY("stack", TEXT, "its name"),
	KEY("whole", NUMBER_OR_NULL, "null: a counter is missing, or a divisor is 0"),
	KEY("figure", NUMBER_OR_NULL, NULL),
	KEY_OF("parts", OBJECTS, amount, "in the stack's order"),
	KEY("over", NUMBER_OR_NULL, "by how much the parts' `value`s exceed the whole; 0: they fit"),
	KEY_OF("worst", OBJECT_OR_NULL, worst, "the part farthest from the reference"),
	KEY_OF("missing", OBJECTS, lack, "counters that have no count here"),
	KEY("notes", TEXTS, "what to know before believing the bar"),
};
static const struct shape bar = DESCRIBED(BAR);

static const struct shape_row OBSERVATION[] = {
	KEY("name source", TEXT, NULL),
	KEY("samples", INTEGER, "rows"),
	KEY_OF("bars", OBJECTS, bar, "one for each stack"),
};
static const struct shape observation = DESCRIBED(OBSERVATION);

static const struct shape_row STARTED[] = {
	KEY("argv", TEXTS, NULL),
	KEY("exit signal", INTEGER_OR_NULL, NULL),
};
static const struct shape started = DESCRIBED(STARTED);

static const struct shape_row SCHEDULER[] = {
	KEY("booked_ns", INTEGER, "the time for which they are known"),
	KEY("run_ns wait_ns", INTEGER, NULL),
	KEY("slices", INTEGER, "how often it ran"),
	KEY("records_run_ns", INTEGER, "running time by records in the same time"),
	KEY("excess_ns", INTEGER, "by how much the records have more"),
};
static const struct shape scheduler = DESCRIBED(SCHEDULER);

static const struct shape_row TASK_EVENTS[] = {
	KEY("on_cpu", INTEGER, "how often it was put on a CPU"),
	KEY("minor major failed", INTEGER, "faults, by their end"),
	KEY("failed_ns", INTEGER, NULL),
	KEY("unwoken", INTEGER, "sleeps that include the wait for a CPU"),
	KEY("broken", INTEGER, "contradictions"),
};
static const struct shape task_events = DESCRIBED(TASK_EVENTS);

static const struct shape_row TASK[] = {
	KEY("observation", TEXT_OR_NULL, "its name"),
	KEY("name", TEXT_OR_NULL, "null: the others"),
	KEY("tid pid", INTEGER, "0: the others"),
	KEY("tasks", INTEGER, "1, or how many"),
	KEY("ended", BOOLEAN, NULL),
	KEY("doubtful", BOOLEAN, "records were lost while it lived"),
	KEY("ns", "object(integer)", "its time by amount; what is not known is absent"),
	KEY_OF("scheduler", OBJECT, scheduler, "the scheduler's own books"),
	KEY_OF("events", OBJECT, task_events, NULL),
};
static const struct shape task = DESCRIBED(TASK);

static const struct shape_row PROCESS[] = {
	KEY("pid", INTEGER, "0: the others"),
	KEY("name", TEXT_OR_NULL, NULL),
	KEY("program", TEXT_OR_NULL, "of a specification: the program whose first process it is"),
	KEY("tasks", INTEGER, "how many"),
	KEY("ns", "object(integer)", "sums over its tasks"),
};
static const struct shape process = DESCRIBED(PROCESS);

static const struct shape_row CPU[] = {
	KEY("cpu elapsed_ns", INTEGER, NULL),
	KEY("idle_ns followed_ns others_ns switching_ns unknown_ns", INTEGER,
		"parts of `elapsed_ns`; watched tasks are followed"),
	KEY("switches", INTEGER, NULL),
	KEY("offline", BOOLEAN, "it went offline"),
};
static const struct shape cpu = DESCRIBED(CPU);

static const struct shape_row RECORDING[] = {
	KEY("windows", INTEGER, NULL),
	KEY("doubted", INTEGER, "windows with missing or contradictory records"),
	KEY("missed", INTEGER, "ticks that were part of the next window"),
	KEY("quiet", INTEGER, "tasks that did not run and have no observation"),
	KEY("records lost late contradictions unpaired_faults missing_wakeups missing_faults", INTEGER, NULL),
	KEY("toggles", INTEGER, "how often call chains were turned on or off"),
	KEY("ring_kb", INTEGER, "0: none"),
	KEY("reader_seconds", NUMBER, "processor time of hecate"),
};
static const struct shape recording = DESCRIBED(RECORDING);

static const struct shape_row STALLS[] = {
	KEY_OF("command", OBJECT_OR_NULL, started, NULL),
	KEY_ONE_OF("detail", TEXT, "what it is made from", "records", "switches", "counters"),
	KEY("note", TEXT_OR_NULL, "what is not recorded, and why"),
	KEY("believed", BOOLEAN, "else records are missing or contradictory, as `why` says"),
	KEY("why", TEXT_OR_NULL, NULL),
	KEY("elapsed_ns", INTEGER, "since the start"),
	KEY("steal_ns", INTEGER_OR_NULL, "what the host took from all CPUs, in ticks of 10 ms"),
	KEY_OF("tasks", OBJECTS, task, "in order of appearance"),
	KEY_OF("processes", OBJECTS, process, NULL),
	KEY_OF("cpus", OBJECTS, cpu, "empty without records of whole CPUs"),
	KEY_OF("recording", OBJECT, recording, NULL),
	KEY("remarks", TEXTS, "what to know, in sentences"),
};
static const struct shape stalls = DESCRIBED(STALLS);

static const struct shape_row STACK[] = {
	KEY("schema", TEXT, NULL),
	ROWS_OF(profiled),
	KEY_OF("stacks", OBJECTS, a_stack, "in the order of the command line"),
	KEY_OF("observations", OBJECTS, observation, "empty with `--check`"),
	KEY_OF_IF("metrics", OBJECTS, shared_metrics, "with `-M`: values in each observation"),
	KEY("notes", TEXTS, "what a reader must know about all of the data"),
	KEY_OF("warnings", OBJECTS, shared_warning, "about what was counted here"),
	KEY_OF_IF("stalls", OBJECT, stalls, "if the time of tasks was watched (`-- CMD`, `-p`, `-a`)"),
};
const struct shape document_stack = DESCRIBED(STACK);

/* --- networks ---------------------------------------------------------------------------------------------------- */

static const struct shape_row CELL[] = {
	KEY("kind", TEXT, NULL),
	KEY_ONE_OF("state", TEXT,
		"`absent`: never served here; `untold`: no counter says it; `with`: counted with another",
		"told", "absent", "untold", "with"),
	KEY("hits", NUMBER_OR_NULL, "requests served here"),
	KEY("with", TEXT_OR_NULL, "the other kind"),
	KEY_IF("share", NUMBER_OR_NULL, "with `--beyond`: of the kind's hits beyond that stage"),
	KEY_IF("share_known", NUMBER_OR_NULL, "share of what is known, if `share` is null"),
};
static const struct shape cell = DESCRIBED(CELL);

static const struct shape_row PLACE[] = {
	KEY("place module stage", TEXT, NULL),
	KEY("together", NUMBER_OR_NULL, "the hits of all kinds"),
	KEY_OF("cells", OBJECTS, cell, "one for each kind"),
};
static const struct shape place = DESCRIBED(PLACE);

static const struct shape_row HITS[] = {
	KEY("kind", TEXT, NULL),
	KEY("hits", NUMBER_OR_NULL, NULL),
};
static const struct shape hits = DESCRIBED(HITS);

static const struct shape_row KIND_BEYOND[] = {
	ROWS_OF(hits),
	KEY("share share_known", NUMBER_OR_NULL, "of the hits of all kinds"),
};
static const struct shape kind_beyond = DESCRIBED(KIND_BEYOND);

static const struct shape_row BEYOND[] = {
	KEY("stage", TEXT, NULL),
	KEY("hits", NUMBER_OR_NULL, "of all kinds beyond it"),
	KEY_OF("kinds", OBJECTS, kind_beyond, NULL),
};
static const struct shape beyond = DESCRIBED(BEYOND);

static const struct shape_row QUEUE[] = {
	KEY("module kind", TEXT, "where, and of which requests"),
	KEY("owner", INTEGER, "of the module, from 0"),
	KEY("owner_name", TEXT_OR_NULL, "`S0-C3`; null: the data name none"),
	KEY("length", NUMBER_OR_NULL, "requests there, on average"),
	KEY("arrivals wait", NUMBER_OR_NULL, "requests for each unit of time; how long each is here"),
	KEY("wait_ns", NUMBER_OR_NULL, "`wait` in ns; null: the clock or the length of the snapshot is not known"),
	KEY("before", NUMBER_OR_NULL, "the delay of the hop before, which `wait` is without"),
	KEY("missing miss_wait", NUMBER_OR_NULL, "requests that go on, and their wait here"),
	KEY("occupied", NUMBER_OR_NULL, "the length by the module's own occupancy counter"),
	KEY("apart", BOOLEAN, "`length` and `occupied` differ by more than a factor of 2"),
	KEY("faster", BOOLEAN, "the hop before takes longer by the counters: `wait` is taken as 0"),
	KEY("background", BOOLEAN, "no program waits for requests of its kind"),
	KEY("unit", TEXT, "of times: `cycles` or `ns`"),
};
static const struct shape queue = DESCRIBED(QUEUE);

static const struct shape_row CULPRIT[] = {
	KEY("module kind", TEXT, NULL),
	KEY("owner", INTEGER, "from 0"),
	KEY("owner_name", TEXT_OR_NULL, NULL),
	KEY("margin", NUMBER_OR_NULL, "how many times as long as the second"),
};
static const struct shape culprit = DESCRIBED(CULPRIT);

static const struct shape_row ORIGIN[] = {
	KEY("module", TEXT, NULL),
	KEY("stall", NUMBER_OR_NULL, NULL),
};
static const struct shape origin = DESCRIBED(ORIGIN);

static const struct shape_row OWNED[] = {
	KEY("owner", INTEGER, "from 0"),
	KEY("owner_name", TEXT_OR_NULL, NULL),
	KEY("stall own hidden kept stuck", NUMBER_OR_NULL, "as of the component"),
};
static const struct shape owned = DESCRIBED(OWNED);

static const struct shape_row COMPONENT[] = {
	KEY("module kind", TEXT, NULL),
	KEY("stall", NUMBER_OR_NULL, "cycles that it loses to requests of the destination"),
	KEY("stall_ns", NUMBER_OR_NULL, "the same in ns; null: a clock or the length of the snapshot is not known"),
	KEY("own", NUMBER_OR_NULL, "of these, what arises here; null: no counter reports it"),
	KEY("hidden", NUMBER_OR_NULL, "passed back to it beyond what it is seen to stall"),
	KEY("kept", NUMBER_OR_NULL, "not passed further back, since requests begin here"),
	KEY("stuck", NUMBER_OR_NULL, "not passed back, since no load is known"),
	KEY_OF("from", OBJECTS, origin, "where they arise"),
	KEY_OF("owners", OBJECTS, owned, "its parts by the module's owners; those without stalls are left out"),
};
static const struct shape component = DESCRIBED(COMPONENT);

static const struct shape_row STALLING[] = {
	KEY("destination", TEXT, NULL),
	KEY_OF("components", OBJECTS, component, NULL),
};
static const struct shape stalling = DESCRIBED(STALLING);

static const struct shape_row ELSEWHERE[] = {
	KEY("module kind", TEXT, NULL),
	KEY("stall", NUMBER_OR_NULL, NULL),
};
static const struct shape elsewhere = DESCRIBED(ELSEWHERE);

static const struct shape_row ENDS_OF_LINK[] = {
	KEY("from to", TEXT, "modules"),
};
static const struct shape ends_of_link = DESCRIBED(ENDS_OF_LINK);

static const struct shape_row PAIRS_OFF[] = {
	KEY("from to kind", TEXT, NULL),
	KEY("owner", INTEGER, "of the module `from`, from 0"),
	KEY("sum load", NUMBER_OR_NULL, "of its pairs; what it sent"),
};
static const struct shape pairs_off = DESCRIBED(PAIRS_OFF);

static const struct shape_row SIGN[] = {
	KEY("text unit", TEXT, NULL),
	KEY("value", NUMBER_OR_NULL, NULL),
	KEY("optimal moderate severe", NUMBER_OR_NULL, "thresholds; null: it never gives that class"),
	KEY("source", TEXT_OR_NULL, "of the thresholds"),
	KEY("tells", TEXT_OR_NULL, "the class that it gives"),
};
static const struct shape sign = DESCRIBED(SIGN);

static const struct shape_row LOAD[] = {
	KEY("module", TEXT, NULL),
	KEY("owner", INTEGER, "from 0"),
	KEY("load", TEXT_OR_NULL, "`light load`, `optimal load`, `moderate overload` or `severe overload`"),
	KEY("at_least at_most", TEXT, "what is certain, whatever the unknown signs say"),
	KEY_OF("signs", OBJECTS, sign, "what it is known from"),
};
static const struct shape load = DESCRIBED(LOAD);

static const struct shape_row FIGURE[] = {
	KEY("text unit", TEXT, NULL),
	KEY("value", NUMBER_OR_NULL, NULL),
};
static const struct shape figure = DESCRIBED(FIGURE);

static const struct shape_row LAW[] = {
	KEY("text", TEXT, NULL),
	KEY("left right", NUMBER_OR_NULL, NULL),
	KEY_ONE_OF("relation", TEXT, NULL, "=", "<="),
	KEY("within", NUMBER, "by which part of the larger side it may be off"),
	KEY("holds", "boolean|null", NULL),
};
static const struct shape law = DESCRIBED(LAW);

static const struct shape_row LACKING[] = {
	KEY("counter", TEXT, NULL),
	KEY("why", TEXT_OR_NULL, NULL),
	KEY("takes", TEXTS, "what is not known without it"),
};
static const struct shape lacking = DESCRIBED(LACKING);

static const struct shape_row SCALED[] = {
	KEY("counter", TEXT, NULL),
	KEY("counted", INTEGER, "number of intervals in which it was counted"),
};
static const struct shape scaled = DESCRIBED(SCALED);

static const struct shape_row BY_PART[] = {
	KEY("name", TEXT, "a destination; a kind, if `what` is `destination`"),
	KEY("stall", NUMBER_OR_NULL, NULL),
};
static const struct shape by_part = DESCRIBED(BY_PART);

static const struct shape_row BY[] = {
	KEY_ONE_OF("what", TEXT, NULL, "core", "kind", "destination"),
	KEY("name", TEXT_OR_NULL, "the core's, if the data name it; the kind's; the module's"),
	KEY("requests queue", NUMBER_OR_NULL, "requests; how many wait on average: sums of what is known"),
	KEY("requests_unknown queue_unknown", INTEGER, "terms of these sums that are not known"),
	KEY("stall", NUMBER_OR_NULL, "stalls that stay where the requests begin"),
	KEY("in_ns", BOOLEAN, "stalls are in ns, because the clocks of modules differ"),
	KEY_OF("parts", OBJECTS, by_part, NULL),
};
static const struct shape by = DESCRIBED(BY);

static const struct shape_row GONE[] = {
	KEY("per", TEXT, NULL),
	KEY("owner", INTEGER, "from 0"),
	KEY("owner_name", TEXT_OR_NULL, NULL),
};
static const struct shape gone = DESCRIBED(GONE);

static const struct shape_row WRONG[] = {
	KEY("counter", TEXT, NULL),
	KEY("owners", INTEGER, "how many owners have such increments"),
};
static const struct shape wrong = DESCRIBED(WRONG);

static const struct shape_row ESTIMATE_PLACE[] = {
	KEY("L2 LLC DDR far CXL", NUMBER_OR_NULL, "cycles of the cores; null: not known"),
};
static const struct shape estimate_place = DESCRIBED(ESTIMATE_PLACE);

static const struct shape_row ESTIMATE[] = {
	KEY_ONE_OF("estimator", TEXT, NULL, "in-core", "requests", "delay", "network"),
	KEY_OF("stalls", OBJECT, estimate_place, NULL),
	KEY("worst", NUMBER_OR_NULL, "largest error of a place, as a part of all true stalls"),
	KEY("culprit", TEXT_OR_NULL, "place with the largest part"),
};
static const struct shape estimate = DESCRIBED(ESTIMATE);

static const struct shape_row QUEUE_LENGTH[] = {
	KEY("module kind", TEXT, NULL),
	KEY("truth rate_wait occupancy", NUMBER_OR_NULL,
		"mean number of requests: true, by algorithm 1, by the counter of occupancy"),
};
static const struct shape queue_length = DESCRIBED(QUEUE_LENGTH);

static const struct shape_row QUEUE_ERROR[] = {
	KEY("module kind", TEXT, NULL),
	KEY_ONE_OF("way", TEXT, NULL, "rate x wait", "occupancy"),
	KEY("snapshots known", INTEGER, "with a true length of 0.01 or more; with an estimate, too"),
	KEY("median p95", NUMBER_OR_NULL, "errors, as parts of the true length"),
};
static const struct shape queue_error = DESCRIBED(QUEUE_ERROR);

static const struct shape_row ESTIMATES[] = {
	KEY("cores", NUMBER, "cores that the data name; 1: all are taken for one"),
	KEY_OF("truth", OBJECT, estimate_place, "of a simulated server"),
	KEY_OF("by", OBJECTS, estimate, NULL),
	KEY("margin", NUMBER_OR_NULL, "the true culprit's stalls over those of the next"),
	KEY_OF("queues", OBJECTS, queue_length, "those whose true length the data have"),
};
static const struct shape estimates = DESCRIBED(ESTIMATES);

static const struct shape_row ESTIMATE_ERROR[] = {
	KEY_ONE_OF("estimator", TEXT, NULL, "in-core", "requests", "delay", "network"),
	KEY("snapshots", INTEGER, NULL),
	KEY("median p95", NUMBER_OR_NULL, "errors of places, as parts of all true stalls"),
	KEY("relative_median relative_p95", NUMBER_OR_NULL,
		"of places with 2 % of the stalls or more, as parts of their own"),
	KEY("right close", INTEGER, "snapshots whose culprit is right; whose is not, with a margin below 1.1"),
};
static const struct shape estimate_error = DESCRIBED(ESTIMATE_ERROR);

static const struct shape_row TIERING_KIND[] = {
	KEY_ONE_OF("kind", TEXT, NULL, "DRd", "RFO", "HWPF"),
	KEY("local_misses cxl_misses", NUMBER, "requests that the memory answered"),
	KEY("local_delay cxl_delay", NUMBER_OR_NULL,
		"cycles of the uncore in the table of requests; null: there are none"),
};
static const struct shape tiering_kind = DESCRIBED(TIERING_KIND);

static const struct shape_row TIERING[] = {
	KEY_OF("kinds", OBJECTS, tiering_kind, NULL),
	KEY("by", TEXT_OR_NULL, "the kind with most misses"),
	KEY_ONE_OF("move", TEXT, "where used pages belong", "unknown", "stay", "to-local", "to-cxl"),
	KEY_ONE_OF("by_demand_reads", TEXT, "the same by demand reads alone", "unknown", "stay", "to-local", "to-cxl"),
	KEY("gain_most", NUMBER_OR_NULL, "delay of a miss now over the shorter delay"),
};
static const struct shape tiering = DESCRIBED(TIERING);

static const struct shape_row ALTERNATIVE[] = {
	KEY("counter", TEXT, NULL),
	KEY("events", TEXTS, "the events that were counted"),
};
static const struct shape alternative = DESCRIBED(ALTERNATIVE);

static const struct shape_row ADVICE[] = {
	KEY("about", TEXT, "the rule: `crowded`, `flushes`, …"),
	KEY("weight", NUMBER, "the part of the tasks' busy time that it is about, an upper bound of the gain"),
	KEY("evidence", TEXT, "the numbers that say so"),
	KEY("change", TEXT, "what to try"),
};
static const struct shape advice = DESCRIBED(ADVICE);

static const struct shape_row SNAPSHOT[] = {
	KEY("name source", TEXT, "of the observation"),
	KEY("row rows", INTEGER, "its first row in the observation, from 1, and how many"),
	KEY("intervals", INTEGER, "how many; rows of one time are one interval"),
	KEY("seconds", NUMBER_OR_NULL, NULL),
	KEY_OF_IF("path_map", OBJECTS, place, "in the network's order"),
	KEY_OF_IF("together", OBJECTS, hits, "of all places"),
	KEY_OF_IF("beyond", OBJECTS, beyond, "stages with places beyond them"),
	KEY_OF_IF("queues", OBJECTS, queue, "longest first, then background, then unknown lengths"),
	KEY_OF_IF("culprit", OBJECT_OR_NULL, culprit, "the longest queue that is not in the background"),
	KEY_OF_IF("stalls", OBJECTS, stalling, "one for each module where requests end"),
	KEY_OF_IF("by", OBJECTS, by, "with `--by`: most stalls first"),
	KEY_OF_IF("estimates", OBJECT, estimates, "with `--estimators`: stalls by who answers"),
	KEY_OF_IF("tiering", OBJECT, tiering, "with `--tiering`"),
	KEY_IF("weight", TEXT, "how own stalls are divided among destinations: by `delay` or by `requests` alone"),
	KEY_OF_IF(
		"elsewhere", OBJECTS, elsewhere, "own stalls of requests that are served on the way to a destination"),
	KEY_OF_IF("unconverted", OBJECTS, ends_of_link, "links over which cycles go unconverted: a clock is not known"),
	KEY_OF_IF("spread", OBJECTS, ends_of_link,
		"links without loads of pairs, whose senders are taken to use all receivers alike"),
	KEY_OF_IF("pairs_off", OBJECTS, pairs_off, "senders whose pairs do not add up to their load"),
	KEY_OF_IF("qos", OBJECTS, load, "owners of modules that report their load"),
	KEY_OF_IF("totals", OBJECTS, figure, "the network's figures"),
	KEY_OF_IF("laws", OBJECTS, law, NULL),
	KEY_IF("disk", TEXT_OR_NULL, "the busiest disk: its requests, their size and time; with `advice`"),
	KEY_OF_IF("advice", OBJECTS, advice, "for `linux-vm` without `--each-row`: what to try, largest weight first"),
	KEY("below_zero", INTEGER, "values below zero, taken as 0"),
	KEY_OF("lacking", OBJECTS, lacking, "counters that are not known"),
	KEY_OF("alternatives", OBJECTS, alternative, "counters with alternatives, if the data say which was counted"),
	KEY_OF("scaled", OBJECTS, scaled, "counters that were not counted in every interval"),
	KEY_OF("gone", OBJECTS, gone, "owners of which nothing was counted, unlike others of their kind"),
	KEY_OF("wrong", OBJECTS, wrong, "counters with increments below zero"),
	KEY_OF("impossible", OBJECTS, wrong, "counters with increments that no clock allows"),
	KEY("user_only", TEXTS, "counters whose columns have `:u`"),
	KEY("extra", TEXTS, "columns that the network does not know"),
};
static const struct shape snapshot = DESCRIBED(SNAPSHOT);

static const struct shape_row SERVED[] = {
	KEY("module place kind", TEXT, NULL),
	KEY("hits", NUMBER_OR_NULL, NULL),
};
static const struct shape served = DESCRIBED(SERVED);

static const struct shape_row FLOW[] = {
	KEY("task", TEXT, "`gcc-4711`"),
	KEY("core", TEXT, "`CPU 3`"),
	KEY("destination", TEXT_OR_NULL, "null: requests without one"),
	KEY("ran", NUMBER_OR_NULL, "seconds on the CPU; null for a flow with a destination"),
	KEY("requests", NUMBER_OR_NULL, "null: some are not known, or there is no destination"),
	KEY("share", NUMBER_OR_NULL, "of the task's requests from that CPU"),
	KEY("snapshots", INTEGER, "how many were closed"),
	KEY("ended", BOOLEAN, "the task ended"),
	KEY_OF("served", OBJECTS, served, "where requests were served before their destination"),
};
static const struct shape flow = DESCRIBED(FLOW);

static const struct shape_row APART[] = {
	KEY("unfollowed", NUMBER_OR_NULL, "requests of tasks that are not followed"),
	KEY("mixed", NUMBER_OR_NULL, "requests whose task is not known"),
	KEY("others", NUMBER_OR_NULL, "requests beyond the flows that are kept"),
	KEY("folded", INTEGER, "flows that went into `others`"),
	KEY("backwards", INTEGER, "counts that went back"),
};
static const struct shape apart = DESCRIBED(APART);

/* What `--check` has in the place of snapshots. */
static const struct shape_row NET_KIND[] = {
	KEY("name text", TEXT, NULL),
	KEY("background", BOOLEAN, NULL),
};
static const struct shape net_kind = DESCRIBED(NET_KIND);

static const struct shape_row NET_CELL[] = {
	KEY("kind", TEXT, NULL),
	KEY_ONE_OF("state", TEXT, NULL, "told", "absent", "untold", "with"),
	KEY("why with", TEXT_OR_NULL, NULL),
	KEY("known_per", TEXT_OR_NULL, "the smallest scope for which its hits are known: `core`, `socket` …"),
};
static const struct shape net_cell = DESCRIBED(NET_CELL);

static const struct shape_row NET_SIGN[] = {
	KEY("text", TEXT, NULL),
	KEY("optimal moderate severe", NUMBER_OR_NULL, "thresholds"),
	KEY("source", TEXT_OR_NULL, NULL),
};
static const struct shape net_sign = DESCRIBED(NET_SIGN);

static const struct shape_row MODULE[] = {
	KEY("name text", TEXT, NULL),
	KEY("per", TEXT, NULL),
	KEY("times", INTEGER, NULL),
	KEY_ONE_OF("model", TEXT, NULL, "cache", "home", "queue"),
	KEY_OF("cells", OBJECTS, net_cell, NULL),
	KEY_OF("qos", OBJECTS, net_sign, NULL),
};
static const struct shape module = DESCRIBED(MODULE);

static const struct shape_row STAGE[] = {
	KEY("name text", TEXT, NULL),
	KEY_OF("modules", OBJECTS, module, NULL),
};
static const struct shape stage = DESCRIBED(STAGE);

static const struct shape_row LINK[] = {
	KEY("from to", TEXT, "modules"),
};
static const struct shape link_of = DESCRIBED(LINK);

static const struct shape_row NET_COUNTER[] = {
	KEY("name text", TEXT, NULL),
	KEY("events", TEXTS, NULL),
	KEY("filters", "array(string|null)", "one for each event; null: none"),
	KEY("alternatives", "array(array(string))", "events to be taken if these are missing, in this order"),
	KEY("per unit", TEXT, NULL),
	KEY("unresolved", TEXT_OR_NULL, "why no event is known"),
};
static const struct shape net_counter = DESCRIBED(NET_COUNTER);

static const struct shape_row SIDE[] = {
	KEY("name", TEXT, "of the observation"),
	KEY("rows", INTEGER, NULL),
	KEY("seconds", NUMBER_OR_NULL, "of all rows together"),
};
static const struct shape side = DESCRIBED(SIDE);

static const struct shape_row RATIO[] = {
	KEY_ONE_OF("what", TEXT, NULL, "counter", "requests", "queue", "delay", "stalls", "figure"),
	KEY("name", TEXT, "of the counter, the module or the figure"),
	KEY("kind", TEXT_OR_NULL, "of a component"),
	KEY("destination", TEXT_OR_NULL, "of stalls"),
	KEY("unit", TEXT_OR_NULL, NULL),
	KEY("adds", BOOLEAN, "it grows with time, so that `a` and `b` are sums, and `ratio` is one of rates"),
	KEY("a b", NUMBER_OR_NULL, "sums over the rows; of what does not add, means"),
	KEY("in_all", NUMBER_OR_NULL, "`b` over `a`"),
	KEY("ratio", NUMBER_OR_NULL, "of rates per second; of means over the rows where a length is not known"),
	KEY("low high", NUMBER_OR_NULL, "its bounds; null with fewer than 40 rows; `high` also if there is none"),
};
static const struct shape ratio = DESCRIBED(RATIO);

static const struct shape_row COMPARISON[] = {
	KEY_OF("sides", OBJECTS, side, "A, then B"),
	KEY("confidence", NUMBER_OR_NULL, "at which all bounds hold together"),
	KEY("bounded", INTEGER, "number of quantities with bounds"),
	KEY_OF("ratios", OBJECTS, ratio, "what is 0 or unknown on both sides is left out"),
};
static const struct shape comparison = DESCRIBED(COMPARISON);

static const struct shape_row NET[] = {
	KEY("schema", TEXT, NULL),
	KEY("network", TEXT, "the name in the `network` item"),
	KEY("text", TEXT, "what it says of itself"),
	KEY("file", TEXT, "where the network came from"),
	ROWS_OF(profiled),
	KEY_OF_IF("snapshots", OBJECTS, snapshot, "in the order of the data; what was counted here comes last"),
	KEY_OF_IF("comparison", OBJECT, comparison, "with `--compare`, in the place of snapshots"),
	KEY_OF_IF("estimate_errors", OBJECTS, estimate_error, "with `--estimators`"),
	KEY_OF_IF("queue_errors", OBJECTS, queue_error, "with `--estimators`"),
	KEY_OF_IF("flows", OBJECTS, flow, "those of one task on one CPU together, longest first"),
	KEY_OF_IF("flows_apart", OBJECT, apart, "what is in no flow of a task"),
	KEY_OF_IF("metrics", OBJECTS, shared_metrics, "with `-M`: values in what was counted here"),
	KEY_OF_IF("warnings", OBJECTS, shared_warning, "about what was counted here"),
	KEY_OF_IF("kinds", OBJECTS, net_kind, "with `--check`"),
	KEY_OF_IF("stages", OBJECTS, stage, "with `--check`"),
	KEY_OF_IF("links", OBJECTS, link_of, "with `--check`"),
	KEY_OF_IF("counters", OBJECTS, net_counter, "with `--check`"),
	KEY_IF("resolved unresolved", INTEGER, "with `--check`: counters with events, and without"),
};
const struct shape document_net = DESCRIBED(NET);

/* --- phases ------------------------------------------------------------------------------------------------------ */

static const struct shape_row PHASE_WINDOW[] = {
	KEY("row rows", INTEGER, "its first row, from 1, and how many"),
	KEY("begin", NUMBER_OR_NULL, "seconds; null: the data have no times"),
	KEY("phase", INTEGER, "windows of equal levels have the same number, from 1"),
	KEY("changed", TEXT_OR_NULL, "the series that jumps farthest at its begin; null: the first window"),
	KEY("of_load", BOOLEAN, "that series jumps only relative to the load, which moves all series alike"),
	KEY("jump", NUMBER, "its squared jump over the variance of the jump"),
	KEY("levels", "array(number|null)", "the mean of each series, in the order of `series`"),
};
static const struct shape phase_window = DESCRIBED(PHASE_WINDOW);

static const struct shape_row PHASE_CHANGE[] = {
	KEY("name", TEXT, NULL),
	KEY("before after", NUMBER_OR_NULL, "its levels"),
	KEY("ratio low high", NUMBER_OR_NULL, "after over before, and the interval at 99 %"),
	KEY("changed", BOOLEAN, "the levels differ, in a family of all series"),
};
static const struct shape phase_change = DESCRIBED(PHASE_CHANGE);

static const struct shape_row PHASE_COMPARED[] = {
	KEY("before after", INTEGER, "windows, from 1"),
	KEY_OF("series", OBJECTS, phase_change, "those with the most certain change first"),
};
static const struct shape phase_compared = DESCRIBED(PHASE_COMPARED);

static const struct shape_row PHASE_SEASON[] = {
	KEY("rows", NUMBER, "its period"),
	KEY("share", NUMBER, "of the variance around the moving mean of a period, predicted in rows left out"),
	KEY("profile", NUMBERS, "what it adds to each row of a period, from the first row of the data on"),
};
static const struct shape phase_season = DESCRIBED(PHASE_SEASON);

static const struct shape_row PHASE_AHEAD[] = {
	KEY("value", NUMBER, NULL),
	KEY("deviation", NUMBER, "standard deviation of its error"),
};
static const struct shape phase_ahead = DESCRIBED(PHASE_AHEAD);

static const struct shape_row PHASE_FORECAST[] = {
	KEY("alpha beta", NUMBER, "weights of level and trend"),
	KEY("gamma", NUMBER_OR_NULL, "weight of the season; null: none"),
	KEY("trend_per_row", NUMBER, NULL),
	KEY("error error_of_last_value", NUMBER_OR_NULL, "mean error one row ahead, in the last fifth"),
	KEY_OF("rows", OBJECTS, phase_ahead, "the next rows: a period, or 10"),
};
static const struct shape phase_forecast = DESCRIBED(PHASE_FORECAST);

static const struct shape_row PHASE_OUTLIER[] = {
	KEY("row", INTEGER, "from 1"),
	KEY("value expected", NUMBER, "less the season; the median of the rows around it"),
	KEY("deviations", NUMBER, "from it, in standard deviations of the noise"),
};
static const struct shape phase_outlier = DESCRIBED(PHASE_OUTLIER);

static const struct shape_row PHASE_SERIES[] = {
	KEY("name", TEXT, NULL),
	KEY("flow", INTEGER, "the observation that it is from, from 1"),
	KEY("known", INTEGER, "rows with a value"),
	KEY("mean least most deviation", NUMBER_OR_NULL, NULL),
	KEY("noise", NUMBER_OR_NULL, "standard deviation of a row around its window's level"),
	KEY("slowness", NUMBER, "variance of a long mean over that of independent rows"),
	KEY("trend", INTEGER, "1: the last third is above the first, -1: below, 0: neither is seen"),
	KEY("trend_ratio", NUMBER_OR_NULL, "mean of the last third over that of the first"),
	KEY_OF("season", OBJECT_OR_NULL, phase_season, "null: none is found"),
	KEY_OF("forecast", OBJECT_OR_NULL, phase_forecast, "from the last window on; null: too few rows, or equal"),
	KEY_OF("outliers", OBJECTS, phase_outlier, NULL),
};
static const struct shape phase_series = DESCRIBED(PHASE_SERIES);

static const struct shape_row PHASE_PAIR[] = {
	KEY("a b", TEXT, "series"),
	KEY("r low high", NUMBER, "Pearson's, and its interval in a family of all pairs tried"),
	KEY("independent_rows", NUMBER, "that its rows are worth"),
	KEY("differences", BOOLEAN, "both series wander, so it is that of the changes from row to row"),
};
static const struct shape phase_pair = DESCRIBED(PHASE_PAIR);

static const struct shape_row PHASE_RUN[] = {
	KEY("name", TEXT, "of the observation, or of the first of those with the same times"),
	KEY("rows", INTEGER, NULL),
	KEY("samples_per_row", INTEGER, "a long observation is added up to at most 4096 rows"),
	KEY("seconds_per_row", NUMBER_OR_NULL, "null: unknown"),
	KEY("scaled", BOOLEAN, "rows differ in length, and counts are per mean row"),
	KEY("phases", INTEGER, NULL),
	KEY_OF("windows", OBJECTS, phase_window, NULL),
	KEY_OF("compared", OBJECT_OR_NULL, phase_compared, "null: there is one window"),
	KEY_OF("series", OBJECTS, phase_series, NULL),
	KEY("pairs_tried", INTEGER, "all pairs of series that vary"),
	KEY_OF("pairs", OBJECTS, phase_pair, "the strongest first, at most 200: intervals that exclude 0"),
};
static const struct shape phase_run = DESCRIBED(PHASE_RUN);

static const struct shape_row PHASES[] = {
	KEY("schema file", TEXT, NULL),
	KEY("scenario", TEXT_OR_NULL, NULL),
	KEY("confidence", NUMBER, "of the correlations, for all pairs of a run together"),
	KEY_OF("runs", OBJECTS, phase_run, "one for each group of observations with the same times"),
};
const struct shape document_phases = DESCRIBED(PHASES);

/* --- laws, fit ---------------------------------------------------------------------------------------------------- */

static const struct shape_row LAW_ITEM[] = {
	KEY("laws", TEXT, "name of their file"),
	KEY("text relation source", TEXT, NULL),
};
static const struct shape law_item = DESCRIBED(LAW_ITEM);

static const struct shape_row LAW_SAYS[] = {
	KEY("event text source", TEXT, NULL),
};
static const struct shape law_says = DESCRIBED(LAW_SAYS);

static const struct shape_row EVENT_SET[] = {
	KEY("events", TEXTS, NULL),
};
static const struct shape event_set = DESCRIBED(EVENT_SET);

static const struct shape_row LAW_FINDING[] = {
	KEY("laws text relation source", TEXT, NULL),
	KEY("state", TEXT, "holds, strained or broken"),
	KEY("left right", NUMBER, "the sides, per sample; of totals in all"),
	KEY("least most", NUMBER_OR_NULL, "interval of left minus right; null: no limit"),
	KEY("why", TEXT_OR_NULL, "why it is strained and not broken"),
	KEY("lacks", TEXT_OR_NULL, "an event that was not counted; the law holds if it is at least the difference"),
	KEY("note", TEXT_OR_NULL, "what its file says about why it may be broken"),
	KEY_OF("says", OBJECTS, law_says, "what vendors say about its events"),
	KEY_OF("blame", OBJECTS, event_set, "sets of events: without one of them every law holds"),
};
static const struct shape law_finding = DESCRIBED(LAW_FINDING);

static const struct shape_row LAW_OBSERVATION[] = {
	KEY("name source", TEXT, NULL),
	KEY_OF("findings", OBJECTS, law_finding, "laws whose events the data have"),
};
static const struct shape law_observation = DESCRIBED(LAW_OBSERVATION);

static const struct shape_row LAW_TALLY[] = {
	KEY("laws text relation", TEXT, NULL),
	KEY("broken strained holds not_asked", INTEGER, "in how many observations"),
};
static const struct shape law_tally = DESCRIBED(LAW_TALLY);

static const struct shape_row LAWS[] = {
	KEY("schema", TEXT, NULL),
	KEY("confidence", NUMBER, "for all laws of an observation together"),
	KEY_OF("laws", OBJECTS, law_item, "with --list, all; otherwise none"),
	KEY_OF("observations", OBJECTS, law_observation, NULL),
	KEY("unread", INTEGER, "files of folders that hold no counts"),
	KEY_OF("tally", OBJECTS, law_tally, "laws that an observation has the events of"),
};
const struct shape document_laws = DESCRIBED(LAWS);

static const struct shape_row FIT_EVENT[] = {
	KEY("name", TEXT, NULL),
	KEY("needs", TEXT, "counter, pinned, none, elsewhere (a PMU outside the cores) or refused"),
	KEY("idle", BOOLEAN, "it opens, but got no counter when it was tried"),
	KEY("counters", TEXT_OR_NULL, "those that can hold it; null: not known"),
	KEY("why remedy", TEXT_OR_NULL, NULL),
};
static const struct shape fit_event = DESCRIBED(FIT_EVENT);

static const struct shape_row FIT_CONSTRAINT[] = {
	KEY("text", TEXT, NULL),
	KEY("set", INTEGER_OR_NULL, "the first set, from 1, that has all its events; null: none has"),
};
static const struct shape fit_constraint = DESCRIBED(FIT_CONSTRAINT);

static const struct shape_row FIT[] = {
	KEY("schema", TEXT, NULL),
	KEY("cpu", TEXT_OR_NULL, "null: this machine"),
	KEY("together", BOOLEAN, "all fit at once"),
	KEY("counters", INTEGER, "that the first set could use in all"),
	KEY("held", INTEGER, "of these, by other users of the PMU now"),
	KEY("watchdog smt", BOOLEAN, NULL),
	KEY_OF("events", OBJECTS, fit_event, NULL),
	KEY_OF("sets", OBJECTS, event_set, "those that take turns"),
	KEY_OF("constraints", OBJECTS, fit_constraint, "of models, between events that take turns"),
};
const struct shape document_fit = DESCRIBED(FIT);
