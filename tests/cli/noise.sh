#!/bin/sh
# hecate check on noisy recordings: what it says about the noise, and verdicts on each phase.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
cat >rule.udd <<'END'
model rule; counter a; counter b; counter c;
path p { count a; choose { case B: count b; case C: count c; } }
END
# The model says a = b + c. `aba` breaks it in its middle phase only, by too little to show in the mean of all rows.
python3 - <<'END'
import random
random.seed(5)
out = open("noisy.csv", "w")
out.write("observation,time,a,b,c\n")
def put(name, rows, level, lag=0, off=lambda k: 0, noise=0.01):
    z = [0, 0, 0]
    for k in range(rows):
        z = [(lag * x if k else 0) + (1 - lag * lag if k else 1) ** 0.5 * random.gauss(0, 1) for x in z]
        n = [level(k) * p * (1 + noise * x) for p, x in zip((1, 0.7, 0.3), z)]
        out.write("%s,%.1f,%d,%d,%d\n" % (name, k / 10, n[0] * (1 + off(k)), n[1], n[2]))
put("steady", 60, lambda k: 1e5)
put("slow", 60, lambda k: 1e5, lag=0.9)
put("few", 4, lambda k: 1e5)
put("aba", 90, lambda k: 3e4 if 30 <= k < 60 else 1e6, off=lambda k: -0.08 if 30 <= k < 60 else 0)
END
status 0 "$HECATE" check rule.udd noisy.csv --json
observation='{o["name"]: o for o in d["observations"]}'
is "codes" "$(json "$tmp/out" 'sorted(w["code"] for w in d["warnings"])')" "['autocorrelated', 'few-samples', 'phased']"
is "each observation has its own" "$(json "$tmp/out" '{o["name"]: [w["code"] for w in o["warnings"]] for o in d["observations"] if o["name"] != "aba"}')" \
	"{'steady': [], 'slow': ['autocorrelated'], 'few': ['few-samples']}"
has "  in a sentence" "$(json "$tmp/out" "($observation)['few']['warnings'][0]['text']")" '^4 samples are few for 3 counters.*Fewer than 8 cannot show slow noise'
is "the test of the cone is reported" "$(json "$tmp/out" "[(o['cone'], o['test']['dimensions'], o['test']['distance2'] < o['test']['threshold2'], o['test']['freedom']) for o in [($observation)['steady']]]")" "[('feasible', 1, True, 59)]"
is "steady: every sample counts" "$(json "$tmp/out" "[(o['effective_samples'], o['batches'], o['lag'], o['shrinkage'], o['phases']) for o in [($observation)['steady']]]")" "[(60, 0, 0, 0, [])]"
is "slow: few samples count" "$(json "$tmp/out" "[o['effective_samples'] < 30 and o['lag'] > 0.4 and not o['phases'] for o in [($observation)['slow']]]")" "[True]"
is "aba: two changes, the first rows of the later phases" "$(json "$tmp/out" "($observation)['aba']['phases']")" "[31, 61]"
is "the sentence names counter, sample and time" "$(json "$tmp/out" '[w["text"] for w in d["warnings"] if w["code"] == "phased"][0][:72]' | grep -cE 'aba: 3 phases: [abc] goes from ')" 1
has "  and the remedy" "$(json "$tmp/out" '[w["text"] for w in d["warnings"] if w["code"] == "phased"][0]')" 'at sample 31 \(3 s\).*--split-phases'
status 1 "$HECATE" check rule.udd noisy.csv --split-phases --json
is "one observation a phase" "$(json "$tmp/out" '[(o["name"], o["samples"]) for o in d["observations"] if "@" in o["name"]]')" "[('aba@1', 30), ('aba@2', 30), ('aba@3', 30)]"
is "the middle one is infeasible" "$(json "$tmp/out" '[o["name"] for o in d["observations"] if o["verdict"] == "infeasible"]')" "['aba@2']"
is "none has phases any more" "$(json "$tmp/out" '[o["phases"] for o in d["observations"] if o["phases"]]')" "[]"
status 1 "$HECATE" check rule.udd noisy.csv --split-phases --observations aba --json
is "a name stands for all its phases" "$(json "$tmp/out" 'len(d["observations"])')" 3
status 1 "$HECATE" check rule.udd noisy.csv --split-phases --observations 'aba@2' --json
is "a phase can be named" "$(json "$tmp/out" '[o["name"] for o in d["observations"]]')" "['aba@2']"
status 0 "$HECATE" check rule.udd noisy.csv -v
has "-v describes how each region was made" "$out" 'region +60 samples worth [0-9.]+, correlation of neighbours 0\.'
has "warnings in words" "$err" 'slow: neighbouring samples resemble each other'
status 0 "$HECATE" check rule.udd noisy.csv -q
is "-q is quiet" "$err" ""
# What rests on a premise in doubt looks unlike what does not: a mark, a word of JSON, and the exit status.
python3 - <<'END'
import random
random.seed(7)
def put(name, rows, slow, off):
    z, out = 0, open(name, "w")
    out.write("a,b,c\n")
    for k in range(rows):
        z = slow * z + (1 - slow * slow) ** 0.5 * random.gauss(0, 1) if k else random.gauss(0, 1)
        own = [1e6 * p * (1 + 0.01 * random.gauss(0, 1) * (slow == 0)) for p in (1, 0.7, 0.3)]
        out.write("%d,%d,%d\n" % (own[0] * (1 + off) * (1 + 0.02 * z * (slow > 0)), own[1], own[2]))
put("sound.csv", 60, 0, 0.1)
put("doubt.csv", 60, 0.95, 0.1)
put("open.csv", 30, 0, 0.006)
END
doubts='[(o["verdict"], o["in_doubt"]) for o in d["observations"]] + [d["in_doubt"]]'
status 1 "$HECATE" check rule.udd sound.csv --json
is "a sound refutation" "$(json "$tmp/out" "$doubts")" "[('infeasible', None), 0]"
status 3 "$HECATE" check rule.udd doubt.csv --independent-rows --json
is "rows that contradict --independent-rows" "$(json "$tmp/out" "$doubts")" "[('infeasible', 'independent-rows'), 1]"
status 3 "$HECATE" check rule.udd doubt.csv --independent-rows
has "  its mark" "$out" '^⊘ infeasible  doubt'
has "  its reason" "$out" 'in doubt  --independent-rows states that rows are independent, but'
has "  in the sum" "$out" '1 infeasible \(1 in doubt\)'
status 1 "$HECATE" check rule.udd sound.csv doubt.csv --independent-rows
# An undecided verdict names what it suspects, how clearly, and the remedy, which works.
status 2 "$HECATE" check rule.udd open.csv --json
is "undecided: the constraint" "$(json "$tmp/out" '[(o["verdict"], o["suspected"]["text"]) for o in d["observations"]]')" \
	"[('undecided', 'a = b + c')]"
is "  both p-values, and more rows than there are" \
	"$(json "$tmp/out" '[(n["p_independent"] < 0.01 < n["p"], n["samples_needed"] > 30) for n in [d["observations"][0]["noise"]]]')" "[(True, True)]"
status 2 "$HECATE" check rule.udd open.csv
has "  in words" "$out" 'suspected a = b \+ c   p [0-9.e-]+ if rows are independent, [0-9.]+ with that noise'
has "  the remedy" "$out" 'remedy    --independent-rows, if the order of measuring was randomised; or about [0-9]+ more samples'
status 1 "$HECATE" check rule.udd open.csv --independent-rows
# Holm's procedure and the other regions, with regions of every kind.
for region in cone ellipsoid box independent; do
	status 0 "$HECATE" check rule.udd noisy.csv --region $region --family-wise --json
done

# Events in two clumps, each counted by the counters whose turn it was: 2 of 60 rows are too few for proportions.
cat >clumps.udd <<'END'
model clumps; counter c; counter w; counter r;
path p { count r; choose { case A: count c; case B: { count c; count w; } case C: done; } }
END
python3 - <<'END' >clumps.csv
print("c,w,r")
for row in range(60):
    print("0,%d,%d" % ({31: 61, 37: 42}.get(row, 0), 49500 + row * 7 % 60))
END
status 2 "$HECATE" check clumps.udd clumps.csv --json
is "two clumps refute nothing" "$(json "$tmp/out" 'd["observations"][0]["verdict"]')" undecided
has "  because of too few rows" "$(json "$tmp/out" 'd["observations"][0]["reason"]')" 'in so few of the rows that they cannot decide'

# Two million rows.
python3 - <<'END'
row = "".join("%d,%d,%d\n" % (1000 + k % 7, 700 + k % 7, 300) for k in range(1000))
open("long.csv", "w").write("a,b,c\n" + row * 2000)
END
status 0 "$HECATE" check rule.udd long.csv --json
is "all are counted" "$(json "$tmp/out" 'd["observations"][0]["samples"]')" 2000000
rm -f long.csv
# Measured: tests/programs/segv in samples of 2 ms on a virtual machine whose two CPUs others used, too. Nearly all of the
# variance is that of the faults, which are the load; what is left is one row of MIN. That row does not say how slow the
# faults' noise is, and their own series excludes what would explain them.
status 1 "$HECATE" check linux-page-faults "$HECATE_TESTS/data/linux/segv-busy-host.csv" --counters Fu,MIN,MAJ --json
is "the load's own series decides about the load" "$(json "$tmp/out" '[(o["verdict"], o["violated"][0]["text"]) for o in d["observations"]]')" "[('infeasible', 'Fu <= MIN + MAJ')]"
done_testing
