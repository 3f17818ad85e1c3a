"""Orders of a job's ranks: which rank runs on which slot, so that few bytes pass between groups."""
