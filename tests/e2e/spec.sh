#!/bin/sh
# The programs of a specification in the explorer: run, viewed in views 5 to 7, ended, run again, kept in a file. It
# uses counters that can be counted here.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the explorer in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
"$HECATE" net linux-vm -- true >"$tmp/out" 2>"$tmp/err" || { skip "a specification in the explorer" "$(sed -n 's/^hecate: //p' "$tmp/err" | head -1)"; done_testing; exit; }

sql() { python3 -c 'import sqlite3, sys; r = sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall(); print(r[0][0] if r else "")' "$tmp/s.hct" "$1"; }
# left NAME STATUS: wait until hecate has ended
left() { until_so $PATIENCE test -f "$tmp/status"; is "$1" "$(cat "$tmp/status")" "status $2"; rm -f "$tmp/status"; }
# gone FILE: true if the process whose number is in the file has ended
gone() { until_so $PATIENCE ended "$1" && echo yes || echo no; }
ended() { ! kill -0 "$(cat "$1")" 2>/dev/null; }
# refused NAME ARGUMENTS PATTERN: the explorer does not start
refused() {
	start 120 40 "$HECATE $2"
	left "$1: refused" 2
	wait_for "  $1" "$3"
	end
}

cat >"$tmp/tenants.spec" <<'END'
profile tenants "beside each other";
program one { run "sh" "-c" "echo $$ >one.part; mv one.part one; while [ ! -e stop ]; do /bin/true; done"; }
program two { run "sh" "-c" "while [ ! -e stop ]; do sleep 0.05; done; exit 3"; begin after 200 ms; times 2; }
program server { run "sh" "-c" "echo $$ >server; exec sleep 1000"; background; }
network "linux-vm"; stack "stall-sources"; granularity 100 ms; limit processor 90 %;
END
start 120 40 "$HECATE -o s.hct --spec tenants.spec"
wait_for "snapshots come" 'last 3 s'
has "view 5: the whole during the run" "$(cat "$tmp/screen")" '^ hecate  linux_vm  tenants '
has "  with its interval" "$(cat "$tmp/screen")" 'Esc stops · live [0-9.]+ m?s'
keys 6; wait_for "view 6: the time of their tasks" 'Where the time of tasks goes'; wait_for "  of each of them" '(sh|sleep|hecate)-[0-9]+ '
keys 7; wait_for "view 7: their queues" 'Queues by component'; wait_for "  at the pace that it keeps" 'Esc stops · live [0-9.]+ m?s'
keys Escape; wait_for "Esc asks first" 'Stop tenants'; keys Enter; wait_for "Enter ends them" 'tenants was stopped after'
is "  all of them" "$(gone "$tmp/one") $(gone "$tmp/server")" "yes yes"
keys 5; wait_for "the counts stay" 'tenants, [0-9.]+ s'
rm -f "$tmp/one" "$tmp/server"
wait_for "  with the whole" '^ hecate  linux_vm  tenants'
keys R; wait_for "R runs them again" "^ hecate  linux_vm  tenants#2 "
until_so $PATIENCE test -e "$tmp/one"
touch "$tmp/stop"
wait_for "they end by themselves, one with an error" 'two(-2)? ended with status 3'
keys O; wait_for "O shows how each program ended" 'two-2: started at .* ended with status 3'; keys Escape
keys q; left "left" 0
is "both runs are in the file" "$(sql "SELECT count(DISTINCT name) FROM observation WHERE name IN ('one', 'two', 'two-2', 'server', 'tenants', 'one#2', 'two#2', 'two-2#2', 'server#2', 'tenants#2')")" 10
is "  with the programs' tasks" "$(sql "SELECT count(*) > 0 FROM observation WHERE name GLOB 'sh-[0-9]*'")" 1
end
start 120 40 "$HECATE s.hct"
wait_for "the file can be viewed" 'snapshot [0-9]+ of [0-9]+|s[.]hct, [0-9.]+ s'
keys q; left "left again" 0
end

# A model: a verdict on each program.
printf 'model small; counter f = "page-faults:u"; counter m = "minor-faults:u"; path p { choose { case A: count f; count m; case B: count f; } }\n' >"$tmp/small.udd"
printf 'profile judged; program lower { run "true"; } program upper { run "sh" "-c" "true"; } model "./small.udd"; mode aggregated;\n' >"$tmp/judged.spec"
start 120 40 "$HECATE --spec judged.spec"
until_so $PATIENCE shows 'judged took'
wait_for "a model judges each program" 'upper .*feasible'; wait_for "  the other, too" 'lower .*feasible'
until_so $PATIENCE quits; left "the model left" 0
end

# What is refused.
printf 'profile timed; program a { run "true"; } stack "stall-sources";' >"$tmp/timed.spec"
printf 'profile kinds; program a { run "true"; } network "linux-vm"; model "./small.udd"; mode aggregated;' >"$tmp/kinds.spec"
printf 'profile gone; program a { run "true"; } program b { run "/nowhere/hecate-test"; begin after 50 ms; } network "linux-vm"; mode aggregated;' >"$tmp/gone.spec"
start 120 40 "$HECATE --spec gone.spec"
wait_for "a program that does not exist" '/nowhere/hecate-test: command not found'
keys Escape; until_so $PATIENCE quits; left "and the explorer goes on" 0
end
printf 'profile empty; network "linux-vm"; mode aggregated;' >"$tmp/empty.spec"
refused "a specification without programs" "--spec empty.spec" 'no program'
refused "a file that is not there" "--spec nothing.spec" 'nothing\.spec'
refused "a command with it" "--spec tenants.spec -- true" 'true is a command to run too'
refused "a process with it" "--spec tenants.spec -p 1" '-p watches what runs already'
refused "flows of them" "--spec tenants.spec --flows" 'only hecate net reports flows'
refused "CPUs, where the time of tasks is all" "stall-sources --spec timed.spec -a" 'for the programs of a specification, or for the machine'
refused "two things of different kinds" "--spec kinds.spec" 'names a model and a network, and the explorer opens one'
refused "another stack" "linux-vm topdown-l1-hsw --spec tenants.spec" 'names the stack stall-sources, and the argument is topdown-l1-hsw'
refused "another network" "haswell --spec tenants.spec" 'names the network linux-vm, and the argument is haswell'
done_testing
