"""Tags of systems on chip, and of the boards and phones that carry them."""
