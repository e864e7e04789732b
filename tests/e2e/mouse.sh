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
	keys q; keys q; keys q
	end
done
done_testing
