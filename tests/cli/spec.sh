#!/bin/sh
# --spec: programs of a specification, counted with events that any user may use.
. "$HECATE_TESTS/lib/tap.sh"
programs=$(dirname "$HECATE")/tests/programs
cd "$tmp" || exit 1
cat >faults.net <<'END'
network faults "page faults";
kind rd "reads"; kind other "others";
counter faults = "page-faults:u" per task unit requests;
counter minor = "minor-faults:u" per task unit requests;
counter major = "major-faults:u" per task unit requests;
counter run = "task:run_ns" per task unit ns;
counter out = "vmstat:pgfault" per system unit requests;
stage a { module memory "memory" { rd { hit = minor; miss = major; } other { hit = out; } } }
stage b { module disk "disk" { rd { hit = major; delay = 1000 ns; } } }
link memory -> disk { rd = major; }
total "faults" = faults;
law "all are served" : faults = minor + major;
END
sed 's/network faults/network others/' faults.net >others.net
printf 'stack share "time on and for CPUs" per task;\ncounter run = "task:run_ns" per task unit ns; counter wait = "task:wait_ns" per task unit ns;\nwhole both = run + wait; exclusive; part running key "r" = run; part waiting key "w" = wait;\n' >share.stack

# spec NAME TEXT: writes a specification; P is the program that touches pages.
spec() { printf 'profile %s "of a test";\n%s\n' "$1" "$2" | sed "s#@P#$programs/touch#g" >"$1.spec"; }
# gone FILE: true if the process whose number is in the file has ended
has_ended() { ! kill -0 "$(cat "$1")" 2>/dev/null; }
gone() { eventually has_ended "$1" && echo yes || echo no; }

# Several programs: an observation for each, and the sum.
spec sum 'program one { run "@P" "300"; times 2; } program two { run "@P" "700"; begin after 20 ms; } network "./faults.net"; mode aggregated;'
status 0 "$HECATE" net --spec sum.spec --json
is "the programs that ran" "$(json out '[(p["name"], p["exit"], p["begun"] >= 0) for p in d["profile"]["programs"]]')" "[('one', 0, True), ('one-2', 0, True), ('two', 0, True)]"
is "the later one began at its time" "$(json out 'd["profile"]["programs"][2]["begun"] >= 0.02')" True
is "one snapshot each, and the whole" "$(json out 'sorted(s["name"] for s in d["snapshots"])')" "['one', 'one-2', 'sum', 'two']"
is "laws hold of each" "$(json out '[s["laws"][0]["holds"] for s in d["snapshots"]]')" "[True, True, True, True]"
is "the whole is the sum" "$(json out '(lambda t: t["sum"] == t["one"] + t["one-2"] + t["two"] and t["one"] >= 300 and t["two"] >= 700)({s["name"]: s["totals"][0]["value"] for s in d["snapshots"]})')" True
is "counters of the machine are in the whole only" "$(json out '[(s["path_map"][0]["cells"][1]["hits"] is None) == (s["name"] != "sum") for s in d["snapshots"]]')" "[True, True, True, True]"
is "no samples" "$(json out 'd["profile"]["looks"], d["profile"]["granularity"], d["profile"]["interval"]')" "(0, None, None)"

# One program, as with a command. Its report has what the file asks for.
spec single 'program only { run "@P" "400"; } network "./faults.net"; granularity 5 ms and switches; limit memory 1 MiB; limit processor 90 %; report laws, flows;'
status 0 "$HECATE" net --spec single.spec --json
# Without CAP_NET_ADMIN the kernel does not report the end of a task's time.
is "one observation with all" "$(json out '[s["name"] for s in d["snapshots"]], [x["counter"] for x in d["snapshots"][0]["lacking"] if x["counter"] != "run"]')" "(['only'], [])"
if "$HECATE" net faults.net --flows -q -- true 2>&1 >/dev/null | grep -q 'needs CAP_PERFMON'; then recorded=no; else recorded=yes; fi
case $recorded in
yes)
	is "only the requested parts" "$(json out '[k for k in ("path_map", "queues", "stalls", "qos", "totals", "laws") if k in d["snapshots"][0]], d["profile"]["not_told"]')" "(['laws'], [])"
	is "flows of the program alone" "$(json out 'len(d["flows"]) > 0, all(f["task"].rsplit("-", 1)[0] in ("touch", "hecate") for f in d["flows"])')" "(True, True)"
	is "snapshots are closed at switches, without a message" "$(json out '[w["text"] for w in d["warnings"] if "switches:" in w["text"] and "not closed" in w["text"]]')" "[]" ;;
no)
	is "only the requested parts" "$(json out '[k for k in ("path_map", "queues", "stalls", "qos", "totals", "laws") if k in d["snapshots"][0]], d["profile"]["not_told"]')" "(['laws'], ['flows'])"
	is "parts that cannot be made are reported" "$(json out '[w["text"][:23] for w in d["warnings"] if "switches" in w["text"]]')" "['not closed at switches:']"
	has "  with the reason" "$err" 'not closed at switches: .*CAP_PERFMON' ;;
esac
is "a limit that is exceeded from the start is reported" "$(json out 'd["profile"]["own_memory"]["kept"], d["profile"]["own_memory"]["limit"]')" "(False, 1048576)"
status 0 "$HECATE" net faults.net --spec sum.spec
has "in text: the programs" "$out" '^  one-2: started at .* s, ran '
has "  the whole" "$out" '^sum, row 1, .* s$'
status 0 "$HECATE" net ./faults.net --spec single.spec
[ $recorded = yes ] && has "in text: flows" "$out" '^flows: the events of each task' || has "in text: missing flows" "$out" 'not reported here, .*: flows$'
is "  and no map" "$(printf '%s\n' "$out" | grep -c 'path map')" 0

# Flows of several programs, where they can be recorded.
spec several 'program one { run "@P" "500"; } program two { run "@P" "900"; times 2; begin after 20 ms; } network "./faults.net"; granularity 5 ms and switches;'
status $([ $recorded = yes ] && echo 0 || echo 2) "$HECATE" net --spec several.spec --flows --json
if [ $recorded = yes ]; then
	is "flows of several" "$(json out 'len({f["task"] for f in d["flows"] if f["task"].startswith("touch-")}), d["profile"]["not_told"]')" "(3, [])"
else
	has "--flows demands flows" "$err" 'CAP_PERFMON'
fi
status 0 "$HECATE" net --spec several.spec --json
is "without --flows they are reported if possible" "$(json out '("flows" in d) == ("'$recorded'" == "yes")')" True
spec quiet 'program only { run "@P" "400"; } network "./faults.net"; granularity 5 ms and switches; report laws;'
status 0 "$HECATE" net --spec quiet.spec --json
is "a report without flows has nothing to close" "$(json out '"flows" in d, [w["text"][:23] for w in d["warnings"] if "switches" in w["text"]]')" "(False, ['not closed at switches:'])"
status 0 "$HECATE" record --spec quiet.spec -o quiet.hecate
has "record closes by the clock, and says so" "$err" 'not closed at switches: counters are sampled by the clock'

# Samples: a row for each; the background is ended with the others.
spec looks 'program busy { run "sh" "-c" "while [ ! -e seen ]; do sleep 0.01; done"; } program server { run "sh" "-c" "echo $$ >pid; exec sleep 1000"; background; } network "./faults.net"; granularity 2 ms;'
"$HECATE" record --spec looks.spec -o looks.hecate -q &
pid=$!
has_three() { [ "$("$HECATE" export looks.hecate 2>/dev/null | grep -c '^"*looks')" -ge 3 ]; }
eventually has_three
: >seen
wait $pid
is "it ends with the last foreground program" "$?" 0
is "the background is ended" "$(gone pid)" yes
status 0 "$HECATE" net looks.hecate --json -q
is "a session file has all of them" "$(json out 'sorted(s["name"] for s in d["snapshots"]), [s["laws"][0]["holds"] for s in d["snapshots"]]')" "(['busy', 'looks', 'server'], [True, True, True])"
is "the whole has a row for each sample, and the last one" "$(json out '[s["rows"] > 2 for s in d["snapshots"] if s["name"] == "looks"]')" "[True]"
spec over 'program ever { run "sh" "-c" "echo $$ >pid; exec sleep 1000"; } network "./faults.net"; duration 50 ms;'
status 0 "$HECATE" net --spec over.spec --json
is "the duration ends it" "$(json out 'd["profile"]["ended_by"], d["profile"]["seconds"] >= 0.05, d["profile"]["programs"][0]["signal"]')" "('duration', True, 15)"
is "  and its program" "$(gone pid)" yes
status 0 "$HECATE" net --spec over.spec --duration 0.01 -I 1 --json
is "options replace those of the file" "$(json out 'd["profile"]["ended_by"], d["profile"]["granularity"]')" "('duration', 0.001)"

# Ctrl-C.
spec never 'program ever { run "sh" "-c" "echo $$ >pid.part; mv pid.part pid; exec sleep 1000"; } program later { run "sleep" "1000"; begin after 500 s; } network "./faults.net";'
rm -f pid
python3 - "$HECATE" <<'END'
import os, signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "net", "--spec", "never.spec", "--json", "-o", "int.json", "-q"], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
for i in range(12000):
    if os.path.exists("pid"): break
    time.sleep(0.01)
p.send_signal(signal.SIGINT)
open("int.status", "w").write(str(p.wait()))
END
is "Ctrl-C: the counts are kept" "$(cat int.status), $(json int.json 'd["profile"]["ended_by"], [(q["signal"], q["begun"] is None) for q in d["profile"]["programs"]], sorted(s["name"] for s in d["snapshots"])')" \
	"0, ('interrupt', [(15, False), (None, True)], ['ever', 'never'])"
is "  and all programs are ended" "$(gone pid)" yes

# Stacks, and a model.
spec st 'program a { run "@P" "200"; } program b { run "@P" "200"; cores 0; } stack "./share.stack"; network "./faults.net"; mode aggregated;'
if taskset -c 0 true 2>/dev/null; then
	"$HECATE" stack --spec st.spec --json >out 2>err
	got=$?
	[ $recorded = no ] || is "stacks of programs: exit status" $got 0 # else the end of a task's time may be missing, and nothing adds up
	is "bars of each and the whole" "$(json out 'sorted(o["name"] for o in d["observations"]), d["profile"]["programs"][1]["cores"]')" "(['a', 'b', 'st'], [0])"
else
	skip "bars of each and of the whole" "CPU 0 is not given to this process"
fi
spec kinds 'program a { run "true"; } network "./faults.net"; stack "./share.stack"; mode aggregated;'
status 2 "$HECATE" record --spec kinds.spec -o k.hecate
has "a session file has one kind of data" "$err" 'names 2 things.*-m \./faults\.net'
status 0 "$HECATE" record --spec kinds.spec -m ./share.stack -o k.hecate
has "  -m chooses" "$err" 'k\.hecate: observations: 1, rows: 1$'

printf 'model small; counter f = "page-faults:u"; counter m = "minor-faults:u"; path p { choose { case A: count f; count m; case B: count f; } }\n' >small.udd
spec judged 'program a { run "@P" "200"; } program b { run "@P" "300"; } model "./small.udd"; mode aggregated;'
status 0 "$HECATE" record --spec judged.spec -q -o judged.hecate
status 0 "$HECATE" check judged.hecate --json
is "verdicts on each program" "$(json out 'sorted(o["name"] for o in d["observations"])')" "['a', 'b']"

# The time of tasks: of each program, from its own beginning.
spec time 'program one { run "sh" "-c" "while [ ! -e done ]; do :; done"; } program two { run "sh" "-c" "while [ ! -e done ]; do sleep 0.01; done"; begin after 20 ms; times 2; } program last { run "sh" "-c" "sleep 0.4; : >done"; } program server { run "sleep" "1000"; background; } stack "stall-sources"; granularity 5 ms;'
for detail in "" "--detail counters"; do
	rm -f done
	status 0 "$HECATE" stack --spec time.spec $detail --json -q
	is "the time of programs and of their children" "$(json out 'sorted(p["program"] for p in d["stalls"]["processes"] if p["program"]), len(d["stalls"]["processes"]) > 5, d["stalls"]["command"]')" "(['last', 'one', 'server', 'two', 'two-2'], True, None)"
	is "  adds up, of each" "$(json out 'all(t["ns"]["run"] + t["ns"]["wait"] + t["ns"].get("on-the-way", 0) + t["ns"].get("taken", 0) + t["ns"]["off"] + t["ns"]["unknown"] == t["ns"]["elapsed"] for t in d["stalls"]["tasks"])')" True
	is "  counts from the program's beginning to its end" "$(json out '[(lambda q: 0 < q["ns"]["elapsed"] <= 1.05e9 * next(p["seconds"] for p in d["profile"]["programs"] if p["name"] == q["program"]) + 1e8)(q) for q in d["stalls"]["processes"] if q["program"]]')" "[True, True, True, True, True]"
	is "  as many samples as intervals" "$(json out 'd["profile"]["looks"] > 0, d["stalls"]["recording"]["windows"] <= d["profile"]["looks"] + 1')" "(True, True)"
done
rm -f done
status 0 "$HECATE" stack stall-sources --spec time.spec --detail counters
has "in words: the programs" "$out" '^  two-2: started at '
has "  and their time, next to each other" "$out" '^ two-2: (sh|hecate)-[0-9]+ \(1\)'
spec whole 'program one { run "sh" "-c" "sleep 0.4; true"; } stack "stall-sources"; mode aggregated; report accounts;'
status 0 "$HECATE" record --spec whole.spec -o whole.hecate
has "recorded: one row a task" "$err" 'observations: ([0-9]+), rows: \1$'
status 0 "$HECATE" stack whole.hecate --json -q
is "  and read back" "$(json out 'all(o["samples"] == 1 for o in d["observations"]), len(d["observations"]) > 0')" "(True, True)"
printf 'profile one "of a test"; program loud { run "sh" "-c" "echo said >&2"; } network "./faults.net"; mode aggregated;\n' >loud.spec
status 0 "$HECATE" net --spec loud.spec
has "standard error of the programs is passed on" "$err" '^said$'

# One command, placed by options.
if taskset -c 0 true 2>/dev/null; then
	status 0 "$HECATE" net faults.net -q --pin 0 -- sh -c 'taskset -pc $$ >where'
	is "--pin: where it runs" "$(sed 's/.*: //' where)" 0
	status 0 "$HECATE" record -m faults.net -q --pin 0 -o pin.hecate -- sh -c 'taskset -pc $$ >where2'
	is "  recorded, too" "$(sed 's/.*: //' where2)" 0
	"$HECATE" stack stall-sources -q --pin 0 -- sh -c 'taskset -pc $$ >where3; sleep 0.1' >/dev/null 2>&1
	is "  and where time goes" "$(sed 's/.*: //' where3)" 0
else
	skip "--pin" "CPU 0 is not given to this process"
fi
status 2 "$HECATE" net faults.net --pin 60000 -- true
has "--pin: no such CPU" "$err" '60000'
status 2 "$HECATE" net faults.net --pin x -- true
has "--pin: no number" "$err" '--pin'
status 2 "$HECATE" net faults.net --pin 0 -p $$
has "--pin without a command" "$err" 'says where a command runs'
status 2 "$HECATE" net --spec single.spec --pin 0
has "--pin with a specification" "$err" 'single\.spec says where its programs run'
for bad in 2 near:0 bind: bind:x prefer:0-1 bind:60000; do
	status 2 "$HECATE" net faults.net --memory $bad -- true
done

# What is wrong.
spec gone 'program first { run "sh" "-c" "echo $$ >pid; exec sleep 1000"; } program second { run "/nowhere/hecate-test"; begin after 30 ms; } network "./faults.net";'
status 2 "$HECATE" net --spec gone.spec
has "a command that is not there" "$err" '/nowhere/hecate-test: command not found'
is "  no program is left running" "$(gone pid)" yes
spec cores 'program a { run "true"; cores 60000; } network "./faults.net";'
status 2 "$HECATE" net --spec cores.spec
has "a core that is not there" "$err" 'a.*60000'
mkdir -p sys/devices/system/cpu && echo 0,2-3 >sys/devices/system/cpu/online
spec offline 'program a { run "true"; cores 0-1; } network "./faults.net";'
status 2 env HECATE_SYSFS="$tmp/sys" "$HECATE" net --spec offline.spec
has "a core that is offline" "$err" 'a asks for core 1, .* or it is offline; there are 0,2-3'
spec twice 'program a { run "true"; } network "./faults.net"; granularity 5 ms; granularity 6 ms;'
status 2 "$HECATE" net --spec twice.spec
has "two granularities" "$err" "a second 'granularity'"
spec once 'program a { run "true"; } network "./faults.net"; mode aggregated; granularity 5 ms and switches;'
status 2 "$HECATE" net --spec once.spec
has "a granularity for aggregated profiles" "$err" 'an aggregated profile is one snapshot'
spec nodes 'program a { run "true"; memory bind 60000; } network "./faults.net";'
status 2 "$HECATE" net --spec nodes.spec
has "a node that is not there" "$err" 'a.*(60000|no memory nodes)'
spec broken 'program a { rum "true"; } network "./faults.net";'
status 2 "$HECATE" net --spec broken.spec
has "an error in the file has a place" "$err" 'broken\.spec:2:13'
status 2 "$HECATE" net --spec nothing.spec
has "no such file" "$err" 'nothing\.spec'
status 2 "$HECATE" net ./others.net --spec single.spec
has "another network" "$err" 'names the network \./faults\.net, and the argument is \./others\.net'
status 2 "$HECATE" net ./faults.net --spec single.spec -- true
has "a specification and a command together" "$err" 'true is a command to run too'
status 2 "$HECATE" net --spec single.spec -p 1
has "a specification and a process together" "$err" '-p watches what runs already'
status 2 "$HECATE" net --spec single.spec -r 2
status 2 "$HECATE" net --spec single.spec --samples 2
status 2 "$HECATE" net --spec sum.spec -I 10
has "samples of an aggregated profile" "$err" 'aggregated'
status 2 "$HECATE" net --spec single.spec --check
status 2 "$HECATE" record --spec single.spec --flows -o f.hecate
has "flows of a specification are not recorded" "$err" 'only hecate net reports flows'
status 2 "$HECATE" net --spec looks.spec --ring 64
has "--ring without flows" "$err" '--ring is about flows'
status 2 "$HECATE" stack --spec single.spec
has "no stack" "$err" 'names no stack'
spec both 'program a { run "true"; } stack "stall-sources"; mode aggregated;'
for o in -a "-C 0"; do
	status 2 "$HECATE" stack --spec both.spec $o
	has "the time of tasks is that of programs, or of the machine: $o" "$err" 'for the programs of a specification, or for the machine'
done
status 2 "$HECATE" record --spec both.spec -a -o b.hecate
is "  and no file is created" "$(ls b.hecate 2>/dev/null)" ""
status 2 "$HECATE" record --spec both.spec --counters on_cpu -o b.hecate
has "the time of tasks is recorded as a whole" "$err" 'recorded as a whole'
status 2 "$HECATE" stack --spec st.spec --detail counters
has "--detail with counted events" "$err" '--detail is about the time of tasks'
spec timegone 'program first { run "sh" "-c" "echo $$ >pid; exec sleep 1000"; } program second { run "/nowhere/hecate-test"; begin after 30 ms; } stack "stall-sources";'
rm -f pid
status 2 "$HECATE" stack --spec timegone.spec --detail counters
has "a command that is not there, and the time of tasks" "$err" '/nowhere/hecate-test: command not found'
is "  no program is left running" "$(gone pid)" yes
status 2 "$HECATE" check m.udd --spec single.spec
done_testing
