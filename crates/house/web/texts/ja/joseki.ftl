# The texts of ishi's workbench: joseki.
