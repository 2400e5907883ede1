"""What a reader answered who saw each prompt of a talk alone: kept, since the checks must not lose what is right."""

from __future__ import annotations

from datetime import date

from memory import Member
from memory.ai.prompts import DigestAnswer, DrawnSegment, Participants
from memory.records import Session, Turn, TurnRole
from memory.rules.text import tokens
from memory.rules.windows import SEGMENT_TOKENS
from memory.sessions.drawing import Drawing
from memory.sessions.segments import checked
from tests.builders import NOON, G

ANN, BOB = 1, 2
MEMBERS = {
    ANN: Member(guild_id=G, user_id=ANN, display_name="Ann", username="ann"),
    BOB: Member(guild_id=G, user_id=BOB, display_name="Bob", username="bob"),
}


def turns(*spoken: tuple[int, str]) -> list[Turn]:
    """Turns by Ann, Bob, and 0 for the bot."""
    return [
        Turn(
            number=n,
            role=TurnRole.USER if user_id else TurnRole.MODEL,
            user_id=user_id,
            message_id=100 + n,
            text=text,
            at=NOON,
            tokens=tokens(text),
        )
        for n, (user_id, text) in enumerate(spoken, 1)
    ]


def test_a_digest_keeps_what_was_settled_after_a_correction() -> None:
    """Two decisions with their dates worked out, one fact in the person's words; not a language from one sentence."""
    spoken = turns(
        (BOB, "deal. You need a pyrometer too, I paid 60 euros for mine at Keramik Nord in Kiel"),
        (BOB, "right, Sunday the 22nd it is"),
        (BOB, "fine, Ran on Friday at eight at my place, I bring nothing but popcorn"),
        (0, "Done deal: Ran, Friday at eight, at Bob's."),
        (BOB, "vale, entonces vemos Ran el viernes a las ocho"),
        (BOB, "when do we fire the kiln, and where do I find the pyrometer shop?"),
        (0, "You and Ann fire on Sunday the 22nd of November, no longer Saturday the 21st."),
        (ANN, "great, thanks, that's all for today"),
    )
    answer = DigestAnswer.model_validate(
        {
            "conclusions": [
                {
                    "kind": "decision",
                    "text": "@u2 and @u1 fire the kiln on Sunday 2026-11-22, no longer Saturday the 21st.",
                    "evidence": [2, 7],
                },
                {
                    "kind": "decision",
                    "text": "Ran is watched on Friday 2026-11-13 at eight at @u1's place.",
                    "evidence": [3, 5],
                },
            ],
            "facts": [
                {
                    "who": "u1",
                    "key": "equipment",
                    "text": "@u1 has a pyrometer from Keramik Nord in Kiel",
                    "evidence": [1],
                    "confidence": "medium",
                },
                {"who": "u1", "key": "language", "text": "@u1 speaks Spanish", "evidence": [5], "confidence": "low"},
            ],
        }
    )
    session = Session(guild_id=G, session_id=1, channel_id=7, audience=0, is_kept=True, started_at=NOON, active_at=NOON)
    drawing = Drawing(
        session, spoken, Participants([BOB, ANN], MEMBERS), date(2026, 11, 10), lambda text, people: False
    )
    assert [one.text for one in drawing.conclusions(answer)] == [
        "<@1> and <@2> fire the kiln on Sunday 2026-11-22, no longer Saturday the 21st.",
        "Ran is watched on Friday 2026-11-13 at eight at <@2>'s place.",
    ]
    assert [one.value for one in drawing.facts(answer, {})] == ["<@2> has a pyrometer from Keramik Nord in Kiel"]


def test_a_segment_keeps_its_decisions_first() -> None:
    """Within fifty tokens, with names for marks; what does not fit goes, what was settled last."""
    run = turns(
        (0, "Bob, would the old burner do for a smaller one?"),
        (ANN, "oh yes please Bob! So it's settled: I take Bob's burner, and we fire first on the 21st"),
        (
            0,
            "Settled then: first firing is Saturday the 21st of November. Do one empty test heat, start with the shell",
        ),
    )
    part = DrawnSegment(
        topic="burner, first firing",
        discussed=["shell first, empty test heat"],
        decisions=["@u1 takes @u2's burner", "first firing Saturday the 21st of November"],
        open_questions=["does @u2's kiln heat comfortably; burner fit a smaller one?"],
    )
    segment = checked(2, run, part, Participants([ANN, BOB], MEMBERS))
    assert segment.topic == "burner, first firing"
    assert segment.decisions == ("Ann takes Bob's burner", "first firing Saturday the 21st of November")
    values = (segment.topic, *segment.decisions, segment.outcome, *segment.open_questions, *segment.discussed)
    assert sum(tokens(value) for value in values if value) <= SEGMENT_TOKENS
    invented = part.model_copy(update={"decisions": ["@u1 takes Carl's burner", "firing at 1200 degrees"]})
    assert checked(2, run, invented, Participants([ANN, BOB], MEMBERS)).decisions == ()
