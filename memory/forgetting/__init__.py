"""Forgetting: what a person takes back is gone everywhere, cannot come back by itself, and leaves a receipt.

- `plan` decides, without doing anything: what goes, what is refused and why, what is kept from coming back.
- `execution` gathers what the plan needs, carries it out in one transaction, searches a second time, and undoes.
- `erasure` removes whole members, channels and guilds, and what a choice of consent no longer allows.
- `export` gives a member everything stored about them, and takes their facts back in.
- `sealing` keeps what Undo needs as ciphertext, whose key is in the button alone.

How far a person's word reaches is `permissions.scope_of`; the SQL is in `store/forgetting` and `store/cascade`; what
keeps a forgotten statement from coming back is `rules/suppression`.
"""
