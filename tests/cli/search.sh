#!/bin/sh
# hecate search: the recording of real programs, planted features, data counted here, bad input.
. "$HECATE_TESTS/lib/tap.sh"
programs=$(dirname "$HECATE")/tests/programs
data=$HECATE_TESTS/data/programs/programs.csv
cd "$tmp" || exit 1

# Real programs: their totals need what the kernel's sources say.
status 0 "$HECATE" search linux-page-faults "$data" --exact --json
cp "$tmp/out" all.json
is "observations" "$(json all.json 'd["observations"] >= 25, d["decided"] == d["observations"], d["complete"]')" "(True, True, True)"
is "required" "$(json all.json 'd["required"], d["minimal"]')" "(['A', 'C', 'D', 'E'], [['A', 'C', 'D', 'E']])"
is "not required" "$(json all.json 'd["optional"], d["useless"]')" "(['B', 'H'], [])"
is "whole lattice, few tests" "$(json all.json 'd["tested"] + d["skipped"], d["tested"] <= 16, d["tested"] == len(d["models"])')" "(64, True, True)"
is "a named program refutes every smaller model" "$(json all.json 'sorted([f for f in "ACDE" for m in d["models"] if m["features"] == [x for x in "ACDE" if x != f] and m["infeasible"] == len(m["refuted_by"]) > 0])')" "['A', 'C', 'D', 'E']"
is "with B, A + D adds nothing" "$(json all.json '[x["why"] for x in d["adds_nothing"] if x["sets"] == [["B"], ["A", "D"]] and x["held"] == x["tested"] and x["all"]]')" "['B adds nothing to the cone of A + D: Xur + Fu + PGF = (Xur + Fu) + (PGF)']"
is "programs that read from disk need E" "$(json all.json '"E" in [x for n in d["needs"] if n["observation"] == "cold-objdump" for x in n["features"]]')" True
is "no feature shrinks the cone" "$(json all.json 'd["shrinks"], len(d["proven"])')" "([], 6)"
status 0 "$HECATE" search linux-page-faults "$data" --exact -v
has "text: required" "$out" '^required +A, C, D, E'
has "text: what refutes a smaller model" "$out" 'without A +[0-9]+ infeasible: .*java'
has "text: the number of sets" "$out" 'B changes nothing where A [+] D are on, in all [0-9]+ sets of the other features'

# Each tested model, compared with hecate check.
json all.json '"\n".join("%s %d" % (",".join(m["features"]), m["infeasible"]) for m in d["models"])' >models
while read -r features count; do
	[ -n "$count" ] || { count=$features; features=; }
	got=$("$HECATE" check linux-page-faults ${features:+--features "$features"} "$data" --exact --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["infeasible"])')
	is "hecate check agrees about {$features}" "$got" "$count"
done <models

# Warm programs only: no retry is needed.
status 0 "$HECATE" search linux-page-faults "$data" --exact --json --observations 'python3*'
is "a part of the data" "$(json "$tmp/out" 'd["required"]')" "['C', 'D']"

# A feature that shrinks the cone, and one without an effect.
cat >planted.udd <<'X'
model planted; counter a; counter b;
feature strict; feature extra; feature silent;
path p { count a; when (strict) { count b; } else { choose { case Y: count b; case N: event n; } } }
path q when extra { count b; }
path r when silent { event nothing; }
X
printf 'observation,a,b\nlow,10,4\nhigh,4,10\n' >planted.csv
status 0 "$HECATE" search planted.udd planted.csv --exact --json
is "shrinking is noticed" "$(json "$tmp/out" 'sorted({x["feature"] for x in d["shrinks"]}), d["proven"]')" "(['strict'], ['extra', 'silent'])"
is "survivors" "$(json "$tmp/out" 'd["minimal"], d["required"], d["optional"], d["useless"]')" "([['extra']], ['extra'], [], ['silent'])"
status 0 "$HECATE" search planted.udd planted.csv --exact
has "text: it shrinks" "$out" 'feature strict removes a part of the cone'

# No survivor: the observations that no model allows.
printf 'observation,a,b\nlow,10,4\nzero,0,3\n' >none.csv
cat >none.udd <<'X'
model none; counter a; counter b; feature more; path p { count a; choose { case Y: count b; case N when more: event n; } }
X
status 0 "$HECATE" search none.udd none.csv --exact --json
is "no survivor" "$(json "$tmp/out" 'd["minimal"], d["required"], d["orphans"]')" "([], [], ['zero'])"
status 0 "$HECATE" search none.udd none.csv --exact
has "text: no survivor" "$out" 'no choice of features survives'
has "text: no model allows it" "$out" 'no model allows zero'

# requires and excludes are obeyed.
cat >legal.udd <<'X'
model legal; counter a; counter b;
feature base; feature one requires base excludes two; feature two requires base;
path p { count a; } path q when one { count b; } path r when two { count b; }
X
printf 'observation,a,b\nx,5,3\n' >legal.csv
status 0 "$HECATE" search legal.udd legal.csv --exact --json
is "legal sets only" "$(json "$tmp/out" 'd["minimal"], d["tested"] + d["skipped"]')" "([['base', 'one'], ['base', 'two']], 4)"
is "alternatives of one cone" "$(json "$tmp/out" '[x["sets"] for x in d["inseparable"]]')" "[[['one'], ['two']]]"

# 2^40 sets: few tests if features only add; else the search gives up and says so.
python3 - <<'X' >wide.udd
print("model wide; counter a; counter b;")
for i in range(40): print("feature f%d;" % i)
print("path p { count a; choose { case N: event n;", " ".join("case C%d when f%d: count b;" % (i, i) for i in range(40)), "} }")
X
sed 's/case C\([0-9]*\) when f\([0-9]*\): count b;/case C\1: when (f\2) { count b; }/g' wide.udd >wild.udd
printf 'observation,a,b\nx,5,3\n' >wide.csv
status 0 "$HECATE" search wide.udd wide.csv --exact --json
is "2^40 sets, classified" "$(json "$tmp/out" 'd["complete"], len(d["minimal"]), d["skipped"], d["tested"] < 400')" "(True, 40, None, True)"
status 0 "$HECATE" search wild.udd wide.csv --exact --json --max-tests 20
is "2^40 sets, given up" "$(json "$tmp/out" 'd["complete"], d["tested"], "as many models" in d["reason"]')" "(False, 20, True)"

# Counted now.
status 0 "$HECATE" search linux-page-faults --counters Fu,MIN,MAJ -r 2 --json -- "$programs/segv" 50
is "live: signals need A or B, which these counters do not separate" "$(json "$tmp/out" 'd["observations"], sorted(d["minimal"]), [sorted(x["sets"]) for x in d["inseparable"]], d["command"]["exit"]')" "(2, [['A'], ['B']], [[['A'], ['B']]], 0)"

# Holm's verdicts: one of 12 observations is off by as much as chance could be among so many, but not among one.
python3 - <<'X'
import random
random.seed(3)
def rows(out, name, off):
    d = [random.gauss(0, 100) for _ in range(40)]
    mean = sum(d) / 40
    for x in d:
        b = random.gauss(5000, 100)
        out.write("%s,%d,%d\n" % (name, round(b - (x - mean + off)), round(b)))
for name, far in ("chance.csv", 0), ("both.csv", 300):
    with open(name, "w") as out:
        out.write("observation,a,b\n")
        for k in range(11):
            rows(out, "o%d" % k, 0)
        rows(out, "near", 50)
        if far:
            rows(out, "far", -far)
X
cat >two.udd <<'X'
model two; counter a; counter b; feature more; feature less;
path p { count a; choose { case Y: count b; case N when less: event n; } } path q when more { count b; }
X
status 0 "$HECATE" search two.udd chance.csv --independent-rows --json --one-by-one
is "one by one the observations need a feature" "$(json "$tmp/out" 'd["required"], d["by_each"]["required"], d["minimal"], d["family_wise"]')" "(['more'], ['more'], [['more']], False)"
is "family-wise they do not" "$(json "$tmp/out" 'd["by_family_wise"]')" "{'minimal': [[]], 'required': [], 'complete': True}"
is "counts of both kinds" "$(json "$tmp/out" '[(m["features"], m["infeasible"], m["infeasible_each"], m["infeasible_family_wise"]) for m in d["models"] if not m["features"]]')" "[([], 1, 1, 0)]"
is "hecate check agrees" "$("$HECATE" check two.udd chance.csv --independent-rows --json | json /dev/stdin '[o["name"] for o in d["observations"] if o["verdict"] == "infeasible"], [o["name"] for o in d["observations"] if o["family_wise"] == "infeasible"]')" "(['near'], [])"
for how in "" --family-wise; do
	status 0 "$HECATE" search two.udd chance.csv --independent-rows --json $how
	is "the default${how:+ and $how}: family-wise" "$(json "$tmp/out" 'd["required"], d["by_each"]["required"], d["by_family_wise"]["required"], [(m["infeasible"], m["infeasible_each"]) for m in d["models"] if not m["features"]], d["family_wise"]')" "([], ['more'], [], [(0, 1)], True)"
done
status 2 "$HECATE" search two.udd chance.csv --one-by-one --family-wise
has "not both" "$err" '[-]-family-wise and --one-by-one exclude each other'
status 0 "$HECATE" search two.udd chance.csv --independent-rows --one-by-one
has "text: a sentence says so" "$out" 'family-wise, by Holm.s procedure over all observations, the result differs: nothing required; smallest survivors \{\}'
has "text: both counts" "$out" 'without more +1 infeasible \(0 family-wise\): near'
status 0 "$HECATE" search two.udd chance.csv --independent-rows
has "text: the other way round" "$out" 'one by one, without Holm.s procedure.*: more required; smallest survivors \{more\}'
# check counts in the same way, its exit status too, and proposes nothing that explains chance.
status 0 "$HECATE" check two.udd chance.csv --independent-rows --propose
has "check: both counts" "$out" '^12 observations: 0 infeasible \(1 if each is judged alone\), 12 feasible, 0 borderline, 0 undecided$'
has "  and which observation is meant" "$(printf '%s\n' "$out" | grep -A 1 ' near ')" 'refuted by itself, but not among 12 observations \(--one-by-one counts it\)'
has "  and how it was judged" "$out" 'cone decides, family-wise$'
is "  which has nothing to do with trust" "$(printf '%s\n' "$out" | grep -c 'without these corrections')" 0
status 1 "$HECATE" check two.udd chance.csv --independent-rows --one-by-one --propose --json
is "  one by one" "$(json "$tmp/out" 'd["infeasible"], d["infeasible_one_by_one"], d["infeasible_family_wise"], d["family_wise"]')" "(1, 1, 0, False)"
is "  even then no proposal explains chance" "$(json "$tmp/out" 'd["proposals"]["refuted_by"]')" "[]"
status 0 "$HECATE" search two.udd both.csv --independent-rows --json
is "more than chance stays refuted" "$(json "$tmp/out" 'd["by_each"]["required"], d["by_family_wise"]["required"]')" "(['more', 'less'], ['less'])"
status 0 "$HECATE" search linux-page-faults "$data" --exact --json
is "exact totals: both counts are the same" "$(json "$tmp/out" 'd["by_each"] == d["by_family_wise"], all(m["infeasible_each"] == m["infeasible_family_wise"] for m in d["models"])')" "(True, True)"

# Data that are looked at while they grow.
status 0 "$HECATE" check two.udd chance.csv --independent-rows --peek --json
is "--peek: regions that hold at every look" "$(json "$tmp/out" 'd["infeasible"], {o["peeked"] for o in d["observations"]}, all(o["threshold2"] > 12 for o in d["observations"])')" "(0, {True}, True)"
status 0 "$HECATE" check two.udd chance.csv --independent-rows --peek
has "text: --peek" "$out" 'p [0-9.e<-]+ in every test'
head -n 20 chance.csv >short.csv
status 2 "$HECATE" check two.udd short.csv --peek
has "too few samples for --peek" "$out" 'need 25 samples or more'
status 0 "$HECATE" search two.udd chance.csv --independent-rows --peek --json
is "search --peek" "$(json "$tmp/out" 'd["required"], d["watch"]')" "([], None)"

# The search while samples come. On a busy machine a row may last 100 ms; among rows of 20 ms that hides no refutation.
status 0 "$HECATE" search linux-page-faults --counters Fu,MIN,MAJ -I 20 --watch --json -q -- "$programs/segv" 1000000
is "watch: one document, with the changes and the time of each refutation" "$(json "$tmp/out" 'd["watch"]["searches"] >= 1, d["watch"]["changes"][-1]["minimal"] == sorted(d["minimal"]), [(r["observation"], r["features"], r["coef"], r["samples"] >= 25, r["seconds"] > 0) for r in d["watch"]["refutations"]][:1]')" "(True, True, [('segv', [], {'Fu': -1, 'MIN': 1, 'MAJ': 1}, True, True)])"
status 0 "$HECATE" search linux-page-faults --counters Fu,MIN,MAJ -I 20 --watch -- "$programs/segv" 1000000
has "watch: a line for each change" "$out" '^[0-9.]+ s, [0-9]+ samples: nothing required; survivors \{A\} \{B\}'
has "watch: the time, and the observation" "$out" '[0-9.]+ s, [0-9]+ samples: segv refutes no features by Fu (≤|<=) MIN \+ MAJ'
status 0 "$HECATE" search linux-page-faults --counters Fu,MIN,MAJ -r 3 --watch --json -- "$programs/segv" 50
is "watch: exact totals" "$(json "$tmp/out" 'd["observations"], sorted(d["minimal"]), d["watch"]["refutations"]')" "(3, [['A'], ['B']], [])"
# No row is read before the first verdict of the first search, and the row after it is long. Beside many rows that are much
# shorter it would be an outlier, and nothing would be decided.
"$programs/segv" 1000000000 &
segv=$!
status 0 timeout -s INT 300 "$HECATE" search linux-page-faults --counters Fu,MIN,MAJ -I 25 -p "$segv" --watch --json -q --samples 120
is "watch: a running process, for more samples than without" "$(json "$tmp/out" 'd["sampling"]["samples"], d["sampling"]["ended_by"], sorted(d["minimal"]), len(d["watch"]["refutations"]) > 0')" "(120, 'samples', [['A'], ['B']], True)"
kill "$segv"
status 2 "$HECATE" search two.udd chance.csv --independent-rows --watch
has "watch: nothing to watch" "$err" '[-]-watch is about counting here and now'
status 2 "$HECATE" check two.udd chance.csv --independent-rows --watch
has "watch: not for check" "$err" '[-]-watch'
status 2 "$HECATE" search linux-page-faults --watch -- no-such-program-here
has "watch: no such program" "$err" 'no-such-program-here'
status 2 "$HECATE" search linux-page-faults --counters Fu,MIN,MAJ -I 1000 --watch -- true
has "watch: too short" "$err" 'no sample|nothing could be decided'

# An undecided observation: their number is reported, and no claim is made about them.
printf 'model u "u"; feature a "first"; counter x = "x"; counter one = "one";\npath p { count x; switch (K) { case One: count one; case None: case Two when a: count one; count one; } }\n' >undecided.udd
{ echo observation,x,one; for i in 1 2 3 4 5 6 7 8 9 10; do echo "p,$((50 + i % 3)),$((70 + i % 4))"; done; echo q,5,3; } >undecided.csv
status 0 "$HECATE" search -q undecided.udd undecided.csv
has "one of two is undecided" "$out" '^1 of 2 observations is undecided: nothing is claimed of it$'
status 0 "$HECATE" search -q undecided.udd undecided.csv --step discovery
has "  after a step, too" "$out" '1 of 2 observations is undecided: nothing is claimed of it'
status 0 "$HECATE" search -q undecided.udd undecided.csv --json
is "  and in the document" "$(json "$tmp/out" 'd["observations"], d["decided"], d["undecided"]')" "(2, 1, 1)"

# Bad input.
status 2 "$HECATE" search linux-page-faults
has "no data" "$err" 'search needs data'
status 2 "$HECATE" search legal.udd legal.csv --features one
has "an illegal start" "$err" 'requires base'
status 2 "$HECATE" search legal.udd legal.csv
has "one noisy sample" "$err" 'nothing could be decided'
status 2 "$HECATE" search legal.udd legal.csv --observations nothing
has "no such observation" "$err" 'no observation to judge'
printf 'c,d\n1,2\n' >other.csv
status 2 "$HECATE" search legal.udd other.csv --exact
status 2 "$HECATE" search legal.udd none-such.csv
done_testing
