#!/bin/sh
# The pages show what the program prints: screens and the output of commands (tools/doc-examples), names of files and
# functions in docs/architecture.md, links and their headings, the width of lines. Each page leads to the glossary.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
docs=$TOP_SRCDIR/docs

# The commands of the tutorial, of the guide to models, and of examples; the screens of the views.
for page in concepts.md how-to.md tutorial.md models.md command-line.md cpi-stacks.md probes.md slices.md $(cd "$docs" && ls views/*.md); do
	check "docs/$page shows what the program prints" python3 "$TOP_SRCDIR/tools/doc-examples" check "$HECATE" "$docs/$page"
done

# Its pictures of a cone are drawn by tests/screens/pictures.
is "docs/concepts.md: the diagram of its model" "$("$HECATE" print "$docs/pictures/loads.udd" --svg)" "$(cat "$docs/pictures/loads-path.svg")"
awk '/^```udd file=loads.udd$/ { on = 1; next } /^```$/ { on = 0 } on' "$docs/concepts.md" >"$tmp/loads.udd"
is "  and the model of its pictures is the one that it shows" "$(cat "$tmp/loads.udd")" "$(cat "$docs/pictures/loads.udd")"

# docs/architecture.md names what exists: paths in backquotes, and functions with their parentheses.
page=$docs/architecture.md
missing=
for path in $(grep -oE '`(src|tests|tools|models|themes)/[^` *]*`' "$page" | tr -d '`' | sort -u); do
	[ -e "$TOP_SRCDIR/$path" ] || missing="$missing $path"
done
is "docs/architecture.md: every path exists" "$missing" ""
# So do the other pages, but for places to fill in (NAME, ARCH) and files of gem5, Sniper and the public FDL models. A
# distribution leaves some files out.
missing=
for path in $(cat "$TOP_SRCDIR/README.md" "$docs"/*.md "$docs"/views/*.md | grep -oE '`(src|tests|tools|models|themes|bench)/[^` *]*`' | tr -d '`' |
	grep -vE 'NAME|ARCH|^src/cpu/o3/|^models/gem5/|^tools/(cpistack|dumpstats|sniper_stats_compat)\.py$' | sort -u); do
	[ -e "$TOP_SRCDIR/$path" ] || [ -e "$TOP_SRCDIR/$path.c" ] || [ ! -e "$TOP_SRCDIR/.git" ] || missing="$missing $path"
done
is "every path of the pages exists" "$missing" ""
find "$TOP_SRCDIR/src" -name '*.[ch]' -exec cat {} + | grep -oE '^([a-z_].*[ *])?[a-z_0-9]+\(' | grep -oE '[a-z_0-9]+\($' | sort -u >"$tmp/functions"
is "docs/architecture.md: every function exists" "$(grep -oE '[a-z_0-9]+\(\)' "$page" | sort -u | tr -d ')' | grep -v '^ppoll($' | comm -23 - "$tmp/functions")" ""
has "  and it names many functions" "$(grep -oE '[a-z_0-9]+\(\)' "$page" | sort -u | wc -l)" '^[3-9][0-9]$'

# The table of rooms has all folders of a floor.
for floor in core collect work explorer; do
	rooms=$(cd "$TOP_SRCDIR/src/$floor" && ls -d */ | tr -d / | sort)
	is "CONTRIBUTING.md: rooms of src/$floor" "$(awk -F'|' -v floor="src/$floor/" '$2 ~ /`src\// { on = index($2, floor); next } on { print $2 }' \
		"$TOP_SRCDIR/CONTRIBUTING.md" | grep -o '[a-z]*' | sort)" "$rooms"
done

# Links lead to files and headings; lines have at most 100 columns except in tables and code; every page links to the
# glossary.
is "links, widths and the glossary" "$(python3 - "$TOP_SRCDIR" <<'END' 2>&1
import glob, os, re, sys
top = sys.argv[1]
pages = ["README.md", "CONTRIBUTING.md"] + sorted(glob.glob("docs/**/*.md", root_dir=top, recursive=True))
def lines(path):
    with open(os.path.join(top, path), encoding="utf-8") as f:
        return f.read().split("\n")
def prose(path):
    code, printed = False, False
    for n, line in enumerate(lines(path), 1):
        if line.lstrip().startswith("```"):
            code = not code
        elif line.startswith("<!-- make ") or line == "<!-- end -->": # what a script printed
            printed = line != "<!-- end -->"
        if not code and not printed and not line.startswith("    "):
            yield n, line
def anchors(path):
    found = set()
    for _, line in prose(path):
        if line.startswith("#"):
            text = re.sub(r"[`*]|\]\([^)]*\)|\[", "", line.lstrip("#").strip())
            found.add(re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-"))
    return found
for path in pages:
    for n, line in prose(path):
        if len(line) > 100 and not line.startswith(("|", "`")):
            print("%s:%d: %d columns" % (path, n, len(line)))
    text = "\n".join(line for _, line in prose(path))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, heading = link.partition("#")
        if link.startswith("http"):
            continue
        to = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not os.path.exists(os.path.join(top, to)):
            print("%s: no %s" % (path, link))
        elif heading and heading not in anchors(to):
            print("%s: no heading %s" % (path, link))
    if path not in ("CONTRIBUTING.md", "docs/plan.md", "docs/glossary.md") and "glossary.md" not in text:
        print("%s: no link to the glossary" % path)
for path in sorted(glob.glob("docs/**/*.md", root_dir=top, recursive=True)):
    if path not in ("docs/README.md", "docs/plan.md") and os.path.relpath(path, "docs") not in "\n".join(lines("docs/README.md")):
        print("docs/README.md does not lead to %s" % path)
END
)" ""
done_testing
