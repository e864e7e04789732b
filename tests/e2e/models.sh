#!/bin/sh
# Several models in one session file: looking changes nothing, and each has its own features and search.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the explorer in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
cd "$tmp" || exit
sql() { python3 -c 'import sqlite3, sys; [print(*r, sep="|") for r in sqlite3.connect("file:s.hct?mode=ro", uri=True).execute(sys.argv[1])]' "$1"; }
graph() { sql "SELECT features, step, infeasible FROM graph_model ORDER BY id"; }
opens() { sql "SELECT value FROM setting WHERE key = 'model'"; }
left() { until_so $PATIENCE test -f "$tmp/status"; is "$1" "$(cat "$tmp/status")" "status 0"; end; }

"$HECATE" import -m linux-page-faults -o s.hct "$TOP_SRCDIR/models/demo/page-faults.csv" --exact >/dev/null 2>&1
i=1
while [ $i -le 5 ]; do
	sed "s/^model [a-z_]*/model other$i/" "$TOP_SRCDIR/models/linux-page-faults.udd" >other$i.udd
	i=$((i + 1))
done
start 120 40 "$HECATE s.hct"
wait_for "the first model is refuted" '✗ [0-9]+ of 8'
keys a; wait_for "and searched" 'the smallest survivor'
until_so $PATIENCE sh -c 'sleep 1' # one write
keys q; left "left"
searched=$(graph)
isnt_empty() { [ -n "$2" ] && ok "$1" || not_ok "$1" "nothing"; }
isnt_empty "its search is in the file" "$searched"
cp s.hct before.hct

# 100 random keys with five other models; view 9 is left out, because Enter measures there
keys_of() { python3 -c 'import random, sys; random.seed(sys.argv[1]); print(*[random.choice("1 2 3 4 0 Tab Down Up Down Enter Escape i Right Left".split()) for _ in range(20)], "Escape", "Escape", "Escape")' "$1"; }
for i in 1 2 3 4 5; do
	start 100 30 "$HECATE other$i.udd s.hct"
	wait_for "model $i on the file's data" "other$i .*✗ [0-9]+ of 8"
	# shellcheck disable=SC2046
	for key in $(keys_of $i); do keys "$key"; sleep 0.02; done
	sleep 1.2
	t kill-server 2>/dev/null
	end
done
is "after 100 keys in views of other models the file is the same to the byte" "$(cmp s.hct before.hct 2>&1 && echo same)" same
is "  and opens with the same model" "$(opens)" linux_pagefault

start 120 40 "$HECATE other1.udd s.hct"
wait_for "another model" 'other1 .*✗ [0-9]+ of 8'
keys Space; wait_for "once it is changed, it is kept" 's.hct now opens with this'
keys q; left "left again"
is "the file opens with it" "$(opens)" other1
cp s.hct before.hct
start 120 40 "$HECATE linux-page-faults s.hct"
wait_for "the first model has its search" '★'
sleep 1.2; keys q; left "left a third time"
is "looking changed nothing" "$(cmp s.hct before.hct 2>&1 && echo same)" same
start 120 40 "$HECATE linux-page-faults s.hct"
wait_for "it can be taken up" '★'
keys Space; wait_for "  with its first change" 's.hct now opens with this'
keys Space; sleep 1.2; keys q; left "left a fourth time"
is "the file opens with it again" "$(opens)" linux_pagefault
has "  and has its search, then the model that was looked at" "$(graph | tr "\n" " ")" "^$(printf '%s' "$searched" | tr "\n" " " | sed 's/[][*.^$|]/\\&/g')"
is "other1 is kept" "$(sql "SELECT name FROM kept JOIN model ON model = id GROUP BY id")" other1

# The models of a session: all are listed with their verdicts, and two keys open another.
i=2
while [ $i -le 3 ]; do
	start 120 40 "$HECATE other$i.udd s.hct"
	wait_for "model $i" "other$i .*✗ [0-9]+ of 8"
	keys Space; wait_for "is kept" 's.hct now opens with this'
	keys q; left "left with model $i"
	i=$((i + 1))
done
# Five models in one file, 100 random keys in its views, of another of the five at each size.
cp s.hct five.hct
start 120 40 "$HECATE other4.udd five.hct"
wait_for "a fifth model" 'other4 .*✗ [0-9]+ of 8'
keys Space; wait_for "is kept" 'five.hct now opens with this'
sleep 1.2; keys q; left "left with five"
is "the file has five models" "$(python3 -c 'import sqlite3; print(sqlite3.connect("five.hct").execute("SELECT count(DISTINCT name) FROM model").fetchone()[0])')" 5
cp five.hct before.hct
for look in "80 24 linux-page-faults linux_pagefault" "120 40 other2.udd other2" "200 60 other3.udd other3"; do
	# shellcheck disable=SC2086
	set -- $look
	start "$1" "$2" "$HECATE $3 five.hct"
	wait_for "$4 at $1x$2" "$4 .*✗ [0-9]+ of 8"
	for i in 1 2 3 4 5; do
		# shellcheck disable=SC2046
		for key in $(keys_of "$i$look"); do keys "$key"; sleep 0.02; done
	done
	sleep 1.2
	t kill-server 2>/dev/null
	end
	is "  the file of five is the same to the byte after 100 keys" "$(cmp five.hct before.hct 2>&1 && echo same)" same
done
rm five.hct
start 120 40 "$HECATE"
wait_for "Home says how many models a session holds" 's.hct .*other3 [+]3'
keys q; left "left Home"
start 80 24 "$HECATE s.hct"
wait_for "so does the session" 's.hct holds 4 models; v lists them'
keys v; wait_for "v lists them with their verdicts" 'other3 +✗ [0-9] of 8 +shown'
for name in other1 other2 linux_pagefault; do wait_for "  $name" "$name +✗ [0-9] of 8 +since 20"; done
keys Enter; wait_for "Enter opens the next" 'other2 .*✗ [0-9]+ of 8'
keys v; wait_for "it is marked" 'other2 +✗ [0-9] of 8 +shown'
keys G; keys Enter; wait_for "any other can be chosen" 'linux_pagefault .*✗ [0-9]+ of 8'
keys Tab Tab Tab Tab; wait_for "  with its search" '★'
sleep 1.2; keys q; left "left the list"
is "looking changed nothing" "$(opens)" other3
done_testing
