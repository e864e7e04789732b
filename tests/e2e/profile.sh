#!/bin/sh
# A session of a network in its file: viewed, noted, left, killed, and opened again. It uses counters that can be
# counted here.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the explorer in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"

sql() { python3 -c 'import sqlite3, sys; r = sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall(); print(r[0][0] if r else "")' "$tmp/vm.hct" "$1"; }
# left: wait until hecate has ended
left() { until_so $PATIENCE test -f "$tmp/status"; is "$1: exit status" "$(cat "$tmp/status")" "status 0"; end; }
said() { [ "$(sql "$1" 2>/dev/null)" = "$2" ]; }
# holds NAME SQL WANTED: waits until the file gives that
holds() {
	until_so $PATIENCE said "$2" "$3" && { ok "$1"; return 0; }
	not_ok "$1" "$(sql "$2" 2>&1)"
}

# Some counter must be available: the kernel's files are, nearly everywhere.
"$HECATE" net linux-vm -- true >"$tmp/out" 2>"$tmp/err" || { skip "a network's session" "$(sed -n 's/^hecate: //p' "$tmp/err" | head -1)"; done_testing; exit; }

start 120 40 "$HECATE -o vm.hct --tables linux-vm -I 100 -- sh -c 'while [ ! -e stop ]; do /bin/true; done'"
wait_for "snapshots come" 'last 3 s'
keys '['; wait_for "a step back keeps the snapshot" 'snapshot [0-9]+ of'
keys c; wait_for "compared with another one" 'compared|against snapshot'
keys '['
keys n; wait_for "a note on a module" 'Note on module'; keys -l 'on this module'; keys Enter
keys 7; wait_for "view 7" 'Queues by component'
keys N; wait_for "a note on the session" 'Note on the session'; keys -l 'on all of it'
# Enter and the end of the run arrive together.
pid=$(t list-panes -t s -F '#{pane_pid}'); pid=$(pgrep -P "$pid" -x hecate)
kill -STOP "$pid"; keys Enter; touch "$tmp/stop"; sleep 0.3; kill -CONT "$pid"
holds "notes are in the file while it goes on" "SELECT group_concat(subject) FROM (SELECT subject FROM remark ORDER BY id)" "module,session"
keys w; wait_for "the list of files to write" 'report'; keys r; wait_for "report written" 'written: hecate-report-1.md'
has "the report has the note" "$(cat "$tmp/hecate-report-1.md")" '^- on module .*: on this module$'
is "  and pictures" "$(ls "$tmp" | grep -c 'hecate-report-1-.*svg')" 3
keys q; left "left"
is "the file is sound" "$(sql 'PRAGMA integrity_check')" ok
records="SELECT count(*), (SELECT count(*) FROM sample JOIN observation o ON o.id=observation WHERE o.name='sh'), (SELECT total(hits) FROM path), (SELECT total(length) FROM vertex), (SELECT total(load) FROM edge) FROM record_snapshot"
sqlrow() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall())' "$1" "$2"; }
kept=$(sqlrow "$tmp/vm.hct" "$records")
cp "$tmp/vm.hct" "$tmp/anew.hct"; "$HECATE" net "$tmp/anew.hct" --tables -q >"$tmp/out" 2>&1
is "autosave filled the record tables as hecate net does" "$kept" "$(sqlrow "$tmp/anew.hct" "$records")"
has "  one for each interval" "$kept" "^\[\(([0-9]+), \\1,"
is "network and stack are in it" "$(sql "SELECT group_concat(kind) FROM model")" "stack,network"
shown=$(sql "SELECT value FROM setting WHERE key='snapshot'")
number=$(expr "$shown" : '\["sh","\([0-9]*\)"\]')
has "the snapshot is in it" "$shown" '^\["sh","[0-9]+"\]$'

start 120 40 "$HECATE vm.hct"
wait_for "reopened: the same view" 'Queues by component'
wait_for "  the same snapshot" "snapshot $number of"
wait_for "  compared with the same one" 'against snapshot'
keys L; wait_for "the notes" 'on this module'; wait_for "… both" 'on all of it'; keys Escape
is "nothing was run" "$(sql "SELECT count(*) FROM observation WHERE name LIKE 'sh#%'")" 0

# The command runs again, and is killed together with hecate: all but the last interval is in the file; so are the
# notes.
rm -f "$tmp/stop"
rows() { sql "SELECT count(*) FROM sample WHERE observation=(SELECT id FROM observation WHERE name='sh#2')" 2>/dev/null; }
keys R
some_rows() { have=$(rows); [ "${have:-0}" -ge 3 ]; }
check "rows come while it runs" until_so $PATIENCE some_rows
keys 5 n; wait_for "another note" 'Note on module'; keys C-u; keys -l 'before the kill'; keys Enter
holds "it is in the file" "SELECT text FROM remark WHERE subject='module'" 'before the kill'
seen=$(rows)
pid=$(t list-panes -t s -F '#{pane_pid}'); kill -9 $(pgrep -P "$pid" -x hecate) 2>/dev/null
touch "$tmp/stop"
end
is "killed: sound" "$(sql 'PRAGMA integrity_check')" ok
check "killed: no row is lost" [ "$(rows)" -ge "$seen" ]
start 120 40 "$HECATE vm.hct"
wait_for "it can be opened" 'linux_vm'
keys L; wait_for "  with its notes" 'before the kill'; keys Escape
keys q; left "left again"
done_testing
