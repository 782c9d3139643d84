"""Token files: secret, safe to name after anybody, and never a reason to crash."""

import os
import stat
import traceback
from pathlib import Path

import pytest

from skull_client.tokens import Token, TokenStore


def modes(directory: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()}


def test_files_are_for_the_owner_only_whatever_the_umask(tmp_path: Path) -> None:
    directory = tmp_path / "state" / "skull-client"
    before = os.umask(0)
    try:
        file = TokenStore(directory).open("box:7585", "Ana")
        file.save(Token("one"))
        file.save(Token("two"))
    finally:
        os.umask(before)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert modes(directory) == {0o600}
    assert file.problem == ""
    file.release()


def test_a_directory_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    TokenStore(tmp_path).open("box:7585", "Ana").release()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


def test_each_server_and_name_has_its_own_token(tmp_path: Path) -> None:
    store = TokenStore(tmp_path)
    kept = {}
    for server in ("box:7585", "box:7586"):
        for name in ("Ana", "Bob", "a b", "box:7585"):
            file = store.open(server, name)
            file.save(Token(f"{server} {name}"))
            file.release()
            kept[server, name] = f"{server} {name}"
    for (server, name), secret in kept.items():
        file = store.open(server, name)
        token = file.load()
        assert token is not None
        assert token.reveal() == secret
        file.release()


def test_upper_and_lower_case_are_the_same_name_as_at_the_server(tmp_path: Path) -> None:
    store = TokenStore(tmp_path)
    file = store.open("box:7585", "Ana")
    file.save(Token("secret"))
    file.release()
    again = store.open("box:7585", "ANA").load()
    assert again is not None


@pytest.mark.parametrize("name", ["../../evil", "/etc/passwd", "a\0b", "", ".", "x" * 5000, "Zoë"])
def test_no_name_leads_out_of_the_directory(tmp_path: Path, name: str) -> None:
    directory = tmp_path / "tokens"
    file = TokenStore(directory).open("../box", name)
    file.save(Token("secret"))
    assert file.problem == ""
    assert list(tmp_path.iterdir()) == [directory]
    assert all(path.is_file() for path in directory.iterdir())
    file.release()


def test_one_client_at_a_time_has_a_name(tmp_path: Path) -> None:
    store = TokenStore(tmp_path)
    first = store.open("box:7585", "Ana")
    first.save(Token("secret"))
    second = store.open("box:7585", "Ana")
    assert second.load() is None
    second.save(Token("stolen"))
    second.forget()
    kept = first.load()
    assert kept is not None
    assert kept.reveal() == "secret"
    assert second.problem == "", "nothing is broken: somebody else is at it"
    first.release()
    third = store.open("box:7585", "Ana")
    assert third.load() is not None
    third.release()


def test_a_saved_token_replaces_the_file_whole(tmp_path: Path) -> None:
    file = TokenStore(tmp_path).open("box:7585", "Ana")
    file.save(Token("a" * 43))
    (path,) = tmp_path.glob("*.token")
    with path.open() as reader:
        file.save(Token("b"))
        assert reader.read() == "a" * 43, "a reader of the old file sees all of the old token"
    assert path.read_text() == "b"
    assert len(list(tmp_path.iterdir())) == 2, "the token and its lock, nothing half written"
    file.release()


def test_forgotten_tokens_are_gone(tmp_path: Path) -> None:
    file = TokenStore(tmp_path).open("box:7585", "Ana")
    file.save(Token("secret"))
    file.forget()
    file.forget()
    assert file.load() is None
    file.release()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"x" * 201])
def test_a_spoilt_file_is_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    file = TokenStore(tmp_path).open("box:7585", "Ana")
    file.save(Token("secret"))
    (path,) = tmp_path.glob("*.token")
    path.write_bytes(content)
    assert file.load() is None
    file.release()


def test_a_store_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    file = TokenStore(tmp_path / "file").open("box:7585", "Ana")
    file.save(Token("secret"))
    assert file.load() is None
    file.forget()
    file.release()
    assert "cannot be remembered" in file.problem
    assert "secret" not in file.problem


def test_a_token_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    file = TokenStore(tmp_path / "tokens").open("box:7585", "Ana")
    for path in (tmp_path / "tokens").iterdir():
        path.unlink()
    (tmp_path / "tokens").rmdir()
    file.save(Token("secret"))
    assert "cannot be remembered" in file.problem
    file.release()


def test_a_token_is_not_shown_by_accident() -> None:
    token = Token("very-secret")
    try:
        raise ValueError(token)
    except ValueError as fault:
        told = "".join(
            traceback.TracebackException.from_exception(fault, capture_locals=True).format()
        )
    assert "token = Token(…)" in told
    # The line of code above names the secret; what was captured must not.
    captured = [line for line in told.splitlines() if " = " in line and 'Token("' not in line]
    assert "very-secret" not in "\n".join(captured) + repr(token) + str(token) + f"{[token]}"
