#!/usr/bin/env python3
"""watch_test.py BUILD -- checkpoints of a training that a script loads: lines, files, what is chosen, and Ctrl-C."""
import csv
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ.get("SENTEVAL_PROGRAM") or pathlib.Path(sys.argv[1]) / "senteval"
SCRIPT = """
import json, math, pathlib, random
def prepare(params, samples):
    params.noise = json.loads((pathlib.Path(params.model) / "config.json").read_text())["noise"]
def batcher(params, batch):
    vectors = []
    for sentence in batch:
        vector = [0.0] * 12
        for word in sentence:
            draw = random.Random(word)
            vector = [old + draw.gauss(0, 1) for old in vector]
        draw = random.Random(" ".join(sentence) + str(params.noise))
        vectors.append([value + params.noise * draw.gauss(0, 1) for value in vector])
    return vectors
"""


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def records(data):
    """The records of an event file, whose checksums are checked."""
    assert crc32c(b"123456789") == 0xE3069283
    while data:
        length, = struct.unpack("<Q", data[:8])
        for part, at in ((data[:8], 8), (data[12:12 + length], 12 + length)):
            crc = crc32c(part)
            assert struct.unpack("<I", data[at:at + 4])[0] == ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
        yield data[12:12 + length]
        data = data[16 + length:]


def fields(message):
    """Protocol Buffers' fields: {number: [value]}."""
    found, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte, at, = message[at], at + 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(message):
        key = varint()
        if key & 7 == 0:
            value = varint()
        else:
            size = {1: 8, 5: 4}.get(key & 7) or varint()
            value, at = message[at:at + size], at + size
        found.setdefault(key >> 3, []).append(value)
    return found


def scalars(path):
    events = [fields(one) for one in records(path.read_bytes())]
    assert events[0][3] == [b"brain.Event:2"]
    found = {}
    for event in events[1:]:
        value = fields(fields(event[5][0])[1][0])
        found[value[1][0].decode(), event[2][0]] = struct.unpack("<f", value[2][0])[0]
    return found


def save(folder, noise, step):
    path = folder / f"runs/exp7/checkpoint-{step}"
    path.mkdir(parents=True)
    (path / "config.json").write_text(json.dumps({"noise": noise}))
    (path / "trainer_state.json").write_text(json.dumps({"epoch": step / 100}))


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "script.py").write_text(SCRIPT)
        words = [f"word{at}" for at in range(40)]
        with open(folder / "pairs.jsonl", "w") as file:
            for at in range(120):
                first = [words[(at * 7 + i * i) % 40] for i in range(6)]
                second = first[:at % 7] + [words[(at * 11 + i) % 40] for i in range(6 - at % 7)]
                file.write(json.dumps({"a": " ".join(first), "b": " ".join(second), "score": at % 7}) + "\n")
        (folder / "own.toml").write_text('[[task]]\nname = "Pairs"\nprotocol = "similarity"\ntest = "pairs.jsonl"\n'
                                         'first = "a"\nsecond = "b"\ntarget = "score"\ntokenise = "none"\n')
        files = ["--csv", folder / "w.csv", "--tensorboard", folder / "tb"]
        command = [PROGRAM, "watch", folder / "runs/exp7", folder / "own.toml", "--output", folder / "results", "--encoder", "python",
                   "--set", f"script={folder / 'script.py'}", "--set", "args=model={}"]

        def run(*more, code=0):
            done = subprocess.run([*map(str, command), *map(str, more)], capture_output=True, text=True, check=False)
            assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
            return done.stdout

        run("--once", code=2)  # there is no folder
        for step, noise in ((100, 20), (200, 1), (1000, 1.01)):
            save(folder, noise, step)
        (folder / "runs/exp7/1_Pooling").mkdir()
        (folder / "runs/exp7/1_Pooling/config.json").write_text("{}")
        lines = run("--once", *files).splitlines()
        assert [line.split(":")[0] for line in lines] == [f"exp7/checkpoint-{step}" for step in (100, 200, 1000)], lines
        assert lines[1].endswith("checkpoint-100: better") and "better" not in lines[2] and "checkpoint-200" in lines[2], lines
        rows = list(csv.DictReader(open(folder / "w.csv")))
        assert [(row["epoch"], row["steps"]) for row in rows] == [("1", "100"), ("2", "200"), ("10", "1000")], rows
        stored = {}
        for path in (folder / "results").glob("*/*.json"):
            document = json.loads(path.read_text())
            stored[document["encoder"]["label"]] = document["metrics"]
        tags = scalars(folder / "tb/events.out.tfevents.0.exp7")
        for row in rows:
            value = stored[f"exp7/checkpoint-{row['steps']}"]["spearman"]
            assert float(row["spearman"]) == value
            assert abs(tags["senteval/spearman", int(row["steps"])] - value) < 1e-6
        assert run("--once").splitlines() == lines  # kept
        chosen = run("--choose").splitlines()
        assert chosen[-3].endswith("exp7/checkpoint-200, exp7/checkpoint-1000") and chosen[-2].endswith("exp7/checkpoint-200"), chosen
        subprocess.run([PROGRAM, "report", folder / "results", "-o", folder / "r.html"], check=True, capture_output=True)
        curve = (folder / "r.html").read_text().split('<section id="curve"')[1].split("</section>")[0]
        assert curve.count("<circle") == 3 and curve.count('class="whisker"') == 3, curve
        save(folder, 1, 400)
        (folder / "runs/exp7/checkpoint-400/config.json").write_text("{")  # half-written
        assert run("--once", code=1).splitlines() == lines
        shutil.rmtree(folder / "runs/exp7/checkpoint-400")
        (folder / "runs/exp7/checkpoint-1000/config.json").write_text('{"noise": 3}')
        changed = run("--once").splitlines()  # what it was before is no checkpoint
        assert changed[:2] == lines[:2] and changed[-1].split(" ")[0] == lines[2].split(" ")[0] and changed[-1] != lines[2], changed
        (folder / "runs/exp7/checkpoint-1000/config.json").write_text('{"noise": 1.01}')
        run("--once")
        before = (folder / "tb/events.out.tfevents.0.exp7").read_bytes()
        shutil.move(folder / "runs/exp7/checkpoint-100", folder / "moved")  # as trainers do that keep a few
        shown = run("--once", *files).splitlines()
        assert shown == lines[1:] and len(list(csv.DictReader(open(folder / "w.csv")))) == 3, shown
        shutil.move(folder / "moved", folder / "runs/exp7/checkpoint-100")
        last = folder / "runs/exp7/last"  # written again and again
        for step, noise in ((1500, .5), (1600, .4)):
            save(folder, noise, step)
            shutil.rmtree(last, ignore_errors=True)
            shutil.move(folder / f"runs/exp7/checkpoint-{step}", last)
            (last / "trainer_state.json").write_text(json.dumps({"epoch": step / 100, "global_step": step}))
            shown = run("--once", *files).splitlines()
            assert shown[-1].startswith(f"exp7/last-{step}: "), shown
        assert [row["steps"] for row in csv.DictReader(open(folder / "w.csv"))] == ["100", "200", "1000", "1500", "1600"]
        assert (folder / "tb/events.out.tfevents.0.exp7").read_bytes().startswith(before) and before
        lines = run("--once").splitlines()
        run("--once", "--by", "Other", code=2)
        watching = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        shown = [watching.stdout.readline() for _ in lines]
        assert [line.strip() for line in shown] == lines, shown
        save(folder, .1, 3000)
        began = time.monotonic()
        assert watching.stdout.readline().startswith("exp7/checkpoint-3000: ")
        assert time.monotonic() - began < 60
        watching.send_signal(signal.SIGINT)
        assert watching.wait(60) == 130, watching.stderr.read()


main()
