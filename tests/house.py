#!/usr/bin/env python3
"""Checks every #include against the table of rooms in ARCHITECTURE.md: a room sees only rooms above it.

house.py ROOT
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "ARCHITECTURE.md").read_text()
rooms = re.findall(r"^\| `([\w/]+)` \|", page, re.M)
shared_plugins = {"remote", "process"}


def room_of(path):
    parts = path.parts
    return "/".join(parts[:2]) if parts[0] == "framework" else parts[0]


def target_of(source, included):
    """The file of the tree that an #include names, or None for a library's."""
    if included.startswith("senteval/"):
        return pathlib.Path("sdk/include") / included
    for folder in (root / source.parent, root / "framework", root / "plugins", root):
        if (folder / included).is_file():
            return (folder / included).resolve().relative_to(root.resolve())
    return None


faults = []
count = 0
for room in rooms:
    for path in sorted((root / room).rglob("*")):
        if path.suffix not in {".c", ".cpp", ".h", ".hpp", ".in"}:
            continue
        source = path.relative_to(root)
        for included in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', path.read_text(), re.M):
            target = target_of(source, included)
            if target is None:
                continue
            count += 1
            seen = room_of(target)
            if seen not in rooms:
                faults.append(f"{source}: includes {target}, whose room is not in ARCHITECTURE.md")
            elif rooms.index(seen) > rooms.index(room):
                faults.append(f"{source}: {room} may not include {target}")
            elif seen == room == "plugins" and len(target.parts) > 2:
                if target.parts[1] not in {source.parts[1], *shared_plugins}:
                    faults.append(f"{source}: a plugin may not include {target}")

for folder in sorted((root / "framework").iterdir()):
    if folder.is_dir() and folder.name not in {"cmake", "packages"} and f"framework/{folder.name}" not in rooms:
        faults.append(f"framework/{folder.name} is not in ARCHITECTURE.md")
print("\n".join(faults) or f"{count} includes, {len(rooms)} rooms")
sys.exit(bool(faults) or count < 1000)
