# The texts of ishi's workbench: patterns.
