#!/bin/sh
# A student takes each lesson: goes wrong three times and is told why, goes back and on again, leaves in the middle and
# comes back, and finishes.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "lessons in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"

# lesson NAME STEPS: opens it
lesson() {
	lesson=$1 steps=$2 at=1
	start 120 40 "$HECATE --lesson $1 2>err"
	wait_for "$1: opened" "Lesson .* step 1 of $2 "
}
# next: the next step
next() { at=$((at + 1)); keys '>'; wait_for "$lesson: step $at" "Lesson .* step $at of $steps "; }
# errs TEXT KEYS…: these keys are a wrong way, and the student is told why. The text begins so.
errs() { said=$1; shift; keys "$@"; wait_for "$lesson, step $at, wrong: $said" "✗ $said"; }
# does TEXT KEYS…: these keys do what the step asks for
does() { said=$1; shift; keys "$@"; wait_for "$lesson, step $at, right: $said" "✓ $said"; }
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
# finish: the last step has nothing to do
finish() {
	next
	wait_for "$lesson: all that is done is marked" "^ ●{$((steps - 1))}◆"
	until_so $PATIENCE quits; is "$lesson: finished" "$(cat "$tmp/status")" "status 0"; end
	is "$lesson: no message" "$(cat "$tmp/err")" ""
}
pick() { echo "= $1 Enter"; }

lesson page-faults 9
errs "That is another" = 3 Enter
does "Five of eight" = 5 Enter; next
errs "These events are counted by" = 1 Enter
hint "Which way through the"
does "Right. When the kernel" = 2 Enter; next
errs "A adds exceptions that" Space
does "Two programs are left" Space Down Down Down Space; returns; next
errs "gdb is the other" 3 g
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
does "linear and linear-8" 1 Down Space 3 ']'; next
does "A prefetch fetches" = 2 Enter; next
does "No workload of" Home Space; next
does "The same three" a = 2 Enter
finish
done_testing
