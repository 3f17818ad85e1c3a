"""Bine trees (De Sensi et al., SC'25)."""
