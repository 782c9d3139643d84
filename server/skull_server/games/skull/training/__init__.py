"""How the bots were trained. Nothing here is needed to play."""
