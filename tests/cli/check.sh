#!/bin/sh
# hecate check: live and recorded, with every kind of bad input.
. "$HECATE_TESTS/lib/tap.sh"
programs=$(dirname "$HECATE")/tests/programs
cd "$tmp" || exit 1

# Live, with counters that any user may use: a program that handles its SIGSEGVs.
status 1 "$HECATE" check linux-page-faults --json -- "$programs/segv" 50
is "command, verdict, certificate" "$(json "$tmp/out" 'd["command"]["exit"], d["command"]["signal"], d["observations"][0]["verdict"], d["observations"][0]["certificate"]["verified"], d["infeasible"]')" "(0, None, 'infeasible', True, 1)"
is "totals are exact: the region is a point" "$(json "$tmp/out" 'd["observations"][0]["samples"], d["observations"][0]["distance2"], d["observations"][0]["threshold2"]')" "(1, None, 0)"
status 0 "$HECATE" check linux-page-faults --features A,D -- "$programs/segv" 50
status 1 "$HECATE" check linux-page-faults --counters Fu,MIN,MAJ -r 3 --json -- "$programs/segv" 50
is "three runs" "$(json "$tmp/out" '[o["name"] for o in d["observations"]]')" "['segv', 'segv#2', 'segv#3']"
# With permission to count the kernel side, MIN includes faults in the kernel, which takes a few off.
is "feature A's constraint, off by the signals" "$(json "$tmp/out" '[(o["violated"][0]["text"], -50 <= o["violated"][0]["excess"] < -40) for o in d["observations"]][0]')" "('Fu <= MIN + MAJ', True)"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	# Other users may not be able to read the checkout: they get copies.
	mkdir -p "$tmp/open/models"
	cp "$HECATE" "$programs/segv" "$tmp/open"
	cp "$HECATE_MODELS"/models/*.udd "$tmp/open/models"
	chmod -R a+rX "$tmp"
	user="env HECATE_MODELS=$tmp/open setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all"
	status 1 $user "$tmp/open/hecate" check linux-page-faults -- "$tmp/open/segv" 50
	has "unprivileged: lost constraints are reported" "$err" 'not counted: .*CAP_PERFMON'
	has "unprivileged: the number of remaining constraints" "$err" 'of 4 equalities and 9 inequalities, 0 and 4 can still be tested'
	has "unprivileged: user side only" "$err" 'user side only'
	status 0 $user "$tmp/open/hecate" check linux-page-faults --features A -- "$tmp/open/segv" 50
	status 2 $user "$tmp/open/hecate" check linux-page-faults -p 1
	has "unprivileged: a process of another user" "$err" '1 belongs to uid 0.*for one group'
	status 2 $user "$tmp/open/hecate" check linux-page-faults -a
	has "unprivileged: the whole machine" "$err" 'needs CAP_PERFMON or perf_event_paranoid 0.*for one group'
	out=$($user "$tmp/open/hecate" check linux-page-faults --counters Fu,MIN,MAJ -I 1 -- "$tmp/open/segv" 20000 2>/dev/null)
	has "unprivileged: samples of a command" "$out" '(feasible|undecided) +segv +[0-9]+ samples'
	rm -rf "$tmp/open"
else
	skip "unprivileged" "not root, or no setpriv"
fi

# The output of the command stays on standard output; with --json it goes to standard error.
status 0 "$HECATE" check linux-page-faults --features A,B,C,D,E,H -- echo hello
has "the command's output stays" "$out" '^hello'
status 0 "$HECATE" check linux-page-faults --features A,B,C,D,E,H --json -- echo hello
is "with --json it goes to standard error" "$(cat "$tmp/err" | grep -c '^hello')" 1

# Commands that fail.
status 2 "$HECATE" check linux-page-faults -- no-such-program-here
has "not found" "$err" 'no-such-program-here'
status 2 "$HECATE" check linux-page-faults -- /etc/passwd
has "not executable" "$err" 'passwd.*([Pp]ermission|execut)'
status 2 "$HECATE" check linux-page-faults -- "$tmp"
status 0 "$HECATE" check linux-page-faults --features A,B,C,D,E,H -- sh -c 'exit 3'
has "the command's status is reported" "$err" 'ended with status 3'
"$HECATE" check linux-page-faults --features A,B,C,D,E,H --json -- sh -c 'kill -9 $$' >"$tmp/out" 2>/dev/null
is "killed: the signal is reported" "$(json "$tmp/out" 'd["command"]["signal"], d["command"]["exit"]')" "(9, None)"
status 2 "$HECATE" check linux-page-faults --features A,B,C,D,E,H -- "$programs/leaves"
has "a descendant that still runs: reported, and no verdict from an incomplete total" "$err$out" 'still ran when it ended.*not exact'
status 0 "$HECATE" check linux-page-faults --features A,B,C,D,E,H -- "$programs/forks"
status 2 "$HECATE" check linux-page-faults --
status 2 "$HECATE" check linux-page-faults
status 2 sh -c "ulimit -n 12; exec $HECATE check linux-page-faults -- true"
has "too few descriptors: the remedy" "$err" 'ulimit -n'

# SIGTERM during the run: hecate ends the command and says so.
nap="sleep 1000.$$" # a command line that no other test has
"$HECATE" check linux-page-faults -- $nap >"$tmp/out" 2>"$tmp/err" &
pid=$!
eventually pgrep -f "^$nap\$" >/dev/null
kill -TERM $pid; wait $pid
is "SIGTERM: status" "$?" 143
has "SIGTERM: a message" "$(cat "$tmp/err")" 'ended by signal 15'
naps_no_more() { ! pgrep -f "^$nap\$" >/dev/null; }
eventually naps_no_more
is "SIGTERM: the command was ended" "$(pgrep -f "^$nap\$" | wc -l)" 0

# Samples of a command: one observation of many rows; the end is reported as without samples. The verdict depends on how
# busy the machine is, so it is not tested.
"$HECATE" check linux-page-faults --counters Fu,MIN,MAJ -I 1 --json -- "$programs/segv" 100000 >"$tmp/out" 2>/dev/null
is "the exit status is that of the verdict" "$?" "$(json "$tmp/out" '2 if d["undecided"] else d["infeasible"]')"
is "samples of a command" "$(json "$tmp/out" 'd["command"]["exit"], d["sampling"]["interval_ms"], d["sampling"]["ended_by"], d["sampling"]["samples"] == d["observations"][0]["samples"] > 1, d["observations"][0]["exact"], len(d["observations"])')" "(0, 1, 'end', True, False, 1)"
"$HECATE" check linux-page-faults --counters Fu,MIN,MAJ -I 1 -r 2 --json -- "$programs/segv" 100000 >"$tmp/out" 2>/dev/null
is "two runs, two observations" "$(json "$tmp/out" '[o["name"] for o in d["observations"]]')" "['segv', 'segv#2']"
"$HECATE" check linux-page-faults --counters Fu,MIN,MAJ -I 20 --samples 3 --json -- sleep 1000 >"$tmp/out" 2>/dev/null
is "--samples ends a command" "$(json "$tmp/out" 'd["command"]["signal"], d["sampling"]["samples"], d["sampling"]["ended_by"]')" "(15, 3, 'samples')"
"$HECATE" check linux-page-faults --counters Fu,MIN,MAJ --duration 0.1 --json -- sleep 1000 >"$tmp/out" 2>/dev/null
is "--duration ends it too, and its totals remain" "$(json "$tmp/out" 'd["command"]["signal"], d["sampling"], d["observations"][0]["verdict"], d["observations"][0]["exact"]')" "(15, None, 'feasible', True)"

# Running processes.
samples_come() { ls -l "/proc/$hecate/fd" 2>/dev/null | grep -q timerfd; }
sh -c 'while :; do /bin/true; done' &
loop=$!
"$HECATE" check linux-page-faults --counters Fu,MIN,MAJ -p $loop -I 20 --samples 12 --json >"$tmp/out" 2>"$tmp/err"
is "a process" "$(json "$tmp/out" 'd["target"]["kind"], d["target"]["ids"] == ['$loop'], d["target"]["name"], d["target"]["ended"], d["observations"][0]["samples"], d["observations"][0]["name"]')" "('processes', True, 'sh-$loop', False, 12, 'sh-$loop')"
"$HECATE" check linux-page-faults --counters Fu,MIN,MAJ -t $loop -I 5 --duration 0.1 --json >"$tmp/out" 2>"$tmp/err"
is "a thread" "$(json "$tmp/out" 'd["target"]["kind"], d["sampling"]["ended_by"]')" "('threads', 'duration')"
"$HECATE" check linux-page-faults --counters Fu,MIN,MAJ -p $loop -I 20 --samples 1000000 --json >"$tmp/out" 2>"$tmp/err" &
hecate=$!
eventually samples_come
kill -INT $hecate; wait $hecate
is "Ctrl-C: there is a verdict on what was collected" "$(json "$tmp/out" 'd["sampling"]["ended_by"], d["observations"][0]["samples"] >= 1')" "('interrupt', True)"
"$HECATE" check linux-page-faults --counters Fu,MIN,MAJ -p $loop -I 20 --samples 1000000 --json >"$tmp/out" 2>"$tmp/err" &
hecate=$!
eventually samples_come
kill $loop; wait $loop; wait $hecate
is "when the process ends, the run ends" "$(json "$tmp/out" 'd["target"]["ended"], d["sampling"]["ended_by"]')" "(True, 'end')"
status 2 "$HECATE" check linux-page-faults -p $loop
has "no such process" "$err" "there is no process $loop"
if [ "$(id -u)" = 0 ] && "$HECATE" doctor --json | python3 -c 'import json,sys; sys.exit(json.load(sys.stdin)["items"][2]["level"] != "good")'; then
	"$HECATE" check linux-page-faults --counters Fu,MIN,MAJ -a -I 10 --samples 5 --json >"$tmp/out" 2>"$tmp/err"
	is "the machine" "$(json "$tmp/out" 'd["target"]["kind"], d["target"]["name"], d["observations"][0]["samples"]')" "('cpus', 'machine', 5)"
	"$HECATE" check linux-page-faults --counters Fu,MIN,MAJ -C 0 -I 10 --samples 5 --json >"$tmp/out" 2>"$tmp/err"
	is "one CPU" "$(json "$tmp/out" 'd["target"]["ids"], d["target"]["name"]')" "([0], 'cpu0')"
else
	skip "the machine, with samples" "needs root, for all that runs on a CPU"
fi

# Options that do not fit together, and subjects that do not exist: an error that says what to do.
bad_live() { what=$1; shift; status 2 "$HECATE" check linux-page-faults "$@"; has "  $what" "$err" "$what"; }
bad_live 'takes a whole number from 1 to 86400000.*milliseconds' -I 0 -- true
bad_live 'takes a whole number from 1 to 86400000.*milliseconds' -I -5 -- true
bad_live 'takes a whole number from 1 to 86400000.*milliseconds' -I 99999999999999999999 -- true
bad_live 'takes a whole number from 1' -I 10 --samples 0 -- true
bad_live 'takes seconds above 0' --duration -1 -- true
bad_live 'takes seconds above 0' --duration 1e9 -- true
bad_live '-I is about counting here and now.*add -p PID' -I 10
bad_live 'nothing to count is given' --samples 10
bad_live '--samples needs an interval.*-I 100' --samples 10 -- true
bad_live '-p watches what runs already, and true is a command.*one of the two' -p 1 -- true
bad_live '-a watches what runs already' -a -- true
bad_live 'choose one of them' -p 1 -a
bad_live '-r repeats a command' -p 1 -r 3
bad_live '-p: x is not a whole number.*-p 1234' -p x
bad_live '-p: -1 is not a whole number' -p -1
bad_live '-p: 0 is not between 1' -p 0
bad_live '-p: 99999999999999999999 is too large' -p 99999999999999999999
bad_live 'there is no process 2147483600' -p 2147483600
bad_live 'there is no thread 2147483600' -t 2147483600
bad_live 'there is no CPU 60000 here.*online' -C 60000
bad_live '-C: the range 3-1 runs backwards' -C 3-1
bad_live '-C: 99999 is not between' -C 99999
bad_live "the model has no counter 'nosuch'" -I 10 --counters nosuch -- true
printf 'model bare; path p { event e; }\n' >bare.udd
status 2 "$HECATE" check bare.udd -I 10 -- true
has "no counters" "$err" 'has no counter.*nothing to sample'

# Recorded data.
cat >small.udd <<'M'
model small; counter a; counter b; path p { count a; choose { case X: count b; case Y: } }
M
printf 'a,b\n10,4\n12,5\n11,6\n9,4\n10,5\n' >good.csv
printf 'a,b\n4,100\n5,120\n6,110\n4,90\n5,101\n4,96\n6,115\n5,104\n4,88\n5,109\n6,118\n5,99\n' >bad.csv
printf '6,116\n4,93\n5,103\n5,98\n4,91\n6,112\n5,107\n4,95\n5,110\n6,121\n4,87\n5,102\n' >>bad.csv
status 0 "$HECATE" check small.udd good.csv
status 1 "$HECATE" check small.udd bad.csv --json
is "noisy verdict" "$(json "$tmp/out" 'd["observations"][0]["ellipsoid"], d["observations"][0]["box"], d["observations"][0]["independent"], d["observations"][0]["violated"][0]["text"]')" "('infeasible', 'infeasible', 'infeasible', 'b <= a')"
status 1 "$HECATE" check small.udd good.csv bad.csv
head -n 6 bad.csv >five.csv
status 2 "$HECATE" check small.udd five.csv --json
has "fewer than 8 rows refute nothing by themselves" "$(json "$tmp/out" 'd["observations"][0]["reason"]')" 'fewer than 8 rows do not show whether they depend on each other'
status 1 "$HECATE" check small.udd five.csv --independent-rows
status 0 "$HECATE" check small.udd good.csv bad.csv --observations 'go*'
status 2 "$HECATE" check small.udd good.csv --observations 'zz*'
status 1 "$HECATE" check small.udd bad.csv --region independent --confidence 0.995
printf 'a,b\n4,100\n' >one.csv
status 2 "$HECATE" check small.udd one.csv
has "one noisy sample" "$out" 'one noisy sample'
status 1 "$HECATE" check small.udd one.csv --exact
printf 'a,b\n0,0\n0,0\n0,0\n' >zero.csv
status 2 "$HECATE" check small.udd zero.csv
has "all-zero counters" "$out" 'every counter reads 0'
printf 'c,d\n1,2\n3,4\n' >other.csv
status 2 "$HECATE" check small.udd other.csv
has "no common counter" "$out" 'shares no counter'
has "unknown columns named" "$err" 'does not know: c, d'
printf 'a\n1\n2\n3\n' >less.csv
status 0 "$HECATE" check small.udd less.csv
has "a missing counter is reported" "$err" 'projected away.*: b; of 0 equalities and 2 inequalities, 0 and 1 can still be tested'
has "  and so is the constraint that was not tested" "$out" 'feasible +less .*; not tested: b ≤ a$'
has "  with the reason" "$out" '^    not tested, without b: not in the data$'
status 0 "$HECATE" check small.udd good.csv
is "with all counters nothing is untested" "$(echo "$out" | grep -c 'not tested')" 0

# Nothing of the kernel's can be counted, so the constraint of the README's example is not tested: each verdict says it.
status 0 env HECATE_SYSFS=/nonexistent "$HECATE" check linux-page-faults -- true
has "feasible, without the constraint that the example is about" "$out" '✓ feasible .*; not tested: .*PGF = Fu \+ Fk.* and [0-9]+ more'
has "  and why" "$out" '^    not tested, without .*PGF: tracepoints, and this kernel \(or container\) has no tracefs'
status 0 env HECATE_SYSFS=/nonexistent "$HECATE" check linux-page-faults --json -- true
is "  as JSON" "$(json "$tmp/out" '"PGF = Fu + Fk" in d["untested"], "PGF = Fu + Fk" in d["observations"][0]["untested"]["names"], d["observations"][0]["untested"]["constraints"] >= 4, "no tracefs" in d["observations"][0]["untested"]["because"]')" "(True, True, True, True)"
cat >"$tmp/some.csv" <<-'EOF'
	observation,a,b
	whole,5,2
	part,5,
EOF
status 0 "$HECATE" check small.udd "$tmp/some.csv" --exact --json
is "one observation lacks a counter, the other does not" "$(json "$tmp/out" 'd["untested"], [o["untested"] and o["untested"]["names"] for o in d["observations"]]')" "([], [None, 'b <= a'])"
for bad in 'a,b\n1,nan\n' 'a,b\n1,-2\n' 'a,b\n1,x\n' 'a,a\n1,2\n' 'a,b\n1\n' 'a,b\n1,2,3\n' '' 'a,b\n' 'a,b\n1,99999999999999999999\n' 'a,b\n"1,2\n'; do
	printf "$bad" >b.csv
	status 2 "$HECATE" check small.udd b.csv
	has "  and one clear sentence" "$err" '^hecate: b.csv(:[0-9]+)*: '
done
head -c 100000 /dev/urandom >b.csv
status 2 "$HECATE" check small.udd b.csv
status 2 "$HECATE" check small.udd missing.csv
status 2 "$HECATE" check small.udd good.csv --confidence 1.5
status 2 "$HECATE" check small.udd good.csv --region sphere
status 2 "$HECATE" check small.udd good.csv -o /no/such/folder/x
is "an exact total from standard input" "$(printf 'a,b\n5,9\n' | "$HECATE" check small.udd - --exact --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["observations"][0]["verdict"])')" infeasible

status 2 "$HECATE" check good.csv
has "data in the place of the model" "$err" 'good.csv is data, and no model to judge it is given; name the model first: hecate check MODEL good.csv'
status 0 "$HECATE" check small.udd good.csv --flow --json
is "a witness flow adds up to the means" "$(json "$tmp/out" 'sorted((k, round(sum(f["uops"] * f["coef"].get(k, 0) for f in d["observations"][0]["flow"]), 6)) for k in ("a", "b"))')" "[('a', 10.4), ('b', 4.8)]"

# PPL does not answer in time: the verdicts are computed without facets.
python3 - >wide.udd <<'P'
import random
random.seed(7)
n = 20
print("model wide;")
for i in range(n): print("counter c%d;" % i)
print("path p { choose {")
for k in range(120):
    print("case V%d: %s" % (k, " ".join("count c%d * %d;" % (i, random.randint(1, 9)) for i in random.sample(range(n), 8))))
print("} }")
P
status 0 "$HECATE" constraints wide.udd --cone-seconds 0.05 --json
is "facets were given up, and a message says so" "$(json "$tmp/out" 'd["complete"], "reason" in d')" "(False, True)"
python3 -c '
print(",".join("c%d" % i for i in range(20)))
print(",".join("5" for i in range(20)))' >flat.csv
python3 -c '
print(",".join("c%d" % i for i in range(20)))
print(",".join("1" if i else "1000" for i in range(20)))' >spike.csv
status 0 "$HECATE" check wide.udd flat.csv --exact --cone-seconds 0.05
status 1 "$HECATE" check wide.udd spike.csv --exact --cone-seconds 0.05
# The command's output stands apart from the answer on a terminal, and in files all is as it was.
cat >screen.py <<'PY'
import os, pty, sys
pty.spawn(sys.argv[1:], lambda fd: os.read(fd, 4096))
PY
out=$(python3 -IS screen.py "$HECATE" check linux-page-faults -r 2 -- echo words </dev/null | tr -d '\r')
has "a rule on a terminal" "$out" '^--- hecate: echo, 2 runs ---$'
is "after an empty line, which follows the output" \
	"$(echo "$out" | sed -n '/^--- hecate/q;p' | tail -2 | tr '\n' '|')" 'words||'
status 0 "$HECATE" check linux-page-faults -r 2 -- echo words
is "no rule in a file" "$(echo "$out" | grep -c '^---')" 0

# Rows of one program are added up: three lost counts in two rows are three, in words, proof and JSON.
printf 'observation,a,b\nx,9,8\nx,4,2\ny,7.5,7.25\n' >rows.csv
printf 'model m; counter a; counter b; path p { count a; count b; }\n' >equal.udd
status 1 "$HECATE" check equal.udd rows.csv --exact --observations x
has "the sentence names the sum" "$out" '^ +a exceeds b by 3 \(30.0 %\), which'
has "the certificate adds up to it" "$out" '^ +-13 \+ 10 = -3, not >= 0$'
status 1 "$HECATE" check equal.udd rows.csv --exact --observations y
has "a sum of fractions is no whole number" "$out" '^ +-7\.5 \+ 7\.25 = -0\.25, not >= 0$'
status 1 "$HECATE" check equal.udd rows.csv --exact --json
is "and the JSON has totals" "$(json out '[[v["mean"] for v in o["values"]] for o in d["observations"]]')" "[[13, 10], [7.5, 7.25]]"
printf 'model m; counter a; counter b; path p { count b; }\n' >none.udd
status 1 "$HECATE" check none.udd rows.csv --exact --observations x
has "a count that should be 0 is not compared with itself" "$out" '^ +-13, not >= 0$'

printf 'model m; counter a = "a"; path p { count a; }\n' >one.udd
printf 'name,a,zz\nx,1,1\n' >one.csv
printf 'name,a,zz\ny,1,1\n' >two.csv
status 0 "$HECATE" check one.udd one.csv two.csv --exact --json
is "a column that several files have is named once" "$(json out 'd["extra"], [w["text"] for w in d["warnings"]]')" \
	"(['zz'], ['columns that the model does not know: zz'])"
done_testing
