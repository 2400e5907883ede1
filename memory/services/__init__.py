"""What callers may ask of memory. Whoever asks something for somebody hands in a `Viewer`, and `permissions` decides.

Methods without a viewer mirror what happened in Discord, where nobody asked, or say nothing about anybody.
"""
