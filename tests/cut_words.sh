#!/bin/sh
# No drawn screen cuts a word beside free room, and no list has two names that are cut to the same: in every file of
# tests/screens/expect, pane by pane. A word is cut if it ends in "…".
. "$HECATE_TESTS/lib/tap.sh"

scan() {
	py - "$@" <<'PY'
import glob, os, sys

LEAST = 6     # blank columns, in every row of the pane, that would have held more of a word
RULE, JOINT = '─━', '┬┭┮┯┰┱┲┳├┤┝┥┞┟┠┡┢┣┦┧┨┩┪┫┼┽┾┿╀╁╂╃╄╅╆╇╈╉╊╋┴┵┶┷┸┹┺┻╵'
ALLOWED = ('Looking for a µpath…',)  # says that something goes on

def rows_of(path):
    rows = []
    for line in open(path, encoding='utf-8').read().split('\n'):
        if line == 'roles':
            break
        rows.append(line[:-1] if line.endswith('|') else line)
    w = max(map(len, rows), default=0)
    return [r.ljust(w) for r in rows], w

def panes(rows, w):
    """The rectangles below title rules, (left, right, top, bottom), both ends included."""
    rules = []
    for y, row in enumerate(rows):
        x = 0
        while x < w:
            if row[x] not in RULE or (x and row[x - 1] not in JOINT + ' │|'):
                x += 1
                continue
            end = x
            while end + 1 < w and row[end + 1] not in JOINT + '│┐':
                end += 1
            text = row[x:end + 1]
            if end - x >= 15 and text[:2] in ('─ ', '━ ', '──', '━━') and text[-1] in RULE:
                rules.append((y, x, end))
            x = end + 1
    for y, left, right in rules:
        bottom = len(rows) - 3
        for other, x, end in rules:
            if other > y and x <= right and end >= left:
                bottom = min(bottom, other - 1)
        yield left, right, y + 1, bottom

def findings(path):
    rows, w = rows_of(path)
    if w < 60 or any('┌' in r and '━' in r and '┑' in r for r in rows):  # a popup covers parts of lists
        return
    for left, right, top, bottom in panes(rows, w):
        body = [rows[y][left:right + 1] for y in range(top, bottom + 1)]
        labels = {}
        for y, row in enumerate(body):
            for x, c in enumerate(row):
                if c != '…' or not x or row[x - 1] in ' …(' or row[x + 1:x + 2] not in ('', ' '):
                    continue
                blank = free = 0
                while x + 1 + blank < len(row) and all(r[x + 1 + blank] == ' ' for r in body):
                    blank += 1
                while len(row) - 1 - free > x and all(r[len(row) - 1 - free] == ' ' for r in body):
                    free += 1
                start = max(row.rfind('  ', 0, x) + 2, 1)
                label = row[start:x + 1].strip(' ▸')
                if max(blank, free) >= LEAST and label not in ALLOWED:
                    yield top + y, '%s: %d free columns' % (label, max(blank, free))
                if start <= 4 and label in labels:
                    yield top + y, '%s: as in row %d' % (label, labels[label])
                labels.setdefault(label, top + y)

found = files = 0
for path in sorted(p for arg in sys.argv[1:] for p in glob.glob(arg)):
    files += 1
    for y, what in findings(path):
        found += 1
        print('%s, row %d: %s' % (os.path.basename(path), y, what))
print('%d files' % files if files < 300 else 'all files', '%d found' % found)
PY
}

is "cut words and equal names" "$(scan "$HECATE_TESTS/screens/expect/*.txt")" "all files 0 found"

# What it finds.
cat >"$tmp/cut.txt" <<'SCREEN'
 hecate                                                           |
 1Models                                                          |
━ Observations ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━|
   name                                                           |
 ✗ linear:footpri…         1                                      |
 ✗ linear:footpri…         2                                      |
 ✗ gups                    3                                      |
 status                                                           |
 keys                                                             |
roles
SCREEN
is "a name beside free room, and the same again" "$(scan "$tmp/cut.txt" | sed 's/✗ //')" \
	"cut.txt, row 4: linear:footpri…: 38 free columns
cut.txt, row 5: linear:footpri…: 38 free columns
cut.txt, row 5: linear:footpri…: as in row 4
1 files 3 found"
done_testing
