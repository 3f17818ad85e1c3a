"""Generalised collectives (Wilkins et al., CLUSTER'23)."""
