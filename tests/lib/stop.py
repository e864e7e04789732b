# stop.py SECONDS COMMAND…: runs the command, and sends it SIGINT when it has a handler for that and has used so many
# seconds of a processor. Prints what it printed; exits with its status.
import os, re, signal, subprocess, sys, time
seconds = float(sys.argv[1])
p = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
caught = lambda: int(re.search(r"SigCgt:\s*(\w+)", open("/proc/%d/status" % p.pid).read())[1], 16) >> signal.SIGINT - 1 & 1
used = lambda: sum(map(int, open("/proc/%d/stat" % p.pid).read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")
while p.poll() is None and not (caught() and used() >= seconds):
    time.sleep(0.01)
p.send_signal(signal.SIGINT)
out, err = p.communicate()
sys.stderr.write(err.decode())
sys.stdout.write(out.decode())
sys.exit(p.returncode)
