#!/usr/bin/python3
"""Packs an installed senteval as a wheel: program, encoders, module, SDK and samples, with the libraries that they need
beside them. Needs patchelf, binutils and dpkg, no network and no pip."""
import argparse
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import zipfile

METADATA = """\
Metadata-Version: 2.1
Name: senteval
Version: {version}
Summary: Which sentence encoder is better, and is the difference real?
License: MIT
Requires-Python: >=3.8
Requires-Dist: numpy
Provides-Extra: parquet
Requires-Dist: pyarrow; extra == "parquet"
"""
WHEEL = """\
Wheel-Version: 1.0
Generator: senteval
Root-Is-Purelib: false
Tag: {tag}
"""
ENTRY = "[console_scripts]\nsenteval = senteval.program:main\n"
HERE = pathlib.Path(__file__).resolve().parent
PARTS = ["bin/senteval", "libexec", "lib/senteval", "lib/cmake/SentEvalSDK", "include", "share/senteval"]
# What every Linux of the tag has, and must not have twice.
SYSTEM = re.compile(r"(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s))\.so.*")
NEWEST = {"GLIBCXX": (3, 4, 30)}


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, text=True, stdout=subprocess.PIPE).stdout


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def gather(prefix, package):
    """The parts of the installation below the package, as they lie to each other."""
    for part in PARTS:
        target = package / part
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (prefix / part).is_dir() else shutil.copy2
        copy(prefix / part, target)
    for file in (prefix / "lib/python3/dist-packages/senteval").glob("*.py"):
        shutil.copy2(file, package)
    return [path for path in sorted(package.rglob("*")) if path.is_file() and is_elf(path)]


def libraries_of(file):
    """{name: where it is} of those that a file needs and a system may lack, with those that these need."""
    return {name: pathlib.Path(where).resolve()
            for name, where in re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", file), re.M) if not SYSTEM.fullmatch(name)}


def link_archive(name, where, target):
    """libarchive with its own arc4random_buf(): all else here is content with a glibc older than the one that has it."""
    run("cc", "-shared", "-fPIC", "-O2", HERE / "random_bytes.c", "-Wl,--whole-archive", where.with_name("libarchive.a"),
        "-Wl,--no-whole-archive", *libraries_of(where).values(), f"-Wl,-Bsymbolic,-soname,{name}", "-o", target)


def bundle(files, folder):
    """Copies what libraries_of() the files has. Returns that."""
    found = {}
    for file in files:
        found.update(libraries_of(file))
    folder.mkdir(parents=True)
    for name, where in found.items():
        if name.startswith("libarchive."):
            link_archive(name, where, folder / name)
        else:
            shutil.copy(where, folder / name)
        (folder / name).chmod(0o755)
    for file in [*files, *(folder / name for name in found)]:
        run("patchelf", "--set-rpath", "$ORIGIN/" + os.path.relpath(folder, file.parent), file)
        run("strip", "--strip-unneeded", file)
    return found


def glibc_of(files):
    """The oldest minor version of glibc 2 that has all symbols. Raises where another library is to be newer than it may."""
    oldest = 35  # of Ubuntu 22.04, the first whose libstdc++ is that of GCC 12
    for file in files:
        for kind, version in set(re.findall(r"Name: (GLIBC|GLIBCXX)_([\d.]+)", run("readelf", "-V", file))):
            numbers = tuple(map(int, version.split(".")))
            if kind == "GLIBC":
                oldest = max(oldest, numbers[1])
            elif numbers > NEWEST[kind]:
                raise SystemExit(f"{file} needs {kind}_{version}")
    return oldest


def licences(libraries, folder):
    """What Debian says of each package that a library is of."""
    folder.mkdir(parents=True)
    for where in libraries.values():
        owners = [subprocess.run(["dpkg", "-S", path], text=True, capture_output=True).stdout
                  for path in (where, str(where).replace("/usr/lib/", "/lib/", 1))]
        package = next(one for one in owners if one).split(":")[0]
        shutil.copy(f"/usr/share/doc/{package}/copyright", folder / package)


def write(wheel, tree, info):
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(path for path in tree.rglob("*") if path.is_file()):
            name = path.relative_to(tree).as_posix()
            content = path.read_bytes()
            entry = zipfile.ZipInfo(name)  # of 1980: the same files give the same wheel
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
        archive.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "".join([*record, f"{info}/RECORD,,\n"]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--prefix", type=pathlib.Path, required=True, help="where senteval is installed")
    arguments.add_argument("--version", required=True)
    arguments.add_argument("--output", type=pathlib.Path, required=True, help="folder for the wheel")
    given = arguments.parse_args()
    info = f"senteval-{given.version}.dist-info"
    with tempfile.TemporaryDirectory() as scratch:
        tree = pathlib.Path(scratch)
        files = gather(given.prefix, tree / "senteval")
        libraries = bundle(files, tree / "senteval/lib/bundled")
        glibc = glibc_of([*files, *(tree / "senteval/lib/bundled").iterdir()])
        tag = f"py3-none-manylinux_2_{glibc}_{os.uname().machine}"
        licences(libraries, tree / info / "licenses")
        shutil.copy(given.prefix / "share/doc/senteval/LICENSE", tree / info / "licenses/senteval")
        (tree / info / "METADATA").write_text(METADATA.format(version=given.version))
        (tree / info / "WHEEL").write_text(WHEEL.format(tag=tag))
        (tree / info / "entry_points.txt").write_text(ENTRY)
        path = given.output / f"senteval-{given.version}-{tag}.whl"
        write(path, tree, info)
    print(path)


if __name__ == "__main__":
    main()
