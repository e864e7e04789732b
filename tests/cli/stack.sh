#!/bin/sh
# hecate stack: accounts of recorded data, several methods, --check, JSON, bad input.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
cat >small.stack <<'X'
stack small "a small one" per thread;
counter c = "cycles" per thread unit cycles; counter i = "instructions" per thread unit instructions;
counter a = "EVENT_A" or "EVENT_B" + "EVENT_C" per thread unit cycles; counter b = "EVENT_D" per thread unit cycles;
whole all = c; figure "CPI" = c / i;
part first "the first" key "F" = a { part inner key "n" = b; part outer = first - inner; }
rest base key "B";
X
printf 'observation,cpu-cycles,instructions,EVENT_A,event_d:u\none,500,100,200,50\none,500,400,100,100\ntwo,100,100,300,400\n' >small.csv

# By hand: 1000 cycles, 500 instructions, first 300, inner 150.
status 0 "$HECATE" stack small.stack small.csv --json
cp out small.json
is "the whole and the figure" "$(json small.json 'd["schema"], [(b["whole"], b["figure"]) for x in d["observations"] for b in x["bars"]]')" \
	"('hecate.stack/1', [(1000, 2), (100, 1)])"
is "parts to the last digit" "$(json small.json '[(p["name"], p["parent"], p["value"], p["share"], p["figure"]) for p in d["observations"][0]["bars"][0]["parts"]]')" \
	"[('first', None, 300, 0.3, 0.6), ('inner', 'first', 150, 0.15, 0.3), ('outer', 'first', 150, 0.15, 0.3), ('(not accounted for)', 'first', 0, 0, 0), ('base', None, 700, 0.7, 1.4)]"
is "samples and sources" "$(json small.json '[(x["name"], x["samples"], x["source"]) for x in d["observations"]]')" "[('one', 2, 'small.csv'), ('two', 1, 'small.csv')]"
is "user-side counting is reported" "$(json small.json '[n for n in d["observations"][0]["bars"][0]["notes"]]')" "['counted in user space only: b']"
is "too much: by how much" "$(json small.json 'd["observations"][1]["bars"][0]["over"], d["observations"][1]["bars"][0]["parts"][4]["value"], d["observations"][1]["bars"][0]["parts"][2]["raw"]')" "(200, 0, -100)"
has "too much is reported, with possible reasons" "$(json small.json '"\n".join(d["observations"][1]["bars"][0]["notes"])')" '^the parts of all add up to 200 more than it \(200\.0 % of it\): events may overlap or skid'
has "below zero is reported" "$(json small.json '"\n".join(d["observations"][1]["bars"][0]["notes"])')" '^outer is below zero \(-100\): shown as 0'
has "why a level is too much: the part that was raised" "$(json small.json '"\n".join(d["observations"][1]["bars"][0]["notes"])')" '^the parts of first add up to 100 more than it .*: 100 come from parts below zero'

status 0 "$HECATE" stack small.stack small.csv --observations one --ascii
is "plain text in ASCII" "$(printf '%s' "$out" | LC_ALL=C tr -d ' -~\n' | wc -c)" 0
has "the bar" "$out" '^ n########o%%%%%%%%B\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.$'
is "the bar is 60 columns" "$(printf '%s\n' "$out" | sed -n 3p | tr -d '\n' | wc -c)" 61
has "a row" "$out" '^ F   first +30.0 +300 +0.6000  the first$'
has "a row below it" "$out" '^ n## +inner +15.0 +150 +0.3000$'
has "the other observation is left out" "$(printf '%s\n' "$out" | grep -c '^two')" '^0$'
status 0 "$HECATE" stack small.stack small.csv --observations one
has "the bar in UTF-8" "$out" '^ n████████o▓▓▓▓▓▓▓▓B░'
status 0 "$HECATE" stack small.stack small.csv small.csv --json
is "equal names get numbers" "$(json out '[x["name"] for x in d["observations"]]')" "['one', 'two', 'one#2', 'two#2']"

# Phases: a bar for each, at the changes of the counters that the stacks use. The parts of the phases add up to those of
# the whole.
expect=$HECATE_TESTS/screens/expect
status 0 "$HECATE" stack "$expect/time.stack" "$expect/phased.csv" --split-phases --json
cp out phased.json
is "phases begin where the level changes" "$(json phased.json '[(x["name"], x["samples"]) for x in d["observations"]]')" "[('import@1', 20), ('import@2', 25), ('import@3', 25), ('watch', 70)]"
status 0 "$HECATE" stack "$expect/time.stack" "$expect/phased.csv" --json
cp out whole.json
sums='[[p["value"] for p in b["parts"]] for x in d["observations"] if x["name"].startswith("import") for b in x["bars"]]'
is "  and their sum is the whole" "$(json phased.json "[sum(v) for v in zip(*(map(lambda q: q or 0, r) for r in $sums))]")" "$(json whole.json "[v or 0 for v in ($sums)[0]]")"
status 0 "$HECATE" stack "$expect/time.stack" "$expect/phased.csv" --split-phases --observations import --json
is "a name stands for all phases" "$(json out '[x["name"] for x in d["observations"]]')" "['import@1', 'import@2', 'import@3']"
status 0 "$HECATE" stack "$expect/time.stack" "$expect/phased.csv" --split-phases --observations 'import@2' --json
is "or one" "$(json out '[x["name"] for x in d["observations"]]')" "['import@2']"

# The second alternative, and a missing counter: what it makes unknown.
printf 'cycles,instructions,EVENT_B,EVENT_C\n1000,500,100,150\n' >lacks.csv
status 0 "$HECATE" stack small.stack lacks.csv --json
is "alternatives are added up" "$(json out '[(p["name"], p["value"]) for p in d["observations"][0]["bars"][0]["parts"]]')" \
	"[('first', 250), ('inner', None), ('outer', None), ('(not accounted for)', 250), ('base', 750)]"
is "the missing counter" "$(json out 'd["observations"][0]["bars"][0]["missing"]')" "[{'counter': 'b', 'why': 'not in the data'}]"
has "the parts that become unknown" "$(json out '"\n".join(d["observations"][0]["bars"][0]["notes"])')" '^no count of b \(not in the data\): inner, outer cannot be computed$'
status 0 "$HECATE" stack small.stack lacks.csv
has "an unknown part is a question mark" "$out" '^ n.. +inner +\? +\? +\?$'
printf 'instructions,EVENT_A,EVENT_D\n5,1,1\n' >nothing.csv
status 2 "$HECATE" stack small.stack nothing.csv
has "the whole is unknown" "$err" 'nothing could be accounted for.*--check'
printf 'cycles,instructions,EVENT_A,EVENT_D\n1000,0,1,1\n' >zero.csv
status 0 "$HECATE" stack small.stack zero.csv
has "a division by zero" "$out" 'CPI has no value: what it is divided by is 0'
printf 'cycles,instructions,EVENT_A,EVENT_D\n100,10,1,1\n100,10,,1\n' >holes.csv
status 0 "$HECATE" stack small.stack holes.csv --json
is "rows without a count" "$(json out 'd["observations"][0]["bars"][0]["parts"][0]["value"], d["observations"][0]["bars"][0]["notes"]')" \
	"(2, ['a was not counted in 50.0 % of the samples; its mean is used for them'])"

# Session files, and output of perf stat: if there is too much, extrapolated counters are named.
status 0 "$HECATE" import -q -o small.hecate small.csv
status 0 "$HECATE" stack small.stack small.hecate --json
is "a session file gives the same" "$(json out '[b["parts"] for x in d["observations"] for b in x["bars"]]')" "$(json small.json '[b["parts"] for x in d["observations"] for b in x["bars"]]')"
printf '1000,,cycles,100,100.00,,\n500,,instructions,100,100.00,,\n1200,,EVENT_A,25,25.00,,\n100,,EVENT_D,100,100.00,,\n' >perf.csv
status 0 "$HECATE" stack small.stack perf.csv --json
is "perf stat" "$(json out '[(b["whole"], b["over"]) for x in d["observations"] for b in x["bars"]]')" "[(1000, 200)]"
has "multiplexing is named as a reason" "$(json out '"\n".join(d["observations"][0]["bars"][0]["notes"])')" 'a was counted for 25\.0 % of the time and scaled up;'
printf '<not counted>,,cycles,0,0.00,,\n500,,instructions,100,100.00,,\n' >none.csv
status 2 "$HECATE" stack small.stack none.csv
# Control characters in names from files are shown, never sent.
printf 'stack "a\033b" per core; counter c = "cycles" per core unit cycles; whole "w\033x" = c; part "p\033q" = 2 * c; figure "f\033g" = c;' >esc.stack
for how in "esc.stack" "esc.stack,esc.stack" "esc.stack --check"; do
	case $how in *check) data=--check ;; *) data=small.csv ;; esac
	# shellcheck disable=SC2086
	"$HECATE" stack ${how%% *} $data >esc.out 2>&1
	is "$how: no control character" "$(LC_ALL=C tr -d ' -~\n\200-\377' <esc.out | wc -c)" 0
	has "$how: it is visible" "$(cat esc.out)" 'p.x1[bB]q'
done

# A source other than perf's events, by its exact name only.
cat >stall.stack <<'X'
stack stall per task; counter run = source "stall:run" per task unit us; counter wait = source "stall:wait" per task unit ns;
counter t = source "elapsed" per task unit ns; whole time = t; part on_cpu = run; part queue = wait; exclusive;
X
printf 'stall:run,stall:wait,elapsed\n3,4000,10000\n' >stall.csv
status 0 "$HECATE" stack stall.stack stall.csv --json
is "classes of a source, in units" "$(json out '[(p["name"], p["value"]) for p in d["observations"][0]["bars"][0]["parts"]]')" "[('on_cpu', 3000), ('queue', 4000), ('(not accounted for)', 3000)]"
has "the rest is never hidden" "$(json out '"\n".join(d["observations"][0]["bars"][0]["notes"])')" '^no part accounts for 3 000 of time$'
is "no figure" "$(json out 'd["stacks"][0]["figure"], d["observations"][0]["bars"][0]["figure"]')" "(None, None)"

# Several methods, of the installed ones.
unset HECATE_MODELS # in the tree that hecate was built from
cat >gcc.csv <<'X'
CPU_CLK_UNHALTED.THREAD,INST_RETIRED.ANY,IDQ_UOPS_NOT_DELIVERED.CORE,UOPS_ISSUED.ANY,UOPS_RETIRED.RETIRE_SLOTS,INT_MISC.RECOVERY_CYCLES,BR_MISP_RETIRED.ALL_BRANCHES,ICACHE.MISSES,MEM_LOAD_UOPS_RETIRED.L2_HIT,MEM_LOAD_UOPS_RETIRED.L3_HIT,MEM_LOAD_UOPS_RETIRED.L3_MISS,DTLB_LOAD_MISSES.STLB_HIT,DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK
1000000,800000,600000,1300000,1000000,20000,5000,8000,10000,2000,1500,900,300
X
status 0 "$HECATE" stack topdown-l1-hsw,naive-hsw gcc.csv --ascii
has "a bar for each" "$out" '^ naive_hsw +B#+b'
has "parts of one method" "$out" '^ back_end +0\.6312 +\.$'
has "parts of the other method" "$out" '^ DRAM +\. +0\.3750$'
status 0 "$HECATE" stack topdown-l1-hsw,naive-hsw gcc.csv --json
is "both in the document" "$(json out '[s["name"] for s in d["stacks"]], [round(sum(p["figure"] for p in b["parts"] if not p["parent"]), 9) for b in d["observations"][0]["bars"]]')" "(['topdown_l1_hsw', 'naive_hsw'], [1.25, 1.25])"

status 0 "$HECATE" stack topdown-l1-hsw,topdown-l2-hsw gcc.csv --ascii -q
is "parts come after what they are part of" "$(printf '%s\n' "$out" | sed -n '5,$s/^ \( *[^ ]*\) .*/\1/p' | tr '\n' ';')" \
	"retiring;  microcoded;  plain;  (not;bad_spec;  mispredicts;  machine_clears;  (not;front_end;  latency;  bandwidth;  (not;back_end;  memory_bound;  core_bound;  (not;"
is "the rest of each parent is its own" "$(printf '%s\n' "$out" | awk '/not accounted/ { print $NF }' | tr '\n' ' ')" "0.3125 0.1187 0.1875 0.6312 "

H='counter c = "cycles" per thread unit cycles; whole w = c;'
echo "stack one per thread; $H part y = c / 2 { part x = c / 4; }" >one.stack
echo "stack other per thread; $H part x = c / 2 { part y = c / 4 { part x2 = y; } }" >other.stack
status 0 "$HECATE" stack one.stack,other.stack lacks.csv --ascii -q
is "parts that are parts of each other" "$(printf '%s\n' "$out" | sed -n '5,$s/^ \(.*[^ ]\) *$/\1/p' | tr -s ' ' | tr '\n' ';')" \
	"y 50.0 .; x 25.0 .; (not accounted for) 25.0 .;(not accounted for) 50.0 50.0;x . 50.0; y . 25.0; x2 . 25.0; (not accounted for) . 25.0;"

# --check
for s in topdown-l1-hsw topdown-l2-hsw naive-hsw topdown-l1-spr topdown-l2-spr naive-spr; do
	status 0 "$HECATE" stack $s --check
	is "$s: nothing to be warned of" "$err" ""
done
status 0 "$HECATE" stack topdown-l2-spr --check
has "choices are listed" "$out" '^  all +slots or TOPDOWN.SLOTS or TOPDOWN.SLOTS_P, per thread in slots$'
has "parts are listed" "$out" '^    C core_bound = back_end - memory_bound$'
sed 's/"EVENT_D"/unresolved/' small.stack >unresolved.stack
status 0 "$HECATE" stack unresolved.stack --check
has "unresolved ones are counted" "$out" '^4 counters, 1 of them unresolved$'
status 0 "$HECATE" stack unresolved.stack --check --json
is "unresolved in JSON" "$(json out '[c["name"] for c in d["stacks"][0]["counters"] if c["unresolved"]], d["observations"]')" "(['b'], [])"

# Bad input.
status 2 "$HECATE" stack
has "no stack" "$err" 'needs a stack'
status 2 "$HECATE" stack small.stack
has "no data" "$err" 'stack needs data.*--check'
status 2 "$HECATE" stack small.stack small.csv --check
has "--check and data" "$err" 'leave out the data'
status 2 "$HECATE" stack topdown-l1-hws gcc.csv
has "nearest name" "$err" 'nearest: topdown-l1-hsw'
status 2 "$HECATE" stack small.csv small.csv
has "data first" "$err" 'small.csv is data, but no stack is given'
status 2 "$HECATE" stack small.stack no.csv
has "no such data" "$err" 'cannot open no.csv'
status 2 "$HECATE" stack small.stack small.csv --observations 'x*'
has "no such observation" "$err" 'does --observations match'
status 2 "$HECATE" stack topdown-l1-hsw, gcc.csv
sed 's/rest base/exclusive; part more = a; rest base/' small.stack >overlap.stack
status 2 "$HECATE" stack overlap.stack small.csv
has "overlap: place" "$err" "overlap.stack:6:[0-9]+: 'more' overlaps with 'first': both add 'a'"
has "overlap: caret" "$err" '^ *\^~*'
sed 's/= first - inner/= first - i/' small.stack >units.stack
status 2 "$HECATE" stack units.stack small.csv
has "units" "$err" 'cycles and instructions do not go together'
sed 's/part inner key "n" = b/part inner key "n" = b \/ (3 - 3)/' small.stack >div.stack
status 2 "$HECATE" stack div.stack small.csv
has "division by zero" "$err" 'div.stack:5:.*a division by zero'
sed 's/= first - inner/= fist - inner/' small.stack >near.stack
status 2 "$HECATE" stack near.stack small.csv
has "nearest part" "$err" "'fist' is not known here; nearest: first"
status 2 "$HECATE" stack small.stack small.csv -o /nowhere/x
has "output" "$err" 'cannot write /nowhere/x'
done_testing
