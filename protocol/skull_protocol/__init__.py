"""What travels between `skull-server` and its clients: typed messages, and bytes for them.

Nothing here does any I/O. `codec` turns bytes into messages and back; `requests` and `pushes`
are the messages; `skull` holds the actions, events and views of the game itself; `text` says
which words of other people may be shown. `README.md` in this package's folder tells the same to
whoever writes a client in another language.
"""

VERSION = "0.1.0"
"""The release of all three packages, which come together."""
PROTOCOL_VERSION = 1
"""Both sides must speak the same version; anything that changes a message changes this number."""
