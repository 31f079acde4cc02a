#!/usr/bin/python3
"""Packs the module `senteval` and the library it is linked to as a wheel. Needs no network and no pip."""
import argparse
import base64
import hashlib
import pathlib
import sys
import sysconfig
import zipfile

METADATA = """\
Metadata-Version: 2.1
Name: senteval
Version: {version}
Summary: Evaluates sentence encoders on SentEval's tasks
License: MIT
Requires-Python: =={python}.*
Requires-Dist: numpy
"""
WHEEL = """\
Wheel-Version: 1.0
Generator: senteval
Root-Is-Purelib: false
Tag: {tag}
"""


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def contents(package, library, version):
    files = {f"senteval/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    files[f"senteval/{library.name}"] = library.read_bytes()
    info = f"senteval-{version}.dist-info"
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    files[f"{info}/METADATA"] = METADATA.format(version=version, python=python).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag()).encode()
    record = [f"{name},{digest(content)},{len(content)}\n" for name, content in files.items()]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    return files


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--package", type=pathlib.Path, required=True, help="the installed folder senteval")
    arguments.add_argument("--library", type=pathlib.Path, required=True, help="libsenteval.so.VERSION")
    arguments.add_argument("--version", required=True)
    arguments.add_argument("--output", type=pathlib.Path, required=True, help="folder for the wheel")
    given = arguments.parse_args()
    path = given.output / f"senteval-{given.version}-{tag()}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in contents(given.package, given.library, given.version).items():
            entry = zipfile.ZipInfo(name)  # of 1980: the same files give the same wheel
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content)
    print(path)


if __name__ == "__main__":
    main()
