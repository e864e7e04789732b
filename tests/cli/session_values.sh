#!/bin/sh
# Session files by structure: each of 23 values in each column of each table, read by each command that reads them. Of
# 1000 combinations HECATE_SHARE are run (4; with HECATE_SLOW 60), which HECATE_SEED draws.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
"$HECATE" import -q -o good.hct -m linux-page-faults "$HECATE_TESTS/screens/expect/programs.csv"
"$HECATE" sim -q -o good.hct --machine small --workload linear --accesses 100 --samples 2
"$HECATE" record -q -o good.hct -m stall-sources -I 10 -- sleep 0.02
share=$(rounds 4 60)
"${HECATE_PYTHON:-python3}" "$HECATE_TESTS/lib/session_values.py" "$HECATE" "$tmp/good.hct" "$tmp" \
	"${HECATE_SHARE:-$share}" "${HECATE_SEED:-1}" >found
runs=$(tail -n 1 found)
echo "# $runs runs"
is "nothing ends otherwise than it should" "$(sed '$d' found)" ""
[ "$runs" -ge 30 ] 2>/dev/null && ok "many files were read" || not_ok "many files were read" "$runs"
done_testing
