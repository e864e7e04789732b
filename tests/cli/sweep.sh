#!/bin/sh
# hecate sweep with processes of this machine: each cell is what `hecate check` says, whoever judges it, and whatever
# dies meanwhile.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
. "$HECATE_TESTS/lib/sweeps.sh" || exit 1
cd "$tmp" || exit 1
make_sweep 6

# --- each cell is a check
status 1 "$HECATE" sweep equal.udd less.udd any.udd runs/*.csv --json -j 1
cp "$tmp/out" one
differ=
for model in equal.udd less.udd any.udd; do
	for file in runs/*.csv; do
		"$HECATE" check $model $file --json -q >checked 2>err
		echo $? >checked.status
		python3 - $model $file <<'END' || differ="$differ $model:$file"
import json, sys
cell = [c for c in json.load(open("one"))["cells"] if c["model"] == sys.argv[1] and c["data"] == sys.argv[2]]
check = json.load(open("checked"))
status = int(open("checked.status").read())
assert len(cell) == 1
cell = cell[0]
for key in ("infeasible", "feasible", "borderline", "undecided", "in_doubt"):
    assert cell[key] == check[key], key
assert cell["answer"] == {0: "survives", 1: "refuted", 3: "in doubt", 2: "undecided"}[status], status
refuted = [o for o in check["observations"] if o["family_wise"] == "infeasible"]
assert [r["observation"] for r in cell["refuted"]] == [o["name"] for o in refuted]
for r, o in zip(cell["refuted"], refuted):
    assert r["constraint"] == (o["violated"][0]["text"] if o["violated"] else o["certificate"]["text"])
END
	done
done
is "18 cells, as hecate check judges them" "$differ" ""
is "the answers that the data are made for" \
	"$(json one '" ".join(str(sum(c["answer"] == "refuted" for c in d["cells"] if c["model"] == m)) for m in d["models"])')" "4 2 0"
"$HECATE" sweep equal.udd less.udd any.udd runs -j 4 --json >four
check "the same bytes from 4 processes, and of a folder" cmp one four
status 0 "$HECATE" sweep any.udd runs/1.csv
has "a row for each model" "$out" "any.udd +1 +1 +0 +0 +0 +0"
status 1 "$HECATE" sweep linux-page-faults equal.udd runs/2.csv
has "  with what refutes it" "$out" "refuted +runs/2.csv  [^ ]+: .*(>=|≥|<=|≤|=)"

# --- kept
status 1 "$HECATE" sweep equal.udd less.udd runs --json --keep k.hct
cp "$tmp/out" two
status 1 "$HECATE" sweep equal.udd less.udd any.udd runs --json --keep k.hct
check "the same bytes from kept verdicts" cmp "$tmp/out" one
has "  and it says how many" "$err" "12 of 18 verdicts are in k.hct from an earlier sweep"
echo "a,b$newline" >>runs/3.csv
status 1 "$HECATE" sweep equal.udd less.udd any.udd runs --json --keep k.hct
has "a changed file is judged again" "$err" "15 of 18 verdicts"
sed -i 's/choose/choose /' any.udd
status 1 "$HECATE" sweep equal.udd less.udd any.udd runs --json --keep k.hct
has "a changed model, too" "$err" "12 of 18 verdicts"
status 1 "$HECATE" sweep equal.udd less.udd any.udd runs --json --keep k.hct --confidence 0.9
hasnt "other options: none is taken" "$err" "earlier sweep"

# --- what dies. Each cell takes some time.
make_long_sweep
"$HECATE" sweep $long_models long/*.csv --json -j 1 >whole 2>err
cells=$(json whole 'len(d["cells"])')
"$HECATE" sweep $long_models long/*.csv --json -j 2 --keep long.hct >out 2>err &
sweep=$!
eventually some
status 2 "$HECATE" sweep $long_models long/*.csv --keep long.hct
has "a second sweep into the file is refused" "$err" "being written by another hecate"
pkill -STOP -P $sweep -x hecate-sweep
kill -9 $sweep
wait $sweep 2>/dev/null
had=$(rows)
"$HECATE" sweep $long_models long/*.csv --json -j 2 --keep long.hct >out 2>err
check "kill -9: the next sweep prints the same bytes" cmp out whole
has "  and says what it took over: $had of $cells" "$(cat err)" "$had of $cells verdicts are in long.hct"
check "  which was not all of it" [ "$had" -lt "$cells" ]
rm -f long.hct

"$HECATE" sweep $long_models long/*.csv --json -j 2 --keep long.hct >out 2>err &
sweep=$!
eventually some
kill -9 "$(pgrep -P $sweep -x hecate-sweep | head -1)"
wait $sweep
check "a process that judges is killed: the same bytes" cmp out whole
has "  and it is said" "$(cat err)" "hecate-sweep was killed by signal 9; [0-9]+ cells? (is|are) judged again"
rm -f long.hct

"$HECATE" sweep $long_models long/*.csv --keep long.hct -j 2 >out 2>err &
sweep=$!
eventually some
kill -TERM $sweep
wait $sweep 2>wait.err
is "SIGTERM ends it as such" $? 143
has "  and says what is kept" "$(cat err)" "stopped: [0-9]+ of $cells verdicts are in long.hct; the same command continues"
rm -f long.hct

# --- bad input
status 2 "$HECATE" sweep equal.udd
has "no data" "$err" "sweep needs models and files of data"
echo "model {" >bad.udd
status 2 "$HECATE" sweep equal.udd bad.udd runs
has "a model that does not parse ends it first" "$err" "bad.udd:1:"
status 2 "$HECATE" sweep equal.udd runs nowhere.csv
has "a file that is not there, too" "$err" "cannot open nowhere.csv: No such file"
mkfifo pipe
status 2 timeout 60 "$HECATE" sweep equal.udd ./pipe
has "a pipe" "$err" "pipe is no file, and sweep reads data once for each model"
head -c 3000 /dev/urandom >noise.csv
status 2 "$HECATE" sweep equal.udd runs/1.csv noise.csv --json
is "a file that cannot be read is a cell" "$(json "$tmp/out" '" ".join(c["answer"] for c in d["cells"])')" "survives failed"
has "  and the reason is said" "$err" "1 of 2 cells have no answer: noise.csv by equal.udd: noise.csv"
status 2 "$HECATE" sweep equal.udd runs/1.csv long/1.csv --read-mb 1 -v
has "a file beyond the budget, too" "$out" "! failed +long/1.csv +long/1.csv: reading it takes more than [0-9]+ MB"
status 2 "$HECATE" sweep equal.udd runs --keep k.hct -o k.hct
has "one file for both" "$err" "-o and --keep name the same file"
status 2 "$HECATE" sweep equal.udd runs --keep runs/1.csv
has "a file of others is not overwritten" "$err" "not a session file"
python3 - <<'END'
import sqlite3
db = sqlite3.connect("k.hct")
db.execute("UPDATE setting SET value = CASE abs(random()) % 4 WHEN 0 THEN 'xyz' WHEN 1 THEN '00' "
           "WHEN 2 THEN substr(value, 3) ELSE value || 'ff' END")
db.commit()
END
"$HECATE" sweep equal.udd less.udd runs --json --keep k.hct >out 2>err
is "damaged verdicts are judged again" "$(json out 'sum(c["answer"] == "failed" for c in d["cells"])')$(grep -c earlier err)" "00"
python3 -c 'import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (400000, 400000)); os.execv(sys.argv[1], sys.argv[1:])' \
	"$HECATE" sweep $long_models long/*.csv --json -q --keep full.hct >out 2>err
echo $? >got
is "no room to keep: exit status" "$(cat got)" 2
check "  and the document is there all the same" cmp out whole
has "  and says why" "$(cat err)" "full.hct"
done_testing
