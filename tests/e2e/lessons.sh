#!/bin/sh
# A student takes each lesson: goes wrong three times and learns why, goes back and on again, leaves in the middle and
# comes back, and finishes.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "lessons in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"

# lesson NAME STEPS: opens it
lesson() {
	lesson=$1 steps=$2 at=1 erred=0
	start 120 40 "$HECATE --lesson $1 2>err"
	wait_for "$1: opened" "Lesson .* step 1 of $2 "
}
# next: the next step
next() { at=$((at + 1)); keys '>'; wait_for "$lesson: step $at" "Lesson .* step $at of $steps "; }
# says WHAT PATTERN KEYS…: the keys, and what the lesson says then. An answer before the engine's is given again.
heard() {
	heard=$1; shift
	shows "$heard" && return 0
	grep -q 'still computes it' "$tmp/screen" && { keys "$@"; sleep 0.3; }
	return 1
}
says() {
	what=$1 pattern=$2; shift 2
	keys "$@"
	until_so $PATIENCE heard "$pattern" "$@" && ok "$what" || not_ok "$what" "$(cat "$tmp/screen")"
}
# errs TEXT KEYS…: these keys are a wrong way, and the lesson says why. The text begins so.
errs() { erred=$((erred + 1)) said=$1; shift; says "$lesson, step $at, wrong: $said" "✗ $said" "$@"; }
# does TEXT KEYS…: these keys do what the step asks for
does() { said=$1; shift; says "$lesson, step $at, right: $said" "✓ $said" "$@"; }
# hint TEXT
hint() { keys H; wait_for "$lesson, step $at, hint: $1" "$1"; }
# returns: goes back a step, on again, leaves, and comes back to the same step
returns() {
	keys '<'; wait_for "$lesson: back" "Lesson .* step $((at - 1)) of $steps "
	keys '>'; wait_for "$lesson: and on again" "Lesson .* step $at of $steps "
	until_so $PATIENCE quits; is "$lesson: left" "$(cat "$tmp/status")" "status 0"; end
	start 120 40 "$HECATE --lesson $lesson 2>err"
	wait_for "$lesson: the same step, after it was left" "Lesson .* step $at of $steps "
}
# grade ANSWERS: judged again, they earn all points
grade() {
	status 0 "$HECATE" grade "$lesson" "$1"
	is "$lesson: all points" "$(printf '%s\n' "$out" | sed -nE 's/^score ([0-9]+) of \1$/all/p')" "all"
}
# finish: the last step has nothing to do
finish() {
	next
	wait_for "$lesson: all that is done is marked" "^ ●{$((steps - 1))}◆"
	until_so $PATIENCE quits; is "$lesson: finished" "$(cat "$tmp/status")" "status 0"; end
	is "$lesson: no message" "$(cat "$tmp/err")" ""
	check "$lesson: the student erred three times: $erred" [ $erred -ge 3 ]
	grade "$XDG_STATE_HOME/hecate/lessons/$lesson"
}
# edit MODEL CHANGE: the student edits the model
edit() { sed -i "$2" "$XDG_STATE_HOME/hecate/lessons/$lesson-$1.udd"; }

lesson page-faults 9
errs "That is another" = 3 Enter
does "Five of eight" = 5 Enter; next
errs "These events are counted by" = 1 Enter
hint "Which way through the"
does "Right. When the kernel" = 2 Enter; next
errs "A adds exceptions that" Space
does "Two programs are left" Space Down Down Down Space; returns; next
keys 3; wait_for "page-faults: view 3" '✗ java'; keys G; errs "gdb is the other" g
does "java: one fault more" ']'; next
errs "With B the fault" = 2 Enter
does "A it is" = 1 Enter; next
does "Every model that" a; next
errs "B is optional" Home Down Space
does "No program refutes" Space Down Down Down Space; next
does "Right. Refuted models" = 2 Enter
finish

lesson constraint 10
errs "That is a miss that" = 1 Enter
does "Right: in this model" = 3 Enter; next
does "Four walks need" = 2 Enter; next
errs "View 3 lists" 3
does "walks ≤ misses" 2 = 3 Enter; next
does "400 walks" = 400 Enter; returns; next
keys 4; wait_for "the picture" "pairs that show it"
does "The ring is strided" f; next
errs "idle has no misses" ']'
does "It lies exactly" ']' ']'; next
does "Features add ways" = 2 Enter; next
does "strided is feasible" Space; next
does "A model that forbids" = 1 Enter
finish

lesson haswell 10
does "Six. The other" = 6 Enter; next
errs "Then the walker's" = 1 Enter
does "Both loads need" = 2 Enter; next
errs "A prefetch walks" Space
does "Still six" Space Down Down Space; next
does "The cache is asked" = 3 Enter; next
errs "A prefetch adds" = 1 Enter
does "early_psc, together" = 2 Enter; returns; next
keys 1 g Down Space; wait_for "haswell: two are left" "✗ 2 of 10"
keys 3 g; wait_for "haswell: the first of the two" "─ linear ─"
does "linear and linear-8" ']'; next
does "A prefetch fetches" = 2 Enter; next
does "No workload of" Home Space; next
does "The same three" a = 2 Enter
finish

lesson first-model 8
does "All five" = 5 Enter; next
errs "Counted twice, the minor" = 2 Enter
does "So the second fork" = 1 Enter; next
wait_for "first-model: nothing was written yet" "Not yet: faults-plain.csv must be"
edit minor-major 's|// write the missing case here|case Major: count MIN;|'
errs "Not yet: faults-plain"
edit minor-major 's|case Major: count MIN;|case Major: count MAJ;|'
does "Five programs"; returns; next
does "hecate finds such" = 2 Enter; next
errs "MIN counts faults" = 1 Enter
does "So there is a third" = 2 Enter; next
edit with-signal 's|// write the third end here|case Signal: signal;|'
errs "12:22: a statement expected"
edit with-signal 's|case Signal: signal|case Signal: event signal|'
does "The equation has"; next
errs "It fits all data" = 1 Enter
does "A model is worth" = 2 Enter
finish

lesson correlation 8
does "One. The same" = 1 Enter; next
does "46 more misses" '['; next
errs "They are as many" = 1 Enter
does "If both rise" = 2 Enter; returns; next
errs "View 2 has the" 2
does "The dots lie" 4; next
errs "It decides here" = 3 Enter
does "The box is wide" b = 2 Enter; next
does "The ellipse is" ']'; next
does "With 4 counters" = 2 Enter
finish

lesson multiplexing 8
does "One. A true" = 1 Enter; next
errs "Here all three" ']'
does "5.895, 14.524" g; next
errs "They differ by" = 1 Enter
does "Noise shows" = 2 Enter; next
errs "That would be so" = 1 Enter
does "One event sees" = 2 Enter; returns; next
does "The means agree" g ']'; next
does "An honest error" = 2 Enter; next
does "20.187" g ']' ']' = 20187 Enter
finish

lesson lying-counters 8
errs "That is another" = 13 Enter
does "13.655 instructions" = 13655 Enter; next
errs "The event counts" = 1 Enter
does "3.633 interrupts" = 2 Enter; next
does "None. The verdict" = 0 Enter; next
errs "Its offset is" = 1 Enter
does "24.060.000 in each" s = 2 Enter; returns; next
does "Some instruction" = 2 Enter; next
keys Enter Escape
does "Its count varies" = 3 Enter; next
does "A refutation has" = 2 Enter
finish

lesson cycles 8
errs "That is another" = 3.33 Enter
does "Five cycles" = 3.16 Enter; next
does "Minus six" = -6.25 Enter; next
errs "It does, and that" = 1 Enter
does "Two misses that" = 2 Enter; next
does "It waits for" Down Down Down = 1 Enter; returns; next
does "4.4 %" = 4.4 Enter; next
errs "t hides the" t
does "Now the bars" t %; next
does "3.80 / 0.64" = 2 Enter
finish

lesson reorder-buffer 10
does "Nothing is known" / rob Enter; next
errs "Instructions between" = 1 Enter
does "Where the time" = 2 Enter; next
errs "That was the first" g Enter
does "A clean step" / rob Enter Enter; next
errs "That is another" = 158 Enter
does "160 entries" = 160 Enter; returns; next
does "At least 461" / rob_nops Enter Enter; next
errs "Then rob would" = 1 Enter
does "This core" = 2 Enter; next
does "A jump at 182" / int_reg Enter Enter; next
does "Probes check" = 1 Enter; next
does "72" / load_q Enter Enter = 72 Enter
finish

lesson path-map 9
errs "] goes on" ']'
does "This is cold" '['; next
errs "What a box" = 1 Enter
does "So the further" = 2 Enter; next
does "4.582 calls" = 4582 Enter; next
errs "That would be a 0" = 1 Enter
does "Never, none" = 2 Enter; next
does "Three of 963" '[' = 3 Enter; returns; next
does "None, where cold" '[' ']' = 0 Enter; next
does "= is the same" '[' c ']'; next
does "In hardware" = 2 Enter
finish
done_testing
