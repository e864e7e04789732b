#!/bin/sh
# hecate probe -e: what events count in a pass of a probe. On the simulated core that is known by inspection.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

printf 'probe mixed "loads and stores" { slope 4 .. 40 step 4; fill load, store, add; unit "cycles"; }\n' >mixed.probe
printf 'probe walk "a walk" { knee 1k .. 512k doubling; footprint stride 64; unit "bytes"; }\n' >walk.probe
printf 'probe pair "a pair" { ratio 4 .. 16 step 4; fill load; against nop; }\n' >pair.probe
printf 'probe fresh "fresh lines" { knee 100 .. 2000 step 100; fill fresh load waves; }\n' >fresh.probe

# Three kinds in turn, and the jump back at the end of each pass.
status 0 "$HECATE" probe ./mixed.probe --on sim:core -e instructions,mem_uops_retired.all_loads,mem_uops_retired.all_stores --json
printf '%s' "$out" >mixed.json
is "events by name" "$(json mixed.json '[c["event"] for c in d["results"][0]["counts"]]')" \
	"['instructions', 'mem_uops_retired.all_loads', 'mem_uops_retired.all_stores']"
is "instructions" "$(json mixed.json '[p["count"] - p["x"] for p in d["results"][0]["counts"][0]["points"]]')" "$(json mixed.json '[1] * 10')"
is "loads" "$(json mixed.json '[p["count"] - (p["x"] + 2) // 3 for p in d["results"][0]["counts"][1]["points"]]')" "$(json mixed.json '[0] * 10')"
is "stores" "$(json mixed.json '[p["count"] - (p["x"] + 1) // 3 for p in d["results"][0]["counts"][2]["points"]]')" "$(json mixed.json '[0] * 10')"
is "the time beside them" "$(json mixed.json 'all(p["time"] > 0 for c in d["results"][0]["counts"] for p in c["points"])')" True
status 0 "$HECATE" probe ./mixed.probe --on sim:core -e instructions
has "as text" "$out" '^ +instructions: 5 in a pass at x = 4, 41 at x = 40$'
status 0 "$HECATE" probe ./mixed.probe --on sim:core -e instructions,cycles -v
has "beside each point" "$out" '^  40,([0-9.]+),[0-9.]+,[0-9.]+,41,\1$'

# Of a footprint a pass is one load; of a pair it is the fill.
status 0 "$HECATE" probe ./walk.probe --on sim:core -e l1d.access,l1d.miss --json
printf '%s' "$out" >walk.json
is "each load is an access" "$(json walk.json '{p["count"] for p in d["results"][0]["counts"][0]["points"]}')" '{1}'
is "what fits never misses, what is far larger always does" "$(json walk.json '[p["count"] for p in d["results"][0]["counts"][1]["points"]][::9]')" '[0, 1]'
status 0 "$HECATE" probe ./pair.probe --on sim:core -e mem_uops_retired.all_loads --json
printf '%s' "$out" >pair.json
is "of a pair" "$(json pair.json '[p["count"] for p in d["results"][0]["counts"][0]["points"]]')" '[4, 8, 12, 16]'
status 0 "$HECATE" probe ./pair.probe --on sim:core --json
printf '%s' "$out" >none.json
is "without -e there are none" "$(json none.json '"counts" in d["results"][0]')" False

# What cannot be counted is refused before anything runs.
status 2 "$HECATE" probe ./pair.probe --on sim:core -e cycles,nonsense
has "no such event" "$err" 'a simulated machine does not count nonsense; hecate sim --machine core --list shows what it counts'
status 2 "$HECATE" probe ./pair.probe --on import:pair.csv -e cycles
has "a curve from elsewhere" "$err" '-e counts events of probes that run, and this curve was measured elsewhere; leave it out'
status 2 "$HECATE" probe rob_compression --on sim:core -e cycles
has "a study" "$err" 'rob_compression is a study; leave it out'

# On the processor here the kernel counts: a pass of code and data that are present takes no page fault.
if [ "$(uname -m)" != x86_64 ] || ! "$HECATE" probe ./mixed.probe -q >/dev/null 2>&1; then
	skip "events of the machine here" "machine code made at run time cannot run here"
elif ! "$HECATE" probe ./mixed.probe -q -e page-faults >/dev/null 2>first.err; then
	has "the refusal is explained" "$(cat first.err)" 'page-faults cannot be counted here: .+; '
else
	status 0 "$HECATE" probe ./mixed.probe ./walk.probe -e page-faults,cpu-clock --json
	printf '%s' "$out" >here.json
	is "no page faults" "$(json here.json '{p["count"] for r in d["results"] for p in r["counts"][0]["points"]}')" '{0}'
	is "  at all points" "$(json here.json '[len(c["points"]) for r in d["results"] for c in r["counts"]]')" '[10, 10, 10, 10]'
	status 2 "$HECATE" probe ./mixed.probe -e no-such-event
	has "no such event here" "$err" 'no-such-event cannot be counted here: no such event: '
	status 2 "$HECATE" probe ./fresh.probe
	has "more lines than there are" "$err" 'the probe fresh needs [0-9]+ lines at once that no cache has, and there are 8192; end its range earlier'
fi
done_testing
