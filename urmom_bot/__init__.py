"""The Discord application: Discord in, Discord out, around a memory that knows nothing of it."""
