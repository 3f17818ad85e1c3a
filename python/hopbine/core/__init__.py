"""What the C++ core knows, as Python has it: its answers, its algorithms, its settings."""
