"""Images that nobody ever saw: features computed from what would be on them, and five captions each."""

import struct
from dataclasses import replace

from . import events
from .stream import MASK, Stream, fingerprint
from .wording import Wording, capitalised, text

FEATURES = 48
CAPTIONS = 5


def _direction(concept):
    """Small integers that stand for a concept, half of them zero; synonyms are one concept."""
    state = fingerprint(f"image of {concept.domain} {concept.key}")
    values = []
    for _ in range(FEATURES):
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK
        values.append(max(0, (state >> 33) % 17 - 8))
    return values


def features(stream, event):
    """As the last layer of an image network: not negative, what is seen added up, with noise."""
    seen = [event.agent.concept, event.verb, event.patient.concept, event.patient.concept]
    seen += [thing.adjective for thing in (event.agent, event.patient) if thing.adjective]
    seen += [event.place] if event.place else []
    total = [sum(values) for values in zip(*map(_direction, seen))]
    return [max(0, value * 64 + stream.between(-128, 128)) / 512 for value in total]


def captions(stream, event):
    """Different ways to tell it, most of which leave something out."""
    wording = Wording(stream, 55)
    told = []
    while len(told) < CAPTIONS:
        seen = events.without_one_modifier(stream, event) if stream.chance(40) else event
        if stream.chance(20):
            seen = replace(seen, agent=replace(seen.agent, adjective=None))
        caption = capitalised(text(wording.clause(seen))) + " ."
        if caption not in told:
            told.append(caption)
    return told


def npy(rows):
    """The rows as a float32 array in NumPy's file format, version 1.0."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(rows)}, {FEATURES}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    body = b"".join(struct.pack(f"<{FEATURES}f", *row) for row in rows)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("ascii") + body


def part(name, count):
    """(bytes of the features, lines of the captions)"""
    stream = Stream(f"COCO {name}")
    images, lines = [], []
    for image in range(count):
        event = events.random_event(stream, tense="progressive", modifiers=60, negated_percent=0)
        event = replace(event, time=None)
        images.append(features(stream, event))
        lines += [f"{image}\t{caption}" for caption in captions(stream, event)]
    return npy(images), lines
