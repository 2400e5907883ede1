"""A small world in which people talk, forget and look, and everything fails: what must be true of it stays true."""
