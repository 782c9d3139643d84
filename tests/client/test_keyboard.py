"""What a terminal sends, however it is torn: keys that were pressed, and none that were not."""

import random
import tracemalloc

import pytest

from skull_client.keyboard import BURST, LONGEST_PASTE, Key, Keyboard, Paste, Token

DELAY = 0.1
SEQUENCES = {
    "up": b"\x1b[A",
    "application mode": b"\x1bOA",
    "delete": b"\x1b[3~",
    "a key of a console": b"\x1b[[B",
    "a click": b"\x1b[<0;34;12M",
    "kitty": b"\x1b[97;5u",
    "with modifiers": b"\x1b[1;5C",
}


class Typing:
    """A keyboard with a clock of its own."""

    def __init__(self) -> None:
        self.keyboard = Keyboard(DELAY)
        self.now = 100.0
        self.tokens: list[Token] = []

    def send(self, chunk: bytes, *, after: float = 1.0) -> None:
        """Let time pass, with all that is due meanwhile, and then this arrive."""
        until = self.now + after
        while (due := self.keyboard.patience(self.now)) is not None and self.now + due <= until:
            self.now += due
            self.tokens += self.keyboard.tick(self.now)
        self.now = until
        self.tokens += self.keyboard.feed(chunk, self.now)

    def rest(self) -> list[Token]:
        """Let much time pass, and return everything that came."""
        self.send(b"", after=10.0)
        return self.tokens


def typed(*chunks: bytes, gap: float = 0.0) -> list[Token]:
    typing = Typing()
    for chunk in chunks:
        typing.send(chunk, after=gap)
    return typing.rest()


def keys(*texts: str) -> list[Token]:
    return [Key(text) for text in texts]


def test_characters_one_by_one_whatever_their_size() -> None:
    assert typed("aé漢\r\x03".encode()) == keys("a", "é", "漢", "\r", "\x03")
    assert typed(*[bytes((byte,)) for byte in "é漢".encode()], gap=0.3) == keys("é", "漢")


@pytest.mark.parametrize("sequence", SEQUENCES.values(), ids=SEQUENCES.keys())
@pytest.mark.parametrize("gap", [0.02, 0.09, 0.11, 0.2, 0.4])
def test_a_sequence_torn_at_any_byte_is_no_letter(sequence: bytes, gap: float) -> None:
    for place in range(1, len(sequence)):
        tokens = typed(sequence[:place], sequence[place:], gap=gap)
        early = [Key("\x1b")] if place == 1 and gap > DELAY else []
        assert tokens == [*early, Key(sequence.decode())], (place, tokens)


@pytest.mark.parametrize("sequence", SEQUENCES.values(), ids=SEQUENCES.keys())
def test_a_sequence_torn_at_every_byte_is_no_letter(sequence: bytes) -> None:
    tokens = typed(*[bytes((byte,)) for byte in sequence], gap=0.4)
    assert tokens == keys("\x1b", sequence.decode())


def test_escape_is_told_after_its_delay_and_not_before() -> None:
    keyboard = Keyboard(DELAY)
    assert keyboard.feed(b"\x1b", 1.0) == []
    assert keyboard.patience(1.0) == pytest.approx(DELAY)
    assert keyboard.tick(1.0 + DELAY / 2) == []
    assert keyboard.tick(1.0 + DELAY) == keys("\x1b")
    assert keyboard.patience(2.0) is None


def test_escape_and_a_key_at_once_are_both() -> None:
    assert typed(b"\x1bt\x1b\r\x1b\x1b[A") == keys("\x1b", "t", "\x1b", "\r", "\x1b", "\x1b[A")


def test_keys_typed_slowly_after_escape_are_keys() -> None:
    for letter in ("[", "O", "t"):
        assert typed(b"\x1b", letter.encode(), gap=2.0) == keys("\x1b", letter)


def test_a_sequence_that_never_ends_holds_nothing_back_for_long() -> None:
    assert typed(b"\x1b[12", b"t", gap=2.0) == keys("t")
    assert typed(b"\x1b[", b"t", gap=2.0) == keys("\x1b", "t")


@pytest.mark.parametrize("begun", [b"\x1b[1", b"\x1b]11;rgb", b"\x1bP>|"])
def test_enter_and_ctrl_c_get_through_whatever_has_begun(begun: bytes) -> None:
    assert typed(begun + b"\r\x03t") == keys("\r", "\x03", "t")


@pytest.mark.parametrize(
    "answer",
    [
        b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
        b"\x1b]11;rgb:ffff/ffff/ffff\x07",
        b"\x1bP>|XTerm(379)\x1b\\",
        b"\x1b_Gi=31;OK\x1b\\",
    ],
)
def test_answers_in_words_are_not_typed(answer: bytes) -> None:
    for place in range(1, len(answer)):
        assert typed(answer[:place], answer[place:] + b"t") == keys("t"), place


def test_words_without_end_are_listened_to_only_for_so_long() -> None:
    assert typed(b"\x1b]" + b"x" * 10_000)[-1] == Key("x")
    assert typed(b"\x1b]11;", b"t", gap=2.0) == keys("t")


def test_the_old_mouse_is_bytes_of_any_value() -> None:
    for x, y in ((b"!", b"!"), (b"\xc3", b"\xa9"), (b"\xff", b"\x80"), (b"\xe9", b"M")):
        report = b"\x1b[M " + x + y
        for place in range(2, len(report)):
            assert typed(report[:place], report[place:] + b"t", gap=0.4) == keys("t"), place


def test_no_byte_is_too_strange() -> None:
    assert typed(b"\xe9t\xff\x80t") == keys("\ufffd", "t", "\ufffd", "\ufffd", "t")


def test_a_paste_is_text_and_no_key() -> None:
    assert typed(b"a\x1b[200~p\r\nf\x1b[201~b") == [Key("a"), Paste("p\r\nf"), Key("b")]


def test_a_paste_torn_anywhere_is_the_same() -> None:
    sent = b"\x1b[200~p\r\xc3\xa9\r\x1b[201~b"
    for place in range(2, len(sent)):
        expected = [Paste("p\ré\r"), Key("b")]
        assert typed(sent[:place], sent[place:], gap=0.4) == expected, place


def test_a_paste_that_does_not_end_leaves_the_keyboard_alive() -> None:
    assert typed(b"\x1b[200~text", b"\x1b[A", gap=0.6) == [Paste("text"), Key("\x1b[A")]
    assert typed(b"\x1b[200~text", b"\x03", gap=0.1) == [Paste("text"), Key("\x03")]


def test_a_paste_that_stalls_goes_on_as_a_paste() -> None:
    more = b"\rp\r" * 30
    tokens = typed(b"\x1b[200~text", more, more + b"\x1b[201~", gap=5.0)
    assert tokens == [Paste("text" + 2 * more.decode())]


def test_a_burst_without_brackets_is_a_paste_too() -> None:
    text = b"p\r" * BURST
    assert typed(text) == [Paste(text.decode())]
    assert typed(text, b"p\r", gap=0.05) == [Paste(text.decode() + "p\r")]
    assert typed(text, b"p", gap=0.2) == [Paste(text.decode()), Key("p")]
    assert typed(b"x" * BURST) == keys(*"x" * BURST)


@pytest.mark.parametrize("start", [b"\x1b[200~", b""])
def test_of_a_paste_without_end_only_so_much_is_kept(start: bytes) -> None:
    typing = Typing()
    typing.send(start + b"x" * 4000)
    tracemalloc.start()
    for _ in range(250):
        typing.send(b"x" * 4000, after=0.01)
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 100_000
    typing.send(b"\x03", after=1.0)
    assert typing.rest() == [Paste("x" * LONGEST_PASTE), Key("\x03")]


def test_a_sequence_without_end_is_not_kept_either() -> None:
    assert typed(b"\x1b[" + b"1;" * 100_000 + b"At") == keys("t")


@pytest.mark.parametrize("seed", range(20))
def test_after_anything_at_all_a_key_is_a_key(seed: int) -> None:
    chance = random.Random(seed)
    pieces = [*SEQUENCES.values(), b"\x1b", b"\x1b[200~", b"\x1b]", b"\x1bP", b"\x1b[M", b"[", b"x"]
    typing = Typing()
    for _ in range(300):
        piece = chance.choice([*pieces, bytes(chance.choices(range(256), k=5))])
        typing.send(piece[: chance.randint(1, 6)], after=chance.choice([0.0, 0.02, 0.15, 0.4]))
    typing.send(b"\x03", after=1.5)
    assert typing.rest()[-1] == Key("\x03")
