#!/bin/sh
# Session files from the command line: written, and read back with their model; killed, locked, full, and files that are
# no session files.
. "$HECATE_TESTS/lib/tap.sh"
perf_data=$HECATE_TESTS/data/perf-stat
cd "$tmp" || exit 1
mkdir inc
printf 'counter f = "page-faults";\ncounter m = "minor-faults";\n' >inc/counters.udd
printf 'model faults; include "inc/counters.udd"; path p { count f; choose { case Minor: count m; case Other: } }\n' >faults.udd
printf 'observation,time,f,m\ngood,0.1,9,5\ngood,0.2,11,6.25\ngood,0.3,10,\n"b,""ad",,10,2000\n"b,""ad",,11,2200\n"b,""ad",,12,2100\n' >data.csv

# Data and model are written, and read back the same.
status 0 "$HECATE" import -o s.hecate -m faults.udd data.csv
has "what was added" "$err" 's.hecate: 2 observations'
status 0 "$HECATE" export s.hecate -o once.csv
status 0 "$HECATE" import -q -o again.hecate once.csv
status 0 "$HECATE" export again.hecate --csv -o twice.csv
is "the CSV reads back as the same table" "$(cat twice.csv)" "$(cat once.csv)"
is "the counts are exact" "$(sed -n 3p once.csv)" "good,0.2,11,6.25"
status 1 "$HECATE" check faults.udd data.csv --independent-rows --json -o plain.json
status 1 "$HECATE" check faults.udd s.hecate --independent-rows --json -o session.json
same='[(o["name"], o["verdict"], o["distance2"], o["samples"]) for o in d["observations"]]'
is "verdicts on a session file are those on its data" "$(json session.json "$same")" "$(json plain.json "$same")"
mv faults.udd inc gone 2>/dev/null || { mkdir gone && mv faults.udd inc gone; }
status 1 "$HECATE" check s.hecate --independent-rows --json -o own.json
is "it has its own model, with includes" "$(json own.json "$same")" "$(json plain.json "$same")"
status 0 "$HECATE" constraints s.hecate
has "constraints of its model" "$out" 'm (<=|≤) f'
status 1 "$HECATE" check ./s.hecate again.hecate --independent-rows --json -o both.json
is "it is the first data, and others follow" "$(json both.json '[o["name"] for o in d["observations"]]')" "['good', 'b,\"ad', 'good#2', 'b,\"ad#2']"
status 0 "$HECATE" import -q -o s.hecate data.csv "$perf_data/x_I50_faults.csv"
status 0 "$HECATE" export s.hecate --json -o s.json
is "appended data come last" "$(json s.json '[o["name"] for o in d["observations"]], d["model"], d["counters"][:2]')" "(['good', 'b,\"ad', 'good#2', 'b,\"ad#2', 'x_I50_faults'], 'faults', ['f', 'm'])"

status 0 "$HECATE" check gone/faults.udd s.hecate --exact --observations good --json -o exact.json
has "--exact leaves out what is no total" "$(json exact.json '[w["text"] for w in d["warnings"]]')" 'left out in good.*: m'

# What is refused, and not changed.
cp data.csv before.csv
status 2 "$HECATE" import -o data.csv once.csv
has "no file is overwritten" "$err" 'data.csv is not a session file'
check "the file is unchanged" cmp data.csv before.csv
status 2 "$HECATE" import -o new.hecate once.csv none.csv
is "several files: all or none" "$(ls new.hecate* 2>&1 | grep -c 'No such file')" 1
status 2 "$HECATE" import -o . once.csv
has "a directory" "$err" 'is a directory'
status 2 "$HECATE" check again.hecate
has "a file without a model" "$err" 'again.hecate holds no model'
status 2 "$HECATE" export once.csv
has "no session file" "$err" 'once.csv is not a session file'
status 2 "$HECATE" export
status 2 "$HECATE" export s.hecate --csv --json
# Without -o and -m, record does what the explorer does with a command, and names the file for it.
mkdir unnamed
(cd unnamed && "$HECATE" record -- true) >out 2>err
is "record -- CMD" $? 0
is "one file, named for the command" "$(ls unnamed | sed 's/[0-9]\{8\}-[0-9]\{6\}/TIME/')" true-TIME.hct
has "  which is said" "$(cat err)" "^hecate: true-[0-9]+-[0-9]+[.]hct: observations: "
status 0 "$HECATE" net unnamed/true-*.hct
has "  and holds what the kernel counts" "$out" '^network linux_vm'
status 0 "$HECATE" stack -q stall-sources unnamed/true-*.hct
has "  and where the time of tasks went" "$out" '^ true-[0-9]+'
is "  of tasks alone, not also of the command" "$(printf '%s\n' "$out" | grep -c '^ true  ')" 0
status 0 "$HECATE" record -q -r 2 -o vm.hct -- true
status 2 "$HECATE" stack stall-sources vm.hct
is "a file without times of tasks is no page of question marks" "$out" ""
has "  but has a remedy" "$err" 'no observation has the time of tasks; hecate record -o FILE -m stall-sources -- CMD records it$'
status 2 "$HECATE" record
has "record needs a command" "$err" 'needs a command after --'
is "  and then makes no file" "$(ls hecate-20* 2>/dev/null | wc -l)" 0
"$HECATE" check gone/faults.udd - <s.hecate >out 2>err
has "no session file through a pipe" "$(cat err)" 'give a session file by its path, not through a pipe'
# edit FILE EXPRESSION: runs SQL from Python
sql() { python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); r = d.execute(sys.argv[2]).fetchall(); d.commit(); print(r[0][0] if r else "")' "$1" "$2"; }
cp again.hecate newer.hecate; sql newer.hecate "PRAGMA user_version=12"
for command in "export newer.hecate" "check gone/faults.udd newer.hecate" "import -o newer.hecate once.csv"; do
	status 2 "$HECATE" $command
	has "a newer version: $command" "$err" 'newer hecate.*version 12'
done
python3 -c 'import sqlite3; sqlite3.connect("other.db").executescript("CREATE TABLE t(a)")'
status 2 "$HECATE" import -o other.db once.csv
has "another program's database" "$err" 'database of another program'
status 2 "$HECATE" check gone/faults.udd other.db
has "  the same as data" "$err" 'this is a database'
head -c 9000 again.hecate >cut.hecate
status 2 "$HECATE" check gone/faults.udd cut.hecate
has "damaged" "$err" 'cut.hecate is damaged.*\.recover'
chmod a-w again.hecate
if [ "$(id -u)" -eq 0 ]; then
	mkdir small
	if mount -t tmpfs -o size=600k none small 2>/dev/null; then
		status 0 "$HECATE" import -q -o small/s.hecate data.csv
		python3 -c 'print("f,m"); [print("%d,%d" % (10**15 + i, 10**15 - i)) for i in range(30000)]' >large.csv
		status 2 "$HECATE" import -o small/s.hecate large.csv
		has "a full disk" "$err" 'no room left on the disk'
		is "  keeps what was there" "$("$HECATE" export small/s.hecate --json | grep -c '"name"')" 2
		mount -o remount,ro small
		status 2 "$HECATE" import -o small/s.hecate data.csv
		has "a read-only disk" "$err" 'cannot be written'
		status 0 "$HECATE" export small/s.hecate
		umount small
	else
		skip "a full disk" "needs root, and the right to mount"
	fi
else
	status 2 "$HECATE" import -o again.hecate data.csv
	has "a read-only file" "$err" 'cannot be written'
	skip "a full disk" "needs root, and the right to mount"
fi

# Recording, of counters that any user may use.
model=gone/faults.udd
"$HECATE" record -o r.hecate -m $model -r 2 -- sh -c : >out 2>err
is "two runs" "$("$HECATE" export r.hecate --json >r.json; json r.json '[(o["name"], o["exact"], o["command"], len(o["rows"])) for o in d["observations"]]')" \
	"[('sh', True, ['sh', '-c', ':'], 1), ('sh#2', True, ['sh', '-c', ':'], 1)]"
status 0 "$HECATE" record -q -o r.hecate -- true
is "the file's model is used again" "$("$HECATE" export r.hecate --json >r.json; json r.json '[o["name"] for o in d["observations"]]')" "['sh', 'sh#2', 'true']"
is "it is stored once" "$(sql r.hecate 'SELECT count(*) FROM model')" 1
status 0 "$HECATE" check r.hecate
status 2 "$HECATE" record -o gone.hecate -m $model -- ./no-such-program
is "no recording, no file" "$(ls | grep -c 'gone.hecate')" 0

# kill -9 several times with one file: sound each time, and no earlier data are lost.
last=0 sound=0
for round in 1 2 3 4 5; do
	"$HECATE" record -q -o k.hecate -m $model -I 1 -p $$ --samples 100000 2>/dev/null &
	pid=$!
	tries=0
	while rows=$([ -s k.hecate ] && sql k.hecate "SELECT count(*) FROM sample" 2>/dev/null); [ "${rows:-0}" -lt $((last + 3)) ] && [ $tries -lt 2400 ]; do # asked before the file exists, sqlite would create it
		[ -s k.hecate ] || sleep 0.05
		tries=$((tries + 1))
	done
	if [ $round = 1 ]; then
		status 2 "$HECATE" import -o k.hecate data.csv
		has "a second writer is refused with the first one's name" "$err" "process $pid"
	fi
	kill -9 $pid
	wait $pid 2>/dev/null
	left=$(sql k.hecate "SELECT count(*) FROM sample")
	[ "$(sql k.hecate "PRAGMA integrity_check")" = ok ] && [ "${left:-0}" -ge "${rows:-0}" ] && [ "${rows:-0}" -gt "$last" ] && sound=$((sound + 1))
	last=${left:-0}
done
is "killed five times, sound and complete five times" $sound 5
"$HECATE" export k.hecate --json -o k.json
is "five observations" "$(json k.json 'len(d["observations"])')" 5
done_testing
