"""How people write and read quantities, names and lists of hosts."""
