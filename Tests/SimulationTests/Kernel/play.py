"""Plays scripts of file operations on a file system in a file, cuts its power at the end of each, and tells what is left.

Usage: play.py KIND DIRECTORY. Needs root and a mount namespace of its own. DIRECTORY/scripts has a script on each line, of
operations separated by semicolons. For each script, prints a line with the names that are left, separated by semicolons:
directory, name, file, source of its bytes, length.
"""
import ctypes
import fcntl
import os
import signal
import struct
import subprocess
import sys

SHUTDOWN = 0x8004587D  # FS_IOC_SHUTDOWN: 2 flushes nothing, 1 flushes the journal.
GET_VERSION = 0x80087601  # FS_IOC_GETVERSION: tells files with the same inode number apart.
BLOCK = 4096
TORN = 1 << 31
libc = ctypes.CDLL(None, use_errno=True)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class Disk:
    def __init__(self, kind, directory):
        self.kind, self.mount, self.image = kind, directory + '/mount', directory + '/image'
        self.size = {'ext4': '64M', 'xfs': '320M', 'btrfs': '256M'}[kind]
        os.mkdir(self.mount)
        run('truncate', '-s', self.size, self.image)
        run('mkfs.' + kind, '-q', '-F' if kind == 'ext4' else '-f', self.image)
        self.attach()

    def attach(self):
        self.device = run('losetup', '--find', '--show', self.image)
        run('mount', self.device, self.mount)

    def detach(self):
        run('umount', self.mount)
        run('losetup', '--detach', self.device)

    def cut(self, flushes_journal):
        if self.kind == 'btrfs':  # It cannot be shut down: its image is what the disk has at this moment.
            run('cp', '--sparse=always', '--reflink=never', self.image, self.image + '.cut')
            self.detach()
            os.rename(self.image + '.cut', self.image)
            self.attach()
            return
        place = os.open(self.mount, os.O_RDONLY)
        fcntl.ioctl(place, SHUTDOWN, struct.pack('I', 1 if flushes_journal else 2))
        os.close(place)
        run('umount', self.mount)
        run('mount', self.device, self.mount)


def identity(path):
    file = os.open(path, os.O_RDONLY)
    try:
        answer = fcntl.ioctl(file, GET_VERSION, bytes(8))
        return os.fstat(file).st_ino, struct.unpack('I', answer[:4])[0]
    finally:
        os.close(file)


def sync(path):
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.close(file)


class Player:
    def __init__(self, disk, number):
        self.disk, self.root, self.files = disk, f'{disk.mount}/s{number}', []
        for name in [''] + ['/0', '/1', '/2']:
            os.mkdir(self.root + name)
        os.sync()

    def path(self, directory, name):
        return f'{self.root}/{directory}/{name}'

    def play(self, operation):
        verb, *words = operation.split()
        getattr(self, verb)(*words)

    def create(self, directory, name):
        path = self.path(directory, name)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        self.files.append(identity(path))

    def write(self, directory, name, how, source, start, end):
        flags = os.O_WRONLY | (os.O_TRUNC if how == 'replace' else 0)
        file = os.open(self.path(directory, name), flags)
        os.pwrite(file, bytes([int(source)]) * (int(end) - int(start)), int(start))
        os.close(file)

    def truncate(self, directory, name, length):
        os.truncate(self.path(directory, name), int(length))

    def rename(self, directory, name, to, as_name):
        os.rename(self.path(directory, name), self.path(to, as_name))

    def link(self, directory, name, to, as_name):
        os.link(self.path(directory, name), self.path(to, as_name))

    def unlink(self, directory, name):
        os.unlink(self.path(directory, name))

    def sync(self, directory, name):
        sync(self.path(directory, name))

    def syncdir(self, directory):
        sync(f'{self.root}/{directory}')

    def syncfs(self):
        place = os.open(self.root, os.O_RDONLY)
        libc.syncfs(place)
        os.close(place)

    def cut(self, flush):
        self.disk.cut(flush == 'journal')

    def left(self):
        lines = []
        for directory in range(3):
            for name in sorted(os.listdir(f'{self.root}/{directory}')):
                path = self.path(directory, name)
                file = self.files.index(identity(path))
                with open(path, 'rb') as opened:
                    data = opened.read()
                values = set(data)
                source = values.pop() if len(values) == 1 else TORN if values else 0
                lines.append(f'{directory} {name} {file} {source} {len(data)}')
        return ';'.join(lines)


def main():
    # The loop device has to be given back, however this ends.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    disk = Disk(sys.argv[1], sys.argv[2])
    try:
        with open(sys.argv[2] + '/scripts') as file:
            scripts = file.read().splitlines()
        for number, script in enumerate(scripts):
            player = Player(disk, number)
            for operation in script.split(';'):
                player.play(operation)
            print(player.left(), flush=True)
    finally:
        disk.detach()


main()
