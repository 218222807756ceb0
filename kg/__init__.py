"""Paper abstracts to a knowledge graph that can be checked."""

__version__ = "0.1.0"
