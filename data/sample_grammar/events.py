"""Meanings: who does what to what, where and when; how alike two of them are; and how to change one."""

from dataclasses import dataclass, replace
from typing import Optional

from . import lexicon
from .lexicon import Concept


@dataclass(frozen=True)
class Thing:
    """What a noun phrase stands for. count is 1, 0 for an unnumbered plural, or 2 and more."""

    concept: Concept
    count: int = 1
    adjective: Optional[Concept] = None
    name: str = ""  # a proper name instead of the noun

    @property
    def plural(self):
        return self.count != 1


@dataclass(frozen=True)
class Event:
    """One clause's worth of meaning."""

    domain: str
    agent: Thing
    verb: Concept
    patient: Thing
    tense: str = "present"  # past, present, progressive
    negated: bool = False
    place: Optional[Concept] = None
    time: Optional[Concept] = None
    manner: Optional[Concept] = None


# The agent of questions and definitions, where nobody is named; not compared.
ANYONE = Thing(lexicon.HYPERNYMS["person"])


def random_thing(stream, concept, domain, plural_percent=30, adjective_percent=35, count_percent=8):
    count = 1
    if stream.chance(plural_percent):
        count = stream.between(2, 9) if stream.chance(count_percent * 100 // max(plural_percent, 1)) else 0
    adjective = None
    if stream.chance(adjective_percent):
        adjective = stream.affine(concept.key, lexicon.adjectives_for(concept, domain))
    return Thing(concept, count, adjective)


def random_event(stream, domain=None, tense=None, modifiers=40, negated_percent=8):
    """modifiers: percent chance of each of place, time, manner (the last two at half of it)."""
    field = lexicon.DOMAIN_OF[domain] if domain else stream.choice(lexicon.DOMAIN_LIST)
    verb = stream.choice(field.verbs)
    candidates = [noun for kind in verb.objects for noun in field.things[kind]]
    patient = stream.affine(verb.key, candidates)
    agents = field.people if stream.chance(70) else lexicon.PEOPLE
    agent = stream.affine(verb.key, agents)
    tense = tense or stream.weighted([("past", 40), ("present", 25), ("progressive", 35)])
    place = stream.affine(patient.key, field.places) if stream.chance(modifiers) else None
    times = lexicon.TIME_LIST["past" if tense == "past" else "present"]
    return Event(field.name, random_thing(stream, agent, field.name), verb,
                 random_thing(stream, patient, field.name), tense, stream.chance(negated_percent), place,
                 stream.affine(verb.key, times) if stream.chance(modifiers // 2) else None,
                 stream.affine(verb.key, lexicon.MANNER_LIST) if stream.chance(modifiers // 2) else None)


# --- likeness -----------------------------------------------------------------------------------

def concept_likeness(first, second):
    """0 .. 100: the same concept, the same kind of thing, the same field of life, nothing in common."""
    if first.key == second.key:
        return 100
    if lexicon.ANTONYMS.get(first.key) == second.key:
        return 30
    if first.kind == second.kind and first.domain == second.domain:
        return 45 if first.pos == "noun" else 35
    if first.pos == "noun" and first.kind == second.kind:
        return 35
    return 20 if first.domain == second.domain else 0


def _optional_likeness(first, second):
    if first is None or second is None:
        return 50  # said by one, left open by the other
    return concept_likeness(first, second)


def thing_likeness(first, second):
    score = 80 * concept_likeness(first.concept, second.concept)
    if first.name or second.name:
        score = 80 * (100 if first.name == second.name else 50)
    score += 10 * (100 if first.count == second.count else 30)
    if first.adjective or second.adjective:
        return (score + 10 * _optional_likeness(first.adjective, second.adjective)) // 100
    return score // 90


def event_likeness(first, second):
    """0 .. 100. Weights: agent 28, verb 32, patient 28, then what modifies them; negation takes a third."""
    total = 32 * concept_likeness(first.verb, second.verb)
    total += 28 * thing_likeness(first.patient, second.patient)
    weight = 60
    if first.agent != ANYONE:
        total += 28 * thing_likeness(first.agent, second.agent)
        weight += 28
    for role, share in (("place", 8), ("time", 5), ("manner", 5)):
        one, other = getattr(first, role), getattr(second, role)
        if one or other:
            total += share * _optional_likeness(one, other)
            weight += share
    score = total // weight
    if first.negated != second.negated:
        score = score * 2 // 3
    if (first.tense == "past") != (second.tense == "past"):
        score = score * 95 // 100
    return score


# --- change -------------------------------------------------------------------------------------

def siblings(concept, domain):
    """Other concepts that fit where this one stands."""
    field = lexicon.DOMAIN_OF[domain]
    if concept.pos == "verb":
        pool = [verb for verb in field.verbs if set(verb.objects) & set(concept.objects)]
    elif concept.kind == "person":
        pool = field.people + lexicon.PEOPLE
    elif concept.kind == "place":
        pool = field.places
    elif concept.pos == "adjective":
        pool = field.adjectives + lexicon.ADJECTIVES["thing"]
    elif concept.kind == "manner":
        pool = lexicon.MANNER_LIST
    elif concept.kind == "time":
        pool = next(times for times in lexicon.TIME_LIST.values() if concept in times)
    else:
        pool = field.things.get(concept.kind, [])
    return [other for other in pool if other.key != concept.key]


def with_sibling(stream, event, role):
    """The event with one role filled by another concept of its kind; unchanged if there is none."""
    value = getattr(event, role)
    concept = value.concept if isinstance(value, Thing) else value
    pool = siblings(concept, event.domain) if concept else []
    if role == "verb":
        pool = [verb for verb in pool if event.patient.concept.kind in verb.objects]
    if not pool:
        return event
    chosen = stream.choice(pool)
    if isinstance(value, Thing):
        chosen = replace(value, concept=chosen, name="")
    return replace(event, **{role: chosen})


def with_count(stream, event, role):
    thing = getattr(event, role)
    counts = [count for count in (0, 1, 2, 3, 4, 5) if count != thing.count]
    return replace(event, **{role: replace(thing, count=stream.choice(counts))})


def with_hypernym(event, role):
    """Says "food" for "onion"; leaves out the adjective, which might not be true of the kind."""
    thing = getattr(event, role)
    if thing.concept.kind not in lexicon.HYPERNYMS:
        return event
    return replace(event, **{role: replace(thing, concept=lexicon.HYPERNYMS[thing.concept.kind], adjective=None,
                                           name="")})


def without_modifiers(event):
    return replace(event, place=None, time=None, manner=None,
                   agent=replace(event.agent, adjective=None), patient=replace(event.patient, adjective=None))


def without_one_modifier(stream, event):
    present = [role for role in ("place", "time", "manner") if getattr(event, role)]
    return replace(event, **{stream.choice(present): None}) if present else event


def with_modifier(stream, event):
    """Adds what was not said: a place, a manner or a property."""
    field = lexicon.DOMAIN_OF[event.domain]
    if event.place is None:
        return replace(event, place=stream.choice(field.places))
    if event.manner is None:
        return replace(event, manner=stream.choice(lexicon.MANNER_LIST))
    return replace(event, patient=replace(event.patient, adjective=stream.choice(field.adjectives)))


def negation(event):
    return replace(event, negated=not event.negated)


def opposite(stream, event):
    """With the antonym of the verb or of an adjective where there is one, else negated."""
    if event.verb.key in lexicon.ANTONYMS:
        other = lexicon.BY_KEY[lexicon.ANTONYMS[event.verb.key]]
        if event.patient.concept.kind in other.objects:
            return replace(event, verb=other)
    for role in ("agent", "patient"):
        thing = getattr(event, role)
        if thing.adjective and thing.adjective.key in lexicon.ANTONYMS and stream.chance(50):
            other = lexicon.BY_KEY[lexicon.ANTONYMS[thing.adjective.key]]
            return replace(event, **{role: replace(thing, adjective=other)})
    return negation(event)


def changed(stream, event, steps):
    """The event after that many changes of a role, each to something of the same kind."""
    roles = ["verb", "patient"] + (["agent"] if event.agent != ANYONE else [])
    roles += [role for role in ("place", "time", "manner") if getattr(event, role)]
    for role in stream.sample(roles, steps):
        event = with_sibling(stream, event, role)
    return event
