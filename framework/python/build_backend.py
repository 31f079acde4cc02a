"""What pip calls to make the wheel (PEP 517). It is CMake that builds, in build/release; nothing is fetched.

    pip wheel --no-build-isolation --no-index --no-deps ./framework/python
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """`config_settings` may name another `build` folder: pip wheel --config-settings build=DIR."""
    build = pathlib.Path((config_settings or {}).get("build", ROOT / "build/release"))
    if not (build / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DSENTEVAL_BUILD_TESTS=OFF", "-DCMAKE_UNITY_BUILD=ON",
                        f"-DPython3_EXECUTABLE={sys.executable}"], check=True)
    subprocess.run(["cmake", "--build", build, "--target", "senteval_wheel"], check=True)
    wheel = max(build.glob("senteval-*.whl"), key=lambda path: path.stat().st_mtime)
    return pathlib.Path(shutil.copy(wheel, wheel_directory)).name
