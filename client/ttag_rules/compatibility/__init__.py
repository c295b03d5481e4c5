"""Whether code built for one target runs on a machine: rules, and the tables behind them."""
