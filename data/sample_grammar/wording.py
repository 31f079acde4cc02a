"""From meanings to words: phrases as trees (label, children...), and the styles sentences are told in."""

from . import lexicon, morphology


def tokens(tree):
    """The leaves of a tree, split at spaces."""
    if isinstance(tree, str):
        return tree.split()
    return [token for child in tree[1:] for token in tokens(child)]


def depth(tree):
    return 0 if isinstance(tree, str) else 1 + max(depth(child) for child in tree[1:])


def text(tree):
    return " ".join(tokens(tree))


def capitalised(sentence):
    return sentence[:1].upper() + sentence[1:]


class Wording:
    """Chooses words. variety: percent chance to leave a concept's first word for a synonym."""

    def __init__(self, stream, variety=60):
        self.stream, self.variety = stream, variety

    def word(self, concept):
        if len(concept.words) > 1 and self.stream.chance(self.variety):
            return self.stream.choice(concept.words)
        return concept.words[0]

    def noun_phrase(self, thing, definite=None):
        if thing.name:
            return ("NP", ("NNP", thing.name))
        noun = self.word(thing.concept)
        adjective = [("JJ", self.word(thing.adjective))] if thing.adjective else []
        if definite is None:
            definite = self.stream.chance(50)
        if thing.plural:
            noun = ("NNS", morphology.plural(noun))
            if thing.count >= 2:
                lead = [("CD", lexicon.NUMBER_WORDS[thing.count - 2])]
            else:
                lead = [("DT", "the" if definite else self.stream.choice(["some", "many"]))]
        else:
            first = adjective[0][1] if adjective else noun
            lead = [("DT", "the" if definite else morphology.article(first))]
            noun = ("NN", noun)
        return ("NP", *lead, *adjective, noun)

    def place_phrase(self, place):
        noun = self.word(place)
        near = ["at", "near"] if noun in lexicon.OPEN_PLACES else ["in", "at", "near", "inside"]
        preposition = self.stream.choice(near)
        return ("PP", ("IN", preposition), ("NP", ("DT", "the"), ("NN", noun)))

    def modifiers(self, event):
        """Phrases that follow the object, in order."""
        phrases = []
        if event.manner:
            phrases.append(("ADVP", ("RB", self.word(event.manner))))
        if event.place:
            phrases.append(self.place_phrase(event.place))
        if event.time:
            phrases.append(("ADVP", ("RB", self.word(event.time))))
        return phrases

    def verb_group(self, event, plural):
        """The words before the object in the active voice."""
        base = self.word(event.verb)
        if event.tense == "progressive":
            helper = [("VBP", "are") if plural else ("VBZ", "is")]
            return helper + self._negation(event) + [("VBG", morphology.gerund(base))]
        if event.negated:
            helper = ("VBD", "did") if event.tense == "past" else ("VBP", "do") if plural else ("VBZ", "does")
            return [helper, ("RB", "not"), ("VB", base)]
        if event.tense == "past":
            return [("VBD", morphology.past(base))]
        return [("VBP", base) if plural else ("VBZ", morphology.third_person(base))]

    @staticmethod
    def _negation(event):
        return [("RB", "not")] if event.negated else []

    def verb_phrase(self, event, plural=None):
        plural = event.agent.plural if plural is None else plural
        return ("VP", *self.verb_group(event, plural), self.noun_phrase(event.patient), *self.modifiers(event))

    def active(self, event):
        return ("S", self.noun_phrase(event.agent), self.verb_phrase(event))

    def passive(self, event):
        plural = event.patient.plural
        if event.tense == "past":
            helper = [("VBD", "were") if plural else ("VBD", "was")] + self._negation(event)
        else:
            helper = [("VBP", "are") if plural else ("VBZ", "is")] + self._negation(event)
            if event.tense == "progressive":
                helper.append(("VBG", "being"))
        by = ("PP", ("IN", "by"), self.noun_phrase(event.agent))
        return ("S", self.noun_phrase(event.patient),
                ("VP", *helper, ("VBN", morphology.participle(self.word(event.verb))), by, *self.modifiers(event)))

    def existential(self, event):
        """there is a chef who is cutting the onion."""
        be = ("VBP", "are") if event.agent.plural else ("VBZ", "is")
        clause = ("SBAR", ("WP", "who"), ("S", self.verb_phrase(event)))
        return ("S", ("NP", ("EX", "there")),
                ("VP", be, ("NP", self.noun_phrase(event.agent, definite=False), clause)))

    def clause(self, event):
        """The event in one of three shapes; all mean the same."""
        shapes = [(self.active, 60), (self.passive, 25)]
        if not event.agent.name:
            shapes.append((self.existential, 15))
        return self.stream.weighted(shapes)(event)

    def plain(self, event):
        return text(self.clause(event)) + " ."

    # --- styles -------------------------------------------------------------------------------

    def headline(self, event):
        """No articles, no helpers: chefs cut onion in kitchen."""
        kept = [word for word in tokens(self.active(event)) if word not in ("the", "a", "an", "is", "are", "some")]
        return " ".join(kept)

    def opening(self, event, openings, percent=75):
        lead = self.stream.choice(openings) + " " if self.stream.chance(percent) else ""
        return f"{lead}{text(self.clause(event))} ."

    def question(self, event):
        """how can i cut an onion in the kitchen ?"""
        lead = self.stream.choice(["how can i", "how do i", "is it a good idea to", "what is the best way to",
                                   "why should i", "do you know how to", "should i"])
        words = [self.word(event.verb), text(self.noun_phrase(event.patient, definite=False))]
        words += [text(phrase) for phrase in self.modifiers(event)]
        return f"{lead} {' '.join(words)} ?"

    def definition(self, event):
        """Of what one does: the act of cutting an onion in the kitchen."""
        base, thing = self.word(event.verb), text(self.noun_phrase(event.patient, definite=False))
        rest = "".join(" " + text(phrase) for phrase in self.modifiers(event))
        doing = morphology.gerund(base)
        return self.stream.weighted([(f"the act of {doing} {thing}{rest}", 3), (f"{base} {thing}{rest} .", 4),
                                     (f"( cause to ) {base} {thing}{rest} .", 1),
                                     (f"a situation of {doing} {thing}{rest} .", 1),
                                     (f"to {base} {thing}{rest} .", 3)])

    def tweet(self, event):
        """A headline with hashtags, spaced as the tokeniser spaces them."""
        body = self.headline(event)
        tags = [f"# {event.domain}"] if self.stream.chance(60) else []
        if self.stream.chance(50):
            tags.append(f"# {self.word(event.patient.concept).replace(' ', '')}")
        exclamation = [self.stream.choice(["!", "...", "wow", "- via news"])] if self.stream.chance(50) else []
        return " ".join([body, *exclamation, *tags])

    def mistranslated(self, event):
        """As a poor translation has it: function words wrong, two words exchanged."""
        words = tokens(self.clause(event))
        swaps = {"the": "of the", "a": "one", "is": "it is", "in": "on", "at": "to", "are": "be", "by": "of",
                 "not": "no"}
        words = [swaps[word] if word in swaps and self.stream.chance(40) else word for word in words]
        if len(words) > 3 and self.stream.chance(60):
            spot = self.stream.below(len(words) - 1)
            words[spot], words[spot + 1] = words[spot + 1], words[spot]
        return " ".join(words) + " ."


OPENINGS = {
    "news": ["officials said that", "according to the news agency ,", "a spokesman said", "it was reported that",
             "sources confirmed that", "the newspaper wrote that"],
    "parliament": ["mr president ,", "i would like to say that", "we must not forget that", "let me point out that",
                   "it is a fact that", "as the committee has noted ,"],
    "forum": ["i think that", "as far as i know ,", "well ,", "in my experience", "you should know that",
              "to be honest ,", "from what i have seen ,"],
    "belief": ["i believe that", "they claim that", "nobody doubts that", "it seems that", "we have to accept that",
               "some people say that"],
    "student": ["because", "the reason is that", "so", "it means that", "i said that", "the result is that"],
}
