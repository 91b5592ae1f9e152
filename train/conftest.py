"""Lets the tests find the package without installing it: `python -m pytest train`."""
