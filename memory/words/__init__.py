"""Words by which keys, sensitive matters, orders and telling words are recognised: data, no code."""
