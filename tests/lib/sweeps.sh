# Models and files for tests of hecate sweep. For scripts that source tap.sh.
# hasnt NAME TEXT PATTERN
hasnt() { printf '%s\n' "$2" | grep -qE -- "$3" && not_ok "$1" "a match for $3 in: $2" || ok "$1"; }
# make_sweep N: equal.udd says a = b, less.udd a <= b, any.udd nothing; runs/N.csv, of which those with even numbers have
# a < b, those that divide by 3 a > b
make_sweep() {
	mkdir runs
	printf 'model equal; counter a; counter b; path p { count a; count b; }\n' >equal.udd
	printf 'model less; counter a; counter b; path p { choose { case X: count b; case Y: count a; count b; } }\n' >less.udd
	printf 'model any; counter a; counter b; path p { choose { case X: count b; case Y: count a; } }\n' >any.udd
	for i in $(seq "$1"); do
		awk -v OFS=, -v i="$i" 'BEGIN { srand(i); print "a,b"; for (r = 0; r < 60; r++) { x = 1000 + int(rand() * 100)
			print x + (i % 3 == 0) * 40, x + (i % 2 == 0 && i % 3 != 0) * 40 } }' >runs/"$i".csv
	done
}
# some: were some verdicts kept in long.hct?
some() { [ "$(stat -c %s long.hct-wal 2>/dev/null || echo 0)" -gt 60000 ]; }
# rows: how many are in the file
rows() { python3 -c 'import sqlite3; print(sqlite3.connect("file:long.hct?mode=ro", uri=True).execute("SELECT count(*) FROM setting").fetchone()[0])'; }
# make_long_sweep: cells that take some time each: $long_models, long/*.csv
make_long_sweep() {
	mkdir long
	long_models="equal.udd less.udd any.udd"
	for i in $(seq 20); do
		awk -v OFS=, -v i="$i" 'BEGIN { srand(i); print "a,b"; for (r = 0; r < 100000; r++) { x = 1000 + int(rand() * 100); print x, x + (i % 2) * 40 } }' >long/"$i".csv
	done
}
