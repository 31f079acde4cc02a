"""Opinions and plots: reviews of films and products, phrases with an attitude, and sentences without one.

Polarity is a property of the whole sentence. Negation, contrast ("but") and words whose polarity depends
on what they describe keep it from being a property of the single word.
"""

from . import events, morphology
from .wording import Wording, text

# what is judged, and what it consists of
FILM = ("film movie comedy drama thriller documentary sequel remake".split(),
        "story plot script acting cast ending dialogue soundtrack director performance pacing humour".split())
PRODUCT = ("phone camera player keyboard router headset printer speaker".split(),
           "battery screen software manual price sound lens charger zoom menu design interface button".split())
# strong words first in each list, so that intensity can be chosen
GOOD_STRONG = ("brilliant superb wonderful excellent magnificent outstanding fantastic dazzling masterful amazing "
               "flawless unforgettable perfect delightful terrific stunning").split()
GOOD_MILD = ("good nice pleasant enjoyable solid decent charming funny clever touching likeable entertaining "
             "engaging graceful warm witty fresh thoughtful crisp handy reliable sturdy useful comfortable").split()
BAD_STRONG = ("awful terrible dreadful horrible disastrous atrocious unbearable pathetic worthless abysmal "
              "appalling insulting ghastly miserable useless hideous").split()
BAD_MILD = ("bad dull boring weak bland tedious clumsy predictable disappointing flat confusing tiresome lazy "
            "forgettable stale shallow annoying flimsy sluggish awkward noisy fragile cheap mediocre").split()
NEUTRAL = "long short dark loud quiet slow fast strange simple complex new old small big modern unusual".split()
LIKE = "love enjoy admire adore recommend appreciate treasure like praise".split()
DISLIKE = "hate regret dislike despise avoid resent loathe return criticise".split()
GOOD_NOUNS = "joy delight pleasure triumph treat gem masterpiece success bargain surprise".split()
BAD_NOUNS = "mess waste failure bore disaster disappointment chore mistake nightmare letdown".split()
DEGREES = "very really truly quite rather so extremely fairly somewhat".split()
HEDGES = ["honestly ,", "to me ,", "in the end ,", "all in all ,", "after a week ,", "for once ,", "sadly ,",
          "luckily ,", "as usual ,", "at first ,", "yes ,"]


class Opinions:
    """Sentences about the works or wares of a field, FILM or PRODUCT."""

    def __init__(self, stream, field):
        self.stream = stream
        self.wholes, self.parts = field
        self.aspects = self.wholes + self.parts

    def adjective(self, good, strong_percent=35):
        strong = self.stream.chance(strong_percent)
        if good:
            return self.stream.choice(GOOD_STRONG if strong else GOOD_MILD)
        return self.stream.choice(BAD_STRONG if strong else BAD_MILD)

    def aspect(self):
        return self.stream.choice(self.aspects)

    def statement(self, good, strong_percent=35):
        """One clause with that polarity; one in eight says it by denying the opposite."""
        stream = self.stream
        aspect, part = stream.choice(self.aspects), stream.choice(self.parts)
        negated = stream.chance(12)
        word = self.adjective(good != negated, strong_percent)
        shape = stream.below(6)
        degree = stream.choice(DEGREES[:3] if shape == 3 else DEGREES) + " " if stream.chance(40) else ""
        if shape <= 1:
            return f"the {aspect} is {'not ' if negated else ''}{degree}{word}"
        if shape == 2:
            lead = "never " if negated else ""
            return f"i {lead}{stream.choice(LIKE if good != negated else DISLIKE)} the {aspect}"
        if shape == 3:
            lead = f"{'hardly ' if negated else ''}{morphology.article(degree or word)}"
            return f"this is {lead} {degree}{word} {stream.choice(self.wholes)}"
        if shape == 4:
            noun = stream.choice(GOOD_NOUNS if good != negated else BAD_NOUNS)
            return f"the {aspect} is {'anything but ' if negated else ''}a {noun} with {stream.choice(NEUTRAL)} {part}"
        second = self.adjective(good != negated, strong_percent)
        return f"{'neither' if negated else 'both'} {word} {'nor' if negated else 'and'} {second} in its {part}"

    def filler(self):
        """A clause without polarity."""
        aspect, whole = self.stream.choice(self.parts), self.stream.choice(self.wholes)
        word = self.stream.choice(NEUTRAL)
        return self.stream.choice([
            f"the {whole} has {morphology.article(word)} {word} {aspect}",
            f"it comes with {morphology.article(aspect)} {aspect}",
            f"i have seen the {whole} twice", f"my friend told me about the {aspect}",
            f"the {aspect} was {word} last year"])

    def sentence(self, good, strong_percent=35):
        """A whole sentence: a statement, with a neutral clause, or with a concession to the other side."""
        stream = self.stream
        shape = stream.below(10)
        body = self.statement(good, strong_percent)
        if shape in (0, 1):
            body = f"{body} and {self.filler()}"
        elif shape == 2:
            body = f"{self.filler()} , {body}"
        elif shape == 3:
            body = f"{self.statement(not good, 20)} but {body}"
        elif shape == 4:
            body = f"although {self.statement(not good, 20)} , {body} and {self.statement(good, strong_percent)}"
        elif shape in (5, 6):
            body = f"{body} , and {self.statement(good, strong_percent)}"
        if stream.chance(20):
            body = f"{stream.choice(HEDGES)} {body}"
        return " ".join(body.split()) + " ."

    def graded(self, level):
        """level 0 .. 4, from very negative to very positive; 2 is neutral or undecided."""
        if level == 2:
            if self.stream.chance(50):
                return f"{self.filler()} and {self.filler()} ."
            return f"{self.statement(True, 10)} but {self.statement(False, 10)} ."
        return self.sentence(level > 2, 90 if level in (0, 4) else 8)

    def phrase(self, good):
        """Two to five words with an attitude, as in a list of expressions."""
        stream = self.stream
        negated = stream.chance(15)
        word = self.adjective(good != negated)
        noun = stream.choice(GOOD_NOUNS if good != negated else BAD_NOUNS)
        verb = stream.choice(LIKE if good != negated else DISLIKE)
        lead = "not " if negated else ""
        person = stream.choice("minister people president leaders party voters government critics".split())
        return stream.choice([
            f"{lead}{stream.choice(DEGREES)} {word}", f"{lead}a {noun}",
            f"{'refuse to ' if negated else ''}{verb} the {person}",
            f"{lead}{word} {person}", f"{'without ' if negated else 'with '}{noun}",
            f"{'fails to be' if negated else 'proves to be'} {word}", f"{lead}{word}",
            f"would {lead}{verb} it",
            f"{morphology.gerund(verb)} the {person}" if not negated else f"did not {verb} this"])


def plot(stream):
    """An objective sentence: what happens, now and then with a word that could be an opinion."""
    wording = Wording(stream)
    event = events.random_event(stream, tense=stream.weighted([("present", 75), ("past", 25)]), modifiers=30)
    body = text(wording.clause(event))
    shape = stream.below(9)
    if shape == 0:
        other = events.random_event(stream, event.domain, "present", modifiers=10)
        body = f"when {body} , {text(wording.clause(other))}"
    elif shape == 1:
        body = f"the {stream.choice(FILM[0])} tells how {body}"
    elif shape == 2:
        word = stream.choice(GOOD_MILD + BAD_MILD)
        body = f"{body} after {morphology.article(word)} {word} journey"
    elif shape == 3:
        body = f"in this {stream.choice(NEUTRAL)} {stream.choice(FILM[0])} {body}"
    elif shape == 4:
        body = f"{Opinions(stream, FILM).filler()} , and {body}"
    elif shape == 5:
        body = f"{body} , {stream.choice(['and i saw it', 'which he finds hard to believe', 'and nobody cared'])}"
    return body + " ."


def judgement(stream):
    """A subjective sentence; a part of them also tells what happens."""
    wording = Wording(stream)
    opinions = Opinions(stream, FILM)
    shape = stream.below(8)
    if shape == 0:
        return opinions.sentence(stream.chance(50))
    if shape <= 4:
        event = events.random_event(stream, tense="present", modifiers=30)
        tail = stream.choice(["which is hard to believe", "and you feel it", "as if anyone cared", "and i wondered why",
                              "which never feels real", "in a story that is a joy", "but the script is a mess"])
        return f"{text(wording.clause(event))} , {tail} ."
    if shape == 5:
        event = events.random_event(stream, tense="present", modifiers=20)
        start = f"the {opinions.aspect()} where {text(wording.clause(event))}"
        return f"{start} is {opinions.adjective(stream.chance(50))} ."
    if shape == 6:
        return f"perhaps {opinions.filler()} , or perhaps {opinions.filler()} ."
    return f"{opinions.statement(stream.chance(50))} ."
