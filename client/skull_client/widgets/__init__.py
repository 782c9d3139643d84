"""The pieces that screens are made of; each draws one thing and is told what to draw."""
