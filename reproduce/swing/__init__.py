"""Swing (De Sensi et al., NSDI'24)."""
