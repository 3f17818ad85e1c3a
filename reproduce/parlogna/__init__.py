"""ParLogNa and ParLinNa (Fan et al., HPDC'25)."""
