"""Who may open which page, before anything is gathered for it."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from memory import NotAllowed, Viewer, operator
from urmom_bot.page.sections import Sections

MANAGERS, OPERATORS = {"/server", "/server/audit", "/server/roll-back"}, {"/operator"}


@pytest.mark.parametrize("who", ["member", "manager", "operator"])
async def test_who_may_open_which_page(who: str) -> None:
    """Members all but the managers' pages, managers these too, an operator their own page alone."""
    viewer = operator(0) if who == "operator" else Viewer(guild_id=5, user_id=1, may_manage=who == "manager")
    visit = Mock(viewer=viewer, is_operator=who == "operator")
    refused, asked = set[str](), Mock()
    sections = Sections(asked, asked, asked, asked, asked)
    pages = dict(sections.pages())
    for path, build in pages.items():
        asked.reset_mock()
        try:
            await build(Mock(), visit)
        except NotAllowed:
            refused.add(path)
            assert not asked.mock_calls, "nothing is gathered for who is refused"
        except Exception:
            pass
    members = set(pages) - MANAGERS - OPERATORS
    expected = {"member": MANAGERS | OPERATORS, "manager": OPERATORS, "operator": members | MANAGERS}
    assert refused == expected[who]
