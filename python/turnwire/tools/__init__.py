"""Tools for agents that are built on turnwire; each is a package of its own behind an extra of its own."""
