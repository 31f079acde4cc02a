"""Each command with closed streams, readers that leave, full devices, and signals at random moments."""

import json
import pathlib
import shutil
import signal
import subprocess
import time

PATIENCE = 60  # seconds until something hangs; two are promised, and more are told
PROMISED = 2
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGUSR1]

STREAMS = {  # how a shell gives them, and whether standard output can take what is written
    "no standard output": (">&-", False),
    "no standard input": ("<&-", True),
    "no log": ("2>&-", True),
    "no stream at all": ("<&- >&- 2>&-", False),
    "a full standard output": (">/dev/full", False),
    "a full log": ("2>/dev/full", True),
}


def commands(attack, root):
    """Name: (arguments, what it writes, or None). `{new}` is a place for what is written."""
    data, vectors = root / "data/samples", root / "data/samples/vectors/sample.50d.txt"
    store = attack.folder / "ends"
    glove = ["--encoder", "glove", "--set", f"vectors={vectors}"]
    attack.run(["run", "-q", *glove, *glove, "--set", "pooling=max", "--tasks", "STS12,CR", "--data", data,
                "--output", store])
    old = attack.folder / "old.json"
    old.write_text('{"CR": {"devacc": 80.5, "acc": 79.25, "ndev": 3, "ntest": 3}}')
    library = pathlib.Path(attack.program).parent / "plugins/glove.so"
    return {
        "run": ["run", *glove, "--tasks", "STS12,CR,MR,STS14", "--data", data, "--output", "{new}"],
        "tasks": ["tasks", "--data", data],
        "encoders": ["encoders"],
        "inspect": ["inspect", data / "downstream/TREC/train_5500.label"],
        "check": ["check", library, "--set", f"vectors={vectors}"],
        "same": ["same", *glove[1:], *glove[1:]],
        "sentences": ["sentences", "--tasks", "STS12", "--data", data],
        "compare": ["compare", store],
        "plan-test": ["plan-test", store, "--task", "CR"],
        "report": ["report", store, "--output", "{new}"],
        "merge": ["merge", store, "--output", "{new}"],
        "export": ["export", store, "--output", "{new}"],
        "import": ["import", old, "--encoder", "old", "--output", "{new}"],
        "data list": ["data", "list"],
        "data verify": ["data", "verify", "--dir", data],
        "analyse": ["analyse", "lengths", store],
        "completion": ["completion", "bash"],
        "help": ["--help"],
        "version": ["--version"],
    }


class Ends:
    def __init__(self, attack, root):
        self.attack = attack
        self.commands = commands(attack, root)
        self.new = attack.folder / "new"
        self.usual = {}  # exit code, whether it writes to standard output, seconds
        self.usual_store = {}
        for name in self.commands:
            begin = time.monotonic()
            code, out, _ = attack.run(self.fresh(name))
            self.usual[name] = (code, bool(out), time.monotonic() - begin)

    def fresh(self, name):
        if self.new.is_dir():
            shutil.rmtree(self.new)
        else:
            self.new.unlink(missing_ok=True)
        return [str(part).replace("{new}", str(self.new)) for part in self.commands[name]]

    def content(self):
        """What a store holds, but for date and time."""
        if not self.new.is_dir():
            return {}
        found = {}
        for path in sorted(self.new.rglob("*")):
            if path.suffix == ".json":
                document = json.loads(path.read_text())
                document.pop("run", None)
                found[path.name] = json.dumps(document)
            elif path.is_file():
                found[path.name] = path.read_bytes()
        return found

    def note(self, group, name, what, problem, arguments, log=b""):
        self.attack.tried[group] += 1
        if problem is None:
            self.attack.survived[group] += 1
            return
        self.attack.complaints.append(f"{group}: {name}, {what}: {problem}\n"
                                      f"    {' '.join(map(str, arguments))}\n"
                                      f"    {log[-300:].decode('utf-8', 'replace')}")

    def streams(self, name, what):
        redirection, can_write = STREAMS[what]
        arguments = self.fresh(name)
        line = ["sh", "-c", f'exec "$@" {redirection}', "sh", self.attack.program, *arguments]
        code, writes, _ = self.usual[name]
        wanted = 1 if writes and not can_write else code
        try:
            done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, cwd=self.attack.folder,
                                  timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            self.note("streams", name, what, "hung", arguments)
            return
        problem = None if done.returncode == wanted else f"ended with {done.returncode}, not {wanted}"
        self.note("streams", name, what, problem, arguments, done.stderr)

    def reader_that_leaves(self, name):
        """As `| head -1`."""
        arguments = self.fresh(name)
        code, _, _ = self.usual[name]
        with subprocess.Popen([self.attack.program, *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              cwd=self.attack.folder) as process:
            process.stdout.readline()
            process.stdout.close()
            ended = wait(process)
        problem = None if ended in (code, 141) else f"ended with {ended}"
        self.note("early ends", name, "a reader that leaves after a line", problem, arguments)

    def signalled(self, name, number, moment):
        arguments = self.fresh(name)
        code, _, _ = self.usual[name]
        with subprocess.Popen([self.attack.program, *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              cwd=self.attack.folder) as process:
            time.sleep(moment)
            process.send_signal(number)
            begin = time.monotonic()
            ended = wait(process)
            seconds = time.monotonic() - begin
        right = {code, -number}  # it was done before, or had not begun
        if number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            right.add(130)
        problem = None
        if ended not in right:
            problem = f"ended with {ended}"
        elif ended != code and seconds > PROMISED:
            problem = f"took {seconds:.1f} s"
        what = f"{number.name} after {moment:.3f} s"
        self.note("signals", name, what, problem or self.damage(name, arguments), arguments)

    def damage(self, name, arguments):
        """What is there is whole, and a run can go on."""
        if name == "report" and self.new.exists():
            return None if self.new.read_bytes().rstrip().endswith(b"</html>") else "left half a page"
        if name != "run":
            return None
        code, _, log = self.attack.run([*arguments, "--resume"])
        if code != 0:
            return f"--resume ended with {code}: {log[-200:]!r}"
        return None if self.content() == self.usual_store else "--resume gave another store"


def wait(process):
    try:
        return process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        return None


def attack_ends(attack, rng, many, root):
    ends = Ends(attack, root)
    names = list(ends.commands) if many else ["run", "tasks", "compare"]
    for name in names:
        for what in STREAMS if many else ["no standard output", "no stream at all"]:
            ends.streams(name, what)
        ends.reader_that_leaves(name)
    if not many:
        return  # moments are for machines with nothing else to do
    attack.run(ends.fresh("run"))
    ends.usual_store = ends.content()
    for name in names:
        for number in SIGNALS:
            for _ in range(6 if name in ("run", "check", "report", "compare") else 2):
                ends.signalled(name, number, rng.uniform(0, 1.1 * ends.usual[name][2]))
