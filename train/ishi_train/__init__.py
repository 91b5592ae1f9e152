"""Training of the network of `ishi-judge`: reads samples of `ishi go positions`, writes weights that `ishi` evaluates."""
