#!/bin/sh
# bench/case-study-seeds.sh with a few workloads: the study on several seeds, and on exact totals.
. "$HECATE_TESTS/lib/tap.sh"
export HECATE HECATE_MODELS
unset MACHINE MODEL
size="--accesses 8000 --warm-up 50000" exact=200000
[ -n "$HECATE_SLOW" ] && size="--accesses 20000 --warm-up 100000" exact=400000
SEEDS="1 2" SUITE=$HECATE_TESTS/lib/few.suite OPTIONS=$size EXACT_ACCESSES=$exact KEEP=$tmp/seeds "$TOP_SRCDIR/bench/case-study-seeds.sh" >"$tmp/over" 2>"$tmp/err"
is "two seeds, and exact totals" "$(sed -n 1p "$tmp/over")" "2 seeds (1, 2), and exact totals once; 20 observations each"
is "  the planted model survives, replays do, aborts do not" "$(grep -E '^[|] (no observation|speculative|aborts alone|replays)' "$tmp/over" | awk -F ' *[|] *' '{ print $3, $4 }' | tr '\n' ';')" "2 yes;2 yes;2 yes;2 yes;"
done_testing
