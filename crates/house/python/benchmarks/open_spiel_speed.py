"""How many times as fast as OpenSpiel: random games, both in the same run and in turn, the best of several rounds.

    python benchmarks/open_spiel_speed.py

Three ways to play them: one game with legal_actions and apply_action from Python; the same with what a network sees of every position; and many
games at once, observed as arrays, which OpenSpiel has no call for and is held against its one game.
"""

import argparse
import random
import time

import numpy as np
import pyspiel

import ishi


def play_one(game, games, see):
    """Random games from Python; the number of moves."""
    rng, moves = random.Random(1), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if see:
                np.asarray(state.observation_tensor(), dtype=np.float32)
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
    return moves


def play_many(game, games):
    """The same for all games at once: every position is observed, and every move is drawn by ishi."""
    batch, moves, step = game.new_batch(games), 0, 0
    while True:
        batch.observation_tensor()
        played = batch.play_randomly(seed=step, moves=1).sum()
        if played == 0:
            return moves
        moves, step = moves + int(played), step + 1


def best_speed(play, rounds):
    """Moves a second, the best of the rounds."""
    speeds = []
    for _ in range(rounds):
        start = time.process_time()
        moves = play()
        speeds.append(moves / (time.process_time() - start))
    return max(speeds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="games of a round")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    pairs = [
        ("go 9x9", ishi.GoGame(9), pyspiel.load_game("go", {"board_size": 9})),
        ("go 19x19", ishi.GoGame(19), pyspiel.load_game("go", {"board_size": 19})),
        ("othello", ishi.OthelloGame(), pyspiel.load_game("othello")),
    ]
    print(f"{'moves a second of CPU time':34} {'ishi':>12} {'OpenSpiel':>12} {'factor':>7}")
    for name, ours, theirs in pairs:
        for what, see in [("one game", False), ("one game, observed", True)]:
            speed = best_speed(lambda: play_one(ours, args.games, see), args.rounds)
            other = best_speed(lambda: play_one(theirs, args.games, see), args.rounds)
            print(f"{name + ', ' + what:34} {speed:12,.0f} {other:12,.0f} {speed / other:7.1f}")
        many = best_speed(lambda: play_many(ours, 8 * args.games), args.rounds)
        print(f"{name + ', many games, observed':34} {many:12,.0f} {other:12,.0f} {many / other:7.1f}")


if __name__ == "__main__":
    main()
