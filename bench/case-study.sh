#!/bin/sh
# The Haswell case study of CounterPoint (sections 7 and C) on a simulated machine: the suite with the features of table 4 planted, its models of haswell-study against it, and five sweeps
# for what the paper concludes besides. Prints tables beside the paper's; the same seed gives the same bytes. docs/haswell-case-study.md is made of them.
#   SUITE=./mine.suite SEED=2 OPTIONS="--accesses 20000" KEEP=folder bench/case-study.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
: "${HECATE:=hecate}" "${SUITE:=mmu}" "${SEED:=1}" "${MACHINE:=haswell}" "${MODEL:=haswell-study}"
here=$(dirname "$0")
planted=tlb_pf,early_psc,merging,pml4e,bypass

# simulate FILE FEATURES OPTIONS…: counts of MODEL's events, from the machine with these features
simulate() {
	file=$1 features=$2
	shift 2
	echo "simulating $(basename "$file"): $features" >&2
	"$HECATE" sim -q --machine "$MACHINE" -m "$MODEL" --plant "$features" --seed "$SEED" "$@" -o "$tmp/$file.hct" || exit 1
}

# judge FILE OPTIONS VARIANT…: its verdicts on FILE, as FILE.VARIANT.json
judge() {
	file=$1 how=$2
	shift 2
	for variant; do
		# shellcheck disable=SC2086
		"$HECATE" check -q "$tmp/$file.hct" $how --variant "$variant" --json -o "$tmp/$file.$variant.json"
		[ $? -le 1 ] || exit 1
	done
}

once="--exact --samples 1"
# shellcheck disable=SC2086
{
	simulate suite $planted --suite "$SUITE" $OPTIONS
	judge suite "" m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 t0 t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13 t14 t15 t16 t17 a0 a1 a2 a3 r0 r1 r2

	# Two neighbouring lines of a page, upwards and downwards, page after page: which ask for the next page. Slowly: where every MSHR has a walk no prefetch finds one.
	set --
	line=0
	while [ $line -lt 63 ]; do
		set -- "$@" --workload "lines:footprint=1G,first=$line,second=$((line + 1)),other=60" --workload "lines:footprint=1G,first=$((line + 1)),second=$line,step=-2,other=60"
		line=$((line + 1))
	done
	simulate lines $planted $once --accesses 20000 --warm-up 20000 "$@"
	judge lines --exact m5 m4

	# Strides, of loads, stores, and both.
	simulate strides $planted $once --accesses 50000 --warm-up 50000 --workload 'linear:footprint=1G,stride={8,16,32,64,72,128,256,1024,4096,-8,-16,-32,-64,-72,-128,-256,-1024,-4096},loads={1,0.7,0}'
	judge strides --exact m5 m4

	# Loops of loads, without a store and with a few.
	simulate stores $planted $once --accesses 200000 --warm-up 50000 --workload 'linear:footprint={250M,4G,600G},stride={8,64,-64},loads={1,0.99}'
	judge stores --exact t9 t10 t11 t12 t13 t14 t15 t16 t17

	# Pages of 2 MB and 1 GB on machines without bypass, with a root cache and without.
	for root in with without; do
		[ $root = with ] && features=tlb_pf,early_psc,merging,pml4e || features=tlb_pf,early_psc,merging
		simulate root-$root $features $once --accesses 50000 --warm-up 50000 --workload 'linear:footprint={16G,600G},stride=1G,loads={1,0.7,0},page=1g' --workload 'random:footprint={64G,600G},loads={1,0.7},page=1g' \
			--workload 'linear:footprint={16G,600G},stride=2M,loads={1,0.7,0},page=2m' --workload 'random:footprint={64G,600G},loads={1,0.7},page=2m'
		judge root-$root --exact m2 m3
	done

	# Pages that somebody has touched before and pages that nobody has, of prefetches that stop at a clear accessed bit and of such that set it.
	for prefetch in stops sets; do
		[ $prefetch = sets ] && features=$planted,pf_sets || features=$planted
		simulate pages-$prefetch $features $once --accesses 64000 --warm-up 64000 --workload 'linear:footprint=600G,stride=64,touched={1,0},other=20'
		judge pages-$prefetch --exact m4
	done
}
"$HECATE" constraints "$MODEL" --variant m0 --json -o "$tmp/m0.json" || exit 1
python3 "$here/case_study.py" "$tmp" "$SEED" "$MACHINE" "$planted"
status=$?
[ -n "$KEEP" ] && mkdir -p "$KEEP" && cp "$tmp"/* "$KEEP"
exit $status
