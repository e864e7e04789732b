# TAP for shell tests. Source it, call the functions, end with done_testing.
# $HECATE is the program, $HECATE_TESTS the folder tests/, $tmp a folder of the test's own.
n=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export XDG_DATA_HOME="$tmp/data" XDG_STATE_HOME="$tmp/state" XDG_CONFIG_HOME="$tmp/config" LC_ALL=C.UTF-8
unset NO_COLOR
newline="
"
ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); echo "not ok $n - $1"; [ -n "$2" ] && printf '%s\n' "$2" | sed 's/^/# /'; }
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
# rounds FAST SLOW: as test_rounds() in test.h
rounds() { awk -v a="$1" -v b="$2" -v s="${HECATE_SLOW:-0}" 'BEGIN { x = a + (b - a) * (s < 1 ? s : 1); print int(x) + (x > int(x)) }'; }
# watch_others, others_busy: did other programs use the processors since the last watch_others, or do they now? For tests
# of what a program waits for, which is then another thing.
ticks_of_all() { # those of the system, the idle ones of them, those of this script and what it waited for
	own=$(sed 's/.*) //' /proc/$$/stat 2>/dev/null | awk '{ print $12 + $13 + $14 + $15 }')
	sed -n 's/^cpu  *//p' /proc/stat 2>/dev/null | awk -v own="$own" '{ for (i = 1; i <= 8; i++) all += $i; print all, $4 + $5, own }'
}
watch_others() { watched=$(ticks_of_all); }
others_busy() {
	[ -r /proc/stat ] || return 1
	for since in "$watched" ""; do
		[ -n "$since" ] || { since=$(ticks_of_all); sleep 0.5; }
		echo "$since $(ticks_of_all)" | awk 'NF == 6 && $4 > $1 && ($4 - $1 - ($5 - $2) - ($6 - $3)) / ($4 - $1) > 0.2 { busy = 1 } END { exit !busy }' && return
	done
	return 1
}
# check NAME COMMAND…: passes if the command succeeds; otherwise prints its output.
check() { name=$1; shift; out=$("$@" 2>&1) && ok "$name" || not_ok "$name" "$* : $out"; }
# is NAME GOT WANT: passes if both texts are equal
is() { [ "$2" = "$3" ] && ok "$1" || not_ok "$1" "got:  $2
want: $3"; }
# has NAME TEXT PATTERN: passes if an extended regular expression matches somewhere in the text. Where it is the text
# itself, no grep is needed to find that out.
has() {
	case $3 in
	*[][\\^\$*+?\(\){}\|]*) ;;
	*) case $2 in *"$3"*) ok "$1"; return ;; esac ;;
	esac
	printf '%s\n' "$2" | grep -qE -- "$3" && ok "$1" || not_ok "$1" "no match for: $3
in: $2"
}
# status WANT COMMAND…: passes if the command exits with this status; its output is then in $out, its errors in $err
status() {
	want=$1; shift
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	got=$? out= err= said_=
	[ -s "$tmp/out" ] && out=$(cat "$tmp/out")
	case $out in "{$newline  \"schema\": \"hecate."*) document "$tmp/out" ;; esac
	[ -s "$tmp/err" ] && err=$(cat "$tmp/err")
	for word_; do
		[ "$word_" = "$HECATE" ] && word_=hecate
		without "$tmp/"
		without "$HECATE_TESTS/"
		said_="$said_$word_ "
	done
	if [ "$got" = "$want" ]; then
		n=$((n + 1))
		printf 'ok %d - exit status %s: %.90s\n' $n "$want" "${said_%%"$newline"*}"
	else
		not_ok "exit status $want: ${said_%%"$newline"*}" "got:  $got"
	fi
}
# without PATH: takes it out of $word_
without() {
	while :; do
		case $word_ in
		*"$1"*) word_=${word_%%"$1"*}${word_#*"$1"} ;;
		*) return ;;
		esac
	done
}
# eventually COMMAND…: runs it every 0.05 s until it succeeds. A failure if it did not within $PATIENCE seconds. These
# are many, because what takes a second on an idle machine takes longer on a busy one.
PATIENCE=120
eventually() {
	patience_ends=$(($(date +%s) + PATIENCE))
	until "$@"; do
		[ "$(date +%s)" -le $patience_ends ] || { not_ok "within $PATIENCE s: $*"; return 1; }
		sleep 0.05
	done
}
# py ARGUMENT…: runs Python, without looking for packages and for files in this folder
py() { python3 -IS "$@"; }
# json FILE EXPRESSION: prints the value of a Python expression over the document d. After the first, a process that
# waits for them evaluates it (asked.py); Python is started if there is none yet, if it is busy, or if it has no answer.
json() {
	case $1 in
	/*) file_=$1 ;;
	*) file_=$PWD/$1 ;;
	esac
	json_ask "$file_" "$2" || py -c 'import json,sys; d=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}
json_ask() {
	[ -e "$tmp/.json/ready" ] || { json_start; return 1; }
	set -C
	{ true >"$tmp/.json/lock"; } 2>/dev/null || { set +C; return 1; }
	set +C
	printf '%s\0%s\0' "$1" "$2" 1<>"$tmp/.json/ask"
	{
		read -r lines_
		left_=$lines_
		while [ "$left_" -gt 0 ]; do
			IFS= read -r line_
			printf '%s\n' "$line_"
			left_=$((left_ - 1))
		done
	} <>"$tmp/.json/said"
	printf '\0\0' 1<>"$tmp/.json/ask"
	[ "$lines_" -gt 0 ]
}
json_start() {
	mkdir "$tmp/.json" 2>/dev/null || return # it is just starting
	mkfifo "$tmp/.json/ask" "$tmp/.json/said"
	# exec, so that no shell is left that holds the pipe of a $(json …)
	(exec python3 -IS "$HECATE_TESTS/lib/asked.py" "$tmp/.json" $$ </dev/null >/dev/null 2>&1 &)
}
# document FILE: what --json wrote there must keep to its schema, in the end. `status` does this with what is printed.
documents=0
document() { documents=$((documents + 1)); cp "$1" "$tmp/.document.$documents"; }
# valid FILE…: nothing, or where documents break their schemas; $NO_VALIDATOR where python3-jsonschema is not installed.
# The python3 of the tests loads no packages (tests/room.mk), so another one may have to do it.
NO_VALIDATOR="python3-jsonschema is not installed"
valid() {
	for python_ in /usr/bin/python3 "$(readlink -f "$(command -v python3)")"; do
		"$python_" -I -W ignore "$HECATE_TESTS/lib/valid.py" "$(dirname "$HECATE")/schemas" "$@" 2>&1
		[ $? = 3 ] || return
	done
	echo "$NO_VALIDATOR"
}
done_testing() {
	if [ $documents != 0 ]; then
		invalid_=$(valid "$tmp"/.document.*)
		name_="what --json wrote keeps to its schemas"
		[ "$invalid_" = "$NO_VALIDATOR" ] && skip "$name_" "$NO_VALIDATOR" || is "$name_" "$invalid_" ""
	fi
	echo "1..$n"
}
