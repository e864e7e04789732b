/* Documents about a model: what follows from it, and what data say of it. */
#include "cli/print/print.h"
#include "cli/print/print_compare.h"
#include "documents.h"
#include "work/analysis/result.h"

/* --- what they share --------------------------------------------------------------------------------------------- */

static const struct shape_row HEAD[] = {
	KEY("schema", TEXT, NULL),
	KEY("model", TEXT, "the name in the `model` item"),
	KEY("file", TEXT, "where the model came from"),
	KEY("features", TEXTS, "those that are on, in the model's order"),
};
const struct shape shared_head = DESCRIBED(HEAD);

static const struct shape_row COMMAND[] = {
	KEY("argv", TEXTS, NULL),
	KEY("exit", INTEGER_OR_NULL, "its exit status; null if a signal ended it"),
	KEY("signal", INTEGER_OR_NULL, "the signal that ended it; null if it exited"),
	KEY_IF("seconds", NUMBER, "wall time of its last run, from exec to end"),
};
static const struct shape command = DESCRIBED(COMMAND);

static const struct shape_row TARGET[] = {
	KEY_ONE_OF("kind", TEXT, NULL, "processes", "threads", "cpus"),
	KEY("ids", INTEGERS, "their numbers; empty: all online CPUs"),
	KEY("name", TEXT, "what the observation is called after"),
	KEY("ended", BOOLEAN, "the processes or threads have all ended"),
	KEY("seconds", NUMBER, "how long it was watched"),
};
static const struct shape target = DESCRIBED(TARGET);

static const struct shape_row SAMPLING[] = {
	KEY("interval_ms", INTEGER, "milliseconds from tick to tick"),
	KEY("samples", INTEGER, "rows of the last run"),
	KEY("missed", INTEGER, "ticks that came too late, and are part of the next row"),
	KEY("ended_by", TEXT, "`end` (of the command or the target), `samples`, `duration`, `interrupt`, `full`"),
};
static const struct shape sampling = DESCRIBED(SAMPLING);

static const struct shape_row COUNTED[] = {
	KEY_OF_IF("command", OBJECT, command, "the command that was counted"),
	KEY_OF_IF("target", OBJECT, target, "what ran already and was watched"),
	KEY_OF_IF("sampling", OBJECT_OR_NULL, sampling, "with one of these two; null for exact totals"),
};
const struct shape shared_counted = DESCRIBED(COUNTED);

static const struct shape_row WARNING[] = {
	KEY("code", TEXT, "a stable word"),
	KEY("text", TEXT, "a sentence"),
};
const struct shape shared_warning = DESCRIBED(WARNING);

static const struct shape_row DATA[] = {
	KEY("confidence", NUMBER, "of the regions, between 0 and 1"),
	KEY_ONE_OF("region", TEXT, "what decides; `cone` is the test of the cone, the default",
		"cone", "ellipsoid", "box", "independent"),
	KEY("counterpoint", BOOLEAN, "`--counterpoint`: verdicts are CounterPoint's, by its own box"),
	KEY("family_wise", BOOLEAN,
		"counts and exit status follow Holm's procedure over all observations"),
	KEY("counters", TEXTS, "counters of the model that some observation has"),
	KEY("missing", TEXTS, "counters asked for that no observation has: projected away"),
	KEY("dead", TEXTS, "counted, but never live in some observation, or refuting it by 0"),
	KEY("extra", TEXTS, "columns of the data that the model does not know"),
	KEY_OF("warnings", OBJECTS, shared_warning, "about all of the data; codes are below"),
};
static const struct shape data = DESCRIBED(DATA);

static const struct shape_row SUSPECT[] = {
	KEY("counter", TEXT, NULL),
	KEY("factor_least factor_most", NUMBER_OR_NULL,
		"it would count so many times what it should, in all observations"),
	KEY("per", TEXT_OR_NULL, "of a leak: the column, or `s`, with which it rises"),
	KEY("rate_least rate_most", NUMBER_OR_NULL, "of a leak: how much for each one of `per`"),
	KEY("explains", INTEGER, "observations that refute `of`, and would not"),
	KEY("of", TEXTS, "features: the start, or the set that the fewest refute"),
};
static const struct shape suspect = DESCRIBED(SUSPECT);

static const struct shape_row RELAXER[] = {
	KEY("features", TEXTS, "would be switched on: one, or several together"),
	KEY("signatures", INTEGER, "that break it then"),
	KEY("alone", INTEGER, "of `broken_by`, those that no longer refute the model with `features`"),
	KEY("together", INTEGER, "the same with `together_with`"),
	KEY("together_with", TEXTS, "`features` and those of other entries"),
	KEY("ties_with", "array(string)|null", "`features` of an earlier entry that repairs the same observations"),
	KEY("same_cone", BOOLEAN, "and gives the same cone over `counters`"),
	KEY("witness", TEXTS, "the µpath with the fewest counts that breaks it, a step each"),
};
static const struct shape relaxer = DESCRIBED(RELAXER);

static const struct shape_row MISCOUNT[] = {
	KEY("counter", TEXT, NULL),
	KEY_ONE_OF("direction", TEXT, "it would count too much, or too little", "high", "low"),
	KEY("explains", INTEGER, "of `broken_by`, those that nothing refutes without this counter"),
	KEY("zero", BOOLEAN, "it reads 0 in all rows, and was perhaps not counted"),
	KEY("share_least share_most", NUMBER_OR_NULL,
		"by this part of its count"),
	KEY_IF("per", TEXT, "what that goes along with: a column, or `s`"),
	KEY_IF("rate_least rate_most", NUMBER_OR_NULL, "how much for each one of `per`"),
};
static const struct shape miscount = DESCRIBED(MISCOUNT);

static const struct shape_row EXPLANATION[] = {
	KEY("text", TEXT, "the constraint"),
	KEY("equality", BOOLEAN, "it is Σ coef·v = 0, else Σ coef·v ≥ 0"),
	KEY("coef", COEFFICIENTS, NULL),
	KEY("combined", BOOLEAN, "a certificate of observations that violate no single constraint"),
	KEY("broken_by", TEXTS, "the observations that break it, worst first"),
	KEY("worst_margin", NUMBER, "`margin` of the first of them; 0 if combined"),
	KEY("worst_off", NUMBER, "left less right side of `text` at its mean; 0 if combined"),
	KEY("tight", INTEGER, "signatures with Σ coef·S = 0 that raise its counters"),
	KEY("raising", INTEGER, "signatures that raise some of its counters"),
	KEY("held_by", TEXTS, "a µpath of each tight one, fewest counts first; 24 at most"),
	KEY_OF("relaxed_by", OBJECTS, relaxer,
		"features that are off and break it, the most useful first"),
	KEY("all_tried", BOOLEAN, "all pairs of the others were tried, and threes if needed"),
	KEY_OF("miscounts", OBJECTS, miscount, "counters that would explain it if they miscounted, the best first"),
};
static const struct shape explanation = DESCRIBED(EXPLANATION);

static const struct shape_row ALTERNATIVE[] = {
	KEY("coef", COEFFICIENTS, NULL),
	KEY("repairs", INTEGER, NULL),
};
static const struct shape alternative = DESCRIBED(ALTERNATIVE);

static const struct shape_row DRAFTED[] = {
	KEY("feature", TEXT, "its name in `draft`"),
	KEY("coef", COEFFICIENTS, NULL),
	KEY("repairs", INTEGER, "how many of `refuted_by` are feasible with it alone"),
	KEY("repaired", TEXTS, "these"),
	KEY("needed", INTEGER, "how many are refuted with the others alone"),
	KEY_OF("alternatives", OBJECTS, alternative, "signatures of the same size that do as well"),
};
static const struct shape drafted = DESCRIBED(DRAFTED);

static const struct shape_row PROPOSALS[] = {
	KEY("to", TEXTS, "features of the model that they are added to"),
	KEY("refuted_by", TEXTS, "the observations that refute it"),
	KEY_OF("signatures", OBJECTS, drafted, "what together makes all feasible, the most useful first"),
	KEY("whole", BOOLEAN, "it does"),
	KEY("smallest", BOOLEAN, "nothing smaller does"),
	KEY("reason", TEXT_OR_NULL, "why not `whole` or not `smallest`"),
	KEY("tests", INTEGER, "verdicts that this took"),
	KEY("variant", TEXT_OR_NULL, "its name in `draft`; null if there is no signature"),
	KEY("draft", TEXT, "items of a model file: features, their paths, and the variant"),
};
static const struct shape proposals = DESCRIBED(PROPOSALS);

/* --- the model alone --------------------------------------------------------------------------------------------- */

static const struct shape_row CONSTRAINT[] = {
	KEY("coef", COEFFICIENTS, NULL),
	KEY("text", TEXT, NULL),
};
static const struct shape constraint = DESCRIBED(CONSTRAINT);

static const struct shape_row CONSTRAINTS[] = {
	ROWS_OF(shared_head),
	KEY("counters", TEXTS, "the counters that the constraints are about: all, or those of `--counters`"),
	KEY("paths", LARGE, "µpaths of all roots, those that raise no counter too"),
	KEY("signatures", INTEGER, "distinct ones that are not zero, over all counters of the model"),
	KEY("rays", INTEGER, "extreme rays of the cone; if not `complete`, the generators in use"),
	KEY("complete", BOOLEAN, "all facets are here"),
	KEY_IF("reason", TEXT, "why they were given up"),
	KEY_OF("equalities", OBJECTS, constraint,
		"Σ coef·v = 0, in reduced row echelon form"),
	KEY_OF("inequalities", OBJECTS, constraint,
		"Σ coef·v ≥ 0 for each facet, or what is known"),
	KEY("seconds", NUMBER, "wall time"),
};
const struct shape document_constraints = DESCRIBED(CONSTRAINTS);

static const struct shape_row STEP[] = {
	KEY_ONE_OF("step", TEXT, NULL, "path", "choice", "event", "count", "both", "and", "join", "done"),
	KEY_IF("name", TEXT, "of the path, property, event or counter"),
	KEY_IF("value", TEXT, "of a choice: the value taken"),
	KEY_IF("amount", INTEGER, "of a count, from 1 on"),
};
static const struct shape step = DESCRIBED(STEP);

static const struct shape_row SIGNATURE[] = {
	KEY("coef", COEFFICIENTS, "how often each counter rises; not divided by anything"),
	KEY("paths", LARGE, "µpaths that have it"),
	KEY_OF("example", OBJECTS, step, "one of them"),
	KEY_IF("before", "array(array(integer))",
		"happens-before edges of the example: pairs of steps, the first being 0"),
};
static const struct shape signature = DESCRIBED(SIGNATURE);

static const struct shape_row PATHS[] = {
	ROWS_OF(shared_head),
	KEY("counters", TEXTS, "all counters of the model"),
	KEY("paths", LARGE, "µpaths of all roots"),
	KEY_OF("signatures", OBJECTS, signature, "distinct ones that are not zero"),
};
const struct shape document_paths = DESCRIBED(PATHS);

/* --- a model and data -------------------------------------------------------------------------------------------- */

static const struct shape_row CHECK[] = {
	ROWS_OF(shared_head),
	ROWS_OF(shared_counted),
	ROWS_OF(data),
	KEY("untested", TEXTS, "constraints that no observation tests, as all lack a counter"),
	ROWS_OF(print_check_shape),
	KEY_OF_IF("explanations", OBJECTS, explanation,
		"with `--explain`: what refutes the chosen features; what most observations break first"),
	KEY_OF_IF("suspects", OBJECTS, suspect, "counters that by themselves would explain everything"),
	KEY_OF_IF("proposals", OBJECT_OR_NULL, proposals,
		"with `--propose` or `--draft`: what the model could have in addition"),
};
const struct shape document_check = DESCRIBED(CHECK);

static const struct shape_row REPAIR[] = {
	KEY("feature", TEXT, NULL),
	KEY("frees", INTEGER, "observations that no longer refute the first model"),
};
static const struct shape repair = DESCRIBED(REPAIR);

static const struct shape_row TESTED[] = {
	KEY("features", TEXTS, NULL),
	KEY("infeasible", INTEGER_OR_NULL,
		"observations that refute it, as they count; null: the choice makes an error"),
	KEY("infeasible_each", INTEGER_OR_NULL, "by themselves"),
	KEY("infeasible_family_wise", INTEGER_OR_NULL, "by Holm's procedure over all"),
	KEY("cone", INTEGER_OR_NULL, "its number; equal cones have equal numbers"),
	KEY_ONE_OF("step", TEXT, NULL, "start", "discovery", "elimination"),
	KEY("refuted_by", TEXTS, "the names of those observations"),
	KEY("worst worst_by", TEXT_OR_NULL,
		"the constraint that is violated most, and by which observation"),
};
static const struct shape tested = DESCRIBED(TESTED);

static const struct shape_row EDGE[] = {
	KEY("from to", INTEGER, "positions in `models`, the first being 0"),
	KEY("feature", TEXT_OR_NULL, "added or taken away; null if more than one"),
	KEY("changed", TEXTS, "the same, always"),
	KEY_ONE_OF("step", TEXT, NULL, "start", "discovery", "elimination"),
};
static const struct shape edge = DESCRIBED(EDGE);

static const struct shape_row TRIED[] = {
	KEY("tested", INTEGER, "the fewest sets of other features in which one was tried"),
	KEY("all", BOOLEAN, "these are all legal ones that agree with `fixed`"),
};
static const struct shape tried = DESCRIBED(TRIED);

static const struct shape_row WAY[] = {
	KEY("minimal", "array(array(string))", NULL),
	KEY("required", TEXTS, NULL),
	KEY("complete", BOOLEAN, NULL),
};
static const struct shape way = DESCRIBED(WAY);

static const struct shape_row SAME[] = {
	KEY("sets", "array(array(string))", "two"),
	KEY_IF("kind", TEXT, "`equal`, or `survivors`: with what two smallest survivors have in common"),
	KEY("tested held", INTEGER, "in how many legal sets of other features that was tried, and held"),
	KEY("all", BOOLEAN, "these are all there are"),
	KEY("says", TEXT, "a sentence"),
	KEY("why", TEXT_OR_NULL, "an example"),
};
static const struct shape same = DESCRIBED(SAME);

static const struct shape_row NEED[] = {
	KEY("observation", TEXT, NULL),
	KEY("features", TEXTS, NULL),
};
static const struct shape need = DESCRIBED(NEED);

static const struct shape_row SHRINK[] = {
	KEY("feature", TEXT, NULL),
	KEY("from to", INTEGER, "models that differ in it alone; the cone without it is not inside"),
};
static const struct shape shrink = DESCRIBED(SHRINK);

static const struct shape_row REFUSAL[] = {
	KEY("observations", TEXTS, "the fewest of which each usable model tested is refuted by one"),
	KEY("smallest", BOOLEAN, "no fewer do, which is proven"),
};
static const struct shape refusal = DESCRIBED(REFUSAL);

static const struct shape_row LOST[] = {
	KEY("counter", TEXT, "a search without it was made from the same data"),
	KEY("changes", BOOLEAN, "`minimal` is another one there"),
	KEY("revived", INTEGER, "of `models`, those that are refuted, and would not be without it"),
	KEY("example", "array(string)|null", "the first of them"),
	KEY("unrequired", TEXTS, "`required`, and not without it"),
	KEY("merged", INTEGER, "by how many the distinct cones of `models` become fewer"),
	KEY("constraints", INTEGER, "constraints of the cone of `about` that go"),
};
static const struct shape lost = DESCRIBED(LOST);

static const struct shape_row LOSE[] = {
	KEY("about", TEXTS, "the first of `minimal`, or where the search began"),
	KEY_OF("each", OBJECTS, lost, "one for each counter in use, the most useful first"),
	KEY("kept", TEXTS, "counters that give the same `minimal`, none of which can be left out"),
	KEY("complete", BOOLEAN, "all searches that this took were complete"),
	KEY("seconds", NUMBER, "wall time"),
};
static const struct shape lose = DESCRIBED(LOSE);

static const struct shape_row CHANGE[] = {
	KEY("seconds", NUMBER, "since the start"),
	KEY("samples", INTEGER, "counted here by then"),
	KEY("minimal", "array(array(string))", NULL),
	KEY("required", TEXTS, NULL),
};
static const struct shape change = DESCRIBED(CHANGE);

static const struct shape_row REFUTATION[] = {
	KEY("observation", TEXT, NULL),
	KEY("seconds", NUMBER, "since the start"),
	KEY("samples", INTEGER, "its own by then"),
	KEY("features", TEXTS, "the set that was refuted"),
	KEY("text", TEXT_OR_NULL, "of the certificate"),
	KEY("coef", COEFFICIENTS, NULL),
};
static const struct shape refutation = DESCRIBED(REFUTATION);

static const struct shape_row WATCH[] = {
	KEY("searches", INTEGER, "how many, including the last one, whose result the document is"),
	KEY_OF("changes", OBJECTS, change, "the first result and each that was unlike the one before"),
	KEY_OF("refutations", OBJECTS, refutation, "what was refuted when, in order, each once and for good"),
};
static const struct shape watch = DESCRIBED(WATCH);

static const struct shape_row SEARCH[] = {
	ROWS_OF(shared_head),
	ROWS_OF(shared_counted),
	ROWS_OF(data),
	KEY("observations", INTEGER, "how many"),
	KEY("decided", INTEGER, "those by which some tested model could be judged"),
	KEY("undecided", INTEGER, "the others, of which nothing is claimed"),
	KEY("step", TEXT, "what was searched: `all`, or one step of `discovery` or `elimination`"),
	KEY("fixed", TEXTS, "features of `--fix`: all holds for models that agree"),
	KEY("says", TEXT_OR_NULL, "what was found, as a sentence; null if it was stopped before"),
	KEY_OF("suspects", OBJECTS, suspect, "counters that by themselves would explain everything"),
	KEY("proposed", TEXTS, "of a step of discovery: features on after it"),
	KEY_OF("repairs", OBJECTS, repair, "features that relax the constraint of `says`, the most useful first"),
	KEY_OF("models", OBJECTS, tested, "those tested, in order"),
	KEY_OF("edges", OBJECTS, edge, "the steps of the search from one model to another"),
	KEY("minimal", "array(array(string))", "survivors that have no smaller survivor"),
	KEY("required", TEXTS, "features in every survivor, but for `fixed`"),
	KEY("optional", TEXTS, "features in some survivor, neither required nor useless nor in `fixed`"),
	KEY("useless", TEXTS, "features that change no cone, whatever others are on"),
	KEY_OF("useless_tried", OBJECT, tried, NULL),
	KEY("impossible", TEXTS, "features that no choice has which keeps requires, excludes and `fixed`"),
	KEY_OF("by_each by_family_wise", OBJECT, way,
		"by the observations each, and by Holm's procedure: one is the result"),
	KEY_OF("inseparable", OBJECTS, same, "two sets of features that make one cone over `counters`"),
	KEY_OF("adds_nothing", OBJECTS, same, "where the second set is on, the first adds nothing"),
	KEY_OF("needs", OBJECTS, need, "features without which no model takes an observation; empty unless `complete`"),
	KEY("orphans", TEXTS, "observations that no model allows"),
	KEY_OF("shrinks", OBJECTS, shrink, "features that do not only add"),
	KEY("proven", TEXTS, "features of which the model's text shows that they only add"),
	KEY("complete", BOOLEAN, "every legal set is classified; else all holds for the models tested only"),
	KEY("reason", TEXT_OR_NULL, "if not complete: why; a step never is"),
	KEY("tested", INTEGER, "number of `models`"),
	KEY("skipped", NUMBER_OR_NULL, "legal sets not tested; null: too many to be counted"),
	KEY("cones", INTEGER, "distinct ones of the models tested"),
	KEY_OF("refusal", OBJECT_OR_NULL, refusal, "if no model survives"),
	KEY_OF_IF("proposals", OBJECT_OR_NULL, proposals, "if no model survives"),
	KEY_OF_IF("explanations", OBJECTS, explanation,
		"with `--explain`: what refutes the features that the search began with"),
	KEY("seconds", NUMBER, "wall time"),
	KEY_OF_IF("lose", OBJECT, lose, "with `--lose`: what the search would lose without each counter"),
	KEY_OF("watch", OBJECT_OR_NULL, watch, "with `--watch`: what happened while samples came in"),
};
const struct shape document_search = DESCRIBED(SEARCH);

/* --- choices of features ----------------------------------------------------------------------------------------- */

static const struct shape_row ABOUT[] = {
	KEY("schema model file", TEXT, NULL),
	KEY("counters", TEXTS, "that the cones are over"),
};
static const struct shape about = DESCRIBED(ABOUT);

static const struct shape_row SIDE[] = {
	KEY("name", TEXT, "as it was given"),
	KEY("features", TEXTS, "those that are on"),
	KEY("tags", TEXTS, "of a model of a folder, those of its sidecar"),
	KEY("paths", LARGE, "µpaths"),
	KEY("signatures", INTEGER, "distinct ones over `counters`, in lowest terms"),
	KEY("own", INTEGER, "of these, those that the other has not"),
	KEY("rays", INTEGER, "extreme rays; without all facets, generators"),
	KEY("complete", BOOLEAN, "all its facets are known"),
};
static const struct shape side = DESCRIBED(SIDE);

static const struct shape_row COMPARE[] = {
	ROWS_OF(about),
	KEY_IF("confidence", NUMBER, "with data"),
	KEY_IF("counterpoint", BOOLEAN, "with data"),
	KEY_OF_IF("warnings", OBJECTS, shared_warning, "with data"),
	KEY_OF("first second", OBJECT, side, "the two choices"),
	KEY_ONE_OF("relation", TEXT, "`inside`: the cone of the first lies in that of the second",
		"equal", "inside", "contains", "neither", "unknown"),
	KEY_OF("differences", OBJECTS, print_difference_shape,
		"constraints that one keeps and the other breaks, fewest counters first"),
	KEY("example", TEXT_OR_NULL, "if equal: a signature of one only, as the other's sum"),
	KEY_OF("remedies", OBJECTS, print_remedy_shape, "if equal: what would distinguish them"),
	KEY("hurried", BOOLEAN, "not all counters, events and cases were tried, as cones take too long"),
	KEY_OF("observations", OBJECTS, print_told_shape, "if not equal"),
	KEY("seconds", NUMBER, "wall time"),
};
const struct shape document_compare = DESCRIBED(COMPARE);

static const struct shape_row CHOICE[] = {
	KEY("name", TEXT, NULL),
	KEY("features", TEXTS, NULL),
	KEY("tags", TEXTS, "of a model of a folder, those of its sidecar"),
	KEY("cone", INTEGER_OR_NULL, "its number; equal cones have equal numbers"),
	KEY("error", TEXT_OR_NULL, "the diagnostics, if it makes one"),
};
static const struct shape choice = DESCRIBED(CHOICE);

static const struct shape_row ORDER[] = {
	ROWS_OF(about),
	KEY_OF("sets", OBJECTS, choice, "the choices"),
	KEY("relations", "array(array(string|null))",
		"of each to each: `equal`, `inside`, `contains`, `neither`, or null"),
	KEY("covers", "array(array(integer))", "pairs of cones: the first contains the second, and none lies between"),
};
const struct shape document_order = DESCRIBED(ORDER);

static const struct shape_row PLACE[] = {
	KEY("term", INTEGER, "as which place of a sum or difference, from 1"),
	KEY("place", TEXT, "its name"),
	KEY("at", TEXTS, "`FILE:LINE in CALL`; empty: wherever the name stands"),
};
static const struct shape place = DESCRIBED(PLACE);

static const struct shape_row CANDIDATE[] = {
	KEY("place", TEXT, "`event sigbus`, `Context = Nofault`, `wherever MIN counts`, `A + B`, `A without B`"),
	KEY("also", TEXT, "places that count the same on every µpath"),
	KEY_OF("same", OBJECTS, place, "these taken apart"),
	KEY("terms", INTEGER, "places in it"),
	KEY("part", BOOLEAN, "it is of one call alone, while its text is that of several"),
	KEY("declared", BOOLEAN, "it is where the model declares it"),
	KEY("survives", BOOLEAN, "no observation refutes the model with a counter there"),
	KEY_IF("group", INTEGER_OR_NULL, "of a survivor: equal for one cone; null: facets are not known"),
	KEY_IF("rule", TEXT_OR_NULL, "of a survivor: an equality that predicts the event exactly"),
	KEY_IF("width", NUMBER_OR_NULL,
		"of a survivor: the room that the model leaves over the event"),
	KEY_IF("paste", TEXTS, "of a survivor: lines of the model with the counter put in"),
	KEY_IF("refuted_by", TEXT, "an observation that refutes it"),
	KEY_IF("constraint", TEXT_OR_NULL, "what that violates; null for sums and differences"),
};
static const struct shape candidate = DESCRIBED(CANDIDATE);

static const struct shape_row LOCATE[] = {
	ROWS_OF(shared_head),
	KEY("event", TEXT, "the column"),
	KEY("counter", TEXT_OR_NULL, "the model's counter that it is, if it knows it"),
	KEY("confidence", NUMBER, NULL),
	KEY("counterpoint", BOOLEAN, NULL),
	KEY("observations", INTEGER, "those that have the event and were judged"),
	KEY("left_out", TEXTS, "those that refute the model itself"),
	KEY("places", INTEGER, "distinct places: each counts otherwise on some µpath"),
	KEY("tested", INTEGER, "places, sums and differences"),
	KEY("skipped", INTEGER, "sums and differences left out because of `--max-tests`"),
	KEY("survivors", INTEGER, "of `candidates`, where these come first, the best first"),
	KEY_OF("candidates", OBJECTS, candidate, "all that were tested"),
	KEY("seconds", NUMBER, "wall time"),
};
const struct shape document_locate = DESCRIBED(LOCATE);
