"""Moves complete files from one directory to another, using watchdog: watchdog.py FROM TO"""
import os
import sys

# This file has the library's name, so Python must not search its directory.
sys.path.pop(0)

from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

source, target = sys.argv[1:]


class Mover(FileSystemEventHandler):
    def move(self, path):
        try:
            os.rename(path, os.path.join(target, os.path.basename(path)))
        except FileNotFoundError:
            pass

    def on_closed(self, event):
        self.move(event.src_path)

    def on_moved(self, event):
        if os.path.dirname(event.dest_path) == source:
            self.move(event.dest_path)

    # A file that is moved here from a directory outside is reported as created.
    def on_created(self, event):
        if not event.is_directory:
            self.move(event.src_path)


observer = Observer()
observer.schedule(Mover(), source)
observer.start()
observer.join()
