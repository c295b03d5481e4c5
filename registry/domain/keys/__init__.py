"""Keys by which targets compile and tune alike."""
