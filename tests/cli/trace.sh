#!/bin/sh
# hecate trace: a command's trace by valgrind's lackey, its report, its ends, and refused input.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

status 2 "$HECATE" trace -- true
has "it needs a file" "$err" 'trace needs -o FILE'
status 2 "$HECATE" trace -o t
has "  and a command" "$err" 'trace needs a command after --'
status 2 "$HECATE" trace -o no/such/folder -- true
has "  and a file that can be written" "$err" 'cannot write no/such/folder'
mkdir empty
status 2 env PATH="$tmp/empty" "$HECATE" trace -o t -- /bin/true
has "without valgrind it says what to install" "$err" 'valgrind.*cannot be run.*apt-get install valgrind'
is "  and leaves nothing" "$(ls)" "$(printf 'empty\nerr\nout\n')"

if ! command -v valgrind >/dev/null 2>&1; then
	skip "traces of real commands" "valgrind is not installed"
	done_testing
	exit 0
fi
# records FILE LETTERS: the lines of a trace with such records
records() { grep -c "^[ ]*[$2] " "$1"; }
said() { printf '%s\n' "$err" | sed -n "s/.*$1: \([0-9]*\).*/\1/p"; }

status 0 "$HECATE" trace -o t.txt -- sh -c 'read -r x; echo "$x"; echo oops >&2; exit 3'
is "the command's output goes where it went, its input is empty" "$out" ""
has "  errors too" "$err" '^oops$'
has "its exit status is reported" "$err" 'sh ended with exit status 3'
is "instructions are counted" "$(said instructions)" "$(records t.txt I)"
has "  and transfers" "$(said 'transfers of control')" '^[0-9]{3,}$'
has "what lackey does not see is said" "$err" 'does not see registers.*nor the kernel; nor wrong paths'
is "every line is a record or a message" "$(grep -cvE '^(I  | [LSM] )[0-9a-f]+,[0-9]+$|^(==|--|\*\*)|^$' t.txt)" 0
is "the size of the file" "$(said ' bytes')" "$(wc -c <t.txt | tr -d ' ')"

status 0 "$HECATE" trace -q -o t.gz -- true
is "quiet" "$err" ""
check "FILE.gz is compressed" gzip -t t.gz
gzip -dc t.gz >back.txt
has "  and has the same" "$(records back.txt I)" '^[0-9]{4,}$'
for file in t.gz back.txt; do
	status 0 "$HECATE" sim -q --machine small --trace $file --samples 2 --accesses 1000 -e instructions --csv
	[ $file = t.gz ] && first=$out
done
is "the simulated machine reads both" "$out" "$first"
has "  and finds accesses" "$out" ',[1-9][0-9]*$'

status 2 "$HECATE" trace -o t.bad -- "$tmp/nosuch"
has "a command that does not exist" "$err" 'nosuch left no trace'
is "  leaves nothing" "$(ls t.bad 2>/dev/null)" ""

# Ends: by SIGTERM, with a valid shorter trace. SIGTERM ends hecate, too, once the trace is written.
"$HECATE" trace -o cut.txt -- sh -c 'while :; do :; done' 2>cut.err &
pid=$!
eventually sh -c '[ "$(cat cut.txt.*.part 2>/dev/null | wc -c)" -gt 100000 ]'
kill -TERM $pid
wait $pid
is "SIGTERM ends the command and hecate" $? 143
has "  the trace is shorter" "$(cat cut.err)" 'sh was ended by signal 15 .*; the trace ends there'
is "  and whole" "$(tail -c 1 cut.txt | od -An -c | tr -d ' ')" '\n'
is "  of records and messages" "$(grep -cvE '^(I  | [LSM] )[0-9a-f]+,[0-9]+$|^(==|--|\*\*)|^$' cut.txt)" 0
done_testing
