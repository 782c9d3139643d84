"""The bots: what a bot is (`bot`), and those that come with the game (`levels`).

`mats` is a round as bots imagine it, `beliefs` how likely each disc is the skull, `equity` what the
end of a round is worth; `table` plays what was learned from them, `posterior` and `search` think
further, `two_players` ends the game. `characters` gives each a name and habits of its own. Bots see
views and public events, never the game's state.
"""
