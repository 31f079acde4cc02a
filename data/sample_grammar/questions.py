"""Questions of six kinds by what they ask for, with a finer kind each, as question classification has them."""

from . import lexicon, morphology

ABBREVIATIONS = "NGR VCL HPX OKC LTI BWS RFD CQT MPL TNA DGU SVX".split()
HEADS = {  # what is asked for -> (fine kind, the nouns that say so)
    "LOC": [("city", "city town capital village harbour suburb"), ("country", "country nation kingdom republic"),
            ("other", "river island lake valley museum region desert mountain castle bay coast cathedral")],
    "HUM": [("ind", "actor president inventor writer singer scientist "
                    "king queen player painter explorer poet pope emperor sailor"),
            ("gr", "team company band party university tribe orchestra")],
    "ENTY": [("animal", "animal bird mammal fish insect reptile whale"),
             ("food", "food drink fruit dish spice vegetable wine"),
             ("product", "novel symphony statue game machine tool toy magazine"),
             ("color", "colour flower language disease sport religion metal")],
    "NUM": [("count", "number amount percentage quantity"), ("date", "year date month day century decade"),
            ("other", "height length speed price age distance population temperature weight depth salary")],
}
FACTS = {  # what else is said of these nouns, in texts that are not questions
    "LOC": ["we travelled to the {noun} in {place}", "{place} lies near a {noun}",
            "tourists visit the {noun} every summer"],
    "HUM": ["the {noun} was born in {place}", "the {noun} from {place} spoke to the crowd",
            "a famous {noun} met the press"],
    "ENTY": ["this {noun} is a kind of thing sold in {place}", "they like that sort of {noun}",
             "a rare {noun} , among others"],
    "NUM": ["the {noun} was {number} at most", "the exact {noun} fell below {number}",
            "with a {noun} of about {number}"],
}
VERBS = "build write paint discover win open sell record sign invent".split()


def _thing(stream):
    domain = stream.choice(lexicon.DOMAIN_LIST)
    return stream.choice(stream.choice(domain.nouns).words)


def _topic(stream):
    shape = stream.below(4)
    if shape == 0:
        return stream.choice(lexicon.CITIES)
    if shape == 1:
        return stream.choice(lexicon.COUNTRIES)
    if shape == 2:
        return f"{stream.choice(lexicon.FIRST_NAMES)} {stream.choice(lexicon.LAST_NAMES)}"
    return f"the {_thing(stream)}"


def _headed(stream, label):
    """Questions whose head noun alone tells the kind: "What river runs through Lima ?"."""
    fine, nouns = stream.choice(HEADS[label])
    noun = stream.choice(nouns.split())
    verb = stream.choice(VERBS)
    place = stream.choice(lexicon.CITIES)
    return fine, stream.choice([
        f"What {noun} was the first to {verb} {morphology.article(_thing(stream))} {_thing(stream)} ?",
        f"What is the name of the {noun} that {_topic(stream)} liked ?",
        f"What {noun} do people in {place} know best ?",
        f"Which {noun} is known for the {_thing(stream)} ?",
        f"What was the {noun} of {_topic(stream)} ?",
        f"Name the {noun} of the {_thing(stream)} in {place} .",
    ])


def fact(stream):
    """A statement about one of the head nouns, as an encyclopaedia has it."""
    label = stream.choice(list(FACTS))
    noun = stream.choice(stream.choice(HEADS[label])[1].split())
    return stream.choice(FACTS[label]).format(noun=noun, place=stream.choice(lexicon.CITIES),
                                              number=stream.choice(lexicon.NUMBER_WORDS)) + " ."


def _described(stream):
    noun = _thing(stream)
    return stream.choice([
        ("def", f"What is {morphology.article(noun)} {noun} ?"), ("def", f"What are {morphology.plural(noun)} ?"),
        ("reason", f"Why does the {noun} {stream.choice(VERBS)} in {stream.choice(lexicon.CITIES)} ?"),
        ("manner", f"How do you {stream.choice(VERBS)} {morphology.article(noun)} {noun} ?"),
        ("desc", f"What does the {noun} of {_topic(stream)} do ?"),
        ("desc", f"What is the origin of the {noun} ?"),
        ("reason", f"What causes the {noun} in {_topic(stream)} ?"),
    ])


def _abbreviated(stream):
    name = stream.choice(ABBREVIATIONS)
    return stream.choice([
        ("exp", f"What does {name} stand for ?"), ("exp", f"What is the full form of {name} ?"),
        ("abb", f"What is the abbreviation of the {_thing(stream)} of {_topic(stream)} ?"),
        ("exp", f"What does the abbreviation {name} mean ?"),
    ])


def _direct(stream, label):
    """Questions told by their question word."""
    noun = _thing(stream)
    verb = stream.choice(VERBS)
    if label == "LOC":
        return "other", stream.choice([f"Where is the {noun} of {_topic(stream)} ?",
                                       f"Where do {morphology.plural(noun)} come from ?",
                                       f"Where did {_topic(stream)} {verb} the {noun} ?"])
    if label == "HUM":
        return "ind", stream.choice([f"Who {morphology.past(verb)} the {noun} ?",
                                     f"Who was the first to {verb} {morphology.article(noun)} {noun} ?",
                                     f"Who is {stream.choice(lexicon.FIRST_NAMES)} {stream.choice(lexicon.LAST_NAMES)} ?"])
    return stream.choice([("count", f"How many {morphology.plural(noun)} are there in {_topic(stream)} ?"),
                          ("date", f"When did {_topic(stream)} {verb} the {noun} ?"),
                          ("money", f"How much does {morphology.article(noun)} {noun} cost ?"),
                          ("dist", f"How far is {stream.choice(lexicon.CITIES)} from {stream.choice(lexicon.CITIES)} ?"),
                          ("period", f"How long did it take to {verb} the {noun} ?")])


def question(stream, label):
    """(fine kind, question) for ABBR, DESC, ENTY, HUM, LOC or NUM."""
    if label == "ABBR":
        return _abbreviated(stream)
    if label == "DESC":
        return _described(stream)
    if label == "ENTY" or stream.chance(55):
        return _headed(stream, label)
    return _direct(stream, label)
