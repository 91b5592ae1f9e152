# The texts of ishi's workbench: decks.
