#!/bin/sh
# hecate report: what is in it, where it goes, and that nothing from outside gets out of its place.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
cp "$HECATE_TESTS/data/session/kept.udd" "$HECATE_TESTS/data/session/data.csv" .
cp "$HECATE_TESTS/data/session/v1.hecate" s.hct

status 0 "$HECATE" report s.hct
printf '%s\n' "$out" >stdout.md
has "the verdict" "$out" '2 observations: 1 infeasible, 1 feasible'
has "the table" "$out" '^\| bad \| infeasible \| infeasible \| 50\.16 \| 9\.21 '
has "why, in words" "$out" 'counts f exactly as often as m; but in bad f exceeds m 5\.01 times'
has "what is required" "$out" 'required, in every model that survives: slow$'
has "what is optional" "$out" 'optional, in some that survive: twice$'
has "what each observation needs" "$out" '^\| bad \| slow \|$'
has "the models" "$out" '^\| m0 \| none \| start \| 1 \|'
has "the counters" "$out" '^\| f \| page-faults \| 2 \| 0 \| 0 \|'
has "how to do it again" "$out" '^    hecate check s.hct --confidence 0.99 --region ellipsoid$'
has "no picture on standard output, and why" "$out" 'No picture: the models that were tested: it needs a place'
cmp -s s.hct "$HECATE_TESTS/data/session/v1.hecate" && ok "the session file is not changed" || not_ok "the session file is not changed"
$(sed -n 's/^    hecate/"$HECATE"/p' stdout.md | head -1 | sed "s#\"\$HECATE\"#$HECATE#") >again 2>/dev/null
has "the command line given does it again" "$(cat again)" 'infeasible +bad'

mkdir there
status 0 "$HECATE" report kept.udd data.csv -q -o there
is "a folder gets report and pictures" "$(ls there | tr '\n' ' ')" "kept-report-model.svg kept-report-search.svg kept-report.md "
is "nothing else is said" "$out$err" ""
status 0 "$HECATE" report kept.udd data.csv --features slow --region box -o 'a b(c).md'
has "the written files are named" "$err" 'written: a b\(c\)-search.svg'
has "a link is a link whatever the name" "$(cat 'a b(c).md')" '^!\[the models that were tested\]\(a%20b%28c%29-search\.svg\)$'
has "features of the command line" "$(cat 'a b(c).md')" '^\| features on \| slow \|$'
has "… and in the commands" "$(cat 'a b(c).md')" 'hecate check kept.udd data.csv --features slow --confidence 0.99 --region box$'
status 0 "$HECATE" report kept.udd data.csv -q -o there
is "a report is written anew in its place" "$(ls there | wc -l)" 3

# The state of the session: features, notes.
sql() { python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2])' "$1" "$2"; }
"$HECATE" import -q -o k.hct -m kept.udd data.csv
sql k.hct "INSERT INTO setting VALUES('model','kept'),('features','[\"slow\"]'),('region','independent');
	INSERT INTO remark VALUES('1','observation','bad','cold | <b>cache</b> *really*','2026-01-01T00:00:00Z'),('2','features','[]','the start','2026-01-01T00:00:00Z');"
status 0 "$HECATE" report k.hct
has "the features that the session has on" "$out" '^\| features on \| slow \|$'
has "its region" "$out" 'region that decides \| independent'
has "a note, escaped" "$out" 'note: cold \\\| &lt;b&gt;cache&lt;/b&gt; \\\*really\\\*'
has "notes in a list" "$out" '^- on features no features, 2026-01-01T00:00:00Z: the start$'
status 0 "$HECATE" report k.hct --features twice,slow
has "the command line goes before the session" "$out" '^\| features on \| slow, twice \|$'

# Names from outside: neither Markdown, HTML, XML nor a terminal obeys them, and all is ASCII.
python3 - <<'P'
evil = 'a|b`c*d_[x](http://e)<script>&amp;#\\\u00b5\u202e'
open('evil.csv', 'w').write('observation,f,m\n' + ''.join('"%s",%d,%d\n' % (evil, 100 + i, 20 + i % 3) for i in range(4)))
P
sed 's/a model to keep/a `model` <i>to<\/i> | keep \&amp; µ/' kept.udd >evil.udd
status 0 "$HECATE" report evil.udd evil.csv -q -o evil.md
check "the report is ASCII" python3 -c 'open("evil.md", encoding="ascii").read()'
check "every character of a name means itself" python3 -c '
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
assert "survives, nothing to spare" in t and "refuted by 1 of 1" in t and "elimination" in t, t'

# What cannot be done.
status 2 "$HECATE" report
status 2 "$HECATE" report kept.udd
has "data is needed" "$err" 'report needs data'
status 2 "$HECATE" report kept.udd data.csv -o none/x.md
has "no such folder" "$err" 'cannot write none/x'
is "nothing is left" "$(ls | grep -c part)" 0
status 2 "$HECATE" report kept.udd data.csv -- true
status 2 "$HECATE" report s.hct --features nope
has "an unknown feature" "$err" 'nope'
sql k.hct "DROP TABLE remark"
status 0 "$HECATE" report k.hct
has "damage beside the samples is said" "$err" 'not all that was kept can be taken up: k.hct is damaged'
has "… and the verdicts are there all the same" "$out" '2 observations: '

# Several methods of accounting: which of them, is asked; and what cannot stand beside each other is told.
printf 'observation,time,slots\nx,1,100\n' >slots.csv
status 2 "$HECATE" report topdown-l1-spr,naive-spr slots.csv
has "a report is by one method" "$err" 'by one method of accounting, and here are 2'
status 2 "$HECATE" report topdown-l1-spr stall-sources slots.csv
has "the time of tasks stands alone" "$err" 'stall_sources is of the time of tasks'
status 2 "$HECATE" report naive-spr,naive-spr slots.csv
has "a method beside itself" "$err" 'naive_spr is given twice'
status 2 "$HECATE" report naive-spr,nosuch slots.csv
has "a method that is none" "$err" 'nosuch'
status 0 "$HECATE" report topdown-l1-spr slots.csv -o slots.md

# A session file of the explorer's own.
status 2 "$HECATE" -o s.hct kept.udd data.csv
has "without a terminal no explorer" "$err" 'needs a terminal'
done_testing
