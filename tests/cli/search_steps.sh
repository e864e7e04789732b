#!/bin/sh
# hecate search: step by step, with pinned features, ended by Ctrl-C, and with odd models or data.
. "$HECATE_TESTS/lib/tap.sh"
data=$HECATE_TESTS/data/programs/programs.csv
cd "$tmp" || exit 1

# By hand, each step as the previous one proposes, from nothing to the smallest survivor.
step="--step discovery"
for i in 1 2 3 4 5 6; do
	# shellcheck disable=SC2086
	"$HECATE" search linux-page-faults "$data" --exact $step --json >step.json 2>err
	got=$("$HECATE" search linux-page-faults "$data" --exact $step 2>err)
	next=$(printf '%s\n' "$got" | sed -n 's/^next: //p')
	case $step in
	*elimination*) break ;;
	esac
	is "step $i: the proposal is tested, and an edge leads to it from the start" "$(json step.json 'd["step"], d["tested"], d["proposed"] == d["models"][1]["features"], [(e["from"], e["to"], e["step"]) for e in d["edges"]], d["complete"]')" "('discovery', 2, True, [(0, 1, 'discovery')], False)"
	is "step $i: repairs free what check says, the most useful first" "$(json step.json 'sorted((-r["frees"] for r in d["repairs"])) == [-r["frees"] for r in d["repairs"]], len(d["repairs"]) > 0, d["models"][0]["worst"] is not None')" "(True, True, True)"
	check "step $i: hecate check agrees" python3 - "$HECATE" "$data" step.json <<'X'
import json, subprocess, sys
hecate, data, d = sys.argv[1], sys.argv[2], json.load(open(sys.argv[3]))
def refuted(on):
    a = [hecate, "check", "linux-page-faults", data, "--exact", "--json"] + (["--features", ",".join(on)] if on else [])
    return {o["name"] for o in json.loads(subprocess.run(a, capture_output=True).stdout)["observations"] if o["verdict"] == "infeasible"}
before = refuted(d["features"])
for r in d["repairs"]:
    freed = len(before - refuted(sorted(d["features"] + [r["feature"]])))
    assert freed == r["frees"], (r, freed)
assert len(refuted(d["proposed"])) == d["models"][1]["infeasible"]
X
	step=$next
	[ -n "$step" ] || break
done
has "the steps end in elimination" "$step" '^--step elimination --features '
is "elimination: the survivor of the complete search" "$(json step.json 'd["step"], d["minimal"], d["required"], d["proposed"]')" "('elimination', [['A', 'C', 'D', 'E']], ['A', 'C', 'D', 'E'], [])"
has "text: what refutes a model with one feature less" "$got" 'without A +[0-9]+ infeasible: .*java'
status 0 "$HECATE" search linux-page-faults "$data" --exact --step discovery
has "text: the constraint, the observations that break it, and those that become feasible" "$out" '^D relaxes PGF = Fu \+ Fk, which [0-9]+ observations break( \([0-9]+ more the other way\))?; it frees [0-9]+, and [0-9]+ observations still refute it$'
has "text: the feature alone" "$out" '^  D +frees [0-9]+ alone$'
status 0 "$HECATE" search linux-page-faults "$data" --exact --step discovery --features A,C,D,E
has "nothing to discover" "$out" 'no observation refutes this choice: there is nothing to discover'
status 0 "$HECATE" search linux-page-faults "$data" --exact --step discovery --fix D --json
is "a pinned feature is not proposed" "$(json "$tmp/out" 'd["fixed"], "D" in d["proposed"], "D" in [r["feature"] for r in d["repairs"]]')" "(['D'], False, False)"
status 0 "$HECATE" search linux-page-faults "$data" --exact --step elimination --json
is "elimination from a refuted start" "$(json "$tmp/out" 'd["tested"], d["minimal"], "observations refute this choice" in d["says"]')" "(1, [], True)"

# Pinned on and off: the search is among the other features, and says so.
status 0 "$HECATE" search linux-page-faults "$data" --exact --features B --fix B,H --json
is "B on, H off" "$(json "$tmp/out" 'd["fixed"], d["complete"], d["tested"] + d["skipped"], d["required"], all("B" in m["features"] and "H" not in m["features"] for m in d["models"])')" "(['B', 'H'], True, 16, ['A', 'C', 'D', 'E'], True)"
status 0 "$HECATE" search linux-page-faults "$data" --exact --fix D
has "none survives without D" "$out" 'no choice of features survives'
status 2 "$HECATE" search linux-page-faults "$data" --exact --fix A,Q
has "an unknown feature" "$err" "--fix: the model has no feature 'Q'"
status 2 "$HECATE" search linux-page-faults "$data" --exact --step sideways
has "an unknown step" "$err" 'step takes all, discovery or elimination'

# A feature comes with those that it requires. One that excludes a better one is left out.
cat >needs.udd <<'X'
model needs; counter a; counter b; counter c;
feature base; feature deep requires base; feature strong requires deep; feature rival excludes strong; feature spare;
path p { count a; } path q when strong { count b; } path r when rival { count b; } path s when strong { count c; }
X
printf 'observation,a,b,c\nx,5,3,0\ny,5,3,2\n' >needs.csv
status 0 "$HECATE" search needs.udd needs.csv --exact --step discovery --json
is "with the features that it requires" "$(json "$tmp/out" 'd["proposed"], d["repairs"]')" "(['base', 'deep', 'strong'], [{'feature': 'strong', 'frees': 2}, {'feature': 'rival', 'frees': 1}])"
is "  and a line that says so" "$(json "$tmp/out" 'd["says"]')" 'strong relaxes b = 0, which 2 observations break; with base and deep, which are required; it frees 2, and nothing is refuted any more; rival would too, but cannot be on together with these'

# No feature helps; or one helps only with the second worst.
cat >helpless.udd <<'X'
model helpless; counter a; counter b; counter c; feature f; path p { count a; } path q when f { count c; }
X
printf 'observation,a,b,c\nx,5,3,0\ny,5,3,0\n' >helpless.csv
status 0 "$HECATE" search helpless.udd helpless.csv --exact --step discovery --json
is "no feature helps" "$(json "$tmp/out" 'd["proposed"], d["tested"], d["says"]')" "([], 1, 'no feature relaxes what refutes this choice, above all b = 0, which 2 observations break')"
printf 'z,5,0,1\n' >>helpless.csv
status 0 "$HECATE" search helpless.udd helpless.csv --exact --step discovery --json
is "the second worst" "$(json "$tmp/out" 'd["says"]')" 'f relaxes c = 0, which 1 observation breaks; it frees 1, and 2 observations still refute it; no feature relaxes b = 0, which 2 observations break'

# A region that misses the cone beyond a sharp edge, and crosses every facet: the certificate has to be relaxed.
cat >edge.udd <<'X'
model edge; counter a; counter b; counter c; feature slim; feature other;
path p { count a; count b; count c; }
path q { count a * 5; count b * 15; count c * 14; }
path r { count a * 5; count b * 14; count c * 15; }
path s when slim { count a * 10; count b * 8; count c * 8; }
path t when other { count a * 5; count b * 15; count c * 13; }
X
python3 - <<'X' >edge.csv
import random
random.seed(5)
print("a,b,c")
for i in range(80):
    print(",".join(str(round(random.gauss(m, 90))) for m in (1000, 900, 900)))
X
status 1 "$HECATE" check edge.udd edge.csv --independent-rows --region ellipsoid --json
is "no facet is violated" "$(json "$tmp/out" 'd["observations"][0]["violated"]')" "[]"
certificate=$(json "$tmp/out" 'd["observations"][0]["certificate"]["text"]')
status 0 "$HECATE" search edge.udd edge.csv --independent-rows --region ellipsoid --step discovery --json
is "the certificate is relaxed" "$(json "$tmp/out" 'd["says"], d["models"][0]["worst"]')" "('slim relaxes $certificate, which 1 observation breaks; it frees 1, and nothing is refuted any more', '$certificate')"

# A step with a feature that shrinks the cone says so.
cat >shrinks.udd <<'X'
model shrinks; counter a; counter b;
feature odd;
path p { count a; when (odd) { count b; } else { choose { case Y: event n; case N: event o; } } }
X
printf 'observation,a,b\nhigh,10,10\n' >shrinks.csv
status 0 "$HECATE" search shrinks.udd shrinks.csv --exact --step discovery
has "a step with a feature that shrinks" "$out" 'odd relaxes b = 0.*it also removes a part of the cone'

# Contradictions of requires and excludes: the features are never on, and a message says so.
cat >never.udd <<'X'
model never; counter a; counter b;
feature one excludes two; feature two; feature pair requires one && two; feature self requires other; feature other excludes self;
path p { count a; } path q when pair { count b; } path r when self { count b; } path s when one { count b; }
X
printf 'observation,a,b\nx,5,3\n' >never.csv
status 0 "$HECATE" search never.udd never.csv --exact --json
is "never on" "$(json "$tmp/out" 'd["impossible"], d["minimal"], d["tested"] + d["skipped"]')" "(['pair', 'self'], [['one']], 6)"
status 0 "$HECATE" search never.udd never.csv --exact
has "text: never on" "$out" '^never on: pair, self; no legal choice has such a feature'
status 2 "$HECATE" search never.udd never.csv --exact --features pair
has "an impossible feature cannot be chosen" "$err" 'feature pair requires one && two; leave out pair'

# Observations without a common counter: each has a verdict by its own counters. Without a counter of the model there is
# no verdict.
printf 'observation,a,b\nx,5,\ny,,3\n' >apart.csv
status 0 "$HECATE" search never.udd apart.csv --exact --json
is "no counter in common" "$(json "$tmp/out" 'd["decided"], d["minimal"], d["needs"]')" "(2, [['one']], [{'observation': 'y', 'features': ['one']}])"
printf 'c,d\n1,2\n' >other.csv
status 2 "$HECATE" search never.udd other.csv --exact
has "no counter of the model" "$err" 'nothing could be decided'
is "  no survivor is claimed" "$(printf '%s\n' "$out" | grep -c survives)" 0
status 2 "$HECATE" search never.udd other.csv --exact --step discovery
has "  nor by a step" "$out" 'nothing could be decided'

# Ctrl-C: a complete document of the tests so far; a second one ends the program at once.
python3 - <<'X' >wild.udd
print("model wild; counter a; counter b;")
for i in range(40): print("feature f%d;" % i)
print("path p { count a; choose { case N: event n;", " ".join("case C%d: when (f%d) { count b; }" % (i, i) for i in range(40)), "} }")
X
printf 'observation,a,b\nx,5,3\n' >wild.csv
status 0 "$HECATE" search wild.udd wild.csv --exact --step elimination --features "$(seq -s, -f f%g 0 39)" --max-tests 50
has "a step of 2^40 sets, given up" "$out" '^not complete: as many models were tested as one search may'
status 0 "$HECATE" search wild.udd wild.csv --exact --step discovery --json
is "discovery among 2^40 sets" "$(json "$tmp/out" 'd["tested"], len(d["proposed"]), len(d["repairs"]), d["skipped"]')" "(2, 40, 40, None)"
cat >interrupt.py <<'X'
import json, os, signal, subprocess, sys

signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may have begun with Ctrl-C ignored, and hand that on

def start(*more):
    return subprocess.Popen([sys.argv[1], "search", "wild.udd", "wild.csv", "--exact", "-v", "--max-tests", "100000000", *more],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

def wait_for_models(p, least):
    for line in p.stderr:
        word = line.split()
        if "models" in word and int(word[word.index("models") - 1]) >= least:
            return
    raise SystemExit("it ended by itself")

def caught(p):
    return any(int(l.split()[1], 16) >> signal.SIGINT - 1 & 1 for l in open("/proc/%d/status" % p.pid) if l.startswith("SigCgt"))

p = start("--json")
wait_for_models(p, 1)
p.send_signal(signal.SIGINT)
d = json.loads(p.communicate()[0])
print(p.returncode, d["complete"], d["reason"], d["tested"] == len(d["models"]) > 0, d["needs"])
p = start()
wait_for_models(p, 1)
p.send_signal(signal.SIGINT)
out = p.communicate()[0]
print(p.returncode, "not complete: it was stopped" in out, "models tested" in out)
p = start("--json")  # its document does not fit into the pipe, which is not read
wait_for_models(p, 400)
p.send_signal(signal.SIGINT)
while caught(p):
    os.sched_yield()
p.send_signal(signal.SIGINT)
p.wait()
print(p.returncode == -signal.SIGINT)
X
is "Ctrl-C" "$(python3 interrupt.py "$HECATE" 2>&1)" "0 False it was stopped True []
0 True True
True"
done_testing
