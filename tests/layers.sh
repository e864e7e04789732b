#!/bin/sh
# The rules of the rooms: which may include which, and how long a file may be.
cd "$TOP_SRCDIR" || exit 1
out=$(tools/check-layers src 2>&1) && echo "ok 1 - includes obey the layers" || { echo "not ok 1 - includes obey the layers"; echo "$out" | sed 's/^/# /'; }
long=$(find src tests tools -name '*.[ch]' -exec wc -l {} + | awk '$2 != "total" && $1 > 1000 { print $2 " has " $1 " lines" }')
find src -name '*.[ch]' -exec wc -l {} + | awk '$2 != "total" && $1 > 600 { print "# over 600 lines, split by idea: " $2 " " $1 }'
[ -z "$long" ] && echo "ok 2 - no file over 1000 lines" || { echo "not ok 2 - no file over 1000 lines"; echo "$long" | sed 's/^/# /'; }

# Of two functions with one name in the archive the linker takes the first, without a message.
twice=$(nm -g --defined-only "$TOP_BUILDDIR/libhecate.a" 2>/dev/null | awk 'NF == 3 && $2 ~ /[TDBR]/ { print $3 }' | sort | uniq -d | grep -v '^__')
if ! command -v nm >/dev/null; then
	echo "ok 3 - no name is defined twice # SKIP nm is not installed"
elif [ -z "$twice" ]; then
	echo "ok 3 - no name is defined twice"
else
	echo "not ok 3 - no name is defined twice"
	echo "$twice" | sed 's/^/# /'
fi

if figures=$(tools/house-figures "$TOP_BUILDDIR" 2>&1); then
	echo "ok 4 - fields, short files and circles of files stay within their limits"
else
	echo "not ok 4 - fields, short files and circles of files stay within their limits"
fi
echo "$figures" | sed 's/^/# /'

# src/event/ has the one list of perf's modifiers, of its aliases and of units. A text of such letters, or both names of
# an event in one file, is a second one.
second=$(
	grep -rnE '"[ukhIGHpPSDWebRX]{3,}"' src --include='*.[ch]' | grep -v '^src/event/' | grep -E '"[^"]*u[^"]*"' | grep -E '"[^"]*k[^"]*"'
	sed -n 's/.*{EVENT_WORD_[A-Z]*, "\([^"]*\)", "\([^"]*\)"}.*/\1 \2/p' src/event/words.c | while read -r one other; do
		grep -rlF "\"$one\"" src --include='*.[ch]' | grep -v '^src/event/' | while read -r file; do
			grep -nHF "\"$other\"" "$file"
		done
	done
	grep -rnE '"([mun]sec|Joules)"' src --include='*.[ch]' | grep -v '^src/event/'
)
rows=$(grep -c '{EVENT_WORD_[A-Z]*, "' src/event/words.c)
if [ -z "$second" ] && [ "$rows" -gt 20 ]; then
	echo "ok 5 - modifiers, aliases and units have one list"
else
	echo "not ok 5 - modifiers, aliases and units have one list"
	echo "$second" | sed 's/^/# /'
fi

# Every kind of check fires. A case is a small tree of sources, "file: line; line" each, and the expected message.
n=5
fires() { # NAME MESSAGE FILE: LINES …
	n=$((n + 1)) name=$1 message=$2
	shift 2
	dir=$(mktemp -d) || exit 1
	for file; do
		path=$dir/src/${file%%:*}
		mkdir -p "${path%/*}"
		echo "${file#*: }" | sed 's/; /\n/g' | sed 's/^\([a-z_/0-9.]*\.h\)$/#include "\1"/' > "$path"
	done
	out=$(tools/check-layers "$dir/src" 2>&1)
	status=$?
	case $status$out in
	1*"/src/$message"*) echo "ok $n - $name" ;;
	0) [ -z "$message" ] && echo "ok $n - $name" || echo "not ok $n - $name: nothing is reported" ;;
	*) echo "not ok $n - $name"; echo "$out" | sed 's/^/# /' ;;
	esac
	rm -rf "$dir"
}
door='collect/source.h: /* the door */'

fires "a layer includes one above it" 'core/obs/x.c:1: core/ may not include work/' 'core/obs/x.c: work/machine.h'
fires "unknown layer" 'tools/x.c:1: unknown layer: tools' 'tools/x.c: /* */'
fires "unknown room" 'core/gui/x.c:1: unknown room: core/gui' 'core/gui/x.c: /* */'
fires "a file besides main.c" 'x.c:1: only main.c stands in src/ itself' 'x.c: /* */'
fires "a layer sees one that is not its own through a header" \
	'draw/x.c:1: sees collect/source.h through work/run/run.h' \
	'draw/x.c: work/run/run.h' 'work/run/run.h: collect/source.h' "$door"
fires "the same through two headers" 'ui/x.c:2: sees collect/source.h through draw/y.h and work/machine.h' \
	'ui/x.c: base/str.h; draw/y.h' 'draw/y.h: explorer/state/s.h' 'explorer/state/s.h: work/machine.h' 'work/machine.h: collect/source.h' \
	'base/str.h: /* */' "$door"
fires "cli sees through work" 'cli/x.c:1: sees collect/store/s.h through work/files/f.h' \
	'cli/x.c: work/files/f.h' 'work/files/f.h: collect/store/s.h' 'collect/store/s.h: /* */'
fires "cli may, through the types of runs" '' \
	'cli/x.c: work/run/live.h' 'work/run/live.h: collect/source.h' "$door"
fires "rooms of core" 'core/udd/x.c:1: core/udd may not include core/cone' 'core/udd/x.c: core/cone/cone.h'
fires "rooms of core, through a header" 'core/cone/x.c:1: sees core/stats/m.h through core/udd/y.h' \
	'core/cone/x.c: core/udd/y.h' 'core/udd/y.h: core/stats/m.h' 'core/stats/m.h: /* */'
fires "rooms of collect" 'collect/proc/x.c:1: collect/proc may not include collect/perf' 'collect/proc/x.c: collect/perf/y.h'
fires "collect itself" 'collect/x.c:1: collect itself may not include collect/perf' 'collect/x.c: collect/perf/y.h'
fires "rooms of collect, through a header" 'collect/import/x.c:1: sees collect/perf/y.h through collect/source.h' \
	'collect/import/x.c: collect/source.h' 'collect/source.h: collect/perf/y.h' 'collect/perf/y.h: /* */'
fires "rooms of work" 'work/analysis/x.c:1: work/analysis may not include work/search' 'work/analysis/x.c: work/search/y.h'
fires "work itself" 'work/x.c:1: work itself may not include work/run' 'work/x.c: work/run/run.h'
fires "work needs no explorer" 'work/run/x.c:1: work/ may not include explorer/' 'work/run/x.c: explorer/state/state.h'
fires "rooms of explorer" 'explorer/state/x.c:1: explorer/state may not include explorer/control' 'explorer/state/x.c: explorer/control/y.h'
fires "rooms of work, through a header" 'work/timeline/x.c:1: sees work/run/run.h through work/machine.h' \
	'work/timeline/x.c: work/machine.h' 'work/machine.h: work/run/run.h' 'work/run/run.h: /* */'
fires "the simulated machine and models" 'sim/x.c:1: the simulated machine may not include core/udd' \
	'sim/x.c: core/udd/model.h'
fires "the simulated machine and the real one" 'sim/x.c:1: the simulated machine may not include collect/perf' \
	'sim/x.c: collect/perf/y.h'
fires "the same through a header" 'sim/x.c:1: sees core/udd/model.h through core/obs/y.h' \
	'sim/x.c: core/obs/y.h' 'core/obs/y.h: core/udd/model.h' 'core/udd/model.h: /* */'
fires "the truth in a session file" 'work/analysis/x.c:1: may not read the truth' 'work/analysis/x.c: SESSION_TABLE_TRUTH'
fires "the truth of the machine" 'work/analysis/x.c:1: may not read the truth' 'work/analysis/x.c: sim/truth.h'
fires "the same through a header" 'work/search/x.c:1: sees sim/truth.h through collect/source.h' \
	'work/search/x.c: collect/source.h' 'collect/source.h: sim/truth.h' 'sim/truth.h: /* */'
fires "a library's header" 'core/verdict/x.c:1: may not see <glpk.h>' 'core/verdict/x.c: #include <glpk.h>'
fires "the same through a header" 'collect/x.c:1: sees perfmon/pfmlib.h through collect/perf/y.h' \
	'collect/x.c: collect/perf/y.h' 'collect/perf/y.h: #include <perfmon/pfmlib.h>'
fires "a part of the state" "draw/x.c:1: may not write the state's view" 'draw/x.c: if (f) s->view.now = 1;'
fires "the same under its own name" "draw/x.c:1: may not write the state's view" 'draw/x.c: if (f) state->view.now = 1;'
fires "views" 'draw/view/paths/x.c:1: only draw/view/stalls and draw/view/popups may include draw/view/stalls/y.h' \
	'draw/view/paths/x.c: draw/view/stalls/y.h'
fires "popups" 'draw/view/paths/x.c:1: only draw/view/view.c may include draw/view/popups/y.h' \
	'draw/view/paths/x.c: draw/view/popups/y.h'
fires "draw and its views" 'draw/x.c:1: draw itself may not include draw/view' 'draw/x.c: draw/view/y.h'
fires "a source file" 'base/x.c:1: includes a source file' 'base/x.c: #include "base/y.c"'
fires "a folder above" 'base/x.c:1: no .. in an include' 'base/x.c: ../base/y.h'
fires "angles" 'base/x.c:1: write project headers in quotes' 'base/x.c: #include <base/y.h>'
fires "no layer" 'base/x.c:1: write the layer too' 'base/x.c: y.h'
fires "its own header" 'base/x.c:1: its own header base/x.h must come first' 'base/x.c: #include <stdio.h>; base/x.h' 'base/x.h: /* */'
echo "1..$n"
