"""What the tests share."""

import ishi
import pytest


@pytest.fixture
def go9():
    return ishi.GoGame(9)


@pytest.fixture
def othello():
    return ishi.OthelloGame()
