#!/bin/sh
# The budget of reading (base/budget.h): its sentence, its options, and files of every language that are made to be slow
# or large. With HECATE_SLOW=1 all of them are read, otherwise one of 40.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
if grep -q __asan_init "$HECATE"; then
	skip "the budget" "a sanitizer takes more"
	done_testing
	exit
fi

echo 'model two; counter a; counter b; path p { count a; } path q { count a; count b; }' >two.udd
python3 - <<'X'
with open("many.csv", "w") as f:
	f.write("observation,a,b\n" + "".join("o%d,%d,%d\n" % (i, i * i % 97, i % 89) for i in range(300000)))
with open("slow.udd", "w") as f:
	f.write("model m; counter a; path p { " + "count a; " * 400000 + "}")
with open("slow.json", "w") as f:
	f.write('{"papi_version": "7", "threads": {' + ",".join('"%d": {"a": 1}' % i for i in range(200000)) + "}}")
X
status 2 "$HECATE" check two.udd many.csv
has "300 000 observations are refused" "$err" 'many.csv has 300000 observations; at most 65536 are judged at once'
status 2 "$HECATE" check --read-mb 20 two.udd many.csv
has "memory" "$err" '^hecate: many.csv: reading it takes more than 20 MB of memory .--read-mb allows more.; is it the right file\?$'
for file in slow.udd slow.json many.csv; do
	status 2 "$HECATE" check --read-seconds 0.01 two.udd "$file"
	[ "$file" = slow.udd ] && status 2 "$HECATE" paths --read-seconds 0.01 slow.udd
	has "time: $file" "$err" "^hecate: $file(:1:[0-9]*)?: reading it takes more than 0.01 s of processor time .--read-seconds allows more.; "
	is "  one sentence" "$(echo "$err" | grep -c '^hecate')" 1
done
HECATE_READ_SECONDS=0.01 "$HECATE" paths slow.udd >out 2>err
has "from the environment" "$(cat err)" 'more than 0.01 s of processor time'
HECATE_READ_SECONDS=0.01 "$HECATE" paths --read-seconds 10 slow.udd >out 2>err
is "  the option comes first" "$?" 0
HECATE_READ_MB=much "$HECATE" paths two.udd >out 2>err
is "  no number" "$? $(cat err)" "2 hecate: \$HECATE_READ_MB is no number above 0: 'much'; unset it, or set it to the megabytes that reading a file may take"
# A pipe that makes the reader wait is no slow file.
{ echo a,b; for i in 1 2 3 4 5 6 7 8; do echo "$i,1"; sleep 0.05; done; } | "$HECATE" check -q --read-seconds 0.002 two.udd - >out 2>err
is "waiting costs nothing" "$(grep -c 'reading it takes' err)" 0

of=$((40 / $(rounds 1 40)))
python3 "$HECATE_TESTS/lib/hostile_files.py" "$HECATE" "$TOP_SRCDIR" 0 $of >files 2>&1
has "hostile files" "$(tail -1 files)" '^[0-9]+ files, 0 beyond the budget'
sed 's/^/# /' files
[ "$of" -eq 1 ] && is "  how many, at least 600" "$(awk 'END { print ($1 >= 600) }' files)" 1
done_testing
