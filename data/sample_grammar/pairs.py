"""Pairs of sentences: similarity, relatedness, inference and paraphrase, judged by their meanings."""

from dataclasses import dataclass, replace

from . import events, lexicon
from .wording import OPENINGS, Wording, capitalised, text

# --- similarity ---------------------------------------------------------------------------------


def derived(stream, event, level):
    """A meaning that near: 5 the same, 4 a detail apart, 3 to 1 with one to three roles changed, 0 unrelated."""
    if level == 5:
        return event
    if level == 4:
        return stream.choice([
            lambda: events.without_one_modifier(stream, event), lambda: events.with_modifier(stream, event),
            lambda: events.with_count(stream, event, "patient"), lambda: events.with_hypernym(event, "patient")])()
    if level == 3 and stream.chance(25):
        return events.opposite(stream, event)
    if level > 0:
        return events.changed(stream, event, 4 - level)
    domain = stream.choice([domain.name for domain in lexicon.DOMAIN_LIST if domain.name != event.domain])
    other = events.random_event(stream, domain)
    return replace(other, agent=events.ANYONE) if event.agent == events.ANYONE else other


def gold(stream, first, second, noise=350):
    """Thousandths of a point, 0 .. 5000: likeness, bent so that small differences cost most, plus noise."""
    likeness = max(0, events.event_likeness(first, second) - 12) * 1000 // 88
    score = (likeness + likeness * likeness // 1000) * 5 // 2
    return min(5000, max(0, score + stream.between(-noise, noise)))


def rounded(thousandths, step):
    """To a step of, say, 250 or 200 thousandths, as averages over annotators come."""
    return (thousandths + step // 2) // step * step


def decimal(thousandths, digits):
    """4250 -> "4.250" or, with digits None, "4.25" and "4" for 4000."""
    whole = f"{thousandths // 1000}.{thousandths % 1000:03d}"
    if digits is None:
        return whole.rstrip("0").rstrip(".")
    return whole[:2 + digits]


@dataclass(frozen=True)
class Style:
    """How a subset words its sentences: the Wording method of each side, and how hard it is."""

    first: str
    second: str
    openings: str = ""
    levels: tuple = (15, 15, 18, 18, 16, 18)  # weights of levels 0 .. 5
    modifiers: int = 40
    variety: int = 55
    anyone: bool = False


STYLES = {
    "MSRpar": Style("opening", "opening", "news", (8, 12, 20, 22, 22, 16), 60, 75),
    "MSRvid": Style("plain", "plain", modifiers=20, variety=65),
    "SMTeuroparl": Style("opening", "mistranslated", "parliament", (8, 8, 16, 20, 24, 24), 50, 50),
    "surprise.OnWN": Style("definition", "definition", modifiers=25, variety=65, anyone=True),
    "surprise.SMTnews": Style("plain", "mistranslated", levels=(8, 10, 18, 20, 22, 22), variety=60),
    "FNWN": Style("opening", "definition", "student", (20, 20, 20, 16, 12, 12), 60, 75, True),
    "OnWN": Style("definition", "definition", modifiers=20, variety=60, anyone=True),
    "headlines": Style("headline", "headline", modifiers=45, variety=75),
    "deft-forum": Style("opening", "opening", "forum", variety=65),
    "deft-news": Style("plain", "opening", "news", modifiers=55),
    "images": Style("plain", "plain", modifiers=35, variety=60),
    "tweet-news": Style("tweet", "headline", modifiers=30, variety=75),
    "answers-forums": Style("opening", "opening", "forum", modifiers=50, variety=65),
    "answers-students": Style("opening", "opening", "student", modifiers=30, variety=65),
    "belief": Style("opening", "opening", "belief", variety=60),
    "answer-answer": Style("opening", "plain", "forum", variety=70),
    "plagiarism": Style("opening", "plain", "student", (14, 14, 14, 14, 22, 22), 60, 70),
    "postediting": Style("plain", "mistranslated", levels=(3, 5, 14, 22, 28, 28), modifiers=60, variety=45),
    "question-question": Style("question", "question", modifiers=35, variety=65, anyone=True),
}


def worded(wording, method, openings, event):
    if method == "opening":
        return wording.opening(event, OPENINGS[openings])
    return getattr(wording, method)(event)


def similarity_pair(stream, style):
    """(first, second, thousandths of the gold score)"""
    first = events.random_event(stream, modifiers=style.modifiers)
    if style.anyone:
        first = replace(first, agent=events.ANYONE)
    level = stream.weighted(list(enumerate(style.levels)))
    second = derived(stream, first, level)
    wording = Wording(stream, style.variety)
    return (worded(wording, style.first, style.openings, first), worded(wording, style.second, style.openings, second),
            gold(stream, first, second))


# --- inference ----------------------------------------------------------------------------------

def hypothesis(stream, event, label):
    """What follows from the event, contradicts it, or does neither."""
    if label == "entailment":
        return stream.choice([
            lambda: event, lambda: events.without_one_modifier(stream, event),
            lambda: events.without_modifiers(event), lambda: events.with_hypernym(event, "patient"),
            lambda: events.with_hypernym(events.without_modifiers(event), "agent")])()
    if label == "contradiction":
        kind = stream.below(5)
        if kind in (0, 4):
            return events.negation(events.without_one_modifier(stream, event))
        if kind == 1:
            return events.opposite(stream, event)
        return events.with_sibling(stream, events.without_one_modifier(stream, event), "agent" if kind == 2 else "verb")
    kind = stream.below(4)
    if kind == 0:
        return events.with_modifier(stream, event)
    if kind == 1:
        return events.with_modifier(stream, events.without_modifiers(event))
    if kind == 2:
        return replace(events.random_event(stream, event.domain, modifiers=20), agent=event.agent)
    adjective = stream.choice(lexicon.DOMAIN_OF[event.domain].adjectives)
    return replace(event, patient=replace(event.patient, adjective=adjective), place=None)


def inference_pair(stream, label, negated_percent=6, openings=""):
    """(premise, hypothesis) worded as captions, or after an opening."""
    first = events.random_event(stream, tense="progressive", modifiers=50, negated_percent=negated_percent)
    second = hypothesis(stream, first, label)
    wording = Wording(stream, 20)
    if openings:
        return tuple(capitalised(wording.opening(event, OPENINGS[openings], 35)) for event in (first, second))
    return tuple(capitalised(wording.plain(event)) for event in (first, second))


def relatedness_pair(stream):
    """(first, second, thousandths of 1 .. 5, label), without full stops.

    Where roles differ the pair is neutral: as long as nothing says that it is the same scene, nothing contradicts.
    """
    first = events.random_event(stream, tense="progressive", modifiers=30, negated_percent=6)
    label = stream.weighted([("NEUTRAL", 56), ("ENTAILMENT", 29), ("CONTRADICTION", 15)])
    if label == "ENTAILMENT":
        second = hypothesis(stream, first, "entailment")
    elif label == "CONTRADICTION":
        second = events.opposite(stream, first)
    else:
        second = derived(stream, first, stream.weighted([(0, 30), (1, 22), (2, 24), (3, 24)]))
        if stream.chance(12):
            second = events.negation(second)
    wording = Wording(stream, 40)
    sentences = [capitalised(text(wording.clause(event))) for event in (first, second)]
    score = 1000 + gold(stream, first, second, 300) * 4 // 5
    return sentences[0], sentences[1], rounded(score, 100), label


# --- paraphrase ---------------------------------------------------------------------------------

@dataclass(frozen=True)
class NewsItem:
    """An event with its source and a figure."""

    event: events.Event
    speaker: str
    company: str
    city: str
    percent: int
    day: str


DAYS = "Monday Tuesday Wednesday Thursday Friday".split()


def news_item(stream):
    event = events.random_event(stream, tense="past", modifiers=20)
    if stream.chance(40):
        name = f"{stream.choice(lexicon.FIRST_NAMES)} {stream.choice(lexicon.LAST_NAMES)}"
        event = replace(event, agent=replace(event.agent, name=name, count=1))
    return NewsItem(event, f"{stream.choice(lexicon.FIRST_NAMES)} {stream.choice(lexicon.LAST_NAMES)}",
                    stream.choice(lexicon.COMPANIES), stream.choice(lexicon.CITIES), stream.between(2, 60),
                    stream.choice(DAYS))


def told(stream, item, variety):
    """One of several ways to tell a news item; some leave a detail out."""
    wording = Wording(stream, variety)
    body = text(wording.clause(item.event))
    speaker = stream.choice([item.speaker, f"{item.speaker} of {item.company}", f"{item.company} 's {item.speaker}"])
    figure = stream.choice([f"Shares of {item.company} rose {item.percent} percent",
                            f"{item.company} gained {item.percent} percent"])
    return stream.choice([
        f"{speaker} said in {item.city} on {item.day} that {body} . {figure} .",
        f"{capitalised(body)} , {speaker} said {item.day} . {figure} .",
        f"{figure} after {speaker} told reporters in {item.city} that {body} .",
        f"On {item.day} , {speaker} said that {body} , and {figure} .",
    ])


def paraphrase_pair(stream, same):
    """Two tellings of one item, or of two items that share most of their words."""
    first = news_item(stream)
    second = first
    if not same:
        event = events.changed(stream, first.event, 3)
        second = replace(first, event=event, percent=stream.between(2, 60))
        if stream.chance(50):
            second = replace(second, speaker=news_item(stream).speaker, city=stream.choice(lexicon.CITIES))
    return told(stream, first, 50), told(stream, second, 50)
