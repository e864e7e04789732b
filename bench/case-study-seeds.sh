#!/bin/sh
# The suite of the case study with many seeds, and once with exact totals: the number of seeds for which each claim of
# docs/haswell-case-study.md holds. Two seeds at a time, each in a process of its own.
#   SEEDS="1 2 3" SUITE=./mine.suite OPTIONS="--accesses 20000" KEEP=folder bench/case-study-seeds.sh
# With KEEP a seed whose data exist (KEEP/suite-SEED.hct) is not simulated again.
# shellcheck source=bench/case-study-common.sh
. "$(dirname "$0")/case-study-common.sh"
: "${SEEDS:=1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20}" "${KEEP:=$tmp}"
models="m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 t0 t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13 t14 t15 t16 t17 a0 a1 a2 a3 r0 r1 r2"
mkdir -p "$KEEP" || exit 1

# one NAME SEED CHECK-OPTIONS OPTIONS…: simulates a suite and keeps what is needed of its verdicts as NAME.json
one() {
	name=$1 seed=$2 how=$3 data=$KEEP/suite-$1.hct
	shift 3
	if [ ! -s "$data" ]; then
		echo "simulating $name" >&2
		rm -f "$data.part"
		# shellcheck disable=SC2086
		"$HECATE" sim -q --machine "$MACHINE" -m "$MODEL" --plant "$planted" --suite "$SUITE" --seed "$seed" $OPTIONS "$@" -o "$data.part" || return 1
		mv "$data.part" "$data"
	fi
	for variant in $models; do
		# shellcheck disable=SC2086
		"$HECATE" check -q "$data" $how --variant "$variant" --json -o "$tmp/$name.$variant.json"
		[ $? -le 1 ] || return 1
	done
	python3 "$here/case_study_seeds.py" keep "$tmp" "$name" "$tmp/part-$name" || return 1
	rm -f "$tmp/$name".*.json
	[ "$name" = exact ] && mv "$tmp/part-$name" "$tmp/exact.json" || mv "$tmp/part-$name" "$tmp/seed-$name.json"
}

# Every second seed, from the first or the second on.
half() {
	i=$1
	for seed in $SEEDS; do
		i=$((1 - i))
		[ $i -eq 0 ] || one "$seed" "$seed" "" || return 1
	done
}

half 0 &
other=$!
# As many accesses as the 60 samples of the other runs have together.
one exact 1 "--exact --tolerance 0" --exact --samples 1 --accesses "${EXACT_ACCESSES:-3000000}" && half 1
status=$?
wait $other && [ $status -eq 0 ] || exit 1
python3 "$here/case_study_seeds.py" print "$tmp"
