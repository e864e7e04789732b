#!/bin/sh
# trace-programs.sh FOLDER [PROGRAM…]: memory traces of real programs on small, fixed inputs, for hecate sim --trace.
# Writes FOLDER/PROGRAM.trace with valgrind's tool lackey. Each trace ends after LINES_MAX records (3000000). Programs that
# are not installed are named on standard error and left out. Without valgrind the exit status is 2. Address-space
# randomization is off (setarch -R), so the same programs give the same traces.
: "${LINES_MAX:=3000000}"
folder=${1:?usage: trace-programs.sh FOLDER [PROGRAM…]}
shift
[ $# -gt 0 ] || set -- sort gzip xz sqlite3 python3 awk bc perl cc1
command -v valgrind >/dev/null 2>&1 || { echo "trace-programs.sh: valgrind is needed to trace programs: apt-get install valgrind" >&2; exit 2; }
mkdir -p "$folder" || exit 2
export LC_ALL=C TZ=UTC PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 PERL_HASH_SEED=0
unset MAKEFLAGS
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$folder" && folder=$(pwd) && cd "$work" || exit 2
awk 'BEGIN { x = 1; for (i = 0; i < 20000; i++) { x = (x * 16807) % 2147483647; print x, "key" x % 997, "value " i } }' >text
{
	echo 'create table t(a integer, b text, c text);'
	echo 'begin;'
	awk 'NR <= 4000 { printf "insert into t values(%s,\"%s\",\"%s\");\n", $1, $2, $4 }' text | tr '"' "'"
	echo 'commit; create index i on t(b);'
	echo 'select b, count(*), sum(a) from t group by b order by 2 desc limit 5; select count(*) from t x join t y on x.b = y.b where x.a < y.a;'
} >script.sql
echo 'scale=300; 4*a(1); e(1)' >script.bc
printf '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) { char *s = calloc(1, 9); strcpy(s, "hello"); puts(s); free(s); return 0; }\n' >hello.c
cat >script.py <<'END'
words = {}
for line in open("text"):
    a, b, c, d = line.split()
    words.setdefault(b, []).append(int(a))
print(sorted((sum(v), k) for k, v in words.items())[:3])
END

# trace NAME COMMAND…
trace() {
	name=$1
	shift
	command -v "$1" >/dev/null 2>&1 || { echo "trace-programs.sh: $1 is not installed: left out" >&2; return 0; }
	echo "tracing $name" >&2
	rm -f pipe && mkfifo pipe || exit 2
	setarch -R valgrind --tool=lackey --trace-mem=yes --log-fd=9 "$@" 9>pipe >/dev/null 2>/dev/null </dev/null &
	traced=$!
	grep -v '^==' <pipe | head -n "$LINES_MAX" >"$folder/$name.part"
	# valgrind continues without a reader, and a program may catch other signals.
	kill -KILL "$traced" 2>/dev/null
	wait "$traced" 2>/dev/null
	[ -s "$folder/$name.part" ] && mv "$folder/$name.part" "$folder/$name.trace" || { rm -f "$folder/$name.part"; echo "trace-programs.sh: $name left no trace" >&2; return 1; }
}

status=0
for program; do
	case $program in
	sort) trace sort sort -k2,2 -k1,1n text ;;
	gzip) trace gzip gzip -c text ;;
	xz) trace xz xz -1 -c text ;;
	sqlite3) trace sqlite3 sqlite3 -batch -init script.sql :memory: .quit ;;
	python3) trace python3 "$(python3 -c 'import sys; print(sys.executable)')" -S -E script.py ;;
	awk) trace awk awk '{ n[$2] += $1 } END { for (k in n) s += n[k]; print s }' text ;;
	bc) trace bc bc -l script.bc ;;
	perl) trace perl perl -ne '@f = split; $n{$f[1]} += $f[0]; END { print join(",", sort { $n{$a} <=> $n{$b} } keys %n) }' text ;;
	cc1) trace cc1 "$(cc -print-prog-name=cc1)" -quiet -O2 hello.c -o hello.s ;;
	*) echo "trace-programs.sh: no program '$program': known are sort gzip xz sqlite3 python3 awk bc perl cc1" >&2; exit 2 ;;
	esac || status=1
done
exit $status
