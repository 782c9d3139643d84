"""The Skull server: tables, players, clocks and bots around the pure rules in `games`."""
