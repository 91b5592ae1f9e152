"""The weights file says what the network says, on boards of every size."""

import numpy as np
import pytest
import torch

from ishi_train import check
from ishi_train.export import fnv1a, network_bytes
from ishi_train.model import PLANES, POINTS, SIDE, Shape
from ishi_train.samples import unpack
from ishi_train.unfold import folded_network, network_of

from reference import evaluate


def board_of(record):
    bits = np.unpackbits(record["planes"], axis=1, bitorder="little")[:, :POINTS].reshape(PLANES, SIDE, SIDE)
    return bits[:, : record["height"], : record["width"]].astype(np.float64)


def dense(values, record):
    out = np.zeros((SIDE, SIDE))
    out[: record["height"], : record["width"]] = values
    return out.ravel()


@pytest.mark.parametrize("shape", [Shape(3, 16), Shape(7, 32, 16, 12)])
def test_the_file_says_what_the_network_says(shape):
    network = check.random_network(5, shape)
    content, records = network_bytes(network), check.made_records(6)
    said = check.answers(network, records)
    assert said.std() > 0.1
    for record, answer in zip(records, said):
        right = evaluate(content, board_of(record), record["numbers"].astype(np.float64))
        flat = np.concatenate([
            dense(right["judge"], record), dense(right["played"], record), right["passes"],
            [right["winner"], right["lead"], right["spread"]], dense(right["owners"], record),
        ])
        np.testing.assert_allclose(answer, flat, rtol=2e-4, atol=2e-4)


def test_small_boards_do_not_depend_on_the_others_of_a_batch():
    network, records = check.random_network(1), check.made_records(2)
    together = check.answers(network, records)
    alone = np.concatenate([check.answers(network, records[i : i + 1]) for i in range(len(records))])
    np.testing.assert_allclose(together, alone, rtol=1e-4, atol=1e-4)


def test_the_checksum_is_fnv_1a():
    # Published test vectors of FNV-1a, 64 bits.
    assert fnv1a(b"") == 0xCBF29CE484222325
    assert fnv1a(b"a") == 0xAF63DC4C8601EC8C
    assert fnv1a(b"foobar") == 0x85944171F73967E8


def test_weights_that_are_no_numbers_are_not_written():
    network = check.random_network(1)
    network.value.out.bias.data[0] = float("nan")
    with pytest.raises(ValueError, match="finite"):
        network_bytes(network)


@pytest.mark.parametrize("shape", [Shape(3, 16), Shape(7, 32, 16, 12)])
def test_a_network_read_from_its_file_answers_alike_and_writes_the_same(shape):
    network, records = check.random_network(7, shape), check.made_records(8, 40)
    content = network_bytes(network)
    again = network_of(content, records)
    np.testing.assert_allclose(check.answers(again, records), check.answers(network, records), rtol=1e-3, atol=1e-3)
    written = np.frombuffer(network_bytes(again)[16:-8], "<f4")
    np.testing.assert_allclose(written, np.frombuffer(content[16:-8], "<f4"), rtol=1e-3, atol=1e-4)


def test_a_network_read_from_its_file_trains_as_it_answers():
    # In training the moments are those of the batch. On the very samples that set them, both ways must agree.
    network, records = check.random_network(7), check.made_records(8, 40)
    again = network_of(network_bytes(network), records)
    batch = unpack(records, np.zeros(len(records), dtype=np.int64))
    with torch.no_grad():
        said = check.flattened(again(batch.planes, batch.numbers), batch)
        again.train()
        trained = check.flattened(again(batch.planes, batch.numbers), batch)
    np.testing.assert_allclose(trained, said, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("where, what", [(0, "weights file"), (13, "damaged"), (200, "damaged"), (-1, "damaged")])
def test_damaged_files_are_refused(where, what):
    content = bytearray(network_bytes(check.random_network(1)))
    content[where] ^= 1
    with pytest.raises(ValueError, match=what):
        folded_network(bytes(content))
