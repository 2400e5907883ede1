"""Whose request it is, where it comes from, and how many there may be."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from urmom_bot.page import guarding

PUBLIC, LOCAL = "https://bot.example.org", "http://127.0.0.1:8500"


def request(remote: str | None, **headers: str) -> web.Request:
    """A request from an address, with headers (`_` for `-`)."""
    transport = Mock()
    transport.get_extra_info.side_effect = lambda name: (
        (remote, 5) if name == "peername" and remote is not None else None
    )
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return make_mocked_request("GET", "/me", headers=named, transport=transport)


@pytest.mark.parametrize(
    ("remote", "told", "address", "expected"),
    [
        ("127.0.0.1", "6.6.6.6", PUBLIC, "6.6.6.6"),  # our proxy
        ("127.0.0.1", "1.1.1.1, 6.6.6.6", PUBLIC, "6.6.6.6"),  # it adds whom it heard; before that, anybody can write
        ("127.0.0.1", "", PUBLIC, "127.0.0.1"),
        ("5.5.5.5", "6.6.6.6", PUBLIC, "5.5.5.5"),  # no proxy of ours: it names itself as it likes
        ("127.0.0.1", "6.6.6.6", LOCAL, "127.0.0.1"),  # there is no proxy
        (None, "6.6.6.6", PUBLIC, ""),
    ],
)
def test_whose_request_it_is(remote: str | None, told: str, address: str, expected: str) -> None:
    """Nobody gets around a limit by a header."""
    headers = {"X_Forwarded_For": told} if told else {}
    assert guarding.peer_of(request(remote, **headers), address) == expected


@pytest.mark.parametrize(
    ("remote", "headers", "expected"),
    [
        ("127.0.0.1", {"Host": "127.0.0.1:8500"}, True),
        ("127.0.0.1", {"Host": "localhost:8500"}, True),
        ("127.0.0.1", {"Host": "bot.example.org"}, False),
        ("5.5.5.5", {"Host": "localhost:8500"}, False),
        ("127.0.0.1", {"Host": "localhost:8500", "X_Forwarded_For": "5.5.5.5"}, False),
        ("127.0.0.1", {"Host": "localhost:8500", "Forwarded": "for=5.5.5.5"}, False),
        ("127.0.0.1", {"Host": "localhost:8500", "x_forwarded_host": "bot.example.org"}, False),
    ],
)
def test_who_is_on_this_machine(remote: str, headers: dict[str, str], expected: bool) -> None:
    """Neither who comes through a proxy, nor who was led here by another name."""
    assert guarding.is_here(request(remote, **headers)) is expected


@pytest.mark.parametrize(
    ("host", "address", "expected"),
    [
        ("bot.example.org", PUBLIC, True),
        ("evil.example.org", PUBLIC, False),
        ("bot.example.org:81", PUBLIC, False),
        ("[::1]:8500", LOCAL, True),
        ("localhost:8500", LOCAL, True),
        ("localhost:8501", LOCAL, False),
    ],
)
def test_a_request_names_us(host: str, address: str, expected: bool) -> None:
    assert guarding.is_to_us(request("5.5.5.5", Host=host), address) is expected


def test_a_limit_comes_back_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many at once as there are in a minute, and one more each `60 / a_minute` seconds; each for themselves."""
    now = [100.0]
    monkeypatch.setattr(guarding, "monotonic", lambda: now[0])
    limit = guarding.Limit(3)
    assert [limit.allows("ann") for _ in range(4)] == [True, True, True, False]
    assert limit.allows("bob")
    now[0] += 19
    assert not limit.allows("ann")
    now[0] += 2
    assert limit.allows("ann")
    now[0] += 600
    assert [limit.allows("ann") for _ in range(4)] == [True, True, True, False]


def test_limits_leave_room_for_people_and_none_for_guessing() -> None:
    """A link is guessed with 256 bits; a page of a person takes some requests, and many share an address."""
    assert guarding.REQUESTS_A_MINUTE == 120
    assert guarding.ADDRESS_REQUESTS_A_MINUTE == 5 * guarding.REQUESTS_A_MINUTE
    assert guarding.WRONG_LINKS_A_MINUTE == 20
    assert guarding.EXPORTS_A_MINUTE == 3
