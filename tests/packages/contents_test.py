"""Makes the Debian packages and looks at what is in them; installs nothing, needs no network.

    contents_test.py BUILD CPACK
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUILD, CPACK = sys.argv[1:]
PROGRAM = """usr/bin/senteval usr/libexec/senteval/senteval-annex usr/lib/senteval/plugins/glove.so usr/lib/senteval/plugins/python/client.py
usr/share/man/man1/senteval.1.gz usr/share/man/man1/senteval-train-paragram.1.gz usr/share/man/man1/senteval-data-fetch.1.gz
usr/share/bash-completion/completions/senteval usr/share/zsh/vendor-completions/_senteval
usr/share/fish/vendor_completions.d/senteval.fish usr/share/doc/senteval/README.md usr/share/doc/senteval/changelog.gz
usr/share/senteval/samples/compare.toml usr/share/senteval/data/samples/vectors/sample.50d.txt""".split()
DEVELOPMENT = """usr/include/senteval/encoder.h usr/include/senteval/encoder.hpp usr/include/senteval/senteval.hpp
usr/lib/cmake/SentEvalSDK/SentEvalSDKConfig.cmake usr/lib/cmake/SentEval/SentEvalConfig.cmake
usr/lib/libsenteval.so""".split()
PYTHON = """usr/lib/python3/dist-packages/senteval/__init__.py usr/lib/python3/dist-packages/senteval/engine.py
usr/lib/python3/dist-packages/senteval/comparison.py usr/lib/python3/dist-packages/senteval/protocol.py""".split()
PACKAGES = {  # what they hold, and what they depend on
    "senteval": (PROGRAM, ["libc6", "libstdc++6", "libcurl4", "libarchive13", "libopenblas0"]),
    "libsenteval-dev": (DEVELOPMENT, ["libc6", "libopenblas0"]),
    "python3-senteval": (PYTHON, ["senteval", "python3", "python3-numpy"]),
}
problems = []


def expect(holds, problem):
    if not holds:
        problems.append(problem)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def look_at(package, deb, root, files, needed):
    subprocess.run(["dpkg-deb", "--extract", deb, root], check=True)
    for file in [*files, f"usr/share/doc/{package}/copyright", f"usr/share/doc/{package}/changelog.Debian.gz"]:
        expect(list(root.glob(file)), f"{package} lacks {file}")
    depends = output("dpkg-deb", "--field", deb, "Depends")
    names = {part.split()[0] for part in re.split(r"[,|]", depends)}
    expect(names >= set(needed), f"{package} depends on {depends}, not on all of {needed}")
    expect(not any(name.startswith("libsenteval") for name in names), f"{package} depends on {depends}")
    description = output("dpkg-deb", "--field", deb, "Description").splitlines()
    expect(description[0] and len(description) > 2, f"{package}: description {description}")
    expect("@" in output("dpkg-deb", "--field", deb, "Maintainer"), f"{package}: maintainer")
    for path in root.rglob("*"):
        if path.is_symlink():
            expect((path.parent / path.readlink()).exists(), f"{package}: {path.name} leads nowhere")
        elif path.is_file():
            mode = path.stat().st_mode & 0o7777
            begin = path.read_bytes()[:4]
            is_script = begin.startswith(b"#!")
            expect(mode == (0o755 if path.parent.name == "bin" or "libexec" in path.parts or is_script else 0o644), f"{package}: {path}: {mode:o}")
            if begin == b"\x7fELF":
                expect(".symtab" not in output("readelf", "-SW", path), f"{package}: {path.name} is not stripped")
                paths = re.findall(r"R(?:UN)?PATH.*\[(.*)\]", output("readelf", "-d", path))
                expect(all(one.startswith("$ORIGIN") for one in paths), f"{package}: {path.name} looks in {paths}")


def main():
    missing = [tool for tool in ("dpkg-deb", "dpkg-shlibdeps", "file", "strip", "readelf") if not shutil.which(tool)]
    if missing:
        print(f"skipped: there is no {', '.join(missing)}")
        return
    with tempfile.TemporaryDirectory(prefix="senteval-packages-") as scratch:
        folder = pathlib.Path(scratch)
        made = subprocess.run([CPACK, "-G", "DEB", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none", "-B", folder / "made"], cwd=BUILD, capture_output=True, text=True)
        if made.returncode:
            sys.exit(made.stdout + made.stderr)
        for package, (files, needed) in PACKAGES.items():
            debs = list((folder / "made").glob(f"{package}_*.deb"))
            expect(len(debs) == 1, f"{package}: made {debs}")
            for deb in debs[:1]:
                look_at(package, deb, folder / package, files, needed)
        if not problems:
            version = output(folder / "senteval/usr/bin/senteval", "encoders")
            output(folder / "senteval/usr/bin/senteval", "train", "paragram", "--help")
            expect("glove" in version, f"the program of the package finds no encoders: {version}")
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
