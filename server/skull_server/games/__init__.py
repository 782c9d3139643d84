"""Pure rules: no network, no clock, no disk, no screen; chance comes from outside."""
