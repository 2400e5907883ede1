"""Fits what the bot learns from examples. It runs where the bot is made, and never where it runs."""
