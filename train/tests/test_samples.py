"""Samples are read as they were written, turned inside their boards, and dealt once each."""

from pathlib import Path

import numpy as np
import pytest

from ishi_train import check, samples
from ishi_train.__main__ import main
from ishi_train.export import fnv1a
from ishi_train.model import NUMBERS, PLANES, POINTS, SIDE
from ishi_train.samples import (
    HEADER, PASS, RECORD, SEALED_RECORD, Deck, Mixture, Split, held_out_records, open_samples, record_checksums, symmetry_sources, unpack,
    write_samples,
)

FIXTURE = Path(__file__).parents[2] / "crates/go/judge/tests/fixture-samples.bin"


def write_old_samples(path, records):
    """As the first version wrote them."""
    header = np.array([(b"ishipos1", RECORD.itemsize, PLANES, NUMBERS, SIDE, 0)], dtype=HEADER)
    path.write_bytes(header.tobytes() + records.tobytes())


def test_a_record_has_the_length_that_ishi_writes():
    assert RECORD.itemsize == 25 * 46 + 4 * 8 + 4 + 2 + 4 * 4 + 80 + 361 + 4
    assert SEALED_RECORD.itemsize == RECORD.itemsize + 8 == 1657
    assert HEADER.itemsize == 32


def test_what_is_written_is_read(tmp_path):
    records = check.made_records(1)
    write_samples(tmp_path / "a.pos", records)
    assert (open_samples(tmp_path / "a.pos") == records).all()


@pytest.mark.parametrize("damage, message", [
    (lambda b: b[:20], "header of 32 bytes"),
    (lambda b: b"no" + b[2:], "must begin with"),
    (lambda b: b[:-5], "cut off inside record 11"),
    (lambda b: b[:32], "no record"),
    (lambda b: b[:12] + b"\x07" + b[13:], "planes, numbers and side must be"),
    (lambda b: b[:24] + b"\x07" + b[25:], "planes, numbers and side must be"),
    (lambda b: b[:7] + b"1" + b[8:], "record length, planes, numbers and side must be"),
    (lambda b: b[:50] + bytes([b[50] ^ 4]) + b[51:], r"byte 32: record 0: it is damaged: its checksum must be [0-9a-f]{16}$"),
    (lambda b: b[:-1] + bytes([b[-1] ^ 128]), r"byte 18259: record 11: it is damaged"),
    (lambda b: b[:32] + b[1689:3346] + b[32:1689] + b[3346:], "byte 32: record 0: it is damaged"),
    (lambda b: b[:5000] + bytes(1657) + b[6657:], "byte 3346: record 2: it is damaged"),
])
def test_a_damaged_file_is_refused(tmp_path, damage, message):
    write_samples(tmp_path / "a.pos", check.made_records(1))
    (tmp_path / "b.pos").write_bytes(damage((tmp_path / "a.pos").read_bytes()))
    with pytest.raises(ValueError, match=message):
        open_samples(tmp_path / "b.pos")


def test_checksums_are_those_of_each_record():
    records = check.made_records(2)
    sums = record_checksums(records, 250)
    for number, (record, checksum) in enumerate(zip(records, sums), 250):
        assert checksum == fnv1a(number.to_bytes(8, "little") + record.tobytes())


def test_all_parts_of_a_file_are_checked(tmp_path, monkeypatch):
    """Files have more records than are checked at once."""
    monkeypatch.setattr(samples, "_AT_ONCE", 5)
    records = check.made_records(1)
    write_samples(tmp_path / "a.pos", records)
    assert (open_samples(tmp_path / "a.pos") == records).all()
    content = (tmp_path / "a.pos").read_bytes()
    for number in range(len(records)):
        damaged = bytearray(content)
        damaged[32 + 1657 * number + 700] ^= 1
        (tmp_path / "b.pos").write_bytes(damaged)
        with pytest.raises(ValueError, match=f"record {number}: it is damaged"):
            open_samples(tmp_path / "b.pos")


def test_ishi_and_python_agree_on_the_fixture(tmp_path):
    """The Rust crate `ishi-judge` reads and writes the same file, byte for byte."""
    records = open_samples(FIXTURE)
    assert (records == check.made_records(1)).all()
    write_samples(tmp_path / "a.pos", records)
    assert (tmp_path / "a.pos").read_bytes() == FIXTURE.read_bytes()


def test_files_without_checksums_are_learned_from_with_a_note(tmp_path, capsys):
    old, new = check.made_records(1, 60), check.made_records(2, 60)
    write_old_samples(tmp_path / "old.pos", old)
    write_samples(tmp_path / "new.pos", new)
    files = [open_samples(tmp_path / name) for name in ("old.pos", "new.pos")]
    notes = capsys.readouterr().err
    assert notes.count("\n") == 1 and "old.pos: has no checksums" in notes and "ishi_train seal" in notes
    assert (files[0] == old).all() and (files[1] == new).all()
    # Records of both stand in one batch, as those of two new files do.
    ours = Mixture(files, [1, 1], Split(), batch=16, seed=3)
    others = Mixture([old, new], [1, 1], Split(), batch=16, seed=3)
    assert (ours.batch_at(2).planes == others.batch_at(2).planes).all()
    held_out = held_out_records(files, Split(), 5)
    assert held_out.dtype == RECORD and (held_out == held_out_records([old, new], Split(), 5)).all()


def test_an_old_file_gets_checksums(tmp_path, capsys):
    records = check.made_records(1, 7)
    old, new = tmp_path / "old.pos", tmp_path / "new.pos"
    write_old_samples(old, records)
    assert main(["seal", str(old), str(new)]) == 0
    assert (open_samples(new) == records).all()
    write_samples(tmp_path / "written.pos", records)
    assert new.read_bytes() == (tmp_path / "written.pos").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.pos", "old.pos", "written.pos"]
    for arguments, message in [((old, new), "exists"), ((new, tmp_path / "other.pos"), "nothing is to be done")]:
        assert main(["seal", *map(str, arguments)]) == 2
        assert message in capsys.readouterr().err
    old.write_bytes(old.read_bytes()[:-1])
    assert main(["seal", str(old), str(tmp_path / "other.pos")]) == 2
    assert "cut off inside record 6" in capsys.readouterr().err


def by_hand(values, symmetry, width, height):
    """Turns the board in the lower left corner with NumPy's own flips."""
    board = values.reshape(SIDE, SIDE)[:height, :width]
    if symmetry & 1:
        board = board[:, ::-1]
    if symmetry & 2:
        board = board[::-1]
    if symmetry & 4:
        board = board.T
    out = np.zeros((SIDE, SIDE), dtype=values.dtype)
    out[: board.shape[0], : board.shape[1]] = board
    return out.ravel()


@pytest.mark.parametrize("symmetry", range(8))
@pytest.mark.parametrize("width, height", [(19, 19), (9, 9), (9, 13), (7, 2)])
def test_symmetries_turn_boards_as_flips_do(symmetry, width, height):
    on_board = by_hand(np.ones(POINTS), 0, width, height)
    values = np.arange(1, POINTS + 1) * on_board
    sources = symmetry_sources(np.array([symmetry]), np.array([width]), np.array([height]))[0]
    assert sorted(sources) == list(range(POINTS))
    np.testing.assert_array_equal(values[sources], by_hand(values, symmetry, width, height))


@pytest.mark.parametrize("symmetry", range(8))
def test_a_symmetry_and_its_inverse_give_the_board_back(symmetry):
    # Of the eight only the quarter turns differ from their inverses, and these are each other's.
    inverse = {5: 6, 6: 5}.get(symmetry, symmetry)
    one = lambda n: np.array([n])
    there = symmetry_sources(one(symmetry), one(9), one(9))[0]
    back = symmetry_sources(one(inverse), one(9), one(9))[0]
    np.testing.assert_array_equal(there[back], np.arange(POINTS))


def test_planes_moves_and_owners_turn_together():
    records = check.made_records(3)
    for record in records:
        # Mark the played move's point in plane 17, so that it can be followed.
        record["played"] = np.flatnonzero(np.unpackbits(record["planes"][0], bitorder="little"))[5]
        marks = np.zeros(368, dtype=np.uint8)
        marks[record["played"]] = 1
        record["planes"][17] = np.packbits(marks, bitorder="little")
        record["owners"] = np.where(marks[:POINTS], 12, 0)
    for symmetry in range(8):
        batch = unpack(records, np.full(len(records), symmetry))
        marks = batch.planes[:, 17].flatten(1)
        np.testing.assert_array_equal(batch.played[:, :POINTS], marks)
        np.testing.assert_array_equal(batch.owners, marks)
        assert (batch.planes[:, 0].flatten(1) >= marks).all()
        np.testing.assert_allclose(batch.judge_policy.sum(dim=1), 1, rtol=1e-5)


def test_a_pass_stays_a_pass():
    records = check.made_records(4)
    records["played"] = PASS
    assert (unpack(records, np.arange(len(records)) % 8).played[:, PASS] == 1).all()


def test_what_is_not_known_is_nothing():
    records = check.made_records(4)
    records["known"] = 0
    records["lead"] = np.nan
    batch = unpack(records, np.zeros(len(records), dtype=int))
    assert batch.lead.abs().sum() == batch.played.sum() == batch.judge_policy.sum() == batch.game_winner.sum() == 0


def test_a_deck_deals_each_record_once_a_round():
    deck = Deck(np.arange(10, 17), seed=3)
    dealt = np.concatenate([deck.deal(start, 5) for start in range(0, 35, 5)])
    for start in range(0, 35, 7):
        assert sorted(dealt[start : start + 7]) == list(range(10, 17))
    np.testing.assert_array_equal(Deck(np.arange(10, 17), seed=3).deal(12, 6), dealt[12:18])
    assert (dealt[:7] != dealt[7:14]).any()


def test_games_held_out_are_never_dealt(tmp_path):
    records = check.made_records(5, 60)
    records["numbers"][:, 0] = records["game"]
    split = Split(20, 7)
    mixture = Mixture([records[:40], records[40:]], [1, 3], split, batch=8, seed=1)
    batches = [mixture.batch_at(number) for number in range(20)]
    games = np.concatenate([batch.numbers[:, 0].numpy() for batch in batches])
    assert len(games) == 160
    assert not split.held_out(games).any()
    assert (games >= 40).sum() == 120, "three quarters are of the second file"
    assert set(held_out_records([records], split, 100)["game"]) == {7, 27, 47}


def test_a_batch_is_the_same_whenever_it_is_made():
    records = check.made_records(5, 60)
    make = lambda: Mixture([records], [1], Split(), batch=8, seed=1)
    first, again = make(), make()
    first.batch_at(0)
    for a, b in zip(first.batch_at(9), again.batch_at(9)):
        assert (a == b).all()
