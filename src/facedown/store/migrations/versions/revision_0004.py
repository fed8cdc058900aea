"""The processor time of games, and what experiments measure without games."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column and the table; the processor time of games so far is not known."""
    op.add_column("games", sa.Column("cpu_seconds", sa.Float))
    op.create_table(
        "measured",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("cpu_seconds", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("name", "item", name="pk_measured"),
        sqlite_with_rowid=False,
    )
