"""The random words of a draw: C4.2, C4.3."""

import hashlib
import struct

from tournament.pairing.words import WordStream, draw_seed

SEED = hashlib.sha256("舵主".encode()).digest()


def test_shuffle_vector_of_the_spec():
    """C4.3."""
    assert WordStream(SEED).shuffled(range(1, 10)) == [9, 4, 6, 8, 7, 3, 2, 5, 1]


def test_words_are_eight_big_endian_a_block():
    """C4.3: SHA-256(seed ‖ uint64 i), i = 0, 1, …"""
    stream = WordStream(SEED)
    blocks = b"".join(hashlib.sha256(SEED + struct.pack(">Q", i)).digest() for i in range(3))
    assert [stream.word() for _ in range(24)] == list(struct.unpack(">24I", blocks))


def test_words_beyond_the_last_whole_multiple_are_rejected():
    """C4.3: with 2³¹ + 1 numbers every word from 2³¹ + 1 on is thrown away."""
    bound = 2**31 + 1
    words = WordStream(SEED)
    accepted = [word for word in (words.word() for _ in range(64)) if word < bound]
    stream = WordStream(SEED)
    assert [stream.below(bound) for _ in accepted] == accepted
    assert 0 < len(accepted) < 64


def test_shuffling_nothing_or_one_takes_no_word():
    stream = WordStream(SEED)
    assert stream.shuffled([]) == []
    assert stream.shuffled(["甲"]) == ["甲"]
    assert stream.word() == WordStream(SEED).word()


def test_seed_joins_raw_digest_secret_and_words():
    """C4.2: SHA-256(list digest ‖ server secret ‖ words)."""
    digest, secret = bytes(range(32)), bytes(32)
    expected = hashlib.sha256(digest + secret + "三 六 九".encode()).digest()
    assert draw_seed(digest, secret, "三 六 九") == expected
    assert draw_seed(digest, secret, "三六九") != expected
