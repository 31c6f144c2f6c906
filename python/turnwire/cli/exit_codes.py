"""The exit codes of the command line that have a name."""

# Without `typing`, which would take as long to import as all that `turnwire --version` needs.
UNREADABLE = 2
"""The input cannot be read, or the command cannot be run."""
STOPPED = 130
"""Ctrl-C."""
