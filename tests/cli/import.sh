#!/bin/sh
# Recorded data as users have it: every form of perf stat, from a file and from a pipe, and files that are no such
# thing.
. "$HECATE_TESTS/lib/tap.sh"
perf_data=$HECATE_TESTS/data/perf-stat
cd "$tmp" || exit 1

# A program that takes 50 handled SIGSEGVs has more page faults than faults that were served, in each form that perf
# writes.
for f in x_segv.csv j_segv.jsonl text_segv.txt; do
	status 1 "$HECATE" check linux-page-faults "$perf_data/$f" --exact --json
	is "$f: the violated constraint" "$(json "$tmp/out" '[(o["name"], o["exact"], o["samples"], o["violated"][0]["text"], o["violated"][0]["excess"], o["certificate"]["verified"]) for o in d["observations"]]')" \
		"[('${f%.*}', True, 1, 'Fu <= MIN + MAJ', -50, True)]"
	status 0 "$HECATE" check linux-page-faults "$perf_data/$f" --exact --features A
	"$HECATE" check linux-page-faults - --exact --json <"$perf_data/$f" >"$tmp/out" 2>/dev/null
	is "$f: the same from a pipe" "$(json "$tmp/out" 'd["observations"][0]["name"], d["infeasible"]')" "('stdin', 1)"
done
status 0 "$HECATE" check linux-page-faults "$perf_data/x_I50_faults.csv" --json
is "intervals are samples" "$(json "$tmp/out" 'd["observations"][0]["samples"], d["observations"][0]["verdict"], d["counters"]')" "(31, 'feasible', ['Fu', 'MIN', 'MAJ'])"
is "user-side counting is reported" "$(json "$tmp/out" '[w["text"] for w in d["warnings"] if w["code"] == "user-only"]')" "['MIN was counted in user mode only (:u)', 'MAJ was counted in user mode only (:u)']"
# The kernel counts these exactly, so a single total needs no --exact.
for f in x_segv.csv j_segv.jsonl text_segv.txt; do
	status 1 "$HECATE" check linux-page-faults "$perf_data/$f" --json
	is "$f: exact by itself" "$(json "$tmp/out" '[(o["exact"], o["verdict"], o["violated"][0]["excess"]) for o in d["observations"]]')" "[(True, 'infeasible', -50)]"
done
printf '99,,page-faults:u,905469,100.00,,\n98,,minor-faults:u,905469,100.00,,\n0,,major-faults:u,905469,100.00,,\n' >torn.csv
"$HECATE" check linux-page-faults torn.csv --json >"$tmp/out" 2>/dev/null
is "counters that start one after the other may be off by one" "$(json "$tmp/out" 'd["observations"][0]["exact"], d["observations"][0]["verdict"]')" "(True, 'feasible')"
status 1 "$HECATE" check linux-page-faults torn.csv --exact
# Half of the time, hardware, times, and intervals are not exact.
printf '99,,page-faults:u,905469,50.00,,\n49,,minor-faults:u,905469,50.00,,\n0,,major-faults:u,905469,100.00,,\n' >half.csv
status 2 "$HECATE" check linux-page-faults half.csv
printf '99,,page-faults:u,905469,100.00,,\n1000,,instructions:u,905469,100.00,,\n' >mixed.csv
printf 'model mixed; counter f = "page-faults:u"; counter i = "instructions:u"; path p { count i; choose { case F: count f; case N: } }\n' >mixed.udd
status 2 "$HECATE" check mixed.udd mixed.csv
has "a total with hardware counters that is not marked as exact" "$out" 'one noisy sample'
printf '99,,page-faults:u,905469,100.00,,\n9.25,msec,task-clock,905469,100.00,,\n' >clock.csv
printf 'model clock; counter f = "page-faults:u"; counter t = "task-clock"; path p { count t; choose { case F: count f; case N: } }\n' >clock.udd
status 2 "$HECATE" check clock.udd clock.csv
head -n 5 "$perf_data/x_I50_faults.csv" >interval.csv
status 2 "$HECATE" check linux-page-faults interval.csv
# A file with further events: only those of the model count.
{ cat "$perf_data/x_segv.csv"; printf '9.25,msec,task-clock,905469,100.00,,\n123456,,instructions:u,905469,100.00,,\n'; } >more.csv
status 1 "$HECATE" check linux-page-faults more.csv

# Notes of the reader are in the text and in JSON.
cat >faults.udd <<'M'
model faults; counter f = "page-faults"; counter m = "minor-faults"; path p { count f; choose { case Minor: count m; case Other: } }
M
status 0 "$HECATE" check faults.udd "$perf_data/x_own-output.csv" --exact
has "skipped lines, in text" "$err" 'x_own-output.csv:1: this line is no record of perf stat: skipped \(3 of them'
status 0 "$HECATE" import -o notes.hct "$perf_data/x_own-output.csv"
has "they are said at import" "$err" 'x_own-output.csv:1: this line is no record of perf stat: skipped \(3 of them'
status 0 "$HECATE" import -o notes.hct "$perf_data/x_own-output.csv" --json
is "  in JSON too" "$(json "$tmp/out" 'd["schema"], d["observations"], d["warnings"][0]["code"]') $err" "('hecate.import/1', 1, 'lost-lines') "
status 0 "$HECATE" check faults.udd "$perf_data/x_own-output.csv" --exact -q
is "-q suppresses them" "$err" ""
status 0 "$HECATE" check faults.udd "$perf_data/x_cut.csv" --json
is "a file that is still being written" "$(json "$tmp/out" '[w["text"].split(":", 1)[1] for w in d["warnings"] if w["code"] == "import"], d["observations"][0]["samples"]')" \
	"(['3: the last line is incomplete and is left out: is the file still being written?'], 2)"
status 0 "$HECATE" check faults.udd "$perf_data/../perf-stat-6.1/stat_x_A_I100.csv" --json
is "an observation for each CPU" "$(json "$tmp/out" '[(o["name"], o["samples"]) for o in d["observations"]]')" "[('stat_x_A_I100:CPU0', 3), ('stat_x_A_I100:CPU1', 3)]"
status 0 "$HECATE" check faults.udd "$perf_data/../perf-stat-6.1/stat_x_A_I100.csv" --observations '*:CPU1' --json
is "one of them by name" "$(json "$tmp/out" 'len(d["observations"])')" 1
status 0 "$HECATE" check faults.udd "$perf_data/x_append.csv" "$perf_data/x_time-back.csv" --json
is "runs have names of their own" "$(json "$tmp/out" '[o["name"] for o in d["observations"]]')" "['x_append', 'x_append#2', 'x_time-back', 'x_time-back#2']"

# An estimate is not an exact total.
printf '50,,page-faults,1000,100.00,,\n60,,minor-faults,500,50.00,,\n' >shared.csv
status 0 "$HECATE" check faults.udd shared.csv --exact --json
is "left out, with a message" "$(json "$tmp/out" 'd["missing"], [w["text"] for w in d["warnings"] if w["code"] == "import"][-1]')" \
	"(['m'], 'shared.csv: left out, because they are no exact totals: minor-faults (scaled up from a part of the time)')"

# The same, recorded here and now.
if command -v perf >/dev/null && perf stat -x, -e page-faults:u true >/dev/null 2>&1; then
	perf stat -x, -I 50 -e page-faults:u,minor-faults:u,major-faults:u -o live.csv sh -c 'i=0; while [ $i -lt 100 ]; do ls / >/dev/null; i=$((i + 1)); done'
	perf stat -x, -e page-faults:u,minor-faults:u,major-faults:u -o total.csv ls / >/dev/null
	perf stat -j -e faults:u,minor-faults:u,major-faults:u -o total.jsonl ls / >/dev/null
	perf stat -e page-faults:u,minor-faults:u,major-faults:u ls / >/dev/null 2>total.txt
	status 0 "$HECATE" check linux-page-faults --exact live.csv total.csv total.jsonl total.txt --json
	is "perf's own files: all four have the same kind of verdict" "$(json "$tmp/out" '[(o["name"], o["verdict"]) for o in d["observations"]]')" \
		"[('live', 'feasible'), ('total', 'feasible'), ('total#2', 'feasible'), ('total#3', 'feasible')]"
else
	skip "perf stat, recorded here and now" "perf is not installed"
fi

# Bad input: one sentence with the place, and what to do.
refused() { # NAME PATTERN FILE
	status 2 "$HECATE" check faults.udd "$3"
	has "  $1" "$err" "^hecate: $3$2"
	is "  and nothing else" "$(printf '%s\n' "$err" | wc -l)" 1
}
printf '1,,page-faults,10,100.00,,\n9223372036854775808,,page-faults,10,100.00,,\n' >large.csv
refused "counters of 2^63" ':2: page-faults is beyond 64 bits' large.csv
printf 'f,m\n1,2\n9223372036854775808,1\n' >large.wide
refused "counters of 2^63, wide" ':3:1: f is beyond 64 bits' large.wide
printf 'f,m\n1,2\nm,f\n3,4\n' >changed.csv
refused "columns that change" ':3:1: the columns change here' changed.csv
printf '0,74,msec,task-clock,743092,100,00,0,620,CPUs utilized\n' >comma.csv
refused "decimal commas between commas" ":1: numbers have decimal commas.*LC_ALL=C, or with -x ';'" comma.csv
printf '# started on Sat Nov 21 02:58:24 2026\n\n' >nothing.csv
refused "no record" ': no line of this is a record of perf stat' nothing.csv
printf 'STRUCT,Info,3,,,\nCPU name:,x,,,\n' >likwid.csv
refused "likwid, without a table of events" ': no table of this output of likwid-perfctr holds a count; its raw tables' likwid.csv
printf 'Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle\n' >toplev.csv
refused "toplev" ': this is the output of toplev: percentages, not counts; .*--valcsv' toplev.csv
printf 'System,System,,Socket 0\nDate,Time,EXEC,IPC\n' >pcm.csv
refused "pcm" ': this is the output of pcm: metrics, not counts; pcm-raw' pcm.csv
printf 'PERFILE2\0\0\0\0' >perf.data
refused "perf.data" ': this is a perf.data file: .*perf stat report.*samples, and no counts' perf.data
printf 'f,m\n1,2\n' | iconv -f UTF-8 -t UTF-16 >wide16.csv
refused "UTF-16" ': this text is UTF-16.*iconv' wide16.csv
printf '                        CPI       Time\n  base                  1.00\n' >cpistack.txt
refused "a cut CPI stack of Sniper" ':2:3: this line is no row of the CPI stack' cpistack.txt
printf 'rob_timer.cpiBase = 1, 2, 3\nrob_timer.cpiRSFull = 1, 2\n' >dump.txt
refused "a dump of Sniper that was edited" ':2:23: this statistic has 2 values, and there are 3 cores' dump.txt
printf 'roi-begin.rob_timer[0].cpiBase 12\n' >sim.stats
refused "a simulation that has not ended" ': the file has neither the snapshot roi-end nor stop' sim.stats
printf 'SQLite format 3\000' >sim.stats.sqlite3
refused "Sniper's database" ': .*tools/dumpstats.py' sim.stats.sqlite3
printf '\000\000\000\000' >zeros.csv
refused "NUL bytes" ':1: not a text file: byte 1 is NUL' zeros.csv
printf 'f,m\n,\n,\n,\n' >empty.csv
status 2 "$HECATE" check faults.udd empty.csv
has "every cell empty: undecided, with the reason" "$out" 'no counter that it shares with the model was ever counted'
has "  and the line where it begins" "$err" 'empty.csv:2: no cell of this row is counted \(it is the first of several\)'
printf '     0.1,<not counted>,,page-faults,0,100.00,,\n     0.2,<not counted>,,page-faults,0,100.00,,\n' >asleep.csv
status 2 "$HECATE" check faults.udd asleep.csv
has "nothing counted: undecided, with the reason" "$out" 'no counter that it shares with the model was ever counted'
if truncate -s 10G huge.csv 2>/dev/null; then
	refused "10 GB of one line of NUL" ':1: not a text file: byte 1 is NUL' huge.csv
	rm -f huge.csv
else
	skip "a line of 10 GB of NUL" "the file system takes no file of 10 GB"
fi
if [ -n "$HECATE_SLOW" ]; then
	# After a header: a long line is refused because columns appear in it twice.
	{ echo a,b; yes 1234567890 2>/dev/null | tr '\n' ,; } | "$HECATE" check faults.udd - >/dev/null 2>"$tmp/err"
	has "an endless line from a pipe" "$(cat "$tmp/err")" 'reading it takes more than 256 MB of memory'
fi
done_testing
