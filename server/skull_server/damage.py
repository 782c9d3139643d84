"""What is said of a journal that cannot be read; apart from it, for a server may have none."""


class JournalDamaged(Exception):  # noqa: N818 - names what was found
    """The file is no journal, or not a whole one. Says what is wrong with it."""
