#!/usr/bin/env python3
"""Attacks the program from outside: crafted and mutated files, stores, servers and plugins.

    tests/attack/attack.py [--long] [--seed N] [--program build/release/senteval] [--only GROUP ...]

Every case is one run of the program. It survives where it ends by itself, with an exit code that the
manual knows, and says why where that is not 0. It is silently wrong where it ends with 0 although the
case cannot have an honest result (it was crafted so), or where what it reports is no result: no JSON, a
correlation beyond 1. The table at the end counts both; the script fails where one case does not survive
or is silently wrong, and keeps such cases in --keep DIR.

The short form is a test of the suite. The long one (some 4,000 cases, minutes) is run by hand.
"""

import argparse
import collections
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cases  # noqa: E402
import ends  # noqa: E402
import servers  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 120  # for one case: a hang, and no measurement
EXIT_CODES = {0, 1, 2}


class Attack:
    """Runs cases and counts what became of them."""

    def __init__(self, program, folder, keep):
        self.program = str(program)
        self.folder = folder
        self.keep = keep
        self.tried = collections.Counter()
        self.survived = collections.Counter()
        self.wrong = collections.Counter()
        self.refused = collections.Counter()
        self.complaints = []

    def run(self, arguments, stdin=subprocess.DEVNULL):
        """(exit code or the signal below 0, standard output, log); None in place of a code: it hung."""
        try:
            done = subprocess.run([self.program, *map(str, arguments)], stdin=stdin, cwd=self.folder,
                                  capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return None, b"", b""
        return done.returncode, done.stdout, done.stderr

    def judge(self, group, case, arguments, files=()):
        """`case.honest`: whether a result may come of it; None where either is right."""
        self.tried[group] += 1
        code, out, log = self.run(arguments)
        problem = self.problem_of(code, log)
        if problem:
            self.complain(group, case, problem, arguments, files, log)
            return
        self.survived[group] += 1
        if code != 0:
            self.refused[group] += 1
        problem = self.lie_of(case, code, out, arguments)
        if problem:
            self.wrong[group] += 1
            self.complain(group, case, problem, arguments, files, log)

    @staticmethod
    def problem_of(code, log):
        if code is None:
            return f"was not done within {SECONDS} seconds"
        if code not in EXIT_CODES:
            return f"ended with {code}"
        if code != 0 and not log.strip():
            return f"ended with {code} and said nothing"
        if any(byte < 32 and byte not in (9, 10) for byte in log):
            return "wrote control characters to its log"
        return None

    @staticmethod
    def lie_of(case, code, out, arguments):
        if code == 0 and case.honest is False:
            return "gave a result where none can be"
        if code != 0 and case.honest is True:
            return f"refused what is right, with {code}"
        if code != 0 or "--json" not in arguments:
            return None
        try:
            results = json.loads(out)["results"]
        except (ValueError, KeyError):
            return "wrote no JSON document"
        for result in results:
            for value in numbers_of(result["metrics"]):
                if not -1.0000001 <= value <= 100.0000001:
                    return f"reported {value}"
        return None

    def complain(self, group, case, problem, arguments, files, log):
        self.complaints.append(f"{group}: {case.name}: {problem}\n    {' '.join(map(str, arguments))}\n"
                               f"    {log[-300:].decode('utf-8', 'replace')}")
        if self.keep:
            place = self.keep / f"{group}-{self.tried[group]}"
            place.mkdir(parents=True, exist_ok=True)
            for file in files:
                shutil.copy(file, place)

    def report(self):
        print(f"{'group':<12}{'tried':>8}{'survived':>10}{'refused':>9}{'silently wrong':>16}")
        for group in self.tried:
            print(f"{group:<12}{self.tried[group]:>8}{self.survived[group]:>10}"
                  f"{self.refused[group]:>9}{self.wrong[group]:>16}")
        print(f"{'all':<12}{self.tried.total():>8}{self.survived.total():>10}"
              f"{self.refused.total():>9}{self.wrong.total():>16}")
        for complaint in self.complaints:
            print(complaint, file=sys.stderr)
        return 1 if self.complaints else 0


def numbers_of(metrics):
    """The numbers of a result that have a scale: of a percentage or a correlation."""
    for key, value in metrics.items():
        if isinstance(value, dict):
            yield from numbers_of(value)
        elif isinstance(value, (int, float)) and key in ("acc", "devacc", "pearson", "spearman", "mean",
                                                         "wmean", "f1"):
            yield value


def evaluation(attack, encoder, settings, tasks=("--tasks", "STS12")):
    sets = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    return ["run", "--encoder", encoder, *sets, *tasks, "--data", ROOT / "data/samples", "--limit", "20",
            "--output", attack.folder / "results", "--json", "-"]


def attack_vectors(attack, rng, many):
    """Files of word vectors, as three formats."""
    for case in cases.vectors(rng, many):
        file = attack.folder / "vectors"
        file.write_bytes(case.bytes)
        attack.judge("vectors", case, evaluation(attack, "glove", {"vectors": file}),
                     [file])


def attack_models(attack, rng, many):
    """fastText models."""
    for case in cases.models(rng, many, ROOT / "tests/attack/corpus/fasttext"):
        file = attack.folder / "model.bin"
        file.write_bytes(case.bytes)
        attack.judge("models", case, evaluation(attack, "fasttext", {"model": file}), [file])


def attack_precomputed(attack, rng, many):
    """Vectors that were made elsewhere."""
    sentences = attack.folder / "sentences.txt"
    attack.run(["sentences", "--tasks", "STS12", "--data", ROOT / "data/samples", "-o", sentences])
    lines = sentences.read_bytes().count(b"\n")
    for case in cases.precomputed(rng, many, lines):
        file = attack.folder / "emb"
        file.write_bytes(case.bytes)
        attack.judge("precomputed", case,
                     evaluation(attack, "precomputed", {"vectors": file, "sentences": sentences}), [file])


def attack_run_files(attack, rng, many):
    vectors = ROOT / "data/samples/vectors/sample.50d.txt"
    for case in cases.run_files(rng, many, ROOT / "data/samples", vectors):
        file = attack.folder / "run.toml"
        file.write_bytes(case.bytes)
        attack.judge("run files", case, ["run", file, "--output", attack.folder / "results"], [file])


def attack_data(attack, rng, many):
    """Own tasks."""
    vectors = ROOT / "data/samples/vectors/sample.50d.txt"
    for case in cases.own_data(rng, many):
        data = attack.folder / "data.tsv"
        data.write_bytes(case.bytes)
        file = attack.folder / "own.toml"
        file.write_text(f'[[encoder]]\nname = "glove"\n[encoder.parameters]\nvectors = "{vectors}"\n'
                        f'[[task]]\nname = "Own"\nprotocol = "similarity"\ntest = "{data}"\n'
                        'first = 1\nsecond = 2\ntarget = 3\n')
        attack.judge("data", case, ["run", file, "--output", attack.folder / "results", "--json", "-"],
                     [data])


def attack_stores(attack, rng, many):
    """Result stores that somebody edited, or a disk damaged."""
    store = attack.folder / "store"
    vectors = ROOT / "data/samples/vectors/sample.50d.txt"
    attack.run(["run", "--encoder", "glove", "--set", f"vectors={vectors}", "--tasks", "STS12", "--data",
                ROOT / "data/samples", "--output", store])
    document = next(store.glob("*/*.json"))
    items = next(path for path in document.parent.iterdir() if path.suffix != ".json")
    for case in cases.stores(rng, many, document.read_bytes(), items.read_bytes()):
        broken = attack.folder / "broken"
        shutil.rmtree(broken, ignore_errors=True)
        shutil.copytree(store, broken)
        damaged = document if case.part == "document" else items
        (broken / damaged.relative_to(store)).write_bytes(case.bytes)
        attack.judge("stores", case, ["compare", broken], [broken / damaged.relative_to(store)])


def attack_imports(attack, rng, many):
    for case in cases.imports(rng, many):
        file = attack.folder / "old.json"
        file.write_bytes(case.bytes)
        attack.judge("imports", case, ["import", file, "--encoder", "old", "--output",
                                       attack.folder / "imported"], [file])


def attack_servers(attack, rng, many):
    """Servers that data is fetched from; none of them has it."""
    for case in servers.cases(many):
        with servers.serving(case) as url:
            shutil.rmtree(attack.folder / "fetched", ignore_errors=True)
            attack.judge("servers", case, ["data", "fetch", "MR", "--dir", attack.folder / "fetched",
                                           "--mirror", url])


def attack_plugins(attack, _rng, many):
    """The broken plugins of tests/abi/bad, as far as the build has them."""
    built = pathlib.Path(attack.program).resolve().parent / "tests/bad_plugins"
    isolates = b"--isolate" in attack.run(["run", "--help"])[1]
    for case in cases.plugins(built, isolates, many):
        attack.judge("plugins", case, evaluation(attack, case.library, case.settings))


def attack_ends(attack, rng, many):
    """Streams that are closed or full, readers that leave, signals."""
    ends.attack_ends(attack, rng, many, ROOT)


def attack_sentences(attack, rng, many):
    """The list of sentences that vectors in a file belong to."""
    sentences = attack.folder / "sentences.txt"
    attack.run(["sentences", "--tasks", "STS12", "--data", ROOT / "data/samples", "-o", sentences])
    right = sentences.read_bytes()
    vectors = attack.folder / "right.npy"
    vectors.write_bytes(cases.npy(right.count(b"\n"), 3))
    for case in cases.sentences(rng, many, right):
        sentences.write_bytes(case.bytes)
        attack.judge("sentences", case,
                     evaluation(attack, "precomputed", {"vectors": vectors, "sentences": sentences}),
                     [sentences])


def attack_readers(attack, rng, many):
    """The published data sets, damaged."""
    data = attack.folder / "data"
    shutil.copytree(ROOT / "data/samples", data)
    vectors = ROOT / "data/samples/vectors/sample.50d.txt"
    for case in cases.datasets(rng, many, data):
        whole = case.part.read_bytes()
        case.part.write_bytes(case.bytes)
        attack.judge("readers", case, ["run", "--encoder", "glove", "--set", f"vectors={vectors}", "--tasks",
                                       case.task, "--data", data, "--limit", "20", "--allow-unverified",
                                       "--json", "-", "--output", attack.folder / "results"], [case.part])
        case.part.write_bytes(whole)


GROUPS = {"vectors": attack_vectors, "models": attack_models, "precomputed": attack_precomputed,
          "run-files": attack_run_files, "data": attack_data, "stores": attack_stores,
          "imports": attack_imports, "servers": attack_servers, "plugins": attack_plugins,
          "sentences": attack_sentences, "readers": attack_readers, "ends": attack_ends}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/senteval")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=GROUPS, default=list(GROUPS))
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the files of cases that went wrong")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="senteval-attack-") as folder:
        attack = Attack(arguments.program.resolve(), pathlib.Path(folder), arguments.keep)
        for group in arguments.only:
            GROUPS[group](attack, random.Random(f"{group} {arguments.seed}"), arguments.long)
        return attack.report()


if __name__ == "__main__":
    sys.exit(main())
