"""Paper abstracts to a knowledge graph that can be checked."""
