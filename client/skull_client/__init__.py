"""The Skull client: a connection to a server, and screens that show what it says."""
