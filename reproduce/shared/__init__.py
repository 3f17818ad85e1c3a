"""What the evaluations of several papers share."""
