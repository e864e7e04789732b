#!/bin/sh
# hecate locate: events that were removed from a model are found again in their place.
. "$HECATE_TESTS/lib/tap.sh"
data=$HECATE_TESTS/data/programs/programs.csv
model=$HECATE_TESTS/../models/linux-page-faults.udd
cd "$tmp" || exit 1

# Page faults of user code and of the kernel are removed from the model; their columns are still in the recording.
sed -e '/^counter F[uk]/d' -e 's/count <F>;//' -e 's/, F)/)/' -e 's/, F[uk])/)/' "$model" >nofu.udd
status 0 "$HECATE" locate nofu.udd Fu "$data" --exact --features A,C,D,E --json
cp out fu.json
line=$(grep -n 'switch (Context)' nofu.udd | cut -d: -f1)
is "the true place survives" "$(json fu.json "len([c for c in d['candidates'] if c['survives'] and 'Context = MaySleep' in c['place'] and 'fault(Xur)' in c['place'] and 'fault(Xuw)' in c['place']])")" 1
is "the places of the kernel's calls do not" "$(json fu.json "[c['place'] for c in d['candidates'] if c['survives'] and 'Xkr' in c['place'] + c['also']]")" "[]"
is "all single places are refuted" "$(json fu.json "all(c['refuted_by'] and c['constraint'] for c in d['candidates'] if c['terms'] == 1)")" True
is "the place that predicts it exactly comes first" "$(json fu.json "d['candidates'][0]['rule'], d['candidates'][0]['width'], d['candidates'][1]['rule']")" "('Fu = Xur + Xuw', 0, None)"
is "a line that belongs to every call is not offered for pasting" "$(json fu.json "[c['paste'] for c in d['candidates'] if c['survives']]")" "[[], [], [], []]"
has "lines are those of the file" "$(json fu.json "d['candidates'][0:5]")" "nofu.udd:$line"

# Minor faults: if the model has few features, all places and sums but one are refuted.
sed -e '/^counter MIN/d' -e 's/count MIN;//' -e 's/case InCache:/& event cached;/' "$model" >nomin.udd
status 0 "$HECATE" locate nomin.udd MIN "$data" --exact --features A --json
is "faults handled without I/O" "$(json out "[(c['place'], c['rule']) for c in d['candidates'] if c['survives']]")" "[('wherever PGF counts without wherever MAJ counts', 'PGF = MAJ + MIN')]"
is "places that the model does not survive are left out" "$(json out "'gcc' in d['left_out'], d['observations'] + len(d['left_out'])")" "(True, 46)"
is "hecate check refutes a refuted place, too" "$(json out "[c['refuted_by'] for c in d['candidates'] if c['place'] == 'wherever Xur counts']")" "['true']"
sed 's/case UserRead:    fault(Xur/case UserRead: count MIN; fault(Xur/' nomin.udd >wrong.udd
status 1 "$HECATE" check wrong.udd "$data" --exact --features A --observations true
status 0 "$HECATE" locate nomin.udd MIN "$data" --exact --features A,C,D,E
has "text" "$out" '^where it could be counted, best first'
has "text: a line to paste" "$out" 'nomin.udd:[0-9]+: count MIN; count PGF;'

# The pasted line is the one that was tested.
cat >small.udd <<'X'
model small; counter a; counter b;
path p { count a; switch (S) { case Hit: event hit; case Miss: event miss; count b; } }
X
printf 'observation,a,b,new.event\no,10,4,6\nq,20,5,15\n' >small.csv
status 0 "$HECATE" locate small.udd new.event small.csv --exact --json
is "one place, exactly" "$(json out "[(c['also'].split(';')[0], c['rule'], c['paste']) for c in d['candidates'] if c['survives']][0]")" "('event hit', 'a = b + new.event', ['small.udd:2: path p { count a; switch (S) { case Hit: count new.event; event hit; case Miss: event miss; count b; } }'])"
json out "[c['paste'] for c in d['candidates'] if c['survives']][0][0].split(': ', 1)[1]" >line
sed -e '2d' small.udd >pasted.udd && cat line >>pasted.udd
status 0 "$HECATE" check pasted.udd small.csv --exact --counters new.event,a,b

# The same in the large model: for each line proposed for MIN alone, hecate check agrees that it survives.
status 0 "$HECATE" locate nomin.udd MIN "$data" --exact --features A,C,D,E --json
json out "'\n'.join(c['paste'][0].split(': ', 1)[0].rsplit(':', 1)[1] + '\t' + c['paste'][0].split(': ', 1)[1] for c in d['candidates'] if c['survives'] and len(c['paste']) == 1 and c['terms'] == 1)" >lines
has "there are such lines" "$(cat lines)" 'count MIN; '
tab=$(printf '\t')
while IFS=$tab read -r number text; do
	awk -v n="$number" -v t="$text" 'NR == n { print t; next } { print }' nomin.udd >pasted.udd
	status 0 "$HECATE" check pasted.udd "$data" --exact --features A,C,D,E
done <lines

# An event that the model already has is searched where the model declares it.
status 0 "$HECATE" locate small.udd b small.csv --exact --json
is "as declared" "$(json out "d['counter'], d['candidates'][0]['place'], d['candidates'][0]['rule'] is None")" "('b', 'as declared', True)"
printf 'observation,a,b\no,10,40\n' >broken.csv
status 0 "$HECATE" locate small.udd b broken.csv --exact
has "refuted there" "$out" 'the place that the model declares is refuted by o'
has "nothing survives" "$out" 'no place of the model'

# A limit on the number of tests is kept and reported.
status 0 "$HECATE" locate nomin.udd MIN "$data" --exact --features A,C,D,E --max-tests 130 --json
is "--max-tests" "$(json out "d['tested'] <= 130, d['skipped'] > 0")" "(True, True)"

# Bad input.
status 2 "$HECATE" locate
status 2 "$HECATE" locate small.udd
has "no event" "$err" 'needs an event'
status 2 "$HECATE" locate small.udd new.event
has "no data" "$err" 'needs data that have the event new.event'
status 2 "$HECATE" locate small.udd new.evnt small.csv --exact
has "data without the event" "$err" "no column 'new.evnt'.*nearest: new.event"
status 2 "$HECATE" locate small.udd new.event small.csv
has "one noisy row" "$err" 'can be judged'
printf 'observation,a,b,new.event\no,10,40,6\n' >broken.csv
status 2 "$HECATE" locate small.udd new.event broken.csv --exact
has "a model that is refuted itself" "$err" 'every observation that has .* refutes the model'
status 2 "$HECATE" locate small.udd new.event small.csv --features none_such
# The beginning of a path is a place with a name of its own, next to the path's.
cat >begins.udd <<'X'
model begins; counter a; counter b;
path p { count a; done; }
path q { event fill; count b; done; }
X
printf 'observation,a,b,H\no0,5,3,3\no1,7,2,2\n' >begins.csv
status 0 "$HECATE" locate begins.udd H begins.csv --exact --json
is "the event that a path begins with" "$(json out "[c['also'] for c in d['candidates'] if c['survives']]")" "['path q; event fill; count b; done at begins.udd:3']"
done_testing
