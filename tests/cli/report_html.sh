#!/bin/sh
# hecate report as HTML: one file that refers to no other, the answer first, certificates that add up, any name shown as
# it is, the same bytes each time; and in a browser: sorting, light and dark, nothing loaded.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
cp "$HECATE_TESTS/data/session/kept.udd" "$HECATE_TESTS/data/session/data.csv" .
faults=$HECATE_TESTS/../models/demo/page-faults.csv
net=$HECATE_TESTS/networks tasks=$HECATE_TESTS/screens/expect/tasks.csv time=$HECATE_TESTS/screens/expect/time.stack

# What every report must be. A parser that knows which elements have no end.
cat >page.py <<'P'
import base64, hashlib, html.parser, re, sys

EMPTY = {"meta", "link", "br", "img", "input"}

class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.text = open(path, encoding="utf-8").read()
        self.open, self.tags, self.said, self.tables, self.cell = [], [], [], [], None
        self.feed(self.text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs, closed=False):
        self.tags.append((tag, dict(attrs), list(self.open)))
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        if tag == "table": self.tables.append({"class": dict(attrs).get("class"), "rows": [], "caption": ""})
        if tag == "tr": self.tables[-1]["rows"].append([])
        if tag in ("td", "th"): self.tables[-1]["rows"][-1].append("")
        if tag not in EMPTY and not closed: self.open.append(tag)

    def handle_startendtag(self, tag, attrs): self.handle_starttag(tag, attrs, True)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if "script" in self.open or "style" in self.open: return
        self.said.append(data)
        if self.open and ("td" in self.open or "th" in self.open): self.tables[-1]["rows"][-1][-1] += data
        if "caption" in self.open: self.tables[-1]["caption"] += data

def check(path):
    page = Page(path)
    text = page.text
    assert text.startswith("<!DOCTYPE html>\n<html lang=\"en\">")
    # nothing from elsewhere: no element that loads, no address but this page's own parts, and a policy that forbids it
    ids = {a["id"] for t, a, _ in page.tags if "id" in a}
    for tag, attrs, _ in page.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form", "image", "use"), tag
        for name, value in attrs.items():
            assert name not in ("src", "srcset", "style", "xlink:href", "data") and not name.startswith("on"), (tag, name)
            if name == "href": assert value[0] == "#" and value[1:] in ids, value
            if name != "xmlns": assert "://" not in (value or ""), (tag, name, value)
    style = re.search("<style>(.*?)</style>", text, re.S)[1]
    assert "url(" not in style and "@import" not in style
    assert not re.search("<(?![a-zA-Z/!])", re.sub("<script>.*</script>", "", text, flags=re.S)), "a raw <"
    policy = [a["content"] for t, a, _ in page.tags if a.get("http-equiv") == "Content-Security-Policy"][0]
    assert "default-src 'none'" in policy
    script = re.findall("<script>(.*?)</script>", text, re.S)
    assert len(script) == 1 and sum(t == "script" for t, _, _ in page.tags) == 1
    want = "sha256-" + base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert "script-src '%s'" % want in policy, "the script's hash is " + want
    # for those who cannot see it
    for tag, attrs, up in page.tags:
        if tag == "th": assert attrs["scope"] in ("col", "row")
        if tag == "svg" and "svg" not in up: assert attrs["role"] == "img"
    assert all(t["caption"] for t in page.tables)
    svgs = re.findall("<svg .*?</svg>\n(?=</div>)", text, re.S)
    for svg in svgs:
        import xml.dom.minidom
        assert xml.dom.minidom.parseString(svg).getElementsByTagName("title")[0].firstChild.data
        assert not re.search('"#[0-9a-f]{6}"', svg), "a colour that does not follow the theme"
    colors = set(re.findall(r"var\(--([a-z0-9]+)\)", text)) - {"verdict"}
    for block in re.findall(r":root\{(.*?)\}", style): assert colors <= set(re.findall("--([a-z0-9]+):", block)), colors
    assert len(re.findall(r":root\{", style)) == 2
    return page
P
# try FILE 'STATEMENTS over page, said, tables, text'
try() {
	check "$1" python3 -I -c 'import sys; sys.path.insert(0, "."); from page import *
page = check(sys.argv[1]); text, tables, said = page.text, page.tables, " ".join("".join(page.said).split())
exec(sys.argv[2])' "$2" "$3"
}

# Refuted by exact totals.
status 0 "$HECATE" report linux-page-faults "$faults" -o faults.html
has "the file is named" "$err" 'written: faults\.html$'
is "and is the only one" "$(ls ./*.html ./*.svg 2>/dev/null)" "./faults.html"
try "the answer stands first" faults.html '
assert said.index("Refuted by 5 of 8 observations") < said.index("exceed the sum of page faults from user code") < said.index("What the data demand: A, D, E") < said.index("What is violated")
order = ["What is violated", "The verdicts", "Witnesses", "The search", "Trust in the counters", "The model", "What was asked", "The machine", "How to do it again"]
at = [text.index("<h2>" + t) for t in order]; assert at == sorted(at), at'
cat >sums.py <<'P'
def number(t): return int(t.replace("\u2009", "").replace("\u2212", "-"))
def sums(tables, csv):
    rows = [l.split(",") for l in open(csv).read().split("\n") if l and l[0] != "#"]
    n = ways = 0
    for i, t in enumerate(tables):
        if t["rows"][0][-1] == "product":
            total = 0
            for counter, events, factor, count, product in t["rows"][1:-1]:
                assert number(factor) * number(count) == number(product), t
                total += number(product)
            assert total == number(t["rows"][-1][-1]) != 0, t
            factors = {r[0]: number(r[2]) for r in t["rows"][1:-1]}; n += 1
        if t["rows"][0][0] == "sum":
            equality = "demands 0 or more" not in tables[i - 1]["rows"][-1][0]
            for r in t["rows"][1:]:
                s = sum(factors[c] * number(v) for c, v in zip(t["rows"][0][1:], r[1:])); ways += 1
                assert s == number(r[0]) and (s == 0 if equality else s >= 0), (t, s)
    assert n >= 3 and ways >= 3, (n, ways)
P
try "each certificate adds up: the sum in the data, and every way of counting" faults.html '
from sums import sums; sums(tables, "'"$faults"'")'
try "the counts are those of the data" faults.html '
t = [t for t in tables if t["caption"] == "In xargs"][0]
assert [r[3].replace("\u2009", "") for r in t["rows"] if r[0] == "PGF"] == ["2995"], t'
try "drawings: geometry, verdicts, search, model" faults.html '
assert [t in text for t in ("Cone of the model and region of xargs", "8 observations: distances", "Search over models", "Diagram of the model")] == [True] * 4'
try "a witness gives the counts of each feasible observation" faults.html '
rows = [l.rstrip("\n").split(",") for l in open("'"$faults"'") if l[0] != "#"]
import re
w = [t for t in tables if t["caption"].startswith("A flow that gives ")]
assert len(w) == 3
v = [t for t in tables if t["rows"][0][0] == "observation"][0]
for t in w:
    sums = {}
    for uops, counts in t["rows"][1:]:
        for times, counter in re.findall(r"(\d+) × ([^,]+)", counts):
            sums[counter] = sums.get(counter, 0) + int(times) * float(uops.replace("\u2009", ""))
    assert sums["PGF"] == sums["MIN"] + sums["MAJ"] == sums["Fu"] + sums["Fk"] > 0, sums'
try "how to repeat it, and the text of the model" faults.html '
assert "hecate check linux-page-faults " in said and "hecate search linux-page-faults" in said
assert open("'"$HECATE_TESTS"'/../models/linux-page-faults.udd").read().split("\n")[0].strip() in said'
sleep 1.1
status 0 "$HECATE" report linux-page-faults "$faults" --format html
printf '%s\n' "$out" >again.html
check "the same session gives the same bytes, in a file or not" cmp faults.html again.html

# Noise: means, and what is left in the whole region.
status 0 "$HECATE" report kept.udd data.csv --independent-rows -q -o kept.html
try "a refutation of noisy data: how far the region stays away" kept.html '
assert "Refuted by 1 of 2 observations" in said
assert re.search(r"In the whole 99 % region the sum stays (above|below) 0, by at least \d", said), said'
status 0 "$HECATE" report kept.udd data.csv -q -o kept.html
try "what survives" kept.html 'assert "Survives: none of 2 observations refutes it" in said and "Nothing is violated" in said'
mkdir there
status 0 "$HECATE" report kept.udd data.csv -q --format html -o there
is "a folder gets one file" "$(ls there)" kept-report.html
status 0 "$HECATE" report kept.udd data.csv -q --format markdown -o there
is "--format goes before the ending" "$(ls there | grep -c md)" 1
status 2 "$HECATE" report kept.udd data.csv --format pdf
has "an unknown format" "$err" 'markdown'

# Hostile names: of observations, files, in the model's texts, with bytes that are no UTF-8. Each is shown, none acts.
python3 - <<'P'
import os
evil = '</script></title><img src=x onerror=alert(1)>"\'`**b**` | &lt; \\\u202e\x1b[31mred'
rows = ''.join('"%s",%d,%d\n' % (evil.replace('"', '""'), 100 + i * 7 % 5, 20 + i % 3) for i in range(48))
open(b'it\'s "x" <b>\xff\n.csv', 'w').write('observation,f,m\n' + rows)
P
sed 's/a model to keep/<\/script> <i>to<\/i> \&amp; µ **keep**/' kept.udd >'evil<i>.udd'
status 0 "$HECATE" report 'evil<i>.udd' it*.csv -q -o evil.html
try "every name is shown as it is, and none acts" evil.html '
assert text.count("</script>") == 1 and text.count("</title>") == 1 + text.count("<svg xmlns")
assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
name = "</script></title><img src=x onerror=alert(1)>\"\x27`**b**` | &lt; \\\\u{202e}\\x1b[31mred"
seen = [r[0] for t in tables if t["rows"][0][0] == "observation" for r in t["rows"][1:]]
assert len(seen) >= 2 and set(seen) == {name}, seen
assert "</script> <i>to</i> &amp; µ **keep**" in said and "<1e-9" in said
assert "it\x27s \"x\" <b>\ufffd\\n.csv" in said
assert not any(t in ("img", "i", "b") for t, _, _ in page.tags)'
# Networks and stacks.
status 0 "$HECATE" report "$net/table7.net" "$net/table7.csv" -q -o map.html
try "a network: path map, and of views 5 to 7 those that show something" map.html '
assert "The path map" in said and "The queues" in said and text.count("<svg xmlns") == 1
assert said.index("Of the requests that are counted, DRd: 93.2 % at L1D") < said.index("The path map")
assert "hecate net " in said'
status 0 "$HECATE" report "$time" "$tasks" -q -o bars.html
try "a stack: where the time goes" bars.html 'assert said.index("cc1-4713: 78.2 % of elapsed_time is on_cpu (running)") < said.index("The whole run") and text.count("<svg xmlns") == 1 and "hecate stack " in said'

status 0 "$HECATE" report stall-sources "$HECATE_TESTS/data/runs/make.hct" -q -o tasks.html
try "a run of tasks: its sentence, with how it ended" tasks.html '
assert "make ended, status 0, 1.9 s: cc1 (8 of them) waited 78.4 % of the time for a CPU" in said[:400], said[:400]'

# Curves of probes.
"$HECATE" probe rob --on sim:core -q -o curves.hecate >/dev/null
status 0 "$HECATE" report curves.hecate -q -o curves.html
try "curves of probes: their answers, and view 9 with each of them" curves.html '
assert said.index("rob: 128 entries of the reorder buffer") < said.index("Answers of the curves") and text.count("<svg xmlns") == 1
assert [r[:4] for t in tables for r in t["rows"] if r[0] == "rob"] == [["rob", "sim:core", "128", "128 … 130"]], tables
assert "hecate curves.hecate" in said'
status 2 "$HECATE" report curves.hecate
has "which are a page only" "$err" 'give --format html, or -o FILE\.html'

# Written for validators: tidy knows HTML5, but neither SVG inside SVG nor its titles.
if command -v tidy >/dev/null; then
	for file in faults kept evil map bars tasks curves; do
		is "tidy finds nothing in $file.html" "$(tidy -q -e $file.html 2>&1 | grep -v '<svg> proprietary attribute')" ""
	done
else
	skip "validated by tidy" "tidy is not installed"
fi

# In a browser.
browser=
for name in chromium chromium-browser google-chrome; do
	[ -z "$browser" ] && command -v $name >/dev/null && browser=$name
done
chrome() {
	timeout 100 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run \
		--user-data-dir="$tmp/browser" --host-resolver-rules='MAP * ~NOTFOUND' "$@" 2>/dev/null
}
if [ -z "$browser" ]; then
	skip "in a browser" "chromium is not installed"
	done_testing
	exit
fi
chrome --dump-dom "file://$tmp/faults.html" >dom
has "the script runs: the policy allows it" "$(cat dom)" '<th scope="col"><button type="button">observation</button></th>'
# Clicks as a reader would make them, in a copy whose policy allows a second script.
python3 - <<'P'
import re
text = open("faults.html").read()
text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
text = text.replace("</body>", """<script>
const table = [...document.querySelectorAll('table.sorts')].find(t => t.rows[0].cells[0].textContent === 'model');
const column = at => [...table.tBodies[0].rows].map(r => r.cells[at].textContent.trim());
const out = {before: column(0)};
const head = table.tHead.rows[0].cells;
const click = (at, name) => { head[at].querySelector('button').click(); out[name] = [column(at), head[at].getAttribute('aria-sort')]; };
click(1, 'features'); click(1, 'features again'); click(0, 'number'); click(0, 'number again'); click(3, 'refuted');
out.sorted = document.querySelectorAll('[aria-sort]').length;
out.loaded = performance.getEntriesByType('resource').length;
const done = document.createElement('pre'); done.id = 'result'; done.textContent = JSON.stringify(out); document.body.append(done);
</script></body>""")
open("clicks.html", "w").write(text)
P
chrome --dump-dom "file://$tmp/clicks.html" | sed -n 's/.*<pre id="result">\(.*\)<\/pre>.*/\1/p' >clicks.json
check "a click sorts, a second one turns it round, and the heads say so" python3 -I -c '
import html, json
d = json.loads(html.unescape(open("clicks.json").read()))
names, again = d["features"], d["features again"]
assert names[1] == "ascending" and again[1] == "descending", d
assert names[0] == sorted(names[0], key=str.lower) and again[0] == names[0][::-1] and len(set(names[0])) > 3, names
assert d["refuted"][0][:7] == ["1", "1", "1", "1", "4", "4", "5"] and "survives" in d["refuted"][0][7], d["refuted"]
assert d["number"][0] == d["before"][::-1] and d["number"][1] == "descending", d["number"]
assert d["number again"][0] == d["before"], d
assert d["sorted"] == 1, d'
check "nothing was loaded" python3 -I -c '
import html, json
assert json.loads(html.unescape(open("clicks.json").read()))["loaded"] == 0'
# Photographs, 1200 wide, light and dark. The corner of the picture has the background's colour.
chrome --screenshot=light.png --window-size=1200,2400 --blink-settings=preferredColorScheme=1 "file://$tmp/faults.html" >/dev/null
chrome --screenshot=dark.png --window-size=1200,2400 --blink-settings=preferredColorScheme=0 "file://$tmp/faults.html" >/dev/null
[ -n "$HECATE_PHOTOGRAPHS" ] && cp light.png dark.png "$HECATE_PHOTOGRAPHS"
check "photographed in light and dark, in the themes' colours" python3 -I -c '
import re, struct, zlib
style = open("faults.html").read()
want = re.findall("--background:#([0-9a-f]{6})", style)
for path, color in zip(("light.png", "dark.png"), want):
    png = open(path, "rb").read()
    assert struct.unpack(">II", png[16:24]) == (1200, 2400), path
    data, at = b"", 8
    while at < len(png):
        n, kind = struct.unpack(">I4s", png[at:at + 8])
        data += png[at + 8:at + 8 + n] if kind == b"IDAT" else b""
        at += 12 + n
    assert zlib.decompress(data)[1:4].hex() == color, (path, zlib.decompress(data)[1:4].hex(), color)
assert len(want) == 2 and want[0] != want[1]'
done_testing
