"""Scenes of our own that look like photographs, rendered from formulas without chance."""
