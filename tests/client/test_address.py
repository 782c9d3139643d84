"""Addresses as people type them."""

import pytest

from skull_client.address import Address, BadAddress, parse_address


@pytest.mark.parametrize(
    ("typed", "host", "port"),
    [
        ("box", "box", 7585),
        ("Box", "box", 7585),
        (" box ", "box", 7585),
        ("box:80", "box", 80),
        ("my-box.example.org:65535", "my-box.example.org", 65535),
        ("192.0.2.7", "192.0.2.7", 7585),
        ("192.0.2.7:1", "192.0.2.7", 1),
        ("::1", "::1", 7585),
        ("[::1]", "::1", 7585),
        ("[::1]:80", "::1", 80),
        ("2001:DB8::7", "2001:db8::7", 7585),
        ("[2001:db8::7]:7586", "2001:db8::7", 7586),
        ("fe80::1%eth0", "fe80::1%eth0", 7585),
    ],
)
def test_addresses(typed: str, host: str, port: int) -> None:
    assert parse_address(typed) == Address(host, port)


@pytest.mark.parametrize(
    "typed",
    [
        "", " ", ":", ":7585", "box:", "box:0", "box:65536", "box:-1", "box:x", "box:1.5",
        "box:٣", "box:7585:1", "[::1", "[::1]7585", "[::1]:", "[box]:1", "[]", "::g", "a b",
        "http://box", "box/", "-box", ".", "a..b", "box\n:1", "\x1b[2J", "x" * 254, "user@box",
    ],
)  # fmt: skip
def test_what_is_no_address_gets_one_sentence(typed: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_address(typed)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize("text", ["box:7585", "[::1]:80"])
def test_an_address_reads_back_as_it_is_shown(text: str) -> None:
    assert str(parse_address(text)) == text
