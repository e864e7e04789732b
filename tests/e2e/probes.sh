#!/bin/sh
# View 9 in a real terminal: probes of a simulated core by keys and mouse, stopped, kept in a file and shown again; the
# process that measures is killed; the terminal changes its size meanwhile.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "probes in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
quiet="ASAN_OPTIONS=detect_leaks=0"
# click COLUMN ROW: presses and releases the first button there, counted from 1
click() { keys -l "$(printf '\033[<0;%d;%dM' "$1" "$2")"; keys -l "$(printf '\033[<0;%d;%dm' "$1" "$2")"; }
# row_of PATTERN: the number of the first row of the screen that shows it
row_of() { screen | grep -nE -- "$1" | head -n 1 | cut -d: -f1; }

# Probes of its own, one of which takes far longer than the test. Each that is clicked is above the one before, because
# the list scrolls so that the chosen one is in its last row.
mkdir -p "$tmp/models/probes"
cp -R "$HECATE_MODELS/models/machines" "$HECATE_MODELS/models/stacks" "$tmp/models/"
cat >"$tmp/models/probes/zz_mul.probe" <<END
probe zz_mul "latency of a multiplication" { group "folding"; slope 8 .. 40 step 4; fill mul chained; unit "cycles"; }
END
cat >"$tmp/models/probes/aa_queue.probe" <<END
probe aa_queue "entries of the load queue" { group "folding"; knee 40 .. 80 step 2; block; fill load, fload; counts 2; unit "entries"; parameter load_queue; }
END
cat >"$tmp/models/probes/aa_lasting.probe" <<END
probe aa_lasting "what takes long" { group "folding"; knee 3000 .. 6900 step 1; block; fill load; unit "entries"; }
END
cat >"$tmp/models/probes/zz_wrong.probe" <<END
probe zz_wrong "a mistake" { knees 1 .. 2; }
END
HECATE_MODELS=$tmp
start 120 40 "$quiet $HECATE -o kept.hec sim:core"
wait_for "a machine opens view 9" 'probes  sim:core +0 of [0-9]+ done'
wait_for "  with groups and probes" '^ window'
keys End; wait_for "  a probe with a mistake is listed" '^▸ zz_wrong +wrong'
keys Enter; wait_for "  and is not run" 'the file of this probe is wrong'
keys Home
keys /; keys -l "zz_mul"; keys Enter
wait_for "a probe is found by its name" '^▸ zz_mul'
keys Enter
wait_for "Enter measures it" 'zz_mul +3 cyc'
wait_for "  and draws its fit" '3 cycles each'
click 5 "$(row_of '^ *aa_queue ')"
wait_for "a click chooses a probe" '^▸ aa_queue'
keys Enter
wait_for "  which is measured" 'aa_queue +64 +64'
wait_for "  and says what its knee means" 'Two loads that miss overlap only while'
keys i; wait_for "i shows the code of a pass" 'the next line of a chain that no cache has'
keys Escape; wait_gone "Esc closes it" 'the next line of a chain that no cache has'
keys u; wait_for "u cuts the programs into slices" 'Slices of sim:core'
wait_for "  which are a heat map" 'Round 1: dispatch slots +[0-9]+ slices'
keys Left; wait_for "  with the probes to run next" '^.*LoadMemBound +[0-9.]+ +memory_latency'
keys w; wait_for "  and the maps are written" 'written: hecate-1.txt and hecate-1.svg'
is "  as a picture of each round" "$(grep -c 'LoadMemBound' "$tmp/hecate-1.svg")" 1
keys Escape; wait_gone "Esc closes them" 'Slices of sim:core'
click 5 "$(row_of '^ *aa_lasting ')"
wait_for "a click chooses the slow one" '^▸ aa_lasting'
keys Enter
wait_for "it is measured" 'aa_lasting · sim:core · [1-9][0-9]* of 3'
t resize-window -t s -x 80 -y 24 2>/dev/null
wait_for "a smaller terminal meanwhile" '^ 9Probes '
wait_for "  it is still measured" 'aa_lasting · sim:core · '
keys Enter; wait_for "a second run is refused" 'aa_lasting is measured now; Esc stops it'
keys Escape
wait_for "Esc stops, and keeps what is done" 'stopped; what was measured stands'
wait_for "  its curve is marked" 'aa_lasting +· …'
keys Enter
wait_for "again" 'aa_lasting · sim:core · [1-9][0-9]* of 3'
prober=$(for p in $(pgrep -x hecate-prober); do tr '\0' ' ' <"/proc/$p/cmdline" | grep -q kept.hec && echo "$p"; done | head -n 1)
kill -9 ${prober:+"$prober"}
wait_for "a death of the process that measures is reported" 'killed by signal 9; what it had'
keys q
until_so $PATIENCE test -f "$tmp/status"
is "exit status" "$(cat "$tmp/status")" "status 0"
end
is "no process is left" "$(for p in $(pgrep -x hecate-prober); do tr '\0' ' ' <"/proc/$p/cmdline"; done | grep -c kept.hec)" 0

start 80 24 "$quiet $HECATE kept.hec"
wait_for "the file shows the curves again" 'probes  sim:core +2 of [0-9]+ done'
wait_for "  and the chosen probe" '^▸ aa_lasting'
keys Down; wait_for "  what was found" '^▸ aa_queue +64'
wait_for "  with its meaning" 'Two loads that miss overlap only while'
keys q
until_so $PATIENCE test -f "$tmp/status"
end

# Recorded rows with the counters of the slots are slices at once.
(cd "$tmp" && "$HECATE" sim -q -o slots.hec --machine core -m slots --exact --workload mcf-like --samples 20 \
	--accesses 2000 >/dev/null 2>&1)
start 80 24 "$quiet $HECATE slots.hec"
wait_for "a session with slots" 'slots'
keys 9; wait_for "  also has view 9" 'probes .* of [0-9]+ done'
keys u; wait_for "  and its rows are slices" 'Slices of slots.hec'
wait_for "  of the program" '20 slices'
keys Escape; wait_gone "Esc closes them" 'Slices of'
end
done_testing
