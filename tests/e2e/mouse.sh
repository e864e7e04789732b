#!/bin/sh
# The mouse in a real terminal: xterm sends a release after each click. The program must go on drawing, counting and
# following the size without another key.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the mouse in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
infocmp xterm-256color >/dev/null 2>&1 || { skip "the mouse in tmux" "no terminfo of xterm-256color"; done_testing; exit; }
quiet="ASAN_OPTIONS=detect_leaks=0"

# sgr LETTER BUTTON COLUMN ROW: a report, letter M pressed, m released
sgr() { t send-keys -t s -H $(printf '\033[<%d;%d;%d%s' "$2" "$3" "$4" "$1" | od -An -tx1); }
# click COLUMN ROW PAUSE
click() { sgr M 0 "$1" "$2"; [ "$3" = 0 ] || sleep "$3"; sgr m 0 "$1" "$2"; }
differs() { screen >"$tmp/screen"; ! cmp -s "$tmp/before" "$tmp/screen"; }
# changes NAME: the screen changes without a key
changes() {
	screen >"$tmp/before"
	until_so $PATIENCE differs && { ok "$1"; return 0; }
	not_ok "$1" "$(cat "$tmp/screen")"
	return 1
}

for pause in 0 0.001 0.01 0.1; do
	start 120 40 "TERM=xterm-256color $quiet $HECATE linux-vm -- sleep 100"
	wait_for "a run is shown" 'Follow|following|sleep'
	changes "it draws without a key"
	click 20 10 $pause
	changes "also after a click released $pause s later"
	t resize-window -t s -x 100 -y 30
	changes "and after a new size"
	changes "and it still counts"
	click 20 10 $pause; click 20 10 $pause
	changes "after a double click, too"
	sgr M 1 20 10; sgr m 1 20 10; sgr M 2 20 10; sgr m 2 20 10; sgr M 35 21 11
	changes "after other buttons and motion, too"
	keys q; keys x
	end
done

# What the mouse does: view 2 of a model at 120 columns.
press() { sgr M 0 "$1" "$2"; sgr m 0 "$1" "$2"; }
start 120 40 "TERM=xterm-256color $quiet $HECATE haswell-mmu"
wait_for "a model is shown" 'cone 488'
keys 2
wait_for "its constraints are shown" '━ Constraints ━'
sgr M 65 10 10
wait_for "the wheel moves the list under it" '^ .*load.walk_done = .*|▸.*store.walk_done = '
sgr M 65 80 30 # over another pane: the list keeps the keys
wait_for "the wheel leaves the keys where they are" '━ Constraints ━'
# corner: the row and the column where the title of "Broken by" begins
corner() {
	screen | grep -n ' Broken by ' | sed 's/ Broken by.*//' >"$tmp/corner"
	row=$(cut -d: -f1 "$tmp/corner") column=$(($(cut -d: -f2- "$tmp/corner" | wc -m) - 2))
}
is_at() { corner; [ "$column $row" = "$1" ]; }
corner
to=$((column + 10)) up=$((row - 6))
sgr M 0 "$column" $((row + 3)); sgr M 32 $to $((row + 3)); sgr m 0 $to $((row + 3))
until_so $PATIENCE is_at "$to $row" && ok "a separator drags" || not_ok "a separator drags" "$(screen)"
sgr M 0 $((to + 5)) "$row"; sgr M 32 $((to + 5)) $up; sgr m 0 $((to + 5)) $up
until_so $PATIENCE is_at "$to $up" && ok "a title rule drags" || not_ok "a title rule drags" "$(screen)"
press 113 3
wait_for "a click on the order in a title sorts" 'by tightness'
keys x
wait_for "a popup is open" '┍'
press 1 20
wait_gone "a click outside closes it" '┍'
press 80 5
wait_for "a click on a row puts the cursor there" '^▸.*load.walk_done ='
keys /
keys s t l b
wait_for "find counts on the bottom line" 'find: stlb .* [0-9]+ of 12'
sgr M 32 1 1
t resize-window -t s -x 1 -y 1
sleep 0.2
t resize-window -t s -x 120 -y 40
wait_for "a terminal of one cell does no harm" 'find: stlb .* of 12'
keys Escape
wait_gone "Esc ends it" 'find: stlb'
until_so $PATIENCE quits
is "it ends well" "$(cat "$tmp/status")" "status 0"
end
done_testing
