#!/bin/sh
# What ends a live run. kill -9: the session file has all but the last second of what the command did by then, and the
# command ends, too. It counts its own page faults, and when it made them. q: what its question says is done.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the explorer in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
programs=$(dirname "$HECATE")/tests/programs
STEP=20000 # page faults

printf 'model small; counter f = "page-faults:u"; counter m = "minor-faults:u"; path p { choose { case A: count f; count m; case B: count f; } }\n' >"$tmp/small.udd"
cat >"$tmp/steps" <<END
#!/bin/sh
echo \$\$ >pid
n=0
while [ ! -e stop ]; do
	$programs/touch $STEP || exit
	n=\$((n + 1))
	read -r up rest </proc/uptime
	echo "\$up \$n" >>steps.log
done
END
chmod +x "$tmp/steps"
now() { read -r up rest </proc/uptime; echo "$up"; }
cd "$tmp" || exit 1
"$HECATE" check ./small.udd -q -- "$programs/touch" 10 >out 2>err || [ $? = 1 ] || { skip "a command is counted" "$(head -1 err)"; done_testing; exit; }

# Just before the next write most is lost: as long after the last write as 0.9 of the time between it and the one before.
worst() {
	seen=$(stat -c %.9Y k.hct* 2>/dev/null) at=$(now)
	if [ "$seen" != "$was" ]; then
		gap=$(awk -v a="$since" -v b="$at" 'BEGIN { print b - a }')
		was=$seen since=$at writes=$((writes + 1))
	fi
	[ $writes -ge 5 ] && awk -v a="$since" -v b="$at" -v gap="$gap" 'BEGIN { exit !(b - a >= 0.9 * gap) }'
}
made() { [ -s steps.log ] && [ "$(wc -l <steps.log)" -ge 40 ] && [ -s k.hct ]; }
ended() { ! kill -0 "$(cat pid)" 2>/dev/null; }
gone() { ! kill -0 "$hecate" 2>/dev/null; }
# attempt: sets `kept` to the faults in the file, `least` to those that the command had made a second before the kill
attempt() {
	rm -f k.hct* steps.log pid
	start 120 40 "$HECATE -o k.hct ./small.udd -I 50 -- ./steps"
	until_so $PATIENCE made || { end; return; }
	was=$(stat -c %.9Y k.hct*) since=0 writes=0 gap=0
	until_so $PATIENCE worst || { end; return; }
	hecate=$(pgrep -P "$(t list-panes -t s -F '#{pane_pid}')" -x hecate)
	at=$(now)
	kill -9 "$hecate"
	until_so $PATIENCE gone
	until_so $PATIENCE ended && over=1 || over=0
	end
	"$HECATE" export -q k.hct -o k.csv 2>err || return
	kept=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^"?f"?$/) f = i; next } { n += $f } END { printf "%d", n }' k.csv)
	least=$(awk -v at="$at" -v step=$STEP '$1 <= at - 1 { n = $2 } END { printf "%d", n * step }' steps.log)
}
# A machine that lets hecate wait is no failure of hecate's, so the best of three counts.
for round in 1 2 3; do
	kept=0 least=1 over=0
	attempt
	[ "$kept" -ge "$least" ] && [ "$least" -gt 0 ] && break
done
is "the command has ended with hecate" $over 1
check "it had made faults for longer than a second" [ "$least" -ge $((2 * STEP)) ]
check "the file has all of them but those of the last second: $kept of $least" [ "$kept" -ge "$least" ]
is "the file is sound" "$(python3 -c 'import sqlite3; print(sqlite3.connect("k.hct").execute("PRAGMA integrity_check").fetchone()[0])')" ok
"$HECATE" check -q k.hct >out 2>err
check "  and it is judged" [ $? -le 1 ]
start 120 40 "$HECATE k.hct"
wait_for "it can be opened" 'steps .*[0-9]+ samples|small'
keys q
until_so $PATIENCE test -f "$tmp/status"
is "exit status" "$(cat "$tmp/status")" "status 0"
end

# The question of q in a live run: s stops the command and saves, l saves and lets it run.
alive() { kill -0 "$(cat pid)" 2>/dev/null && echo yes || echo no; }
for key in s l; do
	rm -f steps-20*.hct steps.log pid
	start 80 24 "$HECATE ./small.udd -I 50 -- ./steps"
	until_so $PATIENCE test -s steps.log
	wait_for "$key: samples come" '[0-9] samples at'
	keys q; wait_for "$key: q asks" 'steps runs[.] In no file'
	wait_for "$key: the answers are shown" "[^a-z]$key +.*save as steps-20[0-9-]+[.]hct"
	keys $key
	until_so $PATIENCE test -f "$tmp/status"
	is "$key: exit status" "$(cat "$tmp/status")" "status 0"
	is "$key: one file is written" "$(ls steps-20*.hct | wc -l)" 1
	"$HECATE" check -q steps-20*.hct >out 2>err
	check "$key:   which has the run" [ $? -le 1 ]
	[ $key = s ] && { is "s: the command has ended" "$(alive)" no; end; }
done
is "l: the command goes on" "$(alive)" yes
wait_for "l:   and hecate says so" 'steps runs on, and is no longer measured'
touch stop
check "l:   until it ends by itself" until_so $PATIENCE ended
done_testing
