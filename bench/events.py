#!/usr/bin/env python3
"""Time and memory of `hecate events`, warm and cold, next to perf's own time for its list: python3 bench/events.py HECATE

Time is processor time, of perf too where it is started, so that other users of the machine do not make it look slow;
the last column is the value over its goal."""

import os
import shutil
import subprocess
import sys
import tempfile

CPU = "GenuineIntel-6-55-4"  # of which perf 6.1 knows most
RUNS, COLD_RUNS = 20, 5


def run(command, env):
    """Returns seconds of it and its children, megabytes at most, and the output's lines."""
    child = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines = child.stdout.read().decode(errors="replace").splitlines()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, lines


def row(what, value, unit, goal):
    print(f"{what:<44}{value:9.1f} {unit}   goal {goal:7.1f} {unit}   {value / goal:5.2f}")


WRAPPER = """#!/bin/sh
{perf} "$@"
status=$?
times >>{log}
exit $status
"""


def perf_seconds(log):
    """Adds up times(1p): a line of the shell around perf, and one of perf, "0m0.040000s 0m0.010000s"."""
    parts = [part.rstrip("s").split("m") for line in open(log) for part in line.split()]
    return sum(60 * float(minutes) + float(seconds) for minutes, seconds in parts), len(parts) // 4


def main():
    hecate = sys.argv[1]
    with tempfile.TemporaryDirectory() as home:
        env = dict(os.environ, XDG_CACHE_HOME=home, HECATE_CPUID=CPU, PERF_CPUID=CPU, LC_ALL="C")
        os.mkdir(f"{home}/bin")
        log = f"{home}/log"
        with open(f"{home}/bin/perf", "w", opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
            file.write(WRAPPER.format(perf=shutil.which("perf"), log=log))
        env["PATH"] = f"{home}/bin:{env['PATH']}"
        cold = []
        for i in range(COLD_RUNS):
            open(log, "w").close()
            seconds = run([hecate, "events", "walk"], dict(env, XDG_CACHE_HOME=f"{home}/{i}"))[0]
            perf, calls = perf_seconds(log)
            cold.append((seconds - perf, perf))
        run([hecate, "events", "walk"], env)
        warm = [run([hecate, "events", "walk"], env) for _ in range(RUNS)]
        known = run([hecate, "events"], env)[2]
        events = next((int(line.split()[0]) for line in known if " events, " in line), 0)
        print(f"{events} events of {CPU}; cold, perf is started {calls} times, {1e3 * min(cold)[1]:.0f} ms in all")
        least = min(seconds for seconds, _, _ in warm)
        row("warm", 1e3 * least, "ms", 50)
        row("memory", max(most for _, most, _ in warm), "MB", 20)
        row("cold, beyond perf's own time", 1e3 * min(cold)[0], "ms", 100)


main()
