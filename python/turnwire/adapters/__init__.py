"""Adapters for agent frameworks: one module for each framework, imported only where it is used."""
