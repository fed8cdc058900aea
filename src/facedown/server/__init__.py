"""The arena server: tables and competitions over REST and websockets; docs/server.md has the protocol."""
