#!/bin/sh
# The terminal driver in a real terminal (tmux): the screen, resizing, keys, colours, quitting, panicking, and a terminal
# that goes away.
# Waiting is polling with a deadline; each poll is a call of tmux, so nothing sleeps and nothing spins for long.
demo=${abs_builddir:-$PWD}/tests/programs/termdemo
[ -x "$demo" ] || demo=./tests/programs/termdemo
n=0
total=26
echo "1..$total"
ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); echo "not ok $n - $1"; }
check() { what=$1; shift; if "$@" >/dev/null 2>&1; then ok "$what"; else not_ok "$what"; fi; }
skip_rest() { while [ "$n" -lt "$total" ]; do n=$((n + 1)); echo "ok $n # SKIP $1"; done; exit 0; }

dir=$(mktemp -d) || exit 1
socket=hecate-$$
t() { tmux -u -L "$socket" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$dir"' EXIT
TMUX_TMPDIR=$dir
# Many programs here end because their terminal goes away. The kernel then sends a SIGCONT, which can undo the SIGSTOP
# for which LeakSanitizer waits at exit; it would wait for ever. So leaks are not checked here, but in the unit tests.
ASAN_OPTIONS=detect_leaks=0
export TMUX_TMPDIR ASAN_OPTIONS
unset TMUX NO_COLOR

# Without a terminal
err=$("$demo" </dev/null 2>&1 >/dev/null); code=$?
check "without a terminal it prints this and what to do" test "$code" -eq 1 -a -z "${err##*needs a terminal*hecate help*}"
sizes=ok
for size in 1x1 3x3 20x3 39x9 80x24 200x60; do
	rows=$(LC_ALL=C.UTF-8 "$demo" --popup --dump $size | wc -l)
	[ "$rows" -eq "${size#*x}" ] || sizes=$size
done
check "every size can be drawn" test "$sizes" = ok
if command -v xmllint >/dev/null 2>&1; then
	"$demo" --svg 120x40 | xmllint --noout - 2>"$dir/xml" && ok "the picture is XML" || { not_ok "the picture is XML"; sed 's/^/# /' "$dir/xml"; }
else
	n=$((n + 1)); echo "ok $n - the picture is XML # SKIP no xmllint"
fi

command -v tmux >/dev/null 2>&1 || skip_rest "no tmux"
locale -a 2>/dev/null | grep -qiE '^C\.utf-?8$' || skip_rest "no C.UTF-8 locale"
LC_ALL=C.UTF-8
export LC_ALL
t new-session -d -s s -x 80 -y 24 "exec cat" 2>/dev/null || skip_rest "tmux does not start"
t set -g status off; t set -g window-size manual; t set -g default-terminal screen-256color; t set -g remain-on-exit on

screen() { t capture-pane -p -t s; }
# seen TEXT: polls until the screen contains it; 120 s at most
seen() {
	until=$(($(date +%s) + 120))
	while ! screen | grep -qF -e "$1"; do
		[ "$(date +%s)" -lt $until ] || { echo "# waited for: $1"; screen | sed 's/^/# /'; return 1; }
	done
}
start() { t respawn-pane -k -t s "ulimit -c 0; echo before; $1; echo left \$?; exec cat"; }
keys() { t send-keys -t s "$@"; }
raw() { t send-keys -t s -H "$@"; }

start "$demo"
check "the page is drawn" seen "q quit"
check "in UTF-8, with a heavy rule over the focused pane" seen "━ Features ━━━"
check "and with signs and wide characters in their columns" seen "│ wide 漢字 marks e$(printf '\314\201') control ␛[31m␊ bidi"
t capture-pane -e -p -t s >"$dir/color"
check "in 256 colours" grep -q "38;5;111" "$dir/color"
t resize-window -t s -x 120 -y 40
check "a larger window is followed" seen "120×40"
t resize-window -t s -x 38 -y 8
check "a smaller window is followed, too" seen "38×8"
t resize-window -t s -x 80 -y 24
seen "80×24" >/dev/null
keys Tab
check "Tab goes to the next pane" seen "━ Roles ━━━"
keys Home
check "keys have their names" seen "key 0x110005"
raw 1b 5b 37 7e
raw 1b 5b 33 33 3b 35 78 61
check "an unknown sequence is left out, not taken for letters" seen "key a"
raw 1b
check "a lone Esc is a key" seen "key 0x1b"
raw 1b 31
check "Alt and a digit is one key" seen "key 0x200031"
raw c2 b5
check "a character of two bytes is one key" seen "key 0xb5"
raw 1b 5b
check "Esc and [ typed fast are two keys" seen "key ["
keys q
seen "left 0" >/dev/null
check "quitting restores the screen" sh -c "tmux -u -L $socket capture-pane -p -t s | grep -qx before"

start "NO_COLOR=1 $demo"
seen "q quit" >/dev/null
t capture-pane -e -p -t s >"$dir/mono"
esc=$(printf '\033')
check "NO_COLOR leaves attributes only" sh -c "! grep -qE '$esc\[([0-9;]*;)?([34]8;5|[34][0-7]m)' $dir/mono && grep -q '$esc\[7m' $dir/mono"
start "LC_ALL=C $demo"
seen "= Features ===" >/dev/null
screen >"$dir/ascii"
check "outside UTF-8 only ASCII is drawn" sh -c "grep -q ASCII $dir/ascii && ! LC_ALL=C grep -q '[^ -~]' $dir/ascii"
start "TERM=nonsense $demo"
check "an unknown terminal is named" seen "terminal nonsense is not in the terminfo data base"
start "TERM=dumb $demo"
check "a terminal that is too simple is named, too" seen "terminal dumb is not in the terminfo data base, or too simple"
start "$demo"
seen "q quit" >/dev/null
keys P
check "a panic leaves the terminal before it prints its message" sh -c "$(printf '%s' '
	until=$(($(date +%s) + 120))
	while [ "$(date +%s)" -lt $until ]; do
		s=$(tmux -u -L '"$socket"' capture-pane -p -t s)
		case $s in *before*"internal error: asked for"*"left 134"*) exit 0 ;; esac
	done
	exit 1')"

# Mouse, as xterm reports it: button, column and row from 33
start "$demo --mouse"
seen "q quit" >/dev/null
raw 1b 5b 4d 20 52 24
check "a click reports its place" seen "mouse 0 at 49,3"
raw 1b 5b 4d 23 52 24 1b 5b 4d 20 52 24
check "a second click at the same place is a double click" seen "mouse 1 at 49,3"
raw 1b 5b 4d 61 53 24
check "the wheel is a button" seen "mouse 3 at 50,3"
keys q
seen "left 0" >/dev/null

# The terminal goes away: the program must end by itself. While it runs it keeps the pipe open.
mkfifo "$dir/pipe"
t respawn-pane -k -t s "exec 3>$dir/pipe; $demo; echo \$? >&3"
( exec 4<"$dir/pipe"; seen "q quit" >/dev/null; t kill-server; timeout 10 cat <&4 ) >"$dir/code"
check "it ends when the terminal vanishes" test $? -eq 0
