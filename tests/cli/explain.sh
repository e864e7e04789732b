#!/bin/sh
# What refutes a choice of features and what would relax it (--explain); what is needed if no declared feature does
# (proposals, --draft). On planted models, on the recording of real programs with features removed from the model, on
# noise, and with bad input.
. "$HECATE_TESTS/lib/tap.sh"
data=$HECATE_TESTS/data/programs/programs.csv
cd "$tmp" || exit 1

# Figure 6 of CounterPoint: a lookup that is dropped before its walk relaxes "every miss is a walk".
cat >pde.udd <<'X'
model pde; counter walk; counter miss; counter done_;
feature abort "translations may be aborted before the walk";
feature twice "a walk may miss twice";
feature replay "an aborted walk is done later" requires abort;
feature east; feature west; feature apart excludes abort;
path load {
    switch (Pde) {
        case Hit:  count walk; count done_;
        case Miss: begin();
    }
}
def begin() {
    L: count miss;
    switch (Abort) { case No: case Yes when abort: event dropped; done; }
    M: count walk;
    before L, M;
    choose { case Once: case Again when twice: count miss; }
    count done_;
}
path later when replay { count done_; }
path both_ when east && west { count miss * 2; count walk; count done_; }
X
printf 'observation,walk,miss,done_\nmild,10,12,10\nhard,5,30,5\nlost,10,3,12\nfine,10,3,10\n' >pde.csv
status 1 "$HECATE" check pde.udd pde.csv --exact --explain --json
cp out pde.json
is "each violated constraint once" "$(json pde.json '[(x["text"], x["broken_by"]) for x in d["explanations"]]')" \
	"[('miss <= walk', ['hard', 'mild']), ('walk = done_', ['lost'])]"
is "features that relax it, ranked" "$(json pde.json '[(x["features"], x["alone"], x["together"]) for x in d["explanations"][0]["relaxed_by"]]')" \
	"[(['abort'], 2, 2), (['twice'], 1, 2), (['east', 'west'], 1, 2)]"
is "ties are reported, and if the cones are equal" "$(json pde.json '[(x["ties_with"], x["same_cone"]) for x in d["explanations"][0]["relaxed_by"]]')" \
	"[(None, False), (None, False), (['twice'], True)]"
is "the witness" "$(json pde.json '[s for s in d["explanations"][0]["relaxed_by"][0]["witness"] if s.startswith("path") or "Abort" in s or "miss" in s]')" \
	"['path load', '■ miss', '│ ◇ Abort = Yes', '     1  miss']"
is "the witness has both kinds of edge" "$(json pde.json '[s for s in d["explanations"][0]["relaxed_by"][1]["witness"] if "before" in s]')" "['■ miss   ╎ happens before walk']"
is "a feature brings those that it requires" "$(json pde.json '[(x["features"], x["alone"]) for x in d["explanations"][1]["relaxed_by"]]')" "[(['abort', 'replay'], 1)]"
is "why the constraint holds in the model" "$(json pde.json 'd["explanations"][0]["tight"], d["explanations"][0]["raising"], d["explanations"][0]["held_by"]')" \
	"(1, 2, ['load · Pde Miss · ■ miss · Abort No · ■ walk · Once'])"
status 1 "$HECATE" check pde.udd pde.csv --exact --explain
has "text: how many observations it repairs" "$out" 'relaxed by abort: repairs 2 of 2 alone, 2 as abort \+ twice \+ east \+ west'
has "text: the tie" "$out" 'the same observations as twice, and the same cone'
has "text: the witness" "$out" '◇ Abort = Yes'
status 1 "$HECATE" check pde.udd pde.csv --exact --explain --ascii
is "text: plain ASCII" "$(printf '%s' "$out" | LC_ALL=C tr -d '\000-\177')" ""
status 1 "$HECATE" check pde.udd pde.csv --exact --explain --features apart
is "an excluded feature is not proposed" "$(printf '%s\n' "$out" | grep -c 'relaxed by abort')" 0
has "others still are" "$out" 'relaxed by twice: repairs'
status 0 "$HECATE" check pde.udd pde.csv --exact --explain --features abort,replay --json
is "nothing to explain" "$(json out 'd["explanations"]')" "[]"
status 0 "$HECATE" search pde.udd pde.csv --exact --explain --json
is "a search explains its start in the same way" "$(json out '[x["text"] for x in d["explanations"]], d["refusal"], d["proposals"]')" "(['miss <= walk', 'walk = done_'], None, None)"

# An equality broken on both sides: each side needs other µpaths.
status 1 "$HECATE" check linux-page-faults "$data" --exact --explain --json --observations '[gj]*'
is "each side has its own features" "$(json out '[(x["worst_off"] > 0, x["relaxed_by"][0]["features"]) for x in d["explanations"] if x["text"] == "PGF = Fu + Fk"]')" "[(True, ['D']), (False, ['A'])]"

# A certificate without a violated facet: the region crosses each facet, and misses the cone.
cat >corner.py <<'X'
import random
random.seed(5)
print("observation,a,b,c")
for i in range(400):
    u, v = random.gauss(0, 40), random.gauss(0, 2)
    print("corner,%d,%d,%d" % (1000 + v, 1002 + u, 1002 - u))
X
python3 corner.py >corner.csv
cat >corner.udd <<'X'
model corner; counter a; counter b; counter c;
feature split "b or c without a";
path p { count a; choose { case None: event n; case B: count b; case C: count c; case Both: count b; count c; } }
path q when split { choose { case B: count b; case C: count c; } }
X
status 1 "$HECATE" check corner.udd corner.csv --explain --json
is "a certificate is explained" "$(json out '[(x["combined"], x["text"] == d["observations"][0]["certificate"]["text"], d["observations"][0]["violated"], [r["features"] for r in x["relaxed_by"]], [r["alone"] for r in x["relaxed_by"]]) for x in d["explanations"]]')" \
	"[(True, True, [], [['split']], [1])]"

# Real programs, with features removed from the model: the proposal is the removed µpath or a smaller one.
cat >take_out.py <<'X'
import json, re, subprocess, sys
said = subprocess.run([sys.argv[1], "paths", "linux-page-faults", "--json"], capture_output=True, text=True, check=True).stdout
text = open(json.loads(said)["file"]).read()
for f in sys.argv[3:]:
    text = re.sub(r"feature %s .*\n" % f, "", text)
    text = re.sub(r" *case \w+ when %s:.*\n" % f, "", text)
    text = re.sub(r"path \w+ when %s \{.*?\n\}\n" % f, "", text, flags=re.S)
open(sys.argv[2], "w").write(text)
X
proposed() { json "$1" '" ".join("+".join(("%d*" % n if n > 1 else "") + c for c, n in s["coef"].items()) for s in d["proposals"]["signatures"])'; }
for row in "D=PGF" "C=Xkr" "A,B=Fu" "E,H=MIN" "C,D=PGF Xkr"; do
	features=${row%%=*} names=${row#*=}
	python3 take_out.py "$HECATE" without.udd $(echo "$features" | tr , ' ')
	status 0 "$HECATE" search ./without.udd "$data" --exact --json --draft draft.udd
	cp out without.json
	is "without $features: no survivor" "$(json without.json 'd["minimal"], d["complete"]')" "([], True)"
	is "without $features: proposed" "$(proposed without.json)" "$names"
	is "without $features: nothing smaller is enough" "$(json without.json 'd["proposals"]["whole"], d["proposals"]["smallest"]')" "(True, True)"
	is "without $features: one observation of the refusal refutes every model" "$(json without.json 'all(set(m["refuted_by"]) & set(d["refusal"]["observations"]) for m in d["models"]), d["refusal"]["smallest"], len(d["refusal"]["observations"])')" "(True, True, 1)"
	status 0 "$HECATE" check draft.udd "$data" --exact --variant drafts -q
	has "without $features: the draft survives" "$out" ': 0 infeasible'
	json without.json 'd["proposals"]["draft"]' | sed '/^$/d' >draft.text
	is "without $features: the draft's file has the text" "$(tail -n "$(grep -c . draft.text)" draft.udd)" "$(cat draft.text)"
done
python3 take_out.py "$HECATE" without.udd C
status 0 "$HECATE" search ./without.udd "$data" --exact --json
is "equally small and good alternatives are listed" "$(json out '[a["coef"] for a in d["proposals"]["signatures"][0]["alternatives"]]')" "[{'Xkw': 1}]"

# Two observations that some model allows one by one, but no model together.
cat >two.udd <<'X'
model two; counter a; counter b; counter c;
feature left excludes right; feature right;
path p { count a; } path l when left { count b; } path r when right { count c; }
X
printf 'observation,a,b,c\nx,5,3,0\nfine,1,0,0\ny,5,0,4\nz,2,0,2\n' >two.csv
status 0 "$HECATE" search two.udd two.csv --exact --json
is "the smallest set that no model allows" "$(json out 'd["orphans"], d["refusal"]')" "([], {'observations': ['x', 'y'], 'smallest': True})"
is "the proposal starts from the model with the fewest refutations" "$(json out 'd["proposals"]["to"], d["proposals"]["refuted_by"], d["proposals"]["signatures"][0]["coef"]')" "(['right'], ['x'], {'b': 1})"
status 0 "$HECATE" search two.udd two.csv --exact
has "text: the set" "$out" 'the smallest set of 2 observations that no model allows together: x, y'
has "text: the draft" "$out" 'path draft1 when draft1 \{ count b; done; \}'

# Noise: a flow that the model lacks is found in samples too, with each kind of region.
cat >noise.py <<'X'
import random
random.seed(1)
print("observation,a,b,c")
for name, more in (("calm", 0), ("merged", 1), ("more", 2)):
    for i in range(60):
        x, m, g = (s * random.gauss(1, .05) for s in (1000, 300, 200 * more))
        print("%s,%d,%d,%d" % (name, x + m, m, m + g))
X
python3 noise.py >noise.csv
cat >noise.udd <<'X'
model noise; counter a; counter b; counter c;
path p { count a; choose { case Hit: event hit; case Miss: count b; count c; } }
X
for region in ellipsoid box independent; do
	status 1 "$HECATE" check noise.udd noise.csv --region $region --propose --draft noise-draft.udd --json
	is "$region: proposed" "$(json out '[(s["coef"], s["repairs"], s["repaired"]) for s in d["proposals"]["signatures"]]')" "[({'c': 1}, 2, ['merged', 'more'])]"
	status 0 "$HECATE" check noise-draft.udd noise.csv --region $region --variant drafts
done
status 1 "$HECATE" check noise.udd noise.csv --family-wise --propose --explain --json
is "family-wise" "$(json out 'd["proposals"]["refuted_by"], d["explanations"][0]["broken_by"]')" "(['merged', 'more'], ['more', 'merged'])"

# Names in use, counters that need quotes, included files.
mkdir -p names/parts elsewhere
cat >names/parts/counters.udd <<'X'
// where they come from
counter a;
include "more.udd"; /* and one more */
X
printf 'counter "b:u"; // the last' >names/parts/more.udd
cat >names/names.udd <<'X'
model names; // a comment
include "parts/counters.udd"; // shared
feature draft1; path draft2 { count a; count "b:u"; } variant drafts { draft1 };
include "parts/more.udd";

path p when draft1 { count a; /* inside */ count "b:u"; }
X
cp -r names kept
printf 'observation,a,b:u\nx,2,5\n' >names.csv
status 1 "$HECATE" check names/names.udd names.csv --exact --draft names/draft.udd --json
is "the draft takes unused names" "$(json out 'd["proposals"]["signatures"][0]["feature"], d["proposals"]["variant"]')" "('draft3', 'drafts1')"
is "in the model's folder: the model's text, then the drafts" "$(head -c "$(wc -c <names/names.udd)" names/draft.udd)" "$(cat names/names.udd)"
status 0 "$HECATE" check names/draft.udd names.csv --exact --variant drafts1
"$HECATE" print names/draft.udd >beside.print
status 1 "$HECATE" check names/names.udd names.csv --exact --draft elsewhere/draft.udd --json
status 0 "$HECATE" check elsewhere/draft.udd names.csv --exact --variant drafts1
is "in another folder: the same model" "$("$HECATE" print elsewhere/draft.udd)" "$(cat beside.print)"
cat names/names.udd names/parts/*.udd | grep -oE '//.*|/\*.*\*/' >comments
is "  with the comments of all files" "$(wc -l <comments) $(grep -cFf comments elsewhere/draft.udd)" "6 6"
is "  with the included files in their places" "$(sed '/^$/,$d' elsewhere/draft.udd)" 'model names; // a comment
// include "parts/counters.udd"; // shared
// where they come from
counter a;
// include "more.udd";
counter "b:u"; // the last
// end of "more.udd"
 /* and one more */
// end of "parts/counters.udd"
feature draft1; path draft2 { count a; count "b:u"; } variant drafts { draft1 };
// include "parts/more.udd";
// "parts/more.udd" stands above'
status 2 "$HECATE" check names/names.udd names.csv --exact --draft names/parts/more.udd
has "a file of the model is not overwritten" "$err" 'names/parts/more.udd is a file of the model'
is "  nor any other" "$(rm -f names/draft.udd && diff -r names kept)" ""

# Nothing to propose, and bad input.
status 0 "$HECATE" check two.udd two.csv --exact --observations fine --propose --draft none.udd
has "no signature is needed" "$out" 'no signature is needed'
has "  so no file is written, and a message says so" "$err" 'none.udd was not written'
is "no file" "$(ls none.udd 2>/dev/null)" ""
status 2 "$HECATE" search two.udd two.csv --exact --draft nowhere/x.udd
has "a folder that does not exist" "$err" 'cannot write nowhere/x.udd'
is "  and nothing on standard output" "$out" ""
status 2 "$HECATE" search two.udd two.csv --exact --propose
has "search always proposes: it does not take --propose" "$err" 'propose'
status 2 "$HECATE" check two.udd other.csv --exact --explain
printf 'observation,a,b\nx,1,2\n' >one-row.csv
status 2 "$HECATE" check two.udd one-row.csv --explain --propose --json
is "undecided: nothing to explain" "$(json out 'd["explanations"], d["proposals"]["signatures"], d["proposals"]["whole"]')" "([], [], True)"

# A column of zeros may not have been counted. A counter that no µpath raises must be 0; one that is not 0 elsewhere in
# the file was counted.
cat >dead.udd <<'X'
model dead; counter a; counter b; counter never; counter seldom; feature f;
path p { count a; choose { case One: count b; case Two: count b * 2; case More: count b; count seldom; } }
path z when f { count never; }
X
printf 'observation,a,b,never,seldom\no,10,0,0,0\nq,20,0,0,0\nr,0,0,0,1\n' >dead.csv
status 1 "$HECATE" check dead.udd dead.csv --exact --explain --json
is "only the suspicious counter is warned of" "$(json out '[w["text"].split(" ")[0] for w in d["warnings"] if w["code"] == "zero-suspect"]')" "['b']"
is "each observation warns" "$(json out '[[w["code"] for w in o["warnings"]] for o in d["observations"]]')" "[['zero-suspect'], ['zero-suspect'], ['zero-suspect']]"
is "the refutation may be due to the counter" "$(json out '[(x["text"], x["miscounts"][0]["counter"], x["miscounts"][0]["zero"]) for x in d["explanations"] if x["text"] == "a <= b"]')" "[('a <= b', 'b', True)]"
has "text" "$("$HECATE" check dead.udd dead.csv --exact --explain)" 'or a counter is wrong: b reads 0 throughout; perhaps it was not counted'
status 1 "$HECATE" check dead.udd dead.csv --exact --features f --json
is "with a µpath that raises it" "$(json out '[w["text"].split(" read")[0] for w in d["warnings"] if w["code"] == "zero-suspect"]')" "['b, never']"
status 1 "$HECATE" check dead.udd dead.csv --exact --observations '[oq]' --json
is "observations that were left out show that a counter was counted" "$(json out '[w["text"].split(" ")[0] for w in d["warnings"] if w["code"] == "zero-suspect"]')" "['b']"
printf 'observation,a,b\no,0,0\n' >nothing.csv
status 2 "$HECATE" check dead.udd nothing.csv --exact --json
is "if nothing was counted, no single counter is suspicious" "$(json out '[w["code"] for w in d["warnings"] if w["code"] == "zero-suspect"]')" "[]"

# What the kernel counts is 0 where it reads 0: counted here, and by its name in a CSV.
status 0 "$HECATE" check linux-page-faults --features A,B,C,D,E,H --json -- ls
is "a command counted here" "$(json out '[w["code"] for w in d["warnings"] if w["code"] == "zero-suspect"]')" "[]"
printf 'model faults; counter f = "page-faults"; counter m = "major-faults"; path p { count f; choose { case Minor: case Major: count m; } }\n' >faults.udd
status 0 "$HECATE" record -q -m faults.udd -o faults.hecate -- ls
status 0 "$HECATE" check faults.hecate --json
is "… and its session file" "$(json out '[w["code"] for w in d["warnings"] if w["code"] == "zero-suspect"]')" "[]"
status 0 "$HECATE" export faults.hecate -o faults.csv
status 0 "$HECATE" check faults.udd faults.csv --exact --json
is "… and its counts from elsewhere" "$(json out '[w["text"].split(" ")[0] for w in d["warnings"] if w["code"] == "zero-suspect"]')" "[]"

done_testing
