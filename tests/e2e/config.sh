#!/bin/sh
# The configuration file: what it says holds, the command line comes before it, what is wrong in it is named with its
# line, subcommands do not read it, and it is never written.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the explorer in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
quiet="ASAN_OPTIONS=detect_leaks=0"
mkdir -p "$tmp/config/hecate"
config=$tmp/config/hecate/config

printf '# mine\ntheme = nord\n\n  ascii=yes  \r\n' >"$config"
before=$(cksum <"$config")
start 100 30 "$quiet $HECATE"
wait_for "the explorer starts" 'What can be measured'
is "in ASCII" "$(grep -c '[^ -~]' "$tmp/screen")" 0
keys T; wait_for "in the theme of the file" '> *nord'
keys Escape; until_so $PATIENCE quits; end
start 100 30 "$quiet $HECATE --theme light"
wait_for "the explorer starts" 'What can be measured'
keys T; wait_for "the command line comes first" '> *light'
keys Escape; until_so $PATIENCE quits; end
is "the file is as it was" "$(cksum <"$config")" "$before"

# wrong NAME LINE PATTERN: the explorer does not start, and says why
wrong() {
	printf '%b' "$2" >"$config"
	start 200 30 "$quiet $HECATE"
	wait_for "$1" "$3"
	until_so $PATIENCE test -f "$tmp/status"; is "  and ends" "$(cat "$tmp/status")" "status 2"
	end
}
wrong "a mistyped key" 'mouse = no\nthme = nord\n' 'config:2: unknown key thme; nearest: theme'
wrong "a word that is not one" 'mouse = off\n' 'config:1: mouse is no or yes, not off'
wrong "no value" 'motion\n' 'config:1: motion has no value; write motion = yes'
wrong "an empty value" 'theme =\n' 'config:1: theme has no value'
wrong "binary data" 'theme\001\n' 'config:1: unknown key'
is "a subcommand does not read it" "$("$HECATE" doctor >/dev/null 2>&1; echo $?)" 0
sed 's/^#\([a-z]* = \)/\1/' "$(dirname "$HECATE")/man/config" >"$config"
start 100 30 "$quiet $HECATE"
wait_for "the example, with all its lines" 'What can be measured'
until_so $PATIENCE quits; end
done_testing
