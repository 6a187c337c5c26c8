"""Moves what is complete from one directory to another, on watchfiles: watchfiles.py FROM TO"""
import os
import sys

# This file has the library's name: its own directory must not be looked in.
sys.path.pop(0)

from watchfiles import Change, watch

source, target = sys.argv[1:]

for changes in watch(source, debounce=50, step=10):
    for change, path in changes:
        if change == Change.deleted:
            continue
        try:
            os.rename(path, os.path.join(target, os.path.basename(path)))
        except FileNotFoundError:
            pass
