#!/bin/sh
# hecate diff and every bad input that issue 28 names: the truth, or a sentence that says what to do; never a hang.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1
diff() { timeout 120 "$HECATE" diff "$@"; }

# --- a command that fails now and then: each seventh run of A. Its blocks are left out.
echo 0 >n
"$HECATE" diff 'read k <n; echo $((k + 1)) >n; [ $((k % 7)) != 6 ] || exit 5' 'true; true' -r 24 >often.txt 2>&1
has "fails now and then" "$(cat often.txt)" '^A failed [1-9][0-9]* times \(status 5\); the blocks of these runs are left out'
echo 0 >n
status 2 timeout 120 "$HECATE" diff 'read k <n; echo $((k + 1)) >n; [ $k = 0 ]' 'true; true' -r 40
has "  always, but for the first run" "$err" 'no block of runs ended well: A failed [0-9]+ times.*--any-status'
status 2 timeout 120 "$HECATE" diff 'kill -SEGV $$' 'true; true'
has "  by a signal" "$err" 'A ended with status 139 in its first run'

# --- never ends: in its first run, or later; nothing goes on afterwards
nap=8$$
status 2 timeout 120 "$HECATE" diff "sleep $nap | cat" true --budget 1s
has "never ends" "$err" 'the time was over before the first runs had ended; --budget'
echo 0 >n
"$HECATE" diff "read k <n; echo \$((k + 1)) >n; [ \$k -lt 6 ] || sleep $nap" true --budget 5s >late.txt 2>&1
has "  later: the answer so far" "$(cat late.txt)" '^[24] runs of each in blocks'
gone() { ! pgrep -f "^sleep $nap\$" >/dev/null; }
eventually gone && ok "  nor does it go on"

# --- prints gigabytes, reads its input, ignores signals
status 2 timeout 300 "$HECATE" diff 'yes | head -c 1G' true -r 2
has "prints gigabytes" "$out" '^wall time .*undecided'
status 2 timeout 120 "$HECATE" diff cat 'cat; true' -r 2
has "reads standard input, which is empty" "$out" '^2 runs of each'
status 2 timeout 120 "$HECATE" diff "trap '' INT TERM HUP; sleep $nap" true --budget 1s
has "ignores signals" "$err" 'the time was over'
eventually gone && ok "  and is gone"

# --- needs a terminal
status 2 timeout 120 "$HECATE" diff 'test -t 0' true
has "needs a terminal" "$err" "A ended with status 1 in its first run.*script -qec 'COMMAND' /dev/null gives a terminal"
if command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	timeout 120 script -qec "$HECATE diff 'cat /dev/tty' true --budget 100s" /dev/null </dev/null >tty.txt 2>&1
	has "  reads it in the background" "$(cat tty.txt)" 'A was stopped by a signal.*script -qec'
	check "  as the hint says" sh -c "\"\$0\" diff \"script -qec 'test -t 0' /dev/null\" true -r 2 >given.txt; [ \$? = 2 ] && grep -q '^2 runs of each' given.txt" "$HECATE"
else
	skip "reads the terminal" "no script(1)"
fi

# --- leaves files behind
echo text >f
mkdir clean && cp f clean/
status 2 timeout 120 "$HECATE" diff 'cp -n f g; set -C; echo >h' 'set -C; echo >h' --cwd-a clean --cwd-b clean
has "leaves files that the other cannot bear" "$err" "B ended with status [0-9]+ in its first run: .*A left files behind; --prepare 'rm -f g h' removes them"
rm -f clean/h
check "  as the hint says" sh -c '"$0" diff "set -C; echo >h" "set -C; echo >h; true" --cwd-a clean --cwd-b clean --prepare "cd clean; rm -f g h" -r 4 >out; [ $? = 2 ] && grep -q "^4 runs of each" out' "$HECATE"
"$HECATE" diff 'echo >"a b"' 'true; true' -r 2 --cwd-a clean >left.txt
has "  that do no harm" "$(cat left.txt)" "^A leaves files behind. If its runs depend on them: --prepare '.*a b.*' removes them before each"
"$HECATE" diff 'echo >"a b"' 'true; true' -r 2 --cwd-a clean >left.txt
is "  only new ones are named" "$(grep -c 'leaves files' left.txt)" 0

# --- takes 200 µs, or an hour
status 2 timeout 120 "$HECATE" diff /bin/true "/bin/true ''" -r 2
has "takes no time" "$out" '^wall time  *[0-9.]+ [µm]s'
status 2 timeout 120 "$HECATE" diff 'sleep 0.4' true --budget 500ms
has "  a budget in a unit that it has not" "$err" 'for instance: --budget 30s, 5m, 1h'
status 2 timeout 120 "$HECATE" diff 'sleep 0.7' true --budget 1s
has "takes too long for the budget" "$err" 'the first run of A took 0\.[0-9]+ s.*an answer needs 16 runs at least: --budget [0-9]+s'
status 2 timeout 120 "$HECATE" diff 'sleep 3600' true --budget 1s
has "  an hour" "$err" 'the time was over before the first runs had ended'

# --- A and B are the same
"$HECATE" diff true true -r 4 >same.txt
has "the same command" "$(cat same.txt)" 'A and B are the same command'
printf 'observation,faults\nr1,10\nr2,11\nr3,12\n' >runs.csv
status 2 timeout 120 "$HECATE" diff runs.csv runs.csv
has "the same file" "$out" 'A and B are the same command'
cp runs.csv again.csv
status 2 timeout 120 "$HECATE" diff runs.csv again.csv
has "  a copy of it" "$out" '^Undecided: faults 0 %'

# --- counters that one side lacks, or the machine
printf 'observation,faults,reads\nr1,10,5\nr2,11,5\nr3,12,5\n' >more.csv
status 2 timeout 120 "$HECATE" diff runs.csv more.csv
has "a counter that A lacks" "$err" 'only B has reads'
status 2 timeout 120 "$HECATE" diff more.csv runs.csv
has "  or B" "$err" 'only A has reads'
printf 'observation,other\nr1,10\nr2,11\n' >other.csv
status 2 timeout 120 "$HECATE" diff runs.csv other.csv
has "  nothing in common" "$err" 'runs.csv and other.csv have no quantity in common'
"$HECATE" diff true true -r 2 --counters page-faults,nosuch:event >lack.txt 2>&1
has "  the machine" "$(cat lack.txt)" '^Not counted: nosuch:event: '

# --- one run
printf 'observation,faults\nr1,10\n' >one.csv
status 2 timeout 120 "$HECATE" diff one.csv one.csv
has "one run of each" "$out" '^Undecided: so few runs'
printf '{"results": [{"command": "a", "times": [1.0]}, {"command": "b", "times": [2.0]}]}' >one.json
status 2 timeout 120 "$HECATE" diff one.json
has "  of hyperfine" "$out" '^Undecided: so few runs \(2 in all\)'
status 2 timeout 120 "$HECATE" diff true 'true; true' -r 2
has "two runs" "$out" '^Undecided: so few runs'

# --- a clock that jumps: the time of day goes forward and back by an hour with each look. hecate takes CLOCK_MONOTONIC.
cat >jump.c <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long looks;
static long jump(void) { return ++looks % 2 ? 3600 : -3600; }
int clock_gettime(clockid_t clock, struct timespec *at)
{
	long failed = syscall(SYS_clock_gettime, clock, at);
	if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
		at->tv_sec += jump();
	return (int)failed;
}
time_t time(time_t *out)
{
	struct timespec at;
	clock_gettime(CLOCK_REALTIME, &at);
	if (out)
		*out = at.tv_sec;
	return at.tv_sec;
}
int gettimeofday(struct timeval *at, void *zone)
{
	struct timespec now;
	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	at->tv_sec = now.tv_sec;
	at->tv_usec = now.tv_nsec / 1000;
	return 0;
}
C
if ${CC:-cc} -shared -fPIC -o jump.so jump.c 2>cc.txt; then
	here=$(date +%s)
	shown=$(ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$tmp/jump.so" date +%s)
	has "a clock that jumps" "$((shown - here > 3000 || here - shown > 3000))" 1
	ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 LD_PRELOAD="$tmp/jump.so" timeout 120 "$HECATE" diff 'sleep 0.02' 'sleep 0.06' --json --budget 50s >jump.json
	is "  status" $? 1
	is "  changes no answer and no time" "$(json jump.json 'd["quantities"][0]["answer"], all(0.01 < v < 50 for v in d["quantities"][0]["values"]), d["seconds"] < 60')" "('more', True, True)"
else
	skip "a clock that jumps" "no C compiler"
fi

# --- Ctrl-C: before the first runs end, and later
"$HECATE" diff "sleep $nap" true >cut.txt 2>&1 &
pid=$!
begun() { pgrep -f "^sleep $nap\$" >/dev/null; }
eventually begun
kill -INT $pid
wait $pid
has "Ctrl-C before there is an answer" "$(cat cut.txt)" 'interrupted before the first runs had ended; a run of each command is needed'
eventually gone && ok "  ends the command"
"$HECATE" diff 'sleep 0.01' 'sleep 0.01' --prepare 'echo x >>marks' --for 1h >cut.txt 2>&1 &
pid=$!
runs() { [ -s marks ] && [ "$(wc -l <marks)" -gt 6 ]; }
eventually runs
kill -INT $pid
wait $pid
has "  the answer so far" "$(cat cut.txt)" '^Interrupted: this is the answer so far, and it holds'

# --- a full disk, and a limit of a file's size
if [ -c /dev/full ]; then
	status 2 timeout 120 "$HECATE" diff true true -r 2 -o /dev/full
	has "a full disk" "$err" 'No space left'
fi
status 2 sh -c 'ulimit -f 1; exec "$0" diff true true -r 8 --json -o large.json' "$HECATE"
has "a file that must not grow" "$err" 'File too large.*ulimit -f'
check "  nothing half-written is left" test ! -s large.json

# --- files that are none of what is read
printf '{"schema": "hecate.diff/1", "order": ["A"]}' >torn.json
status 2 timeout 120 "$HECATE" diff torn.json
has "a torn document" "$err" 'its runs are not whole'
head -c 3000 /dev/urandom >noise.bin
status 2 timeout 120 "$HECATE" diff noise.bin noise.bin
has "noise" "$err" '^hecate: '
: >empty
status 2 timeout 120 "$HECATE" diff empty empty
has "an empty file" "$err" '^hecate: '
awk 'BEGIN { for (i = 0; i < 12000; i++) print "n" i " 10 ± 1% 11 ± 1%" }' >many.txt
status 2 timeout 120 "$HECATE" diff many.txt
has "too many means" "$err" 'many.txt has more than 10000 lines of means'
done_testing
