"""`python -m urmom_bot` is `urmom-bot`."""

from urmom_bot.cli import main

main()
