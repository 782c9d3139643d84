"""The game as lines of text in and out: for screen readers, plain terminals and scripts.

Nothing is ever redrawn and no escape sequence is written. What is known comes from the same
connection and state as on the screens, and what is said of the game from the same wording.
"""
