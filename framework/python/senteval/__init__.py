"""Evaluates sentence encoders on SentEval's tasks: a drop-in for the original's module.

    se = senteval.engine.SE(params, batcher, prepare)
    results = se.eval(["MR", "SICKEntailment", "STS14"])
"""
import sys

try:
    from senteval import _senteval
except ImportError as error:
    if sys.version_info[:2] != (@Python3_VERSION_MAJOR@, @Python3_VERSION_MINOR@):
        raise ImportError("senteval was built for Python @Python3_VERSION_MAJOR@.@Python3_VERSION_MINOR@ "
                          f"(@Python3_EXECUTABLE@); this is Python {sys.version.split()[0]} "
                          f"({sys.executable})") from error
    raise ImportError(f"{error}: the module is not built here, or not whole. In senteval's sources: "
                      "ninja -C build/release senteval_module") from error

from senteval.encoding import Error, install_command, numpy, offer_absent

if numpy is None:
    raise ImportError(f"senteval needs NumPy, which this Python does not have: {install_command('numpy')}")

from senteval import engine, utils
from senteval.engine import SE

offer_absent()

__all__ = ["Error", "SE", "engine", "utils"]
__version__ = "@PROJECT_VERSION@"
