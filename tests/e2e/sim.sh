#!/bin/sh
# A simulated machine in the explorer, in a real terminal: it runs, is changed by key during the run, and by its text.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the explorer in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"

start 120 40 "$HECATE haswell-mmu -I 20 sim:small:none:linear,footprint=64M,stride=64 -o $tmp/s.hct"
wait_for "it runs" 'sim:small:linear,footprint=64M,stride=64:endless runs'
wait_for "verdicts on samples" '1 of 1|1 observation|of 1 infeasible'
keys P; wait_for "P: its features" '\[ \] +merging'
keys Down Down Enter; wait_for "Enter plants one" '\[x\] +merging'
wait_for "another run has begun" 'sim:small:merging:linear,footprint=64M,stride=64:endless runs'
keys Escape; wait_for "both observations are there" 'of 2 infeasible'
keys r; wait_for "r: its text" 'sim:small:merging:linear,footprint=64M,stride=64:endless'
keys C-u; keys 'sim:small:none:random:samples=30' Enter; wait_for "a third machine" 'sim:small:none:random:samples=30 runs|of 3 infeasible'
wait_for "it ends by itself" 'of 3 infeasible'
keys P; wait_for "P after its end" '> +random'
keys Escape
until_so $PATIENCE quits
is "exit status" "$(cat "$tmp/status")" "status 0"
end
status 0 "$HECATE" export "$tmp/s.hct" --json -o "$tmp/s.json"
is "all three are in the file" "$(json "$tmp/s.json" 'len(d["observations"])')" 3

# From the start screen, without a question.
start 80 24 "$HECATE"
wait_for "the start screen offers one" 's +a simulated Haswell'
keys s; wait_for "s: it runs under the Haswell model" 'sim:haswell:linear:endless runs'
wait_for "the footer names its key" 'P machine'
wait_for "verdicts on samples" '1 of 1'
keys P; wait_for "with the features planted by default" '\[x\] +bypass'
keys Escape
until_so $PATIENCE quits
end

# Its core, with the stacks of all methods.
start 80 24 "$HECATE"
wait_for "the start screen offers a core" 'c +where a core.s cycles go'
keys c; wait_for "c: it runs, and its stacks are open" '7 methods +sim:core:bzip2-like:endless'
wait_for "bars of the first sample" 'naive_retired +[0-9.]+ %'
wait_for "the truth comes first" 'sim:core:bzip.* truth'
wait_for "of the whole run" 'whole run'
keys I; wait_for "I: its instructions, with what they do" '0x[0-9a-f]+ +[0-9.]+ +[0-9].* (load|store|branch|add)'
wait_for "  their sum" 'all +100\.0'
keys Escape; wait_gone "Esc closes them" 'Instructions of'
keys P; wait_for "P: its programs" '> +bzip2-like'
keys Escape
until_so $PATIENCE quits
end
done_testing
