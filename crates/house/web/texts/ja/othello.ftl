# The texts of ishi's workbench: othello.
