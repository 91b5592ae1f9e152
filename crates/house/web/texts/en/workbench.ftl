# The texts of ishi's workbench: workbench.
