"""Checks a certificate of `ishi strings prove`: a second checker, in another language. It shares nothing with the first but
the argument and the format, which crates/strings/certificate/src/lib.rs gives.

    python3 tests/check_certificate.py 9.cert

Prints what is proved; or, and then it exits with 1, the first fault or why the file is no certificate. Needs nothing but
Python. It is slow: some minutes for bands of depth 9.
"""

import sys

NEVER = 10**9


MAX_DEPTH = 10
MAX_PRICE = 500_000_000


class Damaged(Exception):
    """The file is not as the format asks for."""


def need(holds, what):
    # `assert` would be gone under `python3 -O`.
    if not holds:
        raise Damaged(what)


def natural(word):
    need(word.isascii() and word.isdigit(), f"{word!r} is no whole number")
    return int(word)


def price(word):
    value = -natural(word[1:]) if word.startswith("-") else natural(word)
    need(abs(value) <= MAX_PRICE, f"a price of {value}")
    return value


def after_word(line, word, count):
    """The numbers of a line that begins with a word."""
    words = line.split()
    need(len(words) == count + 1 and words[0] == word, f"{line!r} is no line of {word}")
    return [natural(number) for number in words[1:]]


def checksum(text):
    """FNV-1a, 64 bits, in sixteen hexadecimal digits."""
    total = 0xCBF29CE484222325
    for byte in text.encode():
        total = (total ^ byte) * 0x100000001B3 % 2**64
    return f"{total:016x}"


def read(path):
    lines = open(path).read().split("\n")
    # Older certificates have no checksum.
    need(lines[0] in ("ishi-strings-certificate 2", "ishi-strings-certificate 3"), "another first line")
    need("states" in lines and "end" in lines, "a part is missing")
    width, height = after_word(lines[1], "size", 2)
    [empties] = after_word(lines[2], "empties", 1)
    [depth] = after_word(lines[3], "depth", 1)
    after_word(lines[4], "prices", 0)
    need(width > 0 and height > 0, "a board without points")
    # Deeper bands would meet each other.
    need(depth <= min(width // 2, height // 2, MAX_DEPTH), f"a depth of {depth}")
    states, end = lines.index("states"), lines.index("end")
    after_end = [line for line in lines[end + 1 :] if line.strip()]
    if lines[0].endswith("3"):
        whole = "\n".join(lines[: end + 1]) + "\n"
        need(after_end[:1] == ["checksum " + checksum(whole)], "the checksum is another")
        after_end = after_end[1:]
    need(not after_end, "something after the end")
    prices = [price(word) for line in lines[5:states] for word in line.split()]
    need(len(prices) == (3**depth if depth else 0), "the number of prices")
    listed = {}
    for line in lines[states + 1 : end]:
        after, potential, *numbers = map(natural, line.split())
        need(numbers and after < width * height, f"{line!r} lists no state")
        for number in numbers:
            need((after, number) not in listed, "a state is listed twice")
            listed[after, number] = potential
    return width, height, empties, depth, prices, listed


class Board:
    def __init__(self, width, height, depth):
        self.width, self.height, self.depth = width, height, depth
        self.order = sorted(((x, y) for x in range(width) for y in range(height)), key=lambda p: (sum(p), p[0]))

    def near(self, x, y):
        around = ((x - 1, y), (x, y - 1), (x + 1, y), (x, y + 1))
        return [(a, b) for a, b in around if 0 <= a < self.width and 0 <= b < self.height]

    def side(self, x, y):
        """The band of a point: R along the top and the right side, L along the left side and the bottom."""
        d = self.depth
        left, top = x < d, y < d
        right, bottom = x + d >= self.width, y + d >= self.height
        if not (left or top or right or bottom):
            return None
        if left and top:
            return "R" if x >= y else "L"
        if right and bottom:
            return "R" if x + self.height >= y + self.width else "L"
        return "R" if top or right else "L"


class Walk:
    """Points in an order, and after each the frontier: slot of every visited point with an unvisited neighbour."""

    def __init__(self, board, order, kept=()):
        self.board, self.order, self.inside = board, order, set(order)
        time = {point: now for now, point in enumerate(order)}
        last = {p: max([time[q] for q in board.near(*p) if q in time], default=-1) for p in order}
        self.frontiers = [{}]
        for now, point in enumerate(order):
            slots = {p: s for p, s in self.frontiers[-1].items() if last[p] > now or p in kept}
            if last[point] > now or point in kept:
                slots[point] = min(set(range(len(slots) + 1)) - set(slots.values()))
            self.frontiers.append(slots)

    def moves(self, now, digits):
        """Both ways to go on from the digits of a frontier: loss, digits, member."""
        board, point = self.board, self.order[now]
        for member in (False, True):
            near = [p for p in board.near(*point) if p in digits]
            members = sum(digits[p] == 2 for p in near)
            new = dict(digits)
            if member:
                loss = 4 - len(board.near(*point)) + members + sum(digits[p] >= 1 for p in near)
                new.update({p: max(digits[p], 1) for p in near})
                new[point] = 2
            else:
                loss, new[point] = max(members - 1, 0), min(members, 1)
            after = self.frontiers[now + 1]
            gone = [p for p in new if p not in after]
            # A point that leaves uncovered must have a neighbour outside the walk that may cover it.
            if all(new[p] or any(q not in self.inside for q in board.near(*p)) for p in gone):
                yield loss, {p: new[p] for p in after}, member

    def tables(self, ends):
        """Doubled potentials after every number of points, by the number of the state; `ends` after the last."""
        found = [ends]
        for now in reversed(range(len(self.order))):
            table = {}
            for digits in states(self.frontiers[now]):
                options = [found[-1][number(self.frontiers[now + 1], new)] + 2 * loss for loss, new, _ in self.moves(now, digits)]
                table[number(self.frontiers[now], digits)] = min([NEVER, *options])
            found.append(table)
        return found[::-1]


def states(slots):
    points = list(slots)
    for code in range(3 ** len(points)):
        yield {p: code // 3**i % 3 for i, p in enumerate(points)}


def number(slots, digits):
    return sum(digits[p] * 3**slot for p, slot in slots.items())


def couple(c, y):
    """The loss between the digits of the seam; none if a point stays uncovered."""
    zigzag = [digit for pair in zip(c, y) for digit in pair]
    loss = 0
    for i, digit in enumerate(zigzag):
        members = sum(other == 2 for other in zigzag[max(i - 1, 0) : i] + zigzag[i + 1 : i + 2])
        covered = min(digit, 1) + members
        if covered == 0 and i + 1 < len(zigzag):
            return None
        loss += max(covered - 1, 0)
    return loss


def bands(board, prices):
    """For each number of visited points the two walks, how far they are, and their tables."""
    w, h, d = board.width, board.height, board.depth
    shared = w + h - 2 * d - 1
    found = []
    digits = lambda code: [code // 3**s % 3 for s in range(d)]
    for side in "RL":
        points = [p for p in board.order if board.side(*p) == side]
        first = [p for p in points if sum(p) <= shared]
        turned = sorted((p for p in points if sum(p) > shared), key=lambda p: (p[1], p[0]) if side == "R" else p)
        seam = [(w - 1 - s if side == "R" else w - 2 - s, h - 1 - s) for s in range(d)]
        early = Walk(board, first + turned, kept=seam)
        slots, ends = early.frontiers[-1], {}
        for code in range(3**d):
            if side == "R":
                value = prices[code]
            else:
                losses = ((couple(digits(c), digits(code)), price) for c, price in enumerate(prices))
                value = min([NEVER, *(2 * loss - price for loss, price in losses if loss is not None)])
            ends[number(slots, dict(zip(seam, digits(code))))] = value
        late = Walk(board, [p for p in points if sum(p) + 1 >= shared])
        found.append((early, early.tables(ends), late, late.tables({0: 0})))
    return shared, found


def check(width, height, empties, depth, prices, listed):
    board = Board(width, height, depth)
    walk = Walk(board, board.order)
    needed = max(5 * (empties - 1) - width * height + 1, 0)
    if {state: p for state, p in listed.items() if state[0] == 0} != {(0, 0): needed}:
        return f"the start must have the potential {needed}"
    shared, sides = bands(board, prices) if depth else (0, [])
    by_layer = {}
    for (after, state), potential in listed.items():
        by_layer.setdefault(after, []).append((state, potential))
    for after, layer in sorted(by_layer.items()):
        slots, next_slots = walk.frontiers[after], walk.frontiers[after + 1]
        visited = set(board.order[: after + 1])
        known = []
        for early, early_tables, late, late_tables in sides:
            band, tables = (late, late_tables) if sum(board.order[after]) > shared else (early, early_tables)
            so_far = sum(p in visited for p in band.order)
            known.append((band.frontiers[so_far], tables[so_far]))
        for state, potential in layer:
            digits = {p: state // 3**slot % 3 for p, slot in slots.items()}
            if number(slots, digits) != state:
                return f"after {after} points {state} is no state"
            for loss, new, member in walk.moves(after, digits):
                bound = sum(table[number(frontier, new)] for frontier, table in known)
                best = max(-(-bound // 2), 0, listed.get((after + 1, number(next_slots, new)), 0))
                if loss + best < potential:
                    return f"after {after} points the state {state} has no potential of {potential}"
    return None


if __name__ == "__main__":
    try:
        width, height, empties, *rest = read(sys.argv[1])
    except (Damaged, ValueError, IndexError) as error:
        sys.exit(f"no certificate: {error}")
    fault = check(width, height, empties, *rest)
    if fault:
        sys.exit("refused: " + fault)
    print(f"accepted: every dominating set of {width}x{height} has at least {empties} points")
