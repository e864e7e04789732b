#!/bin/sh
# hecate diff: two commands, two revisions, recorded runs; its answers, exit statuses and refusals.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

# --- two commands. A sleep of three times the length is slower on any machine that is not stopped.
status 1 "$HECATE" diff 'sleep 0.02' 'sleep 0.06' --json --budget 50s
is "B is slower" "$(json "$tmp/out" 'd["quantities"][0]["answer"], d["quantities"][0]["low"] > 0.01, d["quantities"][0]["change"] > 0.5')" "('more', True, True)"
is "  blocks of two each" "$(json "$tmp/out" 'set("".join(sorted(d["order"][i:i+4])) for i in range(0, sum(d["runs"]), 4))')" "{'AABB'}"
is "  each run has a value" "$(json "$tmp/out" 'all(len(q["values"]) == sum(d["runs"]) for q in d["quantities"] + d["around"])')" True
why='[q["answer"] for q in d["why"] if q["name"].startswith("asleep")]'
has "  the recorded tasks slept longer, or the machine had no time for that" "$(json "$tmp/out" "$why")" "^\\[('more'|'undecided')?\\]$"
status 0 "$HECATE" diff 'sleep 0.06' 'sleep 0.02' --budget 50s
has "faster is no regression" "$out" '^B is faster than A: wall time '
has "  and it was spent waiting" "$out" 'waiting'

# the same command five times, at a confidence that makes a false answer rarer than 1 in 1000
for try in 1 2 3 4 5; do
	"$HECATE" diff true true -r 20 --confidence 0.9999 --json >same.json
	has "the same command is no regression" $? '^[02]$'
	has "  nor faster" "$(json same.json 'd["quantities"][0]["answer"]')" '^(undecided|equal)$'
done
is "  so many runs" "$(json same.json 'd["runs"], len(d["order"])')" "([20, 20], 40)"
document same.json
"$HECATE" diff true true -r 4 >same.txt
has "too few runs" "$(cat same.txt)" 'Undecided: so few runs'
has "  the same command is said" "$(cat same.txt)" 'A and B are the same command'
status 1 "$HECATE" diff 'sleep 0.02' 'sleep 0.06' --markdown --budget 50s
has "Markdown" "$out" '^\*\*B is slower than A'
has "  with a table" "$out" '^\| wall time \|'

# a shell's line, folders, a status that is not 0, a program that writes without end
mkdir a b && echo 'exit 0' >a/p && echo 'exit 3' >b/p
status 2 "$HECATE" diff 'sh p' 'sh p' --cwd-a a --cwd-b b -r 4
has "a run that fails" "$err" 'B ended with status 3 in its first run: sh; --any-status'
check "--any-status" sh -c '"$0" diff "sh p" "sh p" --cwd-a a --cwd-b b -r 4 --any-status >out; [ $? != 1 ]' "$HECATE"
check "a shell's line" sh -c '"$0" diff "yes | head -c 20000000" "true; true" -r 4 >out; [ $? = 2 ] && grep -q "^A  yes" out' "$HECATE"
status 2 "$HECATE" diff 'yes | head -c 1G' true -r 2
has "gigabytes of output" "$out" '^wall time .*undecided'
has "-r 1 is a block" "$("$HECATE" diff true true -r 1)" '^2 runs of each '
"$HECATE" diff true true -r 4 >seconds.txt
is "user time of a short program is a guess" "$(grep -c '^user time' seconds.txt)" 0
"$HECATE" diff true true -r 4 --verbose >seconds.txt
has "  said with --verbose" "$(cat seconds.txt)" '^user time'
has "  faults add up, run by run" "$(cat seconds.txt)" '^page-faults (= minor-faults \+ major-faults in all 8 runs|differs)'
has "  without a change, 0 is equal" "$("$HECATE" diff true true -r 20 --counters major-faults -v | grep major)" 'equal$'
if [ -c /dev/full ]; then
	status 2 "$HECATE" diff true true -r 2 -o /dev/full
	has "a full disk" "$err" 'No space left'
fi
check "--prepare runs before each run" sh -c '"$0" diff true true -r 4 --warmup 2 --prepare "echo x >>marks" >out; [ "$(wc -l <marks)" = 12 ]' "$HECATE"
status 2 "$HECATE" diff true true --prepare 'exit 3'
has "--prepare fails" "$err" '--prepare: the command ended with status 3'
# $PWD names the folder by a random number of slashes; the folder above it, and getcwd(2), stay what they are.
mkdir -p deep/in && ln -s deep/in link
check "a name of random length" sh -c 'cd deep/in && "$0" diff "pwd >>../pwd; cd ..; pwd -P >>up" true -r 8 --warmup 4 >out; [ $? != 1 ]' "$HECATE"
is "  of the same folder" "$(tr -s / <deep/pwd | sort -u)" "$tmp/deep/in"
has "  lengths differ" "$(sort -u deep/pwd | wc -l)" '^([3-9]|[1-9][0-9])$'
is "  and the folder above" "$(sort -u deep/up)" "$tmp/deep"
"$HECATE" diff 'echo "$PWD" >>same' true -r 4 --same-environment --json >same.json
is "  or hecate's own" "$(sort -u same)" "$tmp"
is "  which is said" "$(json same.json 'd["randomised"], set(d["around"][4]["values"])')" "(['order'], {None})"
(cd link && "$HECATE" diff 'pwd | tr -s / >>../../linked' true -r 4 >/dev/null)
is "  over a symbolic link" "$(sort -u linked)" "$tmp/link"
# What is exact, and by whose word: a book of trust for this processor.
processor() { sed -n "s/^$1[^:]*: //p" /proc/cpuinfo | head -1; }
if [ "$(processor 'cpu family')" ]; then
	mkdir -p "$XDG_DATA_HOME/hecate/trust"
	printf 'cpu made vendor "%s" family %s model %s {\n\tevent "io:syscw" {\n\t\tverdict deterministic;\n\t\tsource "the test";\n\t}\n}\n' \
		"$(processor vendor_id)" "$(processor 'cpu family')" "$(processor 'model	')" >"$XDG_DATA_HOME/hecate/trust/made.trust"
	"$HECATE" diff 'echo a; echo b' 'echo a; echo b; echo c' -r 4 --counters io:syscw >exact.txt
	has "a counter that a book calls exact decides by 1" "$(cat exact.txt)" '^io:syscw  *2  *3 .*more$'
	has "  by whose word" "$(cat exact.txt)" '^io:syscw is exact by the test: a difference of 1 decides'
	rm -r "$XDG_DATA_HOME/hecate"
else
	skip "a counter that a book calls exact" "the processor has no family and model"
fi
"$HECATE" diff 'echo a; echo b' 'echo a; echo b; echo c' -r 4 --counters io:syscw -v >exact.txt
has "  without a book it does not" "$(cat exact.txt)" '^The same in all runs of A, and in all of B, but exact by no book of trust: io:syscw'
status 2 "$HECATE" diff nosuchcommand true
has "no such command" "$err" 'nosuchcommand: command not found'
nap=9$$
status 2 timeout 100 "$HECATE" diff "sleep $nap | cat" true --budget 2s
has "a command that does not end" "$err" 'the time was over before the first runs had ended; --budget'
gone() { ! pgrep -f "^sleep $nap\$" >/dev/null; }
eventually gone && ok "  nor does it go on"
status 2 "$HECATE" diff true
has "one command" "$err" 'two commands, each as one word'
status 2 "$HECATE" diff true true -- true
has "a command after --" "$err" 'each command as one word, not after --'
status 2 "$HECATE" diff true true --pin 65000
has "a CPU that is not there" "$err" 'asks for core 65000'
status 2 "$HECATE" diff true true --pin x
has "--pin without a number" "$err" '--pin: .*for instance: --pin 0,2-3'
check "--pin" sh -c '"$0" diff "taskset -cp \$\$ >>cpus" true -r 2 --pin 0 >out; [ "$(grep -c "list: 0\$" cpus)" -ge 3 ]' "$HECATE"
for bad in '--threshold 0' '--threshold x' '--until 200%' '--budget 5x' '--for 0' '--budget 8000h' '--build make' '--for 1s -r 5'; do
	# shellcheck disable=SC2086
	status 2 "$HECATE" diff true true $bad
	has "refused: $bad" "$err" '^hecate: --'
done
status 2 "$HECATE" diff "'true" true
has "an open quote" "$err" 'quote'

# Ctrl-C: the answer so far
"$HECATE" diff 'sleep 0.01' 'sleep 0.01' --prepare 'echo x >>begun' --for 1h >cut.txt 2>&1 &
pid=$!
begun() { [ -s begun ] && [ "$(wc -l <begun)" -gt 6 ]; } # two warm-ups, a block, and the next has begun
eventually begun
kill -INT $pid
wait $pid
has "Ctrl-C: the answer so far" "$(cat cut.txt)" '^Interrupted: this is the answer so far'
has "  of so many runs" "$(cat cut.txt)" '^[1-9][0-9]* runs of each in blocks'

# --- revisions
if command -v git >/dev/null; then
	mkdir repo && cd repo || exit 1
	export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
	git init -q . && printf 'sleep 0.02\n' >p.in && git add . && git commit -qm one
	printf 'sleep 0.06\n' >p.in && git commit -qam two
	mkdir "$tmp/place" && export TMPDIR="$tmp/place"
	status 1 "$HECATE" diff --git HEAD~1 HEAD --build 'cp p.in p' --budget 50s -- sh p
	has "the later revision is slower" "$out" '^B is slower than A'
	is "  nothing is left" "$(ls "$tmp/place"; git worktree list | wc -l)" 1
	status 2 "$HECATE" diff --git nosuch HEAD -- sh p
	has "no such revision" "$err" 'git cannot check out nosuch'
	status 2 "$HECATE" diff --git HEAD~1 HEAD --build 'exit 7' -- sh p
	has "the build fails" "$err" '--build failed for HEAD~1: exit 7'
	is "  nothing is left" "$(ls "$tmp/place"; git worktree list | wc -l)" 1
	cd "$tmp" || exit 1
	unset TMPDIR
else
	skip "two revisions" "git is not installed"
fi

# --- recorded runs (made)
cat >hyperfine.json <<'END'
{"results": [
 {"command": "old", "times": [1.009, 1.013, 1.011, 1.015, 1.010, 1.012, 1.016, 1.011, 1.012, 1.009]},
 {"command": "new", "times": [1.039, 1.043, 1.041, 1.045, 1.040, 1.042, 1.046, 1.041, 1.042, 1.039]}]}
END
status 1 "$HECATE" diff hyperfine.json
has "results of hyperfine" "$out" '^B is slower than A: wall time \+3 %'
has "  the order was not drawn" "$out" 'Recorded runs: what changed on the machine'
benchmark() { # FILE TIME…
	file=$1
	shift
	{ printf '{"benchmarks": [{"name": "BM_mean", "run_name": "BM", "run_type": "aggregate", "real_time": 1, "cpu_time": 1, "time_unit": "ns"}'
	  for t; do printf ', {"name": "BM", "run_name": "BM", "run_type": "iteration", "real_time": %s, "cpu_time": %s, "time_unit": "ns"}' "$t" "$t"; done
	  echo ']}'; } >"$file"
}
benchmark one.json 10 11 10.5 10.2 10.4
benchmark two.json 5 5.5 5.2 5.1 5.3
status 0 "$HECATE" diff one.json two.json --json
is "results of google/benchmark" "$(json "$tmp/out" '[(q["name"], q["answer"]) for q in d["quantities"]]')" "[('BM', 'less'), ('BM (CPU)', 'less')]"
printf 'x,y\n1,2\n1.1,2.2\n0.9,1.9\n1.05,2.1\n' >two.csv
status 1 "$HECATE" diff two.csv
has "two columns" "$out" 'B has more than A: value \+10[0-9] %'
printf 'x,y,z\n1,2,3\n1.1,2.2,3\n0.9,1.9,3\n' >three.csv
status 2 "$HECATE" diff three.csv
has "three columns" "$err" '3 columns of numbers; --columns A,B'
status 0 "$HECATE" diff three.csv --columns y,x
has "  named" "$out" '^A  y'
runs() { # FILE VALUE…
	file=$1
	shift
	{ echo observation,faults,waits; for v; do echo "run$v,$v,7"; done; } >"$file"
}
runs a.csv 100 101 99 102 98 103 97 && "$HECATE" import -o a.hct a.csv 2>/dev/null
runs b.csv 130 131 129 132 128 133 127 && "$HECATE" import -o b.hct b.csv 2>/dev/null
status 1 "$HECATE" diff a.hct b.hct
has "two sessions" "$out" '^B has more than A: faults \+30 %'
has "  whatever did not change" "$out" '^waits .* equal$'
status 1 "$HECATE" diff a.hct b.hct --markdown
has "  nobody drew their order" "$out" '^A: `a.hct`, B: `b.hct`\. Recorded runs: '
status 2 "$HECATE" diff a.hct a.hct --threshold 0.1%
has "  one of them twice" "$out" 'A and B are the same command'
stat() { # FAULTS SECONDS SPREAD
	printf "\n Performance counter stats for 'x'%s:\n\n   %s      page-faults%s\n\n   %s seconds time elapsed%s\n" "${3:+ (5 runs)}" "$1" "${3:+   ( +-  $3% )}" "$2" "${3:+  ( +-  $3% )}"
}
for i in 1 2 3 4 5; do stat 10$i 1.00$i; done >a.txt
for i in 1 2 3 4 5; do stat 13$i 1.10$i; done >b.txt
status 1 "$HECATE" diff a.txt b.txt
has "runs of perf stat" "$out" '^B is slower than A: wall time \+10 %'
# Means of perf stat -r: Welch's 99.5 % interval of 1 s and 1.1 s, both ± 0.5 % of 5 runs, is 3.8 standard errors wide.
stat 100 1.00 0.5 >mean.txt
stat 100 1.10 0.5 >slow.txt
status 1 "$HECATE" diff mean.txt slow.txt --json
is "means of perf stat -r" "$(json "$tmp/out" '[(q["name"], q["answer"], round(q["low"], 2)) for q in d["quantities"]], d["quantities"][0]["stated"][1]["runs"]')" "([('wall time', 'more', 0.07), ('page-faults', 'undecided', -0.03)], 5)"
status 2 "$HECATE" diff mean.txt mean.txt
has "  the same" "$out" '^Undecided: wall time 0 %, between '
cat mean.txt slow.txt >both.txt
status 1 "$HECATE" diff both.txt
has "  before and after in one text" "$out" '^B is slower than A: wall time \+10 %'
status 1 "$HECATE" diff a.txt slow.txt
has "  runs against a mean" "$out" '^B is slower than A: wall time \+9.* %'
means() { # FILE FAULTS SHARE MINOR: without the number of runs
	printf '%s,,page-faults,%s%%,1000,100.00,,\n%s,,minor-faults,%s%%,1000,100.00,,\n' "$2" "$3" "$4" "$3" >"$1"
}
means one.csv 1000 0.10 998
means two.csv 1100 0.10 1100
status 2 "$HECATE" diff one.csv two.csv
has "  of an unknown number of runs" "$out" 'of how many runs the means are is not said; -r N says it'
has "  from how many on it would be decided" "$out" ' If each is of [2-9] runs or more, B is more\.'
has "  which would have to be so many" "$out" '^page-faults .*undecided: more, if of [2-9] runs or more'
has "  faults that do not add up" "$out" '^page-faults differs from minor-faults in 1 mean.* of A and 0 of B, by 0 to 2: major faults'
status 1 "$HECATE" diff one.csv two.csv -r 10
has "  said" "$out" '^B has more than A: page-faults \+10 %'
cat >robot.txt <<'E'
> kernel test robot noticed a -11.7% regression of made.ops on:
>
> 1111111111111111 222222222222222222222222222
> ---------------- ---------------------------
>        fail:runs  %reproduction    fail:runs
>            |             |             |
>           1:4          -25%            :4     dmesg.made
>          %stddev     %change         %stddev
>              \          |                \
>      20000 ±147%    +200.0%      60000 ± 84%  made.loose
>      25.00            -5.0       20.00        made.share%
>     250000           -11.7%     220750        made.ops
>  8.000e+09           -11.2%  7.104e+09        ps.page-faults
>  8.000e+09           -11.2%  7.104e+09        ps.minor-faults
E
status 0 "$HECATE" diff robot.txt
has "a table of the kernel's test robot" "$out" '^B has less than A: made.ops −12 %'
"$HECATE" diff robot.txt --json -q >robot.json
status 0 "$HECATE" diff robot.json --json
check "  its document is read again" sh -c 'grep -v "^ *\"commands\|^ *\"[0-9A-Z]" robot.json >one; grep -v "^ *\"commands\|^ *\"[0-9A-Z]" "$1" >two; cmp one two' sh "$tmp/out"
status 0 "$HECATE" diff robot.txt
has "  commits" "$out" '^A  1111111111111111$'
has "  a spread that is too wide" "$out" '^made.loose .* undecided'
has "  an absolute change" "$out" '^made.share% .* fewer'
has "  its faults add up" "$out" '^ps.page-faults = ps.minor-faults, to the digit of both means'
has "  what is assumed" "$err" 'deviations of runs'
status 0 "$HECATE" diff robot.txt --counters ps.page-faults,made.ops
has "  some quantities, in this order" "$out" '^B has less than A: ps.page-faults'
status 2 "$HECATE" diff robot.txt --counters nosuch
has "  one that it lacks" "$err" 'no quantity nosuch in common'
printf '| faults | 1,234 ± 0.4%% | 1,300 ± 0.4%% | +5%% |\nmajor: 7 ( +- 1.0%% )  7 ( +- 1.0%% )\n' >table.md
status 1 "$HECATE" diff table.md -r 10 --json
is "a table in Markdown, and one in brackets" "$(json "$tmp/out" '[(q["name"], q["a"], q["answer"]) for q in d["quantities"]]')" "[('faults', 1234, 'more'), ('major', 7, 'undecided')]"
status 2 "$HECATE" diff three.csv --columns y
has "  one of them" "$err" "--columns takes the names of two columns of one file, not 'y'"
status 2 "$HECATE" diff one.json two.csv
has "nothing in common" "$err" 'no quantity in common'
# Parts of a stack: of recorded runs, and of what is measured.
awk 'BEGIN { print "observation,cycles,instructions,branch.miss"; for (i = 0; i < 10; i++) print "r" i "," 1000000 + i * 7 % 5 ",1000," 1000 + i * 3 % 4 }' >few.csv
awk 'BEGIN { print "observation,cycles,instructions,branch.miss"; for (i = 0; i < 10; i++) print "r" i "," 1070000 + i * 7 % 5 ",1000," 11000 + i * 3 % 4 }' >many.csv
cat >half.stack <<'E'
stack half "some of the cycles" per core;
counter cycles = "cycles" per core unit cycles;
counter misses = "branch.miss" per core unit requests;
const refill = 7 cycles/requests "made";
whole elapsed = cycles;
exclusive;
rest base key "b";
part branch "mispredicted" key "m" = misses * refill;
E
status 1 "$HECATE" diff few.csv many.csv --stack ./half.stack --json
is "parts of a stack" "$(json "$tmp/out" '[(q["name"], q["answer"], int(round(q["b"] - q["a"], -4))) for q in d["stack"]]')" "[('elapsed', 'more', 70000), ('base', 'equal', 0), ('branch', 'more', 70000)]"
status 1 "$HECATE" diff few.csv many.csv --stack ./half.stack
has "  a table of its own" "$out" '^Parts of the stack half'
status 2 "$HECATE" diff -i true true </dev/null
has "  -i without a terminal" "$err" 'the explorer needs a terminal; without one, leave out -i'
status 2 "$HECATE" diff few.csv many.csv --stack topdown-l1-spr
has "  that the data do not have" "$err" 'the runs lack the whole of the stack topdown_l1_spr'
printf 'stack calls "system calls" per task;\ncounter reads = "io:syscr" per task unit requests;\ncounter writes = "io:syscw" per task unit requests;\nwhole all = reads + writes;\nexclusive;\npart reading = reads;\npart writing = writes;\n' >calls.stack
"$HECATE" diff 'echo a; true' 'echo a; echo b; true' -r 24 --stack ./calls.stack --json >calls.json
is "  measured" "$(json calls.json '[(q["name"], q["answer"]) for q in d["stack"] if q["name"] in ("all", "writing")], len([q for q in d["quantities"] if q["name"] == "io:syscw"])')" "([('all', 'more'), ('writing', 'more')], 1)"
document calls.json
# What the reader of the data leaves out is said.
awk 'BEGIN { print "a,b"; for (i = 0; i < 20; i++) print 100 + i * 7 % 5 "," 130 + i * 3 % 5 }' >again.csv
status 1 "$HECATE" diff again.csv --columns a,b
has "rows that stand there again" "$err" 'again.csv: 15 of 20 rows of again stand there again.*counted once'
done_testing
