"""Moves complete files from one directory to another, using watchfiles: watchfiles.py FROM TO"""
import os
import sys

# This file has the library's name, so Python must not search its directory.
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
