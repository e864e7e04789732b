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
is "user-side counting is reported" "$(json small.json '[n for n in d["observations"][0]["bars"][0]["notes"]]')" "['counted in one mode only: b (user mode)', 'not counted alike: cpu-cycles (every mode) and event_d:u (user mode)']"
is "too much: by how much" "$(json small.json 'd["observations"][1]["bars"][0]["over"], d["observations"][1]["bars"][0]["parts"][4]["value"], d["observations"][1]["bars"][0]["parts"][2]["raw"]')" "(200, 0, -100)"
has "too much is reported, with possible reasons" "$(json small.json '"\n".join(d["observations"][1]["bars"][0]["notes"])')" '^the parts of all add up to 200 more than it \(200\.0 % of it\), so base is below zero: events may overlap or skid'
has "below zero is reported" "$(json small.json '"\n".join(d["observations"][1]["bars"][0]["notes"])')" '^outer is below zero \(-100\): its formula takes off more'
is "below zero: the signed values add up to the whole" "$(json small.json '[(p["name"], p["raw"], p["negative"], p["raw_share"], p["raw_figure"]) for p in d["observations"][1]["bars"][0]["parts"]]')" \
	"[('first', 300, False, 3, 3), ('inner', 400, False, 4, 4), ('outer', -100, True, -1, -1), ('(not accounted for)', 0, False, 0, 0), ('base', -200, True, -2, -2)]"
is "  and value and over are as they always were" "$(json small.json '[(p["value"], p["over"], p["share"]) for p in d["observations"][1]["bars"][0]["parts"]]')" \
	"[(300, 100, 3), (400, 0, 4), (0, 0, 0), (0, 0, 0), (0, 0, 0)]"
status 0 "$HECATE" stack small.stack small.csv --observations two --ascii
has "an error is drawn left of zero" "$out" '^ B<+o<+\|n#+\|#+$'
has "and printed with a minus" "$out" '^ B\.\. base +-200\.0 +-200 +-2\.0000$'

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
has "the parts that become unknown" "$(json out '"\n".join(d["observations"][0]["bars"][0]["notes"])')" '^no count of b \(not in the data\): inner, outer cannot be computed; count its events \(--check lists them\), or name a column so$'
status 0 "$HECATE" stack small.stack lacks.csv
has "an unknown part is a question mark" "$out" '^ n.. +inner +\? +\? +\?$'
printf 'instructions,EVENT_A,EVENT_D\n5,1,1\n' >nothing.csv
status 2 "$HECATE" stack small.stack nothing.csv
has "the whole is unknown" "$err" 'nothing could be accounted for.*--check'
printf 'cycles,instructions,EVENT_A,EVENT_D\n1000,0,1,1\n' >zero.csv
status 0 "$HECATE" stack small.stack zero.csv
has "a division by zero" "$out" 'CPI has no value: i, by which it is divided, is 0$'
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

# Parts that cannot be right say what, where, and what to do.
cat >wrong.stack <<'X'
stack wrong per thread; counter c = "cycles" per thread unit cycles; counter a = "A" per thread unit cycles;
counter d = "D" per thread unit requests; counter e = "E" per thread unit requests; whole all = c;
part p = a * d / (d + e); part q = a; part chained = p; rest base;
X
printf 'cycles,A,D,E\n100,80,0,0\n' >by-zero.csv
status 0 "$HECATE" stack wrong.stack by-zero.csv
has "a divisor that is 0 is named, with a remedy" "$out" '^ ! p has no value: d \+ e, by which it is divided, is 0; max\(d \+ e, 1 requests\) would give it one$'
has "  through another part, too" "$out" '^ ! chained has no value: d \+ e, by which it is divided, is 0;'
has "  and the rest says that it holds these parts" "$out" '^ ! 20 of all \(base\) also holds the parts that cannot be computed$'
printf 'cycles,A,D,E\n100,80,5,5\n' >too-much.csv
status 0 "$HECATE" stack wrong.stack too-much.csv
has "parts that overlap are named" "$out" '^ ! the parts of all add up to 60 more than it \(60\.0 % of it\), so base is below zero: p and q both add a$'
printf 'stack large per core; counter c = "cycles" per core unit cycles; whole w = c; part p = c * 1e308 * 10;' >large.stack
status 0 "$HECATE" stack large.stack small.csv
has "too large for a number" "$out" 'p has no value: it is too large for a number$'

# Several methods, of the installed ones.
unset HECATE_MODELS # in the tree that hecate was built from
cat >gcc.csv <<'X'
CPU_CLK_UNHALTED.THREAD,INST_RETIRED.ANY,IDQ_UOPS_NOT_DELIVERED.CORE,UOPS_ISSUED.ANY,UOPS_RETIRED.RETIRE_SLOTS,INT_MISC.RECOVERY_CYCLES,BR_MISP_EXEC.ALL_BRANCHES,ICACHE.MISSES,L2_RQSTS.CODE_RD_MISS,ITLB_MISSES.STLB_HIT,ITLB_MISSES.MISS_CAUSES_A_WALK,L2_RQSTS.ALL_DEMAND_DATA_RD,L2_RQSTS.DEMAND_DATA_RD_MISS,LONGEST_LAT_CACHE.MISS,DTLB_LOAD_MISSES.STLB_HIT,DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK
1000000,800000,600000,1300000,1000000,20000,5000,8000,400,100,20,13500,3500,1500,900,300
X
status 0 "$HECATE" stack topdown-l1-hsw,naive-hsw gcc.csv --ascii
has "a bar for each" "$out" '^ naive_hsw +B#+b'
has "parts of one method" "$out" '^ back_end +0\.6312 +\.$'
has "parts of the other method" "$out" '^ l3d +\. +0\.3113$'
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

# A reference: what the others are compared with. By hand: 1240 cycles, in thousands; l2d 400 of them; naive 3200 misses
# of 250 cycles.
core=$expect/made-core.csv
status 0 "$HECATE" stack naive,fmt,truth "$core" --observations twolf --json
is "the reference in the document" "$(json out '[s["reference"] for s in d["stacks"]], [b["worst"] and b["worst"]["part"] for b in d["observations"][0]["bars"]]')" "([False, False, True], ['base', 'l1i', None])"
is "an error is a difference of shares" "$(json out '[(round(p["error"] * 1240, 6), round(p["gain"], 6)) for b in d["observations"][0]["bars"][:1] for p in b["parts"] if p["name"] == "l2d"]')" "[(336.0, $(python3 -c 'print(round(1240 / 504, 6))'))]"
is "the reference has no errors" "$(json out 'set(p["error"] for p in d["observations"][0]["bars"][2]["parts"])')" "{None}"
status 0 "$HECATE" stack naive,fmt,truth "$core" --observations twolf --ascii -q
has "what is off is marked" "$out" '^ l2d +0\.7360\* +0\.4050 +0\.4000 $'
has "what is not comparable is not" "$out" '^ unit +\. +0\.0000 +\. $'
has "the worst error of each" "$out" '^ worst error, % +61\.2 +0\.65 +\. $'
has "the threshold" "$out" '^ \* off by more than 7 % of the whole from truth$'
has "what the largest part would gain" "$out" '^ if all l2d went away: CPI 0\.8400, 1\.48x \(naive: 2\.46x\)$'
has "zero is at one place" "$(printf '%s\n' "$out" | sed -n 2,4p | cut -c22-82 | awk '{ print index($0, "|") }' | sort -u | wc -l)" '^1$'
status 0 "$HECATE" stack truth "$core" -q
has "alone it is a stack like others" "$out" '^ D.. l2d +32\.3'
status 0 "$HECATE" stack truth --check
has "--check says what it is" "$out" '^the reference: other methods are compared with it$'
sed 's/^reference;/reference truth;/' "$TOP_SRCDIR/models/stacks/truth.stack" >noref.stack
status 2 "$HECATE" stack noref.stack --check
has "reference takes nothing" "$err" "noref.stack:[0-9]+:[0-9]+: .*after 'reference'"

# --check
for s in topdown-l1-hsw topdown-l2-hsw topdown-l3-hsw naive-hsw naive-retired-hsw topdown-l1-spr topdown-l2-spr topdown-l3-spr \
	naive-spr naive-retired-spr truth truth-inverse power5 fmt sfmt tea naive naive-retired; do
	status 0 "$HECATE" stack $s --check
	is "$s: nothing to be warned of" "$err" ""
done
status 0 "$HECATE" stack topdown-l2-spr --check
has "choices are listed" "$out" '^  all +slots or TOPDOWN.SLOTS or TOPDOWN.SLOTS_P, per thread in slots$'
has "parts are listed" "$out" '^    C core_bound = back_end - memory_bound$'
sed 's/"EVENT_D"/unresolved/' small.stack >unresolved.stack
status 0 "$HECATE" stack unresolved.stack --check
has "unresolved ones are counted" "$out" '^4 counters, 1 of them unresolved$'
has "  and the parts that they make unknown" "$out" '^    n inner = b: unknown, no event for b$'
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
has "overlap: what to do" "$err" "subtract it in one of them, or leave out 'exclusive;'$"
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
