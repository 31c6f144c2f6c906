"""Tools for agents, built on turnwire; each is its own package with its own extra."""
