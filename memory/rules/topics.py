"""The numbers of topics and of what conversations leave (seed 004, "Configuration").

`topic_split_threshold_lines`, `min_conclusions_for_new_topic` and `index_max_entries` are below. `memory.options` has
`session_timeout_minutes` (`SessionRules.idle`), and `memory.rules.likeness` has `embedding_similarity_threshold`
(`LIKE_ENOUGH`). There is no `max_memories_per_search`: a prompt has as many as fit (`memory.rules.windows`).
"""

MAX_PAGE_LINES = 50
"""Lines of a topic's page, over which it is parted into subtopics."""

MIN_CONCLUSIONS = 3
"""Conclusions that make a topic of their own."""

MAX_INDEX_TOPICS = 20
"""Topics of the index that a conversation begins with: the ones written to last."""
