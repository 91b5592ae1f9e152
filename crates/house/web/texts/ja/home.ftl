# The texts of ishi's workbench: home.
