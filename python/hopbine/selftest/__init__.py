"""Whether an installation works where it is: `hopbine selftest`."""
