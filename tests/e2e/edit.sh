#!/bin/sh
# Thirty edits of an open model, by editors of all kinds and from outside: right ones are taken up, broken ones change
# nothing, and what was switched on stays on.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the explorer in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
cd "$tmp" || exit
model=$TOP_SRCDIR/models/linux-page-faults.udd
cp "$model" mine.udd
cp "$model" installed.udd
cp "$TOP_SRCDIR/models/demo/page-faults.csv" .
mkdir bin
# The editor runs what the test has put into the file "do"; its arguments are kept.
printf '#!/bin/sh\necho "$*" >"%s/args"\nfor file; do :; done\n. "%s/do"\n' "$tmp" "$tmp" >bin/ed.sh
chmod +x bin/ed.sh
cp bin/ed.sh bin/vi
edit() { printf '%s\n' "$1" >do; keys E; }
# says N TEXT: the text of feature A is "step N", and D is still on
says() { wait_for "$2" "\\[ \\] A +step $1([ │].*|$)" && { shows '\[.\] D' && shows '\[[^ ]\] D' && ok "  and D is on" || not_ok "  D is off" "$(cat screen)"; }; }
step() { echo "s/^feature A .*/feature A \"step $1\";/"; }

start 120 40 "EDITOR='$tmp/bin/ed.sh --flag \"a b\"' VISUAL= $HECATE mine.udd page-faults.csv"
wait_for "a model and data" '5 of 8 infeasible'
keys Down Down Down Space; wait_for "D is on" '1 of 6 on'
wait_for "  and judged" '4 of 8 infeasible|3 of 8 infeasible|2 of 8 infeasible'
at=0
while [ $at -lt 20 ]; do
	at=$((at + 1))
	case $((at % 5)) in
	0) edit 'sed -i "s/^feature A .*/feature A A;/" "$file"'
		wait_for "edit $at breaks it: the error, its line and caret" 'mine.udd:2[0-9]:11: '
		wait_for "  and the caret" ' +\^'
		keys Escape; wait_gone "  Esc closes it" 'mine.udd has 1 error'
		says $((at - 1)) "  the model is as before";;
	1) edit "sed -i '$(step $at)' \"\$file\""; says $at "edit $at in place";;
	2) edit "sed '$(step $at)' \"\$file\" >new; mv new \"\$file\""; says $at "edit $at renames over it";;
	3) edit "sed '$(step $at)' \"\$file\" >new; rm \"\$file\"; sleep 0.2; cat new >\"\$file\""
		says $at "edit $at deletes it and writes it anew";;
	4) sed "$(step $at)" mine.udd >new; mv new mine.udd; says $at "edit $at from outside";;
	esac
done
has "the editor got its own arguments and the file" "$(cat args)" '^--flag a b .*mine.udd$'

# 21 to 24: editors that do not do their work
edit 'exit 1'; wait_for "edit 21: an editor that fails" 'bin/ed.sh.* ended with status 1'
keys Escape; wait_gone "  with the errors of edit 20" 'mine.udd has 1 error'
edit 'rm "$file"'; wait_for "edit 22: an editor that deletes the file" 'mine.udd is gone; the model stays'
sed "$(step 22)" "$model" >mine.udd; says 22 "  it comes back from outside"
edit 'echo $$ >pid; while :; do sleep 1; done'
until_so $PATIENCE test -s pid
sleep 1
kill -KILL "$(cat pid)"; wait_for "edit 23: an editor that never ends is killed" 'ed.sh.* ended with status 137|was ended by signal 9'
says 22 "  and nothing has changed"
edit "kill -TSTP 0; sed -i '$(step 24)' \"\$file\""
says 24 "edit 24: an editor that stops itself goes on"

# 25 to 27: broken from outside, half written, and mended
sed 's/^feature A .*/feature A A;/' mine.udd >broken; cp broken mine.udd
wait_for "edit 25: broken from outside" 'mine.udd has 1 error'
says 24 "  the model is as before"
sed "$(step 26)" "$model" >mine.udd
wait_gone "edit 26: mended from outside, the error goes away" 'mine.udd has 1 error'
says 26 "  and the model is new"
head -c 1500 mine.udd >half; sed "$(step 27)" "$model" >whole
cat half >mine.udd; sleep 0.4; cat whole >mine.udd
says 27 "edit 27: half written for a while"

# 28: a feature goes, and what was chosen by name stays; 29: it comes back
edit 'sed -i -e "/^feature B/d" -e "/when B:/d" "$file"'
wait_for "edit 28: a feature is gone, in a sentence" 'reloaded .*mine.udd: feature B is gone'
says 27 "  the others stay"
edit "cp '$model' \"\$file\"; sed -i '$(step 29)' \"\$file\""; says 29 "edit 29: it is back"
wait_for "  off" '\[ \] B'
keys q; until_so $PATIENCE test -f status; is "it ends well" "$(cat status)" "status 0"; end

# 30: the line of the error; an editor that is missing; none at all
PATHS=$tmp/bin:$PATH
cp "$model" mine.udd
start 120 40 "PATH='$PATHS' EDITOR= VISUAL=vi $HECATE mine.udd page-faults.csv"
wait_for "again" '5 of 8 infeasible'
keys Down; edit 'sed -i "s/^feature C .*/feature C C;/" "$file"'
wait_for "edit 30: an error" 'mine.udd:27:11: '
has "  the editor was at the line of the feature under the cursor" "$(cat args)" "^[+]$(grep -n "^feature B" "$model" | cut -d: -f1) "
edit 'cp "'"$model"'" "$file"'
wait_gone "  it is mended" 'has 1 error'
until_so $PATIENCE grep -q "^[+]$(grep -n "^feature C" "$model" | cut -d: -f1) " args
has "  and the editor was at the line of the error" "$(cat args)" "^[+]$(grep -n "^feature C" "$model" | cut -d: -f1) "
keys q; until_so $PATIENCE test -f status; end
start 120 40 "EDITOR=no-such-editor VISUAL= $HECATE mine.udd page-faults.csv"
wait_for "again" '5 of 8 infeasible'
keys E; wait_for "an editor that is missing" 'editor no-such-editor was not found'
keys q; until_so $PATIENCE test -f status; end

# an installed model is copied; a session keeps the text
start 120 40 "EDITOR='$tmp/bin/ed.sh' VISUAL= $HECATE linux-page-faults page-faults.csv"
wait_for "an installed model" '5 of 8 infeasible'
edit "sed -i '$(step 31)' \"\$file\""
wait_for "it is copied and edited" '\[ \] A +step 31'
has "  here" "$(cat args)" '^linux-page-faults.udd$'
is "  and the installed one is as it was" "$(cmp installed.udd "$model" && echo same)" same
cmp -s installed.udd "$model" || cp installed.udd "$model"
keys q; until_so $PATIENCE test -f status; end

# a session file opens with the text as edited, and keeps the one before
cp "$model" mine.udd
"$HECATE" import -m ./mine.udd -o s.hct page-faults.csv --exact >/dev/null 2>&1
sql() { python3 -c 'import sqlite3, sys; [print(*r, sep="|") for r in sqlite3.connect("file:s.hct?mode=ro", uri=True).execute(sys.argv[1])]' "$1"; }
start 120 40 "EDITOR='$tmp/bin/ed.sh' VISUAL= $HECATE s.hct"
wait_for "a session" '5 of 8 infeasible'
edit "sed -i '$(step 32)' \"\$file\""
wait_for "its model is edited" '\[ \] A +step 32'
wait_for "  and judged" '5 of 8 infeasible'
sleep 1.2; keys q; until_so $PATIENCE test -f status; end
rm mine.udd
is "the file has both texts" "$(sql "SELECT count(*) FROM model")" 2
start 120 40 "$HECATE s.hct"
wait_for "and opens with the new one" '\[ \] A +step 32'
keys q; until_so $PATIENCE test -f status; end
done_testing
