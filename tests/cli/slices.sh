#!/bin/sh
# hecate slices: slices of simulated programs and of recorded data, in clusters.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

# Five programs of known character.
status 0 "$HECATE" slices sim:core --program '{mcf,swim,crafty}-like' --samples 6 --accesses 20000 --heat-map map.svg --json
printf '%s\n' "$out" >a.json
is "the document" "$(json a.json '(d["schema"], d["stack"], len(d["slices"]), d["left_out"])')" "('hecate.slices/1', 'slots', 18, 0)"
is "shares of the top parts sum to 1" "$(json a.json 'max(abs(1 - sum(s["shares"][p] for p in d["rounds"][0]["parts"])) for s in d["slices"]) < 1e-9')" True
is "causes of the back end sum to it" "$(json a.json 'max(abs(s["shares"]["back_end"] - sum(s["shares"][p] for p in d["rounds"][1]["parts"])) for s in d["slices"]) < 1e-9')" True
is "sixteen of them" "$(json a.json '(d["rounds"][1]["of"], len(d["rounds"][1]["parts"]))')" "('back_end', 16)"
is "the front end has a round of its own" "$(json a.json '[(r["of"], sorted({s.split("_")[0] for c in r["clusters"] + r["outliers"] for s in c["slices"]})) for r in d["rounds"][1:]]')" \
	"[('back_end', ['mcf-like', 'swim-like']), ('front_end', ['crafty-like'])]"
is "memory comes first" "$(json a.json '(d["next"][0]["part"], "memory_latency" in d["next"][0]["probes"])')" "('LoadMemBound', True)"
is "what it excludes" "$(json a.json 'sorted({"LoadL3Bound", "IntDQBandwidth", "MemCommitLimit"} - set(d["rounds"][1]["excluded"]))')" "[]"
is "the picture is XML, with all names of columns" "$(py -c '
import sys, xml.etree.ElementTree as t
texts = {"".join(e.itertext()) for e in t.parse("map.svg").iter() if e.tag.endswith("}text")}
print({"back_end", "front_end", "LoadMemBound", "MemCommitLimit", "IcacheL2Bound", "retiring"} <= texts)')" True
is "again the same" "$("$HECATE" slices sim:core --program '{mcf,swim,crafty}-like' --samples 6 --accesses 20000 --json | cksum)" "$(cksum <a.json)"

# As text.
status 0 "$HECATE" slices sim:core:mcf-like:samples=8,accesses=5000
has "one program, named in the machine's text" "$out" '^8 slices by slots'
has "its cluster" "$out" '^2-0 +8  LoadMemBound [0-9]+ %'
has "its slices" "$out" '^ +mcf-like_1 to 8$'
has "the next command, on the machine without the program" "$out" '^hecate probe memory_latency .*--on sim:core$'
has "what leads nothing" "$out" '^lead no cluster: bad_speculation, front_end'
status 0 "$HECATE" slices sim:core:mcf-like:samples=8,accesses=5000 --ascii -v
is "in ASCII" "$(printf '%s' "$out" | LC_ALL=C tr -d '\n -~' | wc -c | tr -d ' ')" 0
has "a row for each slice" "$out" '^ +.* mcf-like_8$'
status 0 "$HECATE" slices sim:core:mcf-like:samples=8,accesses=5000 --eps 2 --min-points 3 --minor 0.9
has "given numbers" "$out" 'MinPts 3, eps 2 \(given\)'
has "nothing matters" "$out" 'no part takes enough'

# Recorded data: a session file, and a CSV with another stack.
status 0 "$HECATE" sim -q --machine core --program '{mcf,gzip}-like' --samples 6 --accesses 5000 --truth never -o s.hct
# Two accounts of the same slots, by events that are counted apart from each other.
"$HECATE" stack slots,topdown-l1 s.hct --json >both.json
is "slots and top-down agree on the back end, and nearly on what retires" "$(json both.json '[(v[0]["back_end"] == v[1]["back_end"], abs(v[0]["retiring"] - v[1]["retiring"]) <= 128)
	for o in d["observations"] for v in [[{p["name"]: p["value"] for p in b["parts"]} for b in o["bars"]]]]')" "[(True, True), (True, True)]"
status 0 "$HECATE" slices topdown-l3 s.hct --json
printf '%s\n' "$out" >b.json
is "the second round takes the smallest parts" "$(json b.json '[r["parts"] for r in d["rounds"] if r["of"] == "back_end"]')" \
	"[['dtlb', 'L1_hits', 'L2', 'L3', 'DRAM', 'store', 'divider', 'ports']]"
status 0 "$HECATE" slices s.hct --observations 'mcf*'
has "some observations" "$out" '^6 slices'
status 0 "$HECATE" slices fmt s.hct
is "a flat stack has one round" "$(printf '%s\n' "$out" | grep -c '^round')" 1
cat >flat.stack <<'STACK'
stack flat per core;
counter a = "a" per core unit slots; counter b = "b" per core unit slots;
whole all = a + b;
part base key "B" = a; part lost key "L" = b;
STACK
{ echo a,b; for i in 1 2 3 4 5 6; do echo 10,90; done; } >equal.csv
status 0 "$HECATE" slices flat.stack equal.csv
has "equal rows" "$out" '^1-0 +6  lost 90 %'
{ echo a,b; for i in 1 2 3 4 5 6; do echo 10,90; done; echo 3,; echo 0,0; } >holes.csv
status 0 "$HECATE" slices ./flat.stack holes.csv
has "rows with holes are left out" "$err" '2 rows left out: without b \(.*\)'
has "  the others are taken" "$out" '^6 slices'

# Parts that are not the whole, and slices of which none is near another.
sed 's/stack flat/stack half/; s/= a + b/= a + 3 * b/' flat.stack >half.stack
status 0 "$HECATE" slices ./half.stack equal.csv
has "parts that sum to less" "$err" 'the top parts of half sum to 35.7 to 35.7 % of the whole, not to 100 %'
sed 's/stack flat/stack twice/; s/= a + b/= b/' flat.stack >twice.stack
status 0 "$HECATE" slices ./twice.stack equal.csv
has "parts that sum to more" "$err" 'the top parts of twice sum to 111 to 111 % of the whole'
{ echo a,b; for i in 1 2 3 4 5 6; do echo "${i}0,$((90 - i))"; done; } >apart.csv
status 0 "$HECATE" slices ./flat.stack apart.csv --eps 0
has "no cluster" "$out" '^no cluster: no slice has 4 slices within eps, itself included'
is "parts that sum to the whole need no word" "$err" ""

# What is refused.
refused() {
	says=$1; shift
	status 2 "$HECATE" slices "$@"
	has "  $says" "$err" "$says"
}
printf 'a,b\n1,2\n' >one.csv
printf 'a,b\n1,nan\n' >nan.csv
printf 'cycles\n1\n2\n' >few.csv
printf 'a,b\n0,0\n0,0\n' >zero.csv
refused 'slices needs data, or a simulated core'
refused 'slices needs data, or a simulated core' slots
refused '1 slice cannot be clustered: more than 4 are needed' flat.stack one.csv
refused '1 slice cannot be clustered' sim:core:mcf-like:samples=1,accesses=100
refused 'needs counters that the data lack: b' flat.stack nan.csv
refused 'the stack slots needs counters that the data lack: instructions .* and 22 more; hecate stack slots --check' few.csv
refused 'no row has a share of every part' flat.stack zero.csv
refused 'the data have no rows' flat.stack equal.csv --observations nothing
refused 'haswell has no pipeline' sim:haswell
refused 'has no last slice' sim:core:mcf-like:endless
refused "there is no program 'nothing'" sim:core --program nothing
refused 'for a simulated core, and equal.csv is data' flat.stack equal.csv --samples 3
refused 'no such file' nothing equal.csv
refused 'cannot write nothing/map.svg' flat.stack equal.csv --heat-map nothing/map.svg

# Ctrl-C ends a simulation within a slice, and what is complete is clustered.
status 2 py "$HECATE_TESTS/lib/stop.py" 0 "$HECATE" slices sim:core --accesses 500000000
has "Ctrl-C within the first slice" "$err" 'the simulation was stopped before a sample was complete'
is "  no result" "$out" ""
status 0 py "$HECATE_TESTS/lib/stop.py" 0.5 "$HECATE" slices sim:core:mcf-like:samples=900000,warm-up=0 --accesses 1000 --json
has "Ctrl-C within a program" "$err" 'the simulation was stopped: these are the [0-9]+ slices that were complete'
printf '%s\n' "$out" >cut.json
is "  a result of the slices so far" "$(json cut.json '(d["cut"], 4 < len(d["slices"]) < 900000, d["slices"][0]["name"])')" "(True, True, 'mcf-like_1')"
done_testing
