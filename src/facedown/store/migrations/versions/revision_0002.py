"""Whether a game may name files to load."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column; games of runs begun here are trusted, the others may have been imported."""
    op.add_column("games", sa.Column("trusted", sa.Boolean, nullable=False, server_default=sa.false()))
    games = sa.table("games", sa.column("run_id"), sa.column("trusted"))
    runs = sa.table("runs", sa.column("id"), sa.column("settings"))
    own = sa.select(runs.c.id).where(runs.c.settings != '{"imported": true}')
    op.execute(sa.update(games).where(games.c.run_id.in_(own)).values(trusted=sa.true()))
