"""Migrations of the store, run by Alembic at the start of `whichgpu serve` or by `whichgpu db upgrade`."""
