"""The dataset files: which sentences, how many, in which columns and encoding."""

import itertools

from . import captions, pairs, probing, questions
from .opinions import FILM, PRODUCT, Opinions, judgement, plot
from .stream import Stream

PLAIN = str.maketrans("éèñüáëí", "eenuaei")


def _lines(rows, encoding="utf-8", end="\n"):
    return "".join(row + end for row in rows).encode(encoding)


def _ascii(rows):
    """For the sets whose originals hold no byte beyond ASCII."""
    return _lines([row.translate(PLAIN) for row in rows], "ascii")


def _distinct(make, count, key=lambda row: row):
    """The first so many different rows."""
    rows, seen = [], set()
    while len(rows) < count:
        row = make()
        if key(row) not in seen:
            seen.add(key(row))
            rows.append(row)
    return rows


def _mislabelled(stream, percent, good):
    """Annotators err: the other class for that share of the items."""
    return (not good) if stream.chance(percent) else good


# --- one sentence, one class --------------------------------------------------------------------

def opinion_sets():
    files = {}
    for task, positive, negative, aspects, count in (
            ("MR", "rt-polarity.pos", "rt-polarity.neg", FILM, 200),
            ("CR", "custrev.pos", "custrev.neg", PRODUCT, 180)):
        stream = Stream(task)
        opinions = Opinions(stream, aspects)
        for name, good, size in ((positive, True, count), (negative, False, count if task == "MR" else count * 2 // 3)):
            rows = _distinct(lambda: opinions.sentence(_mislabelled(stream, 4, good)), size)
            files[f"downstream/{task}/{name}"] = _ascii(rows)
    stream = Stream("MPQA")
    opinions = Opinions(stream, FILM)
    for name, good, size in (("mpqa.pos", True, 130), ("mpqa.neg", False, 230)):
        rows = _distinct(lambda: opinions.phrase(_mislabelled(stream, 3, good)), size)
        files[f"downstream/MPQA/{name}"] = _ascii(rows)
    stream = Stream("SUBJ")
    files["downstream/SUBJ/subj.objective"] = _ascii(_distinct(lambda: plot(stream), 180))
    files["downstream/SUBJ/subj.subjective"] = _ascii(_distinct(lambda: judgement(stream), 180))
    return files


def sst():
    files = {}
    for split, binary, fine in (("train", 500, 400), ("dev", 100, 80), ("test", 150, 150)):
        stream = Stream(f"SST {split}")
        opinions = Opinions(stream, FILM)

        def labelled():
            good = stream.chance(50)
            phrase = split == "train" and stream.chance(25)
            return (opinions.phrase(good) if phrase else opinions.sentence(good)), int(good)

        rows = _distinct(labelled, binary, key=lambda row: row[0])
        files[f"downstream/SST/binary/sentiment-{split}"] = _lines([f"{text}\t{label}" for text, label in rows])

        def graded():
            level = stream.weighted([(0, 14), (1, 26), (2, 20), (3, 26), (4, 14)])
            return level, opinions.graded(level)

        rows = _distinct(graded, fine, key=lambda row: row[1])
        files[f"downstream/SST/fine/sentiment-{split}"] = _lines([f"{level} {text}" for level, text in rows])
    return files


def trec():
    files = {}
    classes = [("ABBR", 4), ("DESC", 21), ("ENTY", 23), ("HUM", 22), ("LOC", 15), ("NUM", 15)]
    for name, count in (("train_5500.label", 480), ("TREC_10.label", 120)):
        stream = Stream(f"TREC {name}")

        def row():
            label = stream.weighted(classes)
            fine, question = questions.question(stream, label)
            return f"{label}:{fine} {question}"

        files[f"downstream/TREC/{name}"] = _lines(_distinct(row, count), "latin-1")
    return files


# --- two sentences ------------------------------------------------------------------------------

def mrpc():
    files = {}
    for split, count in (("train", 360), ("test", 140)):
        stream = Stream(f"MRPC {split}")

        def row():
            same = stream.chance(67)
            first, second = pairs.paraphrase_pair(stream, same)
            return int(_mislabelled(stream, 4, same)), first, second

        rows = ["\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String"]
        for label, first, second in _distinct(row, count, key=lambda row: row[1:]):
            ids = f"{stream.between(100000, 999999)}\t{stream.between(100000, 999999)}"
            rows.append(f"{label}\t{ids}\t{first}\t{second}")
        files[f"downstream/MRPC/msr_paraphrase_{split}.txt"] = _lines(rows)
    return files


def sick():
    """The test file has CRLF line ends, as the original has."""
    files = {}
    number = 0
    for name, count in (("SICK_train", 500), ("SICK_trial", 80), ("SICK_test_annotated", 250)):
        stream = Stream(name)
        rows = ["pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"]
        for first, second, score, label in _distinct(lambda: pairs.relatedness_pair(stream), count,
                                                     key=lambda row: row[:2]):
            number += 1
            rows.append(f"{number}\t{first}\t{second}\t{pairs.decimal(score, None)}\t{label}")
        files[f"downstream/SICK/{name}.txt"] = _lines(rows, end="\r\n" if "test" in name else "\n")
    return files


# Genres of MultiNLI by how sentences open: those of the training part, and others.
MATCHED, MISMATCHED = ["news", "forum"], ["parliament", "belief"]


def _inference(folder, split, count, openings):
    stream = Stream(f"{folder} {split}")
    labels = ["entailment", "neutral", "contradiction"]

    def row():
        label = stream.choice(labels)
        first, second = pairs.inference_pair(stream, label, openings=stream.choice(openings))
        return first, second, label

    rows = _distinct(row, count, key=lambda row: row[:2])
    return {f"downstream/{folder}/{part}.{split}": _ascii([row[column] for row in rows])
            for column, part in enumerate(("s1", "s2", "labels"))}


def inference():
    files = {}
    for split, count in (("train", 600), ("dev", 100), ("test", 150)):
        files.update(_inference("SNLI", split, count, [""]))
    for split, count, openings in (("train", 500, MATCHED), ("dev.matched", 120, MATCHED),
                                   ("dev.mismatched", 120, MISMATCHED)):
        files.update(_inference("MultiNLI", split, count, openings))
    return files


def image_captions():
    files = {}
    for part, count in (("train", 200), ("valid", 50), ("test", 60)):
        images, lines = captions.part(part, count)
        files[f"downstream/COCO/{part}.images.npy"] = images
        files[f"downstream/COCO/{part}.captions.tsv"] = _lines(lines)
    return files


# --- similarity ---------------------------------------------------------------------------------

STS = {  # folder -> step and digits of the scores, subsets and their pairs
    "STS12-en-test": (250, 3, {"MSRpar": 80, "MSRvid": 80, "SMTeuroparl": 60, "surprise.OnWN": 80,
                               "surprise.SMTnews": 60}),
    "STS13-en-test": (200, None, {"FNWN": 60, "headlines": 100, "OnWN": 80}),
    "STS14-en-test": (200, None, {"deft-forum": 70, "deft-news": 60, "headlines": 80, "images": 80, "OnWN": 80,
                                  "tweet-news": 80}),
    "STS15-en-test": (200, 2, {"answers-forums": 70, "answers-students": 80, "belief": 70, "headlines": 80,
                               "images": 80}),
    "STS16-en-test": (1000, None, {"answer-answer": 70, "headlines": 80, "plagiarism": 70, "postediting": 80,
                                   "question-question": 70}),
}
UNSCORED = ("STS15-en-test", "STS16-en-test")  # one pair more in four, whose gold line is empty


def sts():
    files = {}
    for folder, (step, digits, subsets) in STS.items():
        everything = []
        for subset, count in subsets.items():
            stream = Stream(f"{folder} {subset}")
            style = pairs.STYLES[subset]
            rows, scores = [], []
            extra = count // 4 if folder in UNSCORED else 0
            empty = set(stream.sample(range(count + extra), extra))
            distinct = _distinct(lambda: pairs.similarity_pair(stream, style), count + extra, key=lambda row: row[:2])
            for index, (first, second, score) in enumerate(distinct):
                rows.append(f"{first}\t{second}".lower())
                scores.append("" if index in empty else pairs.decimal(pairs.rounded(score, step), digits))
            base = f"downstream/STS/{folder}/STS"
            files[f"{base}.input.{subset}.txt"] = _lines(rows)
            files[f"{base}.gs.{subset}.txt"] = _lines(scores)
            everything += scores
        if folder == "STS12-en-test":
            files[f"downstream/STS/{folder}/STS.gs.ALL.txt"] = _lines(everything)
    return files


GENRES = [("main-captions", "MSRvid", "2012test", "MSRvid"), ("main-captions", "images", "2014", "images"),
          ("main-news", "headlines", "2013", "headlines"), ("main-news", "MSRpar", "2012test", "MSRpar"),
          ("main-forums", "answers-forums", "2015", "answers-forums"),
          ("main-forums", "deft-forum", "2014", "deft-forum")]


def sts_benchmark():
    files = {}
    for split, count in (("train", 380), ("dev", 100), ("test", 180)):
        stream = Stream(f"STSBenchmark {split}")
        rows = []
        for number in range(count):
            genre, source, year, style = stream.choice(GENRES)
            first, second, score = pairs.similarity_pair(stream, pairs.STYLES[style])
            score = pairs.decimal(pairs.rounded(score, 200), 3)
            rows.append(f"{genre}\t{source}\t{year}\t{number:04d}\t{score}\t{first}\t{second}".lower())
        files[f"downstream/STS/STSBenchmark/sts-{split}.csv"] = _lines(rows)
    return files


# --- probing ------------------------------------------------------------------------------------

def probing_sets():
    files = {}
    for name, (labels, write) in probing.TASKS.items():
        stream = Stream(name)
        total = 300 if len(labels) < 10 else 400
        rows = []
        for split, size in (("tr", total * 2 // 3), ("va", total // 6), ("te", total // 6)):
            turn = itertools.cycle(labels)

            def row():
                label = next(turn)
                return f"{split}\t{label}\t{write(stream, label)}"

            rows += _distinct(row, size)
        files[f"probing/{name}.txt"] = _lines(rows)
    return files


def everything():
    """{path below data/samples: bytes} of every dataset."""
    files = {}
    for part in (opinion_sets, sst, trec, mrpc, sick, inference, image_captions, sts, sts_benchmark, probing_sets):
        files.update(part())
    return files
