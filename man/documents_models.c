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
	KEY("ended_by", TEXT,
		"`end` (of command or target), `samples`, `duration`, `interrupt`, `full` (of the observation)"),
};
static const struct shape sampling = DESCRIBED(SAMPLING);

static const struct shape_row COUNTED[] = {
	KEY_OF_IF("command", OBJECT, command, "the command that was counted"),
	KEY_OF_IF("target", OBJECT, target, "what was already running and was watched"),
	KEY_OF_IF("sampling", OBJECT_OR_NULL, sampling, "how `command` or `target` was sampled; null for exact totals"),
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
		"numbers of verdicts and exit status follow Holm's procedure over all observations"),
	KEY("counters", TEXTS, "counters of the model that some observation has"),
	KEY("missing", TEXTS, "counters asked for that no observation has; they are projected away"),
	KEY("dead", TEXTS, "counters that were never live in some observation, or whose 0 alone would refute it"),
	KEY("extra", TEXTS, "columns of the data that the model does not know"),
	KEY_OF("warnings", OBJECTS, shared_warning, "about all of the data; codes are below"),
};
static const struct shape data = DESCRIBED(DATA);

static const struct shape_row SUSPECT[] = {
	KEY("counter", TEXT, NULL),
	KEY("factor_least factor_most", NUMBER_OR_NULL,
		"its count over the right one, equal in all observations"),
	KEY("per", TEXT_OR_NULL, "of a leak: the column, or `s`, with which it rises"),
	KEY("rate_least rate_most", NUMBER_OR_NULL, "of a leak: how much for each one of `per`"),
	KEY("explains", INTEGER, "observations whose refutation of `of` it would explain"),
	KEY("of", TEXTS, "the features at the start, or the set that the fewest observations refute"),
};
static const struct shape suspect = DESCRIBED(SUSPECT);

static const struct shape_row RELAXER[] = {
	KEY("features", TEXTS, "features to switch on: one, or several together"),
	KEY("signatures", INTEGER, "signatures that break it then"),
	KEY("alone", INTEGER, "how many of `broken_by` no longer refute the model with `features`"),
	KEY("together", INTEGER, "the same with `together_with`"),
	KEY("together_with", TEXTS, "`features` and all compatible ones of other entries"),
	KEY("ties_with", "array(string)|null", "`features` of an earlier entry that repairs the same observations"),
	KEY("same_cone", BOOLEAN, "`ties_with` also gives the same cone over `counters`"),
	KEY("witness", TEXTS, "steps of the µpath with the fewest counts that breaks it"),
};
static const struct shape relaxer = DESCRIBED(RELAXER);

static const struct shape_row MISCOUNT[] = {
	KEY("counter", TEXT, NULL),
	KEY_ONE_OF("direction", TEXT, "it would count too much, or too little", "high", "low"),
	KEY("explains", INTEGER, "how many of `broken_by` nothing refutes once this counter is left out"),
	KEY("zero", BOOLEAN, "it reads 0 in all rows, and was perhaps not counted"),
	KEY("share_least share_most", NUMBER_OR_NULL,
		"its error, as a share of its count"),
	KEY_IF("per", TEXT, "what the error goes along with: a column, or `s` (seconds)"),
	KEY_IF("rate_least rate_most", NUMBER_OR_NULL, "how much for each one of `per`"),
};
static const struct shape miscount = DESCRIBED(MISCOUNT);

static const struct shape_row EXPLANATION[] = {
	KEY("text", TEXT, "the constraint"),
	KEY("equality", BOOLEAN, "it is Σ coef·v = 0, else Σ coef·v ≥ 0"),
	KEY("coef", COEFFICIENTS, NULL),
	KEY("combined", BOOLEAN, "it is a certificate of observations that violate no single constraint"),
	KEY("broken_by", TEXTS, "the observations that break it, worst first"),
	KEY("worst_margin", NUMBER, "`margin` of the first of `broken_by`; 0 if combined"),
	KEY("worst_off", NUMBER, "left minus right side of `text` at that observation's mean; 0 if combined"),
	KEY("tight", INTEGER, "signatures S with Σ coef·S = 0 that raise some of its counters"),
	KEY("raising", INTEGER, "signatures that raise some of its counters"),
	KEY("held_by", TEXTS, "a µpath of each `tight` signature, fewest counts first; 24 at most"),
	KEY_OF("relaxed_by", OBJECTS, relaxer,
		"features that are off and whose µpaths break it, most useful first"),
	KEY("all_tried", BOOLEAN, "of features that do nothing alone, all pairs were tried, and threes if needed"),
	KEY_OF("miscounts", OBJECTS, miscount, "counters whose miscount alone would explain it, best first"),
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
	KEY("repaired", TEXTS, "their names"),
	KEY("needed", INTEGER, "how many the other signatures alone leave refuted"),
	KEY_OF("alternatives", OBJECTS, alternative, "signatures of the same size that do as well"),
};
static const struct shape drafted = DESCRIBED(DRAFTED);

static const struct shape_row PROPOSALS[] = {
	KEY("to", TEXTS, "features of the model that the signatures are added to"),
	KEY("refuted_by", TEXTS, "the observations that refute that model"),
	KEY_OF("signatures", OBJECTS, drafted, "signatures that together make all feasible, most useful first"),
	KEY("whole", BOOLEAN, "they make all feasible"),
	KEY("smallest", BOOLEAN, "no smaller proposal does"),
	KEY("reason", TEXT_OR_NULL, "why not `whole` or not `smallest`"),
	KEY("tests", INTEGER, "number of verdicts computed"),
	KEY("variant", TEXT_OR_NULL, "name of the variant in `draft`; null without signatures"),
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
	KEY("counters", TEXTS, "counters of the constraints: all, or those of `--counters`"),
	KEY("paths", LARGE, "µpaths of all roots, also those that raise no counter"),
	KEY("signatures", INTEGER, "distinct ones that are not zero, over all counters of the model"),
	KEY("rays", INTEGER, "extreme rays of the cone; if not `complete`, the generators in use"),
	KEY("complete", BOOLEAN, "all facets were found"),
	KEY_IF("reason", TEXT, "why not all facets were found"),
	KEY_OF("equalities", OBJECTS, constraint,
		"Σ coef·v = 0, in reduced row echelon form"),
	KEY_OF("inequalities", OBJECTS, constraint,
		"Σ coef·v ≥ 0 for each facet; if not `complete`, the valid ones that are known"),
	KEY("seconds", NUMBER, "wall time"),
};
const struct shape document_constraints = DESCRIBED(CONSTRAINTS);

static const struct shape_row STEP[] = {
	KEY_ONE_OF("step", TEXT, NULL, "path", "choice", "event", "count", "both", "and", "join", "done"),
	KEY_IF("name", TEXT, "of the path, property, event or counter"),
	KEY_IF("value", TEXT, "of a choice: the value taken"),
	KEY_IF("amount", INTEGER, "of a count: how much it adds"),
};
static const struct shape step = DESCRIBED(STEP);

static const struct shape_row SIGNATURE[] = {
	KEY("coef", COEFFICIENTS, "how often each counter rises; not divided by anything"),
	KEY("paths", LARGE, "µpaths that have it"),
	KEY_OF("example", OBJECTS, step, "one of them"),
	KEY_IF("before", "array(array(integer))",
		"happens-before edges of the example: pairs of positions in it, from 0"),
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

static const struct shape_row LAW_TOLD[] = {
	KEY("laws text relation source", TEXT, "as of `hecate laws`"),
	KEY_ONE_OF("state", TEXT, "in the worst observation", "broken", "strained"),
	KEY("broken strained", INTEGER, "observations"),
	KEY("observation", TEXT, "the worst one, of which the rest is said"),
	KEY("difference", TEXT, "by how much"),
	KEY("blame", TEXT_OR_NULL, "events without which every law holds"),
};
static const struct shape law_told = DESCRIBED(LAW_TOLD);

static const struct shape_row LAWS_TOLD[] = {
	KEY("judged", INTEGER, "laws whose events the data have"),
	KEY("broken strained", INTEGER, "laws"),
	KEY_OF("told", OBJECTS, law_told, "those, broken ones first"),
};
static const struct shape laws_told = DESCRIBED(LAWS_TOLD);

static const struct shape_row CHECK[] = {
	ROWS_OF(shared_head),
	ROWS_OF(shared_counted),
	ROWS_OF(data),
	KEY("untested", TEXTS, "constraints that no observation tests, because each lacks one of their counters"),
	ROWS_OF(print_check_shape),
	KEY_OF_IF("explanations", OBJECTS, explanation,
		"with `--explain`: what refutes the chosen features, first what most observations break"),
	KEY_OF("laws", OBJECT_OR_NULL, laws_told,
		"[laws](laws.md) that the data break or strain; null with `--counterpoint`, or if none are installed"),
	KEY_OF_IF("metrics", OBJECTS, shared_metrics, "with `-M`: values in each observation"),
	KEY_OF_IF("suspects", OBJECTS, suspect, "counters that by themselves would explain everything"),
	KEY_OF_IF("proposals", OBJECT_OR_NULL, proposals,
		"with `--propose` or `--draft`: possible additions to the model"),
};
const struct shape document_check = DESCRIBED(CHECK);

static const struct shape_row REPAIR[] = {
	KEY("feature", TEXT, NULL),
	KEY("frees", INTEGER, "observations that no longer refute the first model with it"),
};
static const struct shape repair = DESCRIBED(REPAIR);

static const struct shape_row TESTED[] = {
	KEY("features", TEXTS, NULL),
	KEY("infeasible", INTEGER_OR_NULL,
		"observations that refute it, family-wise if `family_wise`; null: the choice is an error"),
	KEY("infeasible_each", INTEGER_OR_NULL, "observations that refute it by themselves"),
	KEY("infeasible_family_wise", INTEGER_OR_NULL, "those of them left by Holm's procedure"),
	KEY("cone", INTEGER_OR_NULL, "the cone's number; equal cones have equal numbers"),
	KEY_ONE_OF("step", TEXT, NULL, "start", "discovery", "elimination"),
	KEY("refuted_by", TEXTS, "names of the observations that refute it"),
	KEY("worst worst_by", TEXT_OR_NULL,
		"the constraint that is violated most, and by which observation"),
};
static const struct shape tested = DESCRIBED(TESTED);

static const struct shape_row EDGE[] = {
	KEY("from to", INTEGER, "positions in `models`, the first being 0"),
	KEY("feature", TEXT_OR_NULL, "added or taken away; null if more than one"),
	KEY("changed", TEXTS, "all features added or taken away"),
	KEY_ONE_OF("step", TEXT, NULL, "start", "discovery", "elimination"),
};
static const struct shape edge = DESCRIBED(EDGE);

static const struct shape_row TRIED[] = {
	KEY("tested", INTEGER, "for the one tried least: in how many sets of other features"),
	KEY("all", BOOLEAN, "these are all legal sets that agree with `fixed`"),
};
static const struct shape tried = DESCRIBED(TRIED);

static const struct shape_row WAY[] = {
	KEY("minimal", "array(array(string))", NULL),
	KEY("required", TEXTS, NULL),
	KEY("complete", BOOLEAN, NULL),
};
static const struct shape way = DESCRIBED(WAY);

static const struct shape_row SAME[] = {
	KEY("sets", "array(array(string))", "both sets"),
	KEY_IF("kind", TEXT, "`equal`: whatever else is on; `survivors`: with what two smallest survivors share"),
	KEY("tested held", INTEGER, "in how many legal sets of other features that was tried, and held"),
	KEY("all", BOOLEAN, "all such sets were tried"),
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
	KEY("from to", INTEGER, "models that differ in it alone; the cone of `from` is not inside that of `to`"),
};
static const struct shape shrink = DESCRIBED(SHRINK);

static const struct shape_row REFUSAL[] = {
	KEY("observations", TEXTS,
		"the fewest observations among which each usable tested model has one that refutes it"),
	KEY("smallest", BOOLEAN, "it is proven that no fewer do"),
};
static const struct shape refusal = DESCRIBED(REFUSAL);

static const struct shape_row LOST[] = {
	KEY("counter", TEXT, "left out of another search of the same data"),
	KEY("changes", BOOLEAN, "`minimal` differs there"),
	KEY("revived", INTEGER, "how many of `models` are refuted only because of it"),
	KEY("example", "array(string)|null", "the first of these models"),
	KEY("unrequired", TEXTS, "features that are `required` only with it"),
	KEY("merged", INTEGER, "how many fewer distinct cones `models` have without it"),
	KEY("constraints", INTEGER, "constraints of the cone of `about` that are lost"),
};
static const struct shape lost = DESCRIBED(LOST);

static const struct shape_row LOSE[] = {
	KEY("about", TEXTS, "the first of `minimal`, or where the search began"),
	KEY_OF("each", OBJECTS, lost, "one for each counter in use, most useful first"),
	KEY("kept", TEXTS, "counters that give the same `minimal`, none of which can be left out"),
	KEY("complete", BOOLEAN, "all these searches were complete"),
	KEY("seconds", NUMBER, "wall time"),
};
static const struct shape lose = DESCRIBED(LOSE);

static const struct shape_row CHANGE[] = {
	KEY("seconds", NUMBER, "since the start"),
	KEY("samples", INTEGER, "samples counted here by then"),
	KEY("minimal", "array(array(string))", NULL),
	KEY("required", TEXTS, NULL),
};
static const struct shape change = DESCRIBED(CHANGE);

static const struct shape_row REFUTATION[] = {
	KEY("observation", TEXT, NULL),
	KEY("seconds", NUMBER, "since the start"),
	KEY("samples", INTEGER, "samples of this observation by then"),
	KEY("features", TEXTS, "the set that was refuted"),
	KEY("text", TEXT_OR_NULL, "of the certificate"),
	KEY("coef", COEFFICIENTS, NULL),
};
static const struct shape refutation = DESCRIBED(REFUTATION);

static const struct shape_row WATCH[] = {
	KEY("searches", INTEGER, "how many; the document has the result of the last"),
	KEY_OF("changes", OBJECTS, change, "the first result and each that was unlike the one before"),
	KEY_OF("refutations", OBJECTS, refutation, "what was refuted and when, in order; a refutation is final"),
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
	KEY("fixed", TEXTS, "features of `--fix`: every model has them as in `features`"),
	KEY("says", TEXT_OR_NULL, "what was found, as a sentence; null if it was stopped before"),
	KEY_OF("suspects", OBJECTS, suspect, "counters that by themselves would explain everything"),
	KEY("proposed", TEXTS, "after a step of discovery: the features that are on"),
	KEY_OF("repairs", OBJECTS, repair, "features that relax the constraint of `says`, most useful first"),
	KEY_OF("models", OBJECTS, tested, "those tested, in order"),
	KEY_OF("edges", OBJECTS, edge, "steps of the search between models"),
	KEY("minimal", "array(array(string))", "survivors that have no smaller survivor"),
	KEY("required", TEXTS, "features in every survivor, except `fixed`"),
	KEY("optional", TEXTS, "features in some survivor, neither required nor useless nor in `fixed`"),
	KEY("useless", TEXTS, "features that change no cone, whatever others are on"),
	KEY_OF("useless_tried", OBJECT, tried, NULL),
	KEY("impossible", TEXTS, "features that cannot be on without breaking `requires`, `excludes` or `fixed`"),
	KEY_OF("by_each by_family_wise", OBJECT, way,
		"results by single observations, and by Holm's procedure; one is the result above"),
	KEY_OF("inseparable", OBJECTS, same, "pairs of sets of features that make the same cone over `counters`"),
	KEY_OF("adds_nothing", OBJECTS, same, "pairs of sets: where the second is on, the first adds nothing"),
	KEY_OF("needs", OBJECTS, need,
		"features without which no model allows an observation; empty unless `complete`"),
	KEY("orphans", TEXTS, "observations that no model allows"),
	KEY_OF("shrinks", OBJECTS, shrink, "features that do not only enlarge the cone"),
	KEY("proven", TEXTS, "features that, by the model's text, only enlarge the cone"),
	KEY("complete", BOOLEAN, "every legal set is classified; else all results hold for the tested models only"),
	KEY("reason", TEXT_OR_NULL, "why it is not complete; a single step never is"),
	KEY("tested", INTEGER, "number of `models`"),
	KEY("skipped", NUMBER_OR_NULL, "legal sets not tested; null: too many to be counted"),
	KEY("cones", INTEGER, "distinct cones of the models tested"),
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
	KEY("counters", TEXTS, "counters of both cones"),
};
static const struct shape about = DESCRIBED(ABOUT);

static const struct shape_row SIDE[] = {
	KEY("name", TEXT, "as it was given"),
	KEY("features", TEXTS, "those that are on"),
	KEY("tags", TEXTS, "tags of the sidecar, for a model of a folder"),
	KEY("paths", LARGE, "µpaths"),
	KEY("signatures", INTEGER, "distinct ones over `counters`, in lowest terms"),
	KEY("own", INTEGER, "of these, how many the other lacks"),
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
	KEY("example", TEXT_OR_NULL, "if equal: a signature that only one has, as a sum of the other's signatures"),
	KEY_OF("remedies", OBJECTS, print_remedy_shape, "if equal: what would distinguish them"),
	KEY("hurried", BOOLEAN, "not all counters, events and cases were tried, because cones take too long"),
	KEY_OF("observations", OBJECTS, print_told_shape, "if not equal"),
	KEY("seconds", NUMBER, "wall time"),
};
const struct shape document_compare = DESCRIBED(COMPARE);

static const struct shape_row CHOICE[] = {
	KEY("name", TEXT, NULL),
	KEY("features", TEXTS, NULL),
	KEY("tags", TEXTS, "tags of the sidecar, for a model of a folder"),
	KEY("cone", INTEGER_OR_NULL, "the cone's number; equal cones have equal numbers"),
	KEY("error", TEXT_OR_NULL, "error messages, if the choice is refused"),
};
static const struct shape choice = DESCRIBED(CHOICE);

static const struct shape_row ORDER[] = {
	ROWS_OF(about),
	KEY_OF("sets", OBJECTS, choice, "the choices"),
	KEY("relations", "array(array(string|null))",
		"of each choice to each: `equal`, `inside`, `contains`, `neither`, or null"),
	KEY("covers", "array(array(integer))", "pairs of cones: the first contains the second, and none lies between"),
};
const struct shape document_order = DESCRIBED(ORDER);

static const struct shape_row PLACE[] = {
	KEY("term", INTEGER, "its position in the sum or difference, from 1"),
	KEY("place", TEXT, "its name"),
	KEY("at", TEXTS, "`FILE:LINE in CALL`; empty: wherever the name stands"),
};
static const struct shape place = DESCRIBED(PLACE);

static const struct shape_row CANDIDATE[] = {
	KEY("place", TEXT, "`event sigbus`, `Context = Nofault`, `wherever MIN counts`, `A + B`, `A without B`"),
	KEY("also", TEXT, "places that count the same on every µpath"),
	KEY_OF("same", OBJECTS, place, "each of these places taken apart"),
	KEY("terms", INTEGER, "number of places in it"),
	KEY("part", BOOLEAN, "it means one call only, though its text fits several"),
	KEY("declared", BOOLEAN, "it is where the model declares it"),
	KEY("survives", BOOLEAN, "no observation refutes the model with a counter there"),
	KEY_IF("group", INTEGER_OR_NULL, "of a survivor: the same number for equal cones; null: facets are not known"),
	KEY_IF("rule", TEXT_OR_NULL, "of a survivor: an equality that predicts the event exactly"),
	KEY_IF("width", NUMBER_OR_NULL,
		"of a survivor: mean width of the range that the model allows, over the event's count"),
	KEY_IF("paste", TEXTS, "of a survivor: lines of the model with the counter put in"),
	KEY_IF("refuted_by", TEXT, "an observation that refutes it"),
	KEY_IF("constraint", TEXT_OR_NULL, "what that observation violates; null for sums and differences"),
};
static const struct shape candidate = DESCRIBED(CANDIDATE);

static const struct shape_row LOCATE[] = {
	ROWS_OF(shared_head),
	KEY("event", TEXT, "the column"),
	KEY("counter", TEXT_OR_NULL, "the model's counter for it, if any"),
	KEY("confidence", NUMBER, NULL),
	KEY("counterpoint", BOOLEAN, NULL),
	KEY("observations", INTEGER, "those that have the event and were judged"),
	KEY("left_out", TEXTS, "those that refute the model itself"),
	KEY("places", INTEGER, "distinct places: any two differ on some µpath"),
	KEY("tested", INTEGER, "places, sums and differences"),
	KEY("skipped", INTEGER, "sums and differences left out because of `--max-tests`"),
	KEY("survivors", INTEGER, "how many `candidates` survive; they come first, best first"),
	KEY_OF("candidates", OBJECTS, candidate, "all that were tested"),
	KEY("seconds", NUMBER, "wall time"),
};
const struct shape document_locate = DESCRIBED(LOCATE);

/* --- grade ---------------------------------------------------------------------------------------------------------
 */

static const struct shape_row GRADED_STEP[] = {
	KEY("step", INTEGER, "its number, from 1"),
	KEY("title", TEXT, NULL),
	KEY("points of", INTEGER, "earned, and to be earned"),
	KEY("tries", INTEGER, "wrong answers"),
	KEY("hints", INTEGER, "hints that were read"),
	KEY("shown", BOOLEAN, "hecate did it in the student's place, which earns nothing"),
};
static const struct shape graded_step = DESCRIBED(GRADED_STEP);

static const struct shape_row GRADED_CASE[] = {
	KEY("name", TEXT, NULL),
	KEY("holds", BOOLEAN, "the model accepts or refutes its data as it must"),
	KEY("of", INTEGER, "points to be earned"),
};
static const struct shape graded_case = DESCRIBED(GRADED_CASE);

static const struct shape_row GRADED[] = {
	KEY("file", TEXT, "the answers, or a model"),
	KEY("points of", INTEGER, "earned, and to be earned"),
	KEY_OF("steps", OBJECTS, graded_step, "those that have points"),
	KEY_OF("cases", OBJECTS, graded_case, "of `--cases`"),
};
static const struct shape graded = DESCRIBED(GRADED);

static const struct shape_row GRADE[] = {
	KEY("schema", TEXT, NULL),
	KEY("lesson", TEXT, "its name"),
	KEY_OF("answers", OBJECTS, graded, "one for each argument"),
};
const struct shape document_grade = DESCRIBED(GRADE);
