"""Alembic's door: it runs this for every command, with the connection that facedown hands over."""

from alembic import context

from facedown.store.places import VERSION_TABLE
from facedown.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
    render_as_batch=True,  # SQLite changes a table by copying it
)
context.run_migrations()
