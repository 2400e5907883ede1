"""What somebody tells next that says that a fact has changed, without a model."""

from dataclasses import replace

import pytest

from memory.records import Fact
from memory.rules.updates import may_be_update, may_update, updates
from tests.memory.rules.test_changes import fact as stored


def value(words: str) -> str:
    """A fact in the third person, or as its speaker put it."""
    return f"<@1>: “{words.removeprefix('own: ')}”" if words.startswith("own: ") else f"<@1> {words}"


def fact(words: str, key: str = "note") -> Fact:
    return replace(stored(words, key=key), value=value(words))


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ("moved to Hull", "lives in Leeds"),
        ("moved to hull", "lives in leeds"),
        ("lives in hull now", "lives in Leeds"),
        ("now lives in hull", "lives in Leeds"),
        ("works at google now", "works at Tesco"),
        ("doesn't like tea anymore", "likes tea"),
        ("no longer drinks tea", "drinks tea"),
        ("doesn't like tea", "likes tea"),
        ("likes tea now", "doesn't like tea"),
        ("own: ya no tengo gato", "own: tengo un gato que se llama Tom"),
        ("own: ich habe keine katze mehr", "own: ich habe eine katze namens Tom"),
        ("no longer works nights", "works nights at the docks"),
        ("doesn't have a cat anymore", "has a cat named Tom"),
        ("has 3 cats now", "has 2 cats"),
        ("finishes work at 8pm now", "finishes work at 9pm"),
        ("goes to the gym on fridays now", "goes to the gym on mondays"),
        ("own: ahora vivo en córdoba", "own: vivo en Rosario"),
        ("own: me mudé a córdoba", "own: vivo en Rosario"),
        ("own: ya no como carne", "own: como carne"),
        ("doesn't live in York anymore, lives in Hull", "lives in York"),
        ("own: ya no vivo en Granada, vivo en Málaga", "own: vivo en Granada"),
        ("own: ya no trabajo de cocinero sino de camarero", "own: trabajo de cocinero"),
        ("own: ya no vivo aquí, vivo en Málaga", "own: vivo en Granada"),
        ("own: ich wohne jetzt in dresden", "own: ich wohne in Berlin"),
        ("own: ich wohn inzwischen in dresden", "own: ich wohne in Berlin"),
        ("own: ich bin nach Köln gezogen", "own: ich wohne in Berlin"),
        ("own: ich trinke keinen kaffee mehr", "own: ich trinke kaffee"),
        ("own: ich rauche nicht mehr", "own: ich rauche"),
        ("own: j'habite maintenant à lyon", "own: j'habite à Paris"),
        ("own: j'ai déménagé à lyon", "own: je vis à Paris"),
        ("own: j'aime plus le thé", "own: j'aime le thé"),
        ("own: je ne bois plus de thé", "own: je bois du thé"),
        ("own: je ne fume plus", "own: je fume"),
        ("own: я переехал в питер", "own: я живу в Москве"),
        ("own: теперь живу в казани", "own: живу в Москве"),
        ("own: я больше не пью кофе", "own: я пью кофе"),
        ("quit smoking", "smokes"),
        ("own: I quit my job", "works as a welder"),
        ("own: I just got laid off", "works at Tesco"),
        ("own: ich hab gekündigt", "own: ich arbeite bei Bosch"),
        ("own: ich bin jetzt in Rente", "own: ich arbeite bei Bosch"),
        ("own: renuncié", "own: trabajo de cocinero"),
        ("own: j'ai démissionné", "own: je travaille chez Renault"),
        ("own: я уволился", "own: работаю поваром"),
        ("stopped drinking coffee", "drinks coffee"),
        ("own: ich habe mit dem rauchen aufgehört", "own: ich rauche"),
        ("own: dejé de fumar", "own: fumo"),
        ("own: j'ai arrêté de fumer", "own: je fume"),
        ("own: я бросил курить", "own: я курю"),
    ],
)
def test_what_says_that_a_fact_changed(told: str, known: str) -> None:
    """The opposite; or with a word for "now", another home or job, or another number or day."""
    assert updates(value(told), fact(known))
    assert may_be_update(told.removeprefix("own: "))


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ("lives in Hull", "lives in Leeds"),
        ("quit smoking", "smokes meat on weekends"),
        ("stopped working", "works at Google"),
        ("stopped playing", "plays drums in a band"),
        ("lives in hope now", "lives in Leeds"),
        ("works at night now", "works at Tesco"),
        ("works as a nurse", "works as a welder"),
        ("lives in England", "lives in Leeds"),
        ("owns 3 dogs now", "owns 2 cats"),
        ("own: ich wohne in der Südstadt", "own: ich wohne in Köln"),
        ("own: ich arbeite bei Regen", "own: ich arbeite bei Bosch"),
        ("works days now", "works nights"),
        ("plays bass now", "plays chess"),
        ("likes coffee now", "likes tea"),
        ("has 3 cats", "has 2 cats"),
        ("has an exam on friday", "has an exam on monday"),
        ("moved to Hull", "lives in Leeds and works as a welder"),
        ("doesn't have a cat anymore", "has a cat and a dog"),
    ],
)
def test_what_may_say_that_a_fact_changed(told: str, known: str) -> None:
    """It is asked about, and nothing is taken away."""
    assert not updates(value(told), fact(known))
    assert may_update(value(told), fact(known))


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ("has a dog", "has a cat"),
        ("hasn't quit smoking", "smokes"),
        ("own: my dad got fired", "works at Tesco"),
        ("own: I want to quit my job", "works at Tesco"),
        ("own: I almost got fired", "works at Tesco"),
        ("own: if I got fired", "works at Tesco"),
        ("own: I haven't quit my job", "works at Tesco"),
        ("own: bald bin ich in Rente", "own: ich arbeite bei Bosch"),
        ("own: I quit my job", "likes work"),
        ("never quit smoking", "smokes"),
        ("wants to quit smoking", "smokes"),
        ("stopped at the shop", "has a shop"),
        ("quit smoking", "no longer smokes"),
        ("own: ich habe nicht aufgehört zu rauchen", "own: ich rauche"),
        ("own: я не бросил курить", "own: я курю"),
        ("has a dog now", "has a cat"),
        ("works in Hull now", "plays chess"),
        ("lives in a flat now", "lives in Leeds"),
        ("moved to the sofa", "lives in Leeds"),
        ("doesn't only like tea", "likes tea"),
        ("doesn't like tea without milk", "likes tea"),
        ("likes <@2> now", "likes <@3>"),
        ("lives in Hull with <@2>", "lives in Leeds"),
        ("lives in north Leeds", "lives in Leeds"),
        ("is tired now", "is a welder"),
        ("doesn't like coffee", "likes tea"),
        ("own: vivo con mi perro ahora", "own: vivo en Rosario"),
        ("own: j'aime plus le thé que le café", "own: j'aime le thé"),
        ("own: ich trinke mehr kaffee", "own: ich trinke kaffee"),
        ("speaks German and Dutch now", "speaks French"),
        ("doesn't have a cat", "has a cat named Tom"),
        ("doesn't have a dog anymore", "has a cat named Tom"),
        ("doesn't like tea with milk anymore", "likes tea"),
        ("lives in fear", "lives in Leeds"),
        ("plays big old drums now", "plays tiny new flutes"),
        ("wouldn't live in Leeds", "lives in Leeds"),
        ("can't drink tea now", "drinks tea"),
        ("won't drink tea", "drinks tea"),
        ("uses Disney plus", "uses Disney"),
        ("plus likes chess", "likes chess"),
        ("own: j'aime de plus en plus le thé", "own: j'aime le thé"),
        ("own: j'ai un chat en plus", "own: j'ai un chat"),
        ("own: no vivo sin café", "own: vivo con café"),
        ("own: je ne bois plus de thé", "own: je bois du café"),
        ("own: je fais plus de sport", "own: je fais du sport"),
        ("own: ich arbeite jetzt nicht montags", "own: ich arbeite dienstags"),
    ],
)
def test_what_is_said_beside_a_fact(told: str, known: str) -> None:
    """Both may be so."""
    assert not updates(value(told), fact(known))
    assert not may_update(value(told), fact(known))


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ("own: my ex said, I live in Paris now", "own: I live in Vigo"),
        ("own: kim told me, I work at Google now", "own: I work at Tesco"),
        ("own: my ex keeps saying, I live in Paris now", "own: I live in Vigo"),
        ("own: according to kim, I live in Paris now", "own: I live in Vigo"),
        ("own: said my ex, I live in Paris now", "own: I live in Vigo"),
        ("own: sagt meine ex, ich wohne jetzt in Kiel", "own: ich wohne in Berlin"),
        ("own: dice mi ex, ahora vivo en París", "own: vivo en Vigo"),
        ("own: говорит моя бывшая, я теперь живу в Омске", "own: я живу в Казани"),
        ("own: mi ex dijo, ahora vivo en París", "own: vivo en Vigo"),
        ("own: mon ex a dit, j'habite maintenant à Paris", "own: j'habite à Lyon"),
        ("own: mein ex hat gesagt, ich wohne jetzt in Kiel", "own: ich wohne in Berlin"),
        ("own: бывший сказал, я теперь живу в Омске", "own: я живу в Казани"),
    ],
)
def test_what_somebody_says_of_a_person_changes_nothing_by_itself(told: str, known: str) -> None:
    """Without who says it, it does; also if that stands behind."""
    assert not updates(value(told), fact(known))
    who, _, what = told.removeprefix("own: ").partition(", ")
    assert not updates(value(f"own: {what}, {who}"), fact(known))
    assert updates(value(f"own: {told.partition(', ')[2]}"), fact(known))


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ("own: like I said, I live in Paris now", "own: I live in Vigo"),
        ("own: I told you, I live in Paris now", "own: I live in Vigo"),
        ("own: as kim says, I live in Paris now", "own: I live in Vigo"),
        ("own: who would have thought, I live in Paris now", "own: I live in Vigo"),
        ("own: my boss said yes, I live in Paris now", "own: I live in Vigo"),
        ("own: according to plan, I live in Paris now", "own: I live in Vigo"),
        ("own: easier said, I live in Paris now", "own: I live in Vigo"),
        ("own: wie gesagt, ich wohne jetzt in Kiel", "own: ich wohne in Berlin"),
        ("own: cela dit, j'habite maintenant à Paris", "own: j'habite à Lyon"),
        ("own: comme je l'ai dit, j'habite maintenant à Paris", "own: j'habite à Lyon"),
        ("own: ya te dije, ahora vivo en París", "own: vivo en Vigo"),
        ("own: как я сказал, я теперь живу в Омске", "own: я живу в Казани"),
    ],
)
def test_what_one_says_again_is_ones_own(told: str, known: str) -> None:
    assert updates(value(told), fact(known))


def test_a_fact_told_under_a_key_changes_too() -> None:
    """`location: Leeds` is a home."""
    assert updates("<@1> moved to Hull", fact("— location: Leeds", "location"))
    assert not updates("<@1> moved to Hull", fact("— pet: Rex", "pet"))


@pytest.mark.parametrize("text", ["I like tea", "good morning", "I don't know " + "and I really mean it " * 4])
def test_most_talk_changes_nothing(text: str) -> None:
    """So that no fact is read for it: it says nothing new, or is long."""
    assert not may_be_update(text)
