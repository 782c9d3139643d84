"""The tables of the journal, and what a statement that writes there is."""

Statement = tuple[str, tuple[object, ...]]
"""SQL and the values of its parameters."""

MIGRATIONS = (
    """
    CREATE TABLE players (
        id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice, not even by another player
        name TEXT NOT NULL,
        tokens BLOB NOT NULL -- SHA-256 of each token that holds, the newest last
    );
    CREATE TABLE answers ( -- requests that were done, a ring for each player
        player INTEGER NOT NULL,
        slot INTEGER NOT NULL,
        n INTEGER NOT NULL, -- counts the player's requests that were done
        request INTEGER NOT NULL,
        digest BLOB NOT NULL,
        PRIMARY KEY (player, slot)
    ) WITHOUT ROWID;
    CREATE TABLE tables (
        code TEXT PRIMARY KEY,
        record BLOB NOT NULL -- a TableRecord as msgpack
    ) WITHOUT ROWID;
    CREATE TABLE games (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        table_code TEXT NOT NULL,
        start BLOB NOT NULL, -- a GameStart as msgpack
        ended INTEGER, -- seconds since 1970; NULL with all that follows while it is played
        winner INTEGER,
        rounds INTEGER
    );
    CREATE INDEX games_of_table ON games (table_code);
    CREATE TABLE seats ( -- who sat where as the game began
        game INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        player INTEGER, -- NULL: a bot
        name TEXT NOT NULL,
        left_at INTEGER, -- how many inputs the game had had when they left for good
        PRIMARY KEY (game, seat)
    ) WITHOUT ROWID;
    CREATE INDEX seats_of_player ON seats (player, game) WHERE player IS NOT NULL;
    CREATE TABLE inputs (
        game INTEGER NOT NULL,
        n INTEGER NOT NULL, -- from 0, without gaps
        seat INTEGER NOT NULL,
        action BLOB NOT NULL, -- msgpack
        player INTEGER, -- who asked for it; NULL: a bot, or a clock
        PRIMARY KEY (game, n)
    ) WITHOUT ROWID;
    CREATE TABLE former ( -- hashes of tokens of players gone long ago whose games are kept
        token BLOB PRIMARY KEY,
        player INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX former_of_player ON former (player);
    CREATE TABLE standings ( -- what is counted for players, by what a name looks like
        look TEXT PRIMARY KEY,
        name TEXT NOT NULL, -- as it was written last
        games INTEGER NOT NULL,
        wins INTEGER NOT NULL,
        challenges_won INTEGER NOT NULL,
        challenges_lost INTEGER NOT NULL,
        bluffs_caught INTEGER NOT NULL,
        skulls_hit INTEGER NOT NULL,
        latest INTEGER NOT NULL -- the last game that was counted
    ) WITHOUT ROWID;
    CREATE INDEX standings_by_wins ON standings (wins);
    CREATE INDEX standings_by_latest ON standings (latest);
    """,
    """
    CREATE TABLE own_statistics ( -- what a player alone is told of the games they played
        player INTEGER PRIMARY KEY,
        games INTEGER NOT NULL,
        wins INTEGER NOT NULL,
        challenges_won INTEGER NOT NULL,
        challenges_lost INTEGER NOT NULL,
        bluffs_held INTEGER NOT NULL,
        bluffs_caught INTEGER NOT NULL,
        skulls_hit INTEGER NOT NULL,
        latest INTEGER NOT NULL -- the last game that was counted
    );
    CREATE INDEX own_statistics_by_latest ON own_statistics (latest);
    CREATE TABLE opponents ( -- and of those they played with, by what a name looks like
        player INTEGER NOT NULL,
        look TEXT NOT NULL,
        name TEXT NOT NULL, -- as it was written last
        games INTEGER NOT NULL,
        wins INTEGER NOT NULL, -- of the player in these games, as the next but one
        their_wins INTEGER NOT NULL,
        challenges_won INTEGER NOT NULL,
        their_challenges_won INTEGER NOT NULL,
        stopped INTEGER NOT NULL, -- their challenges by the player's skull
        stopped_by INTEGER NOT NULL, -- the player's challenges by their skull
        latest INTEGER NOT NULL,
        PRIMARY KEY (player, look)
    ) WITHOUT ROWID;
    CREATE INDEX opponents_by_latest ON opponents (player, latest);
    """,
)
"""The statements that lead from each version of the schema to the next."""
