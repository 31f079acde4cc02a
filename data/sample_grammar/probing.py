"""Sentences with one linguistic property each to be read off their embedding. The labels come from the trees."""

from dataclasses import replace

from . import events, lexicon
from .wording import Wording, capitalised, depth, tokens


class Sentences:
    """Random trees of several shapes, told in one tense."""

    def __init__(self, stream):
        self.stream = stream
        self.wording = Wording(stream, 50)

    def event(self, tense=None, modifiers=20):
        return events.random_event(self.stream, tense=tense, modifiers=modifiers, negated_percent=5)

    def simple(self, event):
        return self.wording.active(event)

    def with_relative(self, event):
        """the chef who washed the pan cut the onion"""
        inner = replace(self.event(event.tense, 0), agent=event.agent)
        clause = ("SBAR", ("WP", "who"), ("S", self.wording.verb_phrase(inner)))
        agent = ("NP", self.wording.noun_phrase(event.agent), clause)
        return ("S", agent, self.wording.verb_phrase(event))

    def reported(self, event, inner=None):
        """the nurse said that ..."""
        verb = "said" if event.tense == "past" else "say"
        speaker = self.wording.noun_phrase(replace(event.agent, concept=self.stream.choice(lexicon.PEOPLE), count=0))
        clause = ("SBAR", ("IN", "that"), inner or self.simple(event))
        return ("S", speaker, ("VP", ("VBD" if event.tense == "past" else "VBP", verb), clause))

    def fronted(self, event):
        field = lexicon.DOMAIN_OF[event.domain]
        event = replace(event, place=None)
        return ("S", self.wording.place_phrase(self.stream.choice(field.places)), (",", ","),
                *self.simple(event)[1:])

    def adverbial(self, event):
        event = replace(event, manner=None)
        manner = ("ADVP", ("RB", self.wording.word(self.stream.choice(lexicon.MANNER_LIST))))
        return ("S", manner, *self.simple(event)[1:])

    def subordinate(self, event):
        other = self.event(event.tense, 10)
        lead = self.stream.choice(["when", "because", "although", "while"])
        return ("S", ("SBAR", ("IN", lead), self.simple(other)), (",", ","), *self.simple(event)[1:])

    def coordinated(self, event):
        other = self.event(event.tense, 10)
        return ("S", self.simple(event), ("CC", self.stream.choice(["and", "but", "or"])), self.simple(other))

    def conjoined(self, event):
        """begins with a conjunction"""
        return ("S", ("CC", self.stream.choice(["and", "but"])), *self.simple(event)[1:])

    def imperative(self, event):
        verb = self.wording.word(event.verb)
        return ("S", ("VP", ("VB", verb), self.wording.noun_phrase(event.patient), *self.wording.modifiers(event)))

    def question(self, event):
        plural = event.agent.plural
        helper = "did" if event.tense == "past" else "do" if plural else "does"
        return ("S", ("VBD", helper), self.wording.noun_phrase(event.agent),
                ("VP", ("VB", self.wording.word(event.verb)), self.wording.noun_phrase(event.patient),
                 *self.wording.modifiers(event)))

    def deep(self, event):
        shape = self.stream.below(4)
        if shape == 0:
            return self.reported(event, self.with_relative(event))
        if shape == 1:
            return self.reported(event, self.reported(event, self.simple(event)))
        if shape == 2:
            return self.reported(event, self.coordinated(event))
        return self.reported(event, self.reported(event, self.with_relative(event)))

    SHAPES = ("simple", "with_relative", "reported", "fronted", "adverbial", "subordinate", "coordinated",
              "conjoined", "deep", "imperative", "question")

    def shaped(self, shape, event=None):
        event = event or self.event()
        return ended(getattr(self, shape)(event), "?" if shape == "question" else ".")

    def any(self, event=None):
        return self.shaped(self.stream.weighted([("simple", 5), ("with_relative", 2), ("reported", 2), ("fronted", 2),
                                                 ("adverbial", 1), ("subordinate", 2), ("coordinated", 2)]), event)


def ended(tree, mark):
    return (*tree, (".", mark))


def sentence(tree):
    return capitalised(" ".join(tokens(tree)))


def top(tree):
    return "_".join(child[0] for child in tree[1:])


def length(stream, label):
    """Six bins of tokens: 5-8, 9-12, 13-16, 17-20, 21-25, 26-30."""
    low, high = ((5, 8), (9, 12), (13, 16), (17, 20), (21, 25), (26, 30))[int(label)]
    sentences = Sentences(stream)
    while True:
        shapes = ("simple", "adverbial", "with_relative", "fronted") if low < 12 else Sentences.SHAPES[1:9]
        tree = getattr(sentences, stream.choice(shapes))(sentences.event(modifiers=stream.choice((0, 40, 90))))
        if low > 20:
            tree = ("S", tree, ("CC", "and"), sentences.coordinated(sentences.event()))
        words = tokens(ended(tree, "."))
        if low <= len(words) <= high:
            return capitalised(" ".join(words))


CONTENT = [concept for domain in lexicon.DOMAIN_LIST for concept in domain.nouns[4:12:4]][:20]


def word_content(stream, label):
    """The sentence holds exactly one of the words asked for, and it is the label."""
    targets = {concept.words[0] for concept in CONTENT}
    concept = next(concept for concept in CONTENT if concept.words[0] == label)
    sentences = Sentences(stream)
    while True:
        event = sentences.event()
        verbs = [verb for verb in lexicon.DOMAIN_OF[concept.domain].verbs if concept.kind in verb.objects]
        if concept.kind == "person":
            thing = replace(event.agent, concept=concept, count=1)
            event = replace(event, agent=thing)
        else:
            thing = replace(event.patient, concept=concept, count=1, adjective=None)
            event = replace(event, domain=concept.domain, verb=stream.choice(verbs), patient=thing)
        words = tokens(sentences.any(event))
        if [word for word in words if word in targets] == [label]:
            return capitalised(" ".join(words))


def tree_depth(stream, label):
    sentences = Sentences(stream)
    while True:
        tree = sentences.shaped(stream.choice(Sentences.SHAPES))
        if depth(tree) == int(label):
            return sentence(tree)


TOP = {"NP_VP_.": "simple", "PP_,_NP_VP_.": "fronted", "ADVP_NP_VP_.": "adverbial", "SBAR_,_NP_VP_.": "subordinate",
       "S_CC_S_.": "coordinated", "CC_NP_VP_.": "conjoined", "VP_.": "imperative", "VBD_NP_VP_.": "question"}


def top_constituents(stream, label):
    tree = Sentences(stream).shaped(TOP[label])
    assert top(tree) == label, (top(tree), label)
    return sentence(tree)


def bigram_shift(stream, label):
    words = tokens(Sentences(stream).any())
    if label == "I":
        spots = [i for i in range(len(words) - 2) if words[i] != words[i + 1]]
        spot = stream.choice(spots)
        words[spot], words[spot + 1] = words[spot + 1], words[spot]
    return capitalised(" ".join(words))


def tense(stream, label):
    sentences = Sentences(stream)
    chosen = "past" if label == "PAST" else stream.choice(["present", "progressive"])
    return sentence(sentences.any(replace(sentences.event(chosen), time=None)))


def _number(stream, label, role):
    sentences = Sentences(stream)
    event = sentences.event()
    thing = replace(getattr(event, role), count=1 if label == "NN" else stream.choice((0, 0, 2, 3, 4)))
    return sentence(sentences.any(replace(event, **{role: thing})))


def subj_number(stream, label):
    return _number(stream, label, "agent")


def obj_number(stream, label):
    return _number(stream, label, "patient")


def odd_man_out(stream, label):
    """O: as it was; C: its verb or its object comes from another field of life."""
    sentences = Sentences(stream)
    event = sentences.event(modifiers=60)
    if label == "C":
        other = sentences.event()
        while other.domain == event.domain:
            other = sentences.event()
        role = stream.choice(["verb", "patient"])
        event = replace(event, **{role: getattr(other, role)})
    return sentence(ended(sentences.simple(event), "."))


def coordination_inversion(stream, label):
    """I: the clauses of "a did x and then she did y" are exchanged."""
    sentences = Sentences(stream)
    first = sentences.event("past")
    first = replace(first, agent=replace(first.agent, count=1))
    second = replace(events.random_event(stream, first.domain, "past", 10), agent=first.agent)
    pronoun = stream.choice(["he", "she"])
    clauses = [tokens(sentences.simple(first)),
               stream.choice([[], ["then"], ["later"]]) + [pronoun] + tokens(sentences.wording.verb_phrase(second))]
    if stream.chance(25):
        clauses[1] = tokens(sentences.simple(sentences.event("past")))
    if label == "I":
        clauses.reverse()
    return capitalised(" ".join([*clauses[0], stream.choice(["and", "but"]), *clauses[1], "."]))


TASKS = {  # file -> (labels, the function that writes a sentence for one)
    "sentence_length": ("0 1 2 3 4 5".split(), length),
    "word_content": ([concept.words[0] for concept in CONTENT], word_content),
    "tree_depth": ("4 5 6 7 8 9 10".split(), tree_depth),
    "top_constituents": (list(TOP), top_constituents),
    "bigram_shift": (["O", "I"], bigram_shift),
    "past_present": (["PAST", "PRES"], tense),
    "subj_number": (["NN", "NNS"], subj_number),
    "obj_number": (["NN", "NNS"], obj_number),
    "odd_man_out": (["O", "C"], odd_man_out),
    "coordination_inversion": (["O", "I"], coordination_inversion),
}
