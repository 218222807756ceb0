"""How the shipped model is made: prepare, train, label, export, evaluate (see README.md)."""
