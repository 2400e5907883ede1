"""What the bot says, one catalogue for each language."""
