"""A second way to evaluate a weights file: plain NumPy in double precision, from the layout of the file alone, board by board."""

import struct

import numpy as np

from ishi_train.export import fnv1a


class Weights:
    """Takes the parts of a weights file one after the other."""

    def __init__(self, content: bytes):
        assert content[:8] == b"ishijdg1"
        version, self.blocks, self.channels, self.head, self.pooled, planes, numbers, zero = content[8:16]
        assert (version, planes, numbers, zero) == (1, 25, 8, 0)
        assert struct.unpack("<Q", content[-8:])[0] == fnv1a(content[:-8])
        self.rest = np.frombuffer(content[16:-8], dtype="<f4").astype(np.float64)

    def take(self, *shape: int) -> np.ndarray:
        size = int(np.prod(shape))
        part, self.rest = self.rest[:size], self.rest[size:]
        return part.reshape(shape)


def relu(x):
    return np.maximum(x, 0)


def convolve(x, kernel):
    """[inputs, height, width] by [outputs, inputs, 3, 3], zeros around the board."""
    _, height, width = x.shape
    around = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    taps = [np.tensordot(kernel[:, :, r, c], around[:, r : r + height, c : c + width], 1) for r in range(3) for c in range(3)]
    return sum(taps)


def plus(x, bias):
    return x + bias[:, None, None]


def offset(x):
    return (np.sqrt(x.shape[1] * x.shape[2]) - 14) / 10


def pools(x):
    mean = x.mean(axis=(1, 2))
    return np.concatenate([mean, mean * offset(x), x.max(axis=(1, 2))])


def value_pools(x):
    mean = x.mean(axis=(1, 2))
    return np.concatenate([mean, mean * offset(x), mean * (offset(x) ** 2 - 0.1)])


def evaluate(content: bytes, planes: np.ndarray, numbers: np.ndarray) -> dict:
    """What the file says of planes [25, height, width] of a whole board."""
    w = Weights(content)
    c, h, g = w.channels, w.head, w.pooled
    kernel, of_numbers, bias = w.take(c, 25, 3, 3), w.take(c, 8), w.take(c)
    x = relu(plus(convolve(planes, kernel), of_numbers @ numbers + bias))
    for index in range(w.blocks):
        x = block(w, x, index % 3 == 2)
    q = relu(plus(np.tensordot(w.take(h, c), x, 1), w.take(h)))
    told = w.take(h, 3 * h) @ pools(q)
    p = relu(plus(np.tensordot(w.take(h, c), x, 1), w.take(h) + told))
    logits = np.tensordot(w.take(2, h), p, 1)
    passes = w.take(2, 3 * h) @ pools(q) + w.take(2)
    v = relu(plus(np.tensordot(w.take(h, c), x, 1), w.take(h)))
    owners = np.tanh(np.tensordot(w.take(1, h), v, 1)[0] + w.take(1))
    hidden = relu(w.take(64, 3 * h) @ value_pools(v) + w.take(64))
    winner, lead, spread = w.take(3, 64) @ hidden + w.take(3)
    assert len(w.rest) == 0, "the file must end here"
    return {
        "judge": logits[0], "played": logits[1], "passes": passes, "winner": winner,
        "lead": 20 * lead, "spread": 20 * np.log1p(np.exp(spread)), "owners": owners,
    }


def block(w, x, pooling):
    c, g = w.channels, w.pooled
    y = plus(convolve(x, w.take(c, c, 3, 3)), w.take(c))
    if pooling:
        y[: c - g] += (w.take(c - g, 3 * g) @ pools(relu(y[c - g :])))[:, None, None]
    return relu(x + plus(convolve(relu(y), w.take(c, c, 3, 3)), w.take(c)))
