"""Words by which keys, sensitive matters, orders and keywords are recognised: data, no code."""
