# The texts of ishi's workbench: go.
