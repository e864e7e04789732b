#!/bin/sh
# hecate report: its content and its files, and that names from outside cannot break it.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
cp "$HECATE_TESTS/data/session/kept.udd" "$HECATE_TESTS/data/session/data.csv" .
cp "$HECATE_TESTS/data/session/v1.hecate" s.hct

status 0 "$HECATE" report s.hct --independent-rows
printf '%s\n' "$out" >stdout.md
has "the verdict" "$out" '2 observations: 1 infeasible, 1 feasible'
has "the table" "$out" '^\| bad \| infeasible \| infeasible \| 326\.7 \| 34\.12 '
has "the reason, in words" "$out" 'counts f exactly as often as m; but in bad f exceeds m 5\.01 times'
has "required features" "$out" 'required: in every model that survives: slow$'
has "optional features" "$out" 'optional: in some models that survive: twice$'
has "features that each observation needs" "$out" '^\| bad \| slow \|$'
has "the models" "$out" '^\| m0 \| none \| start \| 1 \|'
has "the counters" "$out" '^\| f \| page-faults \| 2 \| 0 \| 0 \|'
has "commands that repeat it" "$out" '^    hecate check s.hct --confidence 0.99 --region cone --independent-rows$'
has "no picture on standard output, with the reason" "$out" 'No picture: the models that were tested: it needs a file or folder'
cmp -s s.hct "$HECATE_TESTS/data/session/v1.hecate" && ok "the session file is not changed" || not_ok "the session file is not changed"
$(sed -n 's/^    hecate/"$HECATE"/p' stdout.md | head -1 | sed "s#\"\$HECATE\"#$HECATE#") >again 2>/dev/null
has "the printed command line repeats the report" "$(cat again)" 'infeasible +bad'

mkdir there
status 0 "$HECATE" report kept.udd data.csv -q -o there
is "a folder gets report and pictures" "$(ls there | tr '\n' ' ')" "kept-report-model.svg kept-report-search.svg kept-report.md "
is "no other message" "$out$err" ""
status 0 "$HECATE" report kept.udd data.csv --features slow --region box -o 'a b(c).md'
has "the written files are named" "$err" 'written: a b\(c\)-search.svg'
has "a link to a picture is valid for any name" "$(cat 'a b(c).md')" '^!\[the models that were tested\]\(a%20b%28c%29-search\.svg\)$'
has "features of the command line" "$(cat 'a b(c).md')" '^\| features on \| slow \|$'
has "… and in the commands" "$(cat 'a b(c).md')" 'hecate check kept.udd data.csv --features slow --confidence 0.99 --region box$'
status 0 "$HECATE" report kept.udd data.csv -q -o there
is "a second report replaces the first" "$(ls there | wc -l)" 3

# The state in a session file: features, notes.
sql() { python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2])' "$1" "$2"; }
"$HECATE" import -q -o k.hct -m kept.udd data.csv
sql k.hct "INSERT INTO setting VALUES('model','kept'),('features','[\"slow\"]'),('region','independent');
	INSERT INTO remark VALUES('1','observation','bad','cold | <b>cache</b> *really*','2026-01-01T00:00:00Z'),('2','features','[]','the start','2026-01-01T00:00:00Z');"
status 0 "$HECATE" report k.hct
has "the session's features" "$out" '^\| features on \| slow \|$'
has "its region" "$out" 'confidence region \| independent'
has "a note, escaped" "$out" 'note: cold \\\| &lt;b&gt;cache&lt;/b&gt; \\\*really\\\*'
has "notes in a list" "$out" '^- on features no features, 2026-01-01T00:00:00Z: the start$'
status 0 "$HECATE" report k.hct --features twice,slow
has "the command line goes before the session" "$out" '^\| features on \| slow, twice \|$'

# Names from outside: all is ASCII, and no name acts as Markdown, HTML, XML or a terminal sequence.
python3 - <<'P'
evil = 'a|b`c*d_[x](http://e)<script>&amp;#\\\u00b5\u202e'
open('evil.csv', 'w').write('observation,f,m\n' + ''.join('"%s",%d,%d\n' % (evil, 100 + i * 7 % 5, 20 + i % 3) for i in range(48)))
P
sed 's/a model to keep/a `model` <i>to<\/i> | keep \&amp; µ/' kept.udd >evil.udd
status 0 "$HECATE" report evil.udd evil.csv -q -o evil.md
check "the report is ASCII" python3 -c 'open("evil.md", encoding="ascii").read()'
check "every character of a name is shown as it is" python3 -c '
import re
t = open("evil.md").read()
row = [l for l in t.split("\n") if l.startswith("| a")][0]
assert len(re.split(r"(?<!\\)\|", row)) == 10, row
for bad in ("<script", "<i>", "](http", "`c", "\u202e"):
    assert not re.search(r"(?<!\\)" + re.escape(bad), t), bad
assert "&#181;" in row, row'
check "pictures are well-formed XML, and the links lead to them" python3 -c '
import re, os, xml.dom.minidom as x
links = re.findall(r"!\[[^]]*\]\(([^)]*)\)", open("evil.md").read())
assert sorted(links) == ["evil-model.svg", "evil-search.svg"], links
for l in links: x.parse(l)
t = "".join(n.firstChild.data for n in x.parse("evil-search.svg").getElementsByTagName("text"))
assert "smallest survivor" in t and "refuted by 1 of 1" in t and "elimination" in t, t'

# Networks and stacks: the same numbers as hecate net and hecate stack print, laws, lacking counters, notes, pictures.
net=$HECATE_TESTS/networks tasks=$HECATE_TESTS/screens/expect/tasks.csv time=$HECATE_TESTS/screens/expect/time.stack
"$HECATE" net "$net/table7.net" "$net/table7.csv" --json >map.json
status 0 "$HECATE" report "$net/table7.net" "$net/table7.csv"
printf '%s\n' "$out" >map.md
has "a network: its name" "$out" '^\| network \| table7 \|$'
has "no picture on standard output" "$out" 'No picture: the paths: it needs a file or folder'
check "the path map is that of hecate net" python3 -c '
import json, re
unit = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
table = re.search(r"## The path map(.*?)\n## ", open("map.md").read(), re.S)[1]
rows = {l[2:].split(" | ")[0]: [c.strip(" |") for c in l[2:].split(" | ")[1:]] for l in table.split("\n") if l.startswith("| ")}
n = 0
for place in json.load(open("map.json"))["snapshots"][-1]["path_map"]:
	for cell, got in zip(place["cells"], rows[place["place"]]):
		if cell["state"] == "told":
			m = re.fullmatch(r"([0-9. ]+?) ?([kMGT]?)", got)
			want = cell["hits"]; value = float(m[1].replace(" ", "")) * unit[m[2]]
			assert abs(value - want) <= 0.005 * want, (place["place"], cell, got); n += 1
		else: assert got == {"absent": ".", "untold": "untold"}.get(cell["state"], "with %s" % cell["with"]), (cell, got)
assert n > 10, n'
status 0 "$HECATE" import -q -o net.hct -m "$net/table7.net" "$net/table7.csv"
sql net.hct "INSERT INTO setting VALUES('network','table7'),('view','paths'); INSERT INTO remark VALUES('1','module','<LLC>','hot | *set*','2026-01-01T00:00:00Z'),
	('2','snapshot','[\"run\",\"1\"]','begins here','2026-01-01T00:00:00Z'),('3','session','','all of it','2026-01-01T00:00:00Z');"
mkdir pictures
status 0 "$HECATE" report net.hct -q -o pictures
is "report and pictures" "$(ls pictures | tr '\n' ' ')" "table7-report-paths.svg table7-report-queues.svg table7-report-stalls.svg table7-report.md "
check "pictures are well-formed XML, and the links lead to them" python3 -c '
import re, xml.dom.minidom as x
links = re.findall(r"!\[[^]]*\]\(([^)]*)\)", open("pictures/table7-report.md", encoding="ascii").read())
assert len(links) == 3, links
for l in links: x.parse("pictures/" + l)'
has "a note on a module, escaped" "$(cat pictures/table7-report.md)" '^- on module &lt;LLC&gt;, 2026-01-01T00:00:00Z: hot \\\| \\\*set\\\*$'
has "a note on a snapshot" "$(cat pictures/table7-report.md)" '^- on snapshot 1 of run, .*: begins here$'
has "a note on the session" "$(cat pictures/table7-report.md)" '^- on session as a whole, .*: all of it$'
has "a command that shows it again" "$(cat pictures/table7-report.md)" '^    hecate net net.hct$'
status 0 "$HECATE" report "$time" "$tasks"
again=$out; printf '%s\n' "$out" >bars.md
has "a stack: shares of the whole run" "$out" '^### The whole run$'
check "shares are those of hecate stack" python3 -c '
import json, re, subprocess, sys
d = json.loads(subprocess.run(sys.argv[1:], capture_output=True, text=True).stdout); t = open("bars.md").read()
bar = [x for x in d["observations"] if x["name"] == "cp-4711"][0]["bars"][0]
line = [l for l in t.split("### The whole run")[1].split("\n") if l.startswith("| cp-4711 ")][0].strip("| ").split(" | ")
want = [p["share"] for p in bar["parts"] if p["parent"] is None]
assert len(line) - 2 == len(want) > 3 and all(a == "?" if b is None else abs(float(a) - 100 * b) <= 0.051 for a, b in zip(line[2:], want)), (line, want)' "$HECATE" stack "$time" "$tasks" --json
has "a command that shows it again" "$again" '^    hecate stack .*time.stack .*tasks.csv$'
is "a stack has no path map" "$(grep -c "path map" bars.md)" 0
status 2 "$HECATE" report stall-sources data.csv
has "data of another kind" "$err" 'have no counter of stall_sources'
status 2 "$HECATE" report "$net/table7.net"
has "data is needed" "$err" 'report needs data'

# What is refused.
status 2 "$HECATE" report
status 2 "$HECATE" report kept.udd
has "data is needed" "$err" 'report needs data'
status 2 "$HECATE" report kept.udd data.csv -o none/x.md
has "no such folder" "$err" 'cannot write none/x'
is "no file is left" "$(ls | grep -c part)" 0
status 2 "$HECATE" report kept.udd data.csv -- true
status 2 "$HECATE" report s.hct --features nope
has "an unknown feature" "$err" 'nope'
sql k.hct "DROP TABLE remark"
status 0 "$HECATE" report k.hct
has "damage next to the samples is reported" "$err" 'not all that was kept can be taken up: k.hct is damaged'
has "  and the verdicts are still there" "$out" '2 observations: '

# Several methods of accounting, one of them without counters here; and methods that do not go together.
printf 'observation,time,slots\nx,1,100\n' >slots.csv
status 0 "$HECATE" report topdown-l1-spr,naive-spr slots.csv
is "a report has each method" "$(printf '%s\n' "$out" | grep '^## Where' | tr '\n' '/')" "## Where the time goes, by topdown\_l1\_spr/## Where the time goes, by naive\_spr/"
status 2 "$HECATE" report topdown-l1-spr stall-sources slots.csv
has "the stack of tasks' time goes with no other" "$err" 'stall_sources is about the time of tasks'
status 2 "$HECATE" report naive-spr,naive-spr slots.csv
has "a method next to itself" "$err" 'naive_spr is given twice'
status 2 "$HECATE" report naive-spr,nosuch slots.csv
has "an unknown method" "$err" 'nosuch'
status 0 "$HECATE" report topdown-l1-spr slots.csv -o slots.md

# A session file of the explorer's own.
status 2 "$HECATE" -o s.hct kept.udd data.csv
has "without a terminal no explorer" "$err" 'needs a terminal'
# Names from outside: the printed command lines are run by a shell as they stand, and run nothing but hecate.
mkdir -p hostile bin && ln -sf "$HECATE" bin/hecate
name="it's; touch F #.csv"
cat >hostile/m.udd <<'END2'
model m "m"; counter "x;touch F;#" = "x"; counter "$(touch F)" = "y"; counter b = "b";
path p { count "x;touch F;#"; count "$(touch F)"; count b; }
END2
printf 'observation,x;touch F;#,$(touch F),b\n-p`touch F`,5,5,5\n-q,7,7,6\n' >"hostile/$name"
cp "hostile/$name" hostile/-a.csv
status 0 "$HECATE" report hostile/m.udd "hostile/$name" --exact --counters 'x;touch F;#,$(touch F),b' --observations='-*' -o hostile.md
sed -n 's/^    //p' hostile.md | grep '^hecate' >hostile-lines
is "two lines" "$(wc -l <hostile-lines)" 2
while read -r line; do
	out=$(PATH="$tmp/bin:$PATH" sh -c "$line" 2>&1)
	has "is read as it was meant: $(printf '%s' "$line" | cut -c1-40)" "$out" '2 observations|against 2 observations'
done <hostile-lines
is "and no other command was run" "$(ls F 2>/dev/null)" ""
(cd hostile && "$HECATE" report m.udd ./-a.csv --exact -o ../hyphen.md)
sed -n 's/^    //p' hyphen.md | grep '^hecate check' >hyphen-line
out=$(cd hostile && PATH="$tmp/bin:$PATH" sh -c "$(cat ../hyphen-line)" 2>&1)
has "a file that begins with a hyphen is no option" "$out" '2 observations'
"$HECATE" "a;b.csv" >stdout 2>err </dev/null
cp "hostile/$name" 'a;b.csv'
status 2 "$HECATE" check 'a;b.csv'
has "the command line of a hint is quoted, too" "$err" "hecate check MODEL 'a;b.csv'; to read it as a model, write './a;b.csv'"
done_testing
