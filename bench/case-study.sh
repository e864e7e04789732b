#!/bin/sh
# The Haswell case study of CounterPoint (sections 7 and C) on a simulated machine: the suite runs with the features of
# table 4 planted, and the paper's models (haswell-study) have verdicts on it. Five sweeps test the paper's other
# conclusions.
# Prints tables next to the paper's numbers; the same seed gives the same bytes. bench/printed/case-study.txt has them.
#   SUITE=./mine.suite SEED=2 OPTIONS="--accesses 20000" OUTSIDE="plain twin" KEEP=folder bench/case-study.sh
# shellcheck source=bench/case-study-common.sh
. "$(dirname "$0")/case-study-common.sh"
: "${SEED:=1}" "${OUTSIDE:=plain storm pf_done twin stlb leak factor}"

# simulate FILE FEATURES OPTIONS…: counts of MODEL's events on a machine with these features
simulate() {
	file=$1 features=$2
	shift 2
	echo "simulating $(basename "$file"): $features" >&2
	"$HECATE" sim -q --machine "$MACHINE" -m "$MODEL" --plant "$features" --seed "$SEED" "$@" -o "$tmp/$file.hct" || exit 1
}

# judge FILE OPTIONS VARIANT…: verdicts of each variant on FILE, as FILE.VARIANT.json
judge() {
	file=$1 how=$2
	shift 2
	for variant; do
		# shellcheck disable=SC2086
		"$HECATE" check -q "$tmp/$file.hct" $how --variant "$variant" --json -o "$tmp/$file.$variant.json"
		[ $? -le 1 ] || exit 1
	done
}

# quantities FILE FEATURES OPTIONS…: exact counts of events as FILE.csv
quantities() {
	file=$1 features=$2
	shift 2
	echo "counting $file: $features" >&2
	events=
	for t in load store; do
		for e in miss_causes_a_walk walk_completed pde_cache_miss stlb_hit walk_duration; do events=$events${events:+,}dtlb_${t}_misses.$e; done
		events=$events,mem_uops_retired.all_${t}s,mem_uops_retired.stlb_miss_${t}s
	done
	for e in l1 l2 l3 memory; do events=$events,page_walker_loads.dtlb_$e; done
	"$HECATE" sim -q --machine "$MACHINE" --plant "$features" --seed "$SEED" -e "$events,cycles,instructions" --exact --samples 1 --accesses 100000 --warm-up 100000 "$@" --csv -o "$tmp/$file.csv" || exit 1
}

# outside NAME MACHINE FEATURES OPTIONS…: the answers of m4 and two searches
outside() {
	name=$1 machine=$2 features=$3
	shift 3
	echo "simulating $name: $features" >&2
	cat >"$tmp/outside.suite" <<-'END'
	linear:footprint=4G,stride={64,-64},loads={1,0.95,0}
	linear:footprint={250M,1G,4G},stride=8,loads={1,0.7}
	linear:footprint={16G,600G},stride=1G,loads={1,0.7},page=1g
	linear:footprint=1G,stride=4160,loads=0.95,store_depends=1
	linear:footprint=4G,stride=64,wrong=0.01
	random:footprint=4G,loads=0.7,page={4k,2m,1g},store_depends=1
	chase:footprint=64M
	gups:footprint=1G
	branchy:footprint=16M
	END
	# shellcheck disable=SC2086
	"$HECATE" sim -q --machine "$machine" -m "$MODEL" --plant "$features" --seed "$SEED" $once --accesses 30000 --warm-up 50000 --suite "$tmp/outside.suite" "$@" -o "$tmp/outside-$name.hct" || exit 1
	judge "outside-$name" "$exact" m4
	# shellcheck disable=SC2086
	{
		"$HECATE" search -q haswell-mmu "$tmp/outside-$name.hct" $exact --json -o "$tmp/outside-$name.mmu.json"
		[ $? -le 1 ] || exit 1
		"$HECATE" search -q "$MODEL" "$tmp/outside-$name.hct" $exact --fix "$leave" --json -o "$tmp/outside-$name.study.json"
		[ $? -le 1 ] || exit 1
	}
}
# As bench/secrets.sh: prefetches are requests of their own, and what has no count of its own is left off.
leave=pf_loads,pf_stores,pf_spec,pf_lsq,pf_dtlb_miss,pf_stlb_miss,pf_sets,ab_l1,ab_l2

once="--exact --samples 1"
machines=$here/../models/machines
exact="--exact --tolerance 0" # the simulator's totals are right to the count
# shellcheck disable=SC2086
{
	simulate suite $planted --suite "$SUITE" $OPTIONS
	judge suite "" m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 t0 t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13 t14 t15 t16 t17 a0 a1 a2 a3 r0 r1 r2

	# Two neighbouring lines of a page, upwards and downwards, page after page: which pairs prefetch the next page.
	# The accesses are slow, because a prefetch needs a free MSHR.
	set --
	line=0
	while [ $line -lt 63 ]; do
		set -- "$@" --workload "lines:footprint=1G,first=$line,second=$((line + 1)),other=60" --workload "lines:footprint=1G,first=$((line + 1)),second=$line,step=-2,other=60"
		line=$((line + 1))
	done
	simulate lines $planted $once --accesses 20000 --warm-up 20000 "$@"
	judge lines "$exact" m5 m4

	# Strides, of loads, stores, and both.
	simulate strides $planted $once --accesses 50000 --warm-up 50000 --workload 'linear:footprint=1G,stride={8,16,32,64,72,128,256,1024,4096,-8,-16,-32,-64,-72,-128,-256,-1024,-4096},loads={1,0.7,0}'
	judge strides "$exact" m5 m4

	# Loops of loads, without a store and with a few.
	simulate stores $planted $once --accesses 200000 --warm-up 50000 --workload 'linear:footprint={250M,4G,600G},stride={8,64,-64},loads={1,0.99}'
	judge stores "$exact" t9 t10 t11 t12 t13 t14 t15 t16 t17

	# Pages of 2 MB and 1 GB on machines without bypass, with a root cache and without.
	for root in with without; do
		[ $root = with ] && features=tlb_pf,early_psc,merging,pml4e || features=tlb_pf,early_psc,merging
		simulate root-$root $features $once --accesses 50000 --warm-up 50000 --workload 'linear:footprint={16G,600G},stride=1G,loads={1,0.7,0},page=1g' --workload 'random:footprint={64G,600G},loads={1,0.7},page=1g' \
			--workload 'linear:footprint={16G,600G},stride=2M,loads={1,0.7,0},page=2m' --workload 'random:footprint={64G,600G},loads={1,0.7},page=2m'
		judge root-$root "$exact" m2 m3
	done

	# Pages that were touched before and fresh ones, with prefetches that stop at a clear accessed bit and with such
	# that set it.
	for prefetch in stops sets; do
		[ $prefetch = sets ] && features=$planted,pf_sets || features=$planted
		simulate pages-$prefetch $features $once --accesses 64000 --warm-up 64000 --workload 'linear:footprint=600G,stride=64,touched={1,0},other=20'
		judge pages-$prefetch "$exact" m4
	done

	# Aborts before the first reference, on wrong paths: what they refute, without bypass.
	for aborts in with without; do
		[ $aborts = with ] && features=tlb_pf,early_psc,merging,pml4e,ab_walk || features=tlb_pf,early_psc,merging,pml4e
		simulate aborts-$aborts $features $once --accesses 50000 --warm-up 50000 --workload 'linear:footprint=4G,stride={64,512,4096},wrong={0.01,0.1},away={0,1}' \
			--workload 'random:footprint={250M,4G},wrong={0.01,0.05}' --workload 'branchy:footprint={16M,1G}'
		judge aborts-$aborts "$exact" m3 a0
	done

	# Section 7.1's quantities: the same workloads on machines that differ in one feature.
	for off in nothing tlb_pf early_psc merging pml4e; do
		features=$(echo ",$planted," | sed "s/,$off,/,/; s/^,//; s/,$//")
		quantities off-$off "$features" --workload 'linear:footprint=4G,stride={8,64}' --workload 'linear:footprint=4G,stride=64,loads=0.7' --workload 'linear:footprint=600G,stride=64' \
			--workload 'linear:footprint=600G,stride=1G,page=1g' --workload 'random:footprint=4G' --workload 'chase:footprint=1G' --workload gups:footprint=1G --workload 'zipf:footprint=4G' \
			--workload 'graph:footprint=4G,frontier={linear,random}' --workload stream:kernel=triad --workload 'branchy:footprint={16M,1G}' --workload 'linear:footprint=1G,stride=4160,loads=0.95,store_depends=1'
	done
	quantities load $planted --workload 'random:footprint={4M,16M,64M,250M,1G,4G,64G},wrong=0.02,other={2,8,32}'

	# Machines that no model of the family is, and how the search ends.
	for odd in $OUTSIDE; do
		case $odd in
		plain) outside plain "$MACHINE" $planted ;;
		stlb)
			# As in later processors: the second level holds pages of 1 GB, and no counter of its hits by size
			# counts them.
			sed 's/^stlb 4k 2m /stlb 4k 2m 1g /' "$machines/$MACHINE.machine" >"$tmp/stlb.machine"
			outside stlb "$tmp/stlb.machine" $planted
			;;
		leak) outside leak "$MACHINE" $planted --lie dtlb_load_misses.walk_completed=interrupt:1 ;;
		factor) outside factor "$MACHINE" $planted --lie dtlb_load_misses.walk_completed=factor:1.02 ;;
		*) outside "$odd" "$MACHINE" "$planted,$odd" ;;
		esac
	done
}
"$HECATE" constraints "$MODEL" --variant m0 --json -o "$tmp/m0.json" || exit 1
python3 "$here/case_study.py" "$tmp" "$SEED" "$MACHINE" "$planted"
status=$?
[ -n "$KEEP" ] && mkdir -p "$KEEP" && cp "$tmp"/* "$KEEP"
exit $status
