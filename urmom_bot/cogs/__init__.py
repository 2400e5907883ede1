"""Discord in, Discord out: thin listeners and commands around talk and memory."""
