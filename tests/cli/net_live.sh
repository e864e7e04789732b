#!/bin/sh
# hecate net and hecate record on a network, live, with events that any user may count.
. "$HECATE_TESTS/lib/tap.sh"
programs=$(dirname "$HECATE")/tests/programs
cd "$tmp" || exit 1
cat >faults.net <<'END'
network faults "page faults";
kind rd "reads"; kind other "others";
counter faults = "page-faults:u" per task unit requests;
counter minor = "minor-faults:u" per task unit requests;
counter major = "major-faults:u" per task unit requests;
counter clock = "task-clock:u" per thread unit ns;
counter absent = "no-such-event-here" per core unit requests;
counter code = unresolved per core unit requests "no code is known";
stage a { module memory "memory" { rd { hit = minor; miss = major; } other { hit = code; } } }
stage b { module disk "disk" { rd { hit = major; delay = 1000 ns; } } }
link memory -> disk { rd = major; }
total "faults" = faults;
law "all are served" : faults = minor + major;
END
# A network whose events are named by the arguments.
some() { printf 'network some; kind k; %s stage a { module m { k { hit = %s; miss = %s; } } }\nstage b { module d { k { hit = %s; } } } link m -> d { k = %s; }\n' "$1" $2 $2 $2 $2; }

# A command: exact totals, with the time that they took.
status 0 "$HECATE" net faults.net --json -- "$programs/touch" 200
is "the command that ran" "$(json out 'd["command"]["argv"][1:], d["command"]["exit"], d["sampling"]')" "(['200'], 0, None)"
is "one snapshot, as long as the command" "$(json out 'len(d["snapshots"]), d["snapshots"][0]["rows"], d["snapshots"][0]["seconds"] == d["command"]["seconds"] > 0')" "(1, 1, True)"
is "the law holds, and the touched pages are counted" \
	"$(json out 'd["snapshots"][0]["laws"][0]["holds"], d["snapshots"][0]["totals"][0]["value"] >= 200, d["snapshots"][0]["path_map"][0]["cells"][0]["hits"] >= 200')" "(True, True, True)"
is "so rates are known" "$(json out 'd["snapshots"][0]["queues"][0]["arrivals"] is not None')" True
is "counters that cannot be counted" "$(json out '[(w["code"], w["text"].split(":")[1]) for w in d["warnings"] if w["code"] in ("not-open", "not-counted")]')" "[('not-open', ' code'), ('not-counted', ' absent')]"
is "  are lacking" "$(json out '[(l["counter"], l["why"]) for l in d["snapshots"][0]["lacking"]]')" "[('absent', 'it could not be opened'), ('code', 'unresolved')]"
status 0 "$HECATE" net faults.net -r 3 --json -- echo hello
is "three runs" "$(json out '[s["name"] for s in d["snapshots"]]')" "['echo', 'echo#2', 'echo#3']"
is "with --json the command's output goes to standard error" "$(grep -c '^hello' err)" 3
status 0 "$HECATE" net faults.net -r 2 -- echo hello
has "else it stays on standard output" "$out" '^hello'
has "in text" "$out" '^echo#2, row 1, .* s$'
has "  with the law" "$out" '1 of 1 laws hold'
has "counters that cannot be counted are reported" "$err" 'not open to counting: code: no event is known'
status 0 "$HECATE" net faults.net -q -- sh -c 'exit 3'
is "-q: no messages" "$err" ""
status 0 "$HECATE" net faults.net -- sh -c 'exit 3'
has "the command's status is reported" "$err" 'ended with status 3'

# Samples: one snapshot of all, or one of each; recorded samples give the same.
status 0 "$HECATE" net faults.net -I 5 --json -- sleep 0.1
is "one snapshot of all samples" "$(json out 'len(d["snapshots"]), d["snapshots"][0]["rows"] == d["sampling"]["samples"] + 0 > 3, d["snapshots"][0]["laws"][0]["holds"]')" "(1, True, True)"
status 0 "$HECATE" net faults.net -I 5 --each-row --json -o each.json -- sleep 0.1
is "one snapshot of each sample" "$(json each.json 'len(d["snapshots"]) == d["sampling"]["samples"], all(s["seconds"] > 0 for s in d["snapshots"]), [s["row"] for s in d["snapshots"]][:3]')" "(True, True, [1, 2, 3])"
is "together as long as the whole" "$(json each.json 'abs(sum(s["seconds"] for s in d["snapshots"]) - d["command"]["seconds"]) < 1e-6')" True
# Rows are printed while they come: the command waits until a reader has seen one.
"$HECATE" net faults.net -I 5 --each-row -q -- sh -c 'while [ ! -e stop ]; do sleep 0.01; done' >growing 2>/dev/null &
pid=$!
eventually grep -q '^sh, row 2, ' growing
: >stop
wait $pid
is "rows are printed while they come" "$?, $(grep -c '^sh, row 2, ' growing), $(grep -c '^network faults' growing)" "0, 1, 1"
sleep 60 &
pid=$!
status 0 "$HECATE" net faults.net -p $pid -I 2 --samples 5 --json
is "a running process" "$(json out 'd["target"]["kind"], d["target"]["ids"], d["sampling"]["ended_by"], d["snapshots"][0]["rows"]')" "('processes', [$pid], 'samples', 5)"
status 0 "$HECATE" net faults.net -t $pid -I 2 --samples 2 --each-row
is "a thread" "$(printf '%s\n' "$out" | grep -c "^thread-$pid, row [12], ")" 2
kill $pid

# Whole CPUs: columns of their threads and cores, which add up.
cat >cpus.net <<'END'
network cpus; kind k;
counter each = "context-switches" per thread unit requests;
counter all = "context-switches" per system unit requests;
counter core = "cpu-clock" per core unit ns;
counter lost = "no-such-event-here" per core unit requests;
stage a { module m { k { hit = each; miss = lost; } } } stage b { module d { k { hit = lost; } } } link m -> d { k = lost; }
total "all" = all; total "cores" = core; law "each" : each = all;
END
if "$HECATE" record -q -o cpus.hecate -m cpus.net -a -I 5 --samples 4 2>err; then
	ok "CPUs are recorded"
	"$HECATE" export cpus.hecate --json -o export.json
	online=$(python3 -c 'print(sum(int(r.split("-")[-1]) - int(r.split("-")[0]) + 1 for r in open("/sys/devices/system/cpu/online").read().strip().split(",")))')
	is "a column for each thread" "$(json export.json 'len([c for c in d["counters"] if c.startswith("each@S")]), len([c for c in d["counters"] if c == "all"]), all("-T" in c for c in d["counters"] if c.startswith("each@"))')" "($online, 1, True)"
	is "cores, without threads" "$(json export.json 'all(c.count("-") == 1 and "-C" in c for c in d["counters"] if c.startswith("core@")), len([c for c in d["counters"] if c.startswith("core@")]) > 0')" "(True, True)"
	# A CPU may count a switch for one counter before, and for the other after they are read.
	is "together they are the machine's" "$(json export.json "abs(sum(v for r in d['observations'][0]['rows'] for c, v in zip(d['counters'], r['counts']) if c.startswith('each@')) - sum(v for r in d['observations'][0]['rows'] for c, v in zip(d['counters'], r['counts']) if c == 'all')) <= $online")" True
	status 0 "$HECATE" net cpus.hecate --json
	is "the counter is the sum of its owners" "$(json out '[l["counter"] for l in d["snapshots"][0]["lacking"]], d["snapshots"][0]["rows"], d["snapshots"][0]["extra"]')" "(['lost'], 4, [])"
	status 0 "$HECATE" net cpus.net -C 0 -I 5 --samples 3 --json
	is "one CPU" "$(json out 'd["target"]["ids"], d["snapshots"][0]["name"]')" "([0], 'cpu0')"
	status 0 "$HECATE" net cpus.net -a --json -- sleep 0.02
	is "the machine while a command runs" "$(json out 'd["command"]["argv"], d["target"]["kind"], d["snapshots"][0]["name"], d["snapshots"][0]["rows"], d["snapshots"][0]["seconds"] == d["command"]["seconds"] > 0')" \
		"(['sleep', '0.02'], 'cpus', 'sleep', 1, True)"
	status 0 "$HECATE" net cpus.net -C 0 -I 5 --each-row -r 2 -- sleep 0.02
	has "  in rows, twice" "$out" '^sleep#2, row 2, '
	status 0 "$HECATE" record -q -o both.hecate -m cpus.net -a -- sleep 0.02
	"$HECATE" export both.hecate --json -o export.json
	is "  recorded" "$(json export.json 'd["observations"][0]["command"], d["observations"][0]["exact"], d["observations"][0]["rows"][0]["time"] > 0')" "(['sleep', '0.02'], False, True)"
	status 0 "$HECATE" net both.hecate --json
	is "  with its length" "$(json out 'd["snapshots"][0]["seconds"] > 0')" True
	status 2 "$HECATE" record -o no.hecate -m linux-page-faults -a -- true
	has "  but not for a model" "$err" 'networks and stacks take both'
	status 0 "$HECATE" net cpus.net -C 0 -I 5 --samples 3 --json
	is "owners are reported together" "$(json out '[w["text"].split(":")[1] for w in d["warnings"] if "ticks were missed" not in w["text"]]')" "[' lost']"
elif grep -q 'needs CAP_PERFMON' err; then
	skip "the machine" "needs root, for all that runs on a CPU"
else
	not_ok "CPUs are recorded" "$(cat err)"
fi

# A session file of a network has the network in it.
status 0 "$HECATE" record -q -o s.hecate -m faults.net -I 5 -- sleep 0.05
status 0 "$HECATE" record -q -o s.hecate -- "$programs/touch" 300
rm -f moved.net
status 0 "$HECATE" net s.hecate --json
is "two recordings" "$(json out 'd["network"], d["file"], [s["name"] for s in d["snapshots"]], [s["laws"][0]["holds"] for s in d["snapshots"]]')" "('faults', 'faults.net', ['sleep', 'touch'], [True, True])"
is "totals keep their length" "$(json out 'd["snapshots"][1]["rows"], d["snapshots"][1]["seconds"] > 0')" "(1, True)"
status 0 "$HECATE" net faults.net s.hecate --observations touch
has "the network may be given on the command line" "$out" '^touch, row 1'
status 0 "$HECATE" net s.hecate --check
has "or checked" "$out" '^network faults: page faults'
status 0 "$HECATE" net s.hecate --observations 'true' --json -- true
is "the file's network can count more" "$(json out '[s["name"] for s in d["snapshots"]]')" "['true']"
"$HECATE" export s.hecate --json -o export.json
is "export names what the file has" "$(json export.json 'd["model"], d["kind"], d["observations"][1]["exact"], d["observations"][1]["rows"][0]["time"] > 0')" "('faults', 'network', True, True)"
"$HECATE" export s.hecate -o export.csv 2>/dev/null
status 0 "$HECATE" net faults.net export.csv --exact --observations touch --json
is "a CSV of totals keeps the length" "$(json out 'd["snapshots"][0]["seconds"] > 0')" True
status 0 "$HECATE" record -q -o s2.hecate -m faults.net --counters faults,minor -- true
"$HECATE" export s2.hecate --json -o export.json
is "chosen counters" "$(json export.json '[h for h in d["observations"][0]["health"]]')" "['live', 'live', 'absent', 'absent', 'absent']"
for command in check search print constraints; do
	status 2 "$HECATE" $command s.hecate
	has "  names what the file has" "$err" 's.hecate holds data of the network faults, and no model; hecate net s.hecate'
done
status 2 "$HECATE" stack s.hecate
has "it has no stack" "$err" 'the network faults, and no stack'
printf 'page-faults:u,minor-faults:u,major-faults:u\n7,5,2\n' >imported.csv
status 0 "$HECATE" import -q -o imported.hecate -m faults.net imported.csv
status 0 "$HECATE" net imported.hecate --json
is "imported data keep their network, too" "$(json out 'd["network"], d["snapshots"][0]["laws"][0]["left"], d["snapshots"][0]["seconds"]')" "('faults', 7, None)"
"$HECATE" import -q -o data.hecate "$HECATE_TESTS/data/session/data.csv"
status 2 "$HECATE" net data.hecate
has "a file without a network" "$err" 'data.hecate holds no network.*hecate net NETWORK data.hecate'
status 2 "$HECATE" record -o data.hecate -- true
has "a file without anything to count by" "$err" 'holds no model, network or stack'

# kill -9: the file is sound, and only the last interval may be missing.
"$HECATE" record -q -o k.hecate -m faults.net -I 1 -p $$ --samples 100000 2>/dev/null &
pid=$!
sql() { python3 -c 'import sqlite3, sys; print(sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True).execute(sys.argv[2]).fetchone()[0])' "$@" 2>/dev/null; }
tries=0
while rows=$(sql k.hecate "SELECT count(*) FROM sample"); [ "${rows:-0}" -lt 3 ] && [ $tries -lt 400 ]; do tries=$((tries + 1)); done
kill -9 $pid
wait $pid 2>/dev/null
status 0 "$HECATE" net k.hecate --json
is "a killed recording is whole" "$(sql k.hecate "PRAGMA integrity_check"), $(json out "d['snapshots'][0]['rows'] >= $rows >= 3, d['snapshots'][0]['laws'][0]['holds'] is not None")" "ok, (True, True)"

# With hundreds of refused counters only some are named.
{
	echo 'network many; kind k; counter faults = "page-faults:u" per task unit requests;'
	for i in 1 2 3 4 5 6 7 8 9 10; do echo "counter u$i = unresolved per task unit requests \"no\"; counter c$i = \"no-such-event-here\" per task unit requests;"; done
	echo 'stage a { module m { k { hit = faults; miss = c1; } } } stage b { module d { k { hit = c1; } } } link m -> d { k = c1; }'
} >many.net
status 0 "$HECATE" net many.net -- true
has "ten are refused" "$err" 'not counted: c1 c2 c3 c4 c5 c6 c7 c8 and 2 more: no such event'
sed 's/c\([0-9]*\) = "no-such-event-here"/c\1 = "no-such-event-\1"/g' many.net >more.net
status 0 "$HECATE" net more.net -- true
is "ten reasons: eight in full" "$(printf '%s\n' "$err" | grep -c 'not counted: c[0-9]*: no such event: no-such-event-')" 8
has "  and the others together" "$err" 'not counted: c9 c10: for 2 more reasons; hecate doctor'
status 0 "$HECATE" net many.net -- true
has "ten are not known" "$err" '10 of 21 counters: no event is known; hecate net many.net --check lists them'

# Bad input.
status 2 "$HECATE" net faults.net -- no-such-program-here
has "not found" "$err" 'no-such-program-here'
status 2 "$HECATE" net faults.net -- /etc/passwd
some 'counter c = "no-such-event-here" per task unit requests;' c >nothing.net
status 2 "$HECATE" net nothing.net -- true
has "no counter can be counted here" "$err" 'none of the 1 counters can be counted here; c: no such event.*hecate doctor'
some 'counter c = unresolved per task unit requests "no code";' c >unresolved.net
status 2 "$HECATE" net unresolved.net -- true
has "no counter has a known event" "$err" 'nothing of the network some can be opened.*hecate doctor'
is "no report" "$out" ""
status 2 "$HECATE" record -o no.hecate -m unresolved.net -- true
status 2 "$HECATE" record -o no.hecate -m faults.net -- no-such-program-here
is "no recording, no file" "$(ls | grep -c no.hecate)" 0
status 2 "$HECATE" record -o no.hecate -m faults.net --counters minors -- true
has "an unknown counter" "$err" "the network faults has no counter 'minors'; nearest: minor"
status 2 "$HECATE" record -o no.hecate -m no-such-text -- true
has "an unknown name" "$err" 'no model, network or stack has that name'
status 2 "$HECATE" record -o no.hecate -m genreic -- true
has "a misspelt name" "$err" 'nearest: generic'
status 2 "$HECATE" net linux-page-faults -- true
has "a model is no network" "$err" 'linux-page-faults is a model, but a network is needed; use hecate check linux-page-faults'
status 2 "$HECATE" check faults.net -- true
has "a network is no model" "$err" 'faults.net is a network, but a model is needed; use hecate net faults.net'
status 2 "$HECATE" net naive-hsw -- true
has "a stack is no network" "$err" 'naive-hsw is a stack, but a network is needed'
status 2 "$HECATE" net faults.net --check -- true
has "--check counts nothing" "$err" 'there is something to count'
status 2 "$HECATE" net faults.net --samples 5 -- true
has "samples without an interval" "$err" '--samples needs an interval'
status 2 "$HECATE" net faults.net -p $$ -- true
has "a process and a command together" "$err" 'watches what runs already'
status 2 "$HECATE" net faults.net -p 999999999
has "no such process" "$err" 'there is no process'
status 2 "$HECATE" net faults.net -I 5
has "-I without a subject" "$err" 'nothing to count is given'
status 2 "$HECATE" net faults.net --observations nobody -- true
has "no observation left" "$err" 'no observation to report'
status 2 sh -c "'$HECATE' net faults.net --each-row -I 1 -- true >/dev/full"
has "standard output is full" "$err" 'cannot write to standard output'
done_testing
