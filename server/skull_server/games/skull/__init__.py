"""The rules of Skull, phase by phase: a round runs through these files in this order.

`setup` deals, `rounds` begins a round, `placing`, `bidding`, `challenge`, `loss`, `aftermath`;
`abandon` takes a round back, `forfeit` takes out a player who leaves for good. `state` is what
there is to know, `choices` what a player may do, `defaults` what is done for one who runs out of
time, `view` what each may see, `game` the whole behind the interface every table uses, `replay` a
game rebuilt from its record.
"""
