#!/bin/sh
# hecate calibrate: a core is made to fit another one, or a document of its probes.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1
sed 's/^rob 128;/rob 96;/; s/^load_queue 64;/load_queue 40;/; s/^has wrong_path;/has wrong_path, move_elimination;/
	s/^may .*/may merging;/' "$HECATE_MODELS/models/machines/core.machine" >truth.machine
probes="rob int_registers load_queue move_latency mul_latency"

# shellcheck disable=SC2086
status 0 "$HECATE" calibrate sim:core sim:./truth.machine $probes -o fits.machine
has "a table like the paper's" "$out" '^rob +96 +128 +\+33\.33 % \* +96 +\+0\.00 % +entries$'
has "the parameter at fault" "$out" '^  rob: 128, fits with 96 \(parameter; explains rob, int_registers\)$'
has "  and another one" "$out" '^  load_queue: 64, fits with 40 \(parameter; explains load_queue\)$'
has "the feature at fault" "$out" '^  move_elimination: off, fits with on \(feature; explains move_latency\)$'
is "  nothing else" "$(printf '%s\n' "$out" | grep -c ', fits with ')" 3
has "the machine that fits is written" "$err" 'fits.machine: the machine that fits, by 5 of 5 probes'
is "  it differs where it should" "$(diff truth.machine fits.machine | grep '^[<>] [a-z]')" \
	"< may merging;
> may merging, rob_compression, fma_split, sta_std, nuke_replay;"
status 2 "$HECATE" calibrate sim:core sim:./truth.machine rob -o fits.machine
has "  it is not replaced" "$err" 'fits.machine exists already, but -o makes a new machine file; give another name'

# The answers of a colleague.
# shellcheck disable=SC2086
"$HECATE" probe $probes --on sim:./truth.machine --json >truth.json
# shellcheck disable=SC2086
status 0 "$HECATE" calibrate sim:core truth.json $probes l1_latency --json
printf '%s' "$out" >c.json
is "against a document" "$(json c.json '[(f["name"], f["kind"], f["after"]) for f in d["faults"]]')" \
	"[('load_queue', 'parameter', '40'), ('rob', 'parameter', '96'), ('move_elimination', 'feature', 'on')]"
is "  errors" "$(json c.json '(d["error_before"] > 0.3, d["error_after"], d["cut"], len(d["probes"]))')" '(True, 0, False, 5)'
has "  what it lacks is said" "$err" 'truth.json has no answer of these probes, which are not compared: l1_latency'
status 0 "$HECATE" calibrate sim:core truth.json rob
has "  without programs, which is said" "$out" '^Programs run on simulated machines alone, so whether they fit is not known\.$'
has "  and what is not run" "$err" 'truth.json has answers of probes that are not run here: int_registers, load_queue'

# Curves that were measured elsewhere: one, and a folder. Each is of the probe that it names, or that its file is named
# after; one by itself is of the probe that is named here.
curve() { # PROBE LAST: 285 cycles up to LAST, then 523
	awk -v probe="$1" -v last="$2" 'BEGIN {
		if (probe) print "# probe: " probe
		print "x,mean"
		for (x = 10; x < 200; x += 2) print x "," (x <= last ? 285 : 523)
	}'
}
mkdir board empty few twice
curve rob 94 >board/first.csv
curve "" 38 >board/load_queue.csv
curve no-such 60 >board/other.csv
curve "" 94 >lone.csv
head -5 lone.csv >few/rob.csv
curve rob 94 >twice/a.csv
curve rob 90 >twice/b.csv
status 0 "$HECATE" calibrate sim:core import:board rob load_queue l1_latency -o board.machine
has "against curves" "$out" '^  rob: 128, fits with 96 \(parameter; explains rob\)$'
has "  of a file named after its probe" "$out" '^  load_queue: 64, fits with 40 \(parameter; explains load_queue\)$'
has "  what they lack is said" "$err" 'import:board has no answer of these probes, which are not compared: l1_latency'
has "  and what is of no probe here" "$err" 'import:board has answers of probes that are not run here: no-such'
is "  the machine fits" "$(grep -c '^rob 96;\|^load_queue 40;' board.machine)" 2
status 0 "$HECATE" calibrate sim:core import:lone.csv rob
has "one curve of the probe that is named" "$out" '^  rob: 128, fits with 96'

# What a document asks for, and no file can say.
sed 's/"value": *3,/"value":0.5,/; s/"low": *3,/"low":0.5,/; s/"high": *3,/"high":0.5,/' truth.json >odd.json
status 0 "$HECATE" calibrate sim:core odd.json mul_latency
has "what cannot be expressed remains" "$out" '^  mul_latency: no value of a machine file that was tried makes it agree$'

# Probes that contradict each other: `again` is the probe rob under another name. The answer that is there twice is one.
sed 's/^probe rob /probe again /' "$HECATE_MODELS/models/probes/rob.probe" >again.probe
results() { printf '{"schema": "hecate.probes/1", "results": [%s]}' "$1"; }
results '{"probe": "rob", "value": 96}, {"probe": "rob", "value": 96}, {"probe": "again", "value": 64}, {"probe": "mul_latency", "value": 3}' >contra.json
status 0 "$HECATE" calibrate sim:core contra.json rob ./again.probe mul_latency
has "probes that contradict each other are named" "$out" '^  rob: agrees with rob 96 alone, but then again differs: they contradict each other;$'
has "  with what to do" "$out" '^    measure both again, or leave one out$'
has "  the item that one of them asks for is in doubt" "$out" '^    in doubt: rob depends on it, too, and still differs$'
has "  and explains the other one alone" "$out" '^  rob: 128, fits with 64 \(parameter; explains again\)$'
status 0 "$HECATE" calibrate sim:core contra.json rob ./again.probe mul_latency --json
printf '%s' "$out" >c.json
is "  in the document" "$(json c.json '([p["contradicts"] for p in d["probes"]], [f["doubt"] for f in d["faults"]])')" "(['again', None, None], ['rob'])"
results '{"probe": "rob", "value": 96}, {"probe": "mul_latency", "value": 3}, {"probe": "rob", "value": 64}' >second.json
results '{"probe": "rob", "value": 96, "low": 98, "high": 94}' >turned.json

# Nothing to do, and bad input.
status 0 "$HECATE" calibrate sim:core sim:core
has "the same machine twice" "$err" 'both machines are sim:core: there is nothing to do'
status 0 "$HECATE" calibrate --quiet sim:core sim:core
is "  quietly" "$out$err" ''
status 0 "$HECATE" calibrate sim:core sim:core mul_latency --json
printf '%s' "$out" >twice.json
is "  as JSON" "$(json twice.json '(d["schema"], len(d["probes"]), d["faults"])')" "('hecate.calibration/1', 1, [])"
cp "$HECATE_MODELS/models/machines/core.machine" same.machine
status 0 "$HECATE" calibrate sim:core sim:./same.machine mul_latency
has "equal machines" "$out" '^No probe differs: there is nothing to calibrate.$'
bad() {
	name=$1 pattern=$2
	shift 2
	status 2 "$HECATE" calibrate "$@"
	has "$name" "$err" "$pattern"
}
echo '{"schema": "hecate.check/1"}' >other.json
echo '{"schema": "hecate.probes/1", "results": [{"probe": "rob"}]}' >broken.json
echo '{"schema": "hecate.probes/1", "results": []}' >empty.json
echo 'no JSON' >text.json
bad "one machine" 'calibrate needs two machines: the simulated one, and the truth' sim:core
bad "no pipeline" 'the machine haswell has no pipeline, so no probe can run on it' sim:haswell sim:core
bad "  as the truth" 'the machine haswell has no pipeline, so no probe can run on it' sim:core sim:haswell
bad "no simulated machine" "'truth.json' is no simulated machine, so it cannot be calibrated" truth.json sim:core
bad "no such file" 'cannot open none.json' sim:core none.json
bad "another document" 'other.json: no document of the schema hecate.probes/1; hecate probe --on sim:core --json writes one' sim:core other.json
bad "a broken document" 'broken.json: result 1 has no name of a probe, or no value' sim:core broken.json
bad "two answers of one probe" 'second.json: result 3 contradicts an earlier one of the probe rob; leave one of them out' sim:core second.json rob
bad "an interval the wrong way round" 'turned.json: result 1 has an interval whose ends are the wrong way round' sim:core turned.json rob
bad "no answers" 'empty.json has no answer of a probe that runs here' sim:core empty.json
bad "no JSON" 'text.json: no JSON document' sim:core text.json
bad "no such curve" 'cannot open none.csv' sim:core import:none.csv rob
bad "a curve of no probe" "import:lone.csv has no answer of a probe that runs here; name the one probe that the curve is of" sim:core import:lone.csv
bad "no curve in a folder" 'import:empty has no answer of a probe that runs here' sim:core import:empty rob
bad "two curves of a probe" 'twice/b.csv is a second curve of the probe rob; leave one of them out' sim:core import:twice rob mul_latency
bad "a curve of few points" 'few/rob.csv has too few points to tell where the curve changes: 4; measure 8 or more' sim:core import:few rob
bad "programs of curves" 'programs run on simulated machines alone, and import:lone.csv is none' sim:core import:lone.csv rob --program mcf-like
bad "a probe of this machine alone" 'the probe branches_known does not run on sim:./truth.machine' sim:core sim:./truth.machine branches_known
bad "no folder to write to" 'cannot write no/such/fits.machine: No such file' sim:core sim:./truth.machine mul_latency -o no/such/fits.machine
is "  nothing has run" "$out" ""
bad "no such probe" 'none of the installed probes has that name' sim:core truth.json no-such
bad "programs of a document" 'programs run on simulated machines alone, and truth.json is none' sim:core truth.json rob --program mcf-like
bad "a gain without programs" '--gain needs programs' sim:core truth.json rob --gain sta_std
bad "an unknown gain" 'a part of a machine expected' sim:core sim:./truth.machine mul_latency --program mcf-like --gain 'nothing 3'
bad "no time to retire anything" 'no instruction of mcf-like retired in 3 µops: give --accesses more' sim:core sim:./truth.machine mul_latency --program mcf-like --accesses 3
bad "an unknown program" "there is no program 'nothing'" sim:core sim:./truth.machine mul_latency --program nothing

done_testing
