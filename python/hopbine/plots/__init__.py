"""Pictures of schedules, networks, simulations, traffic and measured times."""
