#!/bin/sh
# hecate sim on machines with a pipeline: programs, traces, the JSON document, perfect structures, changes of the machine,
# the truth by reference runs, and what is refused. With HECATE_CBP_TRACES, the folder of the traces that come with the
# simulator of the Championship Branch Prediction 2025 (int/ and fp/), its published numbers, too.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
short="--machine core --samples 4 --accesses 4000 --warm-up 4000"

# A program, as text and as JSON.
status 0 "$HECATE" sim $short --program mcf-like
has "its name" "$out" '^mcf-like'
has "  its instructions per cycle" "$out" 'instructions per cycle +0\.[0-9]+'
has "  its caches" "$out" 'L1D +[0-9]+ +[0-9]+'
is "  no third level, which this machine has not" "$(printf '%s\n' "$out" | grep -c L3)" 0
status 0 "$HECATE" sim $short --program mcf-like --json -o mcf.hct
cp out mcf.json
is "the document" "$(json mcf.json 'd["schema"], d["machine"], d["changes"], len(d["runs"]), d["runs"][0]["program"]')" "('hecate.sim/1', 'core', None, 1, 'mcf-like')"
is "  four samples of µops" "$(json mcf.json 'abs(d["runs"][0]["uops"] - 16000) < 80')" True
is "  the only run's numbers at the top" "$(json mcf.json 'all(d[k] == d["runs"][0][k] for k in ("instructions", "cycles", "ipc", "branches", "mispredictions"))')" True
is "  cycles and instructions agree with the rate" "$(json mcf.json 'abs(d["instructions"] / d["cycles"] - d["ipc"]) < 1e-9')" True
is "  hits and misses are accesses" "$(json mcf.json 'all(c["hits"] + c["misses"] == c["accesses"] for c in d["runs"][0]["caches"].values())')" True
is "  the caches" "$(json mcf.json 'sorted(d["runs"][0]["caches"])')" "['l1d', 'l1i', 'l2', 'l3', 'prefetches']"
is "  events by name" "$(json mcf.json 'd["runs"][0]["events"]["uops.retired"] == d["runs"][0]["uops"] and d["runs"][0]["events"]["l1d.miss.all"] == d["l1d_misses"]')" True
is "  tea's parts are the cycles" "$(json mcf.json 'sum(v for k, v in d["runs"][0]["events"].items() if k.startswith("tea.")) == d["cycles"]')" True
status 0 "$HECATE" sim $short --program '{gzip,mcf}-like' --json
is "several programs: a run each, and no numbers at the top" "$(json out '[r["program"] for r in d["runs"]], "ipc" in d')" "(['gzip-like', 'mcf-like'], False)"

# The same bytes twice, on one thread and on several; another seed others. A step needs 1024 µops to be worth threads.
for how in 3:1 3:4 4:2; do
	seed=${how%:*}
	export HECATE_THREADS=${how#*:}
	set -- sim --machine core --samples 2 --accesses 4000 --warm-up 1000 --seed "$seed" --program twolf-like
	"$HECATE" "$@" --csv -o "$seed.csv" && cksum <"$seed.csv" >>sums
	"$HECATE" "$@" --json | cksum >>sums
done
unset HECATE_THREADS
is "the same seed, the same bytes, whatever the number of threads" "$(sed -n 1,2p sums)" "$(sed -n 3,4p sums)"
is "another seed, others" "$(sort -u sums | wc -l | tr -d ' ')" 4

# Perfect structures. never PART COUNTS: the sum of these counts is 0 if the part is perfect, and is not otherwise.
never() {
	misses="(lambda d: sum({**d, **d['runs'][0]['events']}[name] for name in '$2'.split()))"
	status 0 "$HECATE" sim $short --truth never --program mcf-like --perfect "$1" --json
	set -- $(json out "$misses(d), $misses(json.load(open('mcf.json'))) > 0, d['cycles']" | tr -d '(),')
	is "  no misses" "$1" 0
	is "  other than without" "$2" True
	echo "$3" >>cycles
}
never branch mispredictions
never l1i l1i_misses
never l1d l1d_misses
never data l1d_misses
never code l1i_misses
never dtlb dtlb.miss
never tlb 'dtlb.miss itlb.miss'
never all 'mispredictions l1i_misses l1d_misses'
is "all perfect is fastest" "$(sort -n cycles | head -n 1)" "$(tail -n 1 cycles)"
status 0 "$HECATE" sim $short --truth never --program mcf-like --perfect l1d,branch --json
is "a list" "$(json out 'd["mispredictions"], d["l1d_misses"]')" "(0, 0)"
status 2 "$HECATE" sim $short --program mcf-like --perfect dat
has "an unknown structure: the nearest, with its place" "$err" "'dat' is no structure that can be perfect; nearest: data"
has "  with a caret" "$err" '^ *\^\^\^$'
status 2 "$HECATE" sim --machine small --perfect data --workload linear -o none.hct
has "a machine without a pipeline has none" "$err" 'needs a machine with a pipeline; .*--machine core'

# Changes of the machine.
status 0 "$HECATE" sim $short --truth never --program mcf-like --set 'rob 16' --set 'l1 32 KiB, 8 ways, 1 cycles' --json
is "changes are in the document" "$(json out 'd["changes"]')" "rob 16; l1 32 KiB, 8 ways, 1 cycles"
is "  a small reorder buffer is slow" "$(json out 'd["cycles"] > json.load(open("mcf.json"))["cycles"]')" True
status 2 "$HECATE" sim $short --program mcf-like --set 'rob 2'
has "a change that does not fit: what, where, what to do" "$err" '--set: the reorder buffer \(2\) is smaller than the width \(4\); enlarge'
status 2 "$HECATE" sim $short --program mcf-like --set 'robb 64'
has "an unknown item" "$err" 'nearest: rob'
status 2 "$HECATE" sim $short --program mcf-like --set 'l2 1000 KiB, 8 ways, 10 cycles'
has "a size that is no power of two" "$err" 'number of sets is not a power of two; possible sizes nearby'

# The truth by reference runs, in the session file and in the two stacks.
status 0 "$HECATE" export mcf.hct --csv -o mcf.csv
head -n 1 mcf.csv >names
for name in truth.base truth.branch truth.l1d truth.l3d truth.dtlb inverse.base fmt.branch sfmt.l1i power5.l1d tea.base; do
	has "the file has $name" "$(tr , '\n' <names)" "^$name\$"
done
for stack in truth fmt tea; do
	status 0 "$HECATE" stack $stack mcf.hct --json
	cp out "$stack.json"
done
status 0 "$HECATE" stack truth,fmt mcf.hct
has "both side by side" "$out" 'fmt'
status 0 "$HECATE" sim $short --truth never --program mcf-like --json
is "without references the truth is 0" "$(json out 'sum(v for k, v in d["runs"][0]["events"].items() if k.startswith(("truth.", "inverse.")))')" 0
status 0 "$HECATE" sim $short --truth always --program mcf-like --json
is "with them its parts are the cycles, nearly" "$(json out 'abs(sum(v for k, v in d["runs"][0]["events"].items() if k.startswith("truth.")) / d["cycles"] - 1) < 0.02')" True
is "  in both orders" "$(json out 'abs(sum(v for k, v in d["runs"][0]["events"].items() if k.startswith("inverse.")) / d["cycles"] - 1) < 0.02')" True

# What is refused.
status 2 "$HECATE" sim $short --program mcf-lik
has "an unknown program: the nearest" "$err" "there is no program 'mcf-lik'; nearest: mcf-like"
status 2 "$HECATE" sim $short --program mcf-like:footprnt=1M
has "an unknown parameter" "$err" 'footprnt'
status 2 "$HECATE" sim --machine haswell --program mcf-like
has "a program on a machine without a pipeline" "$err" 'haswell has no pipeline, and runs workloads, not programs; --machine core has one'
status 2 "$HECATE" sim --machine cor --program mcf-like
has "an unknown machine" "$err" 'cor'
status 2 "$HECATE" sim $short --program mcf-like --trace x
has "a trace and a program" "$err" '--trace replaces a program'

# Traces, which are made here: valgrind's, a loop of four instructions with a load; and ChampSim's records of 64 bytes.
awk 'BEGIN { for (i = 0; i < 20000; i++) { p = i % 4; printf "I  %08x,4\n", 67108864 + 4 * p; if (p == 1) printf " L %x,8\n", 268435456 + 16 * i } }' >loop
status 0 "$HECATE" sim --machine core --trace lackey:loop --json
is "a trace to its end" "$(json out 'd["instructions"]')" 20000
is "  its loads, and the branches between its instructions" "$(json out 'd["runs"][0]["loads"], d["branches"]')" "(5000, 5000)"
cp out loop.json
status 0 "$HECATE" sim --machine core --trace loop --json
is "  without the format" "$(cat out)" "$(cat loop.json)"
gzip -c loop >loop.gz
status 0 "$HECATE" sim --machine core --trace loop.gz --json
is "  compressed" "$(cat out)" "$(cat loop.json)"
is "  through a pipe" "$(cat loop | "$HECATE" sim --machine core --trace - --json)" "$(cat loop.json)"
py - <<'PY'
import struct
# ip, is branch, taken, 2 destinations, 4 sources, 2 addresses written, 4 addresses read
with open("champsim", "wb") as f:
    for i in range(6000):
        f.write(struct.pack("<QBB2B4B2Q4Q", 0x400000 + 4 * (i % 3), 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0x10000000 + 64 * (i % 100) if i % 3 == 1 else 0, 0, 0, 0))
PY
status 0 "$HECATE" sim --machine core --trace champsim:champsim --json
is "ChampSim's records" "$(json out 'd["instructions"], d["runs"][0]["loads"]')" "(6000, 2000)"
head -c 1000 champsim >cut
status 2 "$HECATE" sim --machine core --trace champsim:cut
has "a record that is cut: where" "$err" '(960|1000|offset|byte)'
: >empty
status 2 "$HECATE" sim --machine core --trace empty
has "an empty trace" "$err" '.+'
status 2 "$HECATE" sim --machine core --trace cbp:loop
has "another format than was said" "$err" '.+'
status 2 "$HECATE" sim --machine core --trace chmpsim:champsim
has "a word that is no format is taken for a file" "$err" 'cannot open chmpsim:champsim'
status 2 "$HECATE" sim --machine core --trace missing
has "no such file" "$err" 'cannot open missing'
printf 'what is this\n' >words
status 2 "$HECATE" sim --machine core --trace words
has "no trace" "$err" '.+'
is "no file is left" "$(ls none.hct 2>/dev/null)" ""

# What could not be kept is not simulated: these would take days.
long="--machine core --program mcf-like --accesses 1000000000"
status 2 "$HECATE" sim $long -o none/here.hec
has "a folder that does not exist" "$err" 'cannot make none/here.hec: No such file.*its folder must exist'
printf 'text' >kept.txt
status 2 "$HECATE" sim $long -o kept.txt
has "a file that is no session file" "$err" 'kept.txt is not a session file'
status 2 "$HECATE" sim $long --csv -o none/here.csv
has "a folder that does not exist, as CSV" "$err" 'cannot write none/here.csv: No such file or directory; its folder must exist'
status 2 "$HECATE" slices sim:core --program mcf-like --accesses 1000000000 -o none/here.txt
has "  of slices" "$err" 'cannot write none/here.txt'
status 2 "$HECATE" probe --on sim:core -o none/here.txt
is "  of probes: nothing is measured" "$err" "hecate: cannot write none/here.txt: No such file or directory; its folder must exist"
status 2 "$HECATE" sim --machine core --trace none.trace
has "no such trace" "$err" 'cannot open none.trace: No such file or directory; --trace takes FILE, - or FORMAT:FILE'
status 0 "$HECATE" sim --machine core --program mcf-like --accesses 100 --samples 1 --warm-up 0 --set 'machine x "a"' --json
is "a machine of another name" "$(json out 'd["machine"]')" x

# cbp TRACE OPTION…: runs a trace of the championship; near EXPRESSION WANT PERCENT compares with its numbers
traces=$HECATE_CBP_TRACES
cbp() {
	file=$1; shift
	status 0 "$HECATE" sim --machine cbp2025 --trace "cbp:$file" "$@" --json
}
near() { is "$1 is $3, within $4 %" "$(json out "abs(($2) / $3 - 1) * 100 <= $4 or $2")" True; }
if [ -z "$traces" ]; then
	skip "the published numbers of the championship" "HECATE_CBP_TRACES names no folder with the sample traces of cbp2025"
	done_testing
	exit
fi
int=$(ls "$traces"/int/*.gz | head -n 1) fp=$(ls "$traces"/fp/*.gz | head -n 1)
cbp "$int"
is "int: instructions" "$(json out 'd["instructions"]')" 997301
near "int: accesses of L1D" 'd["l1d_hits"] + d["l1d_misses"]' 536590 1
near "int: misses of L1D" 'd["l1d_misses"]' 1537 1
near "int: instructions per cycle" 'd["ipc"]' 2.947 10
cbp "$fp"
is "fp: instructions" "$(json out 'd["instructions"]')" 997741
near "fp: accesses of L1D" 'd["l1d_hits"] + d["l1d_misses"]' 582033 1
is "fp: misses of L1D" "$(json out 'abs(d["l1d_misses"] - 79) <= 1 or d["l1d_misses"]')" True
near "fp: instructions per cycle" 'd["ipc"]' 5.178 10
# Other settings of that simulator (commit 6074966), run by hecate's authors.
compare() {
	cbp "$int" "$@"
	near "int: instructions per cycle" 'd["ipc"]' "$want_int" 10
	[ "$want_fp" ] || return
	cbp "$fp" "$@"
	near "fp: instructions per cycle" 'd["ipc"]' "$want_fp" 10
}
want_int=5.188 want_fp=5.368; compare --perfect data
want_int=2.0174 want_fp=2.8168; compare --set 'window 128'
want_int=2.3602 want_fp=3.1654; compare --set 'fetch 4'
want_int=2.9463 want_fp=
compare --set 'l1 32 KiB, 8 ways, 3 cycles' --set 'l2 256 KiB, 8 ways, 15 cycles' --set 'l3 2 MiB, 16 ways, 65 cycles, 128 bytes'
near "int: misses of the small L1D" 'd["l1d_misses"]' 1686 1
# A narrow core, -w 128 -F 4,4,1,1,1 -M 2 -A 4: most prefetches find no free lane. What misses of data cost is the
# difference to the perfect data cache, in cycles: 630946 - 355880, 424063 - 414131; 338411 - 192230 on the wide core.
narrow='window 128; fetch 4; fetch_branches 4; ports 2 load, store, atomic; ports 4 alu, mul, div, fadd, fmul, fdiv, fma, branch, move, nop'
prefetches='d["runs"][0]["events"]["prefetch.access"]'
cost() {
	what=$1 trace=$2 cycles=$3; shift 3
	cbp "$trace" --perfect data "$@"
	mv out perfect
	cbp "$trace" "$@"
	near "$what: cycles that misses of data cost" 'd["cycles"] - json.load(open("perfect"))["cycles"]' "$cycles" 10
}
cost "int, narrow" "$int" 275066 --set "$narrow"
near "  its instructions per cycle" 'd["ipc"]' 1.5806 2
near "  its prefetches" "$prefetches" 1611 5
cost "fp, narrow" "$fp" 9932 --set "$narrow"
near "  its instructions per cycle" 'd["ipc"]' 2.3528 2
cost "int" "$int" 146181
near "  its prefetches" "$prefetches" 5341 5
# theirs, with the branches mispredicted that it mispredicts without the option, too: 192691 - 185081
cost "fp" "$fp" 7610
# no branch is mispredicted (tools/cbp-comparison)
cbp "$fp" --perfect branch
near "fp, no branch mispredicted: cycles" 'd["cycles"]' 152766 0.01
cbp "$fp" --perfect branch,data
near "  with a perfect data cache" 'd["cycles"]' 147079 0.01
done_testing
