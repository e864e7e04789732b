"""kills.py HECATE KIND N SEED: kill -9 the recorder, the explorer or its engine N times, each at a random time of a run
that is sampled every 20 ms. Prints how much was lost at most, and what was wrong; exit status 1 if something was.

Lost is what lies between the last sample in the file and the kill. It may be a second, after which hecate writes, and
as long as hecate waited for a processor since that sample (/proc/PID/schedstat).
"""
import os, pty, random, shutil, signal, sqlite3, subprocess, sys, tempfile, threading, time
from concurrent.futures import ThreadPoolExecutor

HECATE, KIND, N, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
SECOND, INTERVAL, PATIENCE = 1.0, 0.02, 60


def waited(pid):
    """Seconds that the process waited for a processor so far."""
    return int(open("/proc/%d/schedstat" % pid).read().split()[1]) / 1e9


def until(true, every=0.02):
    end = time.time() + PATIENCE
    while not true():
        if time.time() > end:
            return False
        time.sleep(every)
    return True


def start(argv, folder):
    """Starts hecate, the explorer in a terminal, which a thread reads. Returns the process."""
    if KIND == "recorder":
        return subprocess.Popen(argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
    master, slave = pty.openpty()
    process = subprocess.Popen(argv, cwd=folder, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                               env=dict(os.environ, TERM="xterm", LINES="30", COLUMNS="100"))
    os.close(slave)

    def swallow():
        try:
            while os.read(master, 65536):
                pass
        except OSError:
            pass
        os.close(master)
    threading.Thread(target=swallow, daemon=True).start()
    return process


def children(pid, name):
    found = []
    for child in open("/proc/%d/task/%d/children" % (pid, pid)).read().split():
        try:
            if open("/proc/%s/comm" % child).read().strip() == name:
                found.append(int(child))
        except OSError:
            pass
    return found


def running(command):
    """The processes with this command line, which no other has."""
    return [int(pid) for pid in subprocess.run(["pgrep", "-fx", " ".join(command)], capture_output=True).stdout.split()]


def times(path, must=True):
    """When the samples in the file were taken."""
    text = subprocess.run([HECATE, "export", path, "--line-protocol"], capture_output=True, text=True)
    if text.returncode and must:
        raise RuntimeError("the file cannot be read: " + text.stderr.strip())
    return sorted({int(line.rsplit(" ", 1)[1]) / 1e9 for line in text.stdout.splitlines()
                   if line.startswith("hecate_event,")})


def attempt(number):
    """Returns the seconds that were lost, and of these what the machine was late by."""
    draw = random.Random(SEED * 1000003 + number)
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "k.hct")
    command = ["sleep", "600.%06d" % (os.getpid() % 1000 * 1000 + number)]
    with open(os.path.join(folder, "small.udd"), "w") as model:
        model.write('model small; counter f = "page-faults:u"; path p { count f; }\n')
    argv = [HECATE, "record", "-q", "-m", "./small.udd"] if KIND == "recorder" else [HECATE, "./small.udd"]
    process = start(argv + ["-o", path, "-I", "20", "--"] + command, folder)
    pid = process.pid
    try:
        if not until(lambda: os.path.exists(path) and times(path, False), 0.5):
            raise RuntimeError("no sample was written")
        waits = []  # (when, how long it had waited by then)

        def pause(seconds):
            end = time.time() + seconds
            while time.time() < end:
                waits.append((time.time(), waited(pid)))
                time.sleep(0.02)

        pause(draw.uniform(1.1, 2.3))
        if KIND == "engine":
            if not until(lambda: children(pid, "hecate-engine")):
                raise RuntimeError("there is no engine")
            engine = children(pid, "hecate-engine")[0]
            os.kill(engine, signal.SIGKILL)
            if not until(lambda: [p for p in children(pid, "hecate-engine") if p != engine]):
                raise RuntimeError("no new engine was started")
            pause(draw.uniform(1.1, 1.5))
        killed, late = time.time(), waited(pid)
        process.kill()
        process.wait()
        there = times(path)
        lost = killed - there[-1]
        check = sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0]
        if check != "ok":
            raise RuntimeError("the file is damaged: " + check)
        if not until(lambda: not running(command)):
            raise RuntimeError("the command goes on")
        return lost, late - max([by for when, by in waits if when <= there[-1]], default=0)
    finally:
        process.kill()
        process.wait()
        for left in running(command):
            os.kill(left, signal.SIGKILL)
        shutil.rmtree(folder)


most, beyond, wrong, done = 0, 0, [], 0
with ThreadPoolExecutor(min(N, int(os.environ.get("HECATE_AT_ONCE", "3")))) as pool:
    for number, future in enumerate([pool.submit(attempt, number) for number in range(N)]):
        try:
            lost, by = future.result()
            most = max(most, lost)
            beyond += lost > SECOND + INTERVAL
            if lost > SECOND + INTERVAL + by + 0.05:
                wrong.append("%d: %.2f s were lost, %.2f s of them by the machine" % (number, lost, by))
        except Exception as error:
            wrong.append("%d: %s" % (number, error))
        done += 1
        if done % 100 == 0:
            print("# %d kills of the %s" % (done, KIND), flush=True)
print("%d kills of the %s (seed %d): %.2f s lost at most, %d beyond a second on a late machine, %d wrong"
      % (done, KIND, SEED, most, beyond, len(wrong)))
for line in wrong[:20]:
    print(line)
sys.exit(bool(wrong))
