#!/bin/sh
# The sentence that a run ends with: of twelve recorded runs against an oracle (tests/lib/run_oracle.py), who was
# busiest, with what, what part of its time, and how the run ended; and against how the runs were made. Then that the
# sentence comes first, live, and that a session file keeps how its run ended.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
cat >parts.py <<'PY'
# parts.py: the parts of a sentence, in the oracle's words
import re, sys
KINDS = {"for a CPU": "wait-cpu", "for the disk": "disk", "for pages from disk or swap": "pages", "in the kernel": "kernel", "for locks": "lock"}
text = sys.stdin.readline().strip()
head, _, answer = text.partition(": ")
for pattern, end in ((r" ended, status (\d+), ", "exited:"), (r" was killed by signal (\d+) ", "killed:"),
                     (r" was watched for ()", "watched:0")):
    m = re.search(pattern, head)
    if m:
        end += m[1]
        break
else:
    sys.exit("no end in: " + text)
if answer.startswith("idle"):
    print(sys.argv[1], "sleep - " + end)
    sys.exit()
m = re.match(r"(.*?) (ran|waited) ([\d.]+) % of the time ?(" + "|".join(KINDS) + ")?", answer)
who = re.sub(r" \(\d+ of them\)", "", m[1]).replace(" and ", "+")
print(who, "cpu" if m[2] == "ran" else KINDS[m[4]], m[3], end)
PY
# agrees GOT WANT: the same words, and shares that differ by 1 at most
agrees() {
	py -c 'import sys
a, b = (t.split() for t in sys.argv[1:])
sys.exit(not (len(a) == len(b) == 4 and a[:2] + a[3:] == b[:2] + b[3:] and (a[2] == b[2] or abs(float(a[2]) - float(b[2])) <= 1)))' "$1" "$2"
}
while read -r run who what end; do
	cp "$HECATE_TESTS/data/runs/$run.hct" . || exit 1
	chmod u+w "$run.hct"
	status 0 "$HECATE" stack -q stall-sources "$run.hct"
	sentence=${out%%"$newline"*}
	oracle=$(py "$HECATE_TESTS/lib/run_oracle.py" "$run.hct")
	parts=$(printf '%s\n' "$sentence" | py parts.py "${oracle%% *}")
	check "$run: the sentence agrees with the oracle: $oracle" agrees "$parts" "$oracle"
	# shellcheck disable=SC2086
	set -- $parts
	is "$run: and with how it was made" "$1 $2 $4" "$who $what $end"
done <<'RUNS'
make cc1 wait-cpu exited:0
copy dd disk exited:0
idle python3 sleep watched:0
busy python3 cpu watched:0
lock convoy lock exited:0
swap hog pages exited:0
sleep5 sleep sleep exited:0
crash crash wait-cpu killed:11
kill burn wait-cpu killed:9
storm true wait-cpu exited:0
compute burn cpu exited:0
turns pong+ping cpu exited:0
RUNS
has "a sentence says how many tasks a program had" "$("$HECATE" stack -q stall-sources make.hct)" '^make ended, status 0, 1\.9 s: cc1 \(8 of them\) waited 78\.4 % of the time for a CPU and ran 21\.6 %; 2 CPUs, 7\.2 ready'
has "in ASCII, too" "$("$HECATE" stack -q --ascii stall-sources make.hct | LC_ALL=C grep -c '[^ -~]')" '^0$'

# live; where nothing can be recorded there is no answer either
status 0 "$HECATE" record -o live.hct -m stall-sources -- sh -c 'exit 0'
has "record says it on standard error" "$err" '^hecate: sh ended, status 0, '
is "the file keeps how the run ended" "$("$HECATE" stack -q stall-sources live.hct | sed -n '1s/, [0-9.]* [µm]*s: .*//p')" "sh ended, status 0"
"$HECATE" record -q -o killed.hct -m stall-sources -- sh -c 'kill -9 $$' >/dev/null 2>&1
has "also a signal" "$("$HECATE" stack -q stall-sources killed.hct)" '^sh was killed by signal 9 \(Killed\) after '
status 0 "$HECATE" stack stall-sources -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'
has "stack prints it first" "${out%%"$newline"*}" '^sh ended, status 0, .*: sh (ran|waited) '
status 0 "$HECATE" stack stall-sources -- sh -c 'exit 3'
has "with the command's status" "${out%%"$newline"*}" '^sh ended, status 3, '
status 0 "$HECATE" net linux-vm -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'
has "net prints it, too" "${out%%"$newline"*}" '^sh ended, status 0, .*: sh (ran|waited) '
# A shell that computes and then executes another program has its own time. Without records execve(2) is not seen.
status 0 "$HECATE" stack stall-sources -I 50 -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; exec sleep 0.2'
case $out in
*", by records"*)
	has "the time before execve(2) is the shell's" "${out%%"$newline"*}" ': sh (ran|waited) '
	has "  the program that it executes has the rest" "$out" '^ sleep-[0-9]+ '
	;;
esac
# Lines are no longer than the terminal's.
COLUMNS=60 "$HECATE" net linux-vm -q -- sh -c 'true; true' >narrow.txt 2>/dev/null
is "60 columns: no word of the sentence is beyond them" "$(sed '/^$/q' narrow.txt | awk 'length($0) > 60')" ""
has "  and none is lost" "$(sed '/^$/q' narrow.txt | tr '\n' ' ')" 'status 0, .*CPU.* (used|ready)'
done_testing
