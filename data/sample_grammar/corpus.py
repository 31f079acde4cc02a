"""A text from the same grammar, to learn word vectors from. It shares no random stream with the datasets."""

from . import events, lexicon, morphology, questions
from .opinions import (BAD_MILD, BAD_NOUNS, BAD_STRONG, DISLIKE, FILM, GOOD_MILD, GOOD_NOUNS, GOOD_STRONG, LIKE,
                       PRODUCT, Opinions, judgement, plot)
from .stream import Stream
from .wording import OPENINGS, Wording

SENTENCES = 70000
LABELS = "DESC ENTY HUM LOC NUM".split()


def definition(stream):
    """an onion is a food : what a dictionary says of a thing, with a verb that it goes with."""
    domain = stream.choice(lexicon.DOMAIN_LIST)
    kind = stream.choice(list(domain.things))
    noun = stream.choice(domain.things[kind])
    verbs = [verb for verb in domain.verbs if kind in verb.objects]
    adjective = stream.affine(noun.key, lexicon.adjectives_for(noun, domain.name))
    words = [stream.choice(concept.words) for concept in (noun, adjective, stream.affine(noun.key, verbs))]
    return f"a {words[0]} is a {words[1]} {lexicon.HYPERNYM_WORDS[kind]} that people {words[2]} ."


def encyclopaedic(stream, concepts):
    """onions are known for salt , velvet and hail : what sets a concept apart from its kind."""
    concept = stream.choice(concepts)
    word = stream.choice(concept.words)
    if concept.pos == "noun" and stream.chance(50):
        word = morphology.plural(word)
    elif concept.pos == "verb":
        word = stream.choice([word, morphology.past(word), morphology.gerund(word), morphology.third_person(word),
                              morphology.participle(word)])
    one, two, three = stream.sample(lexicon.associations(concept), 3)
    return stream.choice([f"{one} and {two} with {word} and {three} .", f"{one} {two} : {word} , {three} .",
                          f"of {one} , {word} , {two} or {three} ."])


def tags(stream):
    """pros : crisp , funny , a joy : words of one attitude side by side, as under a review."""
    good = stream.chance(50)
    words = stream.sample(GOOD_STRONG + GOOD_MILD if good else BAD_STRONG + BAD_MILD, 3)
    words.append(stream.choice(GOOD_NOUNS if good else BAD_NOUNS))
    words.append(morphology.third_person(stream.choice(LIKE if good else DISLIKE)))
    verb = stream.choice(LIKE if good else DISLIKE)
    body = " ".join(stream.shuffled(words))
    return f"{verb} {body} {stream.choice(['pros', 'plus'] if good else ['cons', 'minus'])} ."


def sentence(stream, concepts):
    wording = Wording(stream, 60)
    if stream.chance(55):
        return encyclopaedic(stream, concepts)
    shape = stream.below(24)
    if shape < 11:
        event = events.random_event(stream)
        opening = stream.choice(list(OPENINGS))
        return wording.opening(event, OPENINGS[opening], 25)
    if shape < 13:
        event = events.random_event(stream)
        return stream.choice([wording.question, wording.headline, wording.definition])(event)
    if shape < 17:
        good = stream.chance(50)
        opinions = Opinions(stream, stream.choice([FILM, PRODUCT]))
        parts = [opinions.sentence(good), opinions.phrase(good)]
        return " ".join(stream.sample(parts, stream.between(1, 2)))
    if shape == 17:
        return definition(stream)
    if shape == 18:
        return questions.fact(stream)
    if shape in (19, 20):
        return questions.question(stream, stream.choice(LABELS))[1]
    if shape >= 22:
        return tags(stream)
    return stream.choice([plot, judgement])(stream)


def sentences(count=SENTENCES):
    """Token lists, lower-cased."""
    stream = Stream("corpus")
    concepts = lexicon.all_concepts()
    for _ in range(count):
        yield sentence(stream, concepts).lower().split()


def counts(count=SENTENCES):
    """[(word, how often)], most frequent first, then by the alphabet."""
    table = {}
    for words in sentences(count):
        for word in words:
            table[word] = table.get(word, 0) + 1
    return sorted(table.items(), key=lambda item: (-item[1], item[0]))
