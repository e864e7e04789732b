# The real program in a real terminal, for tests/e2e: sourced after tap.sh. Each test file has a tmux server of its own.
t() { tmux -L "hecate$$" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$tmp"' EXIT
# start COLUMNS ROWS COMMAND: where no terminal can be had nothing that follows could be seen, and the test ends here
start() {
	t new-session -d -s s -x "$1" -y "$2" "cd $tmp; LC_ALL=C.UTF-8 HECATE_MODELS=$HECATE_MODELS $3; echo status \$? >$tmp/status; stty -a >$tmp/stty; cat" >"$tmp/tmux" 2>&1 && return 0
	not_ok "tmux cannot start: $(tr '\n' ' ' <"$tmp/tmux")"
	done_testing
	exit 0
}
screen() { t capture-pane -p -t s; }
# wait_for NAME PATTERN: until the screen shows it, 20 seconds at most
wait_for() {
	i=0
	while [ $i -lt 200 ]; do
		screen >"$tmp/screen"
		grep -qE -- "$2" "$tmp/screen" && { ok "$1"; return 0; }
		i=$((i + 1)); sleep 0.1
	done
	not_ok "$1" "$(cat "$tmp/screen")"
	return 1
}
keys() { t send-keys -t s "$@"; }
end() { t kill-server 2>/dev/null; i=0; while [ $i -lt 50 ] && t has-session 2>/dev/null; do i=$((i + 1)); sleep 0.1; done; rm -f "$tmp/status"; }
