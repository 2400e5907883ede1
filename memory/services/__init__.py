"""What callers can ask memory to do. Every call on behalf of a person takes a `Viewer`, and `permissions` decides.

Methods without a viewer record what happened on Discord, or return nothing about anyone.
"""
