#!/bin/sh
# hecate net --flows: the events of each task on each CPU, recorded live and from files.
. "$HECATE_TESTS/lib/tap.sh"
programs=$(dirname "$HECATE")/tests/programs
cd "$tmp" || exit 1
cat >near.net <<'END'
network near "near and far";
kind rd "reads";
counter minor = "minor-faults" per task unit requests;
counter major = "major-faults" per task unit requests;
counter clock = "task-clock" per task unit ns;
stage a { module core "core" { rd { miss = minor + major; } } }
stage b { module memory "memory" { rd { hit = minor; } } module disk "disk" { rd { hit = major; } } }
link core -> memory { rd = minor; }
link core -> disk { rd = major; }
END
status 2 "$HECATE" net near.net --flows
has "flows need data or something to count" "$err" 'net needs data, a command after --, or what to watch'
status 2 "$HECATE" net near.net --flows --ring 64
has "rings need something to count" "$err" 'nothing to count is given'
printf 'observation,minor,major\nplain,5,1\n' >plain.csv
status 2 "$HECATE" net near.net --flows plain.csv
has "data without flows say so" "$err" 'plain.csv has no flows'
status 2 "$HECATE" net near.net --flows plain.csv plain.csv
has "data from several files are refused" "$err" '--flows takes one file'
status 2 "$HECATE" record --flows -m linux-page-faults -o none.hec -- true
has "a model has no flows" "$err" '--flows: only a network'
status 2 "$HECATE" record --flows -r 2 -m near.net -o none.hec -- true
has "flows need a single run" "$err" 'flows are recorded in one run only'
is "no file is left" "$(ls none.hec 2>/dev/null)" ""
# Flows in a file from elsewhere: of a task, of one to a place that the network does not have, and a name that is no
# flow's.
cat >flows.csv <<'END'
observation,minor,major,flow:snapshots,flow:ran,flow:left,flow:ended,flow:count:minor,flow:count:major,flow:lost:minor,flow:lost:major
run,50,2,,,,,,,,
gcc-7 CPU 1,,,3,2000000,1,1,0,0,0,0
gcc-7 CPU 1 → memory,,,3,0,1,1,40,0,0,0
gcc-7 CPU 1 → disk,,,3,0,1,1,0,2,0,1
gcc-7 CPU 1 → tape,,,3,0,1,1,9,0,0,0
nonsense,,,3,0,1,1,9,0,0,0
(others),,,1,0,0,0,10,0,0,0
END
status 0 "$HECATE" net near.net --flows flows.csv
has "flows of a file" "$out" '^  gcc-7 +CPU 1 +memory +40 +[?] +3  ended$'
has "losses are unknown" "$out" '^  gcc-7 +CPU 1 +disk +[?] +[?] +3  ended$'
has "requests of no task" "$out" '^  of flows beyond the largest number that is kept separately: 10 requests'
has "a place that the network does not have" "$err" 'left out 2 observations of flows'
status 0 "$HECATE" net near.net --flows flows.csv --json
is "as JSON" "$(json out '[(f["task"], f["core"], f["destination"], f["requests"]) for f in d["flows"]], d["flows_apart"]["others"]')" \
	"([('gcc-7', 'CPU 1', None, None), ('gcc-7', 'CPU 1', 'memory', 40), ('gcc-7', 'CPU 1', 'disk', None)], 10)"
# A network without one of the counters, and without a place.
{ grep -v 'major\|^link' near.net; echo 'stage a { module core "core" { rd { miss = minor; } } } stage b { module memory "memory" { rd { hit = minor; } } }
link core -> memory { rd = minor; }'; } >less.net
status 0 "$HECATE" net less.net --flows flows.csv
has "a smaller network" "$out" '^  gcc-7 +CPU 1 +memory +40 +100.0 +3  ended$'
has "  what it does not have" "$err" 'left out 3 observations of flows'
status 2 "$HECATE" net near.net --flows -r 2 -- true
has "flows need one run" "$err" 'flows are recorded in one run only'
status 2 "$HECATE" net near.net --ring 64 -- true
has "--ring is about flows" "$err" '--ring is about flows'
status 2 "$HECATE" net near.net --flows -t $$ --duration 0.1
has "no single threads" "$err" 'flows follow processes'
"$HECATE" net near.net --flows -q -- true >out 2>err
if grep -q 'needs CAP_PERFMON' err; then
	skip "needs root, to record whole CPUs"
	done_testing; exit 0
fi
status 0 "$HECATE" net near.net --flows --json -- "$programs/touch" 5000
# If the kernel dropped records, counts from that time belong to several tasks, and are reported so. Records that found
# no room may be those of exits.
lost=$(grep -c 'did not record\|found no room' err) dropped=$(grep -c 'found no room' err)
is "all pages that the program touched are in its flows to memory" \
	"$(json out "$lost"' > 0 or sum(f["requests"] for f in d["flows"] if f["destination"] == "memory") >= 5000, all(f["task"].startswith("touch-") for f in d["flows"])')" "(True, True)"
is "shares of a task on a core add up" "$(json out 'all(abs(sum(g["share"] or 0 for g in d["flows"] if g["core"] == f["core"] and g["task"] == f["task"]) - 1) < 1e-9 for f in d["flows"] if f["share"])')" True
is "the task has ended" "$(json out "$dropped"' > 0 or all(f["ended"] for f in d["flows"]), d["flows_apart"]["backwards"]')" "(True, 0)"
# Recorded, and read back.
status 0 "$HECATE" record --flows -I 20 -m near.net -o kept.hec -- "$programs/touch" 5000
lost=$(grep -c 'did not record\|found no room' err) dropped=$(grep -c 'found no room' err)
status 0 "$HECATE" net kept.hec --flows --json
cp out kept.json
is "a session file has the flows" \
	"$(json out "$lost"' > 0 or sum(f["requests"] for f in d["flows"] if f["destination"] == "memory") >= 5000, all(f["task"].startswith("touch-") for f in d["flows"])')" "(True, True)"
is "tasks that ended" "$(json out "$dropped"' > 0 or all(f["ended"] for f in d["flows"])')" True
"$HECATE" net near.net --flows --json -- "$programs/touch" 10 >out 2>/dev/null
is "a recorded flow equals the live one" "$(json out 'sorted(d["flows"][0])')" "$(json kept.json 'sorted(d["flows"][0])')"
is "  and what belongs to no flow" "$(json out 'sorted(d["flows_apart"])')" "$(json kept.json 'sorted(d["flows_apart"])')"
status 0 "$HECATE" net kept.hec --flows
has "  in text" "$out" '^  touch-[0-9]+ +CPU [0-9]+ +memory '
status 0 "$HECATE" net kept.hec
is "only with --flows" "$(grep -c '^flows:' out)" 0
status 0 "$HECATE" export kept.hec -o kept.csv
status 0 "$HECATE" net near.net --flows --json kept.csv
is "a table of them agrees" "$(json out 'd["flows"]')" "$(json kept.json 'd["flows"]')"
status 0 "$HECATE" record -I 20 -m near.net -o bare.hec -- "$programs/touch" 10
status 2 "$HECATE" net bare.hec --flows
has "a file without flows is refused" "$err" 'bare.hec has no flows with the observation that was counted last'
# Places on the way, by formulas.
cat >way.net <<'END'
network way "a cache on the way";
kind rd "reads";
counter minor = "minor-faults" per task unit requests;
counter major = "major-faults" per task unit requests;
stage a { module core "core" { rd { miss = minor + major; } } }
stage b { module cache "cache" { rd { hit "cached" = max(minor - major, 0 requests); miss = major; } } }
stage c { module disk "disk" { rd { hit = major; } } }
link core -> cache;
link cache -> disk;
END
status 0 "$HECATE" net way.net --flows --json -- "$programs/touch" 5000
lost=$(grep -c 'did not record\|found no room' err)
is "the place on the way that served it" "$(json out "$lost"' > 0 or sum(p["hits"] for f in d["flows"] for p in f["served"]) >= 5000, {p["place"] for f in d["flows"] for p in f["served"]}')" "(True, {'cached'})"
is "  and not the place at the end, which has flows" "$(json out '{f["destination"] for f in d["flows"]} <= {None, "disk"}')" True
status 0 "$HECATE" net way.net --flows -- "$programs/touch" 500
has "  in text" "$out" '^    served on the way: cached [0-9]'
status 0 "$HECATE" net near.net --flows -- "$programs/touch" 500
has "  in text" "$out" '^flows: the events of each task'
has "  with the task" "$out" '^  touch-[0-9]+ +CPU [0-9]+ '
done_testing
