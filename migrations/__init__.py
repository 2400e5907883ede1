"""The database's history, one numbered file for each step."""
