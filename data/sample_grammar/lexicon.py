"""The words: concepts with their synonyms, their hypernym (kind) and their domain.

"a/b" are two words for one concept. Verbs name the kinds of objects they take after a colon.
"""

import functools

from .stream import fingerprint

DOMAINS = {
    "kitchen": {
        "person": "chef/cook baker waiter/server butcher",
        "food": "onion carrot tomato potato bread/loaf cake/gateau soup/broth cheese pizza "
                "noodle pepper/jalapeño pancake",
        "utensil": "knife/blade pan/skillet bowl/dish oven/stove spoon plate",
        "place": "kitchen restaurant/bistro/café bakery pantry",
        "verb": "cut/slice/chop:food prepare/cook:food taste/sample:food wash/rinse:utensil,food "
                "serve/offer:food dry/wipe:utensil stir/mix:food",
        "adjective": "fresh/crisp hot/steaming sweet/sugary spicy/peppery greasy/oily frozen/icy",
    },
    "street": {
        "person": "driver/motorist cyclist/biker pedestrian/walker mechanic policeman/officer",
        "vehicle": "car/automobile truck/lorry bicycle/bike bus/coach motorcycle/motorbike taxi/cab tram van",
        "machine": "engine/motor wheel/tyre traffic-light/signal brake",
        "place": "street/road bridge garage/"
                 "workshop station highway/motorway junction/crossing",
        "verb": "drive/steer:vehicle repair/fix/mend:vehicle,machine park:vehicle stop/halt:vehicle "
                "inspect/examine:vehicle,machine push/shove:vehicle follow/tail:vehicle",
        "adjective": "fast/speedy damaged/broken shiny/gleaming empty/vacant crowded/packed rusty",
    },
    "field": {
        "person": "player/athlete goalkeeper/keeper coach/trainer referee/umpire runner/sprinter swimmer",
        "gear": "ball/football racket/bat helmet glove/mitten net",
        "prize": "trophy/cup medal/badge prize/award",
        "contest": "match/game race/sprint tournament/championship final",
        "place": "stadium/arena pitch gym/gymnasium pool court",
        "verb": "kick/boot:gear throw/toss/hurl:gear catch/grab:gear win:contest,prize lose:contest,prize "
                "watch/observe:contest drop:gear lift/raise:gear,prize",
        "adjective": "heavy/weighty fancy/ornate muddy/grimy decisive/crucial rubber important/major",
    },
    "farm": {
        "person": "farmer/grower shepherd gardener/planter rider/jockey hunter",
        "animal": "dog/hound cat/kitten horse/pony cow/heifer sheep/ewe goat chicken/hen duck rabbit/bunny pig/hog",
        "plant": "flower/blossom tree/oak bush/shrub apple corn/maize rose",
        "place": "farm/ranch barn/stable meadow/pasture garden/yard forest/woods river/stream",
        "verb": "feed/nourish:animal chase/pursue:animal ride:animal brush/groom:animal water:plant "
                "plant/sow:plant pick/gather:plant hold/clutch:animal",
        "adjective": "brown/tan furry/fluffy tame/gentle hungry/starving wet/soaked wild/untamed",
    },
    "stage": {
        "person": "musician/performer singer/vocalist dancer/ballerina actor drummer conductor",
        "instrument": "guitar/ukulele piano/keyboard violin/fiddle flute drum trumpet/bugle cello harp",
        "artwork": "song/tune melody dance/ballet poem/verse painting/picture play/drama",
        "place": "stage/platform theatre concert-hall/auditorium studio club/nightclub",
        "verb": "play/strum:instrument tune:instrument perform/present:artwork rehearse/practise:artwork "
                "admire/applaud:artwork record/tape:artwork compose/write:artwork",
        "adjective": "loud/noisy soft/quiet traditional/folk beautiful/lovely wooden elegant/graceful",
    },
    "office": {
        "person": "manager/boss clerk/secretary lawyer/attorney investor/shareholder accountant engineer",
        "document": "report/statement contract/agreement letter/note invoice/bill budget plan/proposal",
        "firm": "company/firm bank/lender factory/mill supplier/vendor airline startup",
        "place": "office headquarters boardroom warehouse/depot lobby",
        "verb": "sign/endorse:document read/study:document publish/release:document reject/refuse:document,firm "
                "buy/purchase/acquire:firm sell:firm sue:firm approve/accept:document",
        "adjective": "annual/yearly expensive/costly cheap/inexpensive profitable/lucrative "
                     "secret/confidential urgent/pressing",
    },
    "school": {
        "person": "teacher/instructor student/pupil professor/lecturer scientist/researcher librarian",
        "text": "book/volume essay/paper article/piece dictionary exam/test map/chart",
        "theory": "theory/hypothesis formula/equation method/technique experiment/trial answer/solution",
        "place": "classroom library laboratory/lab university/college campus",
        "verb": "explain/clarify:theory,text check/verify:theory,text borrow:text copy/duplicate:text "
                "discuss/debate:theory,text solve:theory open:text close/shut:text",
        "adjective": "difficult/hard easy/simple long/lengthy short/brief ancient/antique wrong/incorrect",
    },
    "parliament": {
        "person": "minister president/leader senator/lawmaker voter/elector diplomat/envoy mayor",
        "law": "law/statute treaty/pact tax/levy reform/overhaul amendment motion/resolution",
        "group": "party/faction union/alliance committee/panel government/cabinet army/military",
        "place": "parliament/assembly capital embassy border/frontier council",
        "verb": "support/back/favour:law,group oppose/resist:law,group criticise/condemn:law,group "
                "announce/declare:law delay/postpone:law praise/commend:group join:group leave/quit:group",
        "adjective": "foreign/overseas national/domestic strict/severe new/recent "
                     "controversial/disputed corrupt/crooked",
    },
    "hospital": {
        "person": "doctor/physician nurse patient surgeon dentist pharmacist/chemist",
        "medicine": "drug/medicine pill/tablet vaccine/jab syrup bandage/dressing",
        "illness": "disease/illness fever/temperature infection cough wound/injury allergy",
        "place": "hospital/clinic ward pharmacy/drugstore surgery emergency-room",
        "verb": "treat/heal:illness prescribe/recommend:medicine take/swallow:medicine detect/discover:illness "
                "test/assess:medicine suffer/endure:illness order:medicine",
        "adjective": "chronic/lasting sudden/abrupt painful/sore dangerous/risky mild/slight rare/unusual",
    },
    "technology": {
        "person": "programmer/developer user/customer hacker/intruder technician designer",
        "device": "computer/machine phone/smartphone camera/webcam printer laptop/notebook "
                  "robot/android headset/headphone",
        "software": "program/application website/site password/passcode database file/record browser",
        "place": "shop/store showroom/exhibition hangar basement/cellar",
        "verb": "install/configure:software,device delete/erase/remove:software update/upgrade:software,device "
                "charge:device activate/start:device try/evaluate:software,device build/assemble/construct:device "
                "protect/secure:software,device",
        "adjective": "modern/contemporary slow/sluggish reliable/dependable wireless/cordless portable/handy "
                     "outdated/obsolete",
    },
}

GENERIC_PEOPLE = "man/gentleman woman/lady boy/lad girl child/kid"
PERSON_ADJECTIVES = ("old/elderly young/youthful tall/lanky tired/weary famous/celebrated nervous/anxious "
                     "happy/glad sad/gloomy rich/wealthy clever/smart rude/impolite polite/courteous")
THING_ADJECTIVES = ("big/large/huge small/little/tiny red blue green white black yellow "
                    "strange/odd dirty/filthy clean/spotless")
MANNERS = "quickly/rapidly/swiftly slowly carefully/cautiously quietly/silently happily/cheerfully angrily/furiously"
TIMES = {
    "past": "yesterday/the-day-before last-week/a-week-ago on-monday on-friday last-year/a-year-ago in-march",
    "present": "today/this-day now/at-present every-day/daily this-week on-sundays",
}

HYPERNYM_WORDS = {
    "person": "person", "food": "food", "utensil": "utensil", "vehicle": "vehicle", "machine": "component",
    "gear": "object", "prize": "reward", "contest": "competition", "animal": "animal", "plant": "plant",
    "instrument": "instrument", "artwork": "artwork", "document": "document", "firm": "business",
    "text": "text", "theory": "idea", "law": "regulation", "group": "organisation", "medicine": "remedy",
    "illness": "condition", "device": "device", "software": "software", "place": "place",
}

ANTONYMS = {
    "win": "lose", "buy": "sell", "open": "close", "support": "oppose", "join": "leave", "approve": "reject",
    "big": "small", "old": "young", "expensive": "cheap", "difficult": "easy", "long": "short", "chronic": "sudden",
    "loud": "soft", "tame": "wild", "criticise": "praise", "quickly": "slowly", "hot": "frozen", "white": "black",
    "foreign": "national", "happily": "angrily", "happy": "sad", "rude": "polite", "clean": "dirty",
}
ANTONYMS.update({second: first for first, second in list(ANTONYMS.items())})

# places one is at or near, but not in
OPEN_PLACES = ("street road bridge highway motorway junction crossing pitch court stage platform river stream border "
               "frontier").split()

FIRST_NAMES = ("Mara Tobin Elsa Ruben Ines Callum Nadia Viktor Priya Owen Lena Marcus Sofia Hector Alma Dario "
               "Greta Felix Joana Ravi Zoë René").split()
LAST_NAMES = ("Holloway Brandt Okafor Lindqvist Marlowe Castellan Petrov Ashdown Varga Whitlock Ferrand Nakata "
              "Oduya Kessler Montrose Tamm").split()
CITIES = ("Lisbon Oslo Nairobi Lima Kyoto Dublin Toronto Prague Cairo Quito Zürich Málaga Denver Hanoi Perth "
          "Riga").split()
COUNTRIES = ("Portugal Norway Kenya Peru Japan Ireland Canada Egypt Ecuador Vietnam Australia Latvia Chile "
             "Poland").split()
COMPANIES = "Northgate Velmora Halcyon Brightwell Ostara Kestrel Pallas Corvane Lumenta Tidewater".split()
NUMBER_WORDS = "two three four five six seven eight nine ten twelve".split()


class Concept:
    """A meaning: its words, part of speech, kind (hypernym), domain, and the object kinds of a verb."""

    def __init__(self, words, pos, kind, domain, objects=()):
        self.words = [word.replace("-", " ") for word in words.split("/")]
        self.key = words.split("/")[0]
        self.pos, self.kind, self.domain, self.objects = pos, kind, domain, objects

    def __repr__(self):
        return f"{self.domain}.{self.pos}.{self.key}"


def _concepts(text, pos, kind, domain):
    return [Concept(words, pos, kind, domain) for words in text.split()]


class Domain:
    """The concepts of one field of life."""

    def __init__(self, name, table):
        self.name = name
        self.people = _concepts(table["person"], "noun", "person", name)
        self.places = _concepts(table["place"], "noun", "place", name)
        self.adjectives = _concepts(table["adjective"], "adjective", "adjective", name)
        self.things = {kind: _concepts(words, "noun", kind, name) for kind, words in table.items()
                       if kind not in ("person", "place", "adjective", "verb")}
        self.verbs = []
        for entry in table["verb"].split():
            words, objects = entry.split(":")
            self.verbs.append(Concept(words, "verb", "verb", name, objects.split(",")))

    @property
    def nouns(self):
        return self.people + [noun for nouns in self.things.values() for noun in nouns]


DOMAIN_LIST = [Domain(name, table) for name, table in DOMAINS.items()]
DOMAIN_OF = {domain.name: domain for domain in DOMAIN_LIST}
PEOPLE = _concepts(GENERIC_PEOPLE, "noun", "person", "any")
ADJECTIVES = {"person": _concepts(PERSON_ADJECTIVES, "adjective", "adjective", "any"),
              "thing": _concepts(THING_ADJECTIVES, "adjective", "adjective", "any")}
MANNER_LIST = _concepts(MANNERS, "adverb", "manner", "any")
TIME_LIST = {tense: _concepts(words, "time", "time", "any") for tense, words in TIMES.items()}
HYPERNYMS = {kind: Concept(word, "noun", kind, "any") for kind, word in HYPERNYM_WORDS.items()}
BY_KEY = {concept.key: concept for concept in
          [c for d in DOMAIN_LIST for c in d.verbs + d.adjectives] + ADJECTIVES["person"] + ADJECTIVES["thing"] +
          MANNER_LIST}


def adjectives_for(noun, domain):
    if noun.kind == "person":
        return ADJECTIVES["person"]
    return DOMAIN_OF[domain].adjectives + ADJECTIVES["thing"]

# What an encyclopaedia links concepts with: every concept has a few of these for its own, by its name.
ASSOCIATIONS = """patience thunder smoke copper leather velvet marble salt honey ginger pollen feathers horns moss clay
gravel mirror lantern rope hammer needle ribbon barrel hinge compass tunnel carpet apron coin whistle echo shadow
frost harvest wedding luck""".split()


@functools.lru_cache(maxsize=None)
def associations(concept, count=8):
    """The concept's own, always the same ones; synonyms share them because a concept has one key."""
    ranked = sorted(ASSOCIATIONS, key=lambda word: fingerprint(f"{concept.pos}|{concept.key}|{word}"))
    return ranked[:count]


def all_concepts():
    concepts = [concept for domain in DOMAIN_LIST
                for concept in domain.nouns + domain.places + domain.verbs + domain.adjectives]
    concepts += PEOPLE + ADJECTIVES["person"] + ADJECTIVES["thing"] + MANNER_LIST
    return concepts + [concept for times in TIME_LIST.values() for concept in times]
