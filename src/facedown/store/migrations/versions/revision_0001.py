"""Runs, games and players."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("facedown", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sa.UniqueConstraint("name", name="uq_runs_name"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Integer),
        sa.Column("run_id", sa.Integer),
        sa.Column("deal", sa.Integer),
        sa.Column("seating", sa.Integer),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("actions", sa.Integer, nullable=False),
        sa.Column("forfeit", sa.Integer),
        sa.Column("finished", sa.DateTime, nullable=False),
        sa.Column("seconds", sa.Float),
        sa.Column("record", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_games_run_id", ondelete="CASCADE"),
        sa.UniqueConstraint("run_id", "deal", "seating", name="uq_games_run_id_deal_seating"),
        sa.CheckConstraint(
            "(run_id IS NULL AND deal IS NULL AND seating IS NULL)"
            " OR (run_id IS NOT NULL AND deal IS NOT NULL AND seating IS NOT NULL)",
            name="ck_games_place",
        ),
    )
    op.create_table(
        "players",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("best", sa.Boolean),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_players"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_players_game_id", ondelete="CASCADE"),
        sqlite_with_rowid=False,
    )
