#!/bin/sh
# hecate net --flows: what each task did on each CPU.
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
has "flows need something to count" "$err" 'nothing to count is given'
status 2 "$HECATE" net near.net --flows -r 2 -- true
has "of one run" "$err" 'flows are told of one run'
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
# Where the kernel left out records, what was counted meanwhile is of several tasks, and is said to be.
lost=$(grep -c 'did not record\|found no room' err)
is "all that it touched is in its flows to memory" \
	"$(json out "$lost"' > 0 or sum(f["requests"] for f in d["flows"] if f["destination"] == "memory") >= 5000, all(f["task"].startswith("touch-") for f in d["flows"])')" "(True, True)"
is "shares of a task on a core add up" "$(json out 'all(abs(sum(g["share"] or 0 for g in d["flows"] if g["core"] == f["core"] and g["task"] == f["task"]) - 1) < 1e-9 for f in d["flows"] if f["share"])')" True
is "it has ended" "$(json out 'all(f["ended"] for f in d["flows"]), d["flows_apart"]["backwards"]')" "(True, 0)"
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
is "where it was served on the way" "$(json out "$lost"' > 0 or sum(p["hits"] for f in d["flows"] for p in f["served"]) >= 5000, {p["place"] for f in d["flows"] for p in f["served"]}')" "(True, {'cached'})"
is "  and not where it ends, which has flows" "$(json out '{f["destination"] for f in d["flows"]} <= {None, "disk"}')" True
status 0 "$HECATE" net way.net --flows -- "$programs/touch" 500
has "in words" "$out" '^    served on the way: cached [0-9]'
status 0 "$HECATE" net near.net --flows -- "$programs/touch" 500
has "in words" "$out" '^flows: what each task did'
has "with who did it" "$out" '^  touch-[0-9]+ +CPU [0-9]+ '
done_testing
