"""Jobs on machines: their ranks and nodes, and what algorithms do to them."""
