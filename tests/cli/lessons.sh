#!/bin/sh
# The lessons: each can be played, is short, and its figures are those that hecate prints on the lesson's data.
. "$HECATE_TESTS/lib/tap.sh"
lessons=$(cd "$HECATE_TESTS/../models/lessons" && pwd)
cd "$lessons" || exit 1

is "there are ten" "$(ls ./*.lesson | wc -l | tr -d ' ')" 10
for lesson in *.lesson; do
	check "$lesson can be played" "$HECATE" grade "$lesson" --check
done
big=$(find . -type f -size +20k)
is "no file is larger than 20 KB" "$big" ""

# Strings side by side are one text.
py - *.lesson >"$tmp/lengths" <<'END'
import re, sys
STRING = r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*'
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8").read()
    steps = re.findall(r'^step "([^"]*)" \{\n(.*?)^\}', text, re.S | re.M)
    if not 6 <= len(steps) <= 12:
        print(path, "has", len(steps), "steps")
    for title, body in steps:
        words = sum(len(said.split()) for said in re.findall(r"\ttext (" + STRING + ")", body))
        if words > 60:
            print(path, title, words, "words")
    wrong = len(re.findall(r"^\s+wrong |\bbecause ", text, re.M))
    if wrong < 3:
        print(path, "anticipates", wrong, "wrong ways")
    if "task" in steps[-1][1] or "Next" not in steps[-1][1]:
        print(path, "does not end with what to try next")
END
is "six to twelve steps of sixty words, three wrong ways, and what to do next" "$(cat "$tmp/lengths")" ""

# says LESSON TEXT: the lesson says that
says() { has "$1 says $2" "$(tr '\n\t' '  ' <"$1.lesson" | sed 's/" *"/ /g' | tr -s ' ')" "$2"; }

status 1 "$HECATE" check linux-page-faults page-faults.csv --exact -q
has "five programs refute the textbook" "$out" "8 observations: 5 infeasible"
has "gcc has two faults too many" "$out" "\(PGF\) exceed .* page faults from user code"
status 1 "$HECATE" check linux-page-faults page-faults.csv --exact -q --features D
has "two are left with D" "$out" ": 2 infeasible"
status 0 "$HECATE" search linux-page-faults page-faults.csv --exact -q
has "A, D and E are required" "$out" "^required +A, D, E"

status 1 "$HECATE" check minor-major.udd faults-plain.csv --exact -q
has "all five refute the model to begin with" "$out" "5 infeasible"
status 0 "$HECATE" check minor-major-solution.udd faults-plain.csv --exact -q
status 1 "$HECATE" check minor-major-solution.udd faults-signal.csv --exact -q
has "java lost a fault" "$out" "4.758 - 4 \+ 4.753 \+ 8 = -1"
status 0 "$HECATE" check with-signal-solution.udd faults-plain.csv faults-signal.csv --exact -q
status 1 "$HECATE" check with-signal-solution.udd faults-lost.csv --exact -q
status 0 "$HECATE" constraints with-signal-solution.udd -q
has "the equation becomes an inequality" "$out" "MIN \+ MAJ ≤ Fu \+ Fk"

status 1 "$HECATE" check tlb.udd tlb.csv --exact -q
has "strided breaks the rule" "$out" "walks ≤ misses +off by \+400"
status 0 "$HECATE" check tlb.udd tlb.csv --exact -q --features prefetch

for count in 6: 6:merging 2:early_psc,merging 0:tlb_pf,early_psc,merging; do
	on=${count#*:}
	out=$("$HECATE" check haswell-mmu haswell.csv --exact -q ${on:+--features "$on"})
	has "Haswell with ${on:-nothing}" "$out" "10 observations: ${count%%:*} infeasible"
done
status 0 "$HECATE" search haswell-mmu haswell.csv --exact -q
has "three features are required" "$out" "^required +tlb_pf, early_psc, merging"
has "two are optional" "$out" "^optional +pml4e, bypass"
says haswell "24.982 stores"
says haswell "86 were served by the first cache, 12 by memory"
is "the counts of linear-8" "$(sed -n '/^observation/p; /^linear-8/p' haswell.csv | py -c '
import csv, sys
r = list(csv.DictReader(sys.stdin))[0]
print(r["walk_ref.l1"], r["walk_ref.mem"], r["load.walk_done"], r["store.ret"])')" "86 12 0 0"

status 1 "$HECATE" check walks.udd correlated.csv -q
has "the ellipse refutes, the box does not" "$out" "✗ infeasible +together .* cone ✗ ellipsoid ✗ box ✗ independent ✓"
has "by 46, 0.78 %" "$out" "by 45\.7 \(0\.78 %"
has "nothing refutes without the pairing" "$out" "✓ feasible +shuffled .* cone ✓ ellipsoid ✓ box ✓ independent ✓"

status 1 "$HECATE" check turns.udd rotation.csv -q --json
means=$(json "$tmp/out" '[[round(c["mean"]) for c in o["values"]] for o in d["observations"]]' 2>&1)
has "the kernel's turns" "$means" "\[5895, 14524, 39660\]"
has "no turns" "$means" "\[20187, 20187, 20187\]"
has "only the kernel's turns refute" "$(json "$tmp/out" '[o["name"] for o in d["observations"] if o["verdict"] == "infeasible"]')" "^\['by-the-kernel'\]$"

status 0 "$HECATE" determinism core2.csv --expected core2-expected.csv -q --json
COLUMNS=120 "$HECATE" determinism core2.csv --expected core2-expected.csv -q >"$tmp/core2"
core2=$(cat "$tmp/core2")
has "instructions, corrected exactly" "$core2" "^inst_retired +all +10 +226.990.030 +227.003.685 +13 +226.990.030"
has "branches, and 100 000" "$core2" "overcounted instructions: \+100.000 a run"
has "loads, and 1 770 000" "$core2" "overcounted instructions: \+1.770.000 a run"
has "the noisy one" "$core2" "^cond_branches .* 36 .* noisy"
has "the exact one" "$core2" "^stores_retired .* 24.060.000 +0 .* deterministic"

status 0 "$HECATE" stack truth,fmt,naive cycles.csv -q
has "a base below zero" "$out" "^ base +0\.2774 +0\.2535 +−6\.2508"
has "memory" "$out" "^ l2d +3\.1604 +3\.3277 +8\.7516"
has "the worst errors" "$out" "worst error, % +· +4\.4 +171\.8"
has "eon-like" "$out" "worst error, % +· +0\.61 +6\.4"
has "without misses of the second cache" "$out" "if all l2d went away: CPI 0\.6392, 5\.94×"

status 0 "$HECATE" probe rob --on sim:kmh
has "the reorder buffer" "$out" "^rob +160 entries \(160 to 162\)"
status 0 "$HECATE" probe rob_nops int_registers load_queue --on sim:kmh
has "nops" "$out" "^rob_nops +≥ 461"
has "registers" "$out" "^int_registers +182"
has "loads" "$out" "^load_queue +72"

"$HECATE" net linux-vm cksum.csv -q | sed "s/$(printf "\342\200\211")/ /g" >"$tmp/net"
is "reads, cold and warm" "$(sed -n 's/^  page cache, read *· *\([0-9 ]*[0-9]\)  .*/\1/p' "$tmp/net" | tr '\n' ' ')" "4 582 4 582 "
is "the disk, cold and warm" "$(sed -n 's/^  disk *· *//p' "$tmp/net" | tr -s ' ' | tr '\n' ';')" "3 0 · 76 884 963;0 0 · 0 260 260;"

# A class: what students see and what only the teacher has, judged again.
cd "$HECATE_TESTS/data/lessons/class" || exit 1
first() { status 0 "$HECATE" grade first-model "$1.udd" --cases first-model.cases -q; }
first good
has "the right model" "$out" "^score 7 of 7$"
first idle
has "a model handed in as it was" "$out" "^ 0 of 2 +step 6"
first anything
has "a model that accepts everything" "$out" "^ 0 of 2 +case +a fault that got two pages"
first fitted
has "a model made for the data that are seen passes these" "$out" "^ 2 of 2 +step 6"
has "and fails where the data are not seen" "$out" "^ 0 of 2 +case +two faults of twenty"
first broken
has "a model with an error" "$out" "^score 0 of 7$"
status 0 "$HECATE" grade first-model ./*.udd --cases first-model.cases --json -q
is "a class" "$(json "$tmp/out" '[a["points"] for a in d["answers"]]')" "[3, 0, 5, 7, 3]"
status 0 "$HECATE" grade page-faults page-faults-ann page-faults-ben --json
is "answers are judged again, whatever they claim" "$(json "$tmp/out" '[a["points"] for a in d["answers"]]')" "[8, 0]"
status 2 "$HECATE" --lesson first-model
has "a lesson without a terminal is no missing file" "$err" '^hecate: the explorer needs a terminal'
done_testing
