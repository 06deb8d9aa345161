"""A parallel grammar: simple Korean sentences and their English translations.

Each sentence has one translation, and no two have the same: English nouns always have "the", for which Korean has no word.
Korean words are lists of pieces, as the tokenizer splits them: a stem, and its particle or ending. Pieces of both
languages that mean the same have the same link, a number; it serves to measure attention, not to train it.
"""

import random
from dataclasses import dataclass
from typing import NamedTuple

Piece = tuple[str, int | None]
Words = list[list[Piece]]


@dataclass(eq=False)
class Noun:
    ko: str
    en: str
    pronoun: str | None = 'it'
    honored: bool = False


@dataclass(eq=False)
class Verb:
    """`|` in a Korean form is where the tokenizer splits it; forms that are left out are regular."""

    ko: str
    en: tuple[str, str, str]
    past: str
    attributive: str
    future: str
    honorific: str
    objects: tuple[Noun, ...] = ()
    by_animals: bool = False
    # How it stands before 있다: 앉아 있다, 읽고 있다. What lasts is in a place with 에, what is done there with 에서.
    lasting: str | None = None
    goes: bool = False
    # Said without a place: crossing a street, swimming.
    nowhere: bool = False
    # 드시다 and 주무시다 replace the whole verb, not only its ending.
    is_replaced: bool = False


@dataclass(eq=False)
class Adjective:
    ko: str
    en: str
    past: str
    attributive: str
    honorific: str


def is_closed(word: str) -> bool:
    return (ord(word[-1]) - 0xAC00) % 28 > 0


def with_final(stem: str, final: int, ending: str) -> str:
    """그리 → 그린, 읽 → 읽|은; `final` is the number of ㄴ or ㄹ among the final consonants."""
    return f'{stem}|{ending}' if is_closed(stem) else stem[:-1] + chr(ord(stem[-1]) + final)


def join(stem: str, ending: str) -> str:
    return f'{stem}{ending}' if '|' in stem else f'{stem}|{ending}'


def past_of(stem: str) -> str:
    if stem.endswith('하'):
        return stem[:-1] + '했'
    vowel = (ord(stem[-1]) - 0xAC00) // 28 % 21
    return f'{stem}|{"았" if vowel in (0, 8) else "었"}'


def honorific_of(stem: str) -> str:
    return join(stem, '으시' if is_closed(stem) else '시')


def verb(ko: str, en: str, past='', objects=(), attributive='', future='', honorific='', **more) -> Verb:
    return Verb(
        ko,
        tuple(en.split()),
        past or past_of(ko),
        attributive or with_final(ko, 4, '은'),
        future or with_final(ko, 8, '을'),
        honorific or honorific_of(ko),
        tuple(objects),
        **more,
    )


def adjective(ko: str, en: str, past='', attributive='') -> Adjective:
    return Adjective(ko, en, past or past_of(ko), attributive or with_final(ko, 4, '은'), honorific_of(ko))


def nouns(text: str) -> list[Noun]:
    return [Noun(*pair.split(':')) for pair in text.split()]


ANIMALS = nouns('고양이:cat 개:dog 토끼:rabbit 새:bird 동물:animal 강아지:puppy 곰:bear')
HONORED = [
    Noun('할머니', 'grandmother', 'she', True),
    Noun('할아버지', 'grandfather', 'he', True),
    Noun('선생님', 'teacher', None, True),
]
PEOPLE = [
    *[Noun(*one) for one in (('소녀', 'girl', 'she'), ('여자', 'woman', 'she'), ('소년', 'boy', 'he'), ('남자', 'man', 'he'))],
    *[Noun(*one, None) for one in (('학생', 'student'), ('친구', 'friend'), ('아이', 'child'), ('의사', 'doctor'))],
    *HONORED,
]
BOOK, LETTER, NEWSPAPER = TEXTS = nouns('책:book 편지:letter 신문:newspaper')
FOOD = nouns('빵:bread 사과:apple 생선:fish')
DRINKS = nouns('물:water 우유:milk 커피:coffee')
PICTURE, BALL, STONE = nouns('그림:picture 공:ball 돌:stone')
MAT, CHAIR, TABLE, BED, SOFA, TREE, WINDOW, DOOR, BOX, HOUSE, ROOM, WALL, BRIDGE, RIVER = nouns(
    '매트:mat 의자:chair 탁자:table 침대:bed 소파:sofa 나무:tree 창문:window 문:door 상자:box 집:house 방:room 벽:wall '
    '다리:bridge 강:river'
)
GARDEN, PARK, STREET, SCHOOL, MARKET, LIBRARY = nouns(
    '정원:garden 공원:park 거리:street 학교:school 시장:market 도서관:library'
)

RELATIONS = {'on': '위', 'under': '밑', 'beside': '옆', 'behind': '뒤', 'in': '안'}
# Where one can be: what Korean has a word for (위에, on), and places that need none in Korean (정원에, in the garden).
NEAR = {
    MAT: 'on', CHAIR: 'on under beside behind', TABLE: 'on under beside', BED: 'on under beside',
    SOFA: 'on beside behind', TREE: 'under beside behind', WINDOW: 'beside', DOOR: 'beside behind',
    BOX: 'on in beside behind', HOUSE: 'in beside behind', ROOM: 'in', WALL: 'beside behind',
    BRIDGE: 'on under beside', RIVER: 'beside',
}  # fmt: skip
AT = {GARDEN: 'in', PARK: 'in', STREET: 'on', SCHOOL: 'at', MARKET: 'at', LIBRARY: 'in'}

VERBS = [
    verb('앉', 'sit sat sitting', lasting='앉아', by_animals=True),
    verb(
        '눕', 'lie lay lying', '누웠', attributive='누운', future='누울', honorific='누우|시', lasting='누워', by_animals=True
    ),
    verb('서', 'stand stood standing', '섰', lasting='서', by_animals=True),
    verb('가', 'go went going', '갔', goes=True, by_animals=True),
    verb('오', 'come came coming', '왔', goes=True, by_animals=True),
    verb('자', 'sleep slept sleeping', '잤', honorific='주무|시', is_replaced=True, by_animals=True),
    verb('쉬', 'rest rested resting', '쉬|었', by_animals=True),
    verb('달리', 'run ran running', '달렸', by_animals=True),
    verb('기다리', 'wait waited waiting', '기다렸', by_animals=True),
    verb('웃', 'laugh laughed laughing'),
    verb('노래|하', 'sing sang singing'),
    verb('수영|하', 'swim swam swimming', nowhere=True),
    verb('요리|하', 'cook cooked cooking'),
    verb('일|하', 'work worked working'),
    verb('보', 'watch watched watching', '보|았', [*PEOPLE, *ANIMALS, PICTURE, TREE, RIVER, HOUSE], by_animals=True),
    verb('잡', 'catch caught catching', '', [*ANIMALS, BALL], by_animals=True),
    verb('건너', 'cross crossed crossing', '건넜', [STREET, BRIDGE, RIVER], by_animals=True, nowhere=True),
    verb('먹', 'eat ate eating', '', FOOD, honorific='드|시', is_replaced=True, by_animals=True),
    verb('마시', 'drink drank drinking', '마셨', DRINKS, honorific='드|시', is_replaced=True, by_animals=True),
    verb('읽', 'read read reading', '', TEXTS),
    verb('쓰', 'write wrote writing', '썼', [BOOK, LETTER]),
    verb('그리', 'draw drew drawing', '그렸', [PICTURE, TREE, HOUSE, BRIDGE, RIVER, CHAIR, *ANIMALS]),
    verb('사', 'buy bought buying', '샀', [BOOK, NEWSPAPER, PICTURE, BALL, CHAIR, TABLE, BOX, *FOOD, *DRINKS]),
    verb('던지', 'throw threw throwing', '던졌', [BALL, STONE, BOX]),
    verb('옮기', 'move moved moving', '옮겼', [BOX, CHAIR, TABLE, STONE, BED, SOFA]),
    verb('닫', 'close closed closing', '', [DOOR, WINDOW, BOX]),
    verb('닦', 'wipe wiped wiping', '', [WINDOW, TABLE, CHAIR, DOOR, STONE, BALL]),
    verb('만나', 'meet met meeting', '만났', PEOPLE),
    verb('부르', 'call called calling', '불렀', [*PEOPLE, *ANIMALS]),
    verb('돕', 'help helped helping', '도왔', [*PEOPLE, *ANIMALS], attributive='도운', future='도울', honorific='도우|시'),
]

STATES = [
    adjective('피곤|하', 'tired'),
    adjective('배고프', 'hungry', '배고팠'),
    adjective('행복|하', 'happy'),
    adjective('조용|하', 'quiet'),
    adjective('건강|하', 'healthy'),
]
CHARACTERS = [adjective('친절|하', 'kind'), adjective('유명|하', 'famous')]
LOOKS = [adjective('작', 'small'), adjective('크', 'big', '컸'), adjective('예쁘', 'pretty', '예뻤'), adjective('이상|하', 'strange')]
QUALITIES = [
    adjective('낡', 'old'),
    adjective('깨끗|하', 'clean'),
    adjective('좋', 'good'),
    adjective('무겁', 'heavy', '무거웠', '무거운'),
]
# What adjectives are said of, beside people and animals.
THINGS = [*TEXTS, PICTURE, BALL, STONE, CHAIR, TABLE, BED, SOFA, DOOR, BOX, HOUSE, BRIDGE]

ADVERBS = {'조용히': 'quietly', '빨리': 'quickly', '천천히': 'slowly'}
TIMES = {
    'past': [('어제', 'yesterday'), ('오늘', 'today')],
    'was': [('어제', 'yesterday')],
    'is': [('지금', 'now')],
    'will': [('내일', 'tomorrow'), ('오늘', 'today')],
}

# What no trained sentence says: an adjective of a noun, a verb of an object.
APART = {
    ('small', 'bear'), ('famous', 'cat'), ('happy', 'doctor'), ('heavy', 'table'), ('draw', 'rabbit'), ('throw', 'box'),
    ('read', 'newspaper'), ('call', 'puppy'), ('drink', 'milk'), ('help', 'student'),
}  # fmt: skip


class Sentence(NamedTuple):
    ko: Words
    en: list[Piece]
    # Whether a pair of `APART` is in it.
    apart: bool

    def texts(self) -> tuple[str, str]:
        words = (''.join(text.removeprefix('##') for text, _ in word) for word in self.ko)
        return ' '.join(words), ' '.join(text for text, _ in self.en)


def adjectives_of(noun: Noun) -> list[Adjective]:
    if noun.honored:
        return STATES + CHARACTERS
    if noun in PEOPLE or noun in ANIMALS:
        return STATES + CHARACTERS + LOOKS
    return LOOKS + QUALITIES if noun in THINGS else []


class Speaker:
    """Says one sentence, in which no noun and no verb stands twice."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.links = 0
        self.used: set[Noun | Verb | Adjective] = set()
        self.apart = False

    def link(self) -> int:
        self.links += 1
        return self.links

    def happens(self, share: float) -> bool:
        return self.rng.random() < share

    def choose(self, things):
        """Draws one; words that have been said are not drawn again."""
        one = self.rng.choice([one for one in things if one not in self.used])
        if isinstance(one, (Noun, Verb, Adjective)):
            self.used.add(one)
        return one

    @staticmethod
    def word(form: str, link: int | None = None) -> list[Piece]:
        """A Korean word with the split of its form."""
        stem, *ending = form.split('|')
        return [(stem, link), *((f'##{one}', None) for one in ending)]

    def noun(self, noun: Noun, particle: str, of=(), relative: tuple[Words, list[Piece]] | None = None):
        """고양이가 or 고양이를, with an adjective of `of` or a relative clause before it."""
        link = self.link()
        if particle == '가':
            particle = '께서' if noun.honored else '이' if is_closed(noun.ko) else '가'
        if particle == '를':
            particle = '을' if is_closed(noun.ko) else '를'
        ko, en = [self.word(f'{noun.ko}|{particle}', link)], [(noun.en, link)]
        if of:
            one = self.choose(of)
            self.apart |= (one.en, noun.en) in APART
            link = self.link()
            ko, en = [self.word(one.attributive, link), *ko], [(one.en, link), *en]
        before, behind = relative or ([], [])
        return before + ko, [('the', None), *en, *behind]

    def plain(self, noun: Noun, particle: str):
        """A noun that may have an adjective."""
        adjectives = adjectives_of(noun)
        return self.noun(noun, particle, adjectives if adjectives and self.happens(0.3) else ())

    def place(self, particle: str):
        """매트 위에, on the mat"""
        if self.happens(0.3):
            noun = self.choose(list(AT))
            ko, en = self.noun(noun, particle)
            return ko, [(AT[noun], None), *en]
        noun = self.choose(list(NEAR))
        relation = self.choose(NEAR[noun].split())
        link, place = self.link(), self.link()
        ko = [[(noun.ko, link)], self.word(f'{RELATIONS[relation]}|{particle}', place)]
        return ko, [(relation, place), ('the', None), (noun.en, link)]

    def verbal(self, verb: Verb, tense: str, negated: bool, honored: bool, ending: str):
        """A verb in its tense, with what stands around it; `ending` is 다, 고, 기 or 는, that of relative clauses."""
        link = self.link()
        base, past, ing = verb.en
        stem = verb.honorific if honored and verb.is_replaced else verb.ko
        respected = lambda final: verb.honorific[:-1] + final
        refusal = ('않으시', '않으셨', '않으신') if honored else ('않', '않았', '않은')
        if tense == 'will':
            if negated:
                ko = [self.word(join(stem, '지'), link), self.word('않으실' if honored else '않을')]
            else:
                ko = [self.word(respected('실') if honored else verb.future, link)]
            return ko + [self.word('것이다')], [('will', None), *[('not', None)] * negated, (base, link)]
        if tense == 'past':
            if negated:
                last = refusal[2] if ending == '는' else refusal[1] + ending
                en = [('did', None), ('not', None), (base, link)]
                return [self.word(join(stem, '지'), link), self.word(last)], en
            if ending == '는':
                form = respected('신') if honored else verb.attributive
            else:
                form = join(respected('셨') if honored else verb.past, ending)
            return [self.word(form, link)], [(past, link)]
        ko = [self.word(verb.lasting or join(stem, '고'), link)]
        stay, stayed = ('계시', '계셨') if honored else ('있', '있었')
        is_past = tense == 'was'
        if negated:
            # One honorific is enough.
            ko += [self.word(f'{stay}지'), self.word(('않았' if is_past else '않') + ending)]
        elif ending == '는':
            ko.append(self.word(f'{stay}던' if is_past else '계신' if honored else '있는'))
        else:
            ko.append(self.word((stayed if is_past else stay) + ending))
        return ko, [(tense, None), *[('not', None)] * negated, (ing, link)]

    def state(self, noun: Noun, adjectives: list[Adjective], is_past: bool, negated: bool, ending: str):
        """피곤하다, is tired: what `noun` is"""
        adjective, honored = self.choose(adjectives), noun.honored
        self.apart |= (adjective.en, noun.en) in APART
        link = self.link()
        stem, past = adjective.ko, adjective.past
        if honored:
            stem, past = adjective.honorific, adjective.honorific[:-1] + '셨'
        if negated:
            refusal = ('않으셨' if is_past else '않으시') if honored else ('않았' if is_past else '않')
            ko = [self.word(join(adjective.ko, '지'), link), self.word(refusal + ending)]
        else:
            ko = [self.word(join(past if is_past else stem, ending), link)]
        return ko, [('was' if is_past else 'is', None), *[('not', None)] * negated, (adjective.en, link)]

    def doing(self, subject: Noun, ending: str, tenses: list[str], rich=False):
        """What a subject does, behind it in both languages."""
        verb = self.choose([one for one in VERBS if one.by_animals or subject in PEOPLE])
        tense = self.choose(tenses)
        # 있던 has no negative here.
        negated = self.happens(0.2) and not (ending == '는' and tense != 'past')
        ko, en = self.verbal(verb, tense, negated, subject.honored, ending)
        if rich and not verb.lasting and not verb.goes and self.happens(0.2):
            link = self.link()
            one = self.choose(list(ADVERBS))
            ko, en = [[(one, link)], *ko], [*en, (ADVERBS[one], link)]
        if verb.objects:
            noun = self.choose(verb.objects)
            self.apart |= (verb.en[0], noun.en) in APART
            thing = self.plain(noun, '를')
            # Behind the verb, before an adverb.
            at = next(i for i, (text, _) in enumerate(en) if text in verb.en) + 1
            ko, en = thing[0] + ko, en[:at] + thing[1] + en[at:]
        if verb.goes:
            where = self.noun(self.choose(list(AT)), '에')
            ko, en = where[0] + ko, [*en, ('to', None), *where[1]]
        elif not verb.nowhere and self.happens(0.8 if verb.lasting else 0.3 if rich else 0.1):
            where = self.place('에' if verb.lasting else '에서')
            ko, en = where[0] + ko, en + where[1]
        return ko, en, tense

    def clause(self, ending: str, tenses: list[str], subject=None, noun=None, rich=False):
        """A subject and what it does, with a word of time if `rich`."""
        noun = noun or self.choose(PEOPLE + ANIMALS)
        first = subject or self.plain(noun, '가')
        ko, en, tense = self.doing(noun, ending, tenses, rich)
        ko, en = first[0] + ko, first[1] + en
        if rich and self.happens(0.3):
            link = self.link()
            when, time = self.choose(TIMES[tense])
            ko, en = [[(when, link)], *ko], [*en, (time, link)]
        return ko, en

    def relative(self, noun: Noun):
        """매트 위에 앉아 있는, that is sitting on the mat"""
        ko, en, _ = self.doing(noun, '는', ['past', 'past', 'is', 'is', 'was'])
        return ko, [('that', None), *en]

    def made(self, noun: Noun):
        """소년이 산, that the boy bought: a relative clause of what `noun` is the object of."""
        # No verb and no object twice.
        verb = self.choose([one for one in VERBS if noun in one.objects])
        self.apart |= (verb.en[0], noun.en) in APART
        who = self.choose(PEOPLE + ANIMALS if verb.by_animals else PEOPLE)
        subject = self.noun(who, '가')
        tense = self.choose(['past', 'past', 'is'])
        negated = tense == 'past' and self.happens(0.1)
        ko, en = self.verbal(verb, tense, negated, who.honored, '는')
        return subject[0] + ko, [('that', None), *subject[1], *en]


ANY_TENSE = ['past', 'past', 'is', 'is', 'was', 'will']
TOLD = ['past', 'past', 'is', 'was']


def simple(one: Speaker):
    return one.clause('다', ANY_TENSE, rich=True)


def described(one: Speaker):
    """고양이가 피곤하다, the cat is tired"""
    noun = one.choose(PEOPLE + ANIMALS + THINGS)
    ko, en = one.plain(noun, '가')
    said = one.state(noun, adjectives_of(noun), one.happens(0.5), one.happens(0.3), '다')
    return ko + said[0], en + said[1]


def subject_that(one: Speaker):
    """매트 위에 앉아 있는 고양이가 우유를 마셨다"""
    noun = one.choose(PEOPLE + ANIMALS)
    return one.clause('다', ANY_TENSE, one.noun(noun, '가', relative=one.relative(noun)), noun, rich=True)


def object_that(one: Speaker):
    """할머니께서 매트 위에 앉아 있는 고양이를 보셨다"""
    who, noun = one.choose(PEOPLE), one.choose(PEOPLE + ANIMALS)
    verb = one.choose([verb for verb in VERBS if noun in verb.objects])
    one.apart |= (verb.en[0], noun.en) in APART
    subject, thing = one.plain(who, '가'), one.noun(noun, '를', relative=one.relative(noun))
    tense = one.choose(TOLD)
    said = one.verbal(verb, tense, one.happens(0.15), who.honored, '다')
    return subject[0] + thing[0] + said[0], subject[1] + said[1] + thing[1]


def subject_made(one: Speaker):
    """소년이 본 고양이가 매트 위에 앉아 있다"""
    noun = one.choose(PEOPLE + ANIMALS)
    return one.clause('다', ANY_TENSE, one.noun(noun, '가', relative=one.made(noun)), noun, rich=True)


def object_made(one: Speaker):
    """할머니께서 소년이 산 책을 읽으셨다"""
    who = one.choose(PEOPLE)
    verb = one.choose([verb for verb in VERBS if verb.objects])
    noun = one.choose([noun for noun in verb.objects if sum(noun in other.objects for other in VERBS) > 1])
    one.apart |= (verb.en[0], noun.en) in APART
    subject, thing = one.plain(who, '가'), one.noun(noun, '를', relative=one.made(noun))
    said = one.verbal(verb, one.choose(TOLD), one.happens(0.15), who.honored, '다')
    return subject[0] + thing[0] + said[0], subject[1] + said[1] + thing[1]


def because_state(one: Speaker):
    """고양이가 피곤했기 때문에 매트 위에 앉았다, the cat sat on the mat because it was tired"""
    noun = one.choose([noun for noun in PEOPLE + ANIMALS if noun.pronoun])
    is_past = one.happens(0.7)
    subject = one.noun(noun, '가')
    ko, en, _ = one.doing(noun, '다', ['past', 'past', 'was'] if is_past else ['is'])
    why = one.state(noun, STATES + CHARACTERS, is_past, one.happens(0.2), '기')
    behind = [('because', None), (noun.pronoun, None), *why[1]]
    return subject[0] + why[0] + [one.word('때문에')] + ko, subject[1] + en + behind


def because(one: Speaker):
    """개가 우유를 마셨기 때문에 소녀가 웃었다, the girl laughed because the dog drank the milk"""
    first, why = one.clause('다', ['past', 'was']), one.clause('기', ['past', 'was'])
    return why[0] + [one.word('때문에')] + first[0], first[1] + [('because', None)] + why[1]


def both(one: Speaker):
    """고양이가 매트 위에 앉았고 개가 잤다, the cat sat on the mat and the dog slept"""
    first, second = one.clause('고', TOLD), one.clause('다', TOLD)
    return first[0] + second[0], first[1] + [('and', None)] + second[1]


PATTERNS = {
    simple: 5, described: 2, subject_that: 3, object_that: 2, subject_made: 1, object_made: 1, because_state: 2, because: 1,
    both: 2,
}  # fmt: skip


def say(rng: random.Random) -> Sentence:
    (pattern,) = rng.choices(list(PATTERNS), list(PATTERNS.values()))
    while True:
        one = Speaker(rng)
        try:
            ko, en = pattern(one)
        except IndexError:
            # All words that would fit have been said.
            continue
        return Sentence(ko, en, one.apart)
