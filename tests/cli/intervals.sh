#!/bin/sh
# hecate sim --intervals: diagrams as text, JSON and SVG, of all lessons or some, and what is refused.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

status 0 "$HECATE" sim --machine core --intervals
is "there is a diagram of each lesson" "$(printf '%s\n' "$out" | grep -c 'mean of .* events on core$')" 5
is "  with what the methods count" "$(printf '%s\n' "$out" | grep -c '^cycles per event: truth [0-9.]*  FMT ')" 5
is "no line ends in blanks" "$(printf '%s\n' "$out" | grep -c ' $')" 0
status 0 "$HECATE" sim --machine core --intervals --ascii --program one-mispredict
is "in ASCII there is nothing else" "$(printf '%s' "$out" | LC_ALL=C tr -d '\n -~' | wc -c | tr -d ' ')" 0
has "  and the branch is resolved" "$out" 'the branch is resolved'

status 0 "$HECATE" sim --machine core --set 'front_end 15 cycles' --intervals --json --program one-mispredict \
	--program two-long-misses:gap=8 -o i.json
of() { python3 -c 'import json; d = json.load(open("i.json")); i = d["intervals"]; print('"$1"')'; }
is "JSON has the programs" "$(of '[v["program"] for v in i]')" "['one-mispredict', 'two-long-misses:gap=8']"
is "  the machine and its changes" "$(of 'd["machine"], d["changes"]')" "core front_end 15 cycles"
is "  series of one length" "$(of 'all(len(v[s]) == len(v["issued"]) for v in i for s in
	("dispatched", "committed", "rob", "rob_wrong_path", "counted_fmt", "counted_power5"))')" True
is "  the longer front end" "$(of 'i[0]["marks"]["refilled"] - i[0]["marks"]["resolved"]')" 15
is "  and the second load" "$(of 'i[1]["marks"]["second_load"]')" 2
is "what FMT counts is the sum of its cycles" \
	"$(of 'all(abs(sum(v["counted_fmt"]) - v["cycles_per_event"]["fmt"]) < 1 for v in i)')" True

status 0 "$HECATE" sim --machine core --intervals --program one-long-miss -o i.svg
has "a picture is SVG" "$(head -c 300 i.svg)" '<svg '
has "  with the lesson's name" "$(cat i.svg)" '>one-long-miss<'

status 2 "$HECATE" sim --machine core --intervals --program mcf-like
has "a program with many events has none" "$err" 'mcf-like has many kinds of events'
status 2 "$HECATE" sim --machine haswell --intervals
has "nor has a machine without a pipeline" "$err" 'haswell has no pipeline'
status 2 "$HECATE" sim --machine core --intervals --suite specint-like
has "nor has a suite" "$err" '--intervals draws programs only'
status 2 "$HECATE" sim --machine core --intervals --program one-long-mis
has "a wrong name is corrected" "$err" 'one-long-miss'
status 0 "$HECATE" sim --machine core --set 'l1i 64 KiB, 16 ways, 1 cycles' --intervals
has "an event that does not occur is reported" "$err" 'the event of one-icache-miss does not occur'
is "  and the others are drawn" "$(printf '%s\n' "$out" | grep -c 'mean of .* events')" 4
done_testing
