# The texts of ishi's workbench: strings.
