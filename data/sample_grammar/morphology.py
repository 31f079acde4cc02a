"""Inflection: plural nouns, verb forms, the indefinite article."""

PLURALS = {
    "man": "men", "gentleman": "gentlemen", "woman": "women", "child": "children", "person": "people",
    "policeman": "policemen", "cattle": "cattle", "sheep": "sheep", "knife": "knives", "loaf": "loaves",
    "gateau": "gateaux", "bread": "breads", "headquarters": "headquarters", "woods": "woods", "corn": "corn",
    "equipment": "equipment", "software": "software", "maize": "maize",
}
# base: past, past participle, -ing form where the rules below fail
IRREGULAR = {
    "cut": ("cut", "cut", "cutting"), "drive": ("drove", "driven", "driving"), "throw": ("threw", "thrown", None),
    "catch": ("caught", "caught", None), "win": ("won", "won", "winning"), "lose": ("lost", "lost", None),
    "feed": ("fed", "fed", None), "ride": ("rode", "ridden", None), "hold": ("held", "held", None),
    "sow": ("sowed", "sown", None), "write": ("wrote", "written", None), "read": ("read", "read", None),
    "buy": ("bought", "bought", None), "sell": ("sold", "sold", None), "shut": ("shut", "shut", "shutting"),
    "leave": ("left", "left", None), "take": ("took", "taken", None), "quit": ("quit", "quit", "quitting"),
    "build": ("built", "built", None), 
}
DOUBLING = {"chop", "stop", "grab", "drop", "plan", "stir", "strum", "regret"}
VOWELS = "aeiou"


def plural(noun):
    head, _, last = noun.rpartition(" ")
    if last in PLURALS:
        last = PLURALS[last]
    elif last.endswith(("s", "sh", "ch", "x", "z")) or last in ("potato", "tomato"):
        last += "es"
    elif last.endswith("y") and last[-2] not in VOWELS:
        last = last[:-1] + "ies"
    else:
        last += "s"
    return f"{head} {last}".strip()


def third_person(verb):
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return verb[:-1] + "ies"
    return verb + "s"


def _ed(verb):
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return verb[:-1] + "ied"
    if verb in DOUBLING:
        return verb + verb[-1] + "ed"
    return verb + "ed"


def past(verb):
    return IRREGULAR[verb][0] if verb in IRREGULAR else _ed(verb)


def participle(verb):
    return IRREGULAR[verb][1] if verb in IRREGULAR else _ed(verb)


def gerund(verb):
    if verb in IRREGULAR and IRREGULAR[verb][2]:
        return IRREGULAR[verb][2]
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    if verb in DOUBLING:
        return verb + verb[-1] + "ing"
    return verb + "ing"


def article(word):
    """a or an, by the first letter; the few silent or consonant-sounding ones by name."""
    if word.startswith(("uni", "use", "uk")):
        return "a"
    return "an" if word[0] in "aeiou" else "a"
