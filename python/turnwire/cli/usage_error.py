"""The error for words that are no command line."""


class UsageError(Exception):
    """The text says what is wrong, and what is right."""
