#!/bin/sh
# Counters that take turns, and a program whose period is that of the rotation. With the kernel's rotation a true model
# looked refuted; now hecate notices that, and random turns have no period.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
program='periodic:period=208us,footprint=64M,other=100' # 26 events, 8 us each
warned() { json "$1" '[w["code"] for w in d["observations"][0]["warnings"] if w["code"] == "rotation"]'; }

for how in kernel random; do
	status 0 "$HECATE" sim -q -m haswell-mmu --plant early_psc,merging --rotation $how --slice 8000 --workload "$program" -o $how.hct
	"$HECATE" check $how.hct --variant m4 --json -o $how.json 2>/dev/null
	status 0 "$HECATE" export $how.hct --json -o export.json
	[ $how = kernel ] && is "the file has the rotation" "$(json export.json '"%.3g" % d["observations"][0]["rotation_period"]')" 0.000208
	json export.json '"%.0f" % (1e6 * d["observations"][0]["locked_period"])' >$how.locked
done
is "a program that keeps step is found by its period" "$(cat kernel.locked)" 208
is "  with a warning" "$(warned kernel.json)" "['rotation']"
is "  and no model is refuted" "$(json kernel.json 'd["observations"][0]["verdict"]')" undecided
has "  for that reason" "$(json kernel.json 'd["observations"][0]["reason"]')" 'keeps step'
is "no program keeps step with random turns" "$(cat random.locked)" 0
is "  no warning" "$(warned random.json)" "[]"
is "  and a true model survives" "$(json random.json 'd["observations"][0]["verdict"]')" feasible

# The sets of a live run follow the constraints of the features that are on.
live() { status 0 "$HECATE" record -m haswell-mmu -I 5 --samples 4 -o live.hct "$@" -- sim:haswell:none:linear,footprint=64M:accesses=2000; rm -f live.hct; }
live
has "a run says how many constraints are whole" "$err" 'turns: the counters of 8 of 19 constraints are in one set'
live --variant m4
has "  of a variant" "$err" 'turns: the counters of 8 of 10 constraints are in one set'
live --counters 'load.causes_walk,load.walk_done,load.ret,store.causes_walk,store.walk_done,store.ret'
has "  of the counters that are asked for" "$err" 'turns: the counters of 2 of 2 constraints are in one set'
live --rotation kernel
is "  and nothing where the kernel rotates" "${err##*in one set*}" "$err"
status 2 "$HECATE" record -m haswell-mmu --variant nosuch -o live.hct -- true
has "no such variant" "$err" 'nosuch'

# Both texts as data, and refused rotations.
status 0 "$HECATE" check haswell-mmu 'sim:haswell:early_psc,merging:linear,footprint=64M:accesses=2000,rotation=kernel,slice=4000' --variant m4
status 2 "$HECATE" check haswell-mmu 'sim:haswell:none:linear:rotation=sideways' --variant m4
has "the valid words for a rotation" "$err" 'random or kernel'
status 2 "$HECATE" sim --rotation sideways --csv
status 2 "$HECATE" check haswell-mmu kernel.hct --rotation kernel
has "recorded data cannot be rotated again" "$err" '--rotation is about counting here and now'
done_testing
