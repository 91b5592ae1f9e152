"""By how much ishi's leads are off, held against positions that a strong judge has labelled.

Two labelled positions of one game, a few moves apart, are much like the positions after two moves that an explanation compares. ishi
searches both; what it says of the difference is held against what the judge says. The margin of a lead is fitted so that nine in ten
differences hold: the root of `floor` squared and (`share` * spread) squared, where the spread is how far the leads of the search lie apart,
behind its best move and between its moves. Three fifths of the games decide the constants, a fifth shows whether they hold elsewhere, and
the last fifth is reported. `MarginModel::NETWORK` (crates/go/play/src/explain/value.rs) has them.

    python -m ishi_train.margins games-train.txt.gz b10.tsv.gz --ishi ishi --visits 50
"""

import argparse
import gzip
import hashlib
import json
import random
import subprocess
import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Iterable, Iterator

import numpy as np

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
HOLDS = 0.9
"""The share of differences that must be within their margin."""
FLOORS = np.arange(0.0, 2.05, 0.05)
SHARES = np.arange(0.0, 2.05, 0.05)
WIDER = 1.2
"""The network has learned from most of these games, so that it is off by more in others; and claims are made where differences are large."""


@dataclass(frozen=True)
class Label:
    game: str
    played: int
    komi: float
    rules: str
    lead: float


@dataclass(frozen=True)
class Search:
    """What ishi says of a labelled position, for Black."""

    label: Label
    lead: float
    spread: float


@dataclass(frozen=True)
class Difference:
    game: str
    told: float
    judged: float
    spread: float

    @property
    def error(self) -> float:
        return abs(self.told - self.judged)


def read_text(path: Path) -> Iterator[list[str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def read_labels(path: Path) -> dict[str, list[Label]]:
    by_game: dict[str, list[Label]] = {}
    for columns in read_text(path):
        if columns[1].isdigit():
            label = Label(columns[0], int(columns[1]), float(columns[2]), columns[3], float(columns[5]))
            by_game.setdefault(label.game, []).append(label)
    return by_game


def close_labels(by_game: dict[str, list[Label]], apart: int, seed: int) -> list[Label]:
    """Labels with another one of their game at most so many moves away: game by game, in an order that the seed draws."""
    chosen: list[list[Label]] = []
    for labels in by_game.values():
        labels = sorted(labels, key=lambda label: label.played)
        close = [pair for pair in combinations(range(len(labels)), 2) if 1 <= labels[pair[1]].played - labels[pair[0]].played <= apart]
        if close:
            chosen.append([labels[at] for at in sorted({at for pair in close for at in pair})])
    random.Random(seed).shuffle(chosen)
    return [label for labels in chosen for label in labels]


def vertex(move: str, side: int) -> str:
    return "pass" if move == ".." else f"{COLUMNS[ord(move[0]) - ord('a')]}{side - (ord(move[1]) - ord('a'))}"


def question(label: Label, record: list[str], visits: int) -> dict:
    """The question of the analysis protocol about a position of a game."""
    side, setup, first, text = int(record[3]), record[6].replace("-", ""), record[10], record[11]
    colors = [first, "W" if first == "B" else "B"]
    moves = [[colors[at % 2], vertex(text[2 * at : 2 * at + 2], side)] for at in range(label.played)]
    stones = [["B", vertex(setup[at : at + 2], side)] for at in range(0, len(setup), 2)]
    start = {"boardXSize": side, "boardYSize": side, "initialStones": stones, "initialPlayer": first}
    return {"id": label.game, "moves": moves, "rules": label.rules, "komi": label.komi, "maxVisits": visits, **start}


def search_of(label: Label, answer: dict) -> Search:
    """The mean lead over all visits, as explanations compare it, and how far leads lie apart."""
    searched = [move for move in answer["moveInfos"] if move["visits"] > 0]
    visits = np.array([move["visits"] for move in searched], float)
    leads = np.array([move["scoreLead"] for move in searched])
    mean = float(np.average(leads, weights=visits))
    between = float(np.average((leads - mean) ** 2, weights=visits)) ** 0.5
    behind = answer["rootInfo"].get("scoreStdev") or 0.0
    return Search(label, mean, float(np.hypot(behind, between)))


def ask(ishi: str, labels: Iterable[Label], records: dict[str, list[str]], visits: int) -> Iterator[Search]:
    command = [ishi, "analysis", "--analysis-threads", "1", "--threads", "1", "--report-as", "BLACK"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as program:
        for label in labels:
            print(json.dumps(question(label, records[label.game], visits)), file=program.stdin, flush=True)
            answer = json.loads(program.stdout.readline())
            if "rootInfo" not in answer:
                raise ValueError(f"game {label.game}, move {label.played}: {answer}")
            yield search_of(label, answer)
        program.stdin.close()


def differences(searches: Iterable[Search], apart: int) -> list[Difference]:
    by_game: dict[str, list[Search]] = {}
    for search in searches:
        by_game.setdefault(search.label.game, []).append(search)
    return [
        Difference(game, a.lead - b.lead, a.label.lead - b.label.lead, float(np.hypot(a.spread, b.spread)))
        for game, of_game in by_game.items()
        for a, b in combinations(of_game, 2)
        if 1 <= abs(a.label.played - b.label.played) <= apart
    ]


def fifth(game: str) -> int:
    """Which fifth of the games this one is in: 0 to 2 fit, 3 shows, 4 is reported."""
    return int(hashlib.sha256(game.encode()).hexdigest(), 16) % 5


def margins(found: list[Difference], floor: float, share: float) -> np.ndarray:
    """Each of the two leads has the floor; both margins add up as squares do."""
    spreads = np.array([one.spread for one in found])
    return np.hypot(2**0.5 * floor, share * spreads)


def fit(found: list[Difference]) -> tuple[float, float]:
    """Floor and share with the least pinball loss: wide enough for nine in ten, and no wider than need be."""
    errors = np.array([one.error for one in found])

    def loss(floor: float, share: float) -> float:
        beyond = errors - margins(found, floor, share)
        return float(np.mean(np.maximum(HOLDS * beyond, (HOLDS - 1) * beyond)))

    return min(((float(floor), float(share)) for floor in FLOORS for share in SHARES), key=lambda both: loss(*both))


def held(found: list[Difference], floor: float, share: float) -> str:
    within = np.array([one.error for one in found]) <= margins(found, floor, share)
    return f"{int(within.sum())} of {len(found)} ({100 * within.mean():.0f} %)" if found else "none"


def main(arguments: list[str]) -> int:
    command = argparse.ArgumentParser(prog="ishi_train.margins", description="By how much ishi's leads are off.")
    command.add_argument("games", type=Path, help="records of games")
    command.add_argument("labels", type=Path, help="labels of their positions")
    command.add_argument("--ishi", default="ishi", help="the program (%(default)s)")
    command.add_argument("--visits", type=int, default=50, help="of a search (%(default)s)")
    command.add_argument("--apart", type=int, default=8, help="most moves between two positions (%(default)s)")
    command.add_argument("--most", type=int, default=560, help="most positions (%(default)s)")
    command.add_argument("--seed", type=int, default=28, help="of the order of games (%(default)s)")
    options = command.parse_args(arguments)
    labels = close_labels(read_labels(options.labels), options.apart, options.seed)[: options.most]
    wanted = {label.game for label in labels}
    records = {record[0]: record for record in read_text(options.games) if record[0] in wanted}
    found = differences(ask(options.ishi, labels, records, options.visits), options.apart)
    parts = [[one for one in found if fifth(one.game) in of] for of in [(0, 1, 2), (3,), (4,)]]
    if not parts[0]:
        raise ValueError("there must be positions of one game that lie close to each other")
    floor, share = (WIDER * of for of in fit(parts[0]))
    print(f"floor_points {floor:.2f}, spread_share {share:.2f}")
    for name, part in zip(["fitted", "shown", "reported"], parts):
        print(f"{name}: {held(part, floor, share)} within their margin")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
