"""The tables of a store, the same on SQLite and PostgreSQL; docs/store.md explains them to users.

A change here needs a migration beside the others, and REVISION in places.py raised to its number. A test compares the two.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from facedown.store.places import VERSION_TABLE

NAMES = {  # migrations find constraints by name
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
}
METADATA = MetaData(naming_convention=NAMES)

RUNS = Table(
    "runs",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("settings", Text, nullable=False),  # JSON
    Column("facedown", Text, nullable=False),  # version
    Column("created", DateTime, nullable=False),  # UTC
)

GAMES = Table(
    "games",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE")),
    Column("deal", Integer),
    Column("seating", Integer),
    Column("game", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("seed", Text, nullable=False),  # text, since it may be larger than a database's numbers
    Column("actions", Integer, nullable=False),  # how many
    Column("forfeit", Integer),  # seat
    Column("finished", DateTime, nullable=False),  # UTC
    Column("seconds", Float),
    Column("cpu_seconds", Float),
    Column("record", Text, nullable=False),  # JSON; as text, so that it stays the same bit for bit
    Column("trusted", Boolean, nullable=False, server_default=false()),  # played here, so it may name files to load
    UniqueConstraint("run_id", "deal", "seating"),
    CheckConstraint(
        "(run_id IS NULL AND deal IS NULL AND seating IS NULL)"
        " OR (run_id IS NOT NULL AND deal IS NOT NULL AND seating IS NOT NULL)",
        name="place",
    ),
)

PLAYERS = Table(
    "players",
    METADATA,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("agent", Text, nullable=False),
    Column("score", Float, nullable=False),
    Column("best", Boolean),  # NULL where the record does not say which scores are better
    sqlite_with_rowid=False,
)

# What experiments measure without games; see measured.py.

MEASURED = Table(
    "measured",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("item", Text, primary_key=True),
    Column("value", Text, nullable=False),  # JSON
    Column("cpu_seconds", Float, nullable=False),
    sqlite_with_rowid=False,
)

# What a server needs to resume after a crash; see server/storage.py.

COMPETITIONS = Table(
    "competitions",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("settings", Text, nullable=False),  # JSON
    Column("entrants", Text, nullable=False),  # JSON
    Column("run", Text),  # the name of its run, once it has begun
    Column("over", Boolean, nullable=False),
    Column("created", DateTime, nullable=False),  # UTC
)

LIVE_TABLES = Table(
    "live_tables",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("settings", Text, nullable=False),  # JSON
    Column("seats", Text, nullable=False),  # JSON
    Column("competition_id", ForeignKey("competitions.id", ondelete="CASCADE")),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE")),  # of the finished game, once it is over
    Column("created", DateTime, nullable=False),  # UTC
)

LIVE_MOVES = Table(
    "live_moves",
    METADATA,
    Column("table_id", ForeignKey("live_tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("action", BigInteger, nullable=False),
    Column("seconds", Float),
    sqlite_with_rowid=False,
)

VERSION = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32), primary_key=True))
