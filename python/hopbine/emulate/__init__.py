"""A cluster on this machine: hosts that are network namespaces, with scarce links between them.

plan, tree, torus: what is to be made, without making it. kernel, build: making it. job, launching,
jobs: programs on it. lifetime: all of it lives in namespaces that end with one process. counters,
counted, report: what went over the links. check: what this machine allows.
"""
