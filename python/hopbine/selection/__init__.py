"""Selection files.

hopbine's own, and those written from them for other libraries (docs/selection.md).
"""
