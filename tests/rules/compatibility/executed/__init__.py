"""Instructions that are executed by an emulator of a processor, to compare with verdicts."""
