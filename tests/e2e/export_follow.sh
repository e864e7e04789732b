#!/bin/sh
# hecate export --follow: each row arrives once, in a file, a pipe, at a server that is away, busy or killed, and after
# the export itself was killed. InfluxDB itself is asked where it is installed.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
cat >server.py <<'PY'
"""server.py FILE: writes its port to FILE.port, appends what it takes to FILE; answers by turns as FILE.answers says."""
import http.server, os, sys
out = sys.argv[1]
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"]))
        answers = open(out + ".answers").read().split() if os.path.exists(out + ".answers") else []
        code = int(answers[0]) if answers else 204
        open(out + ".answers", "w").write(" ".join(answers[1:]))
        if code == 204:
            open(out, "ab").write(text)
        self.send_response(code)
        self.end_headers()
        if code != 204:
            self.wfile.write(b"no \x1b[31m room\nmore")
    def log_message(self, *a):
        pass
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Handler)
open(out + ".port.new", "w").write(str(server.server_port))
os.rename(out + ".port.new", out + ".port")
server.serve_forever()
PY
cat >grow.py <<'PY'
"""grow.py FILE COUNT: a CSV of COUNT rows."""
import sys
with open(sys.argv[1], "w") as f:
    f.write("observation,time,a,b\n")
    for i in range(int(sys.argv[2])):
        f.write(f"run,{1700000000 + i},{1000 + i},{2 * i}\n")
PY
wait_for() { # wait_for FILE: for 20 s at most
	i=0
	while [ ! -s "$1" ] && [ $i -lt 200 ]; do sleep 0.1; i=$((i + 1)); done
}
whole() { "$HECATE" export "$1" --line-protocol | sort; } # what must arrive

# A run that ends: all its rows, and none again.
python3 grow.py rows.csv 3000
"$HECATE" import -q -o rows.hct rows.csv
timeout 60 "$HECATE" export rows.hct --follow --line-protocol -I 50 -o rows.txt 2>/dev/null &
export=$!
i=0
while [ "$(cat rows.txt 2>/dev/null | wc -l)" -lt 6000 ] && [ $i -lt 200 ]; do sleep 0.1; i=$((i + 1)); done
kill $export
wait $export 2>/dev/null
is "a file: every row" "$(sort rows.txt)" "$(whole rows.hct)"
printf 'half a li' >>rows.txt # as a kill between writing and keeping leaves it
python3 grow.py more.csv 500
"$HECATE" import -q -o rows.hct more.csv
timeout -s INT 2 "$HECATE" export rows.hct --follow --line-protocol -I 50 -o rows.txt 2>/dev/null
is "  after a kill: what comes later, and nothing twice" "$(sort rows.txt)" "$(whole rows.hct)"
echo mine >other.txt
status 2 "$HECATE" export rows.hct --follow --line-protocol -o other.txt
has "  another's file is left alone" "$err" 'other.txt exists, and this session was not sent to it'
is "  with what it has" "$(cat other.txt)" mine
mkfifo pipe
cat pipe >piped.txt &
timeout -s INT 2 "$HECATE" export rows.hct --follow --line-protocol -I 50 -o pipe 2>/dev/null
wait
is "a pipe: every row" "$(sort piped.txt)" "$(whole rows.hct)"
timeout -s INT 2 "$HECATE" export rows.hct --follow --line-protocol -I 50 >printed.txt 2>/dev/null
is "standard output: every row" "$(sort printed.txt)" "$(whole rows.hct)"
timeout -s INT 2 "$HECATE" export rows.hct --follow --line-protocol -I 50 >printed.txt 2>/dev/null
is "  each time" "$(sort printed.txt)" "$(whole rows.hct)"
has "--follow alone: what is missing" "$("$HECATE" export rows.hct --follow 2>&1)" 'needs --line-protocol or --prometheus'
has "sums to standard output: where they can go" "$("$HECATE" export rows.hct --follow --prometheus 2>&1)" 'needs a file or an address'

# A server: away at first, busy, then there; killed and started again. The export is killed in between, too.
python3 server.py got >/dev/null 2>&1 &
server=$!
wait_for got.port
if [ ! -s got.port ]; then
	skip "a server" "no port to listen at"
	done_testing
	exit
fi
port=$(cat got.port)
kill $server
wait $server 2>/dev/null
timeout -s INT 3 "$HECATE" export rows.hct --follow --line-protocol -I 50 -o "http://127.0.0.1:$port/write" 2>err.txt
has "no server: said once, with what waits" "$(cat err.txt)" ' rows wait in rows.hct'
is "  once" "$(grep -c 'wait in' err.txt)" 1
has "  and how to go on" "$(cat err.txt)" 'were not sent; the same command sends them'
echo 503 429 >got.answers
python3 server.py got "$port" >/dev/null 2>&1 &
server=$!
timeout -s KILL 2 "$HECATE" export rows.hct --follow --line-protocol -I 50 -o "http://127.0.0.1:$port/write" 2>/dev/null
"$HECATE" import -q -o rows.hct more.csv
timeout -s INT 6 "$HECATE" export rows.hct --follow --line-protocol -I 50 -o "http://127.0.0.1:$port/write" 2>/dev/null
is "a server that was away and busy, an export that was killed: no line is lost" "$(sort -u got)" "$(whole rows.hct | sort -u)"
# A kill between the server's answer and the note of it sends a batch again; a line has its time, so a database has it once.
echo 400 >got.answers
"$HECATE" import -q -o rows.hct more.csv
status 2 timeout 20 "$HECATE" export rows.hct --follow --line-protocol -I 50 -o "http://127.0.0.1:$port/write"
has "a server that refuses: the end, with what it said" "$err" '/write answers 400: no .*31m room'
is "  without its control characters" "$(printf %s "$err" | tr -d '\n' | LC_ALL=C grep -c '[[:cntrl:]]')" 0
timeout -s INT 2 "$HECATE" export rows.hct --follow --prometheus -I 50 -o "http://127.0.0.1:$port/metrics/job/hecate" 2>/dev/null
has "sums for a server" "$(tail -n 4 got)" '^hecate_event_counts_total'
timeout -s INT 2 "$HECATE" export rows.hct --follow --prometheus -I 50 -o sums.prom 2>/dev/null
is "sums in a file, which is whole at any time" "$(cat sums.prom)" "$("$HECATE" export rows.hct --prometheus)"
kill $server
wait $server 2>/dev/null

# A recording that ends ends its export.
"$HECATE" record -q -o live.hct -m linux-page-faults -I 50 -- sleep 1 2>/dev/null
if [ -s live.hct ]; then
	status 0 timeout 20 "$HECATE" export live.hct --follow --line-protocol -I 50 -o live.txt
	is "a run that ended ends the export" "$(sort live.txt)" "$(whole live.hct)"
else
	skip "a run that ended ends the export" "nothing can be counted here"
fi

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
# The servers themselves.
influxdb() {
	port=$(free_port) other=$(free_port)
	cat >influx.conf <<X
reporting-disabled = true
bind-address = "127.0.0.1:$other"
[meta]
dir = "$tmp/influx/meta"
[data]
dir = "$tmp/influx/data"
wal-dir = "$tmp/influx/wal"
[http]
bind-address = "127.0.0.1:$port"
log-enabled = false
X
	ask() { python3 -c 'import json, sys, urllib.parse, urllib.request as r
print(r.urlopen(f"http://127.0.0.1:{sys.argv[1]}/query?db=h", urllib.parse.urlencode({"q": sys.argv[2]}).encode(), 10).read().decode())' "$port" "$1" 2>/dev/null; }
	influx() {
		influxd -config influx.conf >influx.log 2>&1 &
		server=$!
		i=0
		until ask 'CREATE DATABASE h' | grep -q results || [ $i -ge 100 ]; do sleep 0.2; i=$((i + 1)); done
	}
	influx
	timeout 25 "$HECATE" export rows.hct --follow --line-protocol -I 50 -o "http://127.0.0.1:$port/write?db=h" 2>/dev/null &
	export=$!
	sleep 1
	kill -9 $server
	wait $server 2>/dev/null
	python3 grow.py more.csv 1500
	"$HECATE" import -q -o rows.hct more.csv
	sleep 1
	influx
	want=$(whole rows.hct | wc -l) i=0
	counted() { ask 'SELECT COUNT(counts) FROM hecate_event' | python3 -c 'import json, sys; print(json.load(sys.stdin)["results"][0].get("series", [{"values": [[0, 0]]}])[0]["values"][0][1])' 2>/dev/null; }
	while [ "$(counted)" != "$want" ] && [ $i -lt 100 ]; do sleep 0.2; i=$((i + 1)); done
	is "InfluxDB has each row once, though it was killed meanwhile" "$(counted)" "$want"
	kill $export
	wait $export 2>/dev/null
	kill $server
	wait $server 2>/dev/null
}
if ! command -v influxd >/dev/null; then
	skip "InfluxDB has each row once" "influxd is not installed"
else
	influxdb
fi
prometheus_asks() {
	page=$(free_port) port=$(free_port)
	mkdir -p page
	cp sums.prom page/metrics
	(cd page && exec python3 -m http.server --bind 127.0.0.1 "$page") >/dev/null 2>&1 &
	server=$!
	printf 'global: {scrape_interval: 200ms, scrape_timeout: 200ms}\nscrape_configs: [{job_name: h, static_configs: [{targets: ["127.0.0.1:%s"]}]}]\n' "$page" >prometheus.yml
	prometheus --config.file=prometheus.yml --storage.tsdb.path=prometheus --web.listen-address="127.0.0.1:$port" >prometheus.log 2>&1 &
	prometheus=$!
	i=0
	until has=$(python3 -c 'import json, sys, urllib.request as r
print(sum(int(m["value"][1]) for m in json.load(r.urlopen(f"http://127.0.0.1:{sys.argv[1]}/api/v1/query?query=hecate_event_counts_total", timeout=10))["data"]["result"]) or "")' "$port" 2>/dev/null) && [ -n "$has" ] || [ $i -ge 100 ]; do
		sleep 0.2
		i=$((i + 1))
	done
	is "Prometheus has the sums" "$has" "$(awk '/^hecate_event_counts_total/ { sum += $NF } END { print sum }' sums.prom)"
	kill $prometheus $server
	wait $prometheus $server 2>/dev/null
}
if command -v prometheus >/dev/null; then
	prometheus_asks
else
	skip "Prometheus has the sums" "prometheus is not installed"
fi
done_testing
