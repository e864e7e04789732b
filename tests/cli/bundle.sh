#!/bin/sh
# A session file is what is sent to somebody else: it says on what machine it was counted, with which codes, and by which
# command; it brings its models; and imported into another file, all of that comes along.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
sql() { python3 -c 'import sqlite3, sys
d = sqlite3.connect(sys.argv[1])
for row in d.executescript(sys.argv[2]) if ";" in sys.argv[2] else d.execute(sys.argv[2]): print(*row)
d.commit()' "$@"; }
says() { "$HECATE" export --json "$1" 2>/dev/null | python3 -c 'import json, sys
d = json.load(sys.stdin)
'"$2"; }

# --- counted here -----------------------------------------------------------------------------------------------------
HECATE_PROC=$tmp/proc; mkdir proc
printf 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 60\nmodel name\t: Made up at 1 GHz\nstepping\t: 3\nmicrocode\t: 0x27\n' >proc/cpuinfo
HECATE_PROC=$HECATE_PROC "$HECATE" record -q -o here.hec -m linux-page-faults -- sh -c 'exit 3' >/dev/null 2>err
if [ -s here.hec ]; then
	is "the machine is kept" "$(says here.hec 'm = d["machines"][d["observations"][0]["machine"]]
print(m["processor"], m["stepping"], m["microcode"], m["kernel"], m["architecture"])')" "Made up at 1 GHz 3 0x27 $(uname -r) $(uname -m)"
	is "and the events as they were opened" "$(says here.hec 'e = {e["counter"]: e for e in d["machines"][0]["events"]}["Fu"]
print(e["event"], e["type"], e["config"], e["user"], e["kernel"])')" "page-faults:u 1 0x2 True False"
	is "and the command" "$(says here.hec 'print(d["observations"][0]["command"])')" "['sh', '-c', 'exit 3']"
	"$HECATE" import -q -o sent.hec here.hec
	was=$(says here.hec 'del d["file"]; print(d)')
	is "an import keeps all that" "$(says sent.hec 'del d["file"]; print(d)')" "$was"
	"$HECATE" check here.hec --json >was.json 2>/dev/null; "$HECATE" check sent.hec --json >is.json 2>/dev/null
	is "and has the same verdicts" "$(sed 's/here.hec/FILE/g; s/"seconds":[0-9.e-]*/"seconds":0/g' was.json | cksum)" "$(sed 's/sent.hec/FILE/g; s/"seconds":[0-9.e-]*/"seconds":0/g' is.json | cksum)"
	has "a report names the machine" "$("$HECATE" report here.hec 2>/dev/null)" 'counted on .*Made up at 1 GHz, microcode 0x27, .*Linux'
else
	skip "what was counted here" "$(sed -n '1s/^hecate: //p' err)"
fi

# --- simulated, with two models and a network ---------------------------------------------------------------------------
"$HECATE" sim -q --machine haswell --plant early_psc --workload linear,footprint=64M -m haswell-mmu -o sim.hec >/dev/null 2>&1
"$HECATE" import -q -o sim.hec -m linux-vm "$HECATE_MODELS"/demo/page-faults.csv >/dev/null 2>&1
"$HECATE" import -q -o copy.hec sim.hec
is "every text comes along" "$(sql copy.hec 'select name, kind from model order by name')" "$(sql sim.hec 'select name, kind from model order by name')"
is "the file opens with the same one" "$(says copy.hec 'print(d["model"])')" "$(says sim.hec 'print(d["model"])')"
is "the truth comes along" "$("$HECATE" sim --reveal copy.hec -m haswell-mmu 2>&1 | sed 's/copy.hec/FILE/')" "$("$HECATE" sim --reveal sim.hec -m haswell-mmu 2>&1 | sed 's/sim.hec/FILE/')"
"$HECATE" import -q -o other.hec -m x86-retired sim.hec
is "a file with a text of its own still opens with it" "$(says other.hec 'print(d["model"], d["kind"])')" "x86_retired model"
is "a second import adds no text twice" "$("$HECATE" import -q -o copy.hec sim.hec; sql copy.hec 'select count(*) from model')" "$(sql sim.hec 'select count(*) from model')"
"$HECATE" sim --reveal copy.hec -m haswell-mmu >/dev/null 2>err; is "but the observations, each with its truth" "$(sql copy.hec 'select count(distinct observation) from truth')" "$(($(sql sim.hec 'select count(distinct observation) from truth') * 2))"

# --- what somebody else wrote -------------------------------------------------------------------------------------------
cp sim.hec bad.hec
sql bad.hec "insert into machine(text) values('{\"kernel\": 7, \"events\": [3, {\"type\": \"x\"}], \"secret\": \"y\"'); update observation set machine=1"
is "text that is no machine is not believed" "$(says bad.hec 'print(d["machines"][0]["kernel"], d["machines"][0]["events"], "secret" in d["machines"][0])')" "None [] False"
sql bad.hec "update machine set text='{\"kernel\": 7, \"events\": [3, {\"type\": \"x\"}], \"secret\": \"y\"}'"
is "nor fields of another kind" "$(says bad.hec 'print(d["machines"][0]["kernel"], d["machines"][0]["events"][1]["type"], "secret" in d["machines"][0])')" "None None False"
done_testing
