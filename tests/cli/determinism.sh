#!/bin/sh
# hecate determinism: the judgement of runs that were measured on real processors, and of what is wrong with tables.
. "$HECATE_TESTS/lib/tap.sh"
data=$HECATE_TESTS/data/determinism
cd "$tmp" || exit 1

# Reads results and the author's conclusions; $1 is an expression over d (by machine, event, test) and paper.
cat >study.py <<'X'
import csv, json, sys
def rows(path): return list(csv.DictReader(l for l in open(path) if not l.startswith('#')))
doc = json.load(open(sys.argv[1]))
folder = sys.argv[2]
d = {(r['machine'], r['event'], r['test']): r for r in doc['results']}
event = ['inst_retired', 'branches_retired', 'cond_branches', 'loads_retired', 'stores_retired']
def part(r, by): return next((p for p in r['explained'] if p['by'] == by), None)
# the author's row for the same runs: the same smallest and largest count
def paper(k):
    n = [float(x['count']) for x in runs if (x['machine'], x['event'], x['test']) == k]
    return next((p for p in table if p['event'] == k[1] and (float(p['min']), float(p['max'])) == (min(n), max(n))), None)
table = rows(folder + '/paper.csv')
runs = rows(folder + '/static-runs.csv')
print(eval(sys.argv[3]))
X
study() { python3 study.py "$1" "$data" "$2"; }

status 0 "$HECATE" determinism "$data/static-runs.csv" --expected "$data/expected.csv" --json
cp out runs.json
is "one result for each machine, event and test, in the order of the input" \
	"$(study runs.json "list(d) == list(dict.fromkeys((r['machine'], r['event'], r['test']) for r in runs)), len(d)")" "(True, 128)"
is "means and ranges are those of the runs" \
	"$(study runs.json "all(abs(r['mean'] - sum(n) / len(n)) < 1e-4 and r['spread'] == max(n) - min(n) and r['runs'] == len(n) for k, r in d.items() for n in [[float(x['count']) for x in runs if (x['machine'], x['event'], x['test']) == k]])")" True

# Letters: E and F cannot be told apart from totals, so they are left out of the comparison.
is "letters of the author's tables, but for those that are explained in docs/determinism.md" \
	"$(study runs.json "[(k[0], k[1], r['measured_letters'], p['letters']) for k, r in d.items() if k[2] == 'all' for p in [paper(k)] if p and p['letters'] and set(r['measured_letters']) != set(p['letters']) - set('EF')]")" \
	"[('atom-0', 'loads_retired', '!', 'h'), ('core2-0', 'cond_branches', 'np', 'p'), ('ivybridge-0', 'inst_retired', 'hpD', 'hpEF')]"
is "with the books of facts, E and F too" \
	"$(study runs.json "[(k[0], k[1], r['letters'], p['letters']) for k, r in d.items() if k[2] == 'all' for p in [paper(k)] if p and p['letters'] and set(r['letters']) != set(p['letters'])]")" \
	"[('atom-0', 'loads_retired', '!', 'h'), ('core2-0', 'cond_branches', 'np', 'p')]"
is "so many rows of the author's tables are compared" \
	"$(study runs.json "len([k for k in d if k[2] == 'all' and (paper(k) or {}).get('letters')])")" 20
is "deterministic where the author has no letter" \
	"$(study runs.json "[k[0] for k, r in d.items() if k[2] == 'all' and r['letters'] == '' and r['verdict'] == 'deterministic' and r['spread'] == 0 and r['offset'] == 0]")" \
	"['broadwell-0', 'core2-0', 'ivybridge-0']"
is "events that count micro-operations" \
	"$(study runs.json "[(k[0], k[1][0]) for k, r in d.items() if k[2] == 'all' and 'U' in r['letters']]")" \
	"[('broadwell-0', 'l'), ('broadwell-0', 's'), ('fam15h-0', 'l'), ('fam15h-0', 's'), ('ivybridge-0', 'l'), ('ivybridge-0', 's')]"

is "adjusted instructions are within 20 of what the program executes where the author's are" \
	"$(study runs.json "[(k[0], abs(r['adjusted_offset']) <= 20) for k, r in d.items() if k[1:] == ('inst_retired', 'all') for p in [paper(k)] if p and p['letters'] and abs(float(p['adjusted_offset'])) <= 20]")" \
	"[('core2-0', True), ('fam10h-0', True), ('fam14h-0', True), ('nehalem-0', True)]"
is "and within 80 on every machine" \
	"$(study runs.json "[k[0] for k, r in d.items() if k[1:] == ('inst_retired', 'all') and abs(r['adjusted_offset']) > 80]")" "[]"
is "an interrupt counts once: the interval contains 1 where interrupts were counted" \
	"$(study runs.json "[k for k, r in d.items() if 'h' in r['letters'] for p in [part(r, 'interrupts')] if not p['upper_bound'] and k[0] != 'fam15h-0' and not (p['slope'] == 1 and p['low'] <= 1 <= p['high'] < 2 and p['low'] > 0)]")" "[]"
is "so many slopes are compared" \
	"$(study runs.json "len([k for k, r in d.items() if 'h' in r['letters'] and k[0] not in ('fam15h-0', 'atom-0')])")" 60
is "10 008 page faults are found without being told" \
	"$(study runs.json "sorted({round(part(r, 'page-faults')['slope']) for r in d.values() if part(r, 'page-faults')})")" "[10021]"
is "in no test but the whole program, for which expectations are known" \
	"$(study runs.json "{k[2] for k, r in d.items() if 'p' in r['measured_letters']}")" "{'all'}"
is "round numbers of instructions are overcounted or missed" \
	"$(study runs.json "[(k[0], k[1], p['slope']) for k, r in d.items() if k[2] == 'all' for p in r['explained'] if p['by'].endswith('instructions')]")" \
	"[('core2-0', 'branches_retired', 100000), ('core2-0', 'loads_retired', 1770000), ('fam10h-0', 'inst_retired', 300000), ('fam14h-0', 'inst_retired', 300000), ('fam15h-0', 'cond_branches', -1370000), ('fam15h-0', 'inst_retired', 700000), ('ivybridge-0', 'inst_retired', 10000), ('nehalem-0', 'cond_branches', 8300000), ('nehalem-0', 'loads_retired', -300000), ('nehalem-0', 'stores_retired', 400000)]"
is "an expectation is in doubt when machines agree against it" \
	"$(study runs.json "[(k[0], r['expected'], part(r, 'expectation')['slope']) for k, r in d.items() if part(r, 'expectation')]")" \
	"[('atom-0', 44800000, -100000), ('broadwell-0', 44800000, -100000), ('core2-0', 44800000, -100000), ('ivybridge-0', 44800000, -100000), ('nehalem-0', 44800000, -100000)]"
is "a dead counter of interrupts is replaced by an upper bound" \
	"$(study runs.json "[(k[1], p['upper_bound'], p['low'] < p['slope'] < p['high']) for k, r in d.items() if k[0] == 'atom-0' and k[2] == 'all' for p in [part(r, 'interrupts')] if p]")" \
	"[('branches_retired', True, True), ('inst_retired', True, True)]"

# One machine alone is enough.
for m in core2 nehalem fam10h fam14h ivybridge broadwell; do
	{ head -1 "$data/static-runs.csv"; grep "^$m-0," "$data/static-runs.csv"; } >one.csv
	status 0 "$HECATE" determinism one.csv --expected "$data/expected.csv" --json
	cp out one.json
	cat >same.py <<'X'
import json
one = {(r['machine'], r['event'], r['test']): r for r in json.load(open('one.json'))['results'] if r['test'] == 'all'}
many = {(r['machine'], r['event'], r['test']): r for r in json.load(open('runs.json'))['results']}
print([(k, r['letters'], many[k]['letters']) for k, r in one.items() if r['measured_letters'] != many[k]['measured_letters']])
print(all(abs(r['adjusted_offset']) <= 40 for k, r in one.items() if 'h' in r['letters']))
X
	is "$m alone has the same letters, and adjusts" "$(python3 same.py)" "[]
True"
done

# The tool printed counters in the order of their codes.
status 0 "$HECATE" determinism "$data/pairs.csv" --expected "$data/expected.csv" --json
is "the counter of interrupts is recognised when it comes first" \
	"$(json out "[(r['machine'], round(r['mean'])) for r in d['results'] if r['event'] == 'muls_retired']")" \
	"[('broadwell-0', 600023), ('nehalem-0', 17719572)]"
is "two events beside each other have no interrupts" \
	"$(json out "[('do not explain' in (r['note'] or ''), 'h' in r['letters']) for r in d['results'] if r['event'] == 'fp_retired']")" "[(False, False), (False, False)]"

# Tables 9 and 10.
status 0 "$HECATE" determinism "$data/spec2000-core2.csv" "$data/spec2000-pin.csv" --json
cp out spec.json
cat >tables.py <<'X'
import csv, json, sys
data = sys.argv[1]
d = {(r['event'], r['test']): r for r in json.load(open('spec.json'))['results']}
t = list(csv.DictReader(l for l in open(data + '/tables-9-10.csv') if not l.startswith('#')))
def difference(r): return r['middle'] - r['expected']
lost = [x['test'] for x in t if d[x['event'], x['test']]['verdict'] == 'unknown']
have = [x for x in t if x['test'] not in lost]
wrong = [(x['event'], x['test']) for x in have for r in [d[x['event'], x['test']]]
         if (r['expected'], r['middle'], r['middle_distance'], difference(r)) !=
         (float(x['pin']), float(x['counter']), float(x['counter_range']), float(x['difference']))]
print(sorted(set(lost)), len(have), wrong)
for e in ('retired_instr', 'stores'):
    rank = sorted((x['test'] for x in have if x['event'] == e), key=lambda n: -abs(float(next(x['difference'] for x in have if (x['event'], x['test']) == (e, n)))))
    ours = sorted(rank, key=lambda n: -abs(difference(d[e, n])))
    half = [n for n in rank if 2 * abs(difference(d[e, n])) <= abs(d[e, n]['middle'] - d[e, n]['expected_each_rep'])]
    print(e, rank == ours, len(half), len(rank))
X
is "all numbers of Tables 9 and 10, but for three programs whose runs are lost; the ranks; where the rep correction halves the error" \
	"$(python3 tables.py "$data" 2>&1)" "['252.eon.cook', '252.eon.kajiya', '252.eon.rushmeier'] 90 []
retired_instr True 36 45
stores True 39 45"
is "page faults add one branch each, found over the programs" \
	"$(json spec.json "[(p['slope'], p['low'] <= 1 <= p['high'], p['high'] - p['low'] < 0.1, p['assumed']) for r in d['results'] if r['event'] == 'branches' for p in r['explained'] if p['by'] == 'page-faults'][0]")" "(1, True, True, False)"
is "and are assumed to add one instruction each, because interrupts do" \
	"$(json spec.json "{(p['slope'], p['assumed']) for r in d['results'] if r['event'] == 'retired_instr' for p in r['explained'] if p['by'] == 'page-faults'}")" "{(1, True)}"
status 0 "$HECATE" determinism "$data/spec2000-core2.csv" "$data/spec2000-pin.csv" --sort difference
has "text: Table 9, the largest difference first" "$(printf '%s\n' "$out" | grep -A5 '^retired_instr')" '^179.art.470 +41.559.174.782 +±0 +41.815.556.622 +±70 +\+256.381.840'

# Text.
status 0 "$HECATE" determinism "$data/static-runs.csv" --expected "$data/expected.csv" --ascii
has "text: a table for each machine" "$(printf '%s\n' "$out" | grep -c '^[a-z0-9]*-0$')" '^8$'
has "text: causes in words" "$out" '^    page-faults: \+10 021 a run'
status 0 "$HECATE" determinism "$data/static-runs.csv" --expected "$data/expected.csv" --sort event
is "text: sorted by event" "$(printf '%s\n' "$out" | sed -n '4p;/^core2/,$d' | cut -c1-16)" "branches_retired"

{ head -1 "$data/static-runs.csv"; grep -E "^(atom|core2)-0," "$data/static-runs.csv"; } >two.csv
for width in 80 120; do
	status 0 env COLUMNS=$width "$HECATE" determinism two.csv --expected "$data/expected.csv" --ascii -q
	is "text: $width columns" "$out" "$(cat "$data/text-$width.txt")"
done
is "  no line is longer" "$(awk 'length > 80' "$data/text-80.txt"; awk 'length > 120' "$data/text-120.txt")" ""
status 0 "$HECATE" determinism two.csv --expected "$data/expected.csv" --ascii -q
is "  120 into a pipe" "$out" "$(cat "$data/text-120.txt")"
is "  what is true of a machine is said once" "$(printf '%s\n' "$out" | grep -c 'counter of interrupts never counts')" 1
for width in 80 100; do
	status 0 env COLUMNS=$width "$HECATE" determinism "$data/static-runs.csv" --expected "$data/expected.csv" --ascii -q
	is "all machines in $width columns" "$(printf '%s\n' "$out" | awk "length > $width")" ""
done
status 0 env COLUMNS=80 "$HECATE" determinism "$data/spec2000-core2.csv" "$data/spec2000-pin.csv" --ascii -q
is "Tables 9 and 10 in 80 columns" "$(printf '%s\n' "$out" | awk 'length > 80')" ""

# Bad input.
bad() { # NAME TEXT PATTERN
	printf "$2" >bad.csv
	status 2 "$HECATE" determinism bad.csv
	has "$1" "$err" "$3"
}
bad "an empty file" "" 'bad.csv: '
bad "no count" "machine,event,test\nm,e,t\n" 'bad.csv:1: the table has no column count; a table of runs has event,count'
bad "a wrong number" "event,count\ne,10\ne,1x\n" "bad.csv:3:3: '1x' in the column count is no number"
bad "a negative number" "event,count\ne,-10\n" "bad.csv:2:3: '-10'"
bad "too large a number" "event,count\ne,99999999999999999999\n" "bad.csv:2:3: '99999999999999999999'"
bad "a short row" "event,test,count\ne,t,10\ne,t\n" 'bad.csv:3: the row has 2 cells, the header 3'
bad "a long row" "event,count\ne,10,11\n" 'bad.csv:2: the row has more cells'
bad "a column twice" "event,count,count\ne,10,11\n" 'bad.csv:1:13: two columns of the header are called count'
bad "no event" "event,count\n,10\n" 'bad.csv:2:1: the row names no event; the column event says what was counted'
bad "a comma for a point" "event,count\ne,\"1,5\"\n" "bad.csv:2:3: '1,5' in the column count is no number"
bad "a count that a double cannot hold" "event,count\ne,9007199254740993\n" "bad.csv:2:3: '9007199254740993'.*below 2\^53"
bad "no run" "event,count\n" 'a header and no run'
bad "only expectations" "event,test,expected\ne,t,10\n" 'there are expected counts, but no runs'
printf 'event,test,count\na,t,10\na,t,10\na,u,7\n' >good.csv
status 2 "$HECATE" determinism good.csv good.csv
has "a file twice" "$err" 'good.csv is named twice, so each of its runs would count as two; leave it out once'
printf 'event,test,expected\na,t,10\na,t,11\n' >two.csv
status 2 "$HECATE" determinism good.csv --expected two.csv
has "two expectations" "$err" 'two.csv:3: event a, test t has two expected counts, 10 and 11'
status 2 "$HECATE" determinism good.csv --expected good.csv
has "no expectations" "$err" 'good.csv:1: the table has no column expected'
status 2 "$HECATE" determinism good.csv --expected none.csv
has "no such file" "$err" 'none.csv'
printf 'event,test,expected\na,t,10\nb,t,5\n' >some.csv
status 0 "$HECATE" determinism good.csv --expected some.csv --json
has "missing expectations are named" "$err" '1 of 2 events and tests have no expected count'
has "and expectations without runs" "$err" '1 expected counts have no runs, first: event b, test t'
is "verdicts with and without expectation, and of one run" "$(json out "[(r['verdict'], r['expected'], r['adjusted']) for r in d['results']]")" "[('deterministic', 10, 10), ('unknown', None, 7)]"
has "one run" "$(json out "d['results'][1]['note']")" 'one run shows no spread'
printf 'event,test,run,count,running,counter\na,t,1,1000,0.5,x\na,t,2,1100,0.5,x\na,t,2,1100,0.5,x\na,t,3,,1,x\nb,t,1,10,1,x\nb,t,2,1000,1,x\nc,t,1,0,1,z\nc,t,2,0,1,z\nd,t,1,5,1,x\nd,t,2,5,1,y\n' >odd.csv
status 0 "$HECATE" determinism odd.csv --json
has "a repeated run is left out" "$err" '1 rows repeat the number of a run'
has "an empty cell" "$err" '1 run has no count'
has "multiplexed" "$(json out "d['results'][0]['note']")" 'had a counter 50 % of the time.*1 run has no count'
has "different programs" "$(json out "d['results'][1]['note']")" 'different programs or inputs'
is "counts nothing" "$(json out "[(r['verdict'], r['note'], r['adjusted']) for r in d['results']][2]")" "('unknown', 'the event counts nothing', None)"
has "another counter" "$(json out "(d['results'][3]['verdict'], d['results'][3]['note'])")" "unknown.*rows name different counters"

# Output of perf stat, one file for all repetitions.
for i in 1 2 3; do
	printf '%d,,instructions:u,1000,100.00,,\n%d,,page-faults,1000,100.00,,\n' $((1000 + i)) "$i" >perf$i.txt
done
printf '9223372036854775807,,instructions:u,1000,100.00,,\n' >huge1.txt
printf '1001,,instructions:u,1000,100.00,,\n' >huge2.txt
status 0 "$HECATE" determinism huge1.txt huge2.txt --json
has "a count that a double cannot hold is left out" "$err" 'huge1.txt: 1 count of instructions:u beyond 2\^53 left out'
is "  and no other" "$(json out "[(r['runs'], r['mean']) for r in d['results']]")" "[(1, 1001)]"
status 0 "$HECATE" determinism perf1.txt --json
is "perf stat -x" "$(json out "[(r['event'], r['runs'], r['mean']) for r in d['results']]")" "[('instructions:u', 1, 1001), ('page-faults', 1, 1)]"
done_testing
