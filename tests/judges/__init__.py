"""The judges: independent checkers of what turnwire writes. None of them imports turnwire."""
