#!/bin/sh
# tools/judge-robustness: letters do not depend on which machines are judged together, and are those that were planted
# in simulated machines.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

none() { # NAME TRIAL ROWS
	status 0 python3 "$TOP_SRCDIR/tools/judge-robustness" "$HECATE" "$HECATE_TESTS/data/determinism" --seeds 2 --only "$2"
	printf '%s\n' "$out" >rows
	is "$1" "$(sed 1d rows | grep -c ' 0.0 % ') of $(sed 1d rows | wc -l | tr -d ' ')" "$3 of $3"
}
none "any seven of eight machines" "7 of 8" 1
none "a counter of interrupts that counts page faults, too" "simulated, all: AMD" 1
none "simulated machines, alone, together, and with the recorded ones" "a counter of interrupts" 3
done_testing
