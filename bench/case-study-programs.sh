#!/bin/sh
# Real programs in the case study: their memory traces (bench/trace-programs.sh, by valgrind) run through the simulated
# machine with the features of CounterPoint's table 4, and m0 to m11 have verdicts on the counts.
#   PROGRAMS="sort gzip" LINES_MAX=1000000 TRACES=folder bench/case-study-programs.sh
# TRACES: a folder of PROGRAM.trace files; a missing trace is made there. Each trace is one observation with exact
# totals, from its first access to its last.
# shellcheck source=bench/case-study-common.sh
. "$(dirname "$0")/case-study-common.sh"
: "${PROGRAMS:=sort gzip xz sqlite3 python3 awk bc perl cc1}" "${TRACES:=$tmp/traces}"
mkdir -p "$TRACES" || exit 1
missing=
for program in $PROGRAMS; do [ -s "$TRACES/$program.trace" ] || missing="$missing $program"; done
# shellcheck disable=SC2086
[ -z "$missing" ] || "$here/trace-programs.sh" "$TRACES" $missing || exit
done_programs=
for program in $PROGRAMS; do
	trace=$TRACES/$program.trace
	[ -s "$trace" ] || continue
	done_programs="$done_programs $program"
	for page in 4k 2m; do
		# shellcheck disable=SC2002
		accesses=$(grep -c '^ [LSM]' "$trace")
		modified=$(grep -c '^ M' "$trace")
		name=$program-$page
		"$HECATE" sim -q --machine "$MACHINE" -m "$MODEL" --plant "$planted" --trace "$trace" --workload "trace:page=$page" --exact --samples 1 --accesses $((accesses + modified)) -o "$tmp/$name.hct" || exit 1
		for variant in m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11; do
			"$HECATE" check -q "$tmp/$name.hct" --exact --tolerance 0 --variant "$variant" --json -o "$tmp/$name.$variant.json"
			[ $? -le 1 ] || exit 1
		done
	done
done
# shellcheck disable=SC2086
python3 "$here/case_study_programs.py" "$tmp" $done_programs
