"""Tables and competitions of a server, which survive a crash in the middle of a game."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "competitions",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("entrants", sa.Text, nullable=False),
        sa.Column("run", sa.Text),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_competitions"),
    )
    op.create_table(
        "live_tables",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("competition_id", sa.Text),
        sa.Column("game_id", sa.Integer),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_live_tables"),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name="fk_live_tables_competition_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_live_tables_game_id", ondelete="CASCADE"),
    )
    op.create_table(
        "live_moves",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("action", sa.BigInteger, nullable=False),
        sa.Column("seconds", sa.Float),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_live_moves"),
        sa.ForeignKeyConstraint(["table_id"], ["live_tables.id"], name="fk_live_moves_table_id", ondelete="CASCADE"),
        sqlite_with_rowid=False,
    )
