#!/bin/sh
# mpirun hecate sweep: four ranks print the bytes of one process, also after one of them died.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
. "$HECATE_TESTS/lib/sweeps.sh" || exit 1
export ASAN_OPTIONS=detect_leaks=0 # Open MPI's library does not free all
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR="$tmp"
ranks() { n_=$1; shift; timeout -k 5 120 mpirun --oversubscribe --bind-to none -n "$n_" "$@"; }
cd "$tmp" || exit 1
command -v mpirun >/dev/null && ranks 2 true 2>err || { skip "ranks" "mpirun of Open MPI does not run here"; done_testing; exit; }
make_sweep 6
if ranks 2 "$HECATE" sweep any.udd runs/1.csv 2>&1 >out | grep -q 'built without MPI'; then
	skip "ranks" "hecate was built without MPI"
	done_testing
	exit
fi
"$HECATE" sweep equal.udd less.udd any.udd runs --json -j 1 >one 2>err
ranks 4 "$HECATE" sweep equal.udd less.udd any.udd runs --json -o four 2>err
is "exit status of four ranks" $? 1
check "the same bytes as one process" cmp one four
is "all ranks took part" "$(grep -c 'gets no cells' err)" 0
ranks 1 "$HECATE" sweep equal.udd less.udd any.udd runs --json >alone 2>err
check "and of one rank" cmp one alone

# --- a rank that is not as the others
mkdir other
cp -r ./*.udd runs other
rm other/runs/3.csv
echo 1,2 >>other/runs/4.csv
both="$HECATE sweep equal.udd less.udd any.udd"
apart() { # FILE…
	# shellcheck disable=SC2086
	timeout -k 5 120 mpirun --oversubscribe --bind-to none -n 2 $both "$@" --json -o four : -n 1 --wdir "$tmp/other" $both "$@" --json -o four 2>err
}
apart runs/*.csv
has "a rank without a file gets no cells" "$(cat err)" "rank 2 on .* gets no cells, because it cannot take part: .*cannot open runs/3.csv: No such file"
check "  and the others do it all" cmp one four
"$HECATE" sweep equal.udd less.udd any.udd runs/1.csv runs/4.csv --json >one.less
apart runs/1.csv runs/4.csv
has "nor one with another file" "$(cat err)" "rank 2 on .* gets no cells, because it has another runs/4.csv"
check "  and the others do it all" cmp one.less four
sed -i 's/model any; /&counter c; /' other/any.udd
apart runs/1.csv
has "nor one with another model" "$(cat err)" "because it has other models, options or another hecate"
ranks 3 "$HECATE" sweep equal.udd none.udd runs >out 2>err
is "a mistake in the command line: exit status" $? 2
is "  is said once" "$(grep -c 'none.udd' err)" 1

# --- what dies
make_long_sweep
"$HECATE" sweep $long_models long --json >whole 2>err
cells=$(json whole 'len(d["cells"])')
# --- four idle cores' worth of work: processor time of one process over that of the busiest of four ranks, and of giving
seconds() { sed -n 's/.* in \([0-9.]*\) s of processor time, the busiest in \([0-9.]*\) s; giving them out took \([0-9.]*\) s.*/\'"$1/p" err; }
"$HECATE" sweep $long_models long --json -v -j 1 >one 2>err
alone=$(seconds 1)
ranks 4 "$HECATE" sweep $long_models long --json -v -o four 2>err
has "four ranks share the work" "$(cat err)" "[2-4] processes of 4 ranks judged $cells cells"
# other programs take caches and turns, so this is printed and not judged
awk -v one="$alone" -v busiest="$(seconds 2)" -v giving="$(seconds 3)" 'BEGIN { printf "# four ranks against one process: %.2f times (goal 3.2)\n", one / (busiest + giving) }'
check "  and the same bytes" cmp one four
start_long() {
	rm -f long.hct*
	mpirun --oversubscribe --bind-to none -n 4 "$HECATE" sweep $long_models long --json --keep long.hct -o out 2>err &
	mpirun=$!
	eventually some
}
rank() { pgrep -P $mpirun -x hecate | sed -n "$1p"; }
start_long
kill -9 "$(pgrep -P "$(rank 3)" -x hecate-sweep)"
wait $mpirun
check "a process that judges for rank 2 is killed: the same bytes" cmp out whole
has "  and it is said" "$(cat err)" "rank 2 on .*hecate-sweep was killed by signal 9; [0-9]+ cells? (is|are) judged again"
start_long
# nobody judges on until mpirun has noticed
for r in $(pgrep -P $mpirun -x hecate); do pkill -STOP -P "$r" -x hecate-sweep; done
kill -9 "$(rank 3)"
wait $mpirun
check "rank 2 is killed: mpirun ends all of them" [ $? -ne 1 ]
had=$(rows)
check "  some verdicts are kept, some are not: $had of $cells" [ "$had" -ge 4 -a "$had" -lt "$cells" ]
ranks 4 "$HECATE" sweep $long_models long --json --keep long.hct -o out 2>err
check "  the same command prints the same bytes" cmp out whole
has "  and says what it took over" "$(cat err)" "$had of $cells verdicts are in long.hct from an earlier sweep"
done_testing
