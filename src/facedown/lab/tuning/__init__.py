"""Which options an agent plays best with."""
