"""The arena: bots play bots by the real rules, and are measured. The command `skull-arena`."""
