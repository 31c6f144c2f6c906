"""One line each for the frameworks that agents are written in: a module for each, imported where it is used."""
