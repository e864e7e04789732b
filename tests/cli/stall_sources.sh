#!/bin/sh
# hecate stack stall-sources, live: what always adds up; the largest parts of four programs; bad input, less privilege,
# Ctrl-C.
. "$HECATE_TESTS/lib/tap.sh"
program=${HECATE%/*}/tests/programs/stall
file=$PWD/stall-sources.$$.tmp # on the disk of the build folder, not in memory
trap 'rm -rf "$tmp" "$file"' EXIT
cd "$tmp" || exit 1
cat >check.py <<'PY'
# check.py FILE LARGEST…: checks a report. Prints "wrong: …" for a broken law, or "good". The largest part of the time is
# one of LARGEST, if the report is to be believed.
import json, sys
d = json.load(open(sys.argv[1]))
s, largest = d["stalls"], sys.argv[2:]
def wrong(what):
    print("wrong:", what)
    sys.exit()
stack = d["stacks"][0]
bars = {o["name"]: o["bars"][0] for o in d["observations"]}
classes = {"run": ["on-cpu", "fault-service", "exception", "switch-cost"], "wait": ["preempted", "woken"], "io": ["fault-io", "block-io"],
           "off": ["fault-io", "block-io", "blocked", "fault-blocked", "blocked-untold", "futex", "sleep", "sleep-untold", "asleep", "stopped"]}
if not s["tasks"]:
    wrong("no task")
for t in s["tasks"]:
    ns = t["ns"]
    if ns["run"] + ns["wait"] + ns.get("on-the-way", 0) + ns.get("taken", 0) + ns["off"] + ns["unknown"] != ns["elapsed"]:
        wrong(f"{t['name']}: the sums are not the elapsed time: {ns}")
    if s["detail"] == "records" and s["believed"]:
        for whole, parts in classes.items():
            known = [ns[p] for p in parts if p in ns]
            # Without tracepoints some classes are not separated, and their time is in the sum only (core/tasktime/amounts.h).
            if whole in ns and (sum(known) > ns[whole] or (len(known) == len(parts) and sum(known) != ns[whole])):
                wrong(f"{t['name']}: the parts of {whole} are not it: {ns}")
    bar = bars[t["observation"]]
    if bar["whole"] != ns["elapsed"] or bar["over"] != 0:
        wrong(f"{t['name']}: the bar is not the elapsed time")
    if sum(p["value"] for p in bar["parts"] if p["parent"] is None and p["value"] is not None) != bar["whole"]:
        wrong(f"{t['name']}: the parts of the bar do not add up")
for p in s["processes"]:
    for a in p["ns"]:
        if p["ns"][a] != sum(t["ns"][a] for t in s["tasks"] if t["pid"] == p["pid"]):
            wrong(f"process {p['pid']}: {a} is not the sum of its tasks")
for c in s["cpus"]:
    if c["idle_ns"] + c["followed_ns"] + c["others_ns"] + c["switching_ns"] + c["unknown_ns"] != c["elapsed_ns"]:
        wrong(f"CPU {c['cpu']} does not add up")
if s["believed"] != (s["why"] is None) or (not s["believed"] and not any(r.startswith("not to be believed") for r in s["remarks"])):
    wrong("a loss is not reported")
# Run and wait of a command are the scheduler's, whatever the machine does: within 0.6 % and 1 % of the elapsed time.
# (What ran already may have been waiting for a CPU when the first reading was taken.)
for t in s["tasks"] if largest else []:
    ns, books = t["ns"], t["scheduler"]
    if not s["believed"] or s["detail"] != "records" or not t["ended"] or books["booked_ns"] != ns["elapsed"]:
        continue
    if abs(ns["run"] - books["run_ns"]) > 0.006 * ns["elapsed"]:
        wrong(f"{t['name']}: run {ns['run']}, by the scheduler {books['run_ns']}, of {ns['elapsed']}")
    if abs(ns["wait"] - books["wait_ns"]) > 0.01 * ns["elapsed"]:
        wrong(f"{t['name']}: wait {ns['wait']}, by the scheduler {books['wait_ns']}, of {ns['elapsed']}")
if largest and s["believed"]:
    parts = {}
    for t in s["tasks"]:
        for c, v in t["ns"].items():
            if c in sum(classes.values(), []) and c not in ("preempted", "woken"):
                parts[c] = parts.get(c, 0) + v
    if max(parts, key=parts.get) not in largest:
        wrong(f"the largest part is {max(parts, key=parts.get)}: {parts}")
print("good")
PY
# A busy machine may lose records. Then the report says so, which check.py checks, and what it cannot show is not asked.
seen() { # seen NAME KIND LARGEST…
	name=$1 kind=$2
	shift 2
	"$HECATE" stack stall-sources --json -o out.json -- "$program" "$kind" 300 "$file" 2>err.txt || { not_ok "$name" "$(cat err.txt)"; return; }
	case $(json out.json 'd["stalls"]["detail"], d["stalls"]["note"] or ""') in
	"('records', '')") ;;
	*) skip "$name" "not all is recorded here: $(json out.json 'd["stalls"]["note"]')"; return ;;
	esac
	if [ "$kind" = io ] && [ "$(json out.json 'sum(t["ns"]["block-io"] for t in d["stalls"]["tasks"]) == 0')" = True ]; then
		skip "$name" "no disk under the build folder"
		return
	fi
	is "$name" "$(python3 check.py out.json "$@")" good
}
seen "a CPU-bound program" cpu on-cpu
seen "a fault-bound program" faults fault-service
seen "a lock-bound program" lock futex
seen "an I/O-bound program" io block-io

# Every detail adds up, also in windows, whatever is lost.
for detail in records switches counters; do
	if "$HECATE" stack stall-sources --detail $detail -I 20 --json -o out.json -- "$program" lock 150 2>err.txt; then
		is "$detail: all adds up" "$(python3 check.py out.json)" "good"
		is "$detail: rows are windows" "$(json out.json 'max(o["samples"] for o in d["observations"]) > 1')" True
	else
		has "$detail: the reason why not" "$(cat err.txt)" 'hecate: .*;'
	fi
done
status 0 "$HECATE" stack stall-sources --detail counters --json -o out.json -- "$program" cpu 300
is "counters: no classes are invented" "$(json out.json '[p["value"] for p in d["observations"][0]["bars"][0]["parts"] if p["name"] in ("on_cpu", "futex", "preempted")]')" "[None, None, None]"
has "counters: a message says so" "$err" 'less is known: without records'
is "counters: the program ran" "$(json out.json 'sum(t["ns"]["run"] for t in d["stalls"]["tasks"]) > 0')" True
status 0 "$HECATE" stack stall-sources -- sh -c 'exit 3'
has "the command's status is reported" "$err" 'sh ended with status 3'
has "a bar" "$out" '^ sh-[0-9]+ '
has "the scheduler's times" "$out" '^ (scheduler|counted|recorded) '
status 0 "$HECATE" stack stall-sources --ascii -- "$program" sleep 50
is "plain text in ASCII" "$(printf '%s' "$out" | LC_ALL=C tr -d ' -~\n' | wc -c)" 0

# Losses are reported instead of bars. Even the beginning of the command may be lost.
for how in --json --ascii; do
	"$HECATE" stack stall-sources --detail records --ring 4 $how -o out.txt -- "$program" switch 300 2>err.txt
	case $?$how$(cat err.txt) in
	0--json*) is "lost records: all adds up, and the loss is reported" "$(python3 check.py out.txt)" "good" ;;
	0--ascii*) has "lost records: bars, or the loss" "$(cat out.txt)" '(no bars are shown: .*(lost|contradict|late|missing|asleep)|^ +part )' ;;
	2*"no task was seen"*) ok "lost records: the beginning, too" ;;
	2*CAP_PERFMON* | 2*privileged*) skip "lost records" "not all is recorded here: $(cat err.txt)" ;;
	*) not_ok "lost records" "$(cat err.txt)" ;;
	esac
done

# Processes, and the whole machine. Ctrl-C keeps the counts.
"$program" lock 60000 &
pid=$!
status 0 "$HECATE" stack stall-sources -p $pid -I 10 --samples 5 --json -o out.json
is "a process: all adds up" "$(python3 check.py out.json)" "good"
is "its rows" "$(json out.json 'max(o["samples"] for o in d["observations"])')" 5
kill $pid
"$program" lock 60000 &
pid=$!
"$HECATE" record -o p.hecate -m stall-sources -p $pid -I 10 --samples 100000 2>err.txt &
recorder=$!
looks=0
until "$HECATE" export p.hecate 2>/dev/null | grep -q '^stall-' || ! kill -0 $recorder 2>/dev/null || [ $looks -ge 1000 ]; do looks=$((looks + 1)); done
kill $pid
wait $recorder
is "a process that ends: the recording is complete" "$?" 0
has "  with a message" "$(cat err.txt)" 'all that was watched ended after .* windows'
status 0 "$HECATE" stack stall-sources -a -I 10 --samples 5 --json -o out.json
is "the machine: all adds up" "$(python3 check.py out.json)" "good"
sh -c 'exec "$HECATE" stack stall-sources --json -o out.json -- sh -c "kill -INT $$; exec sleep 600"' </dev/null 2>err.txt
is "Ctrl-C: the report is printed" "$?" 0
is "Ctrl-C: the counts add up" "$(python3 check.py out.json)" "good"
has "Ctrl-C: a message" "$(cat err.txt)" 'was ended after'

# A recording has the same windows, also after kill -9; it has its stack in it. More can be appended.
cat >replay.py <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
wrong = [o["name"] for o in d["observations"] for b in o["bars"]
         if b["over"] != 0 or sum(p["value"] for p in b["parts"] if p["parent"] is None and p["value"] is not None) != b["whole"]]
print(len(d["observations"]) > 0, max(o["samples"] for o in d["observations"]) > 1, wrong)
PY
status 0 "$HECATE" record -o s.hecate -m stall-sources -I 20 -- "$program" lock 200
has "what was recorded" "$err" 's.hecate: observations: [1-9][0-9]*, rows: [1-9]'
status 0 "$HECATE" stack s.hecate --json -o out.json
is "the recording adds up" "$(python3 replay.py out.json)" "True True []"
status 0 "$HECATE" stack s.hecate
has "tasks next to each other again" "$out" '^ task +elapsed$'
has "their sum" "$out" '^ +part +all, ms +%'
status 0 "$HECATE" stack s.hecate -v
has "or all rows of each" "$out" '^     part +share % +ns$'
is "times of windows" "$("$HECATE" export s.hecate --csv | python3 -c '
import csv, sys
by = {}
for row in csv.DictReader(sys.stdin):
    by.setdefault(row["observation"], []).append(float(row["time"]))
ends = {t for times in by.values() for t in times}
print(all(times == sorted(times) for times in by.values()), len(ends) <= max(len(t) for t in by.values()) + 2)')" "True True"
status 0 "$HECATE" record -o s.hecate -- "$program" sleep 50
status 0 "$HECATE" stack s.hecate --json -o out.json
is "appended" "$(python3 replay.py out.json)" "True True []"
sh -c 'exec "$HECATE" record -q -o k.hecate -m stall-sources -I 10 -- sh -c "$0 lock 200; kill -9 $$; exec sleep 600"' "$program" </dev/null >/dev/null 2>&1
status 0 "$HECATE" stack k.hecate --json -o out.json
is "killed: the windows in the file add up" "$(python3 replay.py out.json)" "True True []"
status 2 "$HECATE" record -o s.hecate -m stall-sources --counters elapsed_ns -- true
has "the time of tasks is recorded as a whole" "$err" 'recorded as a whole'
status 2 "$HECATE" stack topdown-l1-hsw --detail records -- true
has "recorded events have no detail" "$err" 'about the time of tasks'

# A child that executes its program after its first windows is called by the program, in the sentence and in the file.
cat >late.sh <<'SH'
"$1" sleep 60000 & child=$!
sh -c 'sleep 0.2; exec "$0" cpu 250' "$1" & wait $!
kill $child
SH
status 0 "$HECATE" record -o late.hecate -m stall-sources -I 20 -- sh late.sh "$program"
case $err in
*'not to be believed'*) skip "the program is named that was executed later" "not all is recorded here: $(printf '%s' "$err" | grep -o 'records contradict.*' | head -n 1)" ;;
*) has "the program is named that was executed later" "$err" ': stall( \(2 of them\))? ' ;;
esac
is "  and its windows before that have its name" "$("$HECATE" export late.hecate --csv | python3 -c '
import csv, sys
names = {}
for row in csv.DictReader(sys.stdin):
    names.setdefault(row["observation"].split("-")[0], []).append(float(row["time"]))
print(sorted(names) == ["sh", "sleep", "stall"], min(names["stall"]) < 0.1)')" "True True"

# What is refused.
status 2 "$HECATE" stack stall-sources -p 4194305
has "no such process" "$err" 'there is no process 4194305'
status 2 "$HECATE" stack stall-sources -t $$
has "single threads are not watched" "$err" 'single threads or CPUs.*-p'
status 2 "$HECATE" stack stall-sources -- /nowhere/hecate-test
has "no such command" "$err" 'command not found'
status 2 "$HECATE" stack stall-sources --detail record -- true
has "a detail that does not exist" "$err" 'records, switches or counters'
status 2 "$HECATE" stack stall-sources -p $$ -- true
has "a process and a command" "$err" 'give one of the two'
status 2 "$HECATE" stack stall-sources -a -- true
has "the machine and a command" "$err" 'give one of the two'
status 2 "$HECATE" stack stall-sources -r 2 -- true
status 2 "$HECATE" stack stall-sources --check -- true
has "--check counts nothing" "$err" 'check describes stacks alone'
status 2 "$HECATE" stack stall-sources --detail switches -p $$
has "switches of other users" "$err" 'of a command only'

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir open && cp -r "$TOP_SRCDIR/models/." open/ && cp "$HECATE" "$program" open/ && chmod -R a+rX "$tmp" open && chmod a+rwx "$tmp"
	status 0 env HECATE_MODELS="$tmp/open" setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all open/hecate stack stall-sources --json -o user.json -- open/stall sleep 100
	is "unprivileged: all adds up" "$(python3 check.py user.json)" "good"
	is "unprivileged: what still works" "$(json user.json 'd["stalls"]["detail"] != "records", any("less is known" in r for r in d["stalls"]["remarks"])')" "(True, True)"
else
	skip "unprivileged" "not root, or no setpriv"
fi
done_testing
