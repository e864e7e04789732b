#!/bin/sh
# How the sources read: C lines of at most 120 columns, Markdown of at most 100, and none of the phrases below. What is
# found all the same is counted in tests/prose-exceptions, which may only shrink: more than it says fails, and so does less.
# With HECATE_UPDATE=1 its numbers are lowered to what is found; they are never raised.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cat >"$tmp/prose.py" <<'P'
import glob, os, re, sys

top, exceptions, update = sys.argv[1], sys.argv[2], os.environ.get("HECATE_UPDATE")
PHRASES = [r"[Hh]ow manieth", r"\bWho (?:can|is|has|does|comes|left)\b", r"\b[Ii]s told\b", r"\b[Aa]re told\b",
           r"\b[Ii]t is looked\b", r"\b[Bb]ehind (?:it|that|the name)\b", r"\b[Ww]hat there is\b"]
C = ["src/**/*.[ch]", "tests/**/*.[ch]", "bench/*.[ch]", "man/*.c"]
MARKDOWN = ["*.md", "docs/*.md", "docs/views/*.md"]
OTHER = ["src/**/*.def", "tests/*.sh", "tests/cli/*.sh", "tests/e2e/*.sh", "tests/lib/*.sh", "tests/programs/*.sh",
         "tests/extension/*.sh", "tests/extension/*.patch", "tests/models/good/*.udd", "tests/models/conformance/*.udd",
         "tests/fdl/good/*.fdl*", "tests/networks/*.net", "tests/screens/make-*", "bench/*.sh", "bench/*.py", "man/*.in", "man/*.[15]", "models/**/*.*", "themes/*", "tools/*",
         "completions/*", "NEWS", "check", "run", ".ci/run", "configure.ac"]
NOT = {"tests/prose.sh"}


def files(patterns):
    found = {f for p in patterns for f in glob.glob(os.path.join(top, p), recursive=True) if os.path.isfile(f)}
    return sorted(f for f in (os.path.relpath(f, top) for f in found) if f not in NOT)


def text_of(name):
    with open(os.path.join(top, name), encoding="utf-8") as f:
        return f.read()


def phrases(text):
    """Each phrase with its line, also where it goes over the end of a line of a comment, a string or a paragraph."""
    starts, joined, at = [], "", 1
    for line in text.split("\n"):
        line = re.sub(r'^[\s"*/#>]+', "", line)
        starts.append((len(joined), at))
        joined += re.sub(r'[\s"\\]*$', "", line) + " "
        at += 1
    for p in PHRASES:
        for m in re.finditer(p, joined):
            yield max(n for start, n in starts if start <= m.start()), m.group(0)


def long_c(text):
    for at, line in enumerate(text.split("\n"), 1):
        if len(line.expandtabs(8)) > 120:
            yield at, "%d columns" % len(line.expandtabs(8))


def long_markdown(text):
    """Tables, code, what a script printed and what a link makes long may be longer."""
    fenced, printed = False, False
    for at, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if line.startswith("<!-- make ") or line == "<!-- end -->":
            printed = line != "<!-- end -->"
        if fenced or printed or line.startswith(("|", "    ")) or len(line) <= 100:
            continue
        if len(re.sub(r"\]\([^)]*\)|https?://\S+", "]", line)) > 100:
            yield at, "%d columns" % len(line)


allowed, lines = {}, []
with open(exceptions, encoding="utf-8") as f:
    for line in f:
        line = line.rstrip("\n")
        part = line.split(None, 3)
        if line and not line.startswith("#"):
            if len(part) < 4:
                sys.exit("a line without a reason: " + line)
            key = part[1], part[2]
            allowed[key] = allowed.get(key, 0) + int(part[0])
            lines.append((key, part))
        else:
            lines.append((None, line))

found = {}
for kind, patterns, find in (("words", C + MARKDOWN + OTHER, phrases), ("columns", C, long_c),
                             ("columns", MARKDOWN, long_markdown)):
    for name in files(patterns):
        hits = list(find(text_of(name)))
        if hits:
            found[kind, name] = hits

bad = {"words": [], "columns": [], "shrink": []}
for key, hits in sorted(found.items()):
    if len(hits) > allowed.get(key, 0):
        bad[key[0]].append("%s has %d, %d of them excepted:" % (key[1], len(hits), allowed.get(key, 0)))
        bad[key[0]] += ["  %s:%d: %s" % (key[1], at, what) for at, what in sorted(hits)]
for key, n in sorted(allowed.items()):
    if not any(os.path.exists(os.path.join(top, f)) for f in (".git", key[1])):
        continue  # a distribution leaves some files out
    now = len(found.get(key, []))
    if now < n:
        bad["shrink"].append("%s %s: lower %d to %d%s" % (*key, n, now, "" if now else ", that is, take the line out"))
if update:
    with open(exceptions, "w", encoding="utf-8") as f:
        for key, part in lines:
            if key is None:
                f.write(part + "\n")
                continue
            now = min(int(part[0]), len(found.get(key, [])))
            found[key] = found.get(key, [])[now:]
            if now:
                f.write("%-4d %-8s %s %s\n" % (now, *part[1:]))
for kind in bad:
    print(kind, *bad[kind], sep="\n  ")
P
out=$(python3 "$tmp/prose.py" "$TOP_SRCDIR" "$HECATE_TESTS/prose-exceptions" 2>&1)
part() { printf '%s\n' "$out" | awk -v kind="$1" '/^[a-z]/ { on = $0 == kind; if (on) n++; next } on' ; }
is "all files could be read" "$(printf '%s\n' "$out" | grep -c '^[a-z]')$(printf '%s\n' "$out" | grep Error)" 3
is "none of the phrases that read badly" "$(part words)" ""
is "C lines of at most 120 columns, Markdown of at most 100" "$(part columns)" ""
is "tests/prose-exceptions lists no more than there are" "$(part shrink)" ""
done_testing
