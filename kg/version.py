"""The version of kg, which packaging reads from here."""

__version__ = "0.1.0"
