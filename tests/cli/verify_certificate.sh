#!/bin/sh
# tools/verify-certificate, which shares no code with hecate, on random models and observations, and on certificates
# that were made wrong. HECATE_SLOW: more than 10 000 certificates.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

cat >make.py <<'E2'
import json, random, subprocess, sys
hecate, verify, models, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rng = random.Random(seed)
asked = good = wrong = 0
for model in range(models):
    names = ["c%d" % i for i in range(rng.randint(3, 7))]
    vectors = []
    for _ in range(rng.randint(2, 9)):
        vectors.append([rng.choice([0, 0, 0, 1, 1, 2, 5]) for _ in names])
    with open("m.udd", "w") as f:
        f.write("model m;\ncounter %s;\n" % "; counter ".join(names))
        for i, v in enumerate(vectors):
            f.write("path p%d { %s }\n" % (i, " ".join("count %s * %d;" % c for c in zip(names, v) if c[1]) or "done;"))
    exact = rng.random() < 0.5
    with open("d.csv", "w") as f:
        f.write("observation,%s\n" % ",".join(names))
        for o in range(50):
            weight = [rng.randint(0, 1000) for _ in vectors]
            middle = [sum(w * v[c] for w, v in zip(weight, vectors)) for c in range(len(names))]
            if rng.random() < 0.9:
                middle[rng.randrange(len(names))] += rng.choice([1, 7, 400, 5000])
            for row in range(1 if exact else 30):
                noise = [0] * len(names) if exact else [rng.randint(-3, 3) for _ in names]
                f.write("o%d,%s\n" % (o, ",".join(str(max(0, m + e)) for m, e in zip(middle, noise))))
    for name, args in ("p.json", ["paths", "m.udd", "--json"]), \
            ("c.json", ["check", "m.udd", "d.csv", "--json", "-q"] + (["--exact"] if exact else [])):
        with open(name, "w") as f:
            subprocess.run([hecate] + args, stdout=f, stderr=subprocess.DEVNULL)
    said = subprocess.run([verify, "p.json", "c.json"], capture_output=True, text=True).stdout
    hold, _, all_of = said.splitlines()[-1].split()[:3]
    if int(hold) != int(all_of):
        print("model %d: %s" % (model, said))
    good += int(hold)
    asked += int(all_of)
    # One coefficient off by one, in a certificate of few: seldom the certificate of another constraint.
    check = json.load(open("c.json"))
    for o in check["observations"]:
        if o["certificate"]:
            key = rng.choice(list(o["certificate"]["coef"]))
            o["certificate"]["coef"] = {key: -abs(o["certificate"]["coef"][key])}
    json.dump(check, open("w.json", "w"))
    said = subprocess.run([verify, "p.json", "w.json"], capture_output=True, text=True).stdout
    counts_all = [c for c in range(len(names)) if any(v[c] for v in vectors)]
    wrong += int(said.splitlines()[-1].split()[0]) if len(counts_all) == len(names) else 0
print("%d of %d, and %d wrong ones" % (good, asked, wrong))
E2
models=$(rounds 40 640)
said=$(python3 make.py "$HECATE" "$TOP_SRCDIR/tools/verify-certificate" $models 1)
echo "# $said"
has "every certificate holds; none that a signature breaks does" "$said" '^([0-9]*) of \1, and 0 wrong ones$'
count=${said%% *}
check "$((models * 16)) and more were checked" test "${count:-0}" -ge $((models * 16))
status 1 "$TOP_SRCDIR/tools/verify-certificate" p.json w.json
has "what fails is named" "$out" 'm, o[0-9]*: signature [0-9]* of the model breaks it'
done_testing
