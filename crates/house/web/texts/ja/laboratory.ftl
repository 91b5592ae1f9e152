# The texts of ishi's workbench: laboratory.
