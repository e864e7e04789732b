#!/bin/sh
# hecate stack --by instruction: the time-proportional stack of each instruction of a simulated program, or of a trace.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
how=sim:core:mcf-like:samples=2,accesses=20000,warm-up=20000

status 0 "$HECATE" stack --by instruction $how --json
cp out mcf.json
is "the document" "$(json mcf.json 'd["schema"], d["machine"], d["program"]')" "('hecate.instructions/1', 'core', 'mcf-like')"
is "  the µops that were asked for, but for those in flight" "$(json mcf.json 'abs(d["uops"] - 40000) < 200')" True
is "  instructions sum to the program: µops" "$(json mcf.json 'sum(i["uops"] for i in d["instructions"]) == d["uops"]')" True
is "  cycles" "$(json mcf.json 'abs(sum(i["cycles"] for i in d["instructions"]) - d["cycles"]) < 1e-6')" True
is "  each part" "$(json mcf.json '[p for p in d["parts"] if abs(sum(i["parts"][p] for i in d["instructions"]) - d["parts"][p]) > 1e-6]')" "[]"
is "  and parts to an instruction" "$(json mcf.json '[i for i in d["instructions"] if abs(sum(i["parts"].values()) - i["cycles"]) > 1e-6]')" "[]"
is "  the most cycles first, and those are of a load that waits for memory" "$(json mcf.json 'd["instructions"] == sorted(d["instructions"], key=lambda i: -i["cycles"]), d["instructions"][0]["text"][:5], max(d["instructions"][0]["parts"].items(), key=lambda p: p[1])[0]')" "(True, 'load ', 'l2d')"
# The same run without it: its TEA counts are those of the whole program, cold caches included.
status 0 "$HECATE" stack --by instruction sim:core:mcf-like:samples=1,accesses=20000,warm-up=0 --json
cp out cold.json
status 0 "$HECATE" sim -q --machine core --program mcf-like --samples 1 --accesses 20000 --warm-up 0 --truth never --json
is "the program's own counts, but for what is in flight at the end" \
	"$(json cold.json '[p for p, v in d["parts"].items() if abs(v - json.load(open("out"))["runs"][0]["events"]["tea." + p]) > 600]')" "[]"

status 0 "$HECATE" stack --by instruction $how
has "as text: a title" "$out" '^sim:core:mcf-like.*: [0-9]+ cycles by instruction, in % of all$'
has "  columns of the parts that are there" "$out" '^address +cycles % +µops +base .*l2d .*instruction$'
is "  none of those that are not" "$(printf '%s\n' "$out" | grep -c l3d)" 0
has "  instructions" "$out" '^0x[0-9a-f]+ +[0-9.]+ +[0-9]+ .* load r[0-9]+ ← \[r[0-9]+\]$'
has "  the others" "$out" '^[0-9]+ more +[0-9.]+'
has "  the sum" "$out" '^all +100\.0 '
status 0 "$HECATE" stack --by instruction $how -o kept.txt
is "into a file" "$(cat kept.txt)" "$("$HECATE" stack --by instruction $how)"

# A trace: valgrind's, a loop of four instructions with a load that goes on by a line.
awk 'BEGIN { for (i = 0; i < 20000; i++) { p = i % 4; printf "I  %08x,4\n", 67108864 + 4 * p; if (p == 1) printf " L %x,8\n", 268435456 + 16 * i } }' >loop
for trace in lackey:loop loop; do
	status 0 "$HECATE" stack --by instruction sim:core --trace $trace --json
	is "  the instructions of a trace" "$(json out 'd["program"], sorted(i["address"] for i in d["instructions"])')" \
		"('trace', [67108864, 67108868, 67108872, 67108876])"
	is "  its cycles" "$(json out 'abs(sum(i["cycles"] for i in d["instructions"]) - d["cycles"]) < 1e-6 and d["uops"] >= 20000')" True
	is "  that of the load, which misses" "$(json out 'd["instructions"][0]["address"]')" 67108868
done

# What a session file says of a trace names its file, whatever characters are in its path.
odd='a,b%:{c d.trace'
cp loop "$odd"
status 0 "$HECATE" sim --machine core --trace "lackey:$odd" -o s.hct
source_of() {
	python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("SELECT source FROM observation").fetchone()[0])' "$1"
}
source=$(source_of s.hct)
status 0 "$HECATE" stack --by instruction "$source" --json
is "  a recorded trace is found again" "$(json out 'd["uops"], d["instructions"][0]["address"]')" \
	"(20000, 67108868)"
rm "$odd"
status 2 "$HECATE" stack --by instruction "$source"
has "a recorded trace that is gone" "$err" 'cannot open .*a,b%:\{c d\.trace: No such file'
"$HECATE" sim -q --machine core --trace - -o piped.hct <loop
status 2 "$HECATE" stack --by instruction "$(source_of piped.hct)"
has "a trace that came through a pipe" "$err" 'names no file.*--trace FILE'

status 2 "$HECATE" stack --by instruction
has "no program" "$err" 'needs one program on a simulated core, .*sim:core:mcf-like'
status 2 "$HECATE" stack --by instruction kept.txt
has "recorded data" "$err" 'recorded counts have no instructions'
status 2 "$HECATE" stack --by thread $how
has "by something else" "$err" '--by takes instruction, not thread'
status 2 "$HECATE" stack --by instruction sim:haswell:linear
has "a machine without a pipeline" "$err" 'haswell has no pipeline'
status 2 "$HECATE" stack --by instruction sim:core --trace missing
has "no such trace" "$err" 'cannot open missing: No such file'
printf 'what is this\n' >words
status 2 "$HECATE" stack --by instruction sim:core --trace words
has "no trace" "$err" '.+'
status 2 "$HECATE" stack fmt --trace loop
has "a trace without --by" "$err" '--trace .*hecate stack --by instruction sim:core --trace FILE'
status 2 "$HECATE" stack --by instruction $how -o none/here.txt
has "a folder that does not exist" "$err" 'cannot write none/here.txt'
done_testing
