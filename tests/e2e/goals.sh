#!/bin/sh
# Goals of people who start with `hecate` alone: each is reached in six keys at most, at 80x24, 120x40 and 200x60. Keys with a name on the
# screen are read from it. Each letter that is typed counts; what Tab completes and what a list offers does not.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "goals in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
cd "$tmp" || exit
cp "$TOP_SRCDIR/models/demo/page-faults.csv" perf.csv
cp "$TOP_SRCDIR/models/linux-page-faults.udd" mine.udd
cp -r "$HECATE_TESTS/fdl/family" family
cp "$HECATE_TESTS/fdl/family.csv" many.csv
printf 'all:\n\t@for i in 1 2 3 4; do cat Makefile >/dev/null; done\n' >Makefile
"$HECATE" import -q -m linux-page-faults -o run.hct perf.csv --exact >/dev/null 2>&1

begin() {
	goal="$size: $1" pressed=0
	rm -rf "$tmp/state" "$tmp"/hecate-* "$tmp"/*-20*.hct # a goal may have saved its run, or a picture
	touch -d yesterday run.hct          # or opened this, whose view is kept
	# shellcheck disable=SC2086
	start $size "ASAN_OPTIONS=detect_leaks=0 $HECATE"
	wait_for "$goal: from Home" 'What can be measured here'
}
press() { pressed=$((pressed + $#)); keys "$@"; }
# menu WORDS: the key in front of the words in a line of the menu; footer WORD: that in the footer, once no message covers it
menu() { screen | sed -nE "s/^[ ▸]?(.)  $1.*/\\1/p" | head -n 1; }
footer() {
	looks=0
	until screen | tail -n 1 | grep -E "[ ][^ ]+ $1( |\$)" >"$tmp/footer" || [ $((looks += 1)) -gt 100 ]; do sleep 0.1; done
	sed -nE "s/.*[ ]([^ ]+) $1( .*|\$)/\\1/p" "$tmp/footer"
}
reached() {
	wait_for "$goal" "$1"
	is "  in $pressed keys" "$([ "$pressed" -le 6 ] && echo few)" few
	end
}

goals() {
	begin "I have perf.csv and mine.udd"
	press "$(menu 'open a model')"; wait_for "a prompt" 'Open a file'
	press p e Enter; wait_for "its models are asked for" 'mine.udd +model +11 of 11 counters'
	press Enter; reached 'linux_pagefault.*perf.csv.*✗ 5 of 8'

	begin "no PMU: what can I do"
	press "$(footer doctor)"; reached 'software events +[0-9]+ of'

	begin "open yesterday's run"
	wait_for "it is listed" 'run.hct .* yesterday'
	press "$(footer pane)" Enter; reached 'linux_pagefault.*run.hct.*✗ 5 of 8'

	begin "watch this build"
	press "$(menu "time of a command's")"; wait_for "a prompt" 'Run a command'
	press m a k e Enter; reached 'make ended, status 0'

	begin "which features do the data demand"
	press "$(menu 'open a model')"; wait_for "a prompt" 'Open a file'
	press p e Enter; wait_for "its models are asked for" 'mine.udd +model +11 of 11 counters'
	press Enter; wait_for "the model is refuted" '✗ 5 of 8'
	press "$(footer auto)"; reached 'the smallest survivor is A, D and E'

	begin "what does this counter mean"
	press "$(menu 'the same, recorded')"; wait_for "a model" '✗ 5 of 8'
	press Tab i; reached 'Xur +670 +user read and fetch exceptions' # the last counters may need Down

	begin "can instructions be trusted"
	press "$(menu 'can counters be')"; wait_for "events" 'branches_retired'
	press / i n s; reached '▸. inst_retired +[a-z]+-0 .*correctable'

	begin "find the reorder buffer's size"
	press "$(menu 'open a model')"; wait_for "a prompt" 'Open a file'
	press r o b Enter; wait_for "its probe" '▸ rob |machine code of x86-64'
	press Enter; reached 'entries of the reorder buffer|rob · |rob: |machine code of x86-64'

	begin "where do cycles go in a simulated core"
	press "$(menu "where a core's cycles")"; reached 'truth .*B█'

	begin "draw the model to a file"
	press "$(menu 'Haswell MMU')"; wait_for "the model" 'haswell_mmu'
	press w; wait_for "what can be written" 's +screen'
	press s; reached 'written: hecate-1.txt and hecate-1.svg'
	is "  which is there" "$(head -c 4 "$tmp/hecate-1.svg")" "<svg"

	begin "many models and one file"
	press "$(menu 'open a model')"; wait_for "a prompt" 'Open a file'
	press m a n Enter; wait_for "the folder has its counters" 'family/ +folder +4 of 4 counters'
	press Enter; reached '0 of 3 survive|✗ 1 of 3'

	begin "are there other models in this session"
	press "$(footer pane)" Enter; wait_for "the session" 'run.hct'
	press v; reached 'no other model in the session'
}
for size in "80 24" "120 40" "200 60"; do goals; done
done_testing
