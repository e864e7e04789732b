# The real program in a real terminal, for tests/e2e. Source it after tap.sh. Each test file has a tmux server of its own.
t() { tmux -L "hecate$$" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
# start COLUMNS ROWS COMMAND: starts the command in a new terminal. If there is none, the whole test ends here.
start() {
	try=0
	while :; do
		started "$@" && return 0
		# A server that is just ending, or starts while all processors are busy, answers a little later.
		try=$((try + 1))
		[ $try -ge 4 ] && break
		sleep 0.5
	done
	not_ok "tmux cannot start: $(tr '\n' ' ' <"$tmp/tmux")"
	done_testing
	exit 0
}
started() {
	asks=
	t new-session -d -s s -x "$1" -y "$2" "cd $tmp; LC_ALL=C.UTF-8 HECATE_MODELS=$HECATE_MODELS $3; echo status \$? >$tmp/status.part; stty -a >$tmp/stty; mv $tmp/status.part $tmp/status; cat" >"$tmp/tmux" 2>&1
}
screen() { t capture-pane -p -t s 2>/dev/null; }
# look: copies the screen into $tmp/screen. If tracefs is not mounted, the explorer asks whether to mount it before it
# counts tracepoints. The answer is no.
look() {
	screen >"$tmp/screen"
	if ! grep -q 'Mount tracefs?' "$tmp/screen"; then asks=
	elif [ -z "$asks" ]; then asks=1; keys Escape # only once: a second Escape would stop the run
	fi
}
# until_so SECONDS COMMAND…: runs the command every 0.04 s until it succeeds. False: it did not in that time.
until_so() {
	limit=$(($(date +%s) + $1)); shift
	while ! "$@"; do
		[ "$(date +%s)" -le $limit ] || return 1
		look
		sleep 0.04
	done
}
shows() { look; grep -qE -- "$1" "$tmp/screen"; }
# wait_for NAME PATTERN: passes as soon as the screen shows the pattern
wait_for() {
	until_so $PATIENCE shows "$2" && { ok "$1"; return 0; }
	not_ok "$1" "$(cat "$tmp/screen")"
	return 1
}
# wait_gone NAME PATTERN: passes as soon as the screen no longer shows the pattern. A key that follows Escape at once is
# taken for a part of an escape sequence.
hides() { look; ! grep -qE -- "$1" "$tmp/screen"; }
wait_gone() {
	until_so $PATIENCE hides "$2" && { ok "$1"; return 0; }
	not_ok "$1" "$(cat "$tmp/screen")"
	return 1
}
# quits: for until_so; presses q until the program has ended, and leaves without saving what is in no file
quits() {
	[ -f "$tmp/status" ] && return
	if grep -q ' x  .* without saving' "$tmp/screen"; then keys x
	elif grep -q ' s  .* and leave' "$tmp/screen"; then keys s
	else keys q
	fi
	false
}
# loses NAME PATTERN: q asks before this is lost; x leaves
loses() { keys q; wait_for "$1" "$2"; keys x; }
keys() { t send-keys -t s "$@"; }
is_over() { ! t has-session 2>/dev/null; }
end() { t kill-server 2>/dev/null; until_so $PATIENCE is_over; rm -f "$tmp/status"; }
