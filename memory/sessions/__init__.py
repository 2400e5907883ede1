"""Conversations with the bot: held at constant cost while they last, and what they leave when they are over."""
